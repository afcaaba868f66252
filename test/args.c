/* Every way to refuse a call, function by function: the status, and that nothing was written; and
 * the calls that look like mistakes and are not. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE */
#include "kernels.h"
#include "functions.h"
#include "suite.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- The functions --------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    size_t elem; /* bytes of an element of x */
    vector_fn *vector;
    rows_fn *rows;
    pair_fn *pair; /* of two sources, u and x */
    pair_rows_fn *pair_rows;
} function;

#define NONE(op, dtype)
#define ONE(op, dtype)                \
    {.name = #op "_" #dtype,          \
     .elem = sizeof(nl_##dtype),      \
     .vector = vector_##op##_##dtype, \
     .rows = rows_##op##_##dtype},
#define TWO(op, dtype)            \
    {.name = #op "_" #dtype,      \
     .elem = sizeof(nl_##dtype),  \
     .pair = pair_##op##_##dtype, \
     .pair_rows = pair_rows_##op##_##dtype},

/* y has the shape of x, which stands for both sources where there are two */
static const function maps[] = {
#define MAPS_MAP ONE
#define MAPS_MAP2 ONE
#define MAPS_ROW ONE
#define MAPS_ARGMAX NONE
#define KERNEL(op, dtype, class) MAPS_##class(op, dtype)
#include "kernels.def"
#undef KERNEL
};

static const function pairs[] = {
#define PAIRS_MAP NONE
#define PAIRS_MAP2 TWO
#define PAIRS_ROW NONE
#define PAIRS_ARGMAX NONE
#define KERNEL(op, dtype, class) PAIRS_##class(op, dtype)
#include "kernels.def"
#undef KERNEL
};

/* y is an int32_t a row */
static const function reductions[] = {
#define REDUCTIONS_MAP NONE
#define REDUCTIONS_MAP2 NONE
#define REDUCTIONS_ROW NONE
#define REDUCTIONS_ARGMAX ONE
#define KERNEL(op, dtype, class) REDUCTIONS_##class(op, dtype)
#include "kernels.def"
#undef KERNEL
};

enum {
    MAPS = sizeof maps / sizeof *maps,
    PAIRS = sizeof pairs / sizeof *pairs,
    REDUCTIONS = sizeof reductions / sizeof *reductions
};

/* ---- Memory that is watched ------------------------------------------------------------------ */

enum { AREA = 1024, N = 9 };
static _Alignas(64) unsigned char area[AREA], before[AREA];
static unsigned char *const x = area + AREA / 2, *const y = area + 64,
                            *const u = area + 3 * AREA / 4;

static void fill(void)
{
    static const float some[] = {0.5f, -1.25f, 3.0f, 0.0f, -7.5f, 2.25f, 1.0f};
    for (size_t i = 0; i < AREA; i += sizeof *some)
        memcpy(area + i, &some[i / sizeof *some % 7], sizeof *some);
    memcpy(before, area, AREA);
    errno = EDOM;
}

static void check_call(const char *name, const char *call, nonlin_status got, nonlin_status want,
                       bool idle)
{
    const int error =
        errno; /* each of Check's assertions writes to a pipe: none where all is well */
    if (got != want)
        ck_abort_msg("%s: \"%s\" and not \"%s\": %s", name, nonlin_status_string(got),
                     nonlin_status_string(want), call);
    if (error != EDOM)
        ck_abort_msg("%s: errno has changed: %s", name, call);
    if (idle && memcmp(area, before, AREA))
        ck_abort_msg("%s: something was written: %s", name, call);
}

/* The call has that status, wrote nothing at all, and left errno alone. */
#define ck_refused(call, status) (fill(), check_call(f.name, #call, call, status, true))
/* So do calls that have nothing to do. */
#define ck_idle(call) ck_refused(call, NONLIN_OK)
#define ck_accepted(call) (fill(), check_call(f.name, #call, call, NONLIN_OK, false))

/* ---- Functions whose result has the shape of the source -------------------------------------- */

START_TEST(map_null)
{
    const function f = maps[_i];
    ck_refused(f.vector(NULL, x, N), NONLIN_NULL_POINTER);
    ck_refused(f.vector(y, NULL, N), NONLIN_NULL_POINTER);
    ck_refused(f.vector(NULL, NULL, N), NONLIN_NULL_POINTER);
    ck_refused(f.rows(NULL, 4, x, 4, 3, 4), NONLIN_NULL_POINTER);
    ck_refused(f.rows(y, 4, NULL, 4, 3, 4), NONLIN_NULL_POINTER);
    ck_refused(f.rows(NULL, 4, NULL, 4, 3, 4), NONLIN_NULL_POINTER);
}
END_TEST

START_TEST(map_misaligned)
{
    const function f = maps[_i];
    for (size_t b = 1; b < f.elem; b++) {
        ck_refused(f.vector(y + b, x, N), NONLIN_MISALIGNED);
        ck_refused(f.vector(y, x + b, N), NONLIN_MISALIGNED);
        ck_refused(f.vector(x + b, x + b, N), NONLIN_MISALIGNED);
        ck_refused(f.rows(y + b, 4, x, 4, 3, 4), NONLIN_MISALIGNED);
        ck_refused(f.rows(y, 4, x + b, 4, 3, 4), NONLIN_MISALIGNED);
    }
    for (size_t i = 1; i < 16; i++) /* the element's alignment is enough */
        ck_accepted(f.vector(y + (i % 5) * f.elem, x + i * f.elem, N));
}
END_TEST

START_TEST(map_size)
{
    const function f = maps[_i];
    const size_t most = PTRDIFF_MAX / f.elem;
    ck_refused(f.vector(y, x, SIZE_MAX), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.vector(y, x, SIZE_MAX / f.elem + 2), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.vector(y, x, most + 1), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 4, x, 4, SIZE_MAX, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 4, x, 4, SIZE_MAX / 4 + 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, SIZE_MAX, x, 4, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 4, x, SIZE_MAX, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 4, x, most, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 4, x, SIZE_MAX / f.elem + 1, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, SIZE_MAX / 2 + 1, x, SIZE_MAX / 2 + 1, 3, 1), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, SIZE_MAX, x, SIZE_MAX, 1, SIZE_MAX), NONLIN_SIZE_OVERFLOW);
    /* one less does fit, so that something else is wrong with these; not so where pointers are
     * small */
    if (sizeof(size_t) > 4) {
        ck_refused(f.vector(y, x, most), NONLIN_OVERLAP);
        ck_refused(f.rows(y, most - 4, x, most - 5, 2, 4), NONLIN_OVERLAP);
    }
}
END_TEST

START_TEST(map_leading_dimension)
{
    const function f = maps[_i];
    ck_refused(f.rows(y, 3, x, 4, 3, 4), NONLIN_LEADING_DIMENSION);
    ck_refused(f.rows(y, 4, x, 3, 3, 4), NONLIN_LEADING_DIMENSION);
    ck_refused(f.rows(y, 0, x, 0, 3, 4), NONLIN_LEADING_DIMENSION);
    ck_refused(f.rows(y, 0, x, 4, 1, 4), NONLIN_LEADING_DIMENSION);
    ck_accepted(f.rows(y, 4, x, 5, 3, 4));
    ck_accepted(f.rows(y, 6, x, 4, 3, 4));
    /* of one row it means nothing */
    ck_accepted(f.rows(y, SIZE_MAX, x, SIZE_MAX, 1, 4));
    ck_accepted(f.rows(x, SIZE_MAX, x, 4, 1, 4));
}
END_TEST

START_TEST(map_empty)
{
    const function f = maps[_i];
    ck_idle(f.vector(NULL, NULL, 0));
    ck_idle(f.vector(y, x, 0));
    ck_idle(f.vector(y + 1, x + 1, 0));
    ck_idle(f.rows(NULL, 0, NULL, 0, 0, 0));
    ck_idle(f.rows(NULL, 0, NULL, 0, 0, 4));
    ck_idle(f.rows(NULL, 0, NULL, 0, 4, 0));
    ck_idle(f.rows(y, 4, x, 4, 0, SIZE_MAX));
    ck_idle(f.rows(y, 4, x, 4, SIZE_MAX, 0));
    ck_idle(f.rows(y + 1, 4, y, 4, 3, 0));
}
END_TEST

START_TEST(map_overlap_vector)
{
    const function f = maps[_i];
    for (size_t d = 1; d < N; d++) {
        ck_refused(f.vector(x + d * f.elem, x, N), NONLIN_OVERLAP);
        ck_refused(f.vector(x, x + d * f.elem, N), NONLIN_OVERLAP);
        ck_refused(f.rows(x + d * f.elem, N, x, N, 1, N), NONLIN_OVERLAP);
    }
    ck_accepted(f.vector(x + N * f.elem, x, N));
    ck_accepted(f.vector(x, x + N * f.elem, N));
    ck_accepted(f.vector(x, x, N));
}
END_TEST

/* Do any two rows touch? y begins `shift` elements after x. */
static bool touches(size_t rows, size_t cols, size_t ldx, size_t ldy, ptrdiff_t shift)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t s = 0; s < rows; s++) {
            ptrdiff_t from = (ptrdiff_t)(r * ldx), to = (ptrdiff_t)(s * ldy) + shift;
            if (to - from < (ptrdiff_t)cols && from - to < (ptrdiff_t)cols)
                return true;
        }
    return false;
}

