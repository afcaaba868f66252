#include "kernel.h"

/* Elements whose maximum is known before a place is looked for: they stay in the first cache. */
#define ARGMAX_BLOCK 2048

/* The greatest element of a block, in every lane, or NaN if there is one: whether there is takes half a comparison
 * an element. */
NL_INLINE vf32 block_max(const float *x, size_t n)
{
    const size_t lanes = LANES32;
    vf32 first = f32_set(x[0]), m0 = first, m1 = first, m2 = first, m3 = first;
    vm32 nan0 = f32_unordered(first, first), nan1 = nan0;
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        vf32 a = f32_load(x + i), b = f32_load(x + i + lanes);
        vf32 c = f32_load(x + i + 2 * lanes), d = f32_load(x + i + 3 * lanes);
        m0 = f32_max(m0, a);
        m1 = f32_max(m1, b);
        m2 = f32_max(m2, c);
        m3 = f32_max(m3, d);
        nan0 = m32_or(nan0, f32_unordered(a, b));
        nan1 = m32_or(nan1, f32_unordered(c, d));
    }
    for (; i < n; i += lanes) {
        vf32 a = n - i < lanes ? f32_load_n(x + i, n - i, x[0]) : f32_load(x + i);
        m0 = f32_max(m0, a);
        nan0 = m32_or(nan0, f32_unordered(a, a));
    }
    if (m32_any(m32_or(nan0, nan1)))
        return f32_set(__builtin_nanf(""));
    return f32_hmax(f32_max(f32_max(m0, m1), f32_max(m2, m3)));
}

/* The first place of what is there: an element equal to `max`, or a NaN if it is NaN. */
NL_INLINE size_t first_place(const float *x, size_t n, vf32 max)
{
    const size_t lanes = LANES32;
    const vm32 nan = f32_unordered(max, max);
#define HIT(v) m32_or(f32_eq(v, max), m32_and(f32_unordered(v, v), nan))
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        vm32 a = HIT(f32_load(x + i)), b = HIT(f32_load(x + i + lanes));
        vm32 c = HIT(f32_load(x + i + 2 * lanes)), d = HIT(f32_load(x + i + 3 * lanes));
        if (m32_any(m32_or(m32_or(a, b), m32_or(c, d))))
            break;
    }
    for (;; i += lanes) {
        /* what fills the vector up comes after what is looked for */
        vm32 hit = HIT(n - i < lanes ? f32_load_n(x + i, n - i, 0.0f) : f32_load(x + i));
        if (m32_any(hit))
            return i + m32_first(hit);
    }
#undef HIT
}

nonlin_status KERNEL_NAME(argmax_f32)(int32_t *index, const float *x, size_t n)
{
    if (n <= LANES32) {
        vf32 v = f32_load_n(x, n, x[0]);
        vm32 nan = f32_unordered(v, v), hit = f32_eq(v, f32_hmax(v));
        if (m32_any(nan))
            hit = nan;
        *index = (int32_t)m32_first(hit);
        return NONLIN_OK;
    }
    vf32 best = block_max(x, n < ARGMAX_BLOCK ? n : ARGMAX_BLOCK);
    size_t at = 0;
    for (size_t i = ARGMAX_BLOCK; i < n && f32_first(best) == f32_first(best); i += ARGMAX_BLOCK) {
        vf32 max = block_max(x + i, n - i < ARGMAX_BLOCK ? n - i : ARGMAX_BLOCK);
        if (!(f32_first(max) <= f32_first(best))) {
            best = max;
            at = i;
        }
    }
    *index = (int32_t)(at + first_place(x + at, n - at, best));
    return NONLIN_OK;
}
