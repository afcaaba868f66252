/* The public functions, all under one signature: vector_<op>_<dtype> and rows_<op>_<dtype>. Those
 * of two sources get one source twice there, and have a signature of their own besides:
 * pair_<op>_<dtype> and pair_rows_<op>_<dtype>. */
#ifndef NL_TEST_FUNCTIONS_H
#define NL_TEST_FUNCTIONS_H

#include "nonlin.h"

typedef nonlin_status vector_fn(void *y, const void *x, size_t n);
typedef nonlin_status rows_fn(void *y, size_t ldy, const void *x, size_t ldx, size_t rows,
                              size_t cols);
typedef nonlin_status pair_fn(void *y, const void *u, const void *g, size_t n);
typedef nonlin_status pair_rows_fn(void *y, size_t ldy, const void *u, size_t ldu, const void *g,
                                   size_t ldg, size_t rows, size_t cols);

#define WRAP(op, dtype, vector, rows_form)                                                   \
    static nonlin_status vector_##op##_##dtype(void *y, const void *x, size_t n)             \
    {                                                                                        \
        return nonlin_##op##_##dtype vector;                                                 \
    }                                                                                        \
    static nonlin_status rows_##op##_##dtype(void *y, size_t ldy, const void *x, size_t ldx, \
                                             size_t rows, size_t cols)                       \
    {                                                                                        \
        (void)ldy; /* there is none for an index a row */                                    \
        return nonlin_##op##_rows_##dtype rows_form;                                         \
    }
#define WRAP_MAP(op, dtype) WRAP(op, dtype, (y, x, n), (y, ldy, x, ldx, rows, cols))
#define WRAP_MAP2(op, dtype)                                                                      \
    WRAP(op, dtype, (y, x, x, n), (y, ldy, x, ldx, x, ldx, rows, cols))                           \
    static nonlin_status pair_##op##_##dtype(void *y, const void *u, const void *g, size_t n)     \
    {                                                                                             \
        return nonlin_##op##_##dtype(y, u, g, n);                                                 \
    }                                                                                             \
    static nonlin_status pair_rows_##op##_##dtype(void *y, size_t ldy, const void *u, size_t ldu, \
                                                  const void *g, size_t ldg, size_t rows,         \
                                                  size_t cols)                                    \
    {                                                                                             \
        return nonlin_##op##_rows_##dtype(y, ldy, u, ldu, g, ldg, rows, cols);                    \
    }
#define WRAP_ROW(op, dtype) WRAP_MAP(op, dtype)
#define WRAP_ARGMAX(op, dtype) WRAP(op, dtype, (y, x, n), (y, x, ldx, rows, cols))
#define KERNEL(op, dtype, class) WRAP_##class(op, dtype)
#include "kernels.def"
#undef KERNEL

#endif