/* May y, `shift` elements after x, be the destination of x? If it is x, if they lie apart, or if
 * they are interleaved. */
static bool allowed(size_t rows, size_t cols, size_t ldx, size_t ldy, ptrdiff_t shift)
{
    const bool same = !shift && (ldx == ldy || rows == 1);
    const bool apart = shift >= (ptrdiff_t)((rows - 1) * ldx + cols) ||
                       -shift >= (ptrdiff_t)((rows - 1) * ldy + cols);
    return same || (!touches(rows, cols, ldx, ldy, shift) && (ldx == ldy || apart));
}

/* Rows of another matrix, without gaps. */
static void make_dense(unsigned char *dense, const unsigned char *from, size_t rows, size_t bytes,
                       size_t ld_bytes)
{
    for (size_t r = 0; r < rows; r++)
        memcpy(dense + r * bytes, from + r * ld_bytes, bytes);
}

/* Notes what is to be in `to` after the call. */
static void expect_rows(unsigned char *to, const unsigned char *result, size_t rows, size_t bytes,
                        size_t ld_bytes)
{
    for (size_t r = 0; r < rows; r++)
        memcpy(before + (to - area) + r * ld_bytes, result + r * bytes, bytes);
}

/* An accepted call gives what dense matrices far apart give, and nothing between the rows changes.
 */
