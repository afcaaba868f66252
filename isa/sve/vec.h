/* The vector vocabulary in SVE, for vectors of any length.
 *
 * 32-bit words use a power of two of lanes, 32 at most: loads, stores, comparisons and what goes
 * across lanes are governed by that, while arithmetic works on all lanes, which needs no predicate.
 * Comparisons, so that masks are false beyond. */
#include <arm_sve.h>

#define F32_FUSED 1
#define LANES32 lanes32_()
#define LANES16 svcnth()
#define LANES8 svcntb()
NL_INLINE size_t lanes32_(void)
{
    const size_t lanes = svcntw_pat(SV_POW2);
    return lanes < 32 ? lanes : 32;
}

typedef svfloat32_t vf32;
typedef svuint32_t vi32;
typedef svbool_t vm32;
typedef svuint32x2_t vlut8; /* a vector of 128 bits holds only half of the entries */
typedef svuint16_t vu16;
typedef svbool_t vm16;
typedef svuint16x2_t vlut16; /* likewise */
typedef svint8_t vi8;
typedef svbool_t vm8;

#define ALL_ svptrue_b32()
NL_INLINE vm32 m32_first_n(size_t n) { return svwhilelt_b32_u64(0, n); }
NL_INLINE vm32 lanes_(void) { return m32_first_n(LANES32); }

NL_INLINE vi32 f32_as_i32(vf32 a) { return svreinterpret_u32_f32(a); }
NL_INLINE vf32 i32_as_f32(vi32 a) { return svreinterpret_f32_u32(a); }
NL_INLINE vf32 i32_to_f32(vi32 a) { return svcvt_f32_s32_x(ALL_, svreinterpret_s32_u32(a)); }

NL_INLINE vf32 f32_set(float k) { return svdup_f32(k); }
NL_INLINE vf32 f32_load(const float *p) { return svld1_f32(lanes_(), p); }
NL_INLINE vf32 f32_load_n(const float *p, size_t n, float fill)
{
    const vm32 m = m32_first_n(n);
    return svsel_f32(m, svld1_f32(m, p), f32_set(fill));
}
NL_INLINE void f32_store(float *p, vf32 v) { svst1_f32(lanes_(), p, v); }
NL_INLINE void f32_store_n(float *p, vf32 v, size_t n) { svst1_f32(m32_first_n(n), p, v); }
/* a core that sees whole lines being written stops reading them first, without being told */
NL_INLINE void f32_stream(float *p, vf32 v) { f32_store(p, v); }
NL_INLINE void stream_fence(void) {}

NL_INLINE vi32 i32_set(uint32_t k) { return svdup_u32(k); }
NL_INLINE vi32 i32_load(const void *p) { return svld1_u32(lanes_(), p); }
NL_INLINE vi32 i32_load_n(const void *p, size_t n, uint32_t fill)
{
    const vm32 m = m32_first_n(n);
    return svsel_u32(m, svld1_u32(m, p), i32_set(fill));
}

NL_INLINE vm32 f32_lt(vf32 a, vf32 b) { return svcmplt_f32(lanes_(), a, b); }
NL_INLINE vm32 f32_le(vf32 a, vf32 b) { return svcmple_f32(lanes_(), a, b); }
NL_INLINE vm32 f32_eq(vf32 a, vf32 b) { return svcmpeq_f32(lanes_(), a, b); }
NL_INLINE vm32 f32_unordered(vf32 a, vf32 b) { return svcmpuo_f32(lanes_(), a, b); }
NL_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return svsel_f32(m, a, b); }
NL_INLINE vf32 f32_zero_where(vm32 m, vf32 a)
{
    return i32_as_f32(svdup_n_u32_m(f32_as_i32(a), m, 0));
}

