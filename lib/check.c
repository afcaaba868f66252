#include "check.h"

/* Bytes from the first element to the end of the last; false if they do not fit in memory. */
static bool span(nl_rows m, size_t rows, size_t cols, size_t elem, size_t *bytes)
{
    size_t n;
    return !__builtin_mul_overflow(rows - 1, m.ld, &n) && !__builtin_add_overflow(n, cols, &n) &&
           !__builtin_mul_overflow(n, elem, bytes) && *bytes <= PTRDIFF_MAX &&
           *bytes <= UINTPTR_MAX - (uintptr_t)m.p;
}

static nonlin_status check(nl_rows m, size_t rows, size_t cols, size_t elem, size_t *bytes)
{
    if (m.ld < cols)
        return NONLIN_LEADING_DIMENSION;
    if (!m.p)
        return NONLIN_NULL_POINTER;
    if ((uintptr_t)m.p & (elem - 1))
        return NONLIN_MISALIGNED;
    if (!span(m, rows, cols, elem, bytes))
        return NONLIN_SIZE_OVERFLOW;
    return NONLIN_OK;
}

static bool apart(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return (uintptr_t)a + a_bytes <= (uintptr_t)b || (uintptr_t)b + b_bytes <= (uintptr_t)a;
}

nonlin_status nl_check_rows(nl_rows dst, nl_rows src, size_t rows, size_t cols, size_t elem)
{
    size_t dst_bytes, src_bytes;
    nonlin_status s;
    if ((s = check(dst, rows, cols, elem, &dst_bytes)) ||
        (s = check(src, rows, cols, elem, &src_bytes)))
        return s;
    if (apart(dst.p, dst_bytes, src.p, src_bytes))
        return NONLIN_OK;
    if (rows > 1 && dst.ld != src.ld)
        return NONLIN_OVERLAP;
    if (dst.p == src.p)
        return NONLIN_OK;
    /* interleaved slices of one buffer: each row of one lies between two rows of the other */
    size_t bytes = (size_t)((const char *)dst.p - (const char *)src.p);
    if ((const char *)dst.p < (const char *)src.p)
        bytes = (size_t)((const char *)src.p - (const char *)dst.p);
    size_t shift = bytes / elem % src.ld;
    return rows > 1 && shift >= cols && src.ld - shift >= cols ? NONLIN_OK : NONLIN_OVERLAP;
}

nonlin_status nl_check_argmax(const int32_t *index, nl_rows src, size_t rows, size_t cols,
                              size_t elem)
{
    size_t index_bytes, src_bytes;
    nonlin_status s;
    if (cols - 1 > INT32_MAX)
        return NONLIN_INDEX_RANGE;
    if ((s = check((nl_rows){index, 1}, rows, 1, sizeof *index, &index_bytes)) ||
        (s = check(src, rows, cols, elem, &src_bytes)))
        return s;
    return apart(index, index_bytes, src.p, src_bytes) ? NONLIN_OK : NONLIN_OVERLAP;
}
