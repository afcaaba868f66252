/* What softmax and log-softmax share: the frame of a row, and the sum of its terms in the fixed order. */
#ifndef NL_SOFTMAX_H
#define NL_SOFTMAX_H

#include "vmath.h"

/* ---- The frame of a row: what its terms are relative to -------------------------------------------
 *
 * A row whose maximum is at most 2^12 in magnitude is taken as it is (`direct`), its terms relative to 2^K,
 * K = rint(max log2 e). In others the maximum is subtracted, and K = 0; a maximum of +-inf makes NaN there.
 *
 * Vectors of unknown length fit in no struct, so the parts go as arguments under one name. Every lane of
 * `max` holds the maximum. */
#define FRAME_PARAMS vf32 max, vi32 minus_k23, vf32 least_t, const int direct
#define FRAME max, minus_k23, least_t, direct

NL_INLINE int softmax_direct(float max) { return max <= 0x1p12f && max >= -0x1p12f; }

#define FRAME_RINT 0x1.8p23f /* adding it rounds to an integer, which is then in the low bits */

NL_INLINE vf32 frame_t(vf32 max, const int direct)
{
    return f32_add(f32_mul(direct ? max : f32_set(0.0f), f32_set(EXP_LOG2E)), f32_set(FRAME_RINT));
}

NL_INLINE vi32 frame_minus_k23(vf32 max, const int direct)
{
    return i32_sub(i32_set(0), i32_shl(f32_as_i32(frame_t(max, direct)), 23));
}

NL_INLINE vf32 frame_least_t(vf32 max, const int direct)
{
    return f32_add(f32_sub(frame_t(max, direct), f32_set(FRAME_RINT)), f32_set(F32_ROUND8 - 125.0f));
}

#define FRAME_OF(max, direct) max, frame_minus_k23(max, direct), frame_least_t(max, direct), direct

NL_INLINE vf32 softmax_term(vf32 x, FRAME_PARAMS)
{
    return exp_term(direct ? x : f32_sub(x, max), minus_k23, least_t);
}

/* ---- Maximum ------------------------------------------------------------------------------------ */

/* The greatest element, in every lane; unspecified if there is a NaN. */
NL_INLINE vf32 softmax_max(const float *x, size_t n)
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

/* ---- Sum ---------------------------------------------------------------------------------------- */

/* What becomes of the terms besides being summed: nothing; they go to y; the maximum's own is left out;
 * the range of x is noted. */
enum { SOFTMAX_SUM, SOFTMAX_KEEP, SOFTMAX_OTHERS, SOFTMAX_WATCH };

/* The 32 virtual lanes of a block are 32 / LANES32 vectors a0 .. a7. EACH(OP, at) does OP(j, at) for each. */
#define EACH(OP, at)                                                                               \
    OP(0, at)                                                                                      \
    if (LANES32 < 32) {                                                                            \
        OP(1, at)                                                                                  \
    }                                                                                              \
    if (LANES32 < 16) {                                                                            \
        OP(2, at) OP(3, at)                                                                        \
    }                                                                                              \
    if (LANES32 < 8) {                                                                             \
        OP(4, at) OP(5, at) OP(6, at) OP(7, at)                                                    \
    }

#define SOFTMAX_BLOCK 512

/* The sum of the terms of n <= 512 elements: element i in virtual lane i mod 32, the lanes then folded in halves, in
 * double. For SOFTMAX_WATCH: the least x so far that counts, the greatest of all. */
