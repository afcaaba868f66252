/* The vector vocabulary in NEON: little-endian AArch64, nothing beyond its baseline. */
#include <arm_neon.h>

#define F32_FUSED 1
#define LANES32 4
#define LANES16 8
#define LANES8 16

typedef float32x4_t vf32;
typedef uint32x4_t vi32;
typedef uint32x4_t vm32;    /* all ones or all zeros, lane by lane */
typedef uint8x16x2_t vlut8; /* the first bytes of all entries, their second bytes, ... */
typedef uint16x8_t vu16;
typedef uint16x8_t vm16;
typedef uint8x16x2_t vlut16; /* likewise */
typedef int8x16_t vi8;
typedef uint8x16_t vm8;

NL_INLINE vi32 f32_as_i32(vf32 a) { return vreinterpretq_u32_f32(a); }
NL_INLINE vf32 i32_as_f32(vi32 a) { return vreinterpretq_f32_u32(a); }
NL_INLINE vf32 i32_to_f32(vi32 a) { return vcvtq_f32_s32(vreinterpretq_s32_u32(a)); }

NL_INLINE vm32 m32_first_n(size_t n)
{
    static const uint32_t lane[4] = {0, 1, 2, 3};
    return vcltq_u32(vld1q_u32(lane), vdupq_n_u32((uint32_t)n));
}

NL_INLINE vi32 i32_set(uint32_t k) { return vdupq_n_u32(k); }
NL_INLINE vi32 i32_load(const void *p) { return vreinterpretq_u32_u8(vld1q_u8(p)); }
NL_INLINE vi32 i32_load_n(const void *p, size_t n, uint32_t fill)
{
    const uint32_t *q = p;
    vi32 v = i32_set(fill);
    if (n >= LANES32)
        return i32_load(p);
    if (n > 0)
        v = vld1q_lane_u32(q, v, 0);
    if (n > 1)
        v = vld1q_lane_u32(q + 1, v, 1);
    if (n > 2)
        v = vld1q_lane_u32(q + 2, v, 2);
    return v;
}

NL_INLINE vf32 f32_set(float k) { return vdupq_n_f32(k); }
NL_INLINE vf32 f32_load(const float *p) { return vld1q_f32(p); }
NL_INLINE vf32 f32_load_n(const float *p, size_t n, float fill)
{
    return i32_as_f32(i32_load_n(p, n, nl_bits(fill)));
}
NL_INLINE void f32_store(float *p, vf32 v) { vst1q_f32(p, v); }
NL_INLINE void f32_store_n(float *p, vf32 v, size_t n)
{
    if (n >= LANES32) {
        f32_store(p, v);
        return;
    }
    if (n > 0)
        vst1q_lane_f32(p, v, 0);
    if (n > 1)
        vst1q_lane_f32(p + 1, v, 1);
    if (n > 2)
        vst1q_lane_f32(p + 2, v, 2);
}
/* a core that sees whole lines being written stops reading them first, without being told */
NL_INLINE void f32_stream(float *p, vf32 v) { f32_store(p, v); }
NL_INLINE void stream_fence(void) {}

NL_INLINE vm32 f32_lt(vf32 a, vf32 b) { return vcltq_f32(a, b); }
NL_INLINE vm32 f32_le(vf32 a, vf32 b) { return vcleq_f32(a, b); }
NL_INLINE vm32 f32_eq(vf32 a, vf32 b) { return vceqq_f32(a, b); }
NL_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return vbslq_f32(m, a, b); }
NL_INLINE vf32 f32_zero_where(vm32 m, vf32 a) { return i32_as_f32(vbicq_u32(f32_as_i32(a), m)); }

