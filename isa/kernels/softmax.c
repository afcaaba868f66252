#include "map.h"
#include "softmax.h"

/* Longer rows do not stay in the caches of a core, and memory sets the time: their terms are not kept but made
 * twice, which is two readings and one writing. The bits are the same. */
#define SOFTMAX_CACHED ((size_t)1 << 20)

/* y = e (high + low), 1 / sum in two parts: a row with one dominating logit gives exactly 1 there. */
#define RECIPROCAL(sum)                                                                            \
    const double scale = 1.0 / sum;                                                                \
    const vf32 high = f32_set((float)scale), low = f32_set((float)(scale - (float)scale));

NL_INLINE void scale_kept(float *y, const float *x, size_t n, FRAME_PARAMS, vf32 max, double sum)
{
    (void)x, (void)base, (void)minus_k23, (void)least_t, (void)direct, (void)max;
    RECIPROCAL(sum)
#define SCALED(e) f32_mul2(e, high, low)
    MAP_F32_LOOP(y, y, n, SCALED, f32_store)
#undef SCALED
}

NL_INLINE void scale_anew(float *y, const float *x, size_t n, FRAME_PARAMS, vf32 max, double sum)
{
    (void)max;
    RECIPROCAL(sum)
#define SCALED(x) f32_mul2(softmax_term(x, FRAME), high, low)
    MAP_F32(y, x, n, SCALED)
#undef SCALED
}

SOFTMAX_KERNEL(softmax_cached, SOFTMAX_KEEP, scale_kept)
SOFTMAX_KERNEL(softmax_long, SOFTMAX_SUM, scale_anew)

nonlin_status KERNEL_NAME(softmax_f32)(float *y, const float *x, size_t n)
{
    if (__builtin_expect(n <= SOFTMAX_CACHED, 1))
        softmax_cached(y, x, n);
    else
        softmax_long(y, x, n);
    return NONLIN_OK;
}
