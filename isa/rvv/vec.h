/* The vector vocabulary in RISC-V V 1.0, for any VLEN from 128.
 *
 * Vectors are groups of two registers, or of four, of which at most so many lanes are used as the
 * vocabulary allows. The vector length is the same in all words of a width but those of n elements,
 * so that it is set outside of the loops. Words are macros where the intrinsic picks its
 * instruction by what an operand is, a vector or a scalar. */
#include <riscv_vector.h>

#define F32_FUSED 1
/* these are powers of two, as VLMAX is: vl = min(VLMAX, AVL) */
#define AVL32 32
#define AVL16 128
#define AVL8 256
#define LANES32 lanes_(__riscv_vsetvl_e32m2(AVL32), 8, AVL32)
#define LANES16 lanes_(U16_(__riscv_vsetvl_e16)(AVL16), 16, AVL16)
#define LANES8 lanes_(__riscv_vsetvl_e8m4(AVL8), 64, AVL8)

typedef vfloat32m2_t vf32;
typedef vuint32m2_t vi32;
typedef vbool16_t vm32;
typedef vuint32m2_t vlut8;
#ifdef __riscv_zvfh
typedef vuint16m4_t vu16;
typedef vbool4_t vm16;
#define U16_(intrinsic) intrinsic##m4
#else /* half of that, as products need twice the width */
typedef vuint16m2_t vu16;
typedef vbool8_t vm16;
#define U16_(intrinsic) intrinsic##m2
#endif
typedef vu16 vlut16;
typedef vint8m4_t vi8;
typedef vbool2_t vm8;

/* for the compiler to know, which then leaves out what narrower vectors need */
NL_INLINE size_t lanes_(size_t lanes, size_t least, size_t most)
{
    if (lanes < least || lanes > most)
        __builtin_unreachable();
    return lanes;
}

NL_INLINE vm32 m32_first_n(size_t n)
{
    return __riscv_vmsltu(__riscv_vid_v_u32m2(AVL32), (uint32_t)n, AVL32);
}

NL_INLINE vi32 f32_as_i32(vf32 a) { return __riscv_vreinterpret_u32m2(a); }
NL_INLINE vf32 i32_as_f32(vi32 a) { return __riscv_vreinterpret_f32m2(a); }
NL_INLINE vf32 i32_to_f32(vi32 a) { return __riscv_vfcvt_f(__riscv_vreinterpret_i32m2(a), AVL32); }

/* Instructions take scalars as operands, and splats of them are dear in registers. */
typedef float kf32;
typedef uint32_t ki32;
#define f32_k(k) ((kf32)(k))
#define nl_max __builtin_fmaxf
#define i32_k(k) ((ki32)(k))
#define u16_k(k) ((uint16_t)(k))
#define f32_same(v) f32_first(v)
#define i32_same(v) i32_first(v)
NL_INLINE vf32 f32_set(float k) { return __riscv_vfmv_v_f_f32m2(k, AVL32); }
NL_INLINE vi32 i32_set(uint32_t k) { return __riscv_vmv_v_x_u32m2(k, AVL32); }

NL_INLINE vf32 f32_load(const float *p) { return __riscv_vle32_v_f32m2(p, AVL32); }
NL_INLINE vf32 f32_load_n(const float *p, size_t n, float fill)
{
    __asm__ volatile("" : "+f"(fill)); /* not to be hoisted, for want of registers */
    return __riscv_vle32_tu(f32_set(fill), p, n);
}
NL_INLINE void f32_store(float *p, vf32 v) { __riscv_vse32(p, v, AVL32); }
NL_INLINE void f32_store_n(float *p, vf32 v, size_t n) { __riscv_vse32(p, v, n); }
NL_INLINE void f32_stream(float *p, vf32 v) { f32_store(p, v); }
NL_INLINE void stream_fence(void) {}
NL_INLINE vi32 i32_load(const void *p) { return __riscv_vle32_v_u32m2(p, AVL32); }
NL_INLINE vi32 i32_load_n(const void *p, size_t n, uint32_t fill)
{
    return __riscv_vle32_tu(i32_set(fill), (const uint32_t *)p, n);
}