NL_INLINE vf32 f32_add(vf32 a, vf32 b) { return vaddq_f32(a, b); }
NL_INLINE vf32 f32_sub(vf32 a, vf32 b) { return vsubq_f32(a, b); }
NL_INLINE vf32 f32_mul(vf32 a, vf32 b) { return vmulq_f32(a, b); }
NL_INLINE vf32 f32_div(vf32 a, vf32 b) { return vdivq_f32(a, b); }
NL_INLINE vf32 f32_neg(vf32 a) { return vnegq_f32(a); }
NL_INLINE vf32 f32_muladd(vf32 a, vf32 b, vf32 c) { return vfmaq_f32(c, a, b); }
/* a NaN comes through FMIN and FMAX; FMAXNM drops only a quiet one */
NL_INLINE vf32 f32_min(vf32 a, vf32 b) { return vminq_f32(a, b); }
NL_INLINE vf32 f32_max(vf32 a, vf32 b) { return vmaxq_f32(a, b); }
NL_INLINE vf32 f32_at_most(vf32 a, float k) { return f32_min(a, f32_set(k)); }
NL_INLINE vf32 f32_at_least(vf32 a, float k) { return f32_max(a, f32_set(k)); }
NL_INLINE vf32 f32_max_or(vf32 a, float k)
{
    return f32_select(f32_lt(f32_set(k), a), a, f32_set(k));
}
/* by the maximum, which a kernel that asks has at hand or is about to make */
NL_INLINE vm32 f32_unordered(vf32 a, vf32 b)
{
    const vf32 max = f32_max(a, b);
    return vmvnq_u32(f32_eq(max, max));
}

NL_INLINE vi32 i32_add(vi32 a, vi32 b) { return vaddq_u32(a, b); }
NL_INLINE vi32 i32_sub(vi32 a, vi32 b) { return vsubq_u32(a, b); }
NL_INLINE vi32 i32_and(vi32 a, vi32 b) { return vandq_u32(a, b); }
NL_INLINE vi32 i32_or(vi32 a, vi32 b) { return vorrq_u32(a, b); }
#define i32_shl(a, s) vshlq_n_u32(a, s)
#define i32_shr(a, s) vshrq_n_u32(a, s)
NL_INLINE vi32 u32_min(vi32 a, vi32 b) { return vminq_u32(a, b); }
NL_INLINE vm32 u32_le(vi32 a, vi32 b) { return vcleq_u32(a, b); }
NL_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return vbslq_u32(m, a, b); }

/* Byte k of entry i stands at 8 k + i: in each byte of a lane the low three bits of the lane, and
 * 0, 8, 16, 24. By plain loads, which compilers take out of a loop, as they do not LD4. */
NL_INLINE vlut8 lut8_set(const void *p)
{
    const uint8_t *q = p;
    const uint8x16_t a = vld1q_u8(q), b = vld1q_u8(q + 16);
    const uint8x16_t even = vuzp1q_u8(a, b), odd = vuzp2q_u8(a, b);
    return (vlut8){{vuzp1q_u8(even, odd), vuzp2q_u8(even, odd)}};
}
NL_INLINE vi32 i32_lut8(vlut8 k, vi32 i)
{
    static const uint8_t lowest[16] = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
    const uint8x16_t at = vreinterpretq_u8_u32(i32_set(0x18100800u));
    const uint8x16_t byte = vqtbl1q_u8(vreinterpretq_u8_u32(i), vld1q_u8(lowest));
    return vreinterpretq_u32_u8(vqtbl2q_u8(k, vbslq_u8(vdupq_n_u8(7), byte, at)));
}
NL_INLINE vf32 f32_lut8(vlut8 k, vi32 i) { return i32_as_f32(i32_lut8(k, i)); }

NL_INLINE vf32 f32_hmax(vf32 v) { return f32_set(vmaxvq_f32(v)); }
NL_INLINE vi32 u32_hmin(vi32 v) { return i32_set(vminvq_u32(v)); }
NL_INLINE double f32_fold32(vf32 a0, vf32 a1, vf32 a2, vf32 a3, vf32 a4, vf32 a5, vf32 a6, vf32 a7)
{
#define LOW(v) vcvt_f64_f32(vget_low_f32(v))
#define HIGH(v) vcvt_high_f64_f32(v)
#define SUM4(half, a, b, c, d) vaddq_f64(vaddq_f64(half(a), half(b)), vaddq_f64(half(c), half(d)))
#define SUM8(half) vaddq_f64(SUM4(half, a0, a4, a2, a6), SUM4(half, a1, a5, a3, a7))
    return vpaddd_f64(vaddq_f64(SUM8(LOW), SUM8(HIGH)));
#undef LOW
#undef HIGH
#undef SUM4
#undef SUM8
}
NL_INLINE float f32_first(vf32 v) { return vgetq_lane_f32(v, 0); }
NL_INLINE uint32_t i32_first(vi32 v) { return vgetq_lane_u32(v, 0); }

