#include "map.h"
#include "softmax.h"

/* From this many elements on a row does not stay in cache and memory sets the time: its terms are
 * not kept but made twice, which is two readings and one writing. Not with four lanes, which take
 * longer than memory. The bits are the same. */
#define SOFTMAX_IS_LONG(n) (LANES32 > 4 && MAP_IS_LONG(x, n))

/* 1 / sum = high + low; with both, a row with one dominating logit gives exactly 1 there. Cut and
 * not rounded: the parts are known sooner. */
#define RECIPROCAL(sum)                                           \
    const double scale = 1.0 / sum, cut = leading_24_bits(scale); \
    const kf32 high = f32_k((float)cut), low = f32_k((float)(scale - cut));

NL_INLINE double leading_24_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~UINT64_C(0) << 29;
    memcpy(&x, &bits, sizeof x);
    return x;
}

NL_INLINE void scale_kept(float *y, const float *x, size_t n, FRAME_PARAMS, vf32 max, double sum)
{
    (void)x, (void)base, (void)minus_k23, (void)least_t, (void)direct, (void)max;
    RECIPROCAL(sum)
    f32_mul2_row(y, y, n, high, low);
}

NL_INLINE void scale_anew(float *y, const float *x, size_t n, FRAME_PARAMS, vf32 max, double sum)
{
    (void)max;
    RECIPROCAL(sum)
#define SCALED(x) f32_mul2(softmax_term(x, FRAME), high, low)
    MAP(f32, y, n, SCALED, MAP_OF_X, MAP_SINGLY)
#undef SCALED
}

SOFTMAX_KERNEL(softmax_cached, SOFTMAX_KEEP, scale_kept)
SOFTMAX_KERNEL(softmax_long, SOFTMAX_SUM, scale_anew)

/* A row of at most 64 elements stays in registers: of so short a one, much of the time would go
 * into storing terms and reading them again. The operations are the same and in the same order, so
 * the bits are. 0 if the row needs its maximum first. */
#define SOFTMAX_SHORT 64

NL_INLINE int softmax_short(float *y, const float *x, size_t n)
{
    const size_t lanes = LANES32;
    const float first = softmax_base(x, n);
    const vf32 base = f32_set(first);
    const kf32 limit = f32_k(first + SOFTMAX_SLACK);
    vf32 max = base;
    EACH_ZERO
#define TERM(lane, at) \
    if (n > (at))      \
        lane = softmax_part(y, x + (at), n - (at), FRAME_OF(base, 1), SOFTMAX_SUM, &max);
    EACH(TERM)
    if (!softmax_direct(first) || m32_any(f32_lt(limit, max)))
        return 0;
    RECIPROCAL(EACH_FOLD)
#define RESULT(lane, at)                                \
    if (n >= (at) + lanes)                              \
        f32_store(y + (at), f32_mul2(lane, high, low)); \
    else if (n > (at))                                  \
        f32_store_n(y + (at), f32_mul2(lane, high, low), n - (at));
    EACH(RESULT)
    return 1;
}

/* The same where softmax_block() is not unrolled: one vector stays in registers; of more, the terms
 * go to the stack. */
NL_INLINE int softmax_short_loop(float *y, const float *x, size_t n)
{
    const size_t lanes = LANES32;
    const float first = softmax_base(x, n);
    const vf32 base = f32_set(first);
    const kf32 limit = f32_k(first + SOFTMAX_SLACK);
    vf32 max = base;
    if (!softmax_direct(first))
        return 0;
    if (n <= 8 && n <= lanes) {
        const vf32 v = f32_load_n(x, n, -__builtin_inff());
        vf32 e = softmax_take(v, FRAME_OF(base, 1), SOFTMAX_SUM, &max);
        if (m32_any(f32_lt(limit, max)))
            return 0;
        RECIPROCAL(f32_fold8(e))
        f32_store_n(y, f32_mul2(e, high, low), n);
        return 1;
    }
    float terms[SOFTMAX_SHORT];
    size_t i = 0;
    for (; i < n; i += lanes) {
        vf32 e = softmax_part(y, x + i, n - i, FRAME_OF(base, 1), SOFTMAX_SUM, &max);
        f32_store(terms + i, e);
    }
    for (; i < SOFTMAX_SHORT; i += lanes)
        f32_store(terms + i, f32_set(0.0f));
    if (m32_any(f32_lt(limit, max)))
        return 0;
    RECIPROCAL(f32_fold64(terms))
    f32_mul2_row(y, terms, n, high, low);
    return 1;
}

nonlin_status KERNEL_NAME(softmax_f32)(float *y, const float *x, size_t n)
{
    if (n <= SOFTMAX_SHORT &&
        (SOFTMAX_UNROLLED ? softmax_short(y, x, n) : softmax_short_loop(y, x, n)))
        return NONLIN_OK;
    return __builtin_expect(SOFTMAX_IS_LONG(n), 0) ? softmax_long(y, x, n)
                                                   : softmax_cached(y, x, n);
}
