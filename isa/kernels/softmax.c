#include "softmax.h"

nonlin_status KERNEL_NAME(softmax_f32)(float *y, const float *x, size_t n)
{
    const size_t lanes = LANES32;
    const float max = softmax_max(x, n);
    const double scale = 1.0 / softmax_sum(y, x, n, softmax_frame_of(max), max, SOFTMAX_KEEP);
    const vf32 hi = f32_set((float)scale), lo = f32_set((float)(scale - (float)scale));
    size_t i = 0;
    NL_UNROLL(4)
    for (; i + lanes <= n; i += lanes)
        f32_store(y + i, f32_mul2(f32_load(y + i), hi, lo));
    if (i < n)
        f32_store_n(y + i, f32_mul2(f32_load_n(y + i, n - i, 0.0f), hi, lo), n - i);
    return NONLIN_OK;
}
