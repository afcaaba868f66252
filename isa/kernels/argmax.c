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

/* ---- Bytes: the maximum, block by block, and then its place in the block that has it ---- */

#define ARGMAX_BLOCK ((size_t)4096) /* is still in the first cache when it is searched */

/* In every lane; n >= LANES8, so that the last vector may overlap the one before. */
NL_INLINE vi8 i8_max_of(const int8_t *x, size_t n)
{
    const size_t lanes = LANES8;
    vi8 m0 = i8_load(x), m1 = i8_load(x + n - lanes), m2 = m0, m3 = m1;
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        m0 = i8_max(m0, i8_load(x + i));
        m1 = i8_max(m1, i8_load(x + i + lanes));
        m2 = i8_max(m2, i8_load(x + i + 2 * lanes));
        m3 = i8_max(m3, i8_load(x + i + 3 * lanes));
    }
    for (; i + lanes <= n; i += lanes)
        m0 = i8_max(m0, i8_load(x + i));
    return i8_hmax(i8_max(i8_max(m0, m1), i8_max(m2, m3)));
}

NL_INLINE size_t i8_place(const int8_t *x, size_t n, vi8 max)
{
    const size_t lanes = LANES8;
    for (size_t i = 0; i < n; i += lanes) {
        const size_t at = i + lanes <= n ? i : n - lanes;
        vm8 hit = i8_eq(i8_load(x + at), max);
        if (m8_any(hit))
            return at + m8_first(hit);
    }
    return 0; /* x was changed meanwhile */
}

nonlin_status KERNEL_NAME(argmax_i8)(int32_t *index, const int8_t *x, size_t n)
{
    const size_t lanes = LANES8;
    if (n < lanes) {
        vi8 v = i8_load_n(x, n, x[0]);
        *index = (int32_t)m8_first(i8_eq(v, i8_hmax(v)));
        return NONLIN_OK;
    }
    vi8 max = i8_set(INT8_MIN);
    size_t at = 0, size = lanes;
    for (size_t i = 0; i < n && i8_first(max) < INT8_MAX; i += ARGMAX_BLOCK) {
        size_t from = i + lanes <= n ? i : n - lanes;
        size_t m = n - from < ARGMAX_BLOCK ? n - from : ARGMAX_BLOCK;
        vi8 greatest = i8_max_of(x + from, m);
        if (i8_first(greatest) > i8_first(max)) {
            max = greatest;
            at = from;
            size = m;
        }
    }
    *index = (int32_t)(at + i8_place(x + at, size, max));
    return NONLIN_OK;
}