NL_INLINE vf32 f32_add(vf32 a, vf32 b) { return svadd_f32_x(ALL_, a, b); }
NL_INLINE vf32 f32_sub(vf32 a, vf32 b) { return svsub_f32_x(ALL_, a, b); }
NL_INLINE vf32 f32_mul(vf32 a, vf32 b) { return svmul_f32_x(ALL_, a, b); }
NL_INLINE vf32 f32_div(vf32 a, vf32 b) { return svdiv_f32_x(ALL_, a, b); }
NL_INLINE vf32 f32_neg(vf32 a) { return svneg_f32_x(ALL_, a); }
NL_INLINE vf32 f32_muladd(vf32 a, vf32 b, vf32 c) { return svmad_f32_x(ALL_, a, b, c); }
/* a NaN comes through FMIN and FMAX; FMAXNM drops only a quiet one */
NL_INLINE vf32 f32_min(vf32 a, vf32 b) { return svmin_f32_x(ALL_, a, b); }
NL_INLINE vf32 f32_max(vf32 a, vf32 b) { return svmax_f32_x(ALL_, a, b); }
NL_INLINE vf32 f32_at_most(vf32 a, float k) { return f32_min(a, f32_set(k)); }
NL_INLINE vf32 f32_at_least(vf32 a, float k) { return f32_max(a, f32_set(k)); }
NL_INLINE vf32 f32_max_or(vf32 a, float k)
{
    return f32_select(f32_lt(f32_set(k), a), a, f32_set(k));
}

/* t as an integer, less F32_ROUND8 as one, is 8 k + j; FSCALE rounds once */
#define f32_scale8 f32_scale8
NL_INLINE vf32 f32_scale8(vf32 y, vf32 t)
{
    const vi32 eighths = svsub_u32_x(ALL_, f32_as_i32(t), f32_as_i32(f32_set(F32_ROUND8)));
    return svscale_f32_x(ALL_, y, svasr_n_s32_x(ALL_, svreinterpret_s32_u32(eighths), 3));
}

NL_INLINE vi32 i32_add(vi32 a, vi32 b) { return svadd_u32_x(ALL_, a, b); }
NL_INLINE vi32 i32_sub(vi32 a, vi32 b) { return svsub_u32_x(ALL_, a, b); }
NL_INLINE vi32 i32_and(vi32 a, vi32 b) { return svand_u32_x(ALL_, a, b); }
NL_INLINE vi32 i32_or(vi32 a, vi32 b) { return svorr_u32_x(ALL_, a, b); }
#define i32_shl(a, s) svlsl_n_u32_x(ALL_, a, s)
#define i32_shr(a, s) svlsr_n_u32_x(ALL_, a, s)
NL_INLINE vi32 u32_min(vi32 a, vi32 b) { return svmin_u32_x(ALL_, a, b); }
NL_INLINE vm32 u32_le(vi32 a, vi32 b) { return svcmple_u32(lanes_(), a, b); }
NL_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return svsel_u32(m, a, b); }

/* Both halves are looked at, even if all of the table is in the first: an index beyond the vector
 * gives 0, and a branch here would be in every loop. */
NL_INLINE vlut8 lut8_set(const void *p)
{
    const uint32_t *q = p;
    return svcreate2_u32(svld1_u32(m32_first_n(8), q),
                         svld1_u32(svwhilelt_b32_u64(svcntw(), 8), q + svcntw() % 8));
}
NL_INLINE vi32 i32_lut8(vlut8 k, vi32 i)
{
    const vi32 j = svand_n_u32_x(ALL_, i, 7);
    return i32_or(svtbl_u32(svget2_u32(k, 0), j),
                  svtbl_u32(svget2_u32(k, 1), sveor_n_u32_x(ALL_, j, 4)));
}
NL_INLINE vf32 f32_lut8(vlut8 k, vi32 i) { return i32_as_f32(i32_lut8(k, i)); }

NL_INLINE vf32 f32_hmax(vf32 v) { return f32_set(svmaxv_f32(lanes_(), v)); }
NL_INLINE vi32 u32_hmin(vi32 v) { return i32_set(svminv_u32(lanes_(), v)); }
NL_INLINE float f32_first(vf32 v) { return svlasta_f32(svpfalse_b(), v); }
NL_INLINE uint32_t i32_first(vi32 v) { return svlasta_u32(svpfalse_b(), v); }

