/* The public functions, all under one signature: vector_<op>_<dtype> and rows_<op>_<dtype>. */
#ifndef NL_TEST_FUNCTIONS_H
#define NL_TEST_FUNCTIONS_H

#include "nonlin.h"

typedef nonlin_status vector_fn(void *y, const void *x, size_t n);
typedef nonlin_status rows_fn(void *y, size_t ldy, const void *x, size_t ldx, size_t rows,
                              size_t cols);

#define WRAP(op, dtype, ...)                                                                 \
    static nonlin_status vector_##op##_##dtype(void *y, const void *x, size_t n)             \
    {                                                                                        \
        return nonlin_##op##_##dtype(y, x, n);                                               \
    }                                                                                        \
    static nonlin_status rows_##op##_##dtype(void *y, size_t ldy, const void *x, size_t ldx, \
                                             size_t rows, size_t cols)                       \
    {                                                                                        \
        (void)ldy; /* there is none for an index a row */                                    \
        return nonlin_##op##_rows_##dtype(__VA_ARGS__);                                      \
    }
#define WRAP_MAP(op, dtype) WRAP(op, dtype, y, ldy, x, ldx, rows, cols)
#define WRAP_ROW(op, dtype) WRAP(op, dtype, y, ldy, x, ldx, rows, cols)
#define WRAP_ARGMAX(op, dtype) WRAP(op, dtype, y, x, ldx, rows, cols)
#define KERNEL(op, dtype, class) WRAP_##class(op, dtype)
#include "kernels.def"
#undef KERNEL

#endif