#define f32_add(a, b) __riscv_vfadd(a, b, AVL32)
#define f32_sub(a, b) __riscv_vfsub(a, b, AVL32)
#define f32_mul(a, b) __riscv_vfmul(a, b, AVL32)
#define f32_div(a, b) __riscv_vfdiv(a, b, AVL32)
#define f32_muladd(a, b, c) __riscv_vfmacc(c, a, b, AVL32)
#define f32_mul2(a, hi, lo)                  \
    ({                                       \
        const vf32 a_ = a;                   \
        f32_muladd(hi, a_, f32_mul(a_, lo)); \
    })
#define f32_mul2_row f32_mul2_row
NL_INLINE void f32_mul2_row(float *y, const float *x, size_t n, kf32 hi, kf32 lo)
{
    for (size_t vl; n; n -= vl, x += vl, y += vl) {
        vl = __riscv_vsetvl_e32m8(n);
        vfloat32m8_t v = __riscv_vle32_v_f32m8(x, vl);
        v = __riscv_vfmacc(__riscv_vfmul(v, lo, vl), hi, v, vl);
        __riscv_vse32(y, v, vl);
    }
}
NL_INLINE vf32 f32_neg(vf32 a) { return __riscv_vfneg(a, AVL32); }
#define f32_min(a, b) __riscv_vfmin(a, b, AVL32)
#define f32_max(a, b) __riscv_vfmax(a, b, AVL32)
/* vfmin and vfmax drop a NaN */
NL_INLINE vf32 f32_at_most(vf32 a, float k)
{
    return __riscv_vfmerge(a, k, __riscv_vmfgt(a, k, AVL32), AVL32);
}
NL_INLINE vf32 f32_at_least(vf32 a, float k)
{
    return __riscv_vfmerge(a, k, __riscv_vmflt(a, k, AVL32), AVL32);
}
NL_INLINE vf32 f32_max_or(vf32 a, float k) { return __riscv_vfmax(a, k, AVL32); }

#define i32_add(a, b) __riscv_vadd(a, b, AVL32)
#define i32_sub(a, b) __riscv_vsub(a, b, AVL32)
#define i32_and(a, b) __riscv_vand(a, b, AVL32)
#define i32_or(a, b) __riscv_vor(a, b, AVL32)
#define i32_shl(a, s) __riscv_vsll(a, s, AVL32)
#define i32_shr(a, s) __riscv_vsrl(a, s, AVL32)
#define u32_min(a, b) __riscv_vminu(a, b, AVL32)

NL_INLINE vlut8 lut8_set(const void *k) { return __riscv_vle32_v_u32m2(k, 8); }
NL_INLINE vi32 i32_lut8(vlut8 k, vi32 i) { return __riscv_vrgather(k, i32_and(i, 7), AVL32); }
#define i32_lut8_add i32_lut8_add
NL_INLINE vi32 i32_lut8_add(vlut8 k, vi32 i, vi32 a, ki32 b)
{
    /* the table with b is made once, outside of the loops */
    return i32_add(i32_lut8(i32_add(k, b), i), a);
}
NL_INLINE vf32 f32_lut8(vlut8 k, vi32 i) { return i32_as_f32(i32_lut8(k, i)); }

NL_INLINE vm32 __attribute__((overloadable)) f32_lt(vf32 a, vf32 b)
{
    return __riscv_vmflt(a, b, AVL32);
}
NL_INLINE vm32 __attribute__((overloadable)) f32_lt(vf32 a, kf32 b)
{
    return __riscv_vmflt(a, b, AVL32);
}
NL_INLINE vm32 __attribute__((overloadable)) f32_lt(kf32 a, vf32 b)
{
    return __riscv_vmfgt(b, a, AVL32);
}
#define f32_le(a, b) __riscv_vmfle(a, b, AVL32)
#define f32_eq(a, b) __riscv_vmfeq(a, b, AVL32)
#define u32_le(a, b) __riscv_vmsleu(a, b, AVL32)
NL_INLINE vm32 m32_or(vm32 a, vm32 b) { return __riscv_vmor_mm_b16(a, b, AVL32); }
NL_INLINE vm32 m32_and(vm32 a, vm32 b) { return __riscv_vmand_mm_b16(a, b, AVL32); }
NL_INLINE int m32_any(vm32 m) { return __riscv_vfirst(m, AVL32) >= 0; }
NL_INLINE size_t m32_first(vm32 m)
{
    const long first = __riscv_vfirst(m, AVL32);
    return first < 0 ? LANES32 : (size_t)first;
}
NL_INLINE vm32 f32_unordered(vf32 a, vf32 b)
{
    return m32_or(__riscv_vmfne(a, a, AVL32), __riscv_vmfne(b, b, AVL32));
}
NL_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return __riscv_vmerge(b, a, m, AVL32); }
NL_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return __riscv_vmerge(b, a, m, AVL32); }
NL_INLINE vf32 f32_zero_where(vm32 m, vf32 a) { return __riscv_vfmerge(a, 0.0f, m, AVL32); }

