/* How far results are from exact ones, by formulas in long double that share no code with the
 * library. */
#ifndef ORACLE_H
#define ORACLE_H

#include "work.h"

typedef struct {
    double worst; /* in `unit` */
    const char
        *unit;  /* "ULP", "absolute", "wrong rows"; NULL: there is no oracle for this kernel */
    size_t at;  /* the place of the worst */
    size_t nan; /* results that are NaN, as they should be */
} oracle_error;

/* y: what the kernel made of rows x cols elements x that follow one another without gaps; x is
 * followed by the second source, if there are two. */
oracle_error oracle_check(const work_kernel *k, const void *y, const float *x, size_t rows,
                          size_t cols);

#endif
