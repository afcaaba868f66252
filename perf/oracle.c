#include "oracle.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Terms of a softmax that are smaller than this part of the greatest may count as zero (2^-125, and
 * the half that rounding an exponent can make). */
#define NEGLIGIBLE -85.9L /* natural logarithm of 2^-124 */

/* In units in the last place of the exact result. */
static double ulps(float got, long double exact)
{
    int e;
    if (isnan(got) || isnan(exact))
        return isnan(got) && isnan(exact) ? 0 : INFINITY;
    if ((long double)got == exact)
        return 0;
    if (isinf(exact))
        return INFINITY;
    if (isinf(got)) /* right where the nearest float is infinite */
        return fabsl(exact) >= 0x1.ffffffp127L && (got > 0) == (exact > 0) ? 0 : INFINITY;
    frexpl(exact, &e); /* 2^(e-1) <= |exact| < 2^e */
    return (double)(fabsl(got - exact) / ldexpl(1, (e < -125 ? -125 : e) - FLT_MANT_DIG));
}

static double distance(float got, long double exact)
{
    if (isnan(got) || isnan(exact))
        return isnan(got) && isnan(exact) ? 0 : INFINITY;
    return (long double)got == exact ? 0 : (double)fabsl(got - exact);
}

static void note(oracle_error *e, double error, size_t at, float got)
{
    e->nan += isnan(got) && error == 0;
    if (error > e->worst) {
        e->worst = error;
        e->at = at;
    }
}

static long double sigmoid(long double x) { return 1 / (1 + expl(-x)); }

/* x / (1 + e^-u); u = -inf takes x along */
static long double gated(long double x, long double u)
{
    return u == -INFINITY ? -0.0L : x / (1 + expl(-u));
}

static long double silu(long double x) { return gated(x, x); }

static long double gelu(long double x)
{
    const long double sqrt_half = 0.707106781186547524400844362104849039L;
    return x == -INFINITY ? -0.0L : x / 2 * erfcl(-x * sqrt_half);
}

static long double gelu_tanh(long double x)
{
    const long double sqrt_8_over_pi = 1.59576912160573071175978423973752747L;
    return gated(x, sqrt_8_over_pi * (x + .044715L * x * x * x));
}

static const struct {
    const char *op;
    long double (*f)(long double);
} maps[] = {{"exp", expl},  {"log", logl},  {"sigmoid", sigmoid},    {"tanh", tanhl},
            {"silu", silu}, {"gelu", gelu}, {"gelu_tanh", gelu_tanh}};

static oracle_error map(long double (*f)(long double), const float *y, const float *x, size_t n)
{
    oracle_error e = {.unit = "ULP"};
    for (size_t i = 0; i < n; i++)
        note(&e, ulps(y[i], f(x[i])), i, y[i]);
    return e;
}

static oracle_error mulsilu(const float *y, const float *u, const float *g, size_t n)
{
    oracle_error e = {.unit = "ULP"};
    for (size_t i = 0; i < n; i++)
        note(&e, ulps(y[i], u[i] * silu(g[i])), i, y[i]);
    return e;
}

static void softmax_row(oracle_error *e, const float *y, const float *x, size_t n, size_t at)
{
    long double max = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++)
        max = fmaxl(max, x[i]);
    for (size_t i = 0; i < n; i++) /* inf - inf and NaN make it NaN, as they should */
        sum += expl(x[i] - max);
    for (size_t i = 0; i < n; i++) {
        long double below = x[i] - max;
        double error = ulps(y[i], expl(below) / sum);
        note(e, y[i] == 0 && below < NEGLIGIBLE ? 0 : error, at + i, y[i]);
    }
}

static void log_softmax_row(oracle_error *e, const float *y, const float *x, size_t n, size_t at)
{
    long double max = -INFINITY, others = 0;
    size_t first = 0;
    for (size_t i = 0; i < n; i++)
        if (x[i] > max) {
            max = x[i];
            first = i;
        }
    for (size_t i = 0; i < n; i++)
        if (i != first || !isfinite(x[i]))
            others += expl(x[i] - max);
    for (size_t i = 0; i < n; i++)
        note(e, distance(y[i], (x[i] - max) - log1pl(others)), at + i, y[i]);
}

static size_t first_greatest(const float *x, size_t n)
{
    size_t best = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            return i;
        if (x[i] > x[best])
            best = i;
    }
    return best;
}

oracle_error oracle_check(const work_kernel *k, const void *y, const float *x, size_t rows,
                          size_t cols)
{
    oracle_error e = {0};
    if (!strcmp(k->op, "mulsilu"))
        return mulsilu(y, x, x + rows * cols, rows * cols);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (!strcmp(k->op, maps[i].op))
            return map(maps[i].f, y, x, rows * cols);
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * cols;
        if (!strcmp(k->op, "softmax")) {
            e.unit = "ULP";
            softmax_row(&e, (const float *)y + r * cols, row, cols, r * cols);
        } else if (!strcmp(k->op, "log_softmax")) {
            e.unit = "absolute";
            log_softmax_row(&e, (const float *)y + r * cols, row, cols, r * cols);
        } else if (!strcmp(k->op, "argmax")) {
            e.unit = "wrong rows";
            bool wrong = (size_t)((const int32_t *)y)[r] != first_greatest(row, cols);
            if (wrong && e.worst++ == 0)
                e.at = r;
        }
    }
    return e;
}
