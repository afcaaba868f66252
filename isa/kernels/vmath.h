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

/* q(s r), its coefficients from the lowest on: s is a constant that goes into them. */
#define EXP_Q 0x1.508a08p-9, 0x1.00a846p0, 0x1.00b28ap-1, 0x1.562f8ep-3
NL_INLINE vf32 exp_poly(vf32 r, const double s, const double q0, const double q1, const double q2,
                        const double q3)
{
    vf32 q = f32_muladd(f32_k((float)(q3 * s * s * s)), r, f32_set((float)(q2 * s * s)));
    q = f32_muladd(q, r, f32_set((float)(q1 * s)));
    return f32_muladd(q, r, f32_set((float)q0));
}

/* q(x - n ln 2) for n = rint(8 x / ln 2) / 8 */
NL_INLINE vf32 exp_q(vf32 x, vf32 n)
{
    vf32 r = f32_remainder(x, n, EXP_LN2);
    return exp_poly(f32_muladd(f32_k(-EXP_LN2_LOW), n, r), 1.0, EXP_Q);
}

/* For results of 16 bits the rest of ln 2 is left out. The coefficients are found by trial near
 * those above, so that every half has the right result. */
#define EXP_Q_F16 0x1.5088aap-9, 0x1.00a83ep0, 0x1.00b3bcp-1, 0x1.56178p-3
NL_INLINE vf32 exp_q_short(vf32 x, vf32 n, const double s, const double q0, const double q1,
                           const double q2, const double q3)
{
    return exp_poly(f32_remainder(x, n, (float)(s * (double)EXP_LN2)), s, q0, q1, q2, q3);
}

/* Beyond these bounds the result is 0 and inf; 0 exactly, as an underflow would be slow. */
NL_INLINE vf32 exp_clamp(vf32 x) { return f32_at_least(f32_at_most(x, 0x1.62e43p+6f), -176.0f); }

/* 2^k T[j] (1 + q), subnormal results with one rounding */
NL_INLINE vf32 exp_scale(vf32 t, vf32 q)
{
    vf32 m = f32_lut8(exp_table(), f32_as_i32(t));
    return f32_scale8(f32_muladd(m, q, m), t);
}

/* e^x for every float. */
NL_INLINE vf32 exp_any(vf32 x)
{
    x = exp_clamp(x);
    vf32 t = f32_muladd(f32_k(EXP_LOG2E), x, f32_set(F32_ROUND8));
    return exp_scale(t, exp_q(x, f32_sub(t, f32_k(F32_ROUND8))));
}

/* Correctly rounded to bfloat16, for which q of degree 2 is enough (by trial, as above). */
NL_INLINE vf32 exp_for_bf16(vf32 x)
{
    x = exp_clamp(x);
    vf32 t = f32_muladd(f32_k(EXP_LOG2E), x, f32_set(F32_ROUND8));
    vf32 r = f32_remainder(x, f32_sub(t, f32_k(F32_ROUND8)), EXP_LN2);
    vf32 q = f32_muladd(f32_k(0x1.00a97p-1f), r, f32_set(0x1.00bd7ap0f));
    return exp_scale(t, f32_muladd(q, r, f32_set(0x1.509838p-9f)));
}

/* The terms of a softmax: m 2^(k - K) for e^x = m 2^k, and 0 where k - K < -125 (or x is -inf). NaN
 * stays NaN. The power of two goes into the table's entry by integer addition, whose exponent field
 * neither borrows nor overflows for what is not zero. K comes in late, as -K 2^23 and as the least
 * t that counts, so that work on the first vectors begins before the maximum is known. |x| <= 2^12
 * + 88 where it counts. */
#define EXP_TABLE(ENTRY)                                                         \
    {                                                                            \
        ENTRY(0, 0x3f7f5829u), ENTRY(1, 0x3f8b3a3eu), ENTRY(2, 0x3f97d424u),     \
            ENTRY(3, 0x3fa59202u), ENTRY(4, 0x3fb48e45u), ENTRY(5, 0x3fc4e5beu), \
            ENTRY(6, 0x3fd6b7dau), ENTRY(7, 0x3fea26deu)                         \
    }
NL_INLINE vlut8 exp_term_table(void)
{
/* less what t << 20 brings along: j, and twice the exponent bias */
#define ENTRY(j, m) (m) - (UINT32_C(j) << 20) - (UINT32_C(254) << 23)
    static const uint32_t t[8] = EXP_TABLE(ENTRY);
#undef ENTRY
    return lut8_set(t);
}

