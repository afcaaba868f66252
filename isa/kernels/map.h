/* The elementwise driver: y[i] = f(x[i]). */
#ifndef NL_MAP_H
#define NL_MAP_H

#include "kernel.h"

#define MAP_F32(name, f)                                                                           \
    nonlin_status KERNEL_NAME(name)(float *y, const float *x, size_t n)                            \
    {                                                                                              \
        const size_t lanes = LANES32;                                                              \
        size_t i = 0;                                                                              \
        NL_UNROLL(4)                                                                               \
        for (; i + lanes <= n; i += lanes)                                                         \
            f32_store(y + i, f(f32_load(x + i)));                                                  \
        if (i < n)                                                                                 \
            f32_store_n(y + i, f(f32_load_n(x + i, n - i, 1.0f)), n - i);                          \
        return NONLIN_OK;                                                                          \
    }

#endif
