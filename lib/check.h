/* The arguments of every entry point, checked. */
#ifndef NL_CHECK_H
#define NL_CHECK_H

#include "nonlin.h"
#include <stdbool.h>

/* A matrix of `rows` rows of `cols` elements, `ld` elements apart; one row: rows 1, ld == cols. */
typedef struct {
    const void *p;
    size_t ld;
} nl_rows;

/* Pointers, alignment, sizes, and that destination and source are the same or do not touch.
 * rows and cols are not 0. */
nonlin_status nl_check_rows(nl_rows dst, nl_rows src, size_t rows, size_t cols, size_t elem);

/* The same for the indices of a reduction, which may not touch the source. */
nonlin_status nl_check_argmax(const int32_t *index, nl_rows src, size_t rows, size_t cols,
                              size_t elem);

/* One vector, inline: for a short one this is much of the call. */
static inline bool nl_fits(const void *p, size_t n, size_t elem)
{
    return n <= PTRDIFF_MAX / elem && n * elem <= UINTPTR_MAX - (uintptr_t)p;
}

static inline nonlin_status nl_check_vector(const void *dst, const void *src, size_t n, size_t elem)
{
    const uintptr_t d = (uintptr_t)dst, s = (uintptr_t)src;
    if (!d || !s)
        return NONLIN_NULL_POINTER;
    if ((d | s) & (elem - 1))
        return NONLIN_MISALIGNED;
    if (!nl_fits(dst, n, elem) || !nl_fits(src, n, elem))
        return NONLIN_SIZE_OVERFLOW;
    return d != s && (d < s ? s - d : d - s) < n * elem ? NONLIN_OVERLAP : NONLIN_OK;
}

static inline nonlin_status nl_check_one_index(const int32_t *index, const void *src, size_t n,
                                               size_t elem)
{
    const uintptr_t d = (uintptr_t)index, s = (uintptr_t)src;
    if (!n)
        return NONLIN_EMPTY;
    if (n - 1 > INT32_MAX)
        return NONLIN_INDEX_RANGE;
    if (!d || !s)
        return NONLIN_NULL_POINTER;
    if (d & (sizeof *index - 1) || s & (elem - 1))
        return NONLIN_MISALIGNED;
    if (!nl_fits(src, n, elem) || !nl_fits(index, 1, sizeof *index))
        return NONLIN_SIZE_OVERFLOW;
    return d + sizeof *index <= s || s + n * elem <= d ? NONLIN_OK : NONLIN_OVERLAP;
}

#endif
