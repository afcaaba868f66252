/* What softmax and log-softmax share: the frame of a row, and the sum of its terms in the fixed
 * order. */
#ifndef NL_SOFTMAX_H
#define NL_SOFTMAX_H

#include "vmath.h"

/* ---- The frame of a row: what its terms are relative to ----
 *
 * The terms are e^x 2^-K with K = rint(base log2 e), where base is the greatest of four elements,
 * at 0, 1/4, 1/2 and 3/4 of the row: it need not be the maximum, only near enough for terms to fit
 * a float, and so the row is read once less. If the maximum lies more than SOFTMAX_SLACK above, or
 * base beyond 2^12 in magnitude, base is the maximum. If that too is beyond 2^12, it is subtracted
 * from the row before exp (not `direct`), and K = 0; a maximum of +-inf makes NaN there.
 *
 * Vectors of unknown length fit in no struct, so the parts go as arguments under one name. */
#define FRAME_PARAMS vf32 base, ki32 minus_k23, kf32 least_t, const int direct
#define FRAME base, minus_k23, least_t, direct
#define FRAME_OF(base, direct) \
    base, i32_same(frame_minus_k23(base, direct)), f32_same(frame_least_t(base, direct)), direct

#define SOFTMAX_SLACK 41.0f /* terms up to 2^60: 1 / sum stays a normal float for any n */

NL_INLINE int softmax_direct(float base) { return base <= 0x1p12f && base >= -0x1p12f; }

#define FRAME_RINT 0x1.8p23f /* adding it rounds to an integer, which is then in the low bits */

NL_INLINE vf32 frame_t(vf32 base, const int direct)
{
    return f32_add(f32_mul(direct ? base : f32_set(0.0f), f32_k(EXP_LOG2E)), f32_k(FRAME_RINT));
}

NL_INLINE vf32 frame_k(vf32 base, const int direct)
{
    return f32_sub(frame_t(base, direct), f32_k(FRAME_RINT));
}

NL_INLINE vi32 frame_minus_k23(vf32 base, const int direct)
{
    return i32_sub(i32_set(0), i32_shl(f32_as_i32(frame_t(base, direct)), 23));
}

NL_INLINE vf32 frame_least_t(vf32 base, const int direct)
{
    return f32_add(frame_k(base, direct), f32_k(F32_ROUND8 - 125.0f));
}

NL_INLINE vf32 softmax_term(vf32 x, FRAME_PARAMS)
{
    return exp_term(direct ? x : f32_sub(x, base), minus_k23, least_t);
}

NL_INLINE float softmax_base(const float *x, size_t n)
{
    const size_t quarter = n / 4;
    float a = x[0], b = x[quarter], c = x[2 * quarter], d = x[3 * quarter];
    return nl_max(nl_max(a, b), nl_max(c, d));
}

/* The greatest of all elements, in every lane; unspecified if there is a NaN. */
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

/* ---- The sum ---- */

/* With vectors of 8 lanes or more, blocks are unrolled: of shorter vectors, or of unknown length,
 * that would be more than there are registers, and the code of all cases. */
#define SOFTMAX_UNROLLED (__builtin_constant_p(LANES32) && LANES32 >= 8)

/* What becomes of the terms besides being summed: nothing; they go to y; the maximum's own is left
 * out. */
enum { SOFTMAX_SUM, SOFTMAX_KEEP, SOFTMAX_OTHERS };

/* The terms of a vector. max: the greatest element of each lane so far, or (SOFTMAX_OTHERS) the
 * maximum. */
NL_INLINE vf32 softmax_take(vf32 x, FRAME_PARAMS, const int what, vf32 *max)
{
    if (what == SOFTMAX_OTHERS)
        return f32_zero_where(f32_eq(x, *max), softmax_term(x, FRAME));
    /* where it suits clang: it spills a maximum that is made first in the unrolled form, and copies
     * x for one that is made last in the loops */
    if (!SOFTMAX_UNROLLED)
        *max = f32_max(*max, x);
    vf32 e = softmax_term(x, FRAME);
    if (SOFTMAX_UNROLLED)
        *max = f32_max(*max, x);
    return e;
}

NL_INLINE vf32 softmax_full(float *y, const float *x, FRAME_PARAMS, const int what, vf32 *max)
{
    vf32 e = softmax_take(f32_load(x), FRAME, what, max);
    if (what == SOFTMAX_KEEP)
        f32_store(y, e);
    return e;
}

/* The first n, or as many as a vector has. */
NL_INLINE vf32 softmax_part(float *y, const float *x, size_t n, FRAME_PARAMS, const int what,
                            vf32 *max)
{
    if (n >= LANES32)
        return softmax_full(y, x, FRAME, what, max);
    vf32 e = softmax_take(f32_load_n(x, n, -__builtin_inff()), FRAME, what, max);
    if (what == SOFTMAX_KEEP)
        f32_store_n(y, e, n);
    return e;
}

#define SOFTMAX_BLOCK 512

/* The sum of the terms of n <= 512 elements. Element i belongs to virtual lane i mod 64; a lane
 * adds elements i and i + 64, then that to what it has, 128 elements at a time: four roundings at
 * most. Lanes j and j + 32 are added, and those 32 folded in double.
 */
/* Unrolled, 32 / LANES32 vectors a0, a1 .. are the first 32 virtual lanes, and as many b0, b1 ..
 * the others. EACH(OP) does OP(a0, the place of its first element), and so on. */
