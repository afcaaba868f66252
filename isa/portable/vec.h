/* The vector vocabulary in GNU C vector extensions: 128-bit, any architecture, either byte order.
 */

/* __builtin_fma without the hardware is a call of libm: take it only where the compiler says it is
 * fast, or where all machines have it (clang says little). */
#if defined(__FP_FAST_FMAF) || defined(__FMA__) || defined(__ARM_FEATURE_FMA) || \
    defined(__VSX__) || defined(__s390__) || defined(__riscv_flen) || defined(__loongarch_frlen)
#define F32_FUSED 1
#else
#define F32_FUSED 0
#endif
#define LANES32 4
#define LANES16 8
#define LANES8 16

typedef float vf32 __attribute__((vector_size(16)));
typedef uint32_t vi32 __attribute__((vector_size(16)));
typedef int32_t vs32_ __attribute__((vector_size(16)));
typedef uint32_t vm32 __attribute__((vector_size(16))); /* all ones or all zeros, lane by lane */
typedef const char *vlut8;
typedef uint16_t vu16 __attribute__((vector_size(16)));
typedef uint16_t vm16 __attribute__((vector_size(16)));
typedef const char *vlut16;
typedef int8_t vi8 __attribute__((vector_size(16)));
typedef int8_t vm8 __attribute__((vector_size(16)));

NL_INLINE vi32 f32_as_i32(vf32 a) { return (vi32)a; }
NL_INLINE vf32 i32_as_f32(vi32 a) { return (vf32)a; }
NL_INLINE vf32 i32_to_f32(vi32 a) { return __builtin_convertvector((vs32_)a, vf32); }

/* there is no ?: on vectors in C with gcc 12 and clang 14 */
NL_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return (m & a) | (~m & b); }
NL_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return (vf32)i32_select(m, (vi32)a, (vi32)b); }

NL_INLINE vf32 f32_set(float k) { return (vf32){k, k, k, k}; }
NL_INLINE vi32 i32_set(uint32_t k) { return (vi32){k, k, k, k}; }

NL_INLINE vm32 m32_first_n(size_t n) { return (vm32)((vi32){0, 1, 2, 3} < i32_set((uint32_t)n)); }

NL_INLINE vf32 f32_load(const float *p)
{
    vf32 v;
    memcpy(&v, p, sizeof v);
    return v;
}
NL_INLINE vf32 f32_load_n(const float *p, size_t n, float fill)
{
    vf32 v = f32_set(fill);
    for (size_t i = 0; i < n; i++)
        v[i] = p[i];
    return v;
}
NL_INLINE void f32_store(float *p, vf32 v) { memcpy(p, &v, sizeof v); }
NL_INLINE void f32_store_n(float *p, vf32 v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = v[i];
}
NL_INLINE void f32_stream(float *p, vf32 v) { f32_store(p, v); }
NL_INLINE void stream_fence(void) {}

NL_INLINE vf32 f32_add(vf32 a, vf32 b) { return a + b; }
NL_INLINE vf32 f32_sub(vf32 a, vf32 b) { return a - b; }
NL_INLINE vf32 f32_mul(vf32 a, vf32 b) { return a * b; }
NL_INLINE vf32 f32_div(vf32 a, vf32 b) { return a / b; }
NL_INLINE vf32 f32_neg(vf32 a) { return -a; }
NL_INLINE vf32 f32_min(vf32 a, vf32 b) { return f32_select((vm32)(a < b), a, b); }
NL_INLINE vf32 f32_max(vf32 a, vf32 b) { return f32_select((vm32)(a > b), a, b); }
NL_INLINE vf32 f32_at_most(vf32 a, float k) { return f32_min(f32_set(k), a); }
NL_INLINE vf32 f32_at_least(vf32 a, float k) { return f32_max(f32_set(k), a); }
NL_INLINE vf32 f32_max_or(vf32 a, float k) { return f32_max(a, f32_set(k)); }
NL_INLINE vf32 f32_muladd(vf32 a, vf32 b, vf32 c)
{
#if F32_FUSED
    for (int i = 0; i < LANES32; i++)
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
#else
    return a * b + c;
#endif
}

NL_INLINE vlut8 lut8_set(const void *k) { return k; }
NL_INLINE vi32 i32_lut8(vlut8 k, vi32 i)
{
    vi32 v = i & i32_set(7);
    for (int l = 0; l < LANES32; l++) {
        uint32_t entry;
        memcpy(&entry, k + sizeof entry * v[l], sizeof entry);
        v[l] = entry;
    }
    return v;
}
NL_INLINE vf32 f32_lut8(vlut8 k, vi32 i) { return (vf32)i32_lut8(k, i); }

