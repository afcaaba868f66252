/* The vector vocabulary in SSE4.1 (and SSSE3's byte shuffle). */
#include <smmintrin.h>

#define F32_FUSED 0
#define LANES32 4
#define LANES16 8
#define LANES8 16

typedef __m128 vf32;
typedef __m128i vi32;
typedef __m128i vm32; /* masks: all ones or all zeros, lane by lane */
typedef __m128i vu16;
typedef __m128i vm16;
typedef __m128i vi8;
typedef __m128i vm8;
typedef struct {
    __m128i low, high;
} vlut8, vlut16;

/* ---- Parts of vectors ---- */

NL_INLINE __m128i first_bytes_(size_t n)
{
    static const int8_t window[32] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                      -1, -1, -1, -1, -1, -1, -1, -1};
    return _mm_loadu_si128((const __m128i *)(window + 16 - n));
}
NL_INLINE __m128i load_bytes_(const void *p, size_t n, __m128i fill)
{
    const size_t low = n < 8 ? n : 8;
    __m128i v = _mm_cvtsi64_si128((long long)nl_load_bytes(p, low));
    if (n > 8)
        v = _mm_insert_epi64(v, (long long)nl_load_bytes((const char *)p + 8, n - 8), 1);
    return _mm_blendv_epi8(fill, v, first_bytes_(n));
}
NL_INLINE void store_bytes_(void *p, __m128i v, size_t n)
{
    nl_store_bytes(p, (uint64_t)_mm_cvtsi128_si64(v), n < 8 ? n : 8);
    if (n > 8)
        nl_store_bytes((char *)p + 8, (uint64_t)_mm_extract_epi64(v, 1), n - 8);
}

/* ---- 32-bit lanes ---- */

NL_INLINE vi32 f32_as_i32(vf32 a) { return _mm_castps_si128(a); }
NL_INLINE vf32 i32_as_f32(vi32 a) { return _mm_castsi128_ps(a); }
NL_INLINE vf32 i32_to_f32(vi32 a) { return _mm_cvtepi32_ps(a); }

NL_INLINE vm32 m32_first_n(size_t n) { return first_bytes_(4 * n); }

NL_INLINE vf32 f32_set(float k) { return _mm_set1_ps(k); }
NL_INLINE vf32 f32_load(const float *p) { return _mm_loadu_ps(p); }
NL_INLINE vf32 f32_load_n(const float *p, size_t n, float fill)
{
    return i32_as_f32(load_bytes_(p, 4 * n, f32_as_i32(f32_set(fill))));
}
NL_INLINE void f32_store(float *p, vf32 v) { _mm_storeu_ps(p, v); }
NL_INLINE void f32_store_n(float *p, vf32 v, size_t n) { store_bytes_(p, f32_as_i32(v), 4 * n); }
NL_INLINE void f32_stream(float *p, vf32 v) { _mm_stream_ps(p, v); }
NL_INLINE void stream_fence(void) { _mm_sfence(); }

NL_INLINE vf32 f32_add(vf32 a, vf32 b) { return _mm_add_ps(a, b); }
NL_INLINE vf32 f32_sub(vf32 a, vf32 b) { return _mm_sub_ps(a, b); }
NL_INLINE vf32 f32_mul(vf32 a, vf32 b) { return _mm_mul_ps(a, b); }
NL_INLINE vf32 f32_div(vf32 a, vf32 b) { return _mm_div_ps(a, b); }
NL_INLINE vf32 f32_neg(vf32 a) { return -a; }
NL_INLINE vf32 f32_min(vf32 a, vf32 b) { return _mm_min_ps(a, b); }
NL_INLINE vf32 f32_max(vf32 a, vf32 b) { return _mm_max_ps(a, b); }
NL_INLINE vf32 f32_at_most(vf32 a, float k) { return _mm_min_ps(f32_set(k), a); }
NL_INLINE vf32 f32_at_least(vf32 a, float k) { return _mm_max_ps(f32_set(k), a); }
NL_INLINE vf32 f32_max_or(vf32 a, float k) { return _mm_max_ps(a, f32_set(k)); }
NL_INLINE vf32 f32_muladd(vf32 a, vf32 b, vf32 c) { return f32_add(f32_mul(a, b), c); }

NL_INLINE vi32 i32_set(uint32_t k) { return _mm_set1_epi32((int)k); }
NL_INLINE vi32 i32_load(const void *p) { return _mm_loadu_si128(p); }
NL_INLINE vi32 i32_load_n(const void *p, size_t n, uint32_t fill)
{
    return load_bytes_(p, 4 * n, i32_set(fill));
}
NL_INLINE vi32 i32_add(vi32 a, vi32 b) { return _mm_add_epi32(a, b); }
NL_INLINE vi32 i32_sub(vi32 a, vi32 b) { return _mm_sub_epi32(a, b); }
NL_INLINE vi32 i32_and(vi32 a, vi32 b) { return _mm_and_si128(a, b); }
NL_INLINE vi32 i32_or(vi32 a, vi32 b) { return _mm_or_si128(a, b); }
#define i32_shl(a, s) _mm_slli_epi32(a, s)
#define i32_shr(a, s) _mm_srli_epi32(a, s)
NL_INLINE vi32 u32_min(vi32 a, vi32 b) { return _mm_min_epu32(a, b); }
NL_INLINE uint32_t i32_first(vi32 v) { return (uint32_t)_mm_cvtsi128_si32(v); }

