/* The vector vocabulary in AVX2, FMA, F16C. */
#include <immintrin.h>

#define F32_FUSED 1
#define LANES32 8

typedef __m256 vf32;
typedef __m256i vi32;
typedef __m256i vm32; /* all ones or all zeros, lane by lane */
typedef __m256i vlut8;

NL_INLINE vm32 m32_first_n(size_t n)
{
    static const int32_t window[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(window + 8 - n));
}

NL_INLINE vf32 f32_set(float k) { return _mm256_set1_ps(k); }
NL_INLINE vf32 f32_load(const float *p) { return _mm256_loadu_ps(p); }
NL_INLINE vf32 f32_load_n(const float *p, size_t n, float fill)
{
    vm32 m = m32_first_n(n);
    return _mm256_blendv_ps(f32_set(fill), _mm256_maskload_ps(p, m), _mm256_castsi256_ps(m));
}
NL_INLINE void f32_store(float *p, vf32 v) { _mm256_storeu_ps(p, v); }
NL_INLINE void f32_store_n(float *p, vf32 v, size_t n)
{
    _mm256_maskstore_ps(p, m32_first_n(n), v);
}
NL_INLINE void f32_stream(float *p, vf32 v) { _mm256_stream_ps(p, v); }
NL_INLINE void stream_fence(void) { _mm_sfence(); }

NL_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm256_add_ps(a, b); }
NL_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm256_sub_ps(a, b); }
NL_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm256_mul_ps(a, b); }
NL_INLINE vf32 f32_div(vf32 a, vf32 b) { return _mm256_div_ps(a, b); }
NL_INLINE vf32 f32_neg(vf32 a) { return _mm256_xor_ps(a, f32_set(-0.0f)); }
NL_INLINE vf32 f32_min(vf32 a, vf32 b) { return _mm256_min_ps(a, b); }
NL_INLINE vf32 f32_max(vf32 a, vf32 b) { return _mm256_max_ps(a, b); }
NL_INLINE vf32 f32_at_most(vf32 a, float k) { return _mm256_min_ps(f32_set(k), a); }
NL_INLINE vf32 f32_at_least(vf32 a, float k) { return _mm256_max_ps(f32_set(k), a); }
NL_INLINE vf32 f32_max_or(vf32 a, float k) { return _mm256_max_ps(a, f32_set(k)); }
NL_INLINE vf32 f32_muladd(vf32 a, vf32 b, vf32 c) { return _mm256_fmadd_ps(a, b, c); }

NL_INLINE vlut8 lut8_set(const void *k) { return _mm256_loadu_si256(k); }
NL_INLINE vi32 i32_lut8(vlut8 k, vi32 i) { return _mm256_permutevar8x32_epi32(k, i); }
NL_INLINE vf32 f32_lut8(vlut8 k, vi32 i) { return _mm256_castsi256_ps(i32_lut8(k, i)); }

/* butterflies: every lane gets the result */
NL_INLINE vf32 f32_hmax(vf32 v)
{
    v = f32_max(v, _mm256_permute2f128_ps(v, v, 1));
    v = f32_max(v, _mm256_permute_ps(v, 0x4e));
    return f32_max(v, _mm256_permute_ps(v, 0xb1));
}
NL_INLINE double f32_fold32(vf32 a0, vf32 a1, vf32 a2, vf32 a3, vf32 a4, vf32 a5, vf32 a6, vf32 a7)
{
    (void)a4, (void)a5, (void)a6, (void)a7;
#define LOW(v) _mm256_cvtps_pd(_mm256_castps256_ps128(v))
#define HIGH(v) _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1))
#define SUM4(half) \
    _mm256_add_pd(_mm256_add_pd(half(a0), half(a2)), _mm256_add_pd(half(a1), half(a3)))
    __m256d q = _mm256_add_pd(SUM4(LOW), SUM4(HIGH));
#undef LOW
#undef HIGH
#undef SUM4
    __m128d d = _mm_add_pd(_mm256_castpd256_pd128(q), _mm256_extractf128_pd(q, 1));
    return _mm_cvtsd_f64(_mm_add_sd(d, _mm_unpackhi_pd(d, d)));
}
NL_INLINE float f32_first(vf32 v) { return _mm256_cvtss_f32(v); }

NL_INLINE vi32 f32_as_i32(vf32 a) { return _mm256_castps_si256(a); }
NL_INLINE vf32 i32_as_f32(vi32 a) { return _mm256_castsi256_ps(a); }
NL_INLINE vf32 i32_to_f32(vi32 a) { return _mm256_cvtepi32_ps(a); }

NL_INLINE vm32 f32_lt(vf32 a, vf32 b) { return f32_as_i32(_mm256_cmp_ps(a, b, _CMP_LT_OQ)); }
NL_INLINE vm32 f32_le(vf32 a, vf32 b) { return f32_as_i32(_mm256_cmp_ps(a, b, _CMP_LE_OQ)); }
NL_INLINE vm32 f32_unordered(vf32 a, vf32 b)
{
    return f32_as_i32(_mm256_cmp_ps(a, b, _CMP_UNORD_Q));
}
NL_INLINE vm32 f32_eq(vf32 a, vf32 b) { return f32_as_i32(_mm256_cmp_ps(a, b, _CMP_EQ_OQ)); }
NL_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return _mm256_blendv_ps(b, a, i32_as_f32(m)); }
NL_INLINE vf32 f32_zero_where(vm32 m, vf32 a) { return _mm256_andnot_ps(i32_as_f32(m), a); }

NL_INLINE vi32 i32_set(uint32_t k) { return _mm256_set1_epi32((int)k); }
NL_INLINE vi32 i32_load(const void *p) { return _mm256_loadu_si256(p); }
NL_INLINE vi32 i32_load_n(const void *p, size_t n, uint32_t fill)
{
    vm32 m = m32_first_n(n);
    return _mm256_blendv_epi8(i32_set(fill), _mm256_maskload_epi32(p, m), m);
}
NL_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm256_add_epi32(a, b); }
NL_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm256_sub_epi32(a, b); }
NL_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm256_and_si256(a, b); }
NL_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm256_or_si256(a, b); }
#define i32_shl(a, s) _mm256_slli_epi32(a, s)
#define i32_shr(a, s) _mm256_srli_epi32(a, s)
NL_INLINE vi32 u32_min(vi32 a, vi32 b) { return _mm256_min_epu32(a, b); }
NL_INLINE vi32 u32_hmin(vi32 v)
{
    v = u32_min(v, _mm256_permute2x128_si256(v, v, 1));
    v = u32_min(v, _mm256_shuffle_epi32(v, 0x4e));
    return u32_min(v, _mm256_shuffle_epi32(v, 0xb1));
}
NL_INLINE uint32_t i32_first(vi32 v)
{
    return (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(v));
}
NL_INLINE vm32 u32_le(vi32 a, vi32 b) { return _mm256_cmpeq_epi32(u32_min(a, b), a); }
NL_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return _mm256_blendv_epi8(b, a, m); }

NL_INLINE vm32 m32_or(vm32 a, vm32 b) { return i32_or(a, b); }
NL_INLINE vm32 m32_and(vm32 a, vm32 b) { return i32_and(a, b); }
NL_INLINE unsigned m32_bits_(vm32 m) { return (unsigned)_mm256_movemask_ps(i32_as_f32(m)); }
NL_INLINE int m32_any(vm32 m) { return m32_bits_(m) != 0; }
NL_INLINE size_t m32_first(vm32 m)
{
    unsigned bits = m32_bits_(m);
    return bits ? (size_t)__builtin_ctz(bits) : LANES32;
}
