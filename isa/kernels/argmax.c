#include "kernel.h"

/* The first place of an element equal to `max`, or of a NaN if it is NaN; there is one among the n.
 */
NL_INLINE size_t first_place(const float *x, size_t n, vf32 max)
{
    const size_t lanes = LANES32;
    const vm32 nan = f32_unordered(max, max);
    for (size_t i = 0; i < n; i += lanes) {
        /* what fills the vector up comes after what is looked for */
        vf32 v = n - i < lanes ? f32_load_n(x + i, n - i, 0.0f) : f32_load(x + i);
        vm32 hit = m32_or(f32_eq(v, max), m32_and(f32_unordered(v, v), nan));
        if (m32_any(hit))
            return i + m32_first(hit);
    }
    return 0; /* x was changed meanwhile */
}

/* Each lane keeps the greatest element that it has seen and the place of the four vectors where it
 * first saw it; so in the end only four vectors are searched. */
nonlin_status KERNEL_NAME(argmax_f32)(int32_t *index, const float *x, size_t n)
{
    const size_t lanes = LANES32;
    if (n <= lanes) {
        vf32 v = f32_load_n(x, n, x[0]);
        vm32 hit = f32_eq(v, f32_hmax(v)), v_nan = f32_unordered(v, v);
        if (m32_any(v_nan))
            hit = v_nan;
        *index = (int32_t)m32_first(hit);
        return NONLIN_OK;
    }
    vf32 max = f32_set(x[0]);
    vm32 nan = f32_unordered(max, max);
    vi32 place = i32_set(0), at = place;
    const vi32 step = i32_set((uint32_t)(4 * lanes));
    size_t i = 0;
#define TAKE(v)                                               \
    {                                                         \
        const vf32 greatest = v;                              \
        place = i32_select(f32_lt(max, greatest), at, place); \
        max = f32_max(max, greatest);                         \
    }
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        vf32 a = f32_load(x + i), b = f32_load(x + i + lanes);
        vf32 c = f32_load(x + i + 2 * lanes), d = f32_load(x + i + 3 * lanes);
        nan = m32_or(nan, m32_or(f32_unordered(a, b), f32_unordered(c, d)));
        TAKE(f32_max(f32_max(a, b), f32_max(c, d)))
        at = i32_add(at, step);
    }
    for (; i < n; i += lanes) {
        vf32 a = n - i < lanes ? f32_load_n(x + i, n - i, x[0]) : f32_load(x + i);
        nan = m32_or(nan, f32_unordered(a, a));
        at = i32_set((uint32_t)i);
        TAKE(a)
    }
    size_t from = 0;
    if (__builtin_expect(m32_any(nan), 0)) {
        max = f32_set(__builtin_nanf(""));
    } else {
        vf32 greatest = f32_hmax(max);
        vm32 here = f32_eq(max, greatest);
        from = i32_first(u32_hmin(i32_select(here, place, i32_set(0xffffffffu))));
        max = greatest;
    }
    *index = (int32_t)(from + first_place(x + from, n - from, max));
    return NONLIN_OK;
}
