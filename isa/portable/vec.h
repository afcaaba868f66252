/* The vector vocabulary in GNU C vector extensions: 128-bit, any architecture, either byte order.
 */

/* __builtin_fma without the hardware is a call of libm: take it only where the compiler says it is
 * fast. */
#if defined(__FP_FAST_FMAF) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define F32_FUSED 1
#else
#define F32_FUSED 0
#endif
#define LANES32 4

typedef float vf32 __attribute__((vector_size(16)));
typedef uint32_t vi32 __attribute__((vector_size(16)));
typedef int32_t vs32_ __attribute__((vector_size(16)));
typedef uint32_t vm32 __attribute__((vector_size(16))); /* all ones or all zeros, lane by lane */
typedef const char *vlut8;

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