static void check_rows(function f, size_t rows, size_t cols, size_t ldx, size_t ldy,
                       ptrdiff_t shift)
{
    static _Alignas(64) unsigned char dense[AREA], result[AREA];
    unsigned char *to = x + shift * (ptrdiff_t)f.elem;
    const size_t bytes = cols * f.elem;
    fill();
    make_dense(dense, x, rows, bytes, ldx * f.elem);
    f.rows(result, cols, dense, cols, rows, cols);
    expect_rows(to, result, rows, bytes, ldy * f.elem);
    if (f.rows(to, ldy, x, ldx, rows, cols) != NONLIN_OK || memcmp(area, before, AREA))
        ck_abort_msg("%s: refused or wrong: %zu x %zu, ldx %zu, ldy %zu, y = x + %td", f.name, rows,
                     cols, ldx, ldy, shift);
}

/* All small matrices at all distances from one another. */
START_TEST(map_overlap_rows)
{
    const function f = maps[_i];
    for (size_t rows = 1; rows <= 3; rows++)
        for (size_t cols = 1; cols <= 3; cols++)
            for (size_t ldx = cols; ldx <= 2 * cols + 2; ldx++)
                for (size_t ldy = cols; ldy <= 2 * cols + 2; ldy++)
                    for (ptrdiff_t shift = -28; shift <= 28; shift++) {
                        if (allowed(rows, cols, ldx, ldy, shift))
                            check_rows(f, rows, cols, ldx, ldy, shift);
                        else
                            ck_refused(
                                f.rows(x + shift * (ptrdiff_t)f.elem, ldy, x, ldx, rows, cols),
                                NONLIN_OVERLAP);
                    }
}
END_TEST

