/* What softmax and log-softmax share: the frame of a row, and the sum of its terms in the fixed order. */
#ifndef NL_SOFTMAX_H
#define NL_SOFTMAX_H

#include "vmath.h"

/* The 32 virtual lanes of a sum are 32 / LANES32 vectors, a0 .. a7: vectors of unknown length fit in no
 * array, so they have names. EACH(OP) does OP for each of them. */
#define EACH(OP)                                                                                   \
    OP(0)                                                                                          \
    if (LANES32 < 32) {                                                                            \
        OP(1)                                                                                      \
    }                                                                                              \
    if (LANES32 < 16) {                                                                            \
        OP(2) OP(3)                                                                                \
    }                                                                                              \
    if (LANES32 < 8) {                                                                             \
        OP(4) OP(5) OP(6) OP(7)                                                                    \
    }

#define SOFTMAX_BLOCK 512

/* What a row is taken relative to: terms are e^(x - shift) 2^-K with round = F32_ROUND8 - K. */
typedef struct {
    float shift, round, k;
} softmax_frame;

NL_INLINE softmax_frame softmax_frame_of(float max)
{
    const float rint = 0x1.8p23f;
    if (max <= 0x1p12f && max >= -0x1p12f) {
        float k = (max * EXP_LOG2E + rint) - rint;
        return (softmax_frame){0.0f, F32_ROUND8 - k, k};
    }
    return (softmax_frame){max, F32_ROUND8, 0.0f}; /* a maximum of +-inf or NaN makes every term NaN */
}

/* The greatest element; unspecified if there is a NaN. */
NL_INLINE float softmax_max(const float *x, size_t n)
{
    const size_t lanes = LANES32;
    const float none = -__builtin_inff();
    vf32 m0 = f32_set(none), m1 = m0, m2 = m0, m3 = m0;
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        m0 = f32_max(m0, f32_load(x + i));
        m1 = f32_max(m1, f32_load(x + i + lanes));
        m2 = f32_max(m2, f32_load(x + i + 2 * lanes));
        m3 = f32_max(m3, f32_load(x + i + 3 * lanes));
    }
    for (; i + lanes <= n; i += lanes)
        m0 = f32_max(m0, f32_load(x + i));
    if (i < n)
        m1 = f32_max(m1, f32_load_n(x + i, n - i, none));
    return f32_hmax(f32_max(f32_max(m0, m1), f32_max(m2, m3)));
}

/* What becomes of a term besides being summed. */
enum { SOFTMAX_DROP, SOFTMAX_KEEP, SOFTMAX_OTHERS };

/* The term of each lane; SOFTMAX_OTHERS: 0 for the maximum. */
NL_INLINE vf32 softmax_term(vf32 x, vf32 shift, vf32 round, vf32 max, const int what)
{
    vf32 e = exp_term(f32_sub(x, shift), round);
    return what == SOFTMAX_OTHERS ? f32_zero_where(f32_eq(x, max), e) : e;
}

/* The sum of the terms of a block of n <= 512 elements: element i in virtual lane i mod 32, the lanes then
 * folded in halves. SOFTMAX_KEEP: the terms go to y. */
NL_INLINE float softmax_block(float *y, const float *x, size_t n, vf32 shift, vf32 round, vf32 max,
                              const int what)
{
    const size_t lanes = LANES32;
    vf32 a0 = f32_set(0.0f), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
    size_t i = 0;

#define FULL(j)                                                                                    \
    {                                                                                              \
        vf32 e = softmax_term(f32_load(x + i + j * lanes), shift, round, max, what);               \
        if (what == SOFTMAX_KEEP)                                                                  \
            f32_store(y + i + j * lanes, e);                                                       \
        a##j = f32_add(a##j, e);                                                                   \
    }
    for (; i + 32 <= n; i += 32) {
        EACH(FULL)
    }
#undef FULL

    const size_t left = n - i;
#define PART(j)                                                                                    \
    if (left > j * lanes) {                                                                        \
        const size_t m = left - j * lanes < lanes ? left - j * lanes : lanes;                      \
        vf32 e = f32_load_n(x + i + j * lanes, m, -__builtin_inff());                              \
        e = softmax_term(e, shift, round, max, what);                                              \
        if (what == SOFTMAX_KEEP)                                                                  \
            f32_store_n(y + i + j * lanes, e, m);                                                  \
        a##j = f32_add(a##j, e);                                                                   \
    }
    EACH(PART)
#undef PART

    if (LANES32 < 8) {
        a0 = f32_add(a0, a4);
        a1 = f32_add(a1, a5);
        a2 = f32_add(a2, a6);
        a3 = f32_add(a3, a7);
    }
    if (LANES32 < 16) {
        a0 = f32_add(a0, a2);
        a1 = f32_add(a1, a3);
    }
    if (LANES32 < 32)
        a0 = f32_add(a0, a1);
    return f32_fold(a0);
}

/* The sum of all terms: its blocks joined with a two-sum. */
NL_INLINE double softmax_sum(float *y, const float *x, size_t n, softmax_frame frame, float max,
                             const int what)
{
    const vf32 shift = f32_set(frame.shift), round = f32_set(frame.round), vmax = f32_set(max);
    float sum = 0.0f, error = 0.0f;
    for (size_t i = 0; i < n; i += SOFTMAX_BLOCK) {
        size_t m = n - i < SOFTMAX_BLOCK ? n - i : SOFTMAX_BLOCK;
        float b = softmax_block(y + i, x + i, m, shift, round, vmax, what);
        float s = sum + b, bb = s - sum;
        error += (sum - (s - bb)) + (b - bb);
        sum = s;
    }
    return (double)sum + error;
}

#endif
