/* Words made of others. An ISA that has something better defines the word in its vec.h, and a macro
 * of the same name to say so. */
#ifndef NL_WORDS_H
#define NL_WORDS_H

/* A number that is the same in every lane, as an operand. */
#ifndef f32_k
#define f32_k(k) f32_set(k)
#define i32_k(k) i32_set(k)
#define u16_k(k) u16_set(k)
#define f32_same(v) (v)
#define i32_same(v) (v)
typedef vf32 kf32;
typedef vi32 ki32;
#endif

/* a b + c of two roundings needs more care than one of one. F32_FUSED is the class of the ISA. */

#ifndef f32_mulerr
NL_INLINE vf32 f32_mulerr(vf32 a, vf32 b, vf32 p)
{
    if (F32_FUSED)
        return f32_muladd(a, b, f32_neg(p));
    /* the product exactly, as the sum of products of 12-bit halves (Dekker); q - p is exact as q is
     * near p */
    const vi32 high = i32_set(0xfffff000u);
    vf32 q = f32_mul(a, b);
    vf32 ah = i32_as_f32(i32_and(f32_as_i32(a), high)), al = f32_sub(a, ah);
    vf32 bh = i32_as_f32(i32_and(f32_as_i32(b), high)), bl = f32_sub(b, bh);
    vf32 e = f32_sub(f32_mul(ah, bh), q);
    e = f32_add(f32_add(e, f32_mul(ah, bl)), f32_mul(al, bh));
    e = f32_add(e, f32_mul(al, bl));
    return f32_add(f32_sub(q, p), e);
}
#endif

#ifndef f32_remainder
NL_INLINE vf32 f32_remainder(vf32 x, vf32 n, float k)
{
    if (F32_FUSED)
        return f32_muladd(f32_k(-k), n, x);
    /* k in three parts of 8 bits, whose products with n are exact */
    const float k1 = nl_float(nl_bits(k) & 0xffff0000u);
    const float k2 = nl_float(nl_bits(k - k1) & 0xffff0000u), k3 = k - k1 - k2;
    x = f32_sub(x, f32_mul(n, f32_set(k1)));
    x = f32_sub(x, f32_mul(n, f32_set(k2)));
    return f32_sub(x, f32_mul(n, f32_set(k3)));
}
#endif

#ifndef f32_mul2
NL_INLINE vf32 f32_mul2(vf32 a, kf32 hi, kf32 lo)
{
    vf32 low = f32_mul(a, lo);
    if (F32_FUSED)
        return f32_muladd(hi, a, low);
    vf32 p = f32_mul(a, hi);
    return f32_add(p, f32_add(f32_mulerr(a, hi, p), low));
}
#endif

/* the greater of two scalars; unspecified if one is NaN */
#ifndef nl_max
NL_INLINE float nl_max(float a, float b) { return b > a ? b : a; }
#endif

#ifndef f32_fold8
NL_INLINE double f32_fold8(vf32 v)
{
    const vf32 none = f32_set(0.0f);
    return f32_fold32(v, none, none, none, none, none, none, none);
}
#endif

#ifndef f32_fold64
NL_INLINE double f32_fold64(const float *p)
{
#define SUM(j) f32_add(f32_load(p + (j)*LANES32 % 32), f32_load(p + 32 + (j)*LANES32 % 32))
    return f32_fold32(SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7));
#undef SUM
}
#endif

#ifndef f32_mul2_row
NL_INLINE void f32_mul2_row(float *y, const float *x, size_t n, kf32 hi, kf32 lo)
{
    const size_t lanes = LANES32;
    size_t i = 0;
    NL_UNROLL(4)
    for (; i + lanes <= n; i += lanes)
        f32_store(y + i, f32_mul2(f32_load(x + i), hi, lo));
    if (i < n)
        f32_store_n(y + i, f32_mul2(f32_load_n(x + i, n - i, 1.0f), hi, lo), n - i);
}
#endif

#ifndef i32_lut8_add
NL_INLINE vi32 i32_lut8_add(vlut8 k, vi32 i, vi32 a, ki32 b)
{
    return i32_add(i32_lut8(k, i), i32_add(a, b));
}
#endif

#ifndef f32_abs
NL_INLINE vf32 f32_abs(vf32 a) { return i32_as_f32(i32_and(f32_as_i32(a), i32_k(0x7fffffffu))); }
#endif

#ifndef f32_copysign
NL_INLINE vf32 f32_copysign(vf32 a, vf32 b)
{
    return i32_as_f32(i32_or(f32_as_i32(a), i32_and(f32_as_i32(b), i32_k(0x80000000u))));
}
#endif

#ifndef f32_unusual
NL_INLINE vm32 f32_unusual(vf32 x)
{
    /* one unsigned comparison: positive normal numbers are the encodings in between */
    return u32_le(i32_set(0x7f000000u), i32_sub(f32_as_i32(x), i32_k(0x00800000u)));
}
#endif