NL_INLINE vf32 f32_hmax(vf32 v)
{
    float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return f32_set(a > b ? a : b);
}
NL_INLINE double f32_fold32(vf32 a0, vf32 a1, vf32 a2, vf32 a3, vf32 a4, vf32 a5, vf32 a6, vf32 a7)
{
    typedef double vf64 __attribute__((vector_size(32)));
#define D(v) __builtin_convertvector(v, vf64)
    const vf64 s = ((D(a0) + D(a4)) + (D(a2) + D(a6))) + ((D(a1) + D(a5)) + (D(a3) + D(a7)));
#undef D
    return (s[0] + s[2]) + (s[1] + s[3]);
}
NL_INLINE float f32_first(vf32 v) { return v[0]; }

NL_INLINE vm32 f32_lt(vf32 a, vf32 b) { return (vm32)(a < b); }
NL_INLINE vm32 f32_le(vf32 a, vf32 b) { return (vm32)(a <= b); }
NL_INLINE vm32 f32_unordered(vf32 a, vf32 b) { return (vm32)(a != a) | (vm32)(b != b); }
NL_INLINE vm32 f32_eq(vf32 a, vf32 b) { return (vm32)(a == b); }
NL_INLINE vf32 f32_zero_where(vm32 m, vf32 a) { return (vf32)(~m & (vi32)a); }

NL_INLINE vi32 i32_load(const void *p)
{
    vi32 v;
    memcpy(&v, p, sizeof v);
    return v;
}
NL_INLINE vi32 i32_load_n(const void *p, size_t n, uint32_t fill)
{
    vi32 v = i32_set(fill);
    memcpy(&v, p, n * sizeof fill);
    return v;
}
NL_INLINE vi32 i32_add(vi32 a, vi32 b) { return a + b; }
NL_INLINE vi32 i32_sub(vi32 a, vi32 b) { return a - b; }
NL_INLINE vi32 i32_and(vi32 a, vi32 b) { return a & b; }
NL_INLINE vi32 i32_or(vi32 a, vi32 b) { return a | b; }
#define i32_shl(a, s) ((a) << (s))
#define i32_shr(a, s) ((a) >> (s))
NL_INLINE vi32 u32_min(vi32 a, vi32 b) { return i32_select((vm32)(a < b), a, b); }
NL_INLINE vi32 u32_hmin(vi32 v)
{
    uint32_t r = (uint32_t)v[0];
    for (int i = 1; i < LANES32; i++)
        if ((uint32_t)v[i] < r)
            r = (uint32_t)v[i];
    return i32_set((uint32_t)r);
}
NL_INLINE uint32_t i32_first(vi32 v) { return v[0]; }
NL_INLINE vm32 u32_le(vi32 a, vi32 b) { return (vm32)(a <= b); }

NL_INLINE vm32 m32_or(vm32 a, vm32 b) { return a | b; }
NL_INLINE vm32 m32_and(vm32 a, vm32 b) { return a & b; }
NL_INLINE int m32_any(vm32 m)
{
    uint64_t half[2];
    memcpy(half, &m, sizeof half);
    return (half[0] | half[1]) != 0;
}
NL_INLINE size_t m32_first(vm32 m)
{
    size_t i = 0;
    while (i < LANES32 && !m[i])
        i++;
    return i;
}

/* ---- 16-bit numbers in 32-bit lanes ---- */

typedef uint16_t vu16_half_ __attribute__((vector_size(8)));
NL_INLINE vi32 i32_load_u16(const void *p)
{
    vu16_half_ v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, vi32);
}
NL_INLINE vi32 i32_load_u16_n(const void *p, size_t n, uint16_t fill)
{
    vu16_half_ v = {fill, fill, fill, fill};
    memcpy(&v, p, n * sizeof fill);
    return __builtin_convertvector(v, vi32);
}
NL_INLINE void i32_store_u16_n(void *p, vi32 v, size_t n)
{
    const vu16_half_ half = __builtin_convertvector(v, vu16_half_);
    memcpy(p, &half, n * sizeof(uint16_t));
}
NL_INLINE void i32_store_u16(void *p, vi32 v) { i32_store_u16_n(p, v, LANES32); }
NL_INLINE void i32_stream_u16(void *p, vi32 v) { i32_store_u16(p, v); }

