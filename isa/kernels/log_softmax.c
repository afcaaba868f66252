#include "softmax.h"

/* log(1 + z), z > -.4, to 2^-34 of its value. In double, without a fused operation: the same everywhere. */
NL_INLINE double log1p_scalar(double z)
{
    double k = 0.0, s;
    uint64_t bits;
    double u = 1.0 + z;
    if (u < 1.4142135) {
        s = z / (2.0 + z);
    } else {
        memcpy(&bits, &u, sizeof bits);
        const uint64_t from = bits - 0x3fe6a09e00000000u; /* mantissa from 1/sqrt 2 */
        k = (double)(int64_t)(from >> 52);
        bits -= from & 0xfff0000000000000u;
        memcpy(&u, &bits, sizeof u);
        s = (u - 1.0) / (u + 1.0);
    }
    /* 2 atanh s */
    const double w = s * s;
    double p = 1.0 / 13;
    p = p * w + 1.0 / 11;
    p = p * w + 1.0 / 9;
    p = p * w + 1.0 / 7;
    p = p * w + 1.0 / 5;
    p = p * w + 1.0 / 3;
    return k * 0x1.62e42fefa39efp-1 + 2.0 * (s + s * (w * p));
}

/* x - a - b with one rounding. The difference d of x and a is made with its error; that takes three additions if a
 * is a multiple of the last place of x, or larger than x (`short_a`), else six. An infinite d is the result. */
NL_INLINE vf32 minus_two(vf32 x, vf32 a, vf32 b, const int short_a)
{
    vf32 d = f32_sub(x, a), error;
    if (short_a) {
        error = f32_sub(x, f32_add(d, a));
    } else {
        vf32 minus_a = f32_sub(d, x); /* as far as it has come into d */
        error = f32_sub(f32_sub(x, f32_sub(d, minus_a)), f32_add(a, minus_a));
    }
    return f32_select(f32_lt(f32_set(-__builtin_inff()), d), f32_add(d, f32_sub(error, b)), d);
}

NL_INLINE void subtract(float *y, const float *x, size_t n, float a, float b, const int short_a)
{
    const size_t lanes = LANES32;
    const vf32 va = f32_set(a), vb = f32_set(b);
    size_t i = 0;
    NL_UNROLL(2)
    for (; i + lanes <= n; i += lanes)
        f32_store(y + i, minus_two(f32_load(x + i), va, vb, short_a));
    if (i < n)
        f32_store_n(y + i, minus_two(f32_load_n(x + i, n - i, 0.0f), va, vb, short_a), n - i);
}

nonlin_status KERNEL_NAME(log_softmax_f32)(float *y, const float *x, size_t n)
{
    const float max = softmax_max(x, n);
    const softmax_frame frame = softmax_frame_of(max);
    const double sum = softmax_sum(NULL, x, n, frame, max, SOFTMAX_DROP);
    float top;
    f32_store_n(&top, softmax_term(f32_set(max), f32_set(frame.shift), f32_set(frame.round),
                                   f32_set(max), SOFTMAX_DROP), 1);

    if (!(sum > top * (1 + 0x1p-6))) {
        /* One logit dominates: its result is -log(1 + others / top), tiny, and accurate only if the sum of the
         * others is made without it. */
        const double others = softmax_sum(NULL, x, n, frame, max, SOFTMAX_OTHERS);
        subtract(y, x, n, max, (float)log1p_scalar(others / top), 0);
        return NONLIN_OK;
    }
    const double log_sum = log1p_scalar(sum - 1.0) + frame.k * 0x1.62e42fefa39efp-1;
    if (frame.shift != 0.0f) {
        subtract(y, x, n, max, (float)log_sum, 0);
        return NONLIN_OK;
    }
    /* Multiples of 2^-11 are multiples of the last place of any |x| <= 2^12 */
    const float coarse = (float)((log_sum + 0x1.8p41) - 0x1.8p41);
    subtract(y, x, n, coarse, (float)(log_sum - coarse), 1);
    return NONLIN_OK;
}