NL_INLINE vm32 m32_or(vm32 a, vm32 b) { return vorrq_u32(a, b); }
NL_INLINE vm32 m32_and(vm32 a, vm32 b) { return vandq_u32(a, b); }
NL_INLINE uint64_t m32_bits_(vm32 m) /* 16 a lane */
{
    return vget_lane_u64(vreinterpret_u64_u16(vmovn_u32(m)), 0);
}
NL_INLINE int m32_any(vm32 m) { return m32_bits_(m) != 0; }
NL_INLINE size_t m32_first(vm32 m)
{
    const uint64_t bits = m32_bits_(m);
    return bits ? (size_t)__builtin_ctzll(bits) / 16 : LANES32;
}

/* ---- 16-bit lanes and bytes ---- */

NL_INLINE uint8x16_t load_bytes_(const void *p, size_t bytes, uint8x16_t fill)
{
    static const uint8_t lane[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const size_t low = bytes < 8 ? bytes : 8;
    const uint64x2_t v =
        vcombine_u64(vcreate_u64(nl_load_bytes(p, low)),
                     vcreate_u64(nl_load_bytes((const char *)p + low, bytes - low)));
    const uint8x16_t here = vcltq_u8(vld1q_u8(lane), vdupq_n_u8((uint8_t)bytes));
    return vbslq_u8(here, vreinterpretq_u8_u64(v), fill);
}

NL_INLINE vu16 u16_set(uint16_t k) { return vdupq_n_u16(k); }
NL_INLINE vu16 u16_load(const void *p) { return vreinterpretq_u16_u8(vld1q_u8(p)); }
NL_INLINE vu16 u16_load_n(const void *p, size_t n, uint16_t fill)
{
    return vreinterpretq_u16_u8(load_bytes_(p, 2 * n, vreinterpretq_u8_u16(u16_set(fill))));
}
NL_INLINE void u16_store(void *p, vu16 v) { vst1q_u8(p, vreinterpretq_u8_u16(v)); }
NL_INLINE void u16_store_n(void *p, vu16 v, size_t n)
{
    const size_t low = n < 4 ? n : 4;
    const uint64x2_t halves = vreinterpretq_u64_u16(v);
    nl_store_bytes(p, vgetq_lane_u64(halves, 0), 2 * low);
    nl_store_bytes((char *)p + 2 * low, vgetq_lane_u64(halves, 1), 2 * (n - low));
}
NL_INLINE void u16_stream(void *p, vu16 v) { u16_store(p, v); }

NL_INLINE vu16 u16_and(vu16 a, vu16 b) { return vandq_u16(a, b); }
NL_INLINE vu16 u16_or(vu16 a, vu16 b) { return vorrq_u16(a, b); }
NL_INLINE vu16 u16_sub(vu16 a, vu16 b) { return vsubq_u16(a, b); }
NL_INLINE vu16 u16_subs(vu16 a, vu16 b) { return vqsubq_u16(a, b); }
NL_INLINE vu16 u16_min(vu16 a, vu16 b) { return vminq_u16(a, b); }
NL_INLINE vu16 u16_max(vu16 a, vu16 b) { return vmaxq_u16(a, b); }
#define u16_shr(a, s) vshrq_n_u16(a, s)
NL_INLINE vm16 u16_le(vu16 a, vu16 b) { return vcleq_u16(a, b); }
NL_INLINE vu16 u16_select(vm16 m, vu16 a, vu16 b) { return vbslq_u16(m, a, b); }

NL_INLINE vlut16 lut16_set(const void *p) { return vld2q_u8(p); }
/* byte k of entry i stands at 16 k + i */
NL_INLINE vu16 u16_lut16(vlut16 k, vu16 i)
{
    const uint8x16_t byte = vreinterpretq_u8_u16(i);
    const vu16 twice = vreinterpretq_u16_u8(vtrn1q_u8(byte, byte));
    return vreinterpretq_u16_u8(
        vqtbl2q_u8(k, vreinterpretq_u8_u16(u16_or(twice, u16_set(0x1000)))));
}

/* ---- 16-bit numbers in 32-bit lanes ---- */

NL_INLINE uint16x4_t half_load_(const void *p) { return vreinterpret_u16_u8(vld1_u8(p)); }
NL_INLINE uint16x4_t half_load_n_(const void *p, size_t n, uint16_t fill)
{
    const uint16x4_t v = vreinterpret_u16_u64(vcreate_u64(nl_load_bytes(p, 2 * n)));
    return vbsl_u16(vmovn_u32(m32_first_n(n)), v, vdup_n_u16(fill));
}
NL_INLINE void half_store_(void *p, uint16x4_t v) { vst1_u8(p, vreinterpret_u8_u16(v)); }
NL_INLINE void half_store_n_(void *p, uint16x4_t v, size_t n)
{
    nl_store_bytes(p, vget_lane_u64(vreinterpret_u64_u16(v), 0), 2 * n);
}
NL_INLINE vi32 i32_load_u16(const void *p) { return vmovl_u16(half_load_(p)); }
NL_INLINE vi32 i32_load_u16_n(const void *p, size_t n, uint16_t fill)
{
    return vmovl_u16(half_load_n_(p, n, fill));
}
NL_INLINE void i32_store_u16(void *p, vi32 v) { half_store_(p, vmovn_u32(v)); }
NL_INLINE void i32_store_u16_n(void *p, vi32 v, size_t n) { half_store_n_(p, vmovn_u32(v), n); }
NL_INLINE void i32_stream_u16(void *p, vi32 v) { i32_store_u16(p, v); }

#define f16_load f16_load
#define f16_widen_ f16_widen_
#define f16_narrow_ f16_narrow_
NL_INLINE vf32 f16_widen_(uint16x4_t v) { return vcvt_f32_f16(vreinterpret_f16_u16(v)); }
NL_INLINE uint16x4_t f16_narrow_(vf32 v) { return vreinterpret_u16_f16(vcvt_f16_f32(v)); }
NL_INLINE vf32 f16_load(const void *p) { return f16_widen_(half_load_(p)); }
NL_INLINE vf32 f16_load_n(const void *p, size_t n, uint16_t fill)
{
    return f16_widen_(half_load_n_(p, n, fill));
}
NL_INLINE void f16_store(void *p, vf32 v) { half_store_(p, f16_narrow_(v)); }
NL_INLINE void f16_store_n(void *p, vf32 v, size_t n) { half_store_n_(p, f16_narrow_(v), n); }
NL_INLINE void f16_stream(void *p, vf32 v) { f16_store(p, v); }

#ifndef f16_muladd
#define f16_muladd f16_muladd
NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
#define LOW(v) vcvt_f32_f16(vget_low_f16(vreinterpretq_f16_u16(v)))
#define HIGH(v) vcvt_high_f32_f16(vreinterpretq_f16_u16(v))
#define MULADD(half) vfmaq_f32(half(c), half(a), half(b))
    return vreinterpretq_u16_f16(vcvt_high_f16_f32(vcvt_f16_f32(MULADD(LOW)), MULADD(HIGH)));
#undef LOW
#undef HIGH
#undef MULADD
}
#endif