/* Halves without hardware for them: 32-bit integers, low 16 bits. */
#ifndef f16_widen_
NL_INLINE vf32 f16_widen_(vi32 half)
{
    /* exponent and significand to their places, the exponent corrected by a product: that makes
     * subnormals right. Infinities and NaNs then lack the top of their exponent. */
    vi32 magnitude = i32_and(half, i32_set(0x7fff)), sign = i32_sub(half, magnitude);
    vf32 f = f32_mul(i32_as_f32(i32_shl(magnitude, 13)), f32_set(0x1p112f));
    vi32 top = i32_select(u32_le(i32_set(0x7c00), magnitude), i32_set(0x7f800000), i32_set(0));
    return i32_as_f32(i32_or(i32_or(f32_as_i32(f), top), i32_shl(sign, 16)));
}
#endif

#ifndef f16_narrow_
NL_INLINE vi32 f16_narrow_(vf32 f)
{
    vi32 magnitude = i32_and(f32_as_i32(f), i32_set(0x7fffffff));
    vi32 sign = i32_shr(i32_sub(f32_as_i32(f), magnitude), 16);
    /* to nearest, ties to even: half a last place less one, and one if the last place is odd.
     * 2^-14, the least normal half, becomes 0 and what is below wraps to a large number; then 2^-14
     * becomes 0x400. */
    vi32 odd = i32_and(i32_shr(magnitude, 13), i32_set(1));
    vi32 normal = i32_shr(i32_add(i32_add(magnitude, i32_set(0xc7800fff)), odd), 13);
    normal = u32_min(i32_add(normal, i32_set(0x400)), i32_set(0x7c00)); /* overflow */
    /* below 2^-14 the adder rounds: the last place of .5 is that of subnormal halves */
    vi32 tiny =
        i32_sub(f32_as_i32(f32_add(i32_as_f32(magnitude), f32_set(0.5f))), i32_set(0x3f000000));
    vi32 half = u32_min(normal, tiny);
    half = i32_select(u32_le(i32_set(0x7f800001), magnitude), i32_set(0x7e00), half);
    return i32_or(half, sign);
}
#endif

#ifndef f16_load
NL_INLINE vf32 f16_load(const void *p) { return f16_widen_(i32_load_u16(p)); }
NL_INLINE vf32 f16_load_n(const void *p, size_t n, uint16_t fill)
{
    return f16_widen_(i32_load_u16_n(p, n, fill));
}
NL_INLINE void f16_store(void *p, vf32 v) { i32_store_u16(p, f16_narrow_(v)); }
NL_INLINE void f16_store_n(void *p, vf32 v, size_t n) { i32_store_u16_n(p, f16_narrow_(v), n); }
NL_INLINE void f16_stream(void *p, vf32 v) { i32_stream_u16(p, f16_narrow_(v)); }
#endif

/* The upper half of a float's bits. */
#ifndef bf16_load
NL_INLINE vf32 bf16_load(const void *p) { return i32_as_f32(i32_shl(i32_load_u16(p), 16)); }
NL_INLINE vf32 bf16_load_n(const void *p, size_t n, uint16_t fill)
{
    return i32_as_f32(i32_shl(i32_load_u16_n(p, n, fill), 16));
}
/* to nearest, ties to even: half a last place less one, and one if the last place is odd */
NL_INLINE vi32 bf16_narrow_(vf32 f)
{
    vi32 bits = f32_as_i32(f), odd = i32_and(i32_shr(bits, 16), i32_k(1));
    return i32_shr(i32_add(i32_add(bits, i32_k(0x7fff)), odd), 16);
}
NL_INLINE void bf16_store(void *p, vf32 v) { i32_store_u16(p, bf16_narrow_(v)); }
NL_INLINE void bf16_store_n(void *p, vf32 v, size_t n) { i32_store_u16_n(p, bf16_narrow_(v), n); }
NL_INLINE void bf16_stream(void *p, vf32 v) { i32_stream_u16(p, bf16_narrow_(v)); }
#endif

/* An ISA without f16_muladd of its own defines how a vector of 16-bit lanes is taken apart and put
 * together. */
#ifndef f16_muladd
NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
    /* products of halves are exact in f32, so both classes round alike */
    vf32 low =
        f32_muladd(f16_widen_(u16_low_(a)), f16_widen_(u16_low_(b)), f16_widen_(u16_low_(c)));
    vf32 high =
        f32_muladd(f16_widen_(u16_high_(a)), f16_widen_(u16_high_(b)), f16_widen_(u16_high_(c)));
    return u16_join_(f16_narrow_(low), f16_narrow_(high));
}
#endif

#ifndef f32_scale8
NL_INLINE vf32 f32_scale8(vf32 y, vf32 t)
{
    /* 2^k in two factors of about half the exponent: the first product is exact, the second rounds.
     * The offset 254 of F32_ROUND8 is the two biases. */
    const uint32_t exponent = 0xff800000u;
    vi32 u = f32_as_i32(t);
    vi32 half = i32_and(i32_shl(u, 19), i32_k(exponent));
    vi32 rest = i32_sub(i32_and(i32_shl(u, 20), i32_k(exponent)), half);
    return f32_mul(f32_mul(y, i32_as_f32(half)), i32_as_f32(rest));
}
#endif

#endif
