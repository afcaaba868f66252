/* The vector vocabulary in AVX-512 F, BW, DQ, VL. */
#include <immintrin.h>

#define F32_FUSED 1
#define LANES32 16
#define LANES16 32
#define LANES8 64

typedef __m512 vf32;
typedef __m512i vi32;
typedef __mmask16 vm32;
typedef __m512i vlut8;
typedef __m512i vu16;
typedef __mmask32 vm16;
typedef __m512i vlut16;
typedef __m512i vi8;
typedef __mmask64 vm8;

NL_INLINE vm32 m32_first_n(size_t n) { return (vm32)_bzhi_u32(0xffff, (unsigned)n); }

NL_INLINE vf32 f32_set(float k) { return _mm512_set1_ps(k); }
NL_INLINE vf32 f32_load(const float *p) { return _mm512_loadu_ps(p); }
NL_INLINE vf32 f32_load_n(const float *p, size_t n, float fill)
{
    return _mm512_mask_loadu_ps(f32_set(fill), m32_first_n(n), p);
}
NL_INLINE void f32_store(float *p, vf32 v) { _mm512_storeu_ps(p, v); }
NL_INLINE void f32_store_n(float *p, vf32 v, size_t n)
{
    _mm512_mask_storeu_ps(p, m32_first_n(n), v);
}
NL_INLINE void f32_stream(float *p, vf32 v) { _mm512_stream_ps(p, v); }
NL_INLINE void stream_fence(void) { _mm_sfence(); }

NL_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm512_add_ps(a, b); }
NL_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm512_sub_ps(a, b); }
NL_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm512_mul_ps(a, b); }
NL_INLINE vf32 f32_div(vf32 a, vf32 b) { return _mm512_div_ps(a, b); }
NL_INLINE vf32 f32_neg(vf32 a) { return -a; }
NL_INLINE vf32 f32_min(vf32 a, vf32 b) { return _mm512_min_ps(a, b); }
NL_INLINE vf32 f32_max(vf32 a, vf32 b) { return _mm512_max_ps(a, b); }
NL_INLINE vf32 f32_at_most(vf32 a, float k) { return _mm512_min_ps(f32_set(k), a); }
NL_INLINE vf32 f32_at_least(vf32 a, float k) { return _mm512_max_ps(f32_set(k), a); }
NL_INLINE vf32 f32_max_or(vf32 a, float k) { return _mm512_max_ps(a, f32_set(k)); }
NL_INLINE vf32 f32_muladd(vf32 a, vf32 b, vf32 c) { return _mm512_fmadd_ps(a, b, c); }

/* scalef takes the floor of its exponent: t less the offset of F32_ROUND8 is k + j / 8 */
#define f32_scale8 f32_scale8
NL_INLINE vf32 f32_scale8(vf32 y, vf32 t)
{
    return _mm512_scalef_ps(y, _mm512_sub_ps(t, f32_set(F32_ROUND8)));
}

NL_INLINE vlut8 lut8_set(const void *k) { return _mm512_broadcast_i32x8(_mm256_loadu_si256(k)); }
NL_INLINE vi32 i32_lut8(vlut8 k, vi32 i) { return _mm512_permutexvar_epi32(i, k); }
NL_INLINE vf32 f32_lut8(vlut8 k, vi32 i) { return _mm512_castsi512_ps(i32_lut8(k, i)); }

