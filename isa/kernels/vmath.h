/* The functions on vectors, each once, with the derivation of its constants. */
#ifndef NL_VMATH_H
#define NL_VMATH_H

#include "kernel.h"

/* ---- exp ----
 *
 * x = (k + j/8) ln 2 + r, |r| <= ln 2 / 16, and e^x = 2^k T[j] (1 + q(r)), with q of degree 3.
 *
 * The eight values 2^(j/8) as floats would cost half a unit in the last place each. T[j] = C
 * 2^(j/8) instead, where C = 0xf.f5829p-4 is the factor for which all eight are nearly floats
 * (within .04 ULP, the best of 2 million candidates in 1 +- .006), and 1 + q(r) = e^r / C takes it
 * out again.
 *
 * q: absolute error 2^-25.6, .16 to .31 ULP of the result. exp.sollya has the script. */
#define EXP_LOG2E 0x1.715476p0f
#define EXP_LN2 0x1.62e43p-1f /* ln 2 as a float, and the rest */
#define EXP_LN2_LOW -0x1.05c61p-29f

NL_INLINE vlut8 exp_table(void)
{
    static const float t[8] = {0x1.feb052p-1f, 0x1.16747cp0f, 0x1.2fa848p0f, 0x1.4b2404p0f,
                               0x1.691c8ap0f,  0x1.89cb7cp0f, 0x1.ad6fb4p0f, 0x1.d44dbcp0f};
    return lut8_set(t);
}

/* q(x - n ln 2) for n = rint(8 x / ln 2) / 8 */
NL_INLINE vf32 exp_q(vf32 x, vf32 n)
{
    vf32 r = f32_remainder(x, n, EXP_LN2);
    r = f32_muladd(f32_k(-EXP_LN2_LOW), n, r);
    vf32 q = f32_muladd(f32_k(0x1.562f8ep-3f), r, f32_set(0x1.00b28ap-1f));
    q = f32_muladd(q, r, f32_set(0x1.00a846p0f));
    return f32_muladd(q, r, f32_set(0x1.508a08p-9f));
}

/* e^x for every float, subnormal results with one rounding. */
NL_INLINE vf32 exp_any(vf32 x)
{
    /* beyond these bounds the result is 0 and inf; 0 exactly, as an underflow would be slow */
    x = f32_at_least(f32_at_most(x, 0x1.62e43p+6f), -176.0f);
    vf32 t = f32_muladd(f32_k(EXP_LOG2E), x, f32_set(F32_ROUND8));
    vf32 q = exp_q(x, f32_sub(t, f32_k(F32_ROUND8)));
    vf32 m = f32_lut8(exp_table(), f32_as_i32(t));
    return f32_scale8(f32_muladd(m, q, m), t);
}

/* The terms of a softmax: m 2^(k - K) for e^x = m 2^k, and 0 where k - K < -125 (or x is -inf). NaN
 * stays NaN. The power of two goes into the table's entry by integer addition, whose exponent field
 * neither borrows nor overflows for what is not zero. K comes in late, as -K 2^23 and as the least
 * t that counts, so that work on the first vectors begins before the maximum is known. |x| <= 2^12
 * + 88 where it counts. */
NL_INLINE vlut8 exp_term_table(void)
{
/* less what t << 20 brings along: j, and twice the exponent bias */
#define ENTRY(j, m) (m) - (UINT32_C(j) << 20) - (UINT32_C(254) << 23)
    static const uint32_t t[8] = {
        ENTRY(0, 0x3f7f5829u), ENTRY(1, 0x3f8b3a3eu), ENTRY(2, 0x3f97d424u), ENTRY(3, 0x3fa59202u),
        ENTRY(4, 0x3fb48e45u), ENTRY(5, 0x3fc4e5beu), ENTRY(6, 0x3fd6b7dau), ENTRY(7, 0x3fea26deu)};
#undef ENTRY
    return lut8_set(t);
}