NL_INLINE double softmax_block(float *y, const float *x, size_t n, FRAME_PARAMS, const int what,
                               vf32 *least, vf32 *most)
{
    const size_t lanes = LANES32;
    const float none = -__builtin_inff();
    vf32 a0 = f32_set(0.0f), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
    size_t i = 0;

#define TERM(j, LOAD, STORE)                                                                       \
    vf32 v = LOAD, e = softmax_term(v, FRAME);                                                     \
    if (what == SOFTMAX_OTHERS)                                                                    \
        e = f32_zero_where(f32_eq(v, max), e);                                                     \
    if (what == SOFTMAX_WATCH) {                                                                   \
        *least = f32_min(*least, f32_select(f32_lt(f32_set(0.0f), e), v, *least));                 \
        *most = f32_max(*most, v);                                                                 \
    }                                                                                              \
    if (what == SOFTMAX_KEEP)                                                                      \
        STORE;                                                                                     \
    a##j = f32_add(a##j, e);
#define FULL(j, at)                                                                                \
    {                                                                                              \
        const size_t from = at + j * lanes;                                                        \
        TERM(j, f32_load(x + from), f32_store(y + from, e))                                        \
    }
#define PART(j, at)                                                                                \
    if (n > at + j * lanes) {                                                                      \
        const size_t from = at + j * lanes, m = n - from < lanes ? n - from : lanes;               \
        TERM(j, f32_load_n(x + from, m, none), f32_store_n(y + from, e, m))                        \
    }
    for (; i + 64 <= n; i += 64) {
        EACH(FULL, i)
        EACH(FULL, i + 32)
    }
    for (; i + 32 <= n; i += 32) {
        EACH(FULL, i)
    }
    EACH(PART, i)
#undef TERM
#undef FULL
#undef PART

    return f32_fold32(a0, a1, a2, a3, a4, a5, a6, a7);
}

/* The sum of all terms, block by block. */
NL_INLINE double softmax_sum(float *y, const float *x, size_t n, FRAME_PARAMS, const int what)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i += SOFTMAX_BLOCK) {
        const size_t m = n - i < SOFTMAX_BLOCK ? n - i : SOFTMAX_BLOCK;
        sum += softmax_block(y + i, x + i, m, FRAME, what, NULL, NULL);
    }
    return sum;
}

/* ---- Sum in one reading --------------------------------------------------------------------------- */

/* Longer rows than this are read twice and not three times, as they do not stay in the caches of a core. */
#define SOFTMAX_CACHED ((size_t)1 << 20)

/* 2^(K of from - K of to), for two maxima of direct rows, from <= to */
NL_INLINE double reframe(vf32 from, vf32 to)
{
    const float d = f32_first(frame_t(from, 1)) - f32_first(frame_t(to, 1));
    const uint64_t bits = (uint64_t)(d < -1023.0f ? 0 : 1023 + (int)d) << 52;
    double factor;
    memcpy(&factor, &bits, sizeof factor);
    return factor;
}

/* The maximum of the row (returned) and the sum of its terms, in one reading. Terms are made relative to `base`, the
 * maximum of a part. What is greater may follow; only where it would not fit a float is base raised, and the
 * block done again. In the end the sum is taken to the K of the maximum, which as a product with a power of two is
 * exact. The bits are those of softmax_max() and softmax_sum(), always:
 * - a maximum beyond 2^12 in magnitude is to be subtracted before exp, so those terms are others: sum again;
 * - a term that counted relative to base may be too small to count in the end: sum again. */
NL_INLINE vf32 softmax_online(const float *x, size_t n, double *sum)
{
    const float slack = 41.0f; /* 2^59 */
    vf32 least = f32_set(__builtin_inff()), most = f32_neg(least);
    vf32 base = f32_max(softmax_max(x, SOFTMAX_BLOCK), f32_set(-0x1p12f));
    double s = 0.0;
    size_t i = 0;
    while (i < n && f32_first(base) <= 0x1p12f) {
        const size_t m = n - i < SOFTMAX_BLOCK ? n - i : SOFTMAX_BLOCK;
        double block = softmax_block(NULL, x + i, m, FRAME_OF(base, 1), SOFTMAX_WATCH, &least, &most);
        if (__builtin_expect(m32_any(f32_lt(f32_add(base, f32_set(slack)), most)), 0)) {
            vf32 raised = f32_hmax(most);
            s *= reframe(base, raised);
            base = raised;
        } else {
            s += block;
            i += m;
        }
    }
    vf32 max = f32_hmax(most);
    if (softmax_direct(f32_first(max))) {
        vf32 kept = softmax_term(f32_hmin(least), FRAME_OF(max, 1));
        *sum = s * reframe(base, max);
        if (*sum > 0.0 && f32_first(kept) > 0.0f) /* false for a NaN, too */
            return max;
    }
    max = softmax_max(x, n);
    if (softmax_direct(f32_first(max)))
        *sum = softmax_sum(NULL, x, n, FRAME_OF(max, 1), SOFTMAX_SUM);
    else
        *sum = softmax_sum(NULL, x, n, FRAME_OF(max, 0), SOFTMAX_SUM);
    return max;
}

#endif
