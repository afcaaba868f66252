/* What the elementwise kernels compute, each function twice: in double, for the bulk of the floats,
 * and by MPFR, for whatever comes near a bound or a border, for all elements of 16 bits, and to
 * check the former.
 *
 * The functions in double are within 2^-45 of their value, 2^-21 ULP of a float; what is below
 * 2^-200, which no float feels, may be a zero of the same sign. */
#ifndef NL_TEST_ORACLES_H
#define NL_TEST_ORACLES_H

#include "types.h"

#include <math.h>
#include <mpfr.h>

enum { PRECISION = 192 }; /* of results; what is composed here is made with GUARD bits more */
enum { GUARD = 64 };

/* An approximation by contract, of 16 bits: its results to the bit; how far it may be from the
 * function, and how far down it may step where that ascends, for x > 0. */
typedef struct {
    uint32_t (*wanted)(uint32_t x);
    double bound, step;
} approximation;

typedef struct {
    double (*bulk)(double);
    int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    double bound;       /* of floats, ULP */
    double least, most; /* the range, which rounding does not leave */
    const approximation *approximation;
    double product; /* of a kernel that multiplies by f: the bound, where f(x) is normal */
} oracle;

/* ---- In double ------------------------------------------------------------------------------ */

/* Past the cuts, f(x) is x or 1, or -0 or +0, to 2^-200. That is far quicker than to underflow. */

/* raises no flag, which would take most of the time */
static double log_or_nan(double x) { return x < 0 ? (double)NAN : log(x); }

static double sigmoid(double x)
{
    if (fabs(x) > 150)
        return x > 0;
    return 1 / (1 + exp(-x));
}

static double silu(double x)
{
    if (fabs(x) > 150)
        return x > 0 ? x : -0.0;
    return x / (1 + exp(-x));
}

/* x erfc(y) / 2, y = -x / sqrt 2. y's rounding would be the relative error 2 y^2 times as large, up
 * to 2^-44: it is known, and made good. */
static double gelu(double x)
{
    const double high = 0x1.6a09e667f3bcdp-1, low = -0x1.bdd3413b26456p-55; /* sqrt(1/2) */
    if (fabs(x) > 20)
        return x > 0 ? x : -0.0;
    const double y = -x * high, tail = erfc(y);
    return x / 2 * (y < 1 ? tail : tail + tail * 2 * y * (fma(x, high, y) + x * low));
}

/* x / (1 + e^-u), u = x (p + q x^2), for an x of 24 bits, whose square is exact; e^-u would make
 * the rounding errors of u up to 104 times as large, so they are made good. */
static double gelu_tanh(double x)
{
    const double p = 0x1.9884533d43651p+0, p_low = -0x1.cbc0d30ebfd15p-54; /* 2 sqrt(2 / pi) */
    const double q = 0x1.2444f2a4d8b4bp-4, q_low = -0x1.6c843a29d1c7p-61;  /* .044715 p */
    if (fabs(x) > 20)
        return x > 0 ? x : -0.0;
    const double square = x * x, product = q * square, sum = p + product, u = x * sum;
    const double other = sum - product; /* TwoSum, as either may be the larger one */
    double low = (p - other) + (product - (sum - other));
    low += fma(q, square, -product) + p_low + q_low * square;
    low = fma(x, sum, -u) + x * low;
    const double e = exp(-u);
    return x / (1 + (e - e * low));
}

/* ---- By MPFR -------------------------------------------------------------------------------- */

/* y = numerator / (1 + e^t), numerator / infinity being a zero. Changes both. */
static int over_one_plus_exp(mpfr_t y, mpfr_t numerator, mpfr_t t, mpfr_rnd_t round)
{
    mpfr_exp(t, t, MPFR_RNDN);
    mpfr_add_ui(t, t, 1, MPFR_RNDN);
    if (mpfr_inf_p(t) && mpfr_inf_p(numerator))
        mpfr_set_zero(numerator, mpfr_sgn(numerator));
    const int inexact = mpfr_div(y, numerator, t, round);
    mpfr_clears(numerator, t, (mpfr_ptr)0);
    return inexact;
}

static int exact_sigmoid(mpfr_t y, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_t one, t;
    mpfr_inits2(mpfr_get_prec(y) + GUARD, one, t, (mpfr_ptr)0);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfr_neg(t, x, MPFR_RNDN);
    return over_one_plus_exp(y, one, t, round);
}

static int exact_silu(mpfr_t y, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_t numerator, t;
    mpfr_inits2(mpfr_get_prec(y) + GUARD, numerator, t, (mpfr_ptr)0);
    mpfr_set(numerator, x, MPFR_RNDN);
    mpfr_neg(t, x, MPFR_RNDN);
    return over_one_plus_exp(y, numerator, t, round);
}

static int exact_gelu_tanh(mpfr_t y, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_t numerator, t, factor;
    mpfr_inits2(mpfr_get_prec(y) + GUARD, numerator, t, factor, (mpfr_ptr)0);
    mpfr_set(numerator, x, MPFR_RNDN);
    mpfr_pow_ui(t, x, 3, MPFR_RNDN);
    mpfr_mul_ui(t, t, 44715, MPFR_RNDN);
    mpfr_div_ui(t, t, 1000000, MPFR_RNDN);
    mpfr_add(t, t, x, MPFR_RNDN);
    mpfr_const_pi(factor, MPFR_RNDN);
    mpfr_ui_div(factor, 8, factor, MPFR_RNDN);
    mpfr_sqrt(factor, factor, MPFR_RNDN);
    mpfr_mul(t, t, factor, MPFR_RNDN);
    mpfr_neg(t, t, MPFR_RNDN);
    mpfr_clear(factor);
    return over_one_plus_exp(y, numerator, t, round);
}