/* ---- Functions of two sources ---------------------------------------------------------------- */

START_TEST(pair_null)
{
    const function f = pairs[_i];
    for (int null = 1; null < 8; null++) {
        void *const to = null & 1 ? NULL : y;
        const void *const from_u = null & 2 ? NULL : u, *const from_x = null & 4 ? NULL : x;
        ck_refused(f.pair(to, from_u, from_x, N), NONLIN_NULL_POINTER);
        ck_refused(f.pair_rows(to, 4, from_u, 4, from_x, 4, 3, 4), NONLIN_NULL_POINTER);
    }
}
END_TEST

START_TEST(pair_misaligned)
{
    const function f = pairs[_i];
    for (size_t b = 1; b < f.elem; b++) {
        ck_refused(f.pair(y + b, u, x, N), NONLIN_MISALIGNED);
        ck_refused(f.pair(y, u + b, x, N), NONLIN_MISALIGNED);
        ck_refused(f.pair(y, u, x + b, N), NONLIN_MISALIGNED);
        ck_refused(f.pair(x + b, x + b, x + b, N), NONLIN_MISALIGNED);
        ck_refused(f.pair_rows(y + b, 4, u, 4, x, 4, 3, 4), NONLIN_MISALIGNED);
        ck_refused(f.pair_rows(y, 4, u + b, 4, x, 4, 3, 4), NONLIN_MISALIGNED);
        ck_refused(f.pair_rows(y, 4, u, 4, x + b, 4, 3, 4), NONLIN_MISALIGNED);
    }
    for (size_t i = 1; i < 16; i++)
        ck_accepted(f.pair(y + (i % 5) * f.elem, u + (i % 3) * f.elem, x + i * f.elem, N));
}
END_TEST

