/* The kernels in force, for the entry points. */
#ifndef NL_TABLE_H
#define NL_TABLE_H

#include "kernels.h"
#include <stdatomic.h>

/* Atomic one by one, so that initialisation may run twice at once, writing the same values. */
typedef struct {
    _Atomic(nonlin_fn) fn[NL_KERNELS];
} nl_table;

/* The table in force; until the library is initialised, one of stubs that initialise it. */
extern _Atomic(const nl_table *) nl_active;

static inline nonlin_fn nl_kernel_now(size_t kernel)
{
    const nl_table *t = atomic_load_explicit(&nl_active, memory_order_acquire);
    return atomic_load_explicit(&t->fn[kernel], memory_order_relaxed);
}

/* The kernel in force, called as nl_call(exp, f32, MAP)(y, x, n). */
#define nl_call(op, dtype, class) \
    ((nonlin_status(*) NL_PARAMS_##class(nl_##dtype))nl_kernel_now(NL_KERNEL_##op##_##dtype))

#endif
