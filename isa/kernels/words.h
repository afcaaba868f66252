/* Words made of others. An ISA that has something better defines the word in its vec.h, and a macro
 * of the same name to say so. */
#ifndef NL_WORDS_H
#define NL_WORDS_H

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
        return f32_muladd(n, f32_set(-k), x);
    /* k in three parts of 8 bits, whose products with n are exact */
    const float k1 = nl_float(nl_bits(k) & 0xffff0000u);
    const float k2 = nl_float(nl_bits(k - k1) & 0xffff0000u), k3 = k - k1 - k2;
    x = f32_sub(x, f32_mul(n, f32_set(k1)));
    x = f32_sub(x, f32_mul(n, f32_set(k2)));
    return f32_sub(x, f32_mul(n, f32_set(k3)));
}
#endif

#ifndef f32_mul2
NL_INLINE vf32 f32_mul2(vf32 a, vf32 hi, vf32 lo)
{
    vf32 low = f32_mul(a, lo);
    if (F32_FUSED)
        return f32_muladd(a, hi, low);
    vf32 p = f32_mul(a, hi);
    return f32_add(p, f32_add(f32_mulerr(a, hi, p), low));
}
#endif

#ifndef f32_unusual
NL_INLINE vm32 f32_unusual(vf32 x)
{
    /* one unsigned comparison: positive normal numbers are the encodings in between */
    return u32_le(i32_set(0x7f000000u), i32_sub(f32_as_i32(x), i32_set(0x00800000u)));
}
#endif

#ifndef f32_scale8
NL_INLINE vf32 f32_scale8(vf32 y, vf32 t)
{
    /* 2^k in two factors of about half the exponent: the first product is exact, the second rounds.
     * The offset 254 of F32_ROUND8 is the two biases. */
    const vi32 exponent = i32_set(0xff800000u);
    vi32 u = f32_as_i32(t);
    vi32 half = i32_and(i32_shl(u, 19), exponent);
    vi32 rest = i32_sub(i32_and(i32_shl(u, 20), exponent), half);
    return f32_mul(f32_mul(y, i32_as_f32(half)), i32_as_f32(rest));
}
#endif

#endif
