/* The vector vocabulary in WebAssembly's 128-bit SIMD. */
#include <wasm_simd128.h>

#define F32_FUSED 0
#define LANES32 4
#define LANES16 8
#define LANES8 16

typedef v128_t vf32;
typedef v128_t vi32;
typedef v128_t vu16;
typedef v128_t vi8;
typedef v128_t vm32, vm16, vm8; /* all ones or all zeros, lane by lane */
typedef struct {
    v128_t low, high; /* 16 bytes each, low from its last byte to its first: see lookup_ */
} vtable_;
typedef vtable_ vlut8;
typedef vtable_ vlut16;

/* what relaxed/vec.h has under other names */
#ifndef select_
#define select_(m, a, b) wasm_v128_bitselect(a, b, m)
#define swizzle_ wasm_i8x16_swizzle
#define min_ wasm_f32x4_pmin /* one instruction on x86, which min is not */
#define max_ wasm_f32x4_pmax
#endif

NL_INLINE vm32 m32_first_n(size_t n)
{
    return wasm_u32x4_lt(wasm_u32x4_const(0, 1, 2, 3), wasm_u32x4_splat((uint32_t)n));
}

NL_INLINE vf32 f32_set(float k) { return wasm_f32x4_splat(k); }
NL_INLINE vf32 f32_load(const float *p) { return wasm_v128_load(p); }
NL_INLINE v128_t load32_n_(const void *p, size_t n, v128_t v)
{
    const char *b = p;
    if (n == 4)
        return wasm_v128_load(b);
    if (n < 2)
        return n ? wasm_v128_load32_lane(b, v, 0) : v;
    v = wasm_v128_load64_lane(b, v, 0);
    return n == 3 ? wasm_v128_load32_lane(b + 8, v, 2) : v;
}
NL_INLINE vf32 f32_load_n(const float *p, size_t n, float fill)
{
    return load32_n_(p, n, f32_set(fill));
}
NL_INLINE void f32_store(float *p, vf32 v) { wasm_v128_store(p, v); }
NL_INLINE void f32_store_n(float *p, vf32 v, size_t n)
{
    if (n == 4) {
        wasm_v128_store(p, v);
    } else if (n >= 2) {
        wasm_v128_store64_lane(p, v, 0);
        if (n == 3)
            wasm_v128_store32_lane(p + 2, v, 2);
    } else if (n) {
        wasm_v128_store32_lane(p, v, 0);
    }
}
NL_INLINE void f32_stream(float *p, vf32 v) { f32_store(p, v); }
NL_INLINE void stream_fence(void) {}

NL_INLINE vf32 f32_add(vf32 a, vf32 b) { return wasm_f32x4_add(a, b); }
NL_INLINE vf32 f32_sub(vf32 a, vf32 b) { return wasm_f32x4_sub(a, b); }
NL_INLINE vf32 f32_mul(vf32 a, vf32 b) { return wasm_f32x4_mul(a, b); }
NL_INLINE vf32 f32_div(vf32 a, vf32 b) { return wasm_f32x4_div(a, b); }
NL_INLINE vf32 f32_neg(vf32 a) { return wasm_f32x4_neg(a); }
NL_INLINE vf32 f32_min(vf32 a, vf32 b) { return min_(a, b); }
NL_INLINE vf32 f32_max(vf32 a, vf32 b) { return max_(a, b); }
/* pmin(a, b) is b < a ? b : a, and pmax likewise: a where either is NaN */
NL_INLINE vf32 f32_at_most(vf32 a, float k) { return wasm_f32x4_pmin(a, f32_set(k)); }
NL_INLINE vf32 f32_at_least(vf32 a, float k) { return wasm_f32x4_pmax(a, f32_set(k)); }
NL_INLINE vf32 f32_max_or(vf32 a, float k) { return wasm_f32x4_pmax(f32_set(k), a); }
NL_INLINE vf32 f32_muladd(vf32 a, vf32 b, vf32 c) { return f32_add(f32_mul(a, b), c); }

/* A table of 32 bytes, and `at` in every byte the place of its entry's first byte; `byte` is what a
 * byte of the entry adds to that. An index of 128 or more gives 0 in either kind of swizzle, one
 * from 16 on not in the relaxed kind: so the low half is stored in reverse, and what lies beyond it
 * is negative. */
