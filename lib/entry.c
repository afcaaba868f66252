/* The entry points: arguments checked, the kernel in force called under the default control word.
 */
#include "check.h"
#include "fpenv.h"
#include "table.h"

/* One row, or rows that follow one another without a gap, are one long vector to an elementwise
 * kernel; a row is a whole to a ROW kernel. */
#define ENTRY_MAP(op, dtype) ENTRY(op, dtype, MAP, 1)
#define ENTRY_ROW(op, dtype) ENTRY(op, dtype, ROW, 0)

#define ENTRY(op, dtype, class, joins)                                                       \
    nonlin_status nonlin_##op##_##dtype(nl_##dtype *y, const nl_##dtype *x, size_t n)        \
    {                                                                                        \
        if (!n)                                                                              \
            return NONLIN_OK;                                                                \
        nonlin_status s = nl_check_vector(y, x, n, sizeof *x);                               \
        if (s)                                                                               \
            return s;                                                                        \
        NL_UNDER_DEFAULT(nl_call(op, dtype, class)(y, x, n));                                \
        return NONLIN_OK;                                                                    \
    }                                                                                        \
    nonlin_status nonlin_##op##_rows_##dtype(nl_##dtype *y, size_t ldy, const nl_##dtype *x, \
                                             size_t ldx, size_t rows, size_t cols)           \
    {                                                                                        \
        if (!rows || !cols)                                                                  \
            return NONLIN_OK;                                                                \
        nonlin_status s =                                                                    \
            nl_check_rows((nl_rows){y, ldy}, (nl_rows){x, ldx}, rows, cols, sizeof *x);      \
        if (s)                                                                               \
            return s;                                                                        \
        if (joins && ldx == cols && ldy == cols) {                                           \
            cols *= rows;                                                                    \
            rows = 1;                                                                        \
        }                                                                                    \
        /* looked up once: all rows by the same ISA */                                       \
        nonlin_status(*kernel) NL_PARAMS_##class(nl_##dtype) = nl_call(op, dtype, class);    \
        NL_UNDER_DEFAULT(for (size_t r = 0; r < rows; r++)                                   \
                             kernel(y + r * ldy, x + r * ldx, cols));                        \
        return NONLIN_OK;                                                                    \
    }

#define ENTRY_MAP2(op, dtype)                                                                    \
    nonlin_status nonlin_##op##_##dtype(nl_##dtype *y, const nl_##dtype *u, const nl_##dtype *g, \
                                        size_t n)                                                \
    {                                                                                            \
        nonlin_status s;                                                                         \
        if (!n)                                                                                  \
            return NONLIN_OK;                                                                    \
        if ((s = nl_check_vector(y, u, n, sizeof *y)) ||                                         \
            (s = nl_check_vector(y, g, n, sizeof *y)))                                           \
            return s;                                                                            \
        NL_UNDER_DEFAULT(nl_call(op, dtype, MAP2)(y, u, g, n));                                  \
        return NONLIN_OK;                                                                        \
    }                                                                                            \
    nonlin_status nonlin_##op##_rows_##dtype(nl_##dtype *y, size_t ldy, const nl_##dtype *u,     \
                                             size_t ldu, const nl_##dtype *g, size_t ldg,        \
                                             size_t rows, size_t cols)                           \
    {                                                                                            \
        const nl_rows dst = {y, ldy};                                                            \
        nonlin_status s;                                                                         \
        if (!rows || !cols)                                                                      \
            return NONLIN_OK;                                                                    \
        if ((s = nl_check_rows(dst, (nl_rows){u, ldu}, rows, cols, sizeof *y)) ||                \
            (s = nl_check_rows(dst, (nl_rows){g, ldg}, rows, cols, sizeof *y)))                  \
            return s;                                                                            \
        if (ldy == cols && ldu == cols && ldg == cols) {                                         \
            cols *= rows;                                                                        \
            rows = 1;                                                                            \
        }                                                                                        \
        nonlin_status(*kernel) NL_PARAMS_MAP2(nl_##dtype) = nl_call(op, dtype, MAP2);            \
        NL_UNDER_DEFAULT(for (size_t r = 0; r < rows; r++)                                       \
                             kernel(y + r * ldy, u + r * ldu, g + r * ldg, cols));               \
        return NONLIN_OK;                                                                        \
    }

#define ENTRY_ARGMAX(op, dtype)                                                                   \
    nonlin_status nonlin_##op##_##dtype(int32_t *index, const nl_##dtype *x, size_t n)            \
    {                                                                                             \
        nonlin_status s = nl_check_one_index(index, x, n, sizeof *x);                             \
        if (s)                                                                                    \
            return s;                                                                             \
        NL_UNDER_DEFAULT(nl_call(op, dtype, ARGMAX)(index, x, n));                                \
        return NONLIN_OK;                                                                         \
    }                                                                                             \
    nonlin_status nonlin_##op##_rows_##dtype(int32_t *index, const nl_##dtype *x, size_t ldx,     \
                                             size_t rows, size_t cols)                            \
    {                                                                                             \
        if (!rows)                                                                                \
            return NONLIN_OK;                                                                     \
        if (!cols)                                                                                \
            return NONLIN_EMPTY;                                                                  \
        nonlin_status s = nl_check_argmax(index, (nl_rows){x, ldx}, rows, cols, sizeof *x);       \
        if (s)                                                                                    \
            return s;                                                                             \
        nonlin_status(*kernel) NL_PARAMS_ARGMAX(nl_##dtype) = nl_call(op, dtype, ARGMAX);         \
        NL_UNDER_DEFAULT(for (size_t r = 0; r < rows; r++) kernel(index + r, x + r * ldx, cols)); \
        return NONLIN_OK;                                                                         \
    }

#define KERNEL(op, dtype, class) ENTRY_##class(op, dtype)
#include "kernels.def"
#undef KERNEL