/* butterflies: every lane gets the result */
NL_INLINE vf32 f32_hmax(vf32 v)
{
    v = f32_max(v, _mm512_shuffle_f32x4(v, v, 0x4e));
    v = f32_max(v, _mm512_shuffle_f32x4(v, v, 0xb1));
    v = f32_max(v, _mm512_permute_ps(v, 0x4e));
    return f32_max(v, _mm512_permute_ps(v, 0xb1));
}
NL_INLINE double f32_fold32(vf32 a0, vf32 a1, vf32 a2, vf32 a3, vf32 a4, vf32 a5, vf32 a6, vf32 a7)
{
    (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7;
#define LOW(v) _mm512_cvtps_pd(_mm512_castps512_ps256(v))
#define HIGH(v) _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1))
    __m512d s = _mm512_add_pd(_mm512_add_pd(LOW(a0), LOW(a1)), _mm512_add_pd(HIGH(a0), HIGH(a1)));
#undef LOW
#undef HIGH
    __m256d q = _mm256_add_pd(_mm512_castpd512_pd256(s), _mm512_extractf64x4_pd(s, 1));
    __m128d d = _mm_add_pd(_mm256_castpd256_pd128(q), _mm256_extractf128_pd(q, 1));
    return _mm_cvtsd_f64(_mm_add_sd(d, _mm_unpackhi_pd(d, d)));
}
NL_INLINE float f32_first(vf32 v) { return _mm512_cvtss_f32(v); }

NL_INLINE vm32 f32_lt(vf32 a, vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
NL_INLINE vm32 f32_le(vf32 a, vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
NL_INLINE vm32 f32_unordered(vf32 a, vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q); }
NL_INLINE vm32 f32_eq(vf32 a, vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
#define f32_unusual f32_unusual
NL_INLINE vm32 f32_unusual(vf32 x) { return _mm512_fpclass_ps_mask(x, 0xff); }
NL_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return _mm512_mask_blend_ps(m, b, a); }
/* as a zeroing move under the inverse mask, which the compiler folds into the comparison */
NL_INLINE vf32 f32_zero_where(vm32 m, vf32 a) { return _mm512_maskz_mov_ps((vm32)~m, a); }

NL_INLINE vi32 f32_as_i32(vf32 a) { return _mm512_castps_si512(a); }
NL_INLINE vf32 i32_as_f32(vi32 a) { return _mm512_castsi512_ps(a); }
NL_INLINE vf32 i32_to_f32(vi32 a) { return _mm512_cvtepi32_ps(a); }

NL_INLINE vi32 i32_set(uint32_t k) { return _mm512_set1_epi32((int)k); }
NL_INLINE vi32 i32_load(const void *p) { return _mm512_loadu_si512(p); }
NL_INLINE vi32 i32_load_n(const void *p, size_t n, uint32_t fill)
{
    return _mm512_mask_loadu_epi32(i32_set(fill), m32_first_n(n), p);
}
NL_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm512_add_epi32(a, b); }
NL_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm512_sub_epi32(a, b); }
NL_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm512_and_si512(a, b); }
NL_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm512_or_si512(a, b); }
#define i32_shl(a, s) _mm512_slli_epi32(a, s)
#define i32_shr(a, s) _mm512_srli_epi32(a, s)
NL_INLINE vi32 u32_min(vi32 a, vi32 b) { return _mm512_min_epu32(a, b); }
NL_INLINE vi32 u32_hmin(vi32 v)
{
    v = u32_min(v, _mm512_shuffle_i32x4(v, v, 0x4e));
    v = u32_min(v, _mm512_shuffle_i32x4(v, v, 0xb1));
    v = u32_min(v, _mm512_shuffle_epi32(v, 0x4e));
    return u32_min(v, _mm512_shuffle_epi32(v, 0xb1));
}
NL_INLINE uint32_t i32_first(vi32 v) { return (uint32_t)_mm512_cvtsi512_si32(v); }
NL_INLINE vm32 u32_le(vi32 a, vi32 b) { return _mm512_cmple_epu32_mask(a, b); }
NL_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return _mm512_mask_blend_epi32(m, b, a); }

NL_INLINE vm32 m32_or(vm32 a, vm32 b) { return a | b; }
NL_INLINE vm32 m32_and(vm32 a, vm32 b) { return a & b; }
NL_INLINE int m32_any(vm32 m) { return m != 0; }
NL_INLINE size_t m32_first(vm32 m) { return m ? (size_t)__builtin_ctz(m) : LANES32; }

/* ---- 16-bit numbers in 32-bit lanes ---- */

NL_INLINE __m256i half_load_n_(const void *p, size_t n, uint16_t fill)
{
    return _mm256_mask_loadu_epi16(_mm256_set1_epi16((short)fill), m32_first_n(n), p);
}
NL_INLINE vi32 i32_load_u16(const void *p) { return _mm512_cvtepu16_epi32(_mm256_loadu_si256(p)); }
NL_INLINE vi32 i32_load_u16_n(const void *p, size_t n, uint16_t fill)
{
    return _mm512_cvtepu16_epi32(half_load_n_(p, n, fill));
}
NL_INLINE void i32_store_u16(void *p, vi32 v) { _mm256_storeu_si256(p, _mm512_cvtepi32_epi16(v)); }
NL_INLINE void i32_store_u16_n(void *p, vi32 v, size_t n)
{
    _mm256_mask_storeu_epi16(p, m32_first_n(n), _mm512_cvtepi32_epi16(v));
}
NL_INLINE void i32_stream_u16(void *p, vi32 v) { _mm256_stream_si256(p, _mm512_cvtepi32_epi16(v)); }

#define f16_load f16_load
NL_INLINE __m256i f16_narrow_(vf32 v) { return _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT); }
#define f16_narrow_ f16_narrow_
#define f16_widen_
NL_INLINE vf32 f16_load(const void *p) { return _mm512_cvtph_ps(_mm256_loadu_si256(p)); }
NL_INLINE vf32 f16_load_n(const void *p, size_t n, uint16_t fill)
{
    return _mm512_cvtph_ps(half_load_n_(p, n, fill));
}
NL_INLINE void f16_store(void *p, vf32 v) { _mm256_storeu_si256(p, f16_narrow_(v)); }
NL_INLINE void f16_store_n(void *p, vf32 v, size_t n)
{
    _mm256_mask_storeu_epi16(p, m32_first_n(n), f16_narrow_(v));
}
NL_INLINE void f16_stream(void *p, vf32 v) { _mm256_stream_si256(p, f16_narrow_(v)); }