/* Even lanes and odd lanes apart, each a double where two floats were; they meet in the last step.
 */
NL_INLINE double f32_fold32(vf32 a0, vf32 a1, vf32 a2, vf32 a3, vf32 a4, vf32 a5, vf32 a6, vf32 a7)
{
    const size_t lanes = LANES32;
#define EVEN(v) svcvt_f64_f32_x(svptrue_b64(), v)
#define ODD(v) \
    EVEN(svreinterpret_f32_u64(svlsr_n_u64_x(svptrue_b64(), svreinterpret_u64_f32(v), 32)))
#define ADD(a, b) svadd_f64_x(svptrue_b64(), a, b)
#define SUM2(half, a, b) ADD(half(a), half(b))
#define SUM4(half, a, b, c, d) ADD(SUM2(half, a, b), SUM2(half, c, d))
#define SUM8(half) ADD(SUM4(half, a0, a4, a2, a6), SUM4(half, a1, a5, a3, a7))
    svfloat64_t even, odd;
    if (lanes < 8)
        even = SUM8(EVEN), odd = SUM8(ODD);
    else if (lanes < 16)
        even = SUM4(EVEN, a0, a2, a1, a3), odd = SUM4(ODD, a0, a2, a1, a3);
    else if (lanes < 32)
        even = SUM2(EVEN, a0, a1), odd = SUM2(ODD, a0, a1);
    else
        even = EVEN(a0), odd = ODD(a0);
    for (size_t half = lanes / 4; half; half /= 2) {
        const svuint64_t above = svindex_u64(half, 1);
        even = ADD(even, svtbl_f64(even, above));
        odd = ADD(odd, svtbl_f64(odd, above));
    }
#undef EVEN
#undef ODD
#undef ADD
#undef SUM2
#undef SUM4
#undef SUM8
    return svlasta_f64(svpfalse_b(), even) + svlasta_f64(svpfalse_b(), odd);
}

NL_INLINE vm32 m32_or(vm32 a, vm32 b) { return svorr_b_z(lanes_(), a, b); }
NL_INLINE vm32 m32_and(vm32 a, vm32 b) { return svand_b_z(lanes_(), a, b); }
NL_INLINE int m32_any(vm32 m) { return svptest_any(lanes_(), m); }
NL_INLINE size_t m32_first(vm32 m) { return svcntp_b32(lanes_(), svbrkb_b_z(lanes_(), m)); }

/* ---- 16-bit numbers in 32-bit lanes ---- */

NL_INLINE vi32 i32_load_u16(const void *p) { return svld1uh_u32(lanes_(), p); }
NL_INLINE vi32 i32_load_u16_n(const void *p, size_t n, uint16_t fill)
{
    const vm32 m = m32_first_n(n);
    return svsel_u32(m, svld1uh_u32(m, p), i32_set(fill));
}
NL_INLINE void i32_store_u16(void *p, vi32 v) { svst1h_u32(lanes_(), p, v); }
NL_INLINE void i32_store_u16_n(void *p, vi32 v, size_t n) { svst1h_u32(m32_first_n(n), p, v); }
NL_INLINE void i32_stream_u16(void *p, vi32 v) { i32_store_u16(p, v); }

/* conversions take the lower half of a lane, and leave their result there */
#define f16_widen_ f16_widen_
#define f16_narrow_ f16_narrow_
NL_INLINE vf32 f16_widen_(vi32 half) { return svcvt_f32_f16_x(ALL_, svreinterpret_f16_u32(half)); }
NL_INLINE vi32 f16_narrow_(vf32 v) { return svreinterpret_u32_f16(svcvt_f16_f32_x(ALL_, v)); }

/* ---- 16-bit lanes ---- */

#define ALL16_ svptrue_b16()
NL_INLINE vm16 m16_first_n_(size_t n) { return svwhilelt_b16_u64(0, n); }