NL_INLINE vi8 i8_set(int8_t k) { return vdupq_n_s8(k); }
NL_INLINE vi8 i8_load(const int8_t *p) { return vld1q_s8(p); }
NL_INLINE vi8 i8_load_n(const int8_t *p, size_t n, int8_t fill)
{
    return vreinterpretq_s8_u8(load_bytes_(p, n, vdupq_n_u8((uint8_t)fill)));
}
NL_INLINE vi8 i8_max(vi8 a, vi8 b) { return vmaxq_s8(a, b); }
NL_INLINE vi8 i8_hmax(vi8 v) { return i8_set(vmaxvq_s8(v)); }
NL_INLINE int8_t i8_first(vi8 v) { return vgetq_lane_s8(v, 0); }
NL_INLINE vm8 i8_eq(vi8 a, vi8 b) { return vceqq_s8(a, b); }
NL_INLINE uint64_t m8_bits_(vm8 m) /* 4 a lane */
{
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(m), 4)), 0);
}
NL_INLINE int m8_any(vm8 m) { return m8_bits_(m) != 0; }
NL_INLINE size_t m8_first(vm8 m)
{
    const uint64_t bits = m8_bits_(m);
    return bits ? (size_t)__builtin_ctzll(bits) / 4 : LANES8;
}
