/* The elementwise driver: y[i] = f(x[i]). */
#ifndef NL_MAP_H
#define NL_MAP_H

#include "kernel.h"

/* A result of this many bytes will not stay in cache: it is streamed to memory, which saves reading
 * what is to be overwritten. Not in place: there it has just been read. */
#define MAP_STREAM ((size_t)1 << 24)
#define MAP_IS_LONG(x, n) ((n) >= MAP_STREAM / sizeof *(x))

/* The lanes that T_load and T_store move, and what fills a vector up. */
#define MAP_LANES_f32 LANES32
#define MAP_FILL_f32 1.0f
#define MAP_LANES_u16 LANES16
#define MAP_FILL_u16 0

#define MAP_LOOP(T, y, x, n, f, store)                                            \
    {                                                                             \
        const size_t lanes = MAP_LANES_##T;                                       \
        size_t i = 0;                                                             \
        NL_UNROLL(4)                                                              \
        for (; i + lanes <= n; i += lanes)                                        \
            store(y + i, f(T##_load(x + i)));                                     \
        if (i < n)                                                                \
            T##_store_n(y + i, f(T##_load_n(x + i, n - i, MAP_FILL_##T)), n - i); \
    }

/* As MAP_LOOP, streaming from the first y on that is aligned to a vector. */
#define MAP_STREAMED(T, y, x, n, f)                                          \
    {                                                                        \
        const size_t ahead = (0 - (uintptr_t)y) / sizeof *y % MAP_LANES_##T; \
        T##_store_n(y, f(T##_load_n(x, ahead, MAP_FILL_##T)), ahead);        \
        y += ahead;                                                          \
        x += ahead;                                                          \
        n -= ahead;                                                          \
        MAP_LOOP(T, y, x, n, f, T##_stream)                                  \
        stream_fence();                                                      \
    }

#define MAP(T, y, x, n, f)                                    \
    {                                                         \
        if (__builtin_expect(MAP_IS_LONG(x, n) && x != y, 0)) \
            MAP_STREAMED(T, y, x, n, f)                       \
        else                                                  \
            MAP_LOOP(T, y, x, n, f, T##_store)                \
    }

/* A whole elementwise kernel on elements of type `type`, as vectors of T. */
#define MAP_KERNEL(T, name, type, f)                                   \
    nonlin_status KERNEL_NAME(name)(type * y, const type *x, size_t n) \
    {                                                                  \
        MAP(T, y, x, n, f)                                             \
        return NONLIN_OK;                                              \
    }

#endif