#define EACH_OF_32(OP, v, at)    \
    OP(v##0, at)                 \
    if (LANES32 < 32) {          \
        OP(v##1, at + lanes)     \
    }                            \
    if (LANES32 < 16) {          \
        OP(v##2, at + 2 * lanes) \
        OP(v##3, at + 3 * lanes) \
    }
#define EACH(OP) EACH_OF_32(OP, a, 0) EACH_OF_32(OP, b, 32)
#define EACH_ZERO \
    vf32 a0 = f32_set(0.0f), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
#define EACH_FOLD \
    f32_fold32(f32_add(a0, b0), f32_add(a1, b1), f32_add(a2, b2), f32_add(a3, b3), a0, a0, a0, a0)

/* The terms of elements i + at and 64 further on, into a lane: of whole vectors, and of what there
 * is. */
#define TERMS(lane, at)                                                                \
    {                                                                                  \
        vf32 e = softmax_full(y + i + (at), x + i + (at), FRAME, what, max);           \
        vf32 f = softmax_full(y + i + 64 + (at), x + i + 64 + (at), FRAME, what, max); \
        lane = f32_add(lane, f32_add(e, f));                                           \
    }
#define TERMS_LEFT(lane, at)                                                              \
    if (n > i + (at)) {                                                                   \
        size_t from = i + (at);                                                           \
        vf32 e = softmax_part(y + from, x + from, n - from, FRAME, what, max);            \
        from += 64;                                                                       \
        if (n > from)                                                                     \
            e = f32_add(e, softmax_part(y + from, x + from, n - from, FRAME, what, max)); \
        lane = f32_add(lane, e);                                                          \
    }

NL_INLINE double softmax_block(float *y, const float *x, size_t n, FRAME_PARAMS, const int what,
                               vf32 *max)
{
    const size_t lanes = LANES32;
    size_t i = 0;
    if (SOFTMAX_UNROLLED) {
        EACH_ZERO
        for (; i + 128 <= n; i += 128) {
            EACH(TERMS)
        }
        EACH(TERMS_LEFT)
        return EACH_FOLD;
    }
    float sums[64];
    for (size_t at = 0; at < 32; at += lanes) {
        vf32 a = f32_set(0.0f), b = a;
        for (i = at; i + 96 + lanes <= n; i += 128) {
            TERMS(a, 0)
            TERMS(b, 32)
        }
        TERMS_LEFT(a, 0)
        TERMS_LEFT(b, 32)
        f32_store(sums + at, a);
        f32_store(sums + 32 + at, b);
    }
    return f32_fold64(sums);
}
#undef TERMS
#undef TERMS_LEFT

/* The sum of all terms, block by block, and the maximum. Given up, with a number that is none, at
 * an element above `limit`. */
NL_INLINE double softmax_sum(float *y, const float *x, size_t n, FRAME_PARAMS, const int what,
                             kf32 limit, vf32 *max)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i += SOFTMAX_BLOCK) {
        const size_t m = n - i < SOFTMAX_BLOCK ? n - i : SOFTMAX_BLOCK;
        sum += softmax_block(y + i, x + i, m, FRAME, what, max);
        if (what != SOFTMAX_OTHERS && __builtin_expect(m32_any(f32_lt(limit, *max)), 0))
            return -1.0;
    }
    return sum;
}

/* A kernel over one row: what is done with the terms (SOFTMAX_SUM, SOFTMAX_KEEP), and
 * finish(y, x, n, FRAME, max, sum), which makes the results of them. */
#define SOFTMAX_KERNEL(name, what, finish)                                                    \
    static __attribute__((noinline)) void name##_from_max(float *y, const float *x, size_t n) \
    {                                                                                         \
        const vf32 none = f32_set(-__builtin_inff());                                         \
        const kf32 limit = f32_k(__builtin_inff());                                           \
        vf32 max = softmax_max(x, n), seen = none;                                            \
        if (softmax_direct(f32_first(max))) {                                                 \
            double sum = softmax_sum(y, x, n, FRAME_OF(max, 1), what, limit, &seen);          \
            finish(y, x, n, FRAME_OF(max, 1), max, sum);                                      \
        } else {                                                                              \
            double sum = softmax_sum(y, x, n, FRAME_OF(max, 0), what, limit, &seen);          \
            finish(y, x, n, FRAME_OF(max, 0), max, sum);                                      \
        }                                                                                     \
    }                                                                                         \
    NL_INLINE int name##_from_base(float *y, const float *x, size_t n)                        \
    {                                                                                         \
        const float first = softmax_base(x, n);                                               \
        const vf32 base = f32_set(first);                                                     \
        const kf32 limit = f32_k(first + SOFTMAX_SLACK);                                      \
        vf32 max = base;                                                                      \
        if (!softmax_direct(first))                                                           \
            return 0;                                                                         \
        /* in place, the terms take the place of what would be read again */                  \
        if (what == SOFTMAX_KEEP && y == x && m32_any(f32_lt(limit, softmax_max(x, n))))      \
            return 0;                                                                         \
        double sum = softmax_sum(y, x, n, FRAME_OF(base, 1), what, limit, &max);              \
        if (__builtin_expect(sum == -1.0, 0))                                                 \
            return 0;                                                                         \
        finish(y, x, n, FRAME_OF(base, 1), max, sum);                                         \
        return 1;                                                                             \
    }                                                                                         \
    static __attribute__((noinline)) nonlin_status name(float *y, const float *x, size_t n)   \
    {                                                                                         \
        if (__builtin_expect(!name##_from_base(y, x, n), 0))                                  \
            name##_from_max(y, x, n);                                                         \
        return NONLIN_OK;                                                                     \
    }

#endif
