#include "map.h"
#include "softmax.h"

/* 1 / (sum + error) as the sum of two floats. */
NL_INLINE vf32 reciprocal(vf32 sum, vf32 error, vf32 *low)
{
    const vf32 one = f32_set(1.0f);
    vf32 s = f32_add(sum, error), rest = f32_sub(error, f32_sub(s, sum));
    vf32 r = f32_div(one, s);
    vf32 excess = f32_muladd(r, rest, f32_mulerr(r, s, one)); /* of r (sum + error) over 1 */
    *low = f32_neg(f32_mul(r, excess));
    return r;
}

/* y = e (scale + low): a row with one dominating logit gives exactly 1 there */
NL_INLINE void multiply(float *y, size_t n, vf32 scale, vf32 low)
{
    const size_t lanes = LANES32;
    size_t i = 0;
    NL_UNROLL(4)
    for (; i + lanes <= n; i += lanes)
        f32_store(y + i, f32_mul2(f32_load(y + i), scale, low));
    if (i < n)
        f32_store_n(y + i, f32_mul2(f32_load_n(y + i, n - i, 0.0f), scale, low), n - i);
}

/* Maximum; terms into y and their sum; scale: quickest while the row stays in cache. */
NL_INLINE void three_passes(float *y, const float *x, size_t n, FRAME_PARAMS)
{
    vf32 sum = f32_set(0.0f), error = sum, low;
    softmax_add(y, x, n, FRAME, SOFTMAX_KEEP, &sum, &error, NULL, NULL);
    vf32 scale = reciprocal(sum, error, &low);
    multiply(y, n, scale, low);
}

/* Beyond, memory sets the time: the sum in one reading, the terms a second time in another, written scaled. */
NL_INLINE void terms_scaled(float *y, const float *x, size_t n, FRAME_PARAMS, vf32 sum, vf32 error)
{
    vf32 low, scale = reciprocal(sum, error, &low);
#define SCALED(x) f32_mul2(softmax_term(x, FRAME), scale, low)
    MAP_F32(y, x, n, SCALED)
#undef SCALED
}

NL_INLINE void two_passes(float *y, const float *x, size_t n)
{
    vf32 sum, error, max;
    max = softmax_online(x, n, &sum, &error);
    if (softmax_direct(f32_first(max)))
        terms_scaled(y, x, n, FRAME_OF(max, 1), sum, error);
    else
        terms_scaled(y, x, n, FRAME_OF(max, 0), sum, error);
}

nonlin_status KERNEL_NAME(softmax_f32)(float *y, const float *x, size_t n)
{
    if (__builtin_expect(n > SOFTMAX_CACHED, 0)) {
        two_passes(y, x, n);
        return NONLIN_OK;
    }
    const vf32 max = softmax_max(x, n);
    if (__builtin_expect(softmax_direct(f32_first(max)), 1))
        three_passes(y, x, n, FRAME_OF(max, 1));
    else
        three_passes(y, x, n, FRAME_OF(max, 0));
    return NONLIN_OK;
}
