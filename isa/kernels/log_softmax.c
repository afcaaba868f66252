#include "map.h"
#include "softmax.h"

/* log(1 + z), z > -.4, to 2^-34 of its value. In double and without a fused operation: the same everywhere. */
NL_INLINE double log1p_scalar(double z)
{
    double u = 1.0 + z, k = 0.0, s;
    if (u < 1.4142135) {
        s = z / (2.0 + z);
    } else {
        uint64_t bits;
        memcpy(&bits, &u, sizeof bits);
        const uint64_t from = bits - 0x3fe6a09e00000000u; /* mantissa from 1 / sqrt 2 on */
        k = (double)(int64_t)(from >> 52);
        bits -= from & 0xfff0000000000000u;
        memcpy(&u, &bits, sizeof u);
        s = (u - 1.0) / (u + 1.0);
    }
    /* 2 atanh s, |s| < .172 */
    const double w = s * s;
    double p = 1.0 / 13;
    p = p * w + 1.0 / 11;
    p = p * w + 1.0 / 9;
    p = p * w + 1.0 / 7;
    p = p * w + 1.0 / 5;
    p = p * w + 1.0 / 3;
    return k * 0x1.62e42fefa39efp-1 + 2.0 * (s + s * (w * p));
}

/* x - a - b with one rounding: the difference of x and a is made with its error. That takes three additions if a
 * is a multiple of the last place of x or of larger exponent (`coarse`), else six. -inf stays. */
NL_INLINE vf32 minus_both(vf32 x, vf32 a, vf32 b, const int coarse)
{
    vf32 d = f32_sub(x, a), error;
    if (coarse) {
        error = f32_sub(x, f32_add(d, a));
    } else {
        vf32 minus_a = f32_sub(d, x); /* as far as it has come into d */
        error = f32_sub(f32_sub(x, f32_sub(d, minus_a)), f32_add(a, minus_a));
    }
    vf32 y = f32_add(d, f32_sub(error, b));
    return f32_select(f32_eq(d, f32_set(-__builtin_inff())), d, y);
}

NL_INLINE void subtract(float *y, const float *x, size_t n, double a, double b, const int coarse)
{
    const vf32 va = f32_set((float)a), vb = f32_set((float)b);
#define DIFFERENCE(x) minus_both(x, va, vb, coarse)
    MAP_F32(y, x, n, DIFFERENCE)
#undef DIFFERENCE
}

NL_INLINE void from_sum(float *y, const float *x, size_t n, FRAME_PARAMS, vf32 sum, vf32 error)
{
    const double m = (double)f32_first(max), s = (double)f32_first(sum) + f32_first(error);
    const double top = f32_first(softmax_term(max, FRAME));

    if (s <= top * (1 + 0x1p-6)) {
        /* One logit dominates: its result is -log(1 + others / top), tiny, and accurate only if the sum of the
         * others is made without it. */
        vf32 others = f32_set(0.0f), lost = others;
        softmax_add(NULL, x, n, FRAME, SOFTMAX_OTHERS, &others, &lost, NULL, NULL);
        const double rest = (double)f32_first(others) + f32_first(lost);
        subtract(y, x, n, m, log1p_scalar(rest / top), 0);
        return;
    }
    /* log of the sum of e^x, less what the frame has subtracted */
    const double k = f32_first(f32_sub(frame_t(max, direct), f32_set(FRAME_RINT)));
    const double log_sum = log1p_scalar(s - 1.0) + k * 0x1.62e42fefa39efp-1;
    if (direct) {
        /* a multiple of 2^-11 is a multiple of the last place of any |x| <= 2^12 */
        const double coarse = (log_sum + 0x1.8p41) - 0x1.8p41;
        subtract(y, x, n, coarse, log_sum - coarse, 1);
    } else {
        subtract(y, x, n, m, log_sum, 0);
    }
}

NL_INLINE void in_cache(float *y, const float *x, size_t n, FRAME_PARAMS)
{
    vf32 sum = f32_set(0.0f), error = sum;
    softmax_add(NULL, x, n, FRAME, SOFTMAX_SUM, &sum, &error, NULL, NULL);
    from_sum(y, x, n, FRAME, sum, error);
}

nonlin_status KERNEL_NAME(log_softmax_f32)(float *y, const float *x, size_t n)
{
    vf32 sum, error;
    if (__builtin_expect(n > SOFTMAX_CACHED, 0)) {
        const vf32 max = softmax_online(x, n, &sum, &error);
        if (softmax_direct(f32_first(max)))
            from_sum(y, x, n, FRAME_OF(max, 1), sum, error);
        else
            from_sum(y, x, n, FRAME_OF(max, 0), sum, error);
        return NONLIN_OK;
    }
    const vf32 max = softmax_max(x, n);
    if (__builtin_expect(softmax_direct(f32_first(max)), 1))
        in_cache(y, x, n, FRAME_OF(max, 1));
    else
        in_cache(y, x, n, FRAME_OF(max, 0));
    return NONLIN_OK;
}