/* ---- 16-bit lanes ---- */

NL_INLINE vm16 m16_first_n_(size_t n) { return _bzhi_u32(0xffffffffu, (unsigned)n); }

NL_INLINE vu16 u16_set(uint16_t k) { return _mm512_set1_epi16((short)k); }
NL_INLINE vu16 u16_load(const void *p) { return _mm512_loadu_si512(p); }
NL_INLINE vu16 u16_load_n(const void *p, size_t n, uint16_t fill)
{
    return _mm512_mask_loadu_epi16(u16_set(fill), m16_first_n_(n), p);
}
NL_INLINE void u16_store(void *p, vu16 v) { _mm512_storeu_si512(p, v); }
NL_INLINE void u16_store_n(void *p, vu16 v, size_t n)
{
    _mm512_mask_storeu_epi16(p, m16_first_n_(n), v);
}
NL_INLINE void u16_stream(void *p, vu16 v) { _mm512_stream_si512(p, v); }

NL_INLINE vu16 u16_and(vu16 a, vu16 b) { return _mm512_and_si512(a, b); }
NL_INLINE vu16 u16_or(vu16 a, vu16 b) { return _mm512_or_si512(a, b); }
NL_INLINE vu16 u16_sub(vu16 a, vu16 b) { return _mm512_sub_epi16(a, b); }
NL_INLINE vu16 u16_subs(vu16 a, vu16 b) { return _mm512_subs_epu16(a, b); }
NL_INLINE vu16 u16_min(vu16 a, vu16 b) { return _mm512_min_epu16(a, b); }
NL_INLINE vu16 u16_max(vu16 a, vu16 b) { return _mm512_max_epu16(a, b); }
#define u16_shr(a, s) _mm512_srli_epi16(a, s)
NL_INLINE vm16 u16_le(vu16 a, vu16 b) { return _mm512_cmple_epu16_mask(a, b); }
NL_INLINE vu16 u16_select(vm16 m, vu16 a, vu16 b) { return _mm512_mask_blend_epi16(m, b, a); }

NL_INLINE vlut16 lut16_set(const void *k) { return _mm512_broadcast_i64x4(_mm256_loadu_si256(k)); }
NL_INLINE vu16 u16_lut16(vlut16 k, vu16 i) { return _mm512_permutexvar_epi16(i, k); }

#ifndef f16_muladd /* avx512fp16 has its own */
#define f16_muladd f16_muladd
NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
#define HALF(v, h) _mm512_cvtph_ps(_mm512_extracti64x4_epi64(v, h))
#define MULADD(h) \
    _mm512_cvtps_ph(_mm512_fmadd_ps(HALF(a, h), HALF(b, h), HALF(c, h)), _MM_FROUND_TO_NEAREST_INT)
    return _mm512_inserti64x4(_mm512_castsi256_si512(MULADD(0)), MULADD(1), 1);
#undef HALF
#undef MULADD
}
#endif

/* ---- bytes ---- */

NL_INLINE vi8 i8_set(int8_t k) { return _mm512_set1_epi8(k); }
NL_INLINE vi8 i8_load(const int8_t *p) { return _mm512_loadu_si512(p); }
NL_INLINE vi8 i8_load_n(const int8_t *p, size_t n, int8_t fill)
{
    return _mm512_mask_loadu_epi8(i8_set(fill), _bzhi_u64(~UINT64_C(0), (unsigned)n), p);
}
NL_INLINE vi8 i8_max(vi8 a, vi8 b) { return _mm512_max_epi8(a, b); }
NL_INLINE int8_t i8_first(vi8 v) { return (int8_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(v)); }
NL_INLINE vi8 i8_hmax(vi8 v)
{
    __m256i w = _mm256_max_epi8(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
    __m128i x = _mm_max_epi8(_mm256_castsi256_si128(w), _mm256_extracti128_si256(w, 1));
    /* the least of 16-bit lanes has an instruction of its own: bytes as 127 - b, pairs in one */
    x = _mm_xor_si128(x, _mm_set1_epi8(0x7f));
    x = _mm_minpos_epu16(_mm_min_epu8(x, _mm_srli_epi16(x, 8)));
    return _mm512_xor_si512(_mm512_broadcastb_epi8(x), i8_set(0x7f));
}
NL_INLINE vm8 i8_eq(vi8 a, vi8 b) { return _mm512_cmpeq_epi8_mask(a, b); }
NL_INLINE int m8_any(vm8 m) { return m != 0; }
NL_INLINE size_t m8_first(vm8 m) { return m ? (size_t)__builtin_ctzll(m) : LANES8; }
