/* The arguments of every entry point, checked. */
#ifndef NL_CHECK_H
#define NL_CHECK_H

#include "nonlin.h"

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

#endif
