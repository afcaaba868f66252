/* The elementwise driver: y[i] = f(x[i]). */
#ifndef NL_MAP_H
#define NL_MAP_H

#include "kernel.h"

/* From this many elements on a result will not stay in cache: it is streamed to memory, which saves
 * reading what is to be overwritten. Not in place: there it has just been read. */
#define MAP_STREAM ((size_t)1 << 22)

#define MAP_F32_LOOP(y, x, n, f, store)                                   \
    {                                                                     \
        const size_t lanes = LANES32;                                     \
        size_t i = 0;                                                     \
        NL_UNROLL(4)                                                      \
        for (; i + lanes <= n; i += lanes)                                \
            store(y + i, f(f32_load(x + i)));                             \
        if (i < n)                                                        \
            f32_store_n(y + i, f(f32_load_n(x + i, n - i, 1.0f)), n - i); \
    }

/* As MAP_F32_LOOP, streaming from the first y on that is aligned to a vector. */
#define MAP_F32_STREAM(y, x, n, f)                                     \
    {                                                                  \
        const size_t ahead = (0 - (uintptr_t)y) / sizeof *y % LANES32; \
        f32_store_n(y, f(f32_load_n(x, ahead, 1.0f)), ahead);          \
        y += ahead;                                                    \
        x += ahead;                                                    \
        n -= ahead;                                                    \
        MAP_F32_LOOP(y, x, n, f, f32_stream)                           \
        stream_fence();                                                \
    }

#define MAP_F32(y, x, n, f)                                 \
    {                                                       \
        if (__builtin_expect(n >= MAP_STREAM && x != y, 0)) \
            MAP_F32_STREAM(y, x, n, f)                      \
        else                                                \
            MAP_F32_LOOP(y, x, n, f, f32_store)             \
    }

/* A whole elementwise kernel. */
#define MAP_F32_KERNEL(name, f)                                         \
    nonlin_status KERNEL_NAME(name)(float *y, const float *x, size_t n) \
    {                                                                   \
        MAP_F32(y, x, n, f)                                             \
        return NONLIN_OK;                                               \
    }

#endif
