#include "map.h"
#include "softmax.h"

/* ln 2, cut at 2^-11 and 2^-22 */
#define LN2_1 0x1.62cp-1f
#define LN2_2 0x1.214p-12f
#define LN2_3 0x1.fbe8e8p-23f

/* log(1 + z) for 0 <= z < 2^-5, to 2^-34 of its value. In double and without a fused operation: the
 * same everywhere. */
NL_INLINE double log1p_small(double z)
{
    const double s = z / (2.0 + z), w = s * s; /* 2 atanh s */
    return 2.0 * (s + s * (w * (1.0 / 3 + w * (1.0 / 5 + w * (1.0 / 7)))));
}

/* x - a - b with one rounding: the difference of x and a is made with its error. That takes three
 * additions if a is a multiple of the last place of x, or larger than x (`coarse`; a multiple of
 * 2^-11 is, for x above -2^13), else six. Some are written as products with `one`: many CPUs add in
 * other units than they multiply, and so use both. */
NL_INLINE vf32 minus_both(vf32 x, vf32 a, vf32 b, vf32 one, const int coarse)
{
    vf32 d = f32_sub(x, a), error;
    if (coarse) {
        error = f32_sub(x, f32_muladd(d, one, a));
    } else {
        vf32 minus_a = f32_sub(d, x); /* as far as it has come into d */
        error = f32_sub(f32_sub(x, f32_sub(d, minus_a)), f32_muladd(minus_a, one, a));
    }
    /* of an infinite d the error is NaN, and may become any number */
    return f32_add(d, f32_max_or(f32_muladd(error, one, f32_neg(b)), -64.0f));
}

NL_INLINE void subtract(float *y, const float *x, size_t n, vf32 a, vf32 b, const int coarse)
{
    /* 1, of which the compiler cannot know; NaN in every result if the sum is NaN */
    const vf32 one = f32_add(f32_sub(b, b), f32_set(1.0f));
    a = f32_mul(a, one);
#define DIFFERENCE(x) minus_both(x, a, b, one, coarse)
    MAP(f32, y, n, DIFFERENCE, MAP_OF_X, MAP_SINGLY)
#undef DIFFERENCE
}

/* One logit dominates: its result is -log(1 + others / top), tiny, and accurate only if the sum of
 * the others is made without it. */
NL_INLINE void dominated(float *y, const float *x, size_t n, FRAME_PARAMS, vf32 max, float top)
{
    const double others = softmax_sum(y, x, n, FRAME, SOFTMAX_OTHERS, f32_k(0.0f), &max);
    subtract(y, x, n, max, f32_set((float)log1p_small(others / top)), 0);
}

NL_INLINE void subtract_log(float *y, const float *x, size_t n, FRAME_PARAMS, vf32 max, double sum)
{
    max = f32_hmax(max);
    const float top = f32_first(softmax_term(max, FRAME)), s = (float)sum;
    if (sum <= top * (1 + 0x1p-6)) {
        dominated(y, x, n, FRAME, max, top);
        return;
    }
    /* the logarithm of the sum, relative to 2^K and to what the frame has subtracted */
    vf32 low, high = log_parts(f32_set(s), i32_set(0), &low);
    low = f32_add(low, f32_set((float)(sum - s) / s));
    if (!direct) {
        subtract(y, x, n, base, f32_add(high, low), 0);
        return;
    }
    /* + K ln 2, and in two parts, of which one is a multiple of 2^-11, as minus_both() asks. ln 2
     * is cut at 2^-11 and 2^-22: its products with K are exact, and so are sums of the first. */
    const vf32 k = frame_k(base, 1), round = f32_set(0x1.8p12f);
    vf32 coarse = f32_sub(f32_add(high, round), round);
    low = f32_add(f32_sub(high, coarse), low);
    low = f32_add(low, f32_muladd(k, f32_set(LN2_2), f32_mul(k, f32_set(LN2_3))));
    subtract(y, x, n, f32_muladd(k, f32_set(LN2_1), coarse), low, 1);
}

SOFTMAX_KERNEL(log_softmax, SOFTMAX_SUM, subtract_log)

nonlin_status KERNEL_NAME(log_softmax_f32)(float *y, const float *x, size_t n)
{
    return log_softmax(y, x, n);
}