static int exact_gelu(mpfr_t y, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_t tail, half;
    mpfr_inits2(mpfr_get_prec(y) + GUARD, tail, half, (mpfr_ptr)0);
    mpfr_sqrt_ui(tail, 2, MPFR_RNDN);
    mpfr_div(tail, x, tail, MPFR_RNDN);
    mpfr_neg(tail, tail, MPFR_RNDN);
    mpfr_erfc(tail, tail, MPFR_RNDN);
    mpfr_div_2ui(half, x, 1, MPFR_RNDN);
    if (mpfr_zero_p(tail) && mpfr_inf_p(half))
        mpfr_set_zero(half, -1);
    const int inexact = mpfr_mul(y, half, tail, round);
    mpfr_clears(tail, half, (mpfr_ptr)0);
    return inexact;
}

/* ---- Rounded to 16 bits --------------------------------------------------------------------- */

/* The bits of the number nearest to y, ties to even: rounded once, subnormals too. */
static uint32_t nearest(const dtype *t, const mpfr_t y)
{
    if (mpfr_nan_p(y))
        return t->infinity | t->quiet;
    const uint32_t sign = mpfr_signbit(y) ? t->sign : 0;
    if (mpfr_zero_p(y))
        return sign;
    const int least = 1 - bias(t);
    if (mpfr_inf_p(y) || mpfr_get_exp(y) - 1 > bias(t))
        return sign | t->infinity;
    const int e = mpfr_get_exp(y) - 1 < least ? least : (int)mpfr_get_exp(y) - 1;
    mpfr_t digits;
    mpfr_init2(digits, mpfr_get_prec(y));
    mpfr_mul_2si(digits, y, fraction_bits(t) - e, MPFR_RNDN);
    mpfr_rint(digits, digits, MPFR_RNDN);
    mpfr_abs(digits, digits, MPFR_RNDN);
    /* the leading digit, where there is one, adds 1 to the exponent, as does rounding up to it */
    const uint32_t magnitude =
        ((uint32_t)(e - least) << fraction_bits(t)) + (uint32_t)mpfr_get_ui(digits, MPFR_RNDN);
    mpfr_clear(digits);
    return sign | magnitude;
}

/* The same of f(x), y being f(x) but for the rounding to PRECISION bits. False if that leaves it
 * open: there is no such x, as the nearest to a tie are silu's and gelu's least, 2^-134 from it. */
static bool nearest_is_certain(const dtype *t, const mpfr_t y)
{
    mpfr_t other;
    mpfr_init2(other, PRECISION);
    bool certain = true;
    for (int side = -1; side <= 1; side += 2) {
        mpfr_set_si_2exp(other, side, -170, MPFR_RNDN);
        mpfr_add_ui(other, other, 1, MPFR_RNDN);
        mpfr_mul(other, other, y, MPFR_RNDN);
        certain = certain && nearest(t, other) == nearest(t, y);
    }
    mpfr_clear(other);
    return certain;
}

/* nonlin.h's formula in double, which holds all its sums exactly; halves as written for MNN. */
static uint32_t silu_pwl(uint32_t bits)
{
    static const double borders[] = {.25, .5, 1, 1.5, 3.5, 5, 6};
    static const uint16_t slope[] = {0x387f, 0x3976, 0x3ab8, 0x3bed,
                                     0x3c58, 0x3c2f, 0x3c13, 0x3c06};
    static const uint16_t bias[] = {0x0000, 0xa816, 0xaf57, 0xb436, 0xb67a, 0xb422, 0xaffd, 0xaa33};
    const dtype *t = &dtype_f16;
    const double x = decode(t, bits), magnitude = fabs(x);
    if (isnan(x) || x == 0 || x >= 8)
        return isnan(x) ? encode(t, x) : bits;
    if (x <= -8)
        return encode(t, -0.0);
    size_t s = 0;
    while (s < sizeof borders / sizeof *borders && magnitude >= borders[s])
        s++;
    return encode(t, (decode(t, slope[s]) - (x < 0)) * magnitude + decode(t, bias[s]));
}

/* ---- The oracles ---------------------------------------------------------------------------- */

/* A line for each op of class MAP. */
#define ANY -INFINITY, INFINITY
static const oracle oracle_exp = {exp, mpfr_exp, 1.0, 0, INFINITY, NULL, 0};
static const oracle oracle_log = {log_or_nan, mpfr_log, 1.0, ANY, NULL, 0};
static const oracle oracle_sigmoid = {sigmoid, exact_sigmoid, 2.0, 0, 1, NULL, 0};
static const oracle oracle_tanh = {tanh, mpfr_tanh, 1.5, -1, 1, NULL, 0};
static const oracle oracle_gelu = {gelu, exact_gelu, 2.5, ANY, NULL, 0};
static const oracle oracle_gelu_tanh = {gelu_tanh, exact_gelu_tanh, 2.5, ANY, NULL, 0};
static const oracle oracle_silu = {silu, exact_silu, 2.0, ANY, NULL, 0};

/* the error of 65504 and more is 0; the step is 17/4096 */
static const approximation silu_pwl_contract = {silu_pwl, .0063286, 0x1.1p-8};
static const oracle oracle_silu_pwl = {silu, exact_silu, 0, ANY, &silu_pwl_contract, 0};

/* Of class MAP2: what the first source is multiplied by. */
static const oracle oracle_mulsilu = {silu, exact_silu, 2.0, ANY, NULL, 2.5};
#undef ANY

#endif