NL_INLINE float f32_first(vf32 v) { return __riscv_vfmv_f(v); }
NL_INLINE uint32_t i32_first(vi32 v) { return __riscv_vmv_x(v); }
NL_INLINE vf32 f32_hmax(vf32 v)
{
    const vfloat32m1_t none = __riscv_vfmv_s_f_f32m1(-__builtin_inff(), 1);
    return f32_set(__riscv_vfmv_f(__riscv_vfredmax(v, none, AVL32)));
}
NL_INLINE vi32 u32_hmin(vi32 v)
{
    const vuint32m1_t none = __riscv_vmv_s_x_u32m1(0xffffffffu, 1);
    return i32_set(__riscv_vmv_x(__riscv_vredminu(v, none, AVL32)));
}
NL_INLINE double f32_fold32(vf32 a0, vf32 a1, vf32 a2, vf32 a3, vf32 a4, vf32 a5, vf32 a6, vf32 a7)
{
    (void)a4, (void)a5, (void)a6, (void)a7;
    vfloat64m4_t s;
    /* the lanes above those of the half are folded too, into lanes that nobody reads */
#define FOLD(half) s = __riscv_vfadd(s, __riscv_vslidedown(s, half, AVL32), AVL32);
    if (LANES32 == 8) {
        s = __riscv_vfadd(__riscv_vfwadd_vv(a0, a2, AVL32), __riscv_vfwadd_vv(a1, a3, AVL32),
                          AVL32);
    } else {
        if (LANES32 == 16) {
            s = __riscv_vfwadd_vv(a0, a1, AVL32);
        } else {
            s = __riscv_vfwcvt_f(a0, AVL32);
            FOLD(16)
        }
        FOLD(8)
    }
    FOLD(4)
    FOLD(2)
    FOLD(1)
#undef FOLD
    return __riscv_vfmv_f(s);
}

#define f32_fold8 f32_fold8
NL_INLINE double f32_fold8(vf32 v)
{
    vfloat64m4_t s = __riscv_vfwcvt_f(v, AVL32);
#define FOLD(half) s = __riscv_vfadd(s, __riscv_vslidedown(s, half, AVL32), AVL32);
    FOLD(4)
    FOLD(2)
    FOLD(1)
#undef FOLD
    return __riscv_vfmv_f(s);
}
#define f32_fold64 f32_fold64
NL_INLINE double f32_fold64(const float *p)
{
#define SUM(j) \
    __riscv_vfadd(__riscv_vle32_v_f32m4(p + (j), 16), __riscv_vle32_v_f32m4(p + 32 + (j), 16), 16)
    vfloat64m8_t s = __riscv_vfwadd_vv(SUM(0), SUM(16), 16);
#undef SUM
#define FOLD(half) s = __riscv_vfadd(s, __riscv_vslidedown(s, half, 16), 16);
    FOLD(8)
    FOLD(4)
    FOLD(2)
    FOLD(1)
#undef FOLD
    return __riscv_vfmv_f(s);
}

/* ---- 16-bit numbers in 32-bit lanes ---- */