/* Correctly rounded to f16. Beyond the bounds the result is 0 and inf. */
NL_INLINE vf32 exp_for_f16(vf32 x)
{
    x = f32_at_least(f32_at_most(x, 12.0f), -18.0f);
    vf32 t = f32_muladd(f32_k(EXP_LOG2E), x, f32_set(F32_ROUND8));
    vf32 q = exp_q_short(x, f32_sub(t, f32_k(F32_ROUND8)), 1.0, EXP_Q_F16);
    vi32 u = f32_as_i32(t);
    vf32 m = i32_as_f32(i32_add(i32_lut8(exp_term_table(), u), i32_shl(u, 20)));
    return f32_muladd(m, q, m);
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

NL_INLINE vf32 log_poly(vf32 r)
{
    vf32 q = f32_muladd(f32_k(0x1.94256cp-3f), r, f32_set(-0x1.009c52p-2f));
    q = f32_muladd(q, r, f32_set(0x1.5556cp-2f));
    return f32_muladd(q, r, f32_set(-0x1.ffffeep-2f));
}

/* x = m 2^k, with k 2^23 as a float; r, and -log c */
NL_INLINE vf32 log_reduce(vf32 x, vi32 shift23, vf32 *k, vf32 *minus_log)
{
    static const float c[8] = {1.0f,          0x1.c6022cp-1f, 0x1.98851p-1f,  0x1.73fbf4p-1f,
                               0x1.54db8p-1f, 0x1.3aa686p-1f, 0x1.23bf22p-1f, 0x1.0bb8c4p-1f};
    static const float minus_log_c[8] = {0.0f,        0x1.ec6p-4f,  0x1.ce68p-3f, 0x1.4724p-2f,
                                         0x1.a0ap-2f, 0x1.f28cp-2f, 0x1.1ff8p-1f, 0x1.4bf8p-1f};
    vi32 bits = f32_as_i32(x), d = i32_sub(bits, i32_k(LOG_FIRST)), j = i32_shr(d, 20);
    vi32 k23 = i32_and(d, i32_k(0xff800000u));
    *k = i32_to_f32(i32_add(k23, shift23));
    *minus_log = f32_lut8(lut8_set(minus_log_c), j);
    return f32_mulerr(i32_as_f32(i32_sub(bits, k23)), f32_lut8(lut8_set(c), j), f32_set(1.0f));
}

/* log(x 2^shift) for a normal x > 0, as a sum of two: the second is below 2^-8 and returned through
 * `low`. shift23: shift as an integer times 2^23 */
NL_INLINE vf32 log_parts(vf32 x, vi32 shift23, vf32 *low)
{
    vf32 k, minus_log, r = log_reduce(x, shift23, &k, &minus_log);
    vf32 high = f32_muladd(f32_k(LOG_LN2_HIGH * 0x1p-23f), k, minus_log);
    vf32 rest = f32_muladd(f32_mul(r, r), log_poly(r), f32_mul(k, f32_k(LOG_LN2_LOW * 0x1p-23f)));
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

/* Correctly rounded to f16 for x > 0. One half has a logarithm too close to the middle of two
 * others for the sum to see on which side: 1.4e-7 in 5.2. */
NL_INLINE vf32 log_for_f16(vf32 x)
{
    vf32 k, minus_log, r = log_reduce(x, i32_set(0), &k, &minus_log);
    vf32 high = f32_muladd(f32_k(0x1.62e43p-24f), k, minus_log);
    vf32 y = f32_add(high, f32_muladd(f32_mul(r, r), log_poly(r), r));
    return f32_select(f32_eq(x, f32_set(0x1.5ep-8f)), f32_set(-0x1.4ecp2f), y);
}

/* ---- sigmoid, silu, gelu_tanh ----
 *
 * They are 1, x and x over 1 + e^-u, with u = x or, for gelu_tanh, 2 sqrt(2 / pi) (x + .044715
 * x^3).
 *
 * The sum is made 2^-32 times as large, so that it does not overflow where results are subnormal,
 * and as exp makes it: e^-u = m (1 + q). In that order it is rounded twice: a is the larger one of
 * m and 5/4, the rest is the other one (or what remains) plus m q, and only where that is as large
 * as a does its rounding weigh a quarter of the other.
 *
 * u is cut off at 60, where e^-u no longer counts, and at -110.9, where the sum is infinite: so the
 * results that would underflow are zeros, without the cost of an underflow. */
#define LOGISTIC_ONE 0x1p-32f
#define LOGISTIC_MOST 60.0f
#define LOGISTIC_LEAST -0x1.bbacp+6f /* between 160 and 160 + 1/16 times -ln 2 */

/* Coefficients found by trial, near those of exp.sollya, for which every half has the right result.
 */
#define SIGMOID_Q_F16 0x1.508972p-9, 0x1.00a812p0, 0x1.00b50ap-1, 0x1.560ae8p-3
#define SILU_Q_F16 0x1.508acp-9, 0x1.00a82cp0, 0x1.00b316p-1, 0x1.562dd4p-3
#define GELU_TANH_Q_F16 0x1.508856p-9, 0x1.00a836p0, 0x1.00b1e6p-1, 0x1.56154ap-3

/* The m of e^-u one = m (1 + q); t: -u / ln 2 + F32_ROUND8, one: 1 or LOGISTIC_ONE */
NL_INLINE vf32 logistic_m(vf32 t, const float one)
{
/* less what t << 20 brings along, and 32 */
#define ENTRY(j, m) (m) - (UINT32_C(j) << 20) - ((UINT32_C(254) + 32) << 23)
    static const uint32_t scaled[8] = EXP_TABLE(ENTRY);
#undef ENTRY
    vi32 u = f32_as_i32(t);
    vlut8 table = one == 1.0f ? exp_term_table() : lut8_set(scaled);
    return i32_as_f32(i32_add(i32_lut8(table, u), i32_shl(u, 20)));
}

/* a + rest = 2^-32 (1 + e^-u) */
NL_INLINE vf32 logistic_sum(vf32 t, vf32 q, vf32 *rest)
{
    vf32 m = logistic_m(t, LOGISTIC_ONE);
    vf32 other = f32_min(f32_sub(m, f32_k(0.25f * LOGISTIC_ONE)), f32_k(LOGISTIC_ONE));
    *rest = f32_muladd(m, q, other);
    return f32_max(m, f32_k(1.25f * LOGISTIC_ONE));
}

/* For u = x. */
NL_INLINE vf32 logistic(vf32 x, vf32 *rest)
{
    vf32 t = f32_muladd(f32_k(-EXP_LOG2E), x, f32_set(F32_ROUND8));
    vf32 n = f32_sub(t, f32_k(F32_ROUND8));
    vf32 r = f32_remainder(x, n, -EXP_LN2); /* x + n ln 2: the remainder of -x, negated */
    return logistic_sum(t, exp_poly(f32_muladd(f32_k(EXP_LN2_LOW), n, r), -1.0, EXP_Q), rest);
}

/* Back from 2^32 times a result, which would overflow for the largest x, that are their own result.
 */
NL_INLINE vf32 logistic_unscale(vf32 y, vf32 x)
{
    return f32_select(f32_lt(f32_k(0x1p60f), x), x, f32_mul(y, f32_k(LOGISTIC_ONE)));
}

NL_INLINE vf32 sigmoid_any(vf32 x)
{
    vf32 rest, a = logistic(f32_at_least(f32_at_most(x, LOGISTIC_MOST), LOGISTIC_LEAST), &rest);
    return f32_div(f32_set(LOGISTIC_ONE), f32_add(a, rest));
}

NL_INLINE vf32 silu_any(vf32 x)
{
    vf32 rest, numerator = f32_at_least(x, LOGISTIC_LEAST);
    vf32 a = logistic(f32_at_most(numerator, LOGISTIC_MOST), &rest);
    return logistic_unscale(f32_div(numerator, f32_add(a, rest)), x);
}

/* silu with the rounding of the sum and of the quotient made good by the remainder of the division:
 * 1.50 ULP, and within 2 2^-24 of its value, so that its product with any u is within 2.5 ULP.
 * Cut off at -109, as an infinite sum would leave no remainder. */
NL_INLINE vf32 mulsilu_any(vf32 u, vf32 x)
{
    vf32 rest, numerator = f32_at_least(x, -109.0f);
    vf32 a = logistic(f32_at_most(numerator, LOGISTIC_MOST), &rest);
    vf32 sum = f32_add(a, rest), y = f32_div(numerator, sum);
    vf32 excess = f32_mulerr(y, rest, f32_neg(f32_mulerr(y, a, numerator)));
    /* about -1 / sum, within an eighth: as integers, logarithms nearly */
    vf32 reciprocal = i32_as_f32(i32_sub(i32_set(0xfef00000u), f32_as_i32(sum)));
    y = f32_muladd(excess, reciprocal, y);
    return f32_mul(u, logistic_unscale(y, x));
}

/* For results of 16 bits: the sum made of m and 1, `one` times as large. */
NL_INLINE vf32 logistic_sum_short(vf32 t, vf32 q, const float one)
{
    vf32 m = logistic_m(t, one);
    return f32_add(f32_max(m, f32_k(one)), f32_muladd(m, q, f32_min(m, f32_k(one))));
}

/* For u = x, without the rest of ln 2. For f16, silu and sigmoid need no scale: the sum is infinite
 * from -88.7 down. */
#define LOGISTIC_LEAST_F16 -0x1.62f8p+6f /* between 128 and 128 + 1/16 times -ln 2 */
#define LOGISTIC_MOST_F16 21.0f
NL_INLINE vf32 logistic_short(vf32 x, const float one, const double q0, const double q1,
                              const double q2, const double q3)
{
    vf32 t = f32_muladd(f32_k(-EXP_LOG2E), x, f32_set(F32_ROUND8));
    vf32 q = exp_q_short(x, f32_sub(t, f32_k(F32_ROUND8)), -1.0, q0, q1, q2, q3);
    return logistic_sum_short(t, q, one);
}

/* Correctly rounded to f16. Around 1/2 the result lies beside numbers midway between two halves,
 * nearer to 1/2 than they, by less than a float can tell: so the numerator is 1 for x < 0, and the
 * float below 1 for others. */
NL_INLINE vf32 sigmoid_for_f16(vf32 x)
{
    vf32 v = f32_at_least(f32_at_most(x, 18.0f), -18.0f);
    vi32 numerator = i32_add(i32_shr(f32_as_i32(x), 31), i32_k(0x3f7fffffu));
    return f32_div(i32_as_f32(numerator), logistic_short(v, 1.0f, SIGMOID_Q_F16));
}

NL_INLINE vf32 sigmoid_for_bf16(vf32 x)
{
    vf32 v = f32_at_least(f32_at_most(x, LOGISTIC_MOST), LOGISTIC_LEAST);
    return f32_div(f32_set(LOGISTIC_ONE), logistic_short(v, LOGISTIC_ONE, EXP_Q));
}

NL_INLINE vf32 silu_short(vf32 x)
{
    vf32 v = f32_at_least(x, LOGISTIC_LEAST_F16);
    return f32_div(v, logistic_short(f32_at_most(v, LOGISTIC_MOST_F16), 1.0f, SILU_Q_F16));
}

/* Scaled, as silu is a subnormal float, or times an infinite u must not be 0. */
NL_INLINE vf32 silu_scaled(vf32 x, const double q0, const double q1, const double q2,
                           const double q3)
{
    vf32 v = f32_at_least(x, LOGISTIC_LEAST);
    return f32_div(v, logistic_short(f32_at_most(v, LOGISTIC_MOST), LOGISTIC_ONE, q0, q1, q2, q3));
}
NL_INLINE vf32 mulsilu_for_f16(vf32 u, vf32 x)
{
    return f32_mul(u, f32_mul(silu_scaled(x, SILU_Q_F16), f32_k(LOGISTIC_ONE)));
}
NL_INLINE vf32 mulsilu_for_bf16(vf32 u, vf32 x)
{
    return f32_mul(u, logistic_unscale(silu_scaled(x, EXP_Q), x));
}

/* silu, gelu and gelu_tanh are x / 2 + c x^2 + .., c > 0, for small x. Beside a subnormal x of a
 * type of 16 bits, c x^2 is nothing in a float, and x / 2 lies midway between two numbers of the
 * type if x is odd; so `least` is added, half the last place of x / 2 or less. A zero keeps the
 * sign of x. */
NL_INLINE vf32 above_half(vf32 y, vf32 x, float least)
{
    return f32_copysign(f32_add(y, f32_set(least)), x);
}
#define ABOVE_HALF_F16 0x1p-48f
#define ABOVE_HALF_BF16 0x1p-149f

NL_INLINE vf32 silu_for_f16(vf32 x) { return above_half(silu_short(x), x, ABOVE_HALF_F16); }
NL_INLINE vf32 silu_for_bf16(vf32 x)
{
    return above_half(logistic_unscale(silu_scaled(x, EXP_Q), x), x, ABOVE_HALF_BF16);
}

/* u / ln 2 = x w, w = w0 + w1 x^2, reaches 160, and its error must be far below 2^-24: x^2 and w
 * are made with their errors and the constants' rests, and the integer is taken from x w as a
 * product that is not rounded. w0 is a multiple of 2^-19, so that w - w0 is exact. */
#define GELU_TANH_W0 -0x1.26aecp+1f /* -2 sqrt(2 / pi) / ln 2 */
#define GELU_TANH_W0_LOW -0x1.0de73ap-22f
#define GELU_TANH_W1 -0x1.a5a7dp-4f /* .044715 w0 */
#define GELU_TANH_W1_LOW 0x1.151aaep-29f
#define GELU_TANH_MOST 6.0f
#define GELU_TANH_LEAST -0x1.5e24p+3f /* where u is LOGISTIC_LEAST */

/* square_exact: x^2 is a float, as it is for x of 16 bits. */
NL_INLINE vf32 gelu_tanh_with(vf32 x, const int square_exact, const double q0, const double q1,
                              const double q2, const double q3)
{
    vf32 numerator = f32_at_least(x, GELU_TANH_LEAST), v = f32_at_most(numerator, GELU_TANH_MOST);
    vf32 square = f32_mul(v, v), w0 = f32_set(GELU_TANH_W0);
    vf32 w = f32_muladd(f32_k(GELU_TANH_W1), square, w0);
    vf32 low = f32_muladd(f32_k(GELU_TANH_W1_LOW), square, f32_set(GELU_TANH_W0_LOW));
    if (!square_exact)
        low = f32_muladd(f32_k(GELU_TANH_W1), f32_mulerr(v, v, square), low);
    low = f32_add(f32_mulerr(square, f32_set(GELU_TANH_W1), f32_sub(w, w0)), low);
    vf32 t = f32_muladd(v, w, f32_set(F32_ROUND8));
    vf32 r = f32_mulerr(v, w, f32_sub(t, f32_k(F32_ROUND8)));
    vf32 q = exp_poly(f32_muladd(v, low, r), 0.69314718055994531, q0, q1, q2, q3);
    vf32 rest, a = logistic_sum(t, q, &rest);
    return logistic_unscale(f32_div(numerator, f32_add(a, rest)), x);
}

NL_INLINE vf32 gelu_tanh_any(vf32 x) { return gelu_tanh_with(x, 0, EXP_Q); }

/* One half has a result too close to the middle of two others. */
NL_INLINE vf32 gelu_tanh_for_f16(vf32 x)
{
    vf32 y = above_half(gelu_tanh_with(x, 1, GELU_TANH_Q_F16), x, ABOVE_HALF_F16);
    return f32_select(f32_eq(x, f32_set(0x1.5fp-10f)), f32_set(0x1.5f4p-11f), y);
}
/* x w rounded once is near enough here. */
NL_INLINE vf32 gelu_tanh_for_bf16(vf32 x)
{
    vf32 numerator = f32_at_least(x, GELU_TANH_LEAST), v = f32_at_most(numerator, GELU_TANH_MOST);
    vf32 w = f32_muladd(f32_k(GELU_TANH_W1), f32_mul(v, v), f32_set(GELU_TANH_W0));
    vf32 t = f32_muladd(v, w, f32_set(F32_ROUND8));
    vf32 r = f32_mulerr(v, w, f32_sub(t, f32_k(F32_ROUND8)));
    vf32 q = exp_poly(r, 0.69314718055994531, EXP_Q), sum = logistic_sum_short(t, q, LOGISTIC_ONE);
    return above_half(logistic_unscale(f32_div(numerator, sum), x), x, ABOVE_HALF_BF16);
}

/* ---- tanh, and gelu in part, by eight polynomials ----
 *
 * For a >= 0 the exponent and the first bit of a + first choose a segment, and in it
 * f(a) = c0 + r (c1 + r (c2 ...)) to c7 (for bfloat16 c4 or c5), r = a - m: m, c0, c1 .. are the
 * rows of a table. m is near the middle, where f(m) is very nearly a float, c0; the segment at 0
 * has m = c0 = 0. So the result has the rounding of the last sum, and a part of that of the one
 * before. The scripts tanh.sollya and gelu.sollya make the tables. */
NL_INLINE vf32 by_segments(const float (*table)[8], const int degree, vf32 a, float first)
{
    vi32 i = i32_shr(f32_as_i32(f32_add(a, f32_k(first))), 22);
    vf32 r = f32_sub(a, f32_lut8(lut8_set(table[0]), i)),
         y = f32_lut8(lut8_set(table[degree + 1]), i);
    for (int k = degree; k > 0; k--)
        y = f32_muladd(y, r, f32_lut8(lut8_set(table[k]), i));
    return y;
}

static const float tanh_table[9][8] = {
    {0x1.bfb4p0f, 0x1.6062p1f, 0x1.10b1p2f, 0x1.9003p2f, 0x1.049cp3f, 0.0f, 0x1.fdfp-2f,
     0x1.011p0f},
    {0x1.e1eaa8p-1f, 0x1.fbdb6p-1f, 0x1.ffcbdp-1f, 0x1.ffff06p-1f, 0x1.fffffap-1f, 0.0f,
     0x1.d7959cp-2f, 0x1.86d36ap-1f},
    {0x1.d33182p-4f, 0x1.08155ep-6f, 0x1.a165f4p-11f, 0x1.f3fa86p-17f, 0x1.6a2f54p-22f, 0x1p0f,
     0x1.936906p-1f, 0x1.ab572ap-2f},
    {-0x1.b7bb88p-4f, -0x1.05f25p-6f, -0x1.a18056p-11f, -0x1.f44d4ep-17f, -0x1.f3a6a8p-24f,
     -0x1.4adb7ep-25f, -0x1.7390e6p-2f, -0x1.4633eep-2f},
    {0x1.022a5cp-4f, 0x1.57986p-7f, 0x1.162f6ap-11f, 0x1.4d8dfp-17f, 0x1.d7b6ap-23f,
     -0x1.555494p-2f, -0x1.874f98p-4f, 0x1.aa388ap-4f},
    {-0x1.82aa8p-6f, -0x1.4c5e4cp-8f, -0x1.1280e4p-12f, -0x1.498572p-18f, -0x1.be4f02p-21f,
     -0x1.2a829ep-14f, 0x1.51bd64p-3f, 0x1.b6d7f8p-6f},
    {0x1.e5d1p-9f, 0x1.f0ad6p-10f, 0x1.b4b29ap-14f, 0x1.07967ap-19f, 0x1.6d0016p-24f,
     0x1.12b088p-3f, -0x1.b09e78p-6f, -0x1.77f134p-5f},
    {0x1.3b804cp-9f, -0x1.1d0e68p-11f, -0x1.4dd7fcp-15f, -0x1.971aa8p-21f, 0x1.315f9cp-21f,
     -0x1.164ed4p-8f, -0x1.97f89ap-5f, 0x1.29fbp-6f},
    {-0x1.0dfec2p-9f, 0x1.a5953cp-14f, 0x1.7da7e6p-17f, 0x1.d09b46p-23f, -0x1.89a1b6p-25f,
     -0x1.6c4f4p-5f, 0x1.a3149p-6f, 0x1.8d1a3ep-9f},
};

/* From 9.01 on the nearest float is 1. */
NL_INLINE vf32 tanh_any(vf32 x)
{
    return f32_copysign(by_segments(tanh_table, 7, f32_at_most(f32_abs(x), 9.0625f), 0.75f), x);
}

static const float tanh_table_bf16[6][8] = {
    {0x1.bfb4p0f, 0x1.6062p1f, 0x1.10b1p2f, 0x1.9003p2f, 0x1.049cp3f, 0.0f, 0x1.fdfp-2f,
     0x1.011p0f},
    {0x1.e1eaa8p-1f, 0x1.fbdb6p-1f, 0x1.ffcbdp-1f, 0x1.ffff06p-1f, 0x1.fffffap-1f, 0.0f,
     0x1.d7959cp-2f, 0x1.86d36ap-1f},
    {0x1.d2fb0ep-4f, 0x1.077fdep-6f, 0x1.8fc844p-11f, 0x1.de76fep-17f, 0x1.6a4e66p-22f, 0x1p0f,
     0x1.936cd6p-1f, 0x1.ab6442p-2f},
    {-0x1.b816bap-4f, -0x1.0580bap-6f, -0x1.91dda6p-11f, -0x1.e3de38p-17f, -0x1.15dccp-22f,
     0x1.721b2ap-12f, -0x1.737c92p-2f, -0x1.4652ap-2f},
    {0x1.06164cp-4f, 0x1.6af256p-7f, 0x1.5fcae6p-11f, 0x1.a6c0cap-17f, 0x1.0f5a56p-22f,
     -0x1.5e3d58p-2f, -0x1.8f36a4p-4f, 0x1.9c164p-4f},
    {-0x1.73219ap-6f, -0x1.5d0806p-8f, -0x1.5dfa8p-12f, -0x1.9d5c0cp-18f, -0x1.b744eep-23f,
     0x1.f6d7cep-5f, 0x1.490562p-3f, 0x1.ef217ap-6f},
};

NL_INLINE vf32 tanh_for_bf16(vf32 x)
{
    return f32_copysign(by_segments(tanh_table_bf16, 4, f32_at_most(f32_abs(x), 9.0625f), 0.75f),
                        x);
}

/* ---- gelu ----
 *
 * gelu(x) = max(x, 0) - h, h = a erfc(a / sqrt 2) / 2 = G(a) e^(-a^2 / 2), a = |x|: for x < 0 that
 * is accurate down to the last subnormal. G rises from 0 to 1 / sqrt(2 pi), slowly, and is made by
 * segments.
 *
 * e^(-a^2 / 2) = 2^k (1 + q), |r| <= ln 2 / 2, r taken from a^2 as a product that is not rounded.
 * Without exp's table, whose entry would be another factor to round: h is rounded once here, where
 * G has been before, and the power of two is exact. It is 2^32 times as large, and 0 where k is
 * below -158, so that nothing underflows before the last subtraction.
 *
 * q is (e^r - 1) to 2^-27.8, by gelu.sollya; here as a polynomial in -2 r. */
static const float gelu_table[9][8] = {
    {0x1.79cp0f, 0x1.4018p1f, 0x1.fc88p1f, 0x1.7d9p2f, 0x1.1fa8p3f, 0x1.9a5ep3f, 0.0f, 0x1.796p-1f},
    {0x1.3a4bfp-2f, 0x1.69d424p-2f, 0x1.8272bcp-2f, 0x1.8de104p-2f, 0x1.93a36ep-2f, 0x1.9613aap-2f,
     0.0f, 0x1.c89dd6p-3f},
    {0x1.27defcp-4f, 0x1.bef308p-6f, 0x1.33040ep-7f, 0x1.a83d5ap-9f, 0x1.0c58bap-10f,
     0x1.7edc3cp-12f, 0x1p-1f, 0x1.61dc64p-3f},
    {-0x1.3d2e38p-5f, -0x1.7852acp-7f, -0x1.81518ep-9f, -0x1.840f56p-11f, -0x1.5639e6p-13f,
     -0x1.5dfd8ep-15f, -0x1.98843ep-2f, -0x1.cc0486p-4f},
    {0x1.17b8b2p-6f, 0x1.0a828p-8f, 0x1.9f11bp-11f, 0x1.352718p-13f, 0x1.7fe224p-16f,
     0x1.1ad056p-18f, 0x1.fff9c4p-3f, 0x1.e1adep-5f},
    {-0x1.b0c1a4p-8f, -0x1.50f07ap-10f, -0x1.950182p-13f, -0x1.c4a508p-16f, -0x1.8e07eep-19f,
     -0x1.a9facp-22f, -0x1.100852p-3f, -0x1.b3cfep-6f},
    {0x1.301b32p-9f, 0x1.87cbbp-12f, 0x1.71bd26p-15f, 0x1.38f36cp-18f, 0x1.892eeep-22f,
     0x1.31ab72p-25f, 0x1.f87b58p-5f, 0x1.616db4p-7f},
    {-0x1.9a65fp-11f, -0x1.b6601cp-14f, -0x1.58e6ep-17f, -0x1.afc02p-21f, -0x1.a0c8cp-25f,
     -0x1.b9cabp-29f, -0x1.84874p-6f, -0x1.0949b6p-8f},
    {0x1.dc5f8ap-13f, 0x1.bafd82p-16f, 0x1.146adap-19f, 0x1.08a4e8p-23f, 0x1.860d56p-28f,
     0x1.3feep-32f, 0x1.73381ap-8f, 0x1.58e35ep-10f},
};

#define GELU_ROUND \
    (0x1.8p23f + 127.0f + 32.0f) /* adding it rounds; then k + 159 is in the low bits */

/* max(x, 0) - h, for h = g 2^k (1 + q) 2^-32 and t with k + 159 in its low bits */
NL_INLINE vf32 gelu_sum(vf32 x, vf32 g, vf32 t, vf32 q)
{
    g = f32_mul(g, i32_as_f32(i32_shl(f32_as_i32(t), 23)));
    /* x or -0: negative floats are the larger integers */
    vf32 positive = i32_as_f32(u32_min(f32_as_i32(x), i32_set(0x80000000u)));
    return f32_muladd(f32_k(-0x1p-32f), f32_muladd(g, q, g), positive);
}

NL_INLINE vf32 gelu_t(vf32 square)
{
    vf32 t = f32_muladd(f32_k(-0.5f * EXP_LOG2E), square, f32_set(GELU_ROUND));
    return f32_max(t, f32_k(0x1.8p23f));
}

NL_INLINE vf32 gelu_any(vf32 x)
{
    vf32 a = f32_at_most(f32_abs(x), 17.0f), t = gelu_t(f32_mul(a, a));
    vf32 n = f32_sub(t, f32_k(GELU_ROUND));
    /* a^2 + 2 n ln 2, ln 2 as for log; n has 8 bits */
    vf32 r = f32_mulerr(a, a, f32_mul(n, f32_k(-2 * LOG_LN2_HIGH)));
    r = f32_muladd(f32_k(2 * LOG_LN2_LOW), n, r);
    vf32 q = f32_muladd(f32_k(0x1.6d585p-16f), r, f32_set(-0x1.123e42p-12f));
    q = f32_muladd(q, r, f32_set(0x1.5554dep-9f));
    q = f32_muladd(q, r, f32_set(-0x1.55548ap-6f));
    q = f32_muladd(q, r, f32_set(0.125f));
    q = f32_mul(f32_muladd(q, r, f32_set(-0.5f)), r);
    return gelu_sum(x, by_segments(gelu_table, 7, a, 1.0f), t, q);
}

static const float gelu_table_bf16[7][8] = {
    {0x1.79cp+0f, 0x1.4018p+1f, 0x1.fc88p+1f, 0x1.7d9p+2f, 0x1.1fa8p+3f, 0x1.9a5ep+3f, 0.0f,
     0x1.796p-1f},
    {0x1.3a4bfp-2f, 0x1.69d424p-2f, 0x1.8271e4p-2f, 0x1.8de128p-2f, 0x1.93a36ep-2f, 0x1.9611ccp-2f,
     0.0f, 0x1.c89dd6p-3f},
    {0x1.27dee6p-4f, 0x1.bef34ep-6f, 0x1.3303c8p-7f, 0x1.a83d1ep-9f, 0x1.0c5bd8p-10f,
     0x1.7edc8cp-12f, 0x1.ffffb6p-2f, 0x1.61dc68p-3f},
    {-0x1.3cfe3ep-5f, -0x1.7838dap-7f, -0x1.80bef2p-9f, -0x1.83e2f2p-11f, -0x1.558658p-13f,
     -0x1.5de14p-15f, -0x1.98682p-2f, -0x1.cbfcf4p-4f},
    {0x1.169be6p-6f, 0x1.0a5d6ep-8f, 0x1.9e9f0ap-11f, 0x1.353726p-13f, 0x1.7e805cp-16f,
     0x1.1a5774p-18f, 0x1.fc7894p-3f, 0x1.e1b392p-5f},
    {-0x1.c256a6p-8f, -0x1.5a7adcp-10f, -0x1.b2ca34p-13f, -0x1.d723b4p-16f, -0x1.b24aaap-19f,
     -0x1.b92bbcp-22f, -0x1.f88118p-4f, -0x1.b9857p-6f},
    {0x1.331ebep-9f, 0x1.96df6cp-12f, 0x1.8674bep-15f, 0x1.3d0d56p-18f, 0x1.b52e4ap-22f,
     0x1.47daa2p-25f, 0x1.3375b4p-5f, 0x1.60038ap-7f},
};

/* a^2 is exact; e^r - 1 of degree 4 and G of degree 5, with coefficients found by trial near those
 * of gelu.sollya, so that every bfloat16 has the right result. */
NL_INLINE vf32 gelu_for_bf16(vf32 x)
{
    vf32 a = f32_at_most(f32_abs(x), 17.0f), square = f32_mul(a, a), t = gelu_t(square);
    vf32 r = f32_remainder(square, f32_sub(t, f32_k(GELU_ROUND)), -2 * EXP_LN2);
    vf32 q = f32_muladd(f32_k(0x1.55552cp-9f), r, f32_set(-0x1.555568p-6f));
    q = f32_muladd(q, r, f32_set(0x1.ffe56p-4f));
    q = f32_mul(f32_muladd(q, r, f32_set(-0.5f)), r);
    vf32 y = gelu_sum(x, by_segments(gelu_table_bf16, 5, a, 1.0f), t, q);
    return above_half(y, x, ABOVE_HALF_BF16);
}

NL_INLINE vf32 gelu_for_f16(vf32 x) { return above_half(gelu_any(x), x, ABOVE_HALF_F16); }

#endif
