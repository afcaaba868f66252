/* The elementwise drivers: y[i] = f(x[i]), and y[i] = f(u[i], g[i]). */
#ifndef NL_MAP_H
#define NL_MAP_H

#include "kernel.h"

/* A result of this many bytes will not stay in cache: it is streamed to memory, which saves reading
 * what is to be overwritten. Not in place: there it has just been read. */
#define MAP_STREAM ((size_t)1 << 24)
#define MAP_IS_LONG(y, n) ((n) >= MAP_STREAM / sizeof *(y))

/* The vectors that T_load and T_store move, their lanes, and what fills one up. */
#define MAP_VECTOR_f32 vf32
#define MAP_LANES_f32 LANES32
#define MAP_FILL_f32 1.0f
#define MAP_VECTOR_f16 vf32
#define MAP_LANES_f16 LANES32
#define MAP_FILL_f16 0x3c00
#define MAP_VECTOR_bf16 vf32
#define MAP_LANES_bf16 LANES32
#define MAP_FILL_bf16 0x3f80
#define MAP_VECTOR_u16 vu16
#define MAP_LANES_u16 LANES16
#define MAP_FILL_u16 0

/* What a vector of results is made from: of x, or of u and g, the elements from `at` on, all or n.
 */
#define MAP_OF_X(T, f, at) f(T##_load(x + (at)))
#define MAP_OF_X_N(T, f, at, n) f(T##_load_n(x + (at), n, MAP_FILL_##T))
#define MAP_OF_X_IN_PLACE(y) (x == y)
#define MAP_OF_UG(T, f, at) f(T##_load(u + (at)), T##_load(g + (at)))
#define MAP_OF_UG_N(T, f, at, n) \
    f(T##_load_n(u + (at), n, MAP_FILL_##T), T##_load_n(g + (at), n, MAP_FILL_##T))
#define MAP_OF_UG_IN_PLACE(y) (u == y || g == y)

/* The whole vectors, from element i on, one by one: for a short f, or one that branches. */
#define MAP_SINGLY(T, y, n, f, of, store) \
    NL_UNROLL(4)                          \
    for (; i + lanes <= n; i += lanes)    \
        store(y + i, of(T, f, i));

/* Four side by side, loaded before the first is stored. A chain of 60 cycles and 25 instructions,
 * vector after vector, fills what a CPU looks ahead; so compilers that schedule may interleave. */
#define MAP_BY_FOUR(T, y, n, f, of, store)                                         \
    for (; i + 4 * lanes <= n; i += 4 * lanes) {                                   \
        MAP_VECTOR_##T v0 = of(T, f, i), v1 = of(T, f, i + lanes);                 \
        MAP_VECTOR_##T v2 = of(T, f, i + 2 * lanes), v3 = of(T, f, i + 3 * lanes); \
        store(y + i, v0);                                                          \
        store(y + i + lanes, v1);                                                  \
        store(y + i + 2 * lanes, v2);                                              \
        store(y + i + 3 * lanes, v3);                                              \
    }                                                                              \
    MAP_SINGLY(T, y, n, f, of, store)

#define MAP_FROM(i_, T, y, n, f, of, whole, store) \
    size_t i = i_;                                 \
    whole(T, y, n, f, of, store);                  \
    if (i < n)                                     \
        T##_store_n(y + i, of##_N(T, f, i, n - i), n - i);

/* All of it; long results past the caches, from the first y on that is aligned to a vector. */
#define MAP(T, y, n, f, of, whole)                                         \
    {                                                                      \
        const size_t lanes = MAP_LANES_##T;                                \
        if (__builtin_expect(MAP_IS_LONG(y, n) && !of##_IN_PLACE(y), 0)) { \
            const size_t ahead = (0 - (uintptr_t)y) / sizeof *y % lanes;   \
            T##_store_n(y, of##_N(T, f, 0, ahead), ahead);                 \
            MAP_FROM(ahead, T, y, n, f, of, whole, T##_stream)             \
            stream_fence();                                                \
        } else {                                                           \
            MAP_FROM(0, T, y, n, f, of, whole, T##_store)                  \
        }                                                                  \
    }

/* A whole elementwise kernel on elements of type `type`, as vectors of T; whole: MAP_SINGLY or
 * MAP_BY_FOUR. */
#define MAP_KERNEL(T, name, type, f, whole)                            \
    nonlin_status KERNEL_NAME(name)(type * y, const type *x, size_t n) \
    {                                                                  \
        MAP(T, y, n, f, MAP_OF_X, whole)                               \
        return NONLIN_OK;                                              \
    }

#define MAP2_KERNEL(T, name, type, f, whole)                                          \
    nonlin_status KERNEL_NAME(name)(type * y, const type *u, const type *g, size_t n) \
    {                                                                                 \
        MAP(T, y, n, f, MAP_OF_UG, whole)                                             \
        return NONLIN_OK;                                                             \
    }

#endif
