/* The vector vocabulary in AVX2, FMA, F16C. */
#include <immintrin.h>

#define F32_FUSED 1
#define LANES32 8
#define LANES16 16
#define LANES8 32

typedef __m256 vf32;
typedef __m256i vi32;
typedef __m256i vm32; /* all ones or all zeros, lane by lane */
typedef __m256i vlut8;
typedef __m256i vu16;
typedef __m256i vm16;
typedef struct {
    __m256i low, high; /* eight entries each, in both halves */
} vlut16;
typedef __m256i vi8;
typedef __m256i vm8;

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
NL_INLINE vf32 f32_neg(vf32 a) { return -a; }
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

/* ---- 16-bit lanes and bytes ---- */

/* Masked memory has 32-bit lanes: what is left of the last one goes by itself. */
NL_INLINE __m256i load_bytes_(const void *p, size_t bytes, __m256i fill)
{
    static const int8_t window[64] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    const size_t whole = bytes / 4, rest = bytes % 4;
    const int last = (int)nl_load_bytes((const char *)p + 4 * whole, rest);
    __m256i v = _mm256_maskload_epi32(p, m32_first_n(whole));
    __m256i here = _mm256_cmpeq_epi32(_mm256_set1_epi32((int)whole),
                                      _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    v = _mm256_or_si256(v, _mm256_and_si256(_mm256_set1_epi32(last), here));
    return _mm256_blendv_epi8(fill, v, _mm256_loadu_si256((const __m256i *)(window + 32 - bytes)));
}

NL_INLINE vu16 u16_set(uint16_t k) { return _mm256_set1_epi16((short)k); }
NL_INLINE vu16 u16_load(const void *p) { return _mm256_loadu_si256(p); }
NL_INLINE vu16 u16_load_n(const void *p, size_t n, uint16_t fill)
{
    return load_bytes_(p, 2 * n, u16_set(fill));
}
NL_INLINE void u16_store(void *p, vu16 v) { _mm256_storeu_si256(p, v); }
NL_INLINE void u16_store_n(void *p, vu16 v, size_t n)
{
    _mm256_maskstore_epi32(p, m32_first_n(n / 2), v);
    if (n % 2) {
        __m256i last = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32((int)(n / 2)));
        nl_store_bytes((char *)p + 2 * (n - 1), i32_first(last), 2);
    }
}
NL_INLINE void u16_stream(void *p, vu16 v) { _mm256_stream_si256(p, v); }

NL_INLINE vu16 u16_and(vu16 a, vu16 b) { return _mm256_and_si256(a, b); }
NL_INLINE vu16 u16_or(vu16 a, vu16 b) { return _mm256_or_si256(a, b); }
NL_INLINE vu16 u16_sub(vu16 a, vu16 b) { return _mm256_sub_epi16(a, b); }
NL_INLINE vu16 u16_subs(vu16 a, vu16 b) { return _mm256_subs_epu16(a, b); }
NL_INLINE vu16 u16_min(vu16 a, vu16 b) { return _mm256_min_epu16(a, b); }
NL_INLINE vu16 u16_max(vu16 a, vu16 b) { return _mm256_max_epu16(a, b); }
#define u16_shr(a, s) _mm256_srli_epi16(a, s)
NL_INLINE vm16 u16_le(vu16 a, vu16 b) { return _mm256_cmpeq_epi16(u16_min(a, b), a); }
NL_INLINE vu16 u16_select(vm16 m, vu16 a, vu16 b) { return _mm256_blendv_epi8(b, a, m); }

NL_INLINE vlut16 lut16_set(const void *k)
{
    const __m128i *t = k;
    return (vlut16){_mm256_broadcastsi128_si256(_mm_loadu_si128(t)),
                    _mm256_broadcastsi128_si256(_mm_loadu_si128(t + 1))};
}
/* the places of an entry's two bytes, with .. for the low half of the table bit 7, which means
 * nothing, where they are in the high half, and the other way round */
NL_INLINE vu16 u16_lut16(vlut16 k, vu16 i)
{
    __m256i low = _mm256_add_epi16(_mm256_mullo_epi16(i, u16_set(0x0202)), u16_set(0x7170));
    __m256i high = _mm256_xor_si256(low, u16_set(0x8080));
    return u16_or(_mm256_shuffle_epi8(k.low, low), _mm256_shuffle_epi8(k.high, high));
}