NL_INLINE vi32 i32_load_u16(const void *p)
{
    return __riscv_vzext_vf2_u32m2(__riscv_vle16_v_u16m1(p, AVL32), AVL32);
}
NL_INLINE vi32 i32_load_u16_n(const void *p, size_t n, uint16_t fill)
{
    const vuint16m1_t none = __riscv_vmv_v_x_u16m1(fill, AVL32);
    return __riscv_vzext_vf2_u32m2(__riscv_vle16_tu(none, (const uint16_t *)p, n), AVL32);
}
NL_INLINE void i32_store_u16_n(void *p, vi32 v, size_t n)
{
    __riscv_vse16((uint16_t *)p, __riscv_vncvt_x(v, n), n);
}
NL_INLINE void i32_store_u16(void *p, vi32 v) { i32_store_u16_n(p, v, AVL32); }
NL_INLINE void i32_stream_u16(void *p, vi32 v) { i32_store_u16(p, v); }

#ifdef __riscv_zvfh
#define f16_load f16_load
#define f16_widen_
#define f16_narrow_
NL_INLINE vf32 f16_load(const void *p)
{
    return __riscv_vfwcvt_f(__riscv_vle16_v_f16m1(p, AVL32), AVL32);
}
NL_INLINE vf32 f16_load_n(const void *p, size_t n, uint16_t fill)
{
    const vuint16m1_t none = __riscv_vmv_v_x_u16m1(fill, AVL32);
    const vuint16m1_t v = __riscv_vle16_tu(none, (const uint16_t *)p, n);
    return __riscv_vfwcvt_f(__riscv_vreinterpret_f16m1(v), AVL32);
}
NL_INLINE void f16_store_n(void *p, vf32 v, size_t n)
{
    __riscv_vse16((_Float16 *)p, __riscv_vfncvt_f(v, n), n);
}
NL_INLINE void f16_store(void *p, vf32 v) { f16_store_n(p, v, AVL32); }
NL_INLINE void f16_stream(void *p, vf32 v) { f16_store(p, v); }
#endif

/* ---- 16-bit lanes ---- */

NL_INLINE vu16 u16_set(uint16_t k) { return U16_(__riscv_vmv_v_x_u16)(k, AVL16); }
NL_INLINE vu16 u16_load(const void *p) { return U16_(__riscv_vle16_v_u16)(p, AVL16); }
NL_INLINE vu16 u16_load_n(const void *p, size_t n, uint16_t fill)
{
    return __riscv_vle16_tu(u16_set(fill), (const uint16_t *)p, n);
}
NL_INLINE void u16_store(void *p, vu16 v) { __riscv_vse16((uint16_t *)p, v, AVL16); }
NL_INLINE void u16_store_n(void *p, vu16 v, size_t n) { __riscv_vse16((uint16_t *)p, v, n); }
NL_INLINE void u16_stream(void *p, vu16 v) { u16_store(p, v); }

#define u16_and(a, b) __riscv_vand(a, b, AVL16)
#define u16_or(a, b) __riscv_vor(a, b, AVL16)
#define u16_sub(a, b) __riscv_vsub(a, b, AVL16)
#define u16_subs(a, b) __riscv_vssubu(a, b, AVL16)
#define u16_min(a, b) __riscv_vminu(a, b, AVL16)
#define u16_max(a, b) __riscv_vmaxu(a, b, AVL16)
#define u16_shr(a, s) __riscv_vsrl(a, s, AVL16)
NL_INLINE vm16 __attribute__((overloadable)) u16_le(vu16 a, vu16 b)
{
    return __riscv_vmsleu(a, b, AVL16);
}
NL_INLINE vm16 __attribute__((overloadable)) u16_le(vu16 a, uint16_t b)
{
    return __riscv_vmsleu(a, b, AVL16);
}
NL_INLINE vm16 __attribute__((overloadable)) u16_le(uint16_t a, vu16 b)
{
    return __riscv_vmsgeu(b, a, AVL16);
}
#define u16_select(m, a, b) __riscv_vmerge(b, a, m, AVL16)

NL_INLINE vlut16 lut16_set(const void *k) { return U16_(__riscv_vle16_v_u16)(k, 16); }
NL_INLINE vu16 u16_lut16(vlut16 k, vu16 i) { return __riscv_vrgather(k, i, AVL16); }

#define f16_muladd f16_muladd
#ifdef __riscv_zvfh
NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
#define F16(v) __riscv_vreinterpret_f16m4(v)
    return __riscv_vreinterpret_u16m4(__riscv_vfmacc(F16(c), F16(a), F16(b), AVL16));