NL_INLINE vtable_ table_(const void *p)
{
    v128_t low = wasm_v128_load(p);
    low = wasm_i8x16_shuffle(low, low, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return (vtable_){low, wasm_v128_load((const char *)p + 16)};
}
NL_INLINE v128_t lookup_(vtable_ k, v128_t at, v128_t byte)
{
    v128_t from_end = wasm_i8x16_sub(wasm_i8x16_const_splat(15), byte);
    v128_t from_middle = wasm_i8x16_sub(byte, wasm_i8x16_const_splat(16));
    return wasm_v128_or(swizzle_(k.low, wasm_i8x16_sub(from_end, at)),
                        swizzle_(k.high, wasm_i8x16_add(from_middle, at)));
}

NL_INLINE vlut8 lut8_set(const void *k) { return table_(k); }
NL_INLINE vi32 i32_lut8(vlut8 k, vi32 i)
{
    v128_t at = wasm_v128_and(wasm_i32x4_shl(i, 2), wasm_i32x4_const_splat(0x1c));
    at = wasm_i8x16_shuffle(at, at, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    return lookup_(k, at, wasm_i32x4_const_splat(0x03020100));
}
NL_INLINE vf32 f32_lut8(vlut8 k, vi32 i) { return i32_lut8(k, i); }

/* butterflies: every lane gets the result */
#define swap_halves_(v) wasm_i32x4_shuffle(v, v, 2, 3, 0, 1)
#define swap_pairs_(v) wasm_i32x4_shuffle(v, v, 1, 0, 3, 2)
NL_INLINE vf32 f32_hmax(vf32 v)
{
    v = f32_max(v, swap_halves_(v));
    return f32_max(v, swap_pairs_(v));
}
NL_INLINE double f32_fold32(vf32 a0, vf32 a1, vf32 a2, vf32 a3, vf32 a4, vf32 a5, vf32 a6, vf32 a7)
{
#define LOW(v) wasm_f64x2_promote_low_f32x4(v)
#define HIGH(v) wasm_f64x2_promote_low_f32x4(swap_halves_(v))
#define SUM2(half, a, b) wasm_f64x2_add(half(a), half(b))
#define SUM8(half)                                                         \
    wasm_f64x2_add(wasm_f64x2_add(SUM2(half, a0, a4), SUM2(half, a2, a6)), \
                   wasm_f64x2_add(SUM2(half, a1, a5), SUM2(half, a3, a7)))
    v128_t d = wasm_f64x2_add(SUM8(LOW), SUM8(HIGH));
#undef LOW
#undef HIGH
#undef SUM2
#undef SUM8
    return wasm_f64x2_extract_lane(d, 0) + wasm_f64x2_extract_lane(d, 1);
}
NL_INLINE float f32_first(vf32 v) { return wasm_f32x4_extract_lane(v, 0); }

NL_INLINE vi32 f32_as_i32(vf32 a) { return a; }
NL_INLINE vf32 i32_as_f32(vi32 a) { return a; }
NL_INLINE vf32 i32_to_f32(vi32 a) { return wasm_f32x4_convert_i32x4(a); }

NL_INLINE vm32 f32_lt(vf32 a, vf32 b) { return wasm_f32x4_lt(a, b); }
NL_INLINE vm32 f32_le(vf32 a, vf32 b) { return wasm_f32x4_le(a, b); }
NL_INLINE vm32 f32_eq(vf32 a, vf32 b) { return wasm_f32x4_eq(a, b); }
NL_INLINE vm32 f32_unordered(vf32 a, vf32 b)
{
    return wasm_v128_or(wasm_f32x4_ne(a, a), wasm_f32x4_ne(b, b));
}
NL_INLINE vf32 f32_select(vm32 m, vf32 a, vf32 b) { return select_(m, a, b); }
NL_INLINE vf32 f32_zero_where(vm32 m, vf32 a) { return wasm_v128_andnot(a, m); }

NL_INLINE vi32 i32_set(uint32_t k) { return wasm_u32x4_splat(k); }
NL_INLINE vi32 i32_load(const void *p) { return wasm_v128_load(p); }
NL_INLINE vi32 i32_load_n(const void *p, size_t n, uint32_t fill)
{
    return load32_n_(p, n, i32_set(fill));
}
NL_INLINE vi32 i32_add(vi32 a, vi32 b) { return wasm_i32x4_add(a, b); }
NL_INLINE vi32 i32_sub(vi32 a, vi32 b) { return wasm_i32x4_sub(a, b); }
NL_INLINE vi32 i32_and(vi32 a, vi32 b) { return wasm_v128_and(a, b); }
NL_INLINE vi32 i32_or(vi32 a, vi32 b) { return wasm_v128_or(a, b); }
#define i32_shl(a, s) wasm_i32x4_shl(a, s)
#define i32_shr(a, s) wasm_u32x4_shr(a, s)
NL_INLINE vi32 u32_min(vi32 a, vi32 b) { return wasm_u32x4_min(a, b); }
NL_INLINE vi32 u32_hmin(vi32 v)
{
    v = u32_min(v, swap_halves_(v));
    return u32_min(v, swap_pairs_(v));
}
NL_INLINE uint32_t i32_first(vi32 v) { return wasm_u32x4_extract_lane(v, 0); }
NL_INLINE vm32 u32_le(vi32 a, vi32 b) { return wasm_u32x4_le(a, b); }
NL_INLINE vi32 i32_select(vm32 m, vi32 a, vi32 b) { return select_(m, a, b); }

NL_INLINE vm32 m32_or(vm32 a, vm32 b) { return wasm_v128_or(a, b); }
NL_INLINE vm32 m32_and(vm32 a, vm32 b) { return wasm_v128_and(a, b); }
NL_INLINE int m32_any(vm32 m) { return wasm_v128_any_true(m); }
NL_INLINE size_t m32_first(vm32 m)
{
    return (size_t)__builtin_ctz(wasm_i32x4_bitmask(m) | 1u << LANES32);
}

/* ---- 16-bit numbers in 32-bit lanes ---- */

NL_INLINE vi32 i32_load_u16(const void *p) { return wasm_u32x4_load16x4(p); }
NL_INLINE vi32 i32_load_u16_n(const void *p, size_t n, uint16_t fill)
{
    const v128_t v = wasm_u64x2_splat(nl_load_bytes(p, 2 * n));
    return select_(m32_first_n(n), wasm_u32x4_extend_low_u16x8(v), wasm_u32x4_splat(fill));
}
NL_INLINE void i32_store_u16(void *p, vi32 v)
{
    wasm_v128_store64_lane(p, wasm_u16x8_narrow_i32x4(v, v), 0);
}
NL_INLINE void i32_store_u16_n(void *p, vi32 v, size_t n)
{
    nl_store_bytes(p, (uint64_t)wasm_i64x2_extract_lane(wasm_u16x8_narrow_i32x4(v, v), 0), 2 * n);
}
NL_INLINE void i32_stream_u16(void *p, vi32 v) { i32_store_u16(p, v); }

/* ---- 16-bit lanes ---- */

NL_INLINE v128_t load_bytes_(const void *p, size_t n, v128_t fill)
{
    if (n == 16)
        return wasm_v128_load(p);
    const uint64_t low = nl_load_bytes(p, n < 8 ? n : 8);
    const uint64_t high = n > 8 ? nl_load_bytes((const char *)p + 8, n - 8) : 0;
    v128_t here =
        wasm_u8x16_lt(wasm_u8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                      wasm_u8x16_splat((uint8_t)n));
    return select_(here, wasm_u64x2_make(low, high), fill);
}

NL_INLINE vu16 u16_set(uint16_t k) { return wasm_u16x8_splat(k); }
NL_INLINE vu16 u16_load(const void *p) { return wasm_v128_load(p); }
NL_INLINE vu16 u16_load_n(const void *p, size_t n, uint16_t fill)
{
    return load_bytes_(p, 2 * n, u16_set(fill));
}
NL_INLINE void u16_store(void *p, vu16 v) { wasm_v128_store(p, v); }
NL_INLINE void u16_store_n(void *p, vu16 v, size_t n)
{
    const uint64_t low = wasm_u64x2_extract_lane(v, 0), high = wasm_u64x2_extract_lane(v, 1);
    nl_store_bytes(p, low, n < 4 ? 2 * n : 8);
    if (n > 4)
        nl_store_bytes((char *)p + 8, high, 2 * n - 8);
}
NL_INLINE void u16_stream(void *p, vu16 v) { u16_store(p, v); }

NL_INLINE vu16 u16_and(vu16 a, vu16 b) { return wasm_v128_and(a, b); }
NL_INLINE vu16 u16_or(vu16 a, vu16 b) { return wasm_v128_or(a, b); }
NL_INLINE vu16 u16_sub(vu16 a, vu16 b) { return wasm_i16x8_sub(a, b); }
NL_INLINE vu16 u16_subs(vu16 a, vu16 b) { return wasm_u16x8_sub_sat(a, b); }
NL_INLINE vu16 u16_min(vu16 a, vu16 b) { return wasm_u16x8_min(a, b); }
NL_INLINE vu16 u16_max(vu16 a, vu16 b) { return wasm_u16x8_max(a, b); }
#define u16_shr(a, s) wasm_u16x8_shr(a, s)
NL_INLINE vm16 u16_le(vu16 a, vu16 b) { return wasm_u16x8_le(a, b); }
NL_INLINE vu16 u16_select(vm16 m, vu16 a, vu16 b) { return select_(m, a, b); }

NL_INLINE vlut16 lut16_set(const void *k) { return table_(k); }
NL_INLINE vu16 u16_lut16(vlut16 k, vu16 i)
{
    return lookup_(k, wasm_i16x8_mul(i, wasm_i16x8_const_splat(0x0202)),
                   wasm_i16x8_const_splat(0x0100));
}

/* for f16_muladd in words.h */
NL_INLINE vi32 u16_low_(vu16 v) { return wasm_u32x4_extend_low_u16x8(v); }
NL_INLINE vi32 u16_high_(vu16 v) { return wasm_u32x4_extend_high_u16x8(v); }
#define f16_widen_ f16_widen_
/* as there, but the sign goes to its place together with the rest, by an arithmetic shift */
NL_INLINE vf32 f16_widen_(vi32 half)
{
    v128_t bits = wasm_v128_and(wasm_i32x4_shr(wasm_i32x4_shl(half, 16), 3),
                                wasm_u32x4_const_splat(0x8fffffff));
    v128_t top = wasm_i32x4_gt(wasm_v128_and(half, wasm_i32x4_const_splat(0x7fff)),
                               wasm_i32x4_const_splat(0x7bff));
    return wasm_v128_or(wasm_f32x4_mul(bits, wasm_f32x4_const_splat(0x1p112f)),
                        wasm_v128_and(top, wasm_i32x4_const_splat(0x7f800000)));
}
NL_INLINE vu16 u16_join_(vi32 low, vi32 high) { return wasm_u16x8_narrow_i32x4(low, high); }

/* ---- bytes ---- */

NL_INLINE vi8 i8_set(int8_t k) { return wasm_i8x16_splat(k); }
NL_INLINE vi8 i8_load(const int8_t *p) { return wasm_v128_load(p); }
NL_INLINE vi8 i8_load_n(const int8_t *p, size_t n, int8_t fill)
{
    return load_bytes_(p, n, i8_set(fill));
}
NL_INLINE vi8 i8_max(vi8 a, vi8 b) { return wasm_i8x16_max(a, b); }
NL_INLINE int8_t i8_first(vi8 v) { return wasm_i8x16_extract_lane(v, 0); }
NL_INLINE vi8 i8_hmax(vi8 v)
{
    v = i8_max(v, swap_halves_(v));
    v = i8_max(v, swap_pairs_(v));
    v = i8_max(v, wasm_i16x8_shuffle(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
    return i8_max(v,
                  wasm_i8x16_shuffle(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
}
NL_INLINE vm8 i8_eq(vi8 a, vi8 b) { return wasm_i8x16_eq(a, b); }
NL_INLINE int m8_any(vm8 m) { return wasm_v128_any_true(m); }
NL_INLINE size_t m8_first(vm8 m)
{
    return (size_t)__builtin_ctz(wasm_i8x16_bitmask(m) | 1u << LANES8);
}