/* ---- 16-bit numbers in 32-bit lanes ---- */

NL_INLINE __m128i half_load_n_(const void *p, size_t n, uint16_t fill)
{
    return _mm256_castsi256_si128(load_bytes_(p, 2 * n, u16_set(fill)));
}
NL_INLINE void half_store_n_(void *p, __m128i v, size_t n)
{
    u16_store_n(p, _mm256_castsi128_si256(v), n);
}
NL_INLINE vi32 i32_load_u16(const void *p) { return _mm256_cvtepu16_epi32(_mm_loadu_si128(p)); }
NL_INLINE vi32 i32_load_u16_n(const void *p, size_t n, uint16_t fill)
{
    return _mm256_cvtepu16_epi32(half_load_n_(p, n, fill));
}
NL_INLINE __m128i pack_(vi32 v)
{
    return _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}
NL_INLINE void i32_store_u16(void *p, vi32 v) { _mm_storeu_si128(p, pack_(v)); }
NL_INLINE void i32_store_u16_n(void *p, vi32 v, size_t n) { half_store_n_(p, pack_(v), n); }
NL_INLINE void i32_stream_u16(void *p, vi32 v) { _mm_stream_si128(p, pack_(v)); }

#define f16_load f16_load
#define f16_widen_
#define f16_narrow_ f16_narrow_
NL_INLINE __m128i f16_narrow_(vf32 v) { return _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT); }
NL_INLINE vf32 f16_load(const void *p) { return _mm256_cvtph_ps(_mm_loadu_si128(p)); }
NL_INLINE vf32 f16_load_n(const void *p, size_t n, uint16_t fill)
{
    return _mm256_cvtph_ps(half_load_n_(p, n, fill));
}
NL_INLINE void f16_store(void *p, vf32 v) { _mm_storeu_si128(p, f16_narrow_(v)); }
NL_INLINE void f16_store_n(void *p, vf32 v, size_t n) { half_store_n_(p, f16_narrow_(v), n); }
NL_INLINE void f16_stream(void *p, vf32 v) { _mm_stream_si128(p, f16_narrow_(v)); }

#define f16_muladd f16_muladd
NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
#define HALF(v, h) _mm256_cvtph_ps(_mm256_extracti128_si256(v, h))
#define MULADD(h) \
    _mm256_cvtps_ph(_mm256_fmadd_ps(HALF(a, h), HALF(b, h), HALF(c, h)), _MM_FROUND_TO_NEAREST_INT)
    return _mm256_inserti128_si256(_mm256_castsi128_si256(MULADD(0)), MULADD(1), 1);
#undef HALF
#undef MULADD
}

NL_INLINE vi8 i8_set(int8_t k) { return _mm256_set1_epi8(k); }
NL_INLINE vi8 i8_load(const int8_t *p) { return u16_load(p); }
NL_INLINE vi8 i8_load_n(const int8_t *p, size_t n, int8_t fill)
{
    return load_bytes_(p, n, i8_set(fill));
}
NL_INLINE vi8 i8_max(vi8 a, vi8 b) { return _mm256_max_epi8(a, b); }
NL_INLINE int8_t i8_first(vi8 v) { return (int8_t)i32_first(v); }
NL_INLINE vi8 i8_hmax(vi8 v)
{
    __m128i x = _mm_max_epi8(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    /* the least of 16-bit lanes has an instruction of its own: bytes as 127 - b, pairs in one */
    x = _mm_xor_si128(x, _mm_set1_epi8(0x7f));
    x = _mm_minpos_epu16(_mm_min_epu8(x, _mm_srli_epi16(x, 8)));
    return _mm256_xor_si256(_mm256_broadcastb_epi8(x), i8_set(0x7f));
}
NL_INLINE vm8 i8_eq(vi8 a, vi8 b) { return _mm256_cmpeq_epi8(a, b); }
NL_INLINE unsigned m8_bits_(vm8 m) { return (unsigned)_mm256_movemask_epi8(m); }
NL_INLINE int m8_any(vm8 m) { return m8_bits_(m) != 0; }
NL_INLINE size_t m8_first(vm8 m)
{
    unsigned bits = m8_bits_(m);
    return bits ? (size_t)__builtin_ctz(bits) : LANES8;
}
