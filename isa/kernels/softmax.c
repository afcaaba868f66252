#include "map.h"
#include "softmax.h"

/* y = e (high + low), a reciprocal in two parts: a row with one dominating logit gives exactly 1 there. */
NL_INLINE void multiply(float *y, size_t n, vf32 high, vf32 low)
{
    const size_t lanes = LANES32;
    size_t i = 0;
    NL_UNROLL(4)
    for (; i + lanes <= n; i += lanes)
        f32_store(y + i, f32_mul2(f32_load(y + i), high, low));
    if (i < n)
        f32_store_n(y + i, f32_mul2(f32_load_n(y + i, n - i, 0.0f), high, low), n - i);
}

/* Maximum; terms into y, and their sum; scale: quickest while the row stays in cache. */
NL_INLINE void three_passes(float *y, const float *x, size_t n, FRAME_PARAMS)
{
    const double scale = 1.0 / softmax_sum(y, x, n, FRAME, SOFTMAX_KEEP);
    const vf32 high = f32_set((float)scale), low = f32_set((float)(scale - (float)scale));
    multiply(y, n, high, low);
}

/* Beyond, memory sets the time: the sum in one reading, the terms once more in another, written scaled. */
NL_INLINE void two_passes(float *y, const float *x, size_t n, FRAME_PARAMS, double sum)
{
    const double scale = 1.0 / sum;
    const vf32 high = f32_set((float)scale), low = f32_set((float)(scale - (float)scale));
#define SCALED(x) f32_mul2(softmax_term(x, FRAME), high, low)
    MAP_F32(y, x, n, SCALED)
#undef SCALED
}

nonlin_status KERNEL_NAME(softmax_f32)(float *y, const float *x, size_t n)
{
    if (__builtin_expect(n > SOFTMAX_CACHED, 0)) {
        double sum;
        const vf32 max = softmax_online(x, n, &sum);
        if (softmax_direct(f32_first(max)))
            two_passes(y, x, n, FRAME_OF(max, 1), sum);
        else
            two_passes(y, x, n, FRAME_OF(max, 0), sum);
        return NONLIN_OK;
    }
    const vf32 max = softmax_max(x, n);
    if (__builtin_expect(softmax_direct(f32_first(max)), 1))
        three_passes(y, x, n, FRAME_OF(max, 1));
    else
        three_passes(y, x, n, FRAME_OF(max, 0));
    return NONLIN_OK;
}