/* Tables lie in two registers. The shuffle gives 0 where bit 7 of a place is set, and .7x + 0x70
 * sets it for the places of the second register, whose own then follow by flipping it. */
NL_INLINE vi32 lut_(__m128i low, __m128i high, __m128i place)
{
    __m128i in_high = _mm_xor_si128(place, _mm_set1_epi8((char)0x80));
    return _mm_or_si128(_mm_shuffle_epi8(low, place), _mm_shuffle_epi8(high, in_high));
}
NL_INLINE vlut8 lut8_set(const void *k)
{
    const __m128i *t = k;
    return (vlut8){_mm_loadu_si128(t), _mm_loadu_si128(t + 1)};
}
NL_INLINE vi32 i32_lut8(vlut8 k, vi32 i)
{
    __m128i first = _mm_slli_epi32(i32_and(i, i32_set(7)), 2);
    __m128i place =
        _mm_shuffle_epi8(first, _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
    return lut_(k.low, k.high, _mm_add_epi8(place, i32_set(0x73727170)));
}
NL_INLINE vf32 f32_lut8(vlut8 k, vi32 i) { return i32_as_f32(i32_lut8(k, i)); }

NL_INLINE vm32 f32_lt(vf32 a, vf32 b) { return f32_as_i32(_mm_cmplt_ps(a, b)); }
NL_INLINE vm32 f32_le(vf32 a, vf32 b) { return f32_as_i32(_mm_cmple_ps(a, b)); }
NL_INLINE vm32 f32_eq(vf32 a, vf32 b) { return f32_as_i32(_mm_cmpeq_ps(a, b)); }
NL_INLINE vm32 f32_unordered(vf32 a, vf32 b) { return f32_as_i32(_mm_cmpunord_ps(a, b)); }
NL_INLINE vm32 u32_le(vi32 a, vi32 b) { return _mm_cmpeq_epi32(u32_min(a, b), a); }
NL_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return _mm_blendv_epi8(b, a, m); }
NL_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return _mm_blendv_ps(b, a, i32_as_f32(m)); }
NL_INLINE vf32 f32_zero_where(vm32 m, vf32 a) { return _mm_andnot_ps(i32_as_f32(m), a); }

NL_INLINE vm32 m32_or(vm32 a, vm32 b) { return i32_or(a, b); }
NL_INLINE vm32 m32_and(vm32 a, vm32 b) { return i32_and(a, b); }
NL_INLINE unsigned m32_bits_(vm32 m) { return (unsigned)_mm_movemask_ps(i32_as_f32(m)); }
NL_INLINE int m32_any(vm32 m) { return m32_bits_(m) != 0; }
NL_INLINE size_t m32_first(vm32 m)
{
    unsigned bits = m32_bits_(m);
    return bits ? (size_t)__builtin_ctz(bits) : LANES32;
}

/* butterflies: every lane gets the result */
NL_INLINE vf32 f32_hmax(vf32 v)
{
    v = f32_max(v, _mm_shuffle_ps(v, v, 0x4e));
    return f32_max(v, _mm_shuffle_ps(v, v, 0xb1));
}
NL_INLINE vi32 u32_hmin(vi32 v)
{
    v = u32_min(v, _mm_shuffle_epi32(v, 0x4e));
    return u32_min(v, _mm_shuffle_epi32(v, 0xb1));
}
NL_INLINE double f32_fold32(vf32 a0, vf32 a1, vf32 a2, vf32 a3, vf32 a4, vf32 a5, vf32 a6, vf32 a7)
{
#define LOW(v) _mm_cvtps_pd(v)
#define HIGH(v) _mm_cvtps_pd(_mm_movehl_ps(v, v))
#define SUM2(half, v, w) _mm_add_pd(half(v), half(w))
#define SUM8(half)                                                 \
    _mm_add_pd(_mm_add_pd(SUM2(half, a0, a4), SUM2(half, a2, a6)), \
               _mm_add_pd(SUM2(half, a1, a5), SUM2(half, a3, a7)))
    __m128d d = _mm_add_pd(SUM8(LOW), SUM8(HIGH));
#undef LOW
#undef HIGH
#undef SUM2
#undef SUM8
    return _mm_cvtsd_f64(_mm_add_sd(d, _mm_unpackhi_pd(d, d)));
}
NL_INLINE float f32_first(vf32 v) { return _mm_cvtss_f32(v); }

/* ---- 16-bit numbers in 32-bit lanes ---- */