NL_INLINE vf32 exp_term(vf32 x, ki32 minus_k23, kf32 least_t)
{
    vf32 t = f32_muladd(f32_k(EXP_LOG2E), x, f32_set(F32_ROUND8));
    vf32 q = exp_q(x, f32_sub(t, f32_k(F32_ROUND8)));
    vi32 k23 = i32_shl(f32_as_i32(t), 20);
    vf32 m = i32_as_f32(i32_lut8_add(exp_term_table(), f32_as_i32(t), k23, minus_k23));
    return f32_zero_where(f32_lt(t, least_t), f32_muladd(m, q, m));
}

/* ---- log ----
 *
 * x = 2^k m, m in [.970703, 1.941406), cut into 8 intervals of 2^20 encodings. Each has a
 * reciprocal c, such that log x = (k ln 2 - log c) + log1p(r), r = m c - 1 in [-.0544, .0665].
 *
 * c is the float for which -log c lies nearest to a multiple of 2^-16 (within 2^-30, the best of
 * 261 a place). Then k ln2_high - log c, with ln 2 cut at 2^-16 as well, is exact. Around 1, c = 1
 * and nothing cancels. log1p(r) = r + r^2 q(r), q of degree 3 (log.sollya); the sum of the large
 * parts is made with its error.
 *
 * r is rounded, which beside a result near 0 counts: so the interval around 1 is wide and shifted
 * up (there r is exact), and 1/c lies near the end of the last one, which for k = -1 ends next to
 * it. */
#define LOG_FIRST 0x3f788000u /* .970703 */
#define LOG_LN2_HIGH 0x1.62e4p-1f
#define LOG_LN2_LOW 0x1.7f7d1cp-20f

/* log(x 2^shift) for a normal x > 0, as a sum of two: the second is below 2^-8 and returned through
 * `low`. shift23: shift as an integer times 2^23 */
NL_INLINE vf32 log_parts(vf32 x, vi32 shift23, vf32 *low)
{
    static const float c[8] = {1.0f,          0x1.c6022cp-1f, 0x1.98851p-1f,  0x1.73fbf4p-1f,
                               0x1.54db8p-1f, 0x1.3aa686p-1f, 0x1.23bf22p-1f, 0x1.0bb8c4p-1f};
    static const float minus_log_c[8] = {0.0f,        0x1.ec6p-4f,  0x1.ce68p-3f, 0x1.4724p-2f,
                                         0x1.a0ap-2f, 0x1.f28cp-2f, 0x1.1ff8p-1f, 0x1.4bf8p-1f};
    vi32 bits = f32_as_i32(x), d = i32_sub(bits, i32_k(LOG_FIRST)), j = i32_shr(d, 20);
    vi32 k23 = i32_and(d, i32_k(0xff800000u)); /* k times 2^23 */
    vf32 m = i32_as_f32(i32_sub(bits, k23)), k = i32_to_f32(i32_add(k23, shift23));
    vf32 r = f32_mulerr(m, f32_lut8(lut8_set(c), j), f32_set(1.0f));
    vf32 high = f32_muladd(f32_k(LOG_LN2_HIGH * 0x1p-23f), k, f32_lut8(lut8_set(minus_log_c), j));
    vf32 q = f32_muladd(f32_k(0x1.94256cp-3f), r, f32_set(-0x1.009c52p-2f));
    q = f32_muladd(q, r, f32_set(0x1.5556cp-2f));
    q = f32_muladd(q, r, f32_set(-0x1.ffffeep-2f));
    vf32 rest = f32_muladd(f32_mul(r, r), q, f32_mul(k, f32_k(LOG_LN2_LOW * 0x1p-23f)));
    vf32 sum = f32_add(high, r);
    vf32 error =
        f32_sub(r, f32_sub(sum, high)); /* exact: high is 0 or of no smaller exponent than r */
    *low = f32_add(error, rest);
    return sum;
}

NL_INLINE vf32 log_normal(vf32 x, vi32 shift23)
{
    vf32 low, sum = log_parts(x, shift23, &low);
    return f32_add(sum, low);
}

#endif