#undef F16
}
#else
/* Without Zvfhmin there are no halves but in integers. */
NL_INLINE vfloat32m4_t f16_widen4_(vu16 half)
{
    /* a product puts all in place, the sign once more in the bits below it, which are taken out.
     * Another corrects the exponent: that makes subnormals right. Infinities and NaNs then lack the
     * top of their exponent. */
    vint32m4_t wide = __riscv_vwmul(__riscv_vreinterpret_i16m2(half), 1 << 13, AVL16);
    vuint32m4_t bits = __riscv_vand(__riscv_vreinterpret_u32m4(wide), 0x8fffffffu, AVL16);
    vfloat32m4_t f = __riscv_vfmul(__riscv_vreinterpret_f32m4(bits), 0x1p112f, AVL16);
    vbool8_t top = __riscv_vmsgtu(__riscv_vsll(bits, 1, AVL16), 0x1effffffu, AVL16);
    bits = __riscv_vreinterpret_u32m4(f);
    return __riscv_vreinterpret_f32m4(__riscv_vor_mu(top, bits, bits, 0x7f800000u, AVL16));
}

NL_INLINE vu16 f16_narrow4_(vfloat32m4_t f)
{
    /* the adder rounds, to nearest even: the number added has 2^13 as often the exponent of f, or
     * of the least normal half, so that its last place is that of the half */
    vuint32m4_t bits = __riscv_vreinterpret_u32m4(f);
    vfloat32m4_t magnitude = __riscv_vfabs(f, AVL16);
    vuint32m4_t exponent = __riscv_vand(bits, 0x7f800000u, AVL16);
    exponent = __riscv_vmaxu(exponent, 0x38800000u, AVL16);
    exponent = __riscv_vminu(exponent, 0x47800000u, AVL16); /* 2^16, which is overflow */
    vuint32m4_t place = __riscv_vadd(exponent, 13u << 23, AVL16);
    vfloat32m4_t sum = __riscv_vfadd(magnitude, __riscv_vreinterpret_f32m4(place), AVL16);
    vuint32m4_t significand = __riscv_vsub(__riscv_vreinterpret_u32m4(sum), place, AVL16);
    vuint32m4_t half = __riscv_vsrl(__riscv_vsub(exponent, 0x38800000u, AVL16), 13, AVL16);
    half = __riscv_vminu(__riscv_vadd(half, significand, AVL16), 0x7c00, AVL16);
    half = __riscv_vmerge(half, 0x7e00, __riscv_vmfne(f, f, AVL16), AVL16);
    half = __riscv_vor(half, __riscv_vand(__riscv_vsrl(bits, 16, AVL16), 0x8000, AVL16), AVL16);
    return __riscv_vncvt_x(half, AVL16);
}

NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
    return f16_narrow4_(__riscv_vfmacc(f16_widen4_(c), f16_widen4_(a), f16_widen4_(b), AVL16));
}
#endif

/* ---- bytes ---- */

NL_INLINE vi8 i8_set(int8_t k) { return __riscv_vmv_v_x_i8m4(k, AVL8); }
NL_INLINE vi8 i8_load(const int8_t *p) { return __riscv_vle8_v_i8m4(p, AVL8); }
NL_INLINE vi8 i8_load_n(const int8_t *p, size_t n, int8_t fill)
{
    return __riscv_vle8_tu(i8_set(fill), p, n);
}
NL_INLINE vi8 i8_max(vi8 a, vi8 b) { return __riscv_vmax(a, b, AVL8); }
NL_INLINE int8_t i8_first(vi8 v) { return __riscv_vmv_x(v); }
NL_INLINE vi8 i8_hmax(vi8 v)
{
    const vint8m1_t none = __riscv_vmv_s_x_i8m1(INT8_MIN, 1);
    return i8_set(__riscv_vmv_x(__riscv_vredmax(v, none, AVL8)));
}
NL_INLINE vm8 i8_eq(vi8 a, vi8 b) { return __riscv_vmseq(a, b, AVL8); }
NL_INLINE int m8_any(vm8 m) { return __riscv_vfirst(m, AVL8) >= 0; }
NL_INLINE size_t m8_first(vm8 m)
{
    const long first = __riscv_vfirst(m, AVL8);
    return first < 0 ? LANES8 : (size_t)first;
}