NL_INLINE vi32 i32_load_u16(const void *p) { return _mm_cvtepu16_epi32(_mm_loadl_epi64(p)); }
NL_INLINE vi32 i32_load_u16_n(const void *p, size_t n, uint16_t fill)
{
    return _mm_cvtepu16_epi32(load_bytes_(p, 2 * n, _mm_set1_epi16((short)fill)));
}
NL_INLINE void i32_store_u16(void *p, vi32 v) { _mm_storel_epi64(p, _mm_packus_epi32(v, v)); }
NL_INLINE void i32_store_u16_n(void *p, vi32 v, size_t n)
{
    store_bytes_(p, _mm_packus_epi32(v, v), 2 * n);
}
/* there is nothing for half a vector */
NL_INLINE void i32_stream_u16(void *p, vi32 v) { i32_store_u16(p, v); }

/* ---- 16-bit lanes ---- */

NL_INLINE vu16 u16_set(uint16_t k) { return _mm_set1_epi16((short)k); }
NL_INLINE vu16 u16_load(const void *p) { return _mm_loadu_si128(p); }
NL_INLINE vu16 u16_load_n(const void *p, size_t n, uint16_t fill)
{
    return load_bytes_(p, 2 * n, u16_set(fill));
}
NL_INLINE void u16_store(void *p, vu16 v) { _mm_storeu_si128(p, v); }
NL_INLINE void u16_store_n(void *p, vu16 v, size_t n) { store_bytes_(p, v, 2 * n); }
NL_INLINE void u16_stream(void *p, vu16 v) { _mm_stream_si128(p, v); }

NL_INLINE vu16 u16_and(vu16 a, vu16 b) { return _mm_and_si128(a, b); }
NL_INLINE vu16 u16_or(vu16 a, vu16 b) { return _mm_or_si128(a, b); }
NL_INLINE vu16 u16_sub(vu16 a, vu16 b) { return _mm_sub_epi16(a, b); }
NL_INLINE vu16 u16_subs(vu16 a, vu16 b) { return _mm_subs_epu16(a, b); }
NL_INLINE vu16 u16_min(vu16 a, vu16 b) { return _mm_min_epu16(a, b); }
NL_INLINE vu16 u16_max(vu16 a, vu16 b) { return _mm_max_epu16(a, b); }
#define u16_shr(a, s) _mm_srli_epi16(a, s)
NL_INLINE vm16 u16_le(vu16 a, vu16 b) { return _mm_cmpeq_epi16(u16_min(a, b), a); }
NL_INLINE vu16 u16_select(vm16 m, vu16 a, vu16 b) { return _mm_blendv_epi8(b, a, m); }

NL_INLINE vlut16 lut16_set(const void *k) { return lut8_set(k); }
NL_INLINE vu16 u16_lut16(vlut16 k, vu16 i)
{
    __m128i place = _mm_add_epi16(_mm_mullo_epi16(i, u16_set(0x0202)), u16_set(0x7170));
    return lut_(k.low, k.high, place);
}

/* for f16_muladd in words.h */
NL_INLINE vi32 u16_low_(vu16 v) { return _mm_cvtepu16_epi32(v); }
NL_INLINE vi32 u16_high_(vu16 v) { return _mm_unpackhi_epi16(v, _mm_setzero_si128()); }
NL_INLINE vu16 u16_join_(vi32 low, vi32 high) { return _mm_packus_epi32(low, high); }

/* ---- bytes ---- */

NL_INLINE vi8 i8_set(int8_t k) { return _mm_set1_epi8(k); }
NL_INLINE vi8 i8_load(const int8_t *p) { return u16_load(p); }
NL_INLINE vi8 i8_load_n(const int8_t *p, size_t n, int8_t fill)
{
    return load_bytes_(p, n, i8_set(fill));
}
NL_INLINE vi8 i8_max(vi8 a, vi8 b) { return _mm_max_epi8(a, b); }
NL_INLINE int8_t i8_first(vi8 v) { return (int8_t)i32_first(v); }
NL_INLINE vi8 i8_hmax(vi8 v)
{
    /* the least of 16-bit lanes has an instruction of its own: bytes as 127 - b, pairs in one */
    v = _mm_xor_si128(v, i8_set(0x7f));
    v = _mm_minpos_epu16(_mm_min_epu8(v, _mm_srli_epi16(v, 8)));
    return _mm_xor_si128(_mm_shuffle_epi8(v, _mm_setzero_si128()), i8_set(0x7f));
}
NL_INLINE vm8 i8_eq(vi8 a, vi8 b) { return _mm_cmpeq_epi8(a, b); }
NL_INLINE unsigned m8_bits_(vm8 m) { return (unsigned)_mm_movemask_epi8(m); }
NL_INLINE int m8_any(vm8 m) { return m8_bits_(m) != 0; }
NL_INLINE size_t m8_first(vm8 m)
{
    unsigned bits = m8_bits_(m);
    return bits ? (size_t)__builtin_ctz(bits) : LANES8;
}