/* ---- 16-bit lanes ---- */

NL_INLINE vu16 u16_set(uint16_t k) { return (vu16){k, k, k, k, k, k, k, k}; }
NL_INLINE vu16 u16_load(const void *p)
{
    vu16 v;
    memcpy(&v, p, sizeof v);
    return v;
}
NL_INLINE vu16 u16_load_n(const void *p, size_t n, uint16_t fill)
{
    vu16 v = u16_set(fill);
    memcpy(&v, p, n * sizeof fill);
    return v;
}
NL_INLINE void u16_store(void *p, vu16 v) { memcpy(p, &v, sizeof v); }
NL_INLINE void u16_store_n(void *p, vu16 v, size_t n) { memcpy(p, &v, n * sizeof(uint16_t)); }
NL_INLINE void u16_stream(void *p, vu16 v) { u16_store(p, v); }

NL_INLINE vu16 u16_and(vu16 a, vu16 b) { return a & b; }
NL_INLINE vu16 u16_or(vu16 a, vu16 b) { return a | b; }
NL_INLINE vu16 u16_sub(vu16 a, vu16 b) { return a - b; }
NL_INLINE vm16 u16_le(vu16 a, vu16 b) { return (vm16)(a <= b); }
NL_INLINE vu16 u16_select(vm16 m, vu16 a, vu16 b) { return (m & a) | (~m & b); }
NL_INLINE vu16 u16_subs(vu16 a, vu16 b) { return (vu16)(a > b) & (a - b); }
NL_INLINE vu16 u16_min(vu16 a, vu16 b) { return u16_select((vm16)(a < b), a, b); }
NL_INLINE vu16 u16_max(vu16 a, vu16 b) { return u16_select((vm16)(a > b), a, b); }
#define u16_shr(a, s) ((a) >> (s))

NL_INLINE vlut16 lut16_set(const void *k) { return k; }
NL_INLINE vu16 u16_lut16(vlut16 k, vu16 i)
{
    vu16 v = i & u16_set(15);
    for (int l = 0; l < LANES16; l++) {
        uint16_t entry;
        memcpy(&entry, k + sizeof entry * v[l], sizeof entry);
        v[l] = entry;
    }
    return v;
}

/* for f16_muladd in words.h */
NL_INLINE vi32 u16_part_(vu16 v, int part)
{
    vu16_half_ half[2];
    memcpy(half, &v, sizeof v);
    return __builtin_convertvector(half[part], vi32);
}
NL_INLINE vi32 u16_low_(vu16 v) { return u16_part_(v, 0); }
NL_INLINE vi32 u16_high_(vu16 v) { return u16_part_(v, 1); }
NL_INLINE vu16 u16_join_(vi32 low, vi32 high)
{
    vu16 v;
    const vu16_half_ half[2] = {__builtin_convertvector(low, vu16_half_),
                                __builtin_convertvector(high, vu16_half_)};
    memcpy(&v, half, sizeof v);
    return v;
}

/* ---- bytes ---- */

NL_INLINE vi8 i8_set(int8_t k) { return (vi8){k, k, k, k, k, k, k, k, k, k, k, k, k, k, k, k}; }
NL_INLINE vi8 i8_load(const int8_t *p)
{
    vi8 v;
    memcpy(&v, p, sizeof v);
    return v;
}
NL_INLINE vi8 i8_load_n(const int8_t *p, size_t n, int8_t fill)
{
    vi8 v = i8_set(fill);
    memcpy(&v, p, n);
    return v;
}
NL_INLINE vi8 i8_max(vi8 a, vi8 b)
{
    const vi8 greater = (vi8)(a > b);
    return (greater & a) | (~greater & b);
}
NL_INLINE int8_t i8_first(vi8 v) { return v[0]; }
NL_INLINE vi8 i8_hmax(vi8 v)
{
    int8_t r = v[0];
    for (int i = 1; i < LANES8; i++)
        if (v[i] > r)
            r = v[i];
    return i8_set(r);
}
NL_INLINE vm8 i8_eq(vi8 a, vi8 b) { return (vm8)(a == b); }
NL_INLINE int m8_any(vm8 m)
{
    uint64_t half[2];
    memcpy(half, &m, sizeof half);
    return (half[0] | half[1]) != 0;
}
NL_INLINE size_t m8_first(vm8 m)
{
    size_t i = 0;
    while (i < LANES8 && !m[i])
        i++;
    return i;
}