START_TEST(pair_size)
{
    const function f = pairs[_i];
    const size_t most = PTRDIFF_MAX / f.elem;
    ck_refused(f.pair(y, u, x, SIZE_MAX), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.pair(y, u, x, most + 1), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.pair_rows(y, 4, u, 4, x, 4, SIZE_MAX, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.pair_rows(y, SIZE_MAX, u, 4, x, 4, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.pair_rows(y, 4, u, SIZE_MAX, x, 4, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.pair_rows(y, 4, u, 4, x, SIZE_MAX, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.pair_rows(y, 4, u, most, x, 4, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.pair_rows(y, 4, u, 4, x, most, 2, 4), NONLIN_SIZE_OVERFLOW);
    /* one less does fit, so that something else is wrong with these */
    if (sizeof(size_t) > 4) {
        ck_refused(f.pair(y, u, x, most), NONLIN_OVERLAP);
        ck_refused(f.pair_rows(y, 4, area, most - 4, x, 4, 2, 4), NONLIN_OVERLAP);
        ck_refused(f.pair_rows(y, 4, u, 4, area, most - 4, 2, 4), NONLIN_OVERLAP);
    }
}
END_TEST

START_TEST(pair_leading_dimension)
{
    const function f = pairs[_i];
    ck_refused(f.pair_rows(y, 3, u, 4, x, 4, 3, 4), NONLIN_LEADING_DIMENSION);
    ck_refused(f.pair_rows(y, 4, u, 3, x, 4, 3, 4), NONLIN_LEADING_DIMENSION);
    ck_refused(f.pair_rows(y, 4, u, 4, x, 3, 3, 4), NONLIN_LEADING_DIMENSION);
    ck_refused(f.pair_rows(y, 4, u, 0, x, 4, 1, 4), NONLIN_LEADING_DIMENSION);
    ck_refused(f.pair_rows(y, 4, u, 4, x, 0, 1, 4), NONLIN_LEADING_DIMENSION);
    ck_accepted(f.pair_rows(y, 4, u, 5, x, 6, 3, 4));
    ck_accepted(f.pair_rows(y, 6, u, 4, x, 5, 3, 4));
    ck_accepted(f.pair_rows(y, SIZE_MAX, u, SIZE_MAX, x, SIZE_MAX, 1, 4));
    ck_accepted(f.pair_rows(u, SIZE_MAX, u, 4, u, 5, 1, 4));
}
END_TEST

START_TEST(pair_empty)
{
    const function f = pairs[_i];
    ck_idle(f.pair(NULL, NULL, NULL, 0));
    ck_idle(f.pair(y, u, x, 0));
    ck_idle(f.pair(y + 1, y + 2, y + 3, 0));
    ck_idle(f.pair_rows(NULL, 0, NULL, 0, NULL, 0, 0, 0));
    ck_idle(f.pair_rows(NULL, 0, NULL, 0, NULL, 0, 0, 4));
    ck_idle(f.pair_rows(NULL, 0, NULL, 0, NULL, 0, 4, 0));
    ck_idle(f.pair_rows(y, 4, u, 4, x, 4, 0, SIZE_MAX));
    ck_idle(f.pair_rows(y, 4, u, 4, x, 4, SIZE_MAX, 0));
}
END_TEST

START_TEST(pair_overlap_vector)
{
    const function f = pairs[_i];
    for (size_t d = 1; d < N; d++) {
        unsigned char *const later = x + d * f.elem;
        ck_refused(f.pair(later, u, x, N), NONLIN_OVERLAP);
        ck_refused(f.pair(later, x, u, N), NONLIN_OVERLAP);
        ck_refused(f.pair(x, u, later, N), NONLIN_OVERLAP);
        ck_refused(f.pair(x, later, u, N), NONLIN_OVERLAP);
        /* in place of one is not enough */
        ck_refused(f.pair(x, x, later, N), NONLIN_OVERLAP);
        ck_refused(f.pair(x, later, x, N), NONLIN_OVERLAP);
        ck_refused(f.pair_rows(x, N, later, N, x, N, 1, N), NONLIN_OVERLAP);
        ck_refused(f.pair_rows(x, N, x, N, later, N, 1, N), NONLIN_OVERLAP);
        /* the sources are only read */
        ck_accepted(f.pair(y, x, later, N));
        ck_accepted(f.pair(y, later, x, N));
    }
    ck_accepted(f.pair(y, x, x, N));
    ck_accepted(f.pair(x, x, u, N));
    ck_accepted(f.pair(x, u, x, N));
    ck_accepted(f.pair(x, x, x, N));
    ck_accepted(f.pair(x + N * f.elem, x, x + 2 * N * f.elem, N));
    ck_accepted(f.pair(x + N * f.elem, x + 2 * N * f.elem, x, N));
}
END_TEST

/* A matrix that begins `shift` elements before y. */
typedef struct {
    size_t ld;
    ptrdiff_t shift;
} source;

static void check_pair_rows(function f, size_t rows, size_t cols, size_t ldy, source from_u,
                            source from_x)
{
    static _Alignas(64) unsigned char dense_u[AREA], dense_x[AREA], result[AREA];
    const unsigned char *at_u = x - from_u.shift * (ptrdiff_t)f.elem;
    const unsigned char *at_x = x - from_x.shift * (ptrdiff_t)f.elem;
    const size_t bytes = cols * f.elem;
    if (!allowed(rows, cols, from_u.ld, ldy, from_u.shift) ||
        !allowed(rows, cols, from_x.ld, ldy, from_x.shift)) {
        ck_refused(f.pair_rows(x, ldy, at_u, from_u.ld, at_x, from_x.ld, rows, cols),
                   NONLIN_OVERLAP);
        return;
    }
    fill();
    make_dense(dense_u, at_u, rows, bytes, from_u.ld * f.elem);
    make_dense(dense_x, at_x, rows, bytes, from_x.ld * f.elem);
    f.pair_rows(result, cols, dense_u, cols, dense_x, cols, rows, cols);
    expect_rows(x, result, rows, bytes, ldy * f.elem);
    if (f.pair_rows(x, ldy, at_u, from_u.ld, at_x, from_x.ld, rows, cols) != NONLIN_OK ||
        memcmp(area, before, AREA))
        ck_abort_msg(
            "%s: refused or wrong: %zu x %zu, ldy %zu, ldu %zu, ldx %zu, y = u + %td = x + "
            "%td",
            f.name, rows, cols, ldy, from_u.ld, from_x.ld, from_u.shift, from_x.shift);
}

/* Small matrices at all distances of both sources from the destination. */
START_TEST(pair_overlap_rows)
{
    enum { FARTHEST = 13 };
    const function f = pairs[_i];
    for (size_t rows = 1; rows <= 3; rows++)
        for (size_t cols = 1; cols <= 2; cols++)
            for (size_t lds = 0; lds < 27; lds++) {
                const size_t each[] = {cols, 2 * cols, 2 * cols + 1};
                for (ptrdiff_t i = -FARTHEST; i <= FARTHEST; i++)
                    for (ptrdiff_t j = -FARTHEST; j <= FARTHEST; j++)
                        check_pair_rows(f, rows, cols, each[lds % 3],
                                        (source){each[lds / 3 % 3], i}, (source){each[lds / 9], j});
            }
}
END_TEST

/* ---- Functions that give an index a row ------------------------------------------------------ */

START_TEST(reduction_null)
{
    const function f = reductions[_i];
    ck_refused(f.vector(NULL, x, N), NONLIN_NULL_POINTER);
    ck_refused(f.vector(y, NULL, N), NONLIN_NULL_POINTER);
    ck_refused(f.vector(NULL, NULL, N), NONLIN_NULL_POINTER);
    ck_refused(f.rows(NULL, 1, x, 4, 3, 4), NONLIN_NULL_POINTER);
    ck_refused(f.rows(y, 1, NULL, 4, 3, 4), NONLIN_NULL_POINTER);
}
END_TEST

START_TEST(reduction_misaligned)
{
    const function f = reductions[_i];
    for (size_t b = 1; b < sizeof(int32_t); b++) {
        ck_refused(f.vector(y + b, x, N), NONLIN_MISALIGNED);
        ck_refused(f.rows(y + b, 1, x, 4, 3, 4), NONLIN_MISALIGNED);
    }
    for (size_t b = 1; b < f.elem; b++) {
        ck_refused(f.vector(y, x + b, N), NONLIN_MISALIGNED);
        ck_refused(f.rows(y, 1, x + b, 4, 3, 4), NONLIN_MISALIGNED);
    }
    for (size_t i = 1; i < 16; i++)
        ck_accepted(f.vector(y + 4 * i, x + i * f.elem, N));
}
END_TEST

START_TEST(reduction_empty)
{
    const function f = reductions[_i];
    ck_refused(f.vector(y, x, 0), NONLIN_EMPTY);
    ck_refused(f.vector(NULL, NULL, 0), NONLIN_EMPTY);
    ck_refused(f.rows(y, 1, x, 4, 3, 0), NONLIN_EMPTY);
    ck_refused(f.rows(NULL, 1, NULL, 0, 1, 0), NONLIN_EMPTY);
    /* no row, no index */
    ck_idle(f.rows(y, 1, x, 4, 0, 4));
    ck_idle(f.rows(NULL, 1, NULL, 0, 0, 0));
    ck_idle(f.rows(NULL, 1, NULL, 0, 0, SIZE_MAX));
}
END_TEST

START_TEST(reduction_range)
{
    const function f = reductions[_i];
    const size_t most = (size_t)INT32_MAX + 1;
    if (sizeof(size_t) == 4)
        return; /* the address space is too small for such a row */
    ck_refused(f.vector(y, x, most + 1), NONLIN_INDEX_RANGE);
    ck_refused(f.vector(y, x, (size_t)-1), NONLIN_INDEX_RANGE);
    ck_refused(f.rows(y, 1, x, most + 1, 1, most + 1), NONLIN_INDEX_RANGE);
    /* the length is fine */
    ck_refused(f.vector(y, NULL, most), NONLIN_NULL_POINTER);
    ck_refused(f.rows(y, 1, NULL, most, 1, most), NONLIN_NULL_POINTER);
}
END_TEST

START_TEST(reduction_size)
{
    const function f = reductions[_i];
    const size_t most = PTRDIFF_MAX / f.elem;
    ck_refused(f.rows(y, 1, x, SIZE_MAX, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 1, x, most - 3, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 1, x, SIZE_MAX / f.elem - 1, 2, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 1, x, SIZE_MAX / 2 + 1, 3, 1), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 1, x, 4, SIZE_MAX, 4), NONLIN_SIZE_OVERFLOW);
    ck_refused(f.rows(y, 1, x, 1, PTRDIFF_MAX / sizeof(int32_t) + 1, 1), NONLIN_SIZE_OVERFLOW);
    if (sizeof(size_t) > 4) /* y lies before x, within the span of the two rows or not: after it */
        ck_refused(f.rows(x + 16, 1, x, most - 4, 2, 4), NONLIN_OVERLAP);
}
END_TEST

START_TEST(reduction_leading_dimension)
{
    const function f = reductions[_i];
    ck_refused(f.rows(y, 1, x, 3, 3, 4), NONLIN_LEADING_DIMENSION);
    ck_refused(f.rows(y, 1, x, 0, 1, 4), NONLIN_LEADING_DIMENSION);
    ck_accepted(f.rows(y, 1, x, 5, 3, 4));
    ck_accepted(f.rows(y, 1, x, SIZE_MAX, 1, 4));
}
END_TEST

START_TEST(reduction_overlap)
{
    const function f = reductions[_i];
    const ptrdiff_t rows = 3, index = sizeof(int32_t), end = 3 * 4 * (ptrdiff_t)f.elem;
    ck_refused(f.vector(x, x, 1), NONLIN_OVERLAP);
    for (ptrdiff_t at = -rows * index; at <= end; at += index) {
        if (at == -rows * index || at >= end)
            ck_accepted(f.rows(x + at, 1, x, 4, 3, 4));
        else
            ck_refused(f.rows(x + at, 1, x, 4, 3, 4), NONLIN_OVERLAP);
    }
}
END_TEST

/* 2^31 elements, the last of them the greatest: the greatest index of all. */
START_TEST(reduction_longest)
{
    const function f = reductions[_i];
    const size_t n = (size_t)1 << 31;
    if (sizeof(size_t) == 4 || quick())
        return;
    unsigned char *all = mmap(NULL, n * f.elem, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return;                              /* this process may not have so much */
    madvise(all, n * f.elem, MADV_HUGEPAGE); /* or the zero page is mapped 2^21 times */
    const float one = 1.0f;
    memcpy(all + (n - 1) * f.elem, (const char *)&one + sizeof one - f.elem, f.elem);
    int32_t index = -1;
    ck_assert_int_eq(f.vector(&index, all, n), NONLIN_OK);
    ck_assert_int_eq(index, INT32_MAX);
    munmap(all, n * f.elem);
}
END_TEST

/* ---- The rest -------------------------------------------------------------------------------- */

START_TEST(isa_refused)
{
    static const char *const unknown[] = {"", "none", "PORTABLE", "portable ", "portabl", "avx"};
    char active[64];
    snprintf(active, sizeof active, "%s", nonlin_active_isa());
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        ck_assert_int_eq(nonlin_use_isa(unknown[i]), NONLIN_UNKNOWN_ISA);
    for (size_t i = 0; i < nonlin_isa_count(); i++)
        if (nonlin_isa_missing(i))
            ck_assert_int_eq(nonlin_use_isa(nonlin_isa_name(i)), NONLIN_UNUSABLE_ISA);
    ck_assert_str_eq(nonlin_active_isa(), active);
}
END_TEST

START_TEST(status_strings)
{
    /* the numbers are frozen */
    static const int statuses[] = {
        NONLIN_OK,          NONLIN_NULL_POINTER,  NONLIN_MISALIGNED,
        NONLIN_OVERLAP,     NONLIN_SIZE_OVERFLOW, NONLIN_LEADING_DIMENSION,
        NONLIN_EMPTY,       NONLIN_INDEX_RANGE,   NONLIN_UNKNOWN_ISA,
        NONLIN_UNUSABLE_ISA};
    const int count = sizeof statuses / sizeof *statuses;
    static const nonlin_status none[] = {-1, 1000, INT32_MAX, INT32_MIN};
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(statuses[i], i);
        ck_assert_ptr_nonnull(nonlin_status_string(i));
        ck_assert_str_ne(nonlin_status_string(i), "unknown status");
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(nonlin_status_string(i), nonlin_status_string(j));
    }
    ck_assert_str_eq(nonlin_status_string(count), "unknown status");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_str_eq(nonlin_status_string(none[i]), "unknown status");
}
END_TEST

START_TEST(version)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", NONLIN_VERSION_MAJOR, NONLIN_VERSION_MINOR,
             NONLIN_VERSION_PATCH);
    ck_assert_str_eq(nonlin_version_string(), text);
    ck_assert_uint_eq(nonlin_version() >> 16, NONLIN_VERSION_MAJOR);
    ck_assert_uint_eq(nonlin_version() >> 8 & 0xff, NONLIN_VERSION_MINOR);
    ck_assert_uint_eq(nonlin_version() & 0xff, NONLIN_VERSION_PATCH);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("args");
    TCase *tests = add_case(suite, "map");
    tcase_add_loop_test(tests, map_null, 0, MAPS);
    tcase_add_loop_test(tests, map_misaligned, 0, MAPS);
    tcase_add_loop_test(tests, map_size, 0, MAPS);
    tcase_add_loop_test(tests, map_leading_dimension, 0, MAPS);
    tcase_add_loop_test(tests, map_empty, 0, MAPS);
    tcase_add_loop_test(tests, map_overlap_vector, 0, MAPS);
    tcase_add_loop_test(tests, map_overlap_rows, 0, MAPS);
    tests = add_case(suite, "pair");
    tcase_add_loop_test(tests, pair_null, 0, PAIRS);
    tcase_add_loop_test(tests, pair_misaligned, 0, PAIRS);
    tcase_add_loop_test(tests, pair_size, 0, PAIRS);
    tcase_add_loop_test(tests, pair_leading_dimension, 0, PAIRS);
    tcase_add_loop_test(tests, pair_empty, 0, PAIRS);
    tcase_add_loop_test(tests, pair_overlap_vector, 0, PAIRS);
    tcase_add_loop_test(tests, pair_overlap_rows, 0, PAIRS);
    tests = add_case(suite, "reduction");
    tcase_add_loop_test(tests, reduction_null, 0, REDUCTIONS);
    tcase_add_loop_test(tests, reduction_misaligned, 0, REDUCTIONS);
    tcase_add_loop_test(tests, reduction_empty, 0, REDUCTIONS);
    tcase_add_loop_test(tests, reduction_range, 0, REDUCTIONS);
    tcase_add_loop_test(tests, reduction_size, 0, REDUCTIONS);
    tcase_add_loop_test(tests, reduction_leading_dimension, 0, REDUCTIONS);
    tcase_add_loop_test(tests, reduction_overlap, 0, REDUCTIONS);
    tcase_add_loop_test(tests, reduction_longest, 0, REDUCTIONS);
    tests = add_case(suite, "other");
    tcase_add_test(tests, isa_refused);
    tcase_add_test(tests, status_strings);
    tcase_add_test(tests, version);
    return run_suite(suite);
}