NL_INLINE vu16 u16_set(uint16_t k) { return svdup_u16(k); }
NL_INLINE vu16 u16_load(const void *p) { return svld1_u16(ALL16_, p); }
NL_INLINE vu16 u16_load_n(const void *p, size_t n, uint16_t fill)
{
    const vm16 m = m16_first_n_(n);
    return svsel_u16(m, svld1_u16(m, p), u16_set(fill));
}
NL_INLINE void u16_store(void *p, vu16 v) { svst1_u16(ALL16_, p, v); }
NL_INLINE void u16_store_n(void *p, vu16 v, size_t n) { svst1_u16(m16_first_n_(n), p, v); }
NL_INLINE void u16_stream(void *p, vu16 v) { u16_store(p, v); }

NL_INLINE vu16 u16_and(vu16 a, vu16 b) { return svand_u16_x(ALL16_, a, b); }
NL_INLINE vu16 u16_or(vu16 a, vu16 b) { return svorr_u16_x(ALL16_, a, b); }
NL_INLINE vu16 u16_sub(vu16 a, vu16 b) { return svsub_u16_x(ALL16_, a, b); }
NL_INLINE vu16 u16_subs(vu16 a, vu16 b) { return svqsub_u16(a, b); }
NL_INLINE vu16 u16_min(vu16 a, vu16 b) { return svmin_u16_x(ALL16_, a, b); }
NL_INLINE vu16 u16_max(vu16 a, vu16 b) { return svmax_u16_x(ALL16_, a, b); }
#define u16_shr(a, s) svlsr_n_u16_x(ALL16_, a, s)
NL_INLINE vm16 u16_le(vu16 a, vu16 b) { return svcmple_u16(ALL16_, a, b); }
NL_INLINE vu16 u16_select(vm16 m, vu16 a, vu16 b) { return svsel_u16(m, a, b); }

NL_INLINE vlut16 lut16_set(const void *p)
{
    const uint16_t *q = p;
    return svcreate2_u16(svld1_u16(m16_first_n_(16), q),
                         svld1_u16(svwhilelt_b16_u64(svcnth(), 16), q + svcnth() % 16));
}
NL_INLINE vu16 u16_lut16(vlut16 k, vu16 i)
{
    return u16_or(svtbl_u16(svget2_u16(k, 0), i),
                  svtbl_u16(svget2_u16(k, 1), sveor_n_u16_x(ALL16_, i, 8)));
}

#define f16_muladd f16_muladd
NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
#define HALVES(v) svreinterpret_f16_u16(v)
    return svreinterpret_u16_f16(svmad_f16_x(ALL16_, HALVES(a), HALVES(b), HALVES(c)));
#undef HALVES
}

/* ---- bytes ---- */

#define ALL8_ svptrue_b8()

NL_INLINE vi8 i8_set(int8_t k) { return svdup_s8(k); }
NL_INLINE vi8 i8_load(const int8_t *p) { return svld1_s8(ALL8_, p); }
NL_INLINE vi8 i8_load_n(const int8_t *p, size_t n, int8_t fill)
{
    const vm8 m = svwhilelt_b8_u64(0, n);
    return svsel_s8(m, svld1_s8(m, p), i8_set(fill));
}
NL_INLINE vi8 i8_max(vi8 a, vi8 b) { return svmax_s8_x(ALL8_, a, b); }
NL_INLINE vi8 i8_hmax(vi8 v) { return i8_set(svmaxv_s8(ALL8_, v)); }
NL_INLINE int8_t i8_first(vi8 v) { return svlasta_s8(svpfalse_b(), v); }
NL_INLINE vm8 i8_eq(vi8 a, vi8 b) { return svcmpeq_s8(ALL8_, a, b); }
NL_INLINE int m8_any(vm8 m) { return svptest_any(ALL8_, m); }
NL_INLINE size_t m8_first(vm8 m) { return svcntp_b8(ALL8_, svbrkb_b_z(ALL8_, m)); }
