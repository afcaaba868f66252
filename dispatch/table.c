/* The tables of all ISAs, merged, and the one in force.
 *
 * nl_active points at a table of stubs until init() has run: from the constructor as a rule, or
 * from a stub, when another library's constructor, a static binary or a libc without constructors
 * comes first. init() is idempotent and its stores are atomic, so threads may run it at once and
 * none waits. */
#define _GNU_SOURCE /* secure_getenv */
#include "nl_config.h"
#include "table.h"
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

#ifdef __wasi__ /* declares it and has none; there are no set-id programs either */
#define secure_getenv getenv
#endif

#define ISA(name, arch, features) NL_IF_##name(extern const nl_isa nl_isa_##name;)
#include "isa.def"
#undef ISA

static const nl_isa *const isas[NL_ISAS] = {
#define ISA(name, arch, features) NL_IF_##name(&nl_isa_##name, )
#include "isa.def"
#undef ISA
};

static const char *const isa_names[NL_ISAS] = {
#define ISA(name, arch, features) NL_IF_##name(#name, )
#include "isa.def"
#undef ISA
};

static const char *const kernel_names[NL_KERNELS] = {
#define KERNEL(op, dtype, class) #op "_" #dtype,
#include "kernels.def"
#undef KERNEL
};

static nl_table merged[NL_ISAS];
static _Atomic(const char *) isa_missing[NL_ISAS];
static atomic_size_t default_isa;

/* Loads are spelled out: gcc 12 reads an atomic object that is an array's index or an operand of
 * ?: like any other. */
static const char *missing_now(size_t isa) { return atomic_load(&isa_missing[isa]); }

static void init(void);

#define NL_ARGS_MAP (y, x, n)
#define NL_ARGS_MAP2 (y, u, g, n)
#define NL_ARGS_ROW (y, x, n)
#define NL_ARGS_ARGMAX (index, x, n)
#define KERNEL(op, dtype, class)                                           \
    static nonlin_status stub_##op##_##dtype NL_PARAMS_##class(nl_##dtype) \
    {                                                                      \
        init();                                                            \
        return nl_call(op, dtype, class) NL_ARGS_##class;                  \
    }
#include "kernels.def"
#undef KERNEL

static const nl_table stubs = {{
#define KERNEL(op, dtype, class) (nonlin_fn) stub_##op##_##dtype,
#include "kernels.def"
#undef KERNEL
}};

_Atomic(const nl_table *) nl_active = &stubs;

static size_t find(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(names[i], name))
        i++;
    return i;
}

/* The strongest ISA from `isa` down that runs here and has the kernel. The first one, portable, has
 * all. */
static size_t provider(size_t isa, size_t kernel)
{
    while (isa > 0 && (missing_now(isa) || !isas[isa]->fn[kernel]))
        isa--;
    return isa;
}

/* The strongest usable ISA, or the one that NONLIN_ISA names if that is usable and weaker. */
static size_t choose(void)
{
    const char *cap = secure_getenv("NONLIN_ISA");
    size_t best = NL_ISAS - 1, capped = cap ? find(isa_names, NL_ISAS, cap) : NL_ISAS;
    while (best > 0 && missing_now(best))
        best--;
    return capped < best && !missing_now(capped) ? capped : best;
}

static void init(void)
{
    const nl_table *untouched = &stubs;
    const char *missing[NL_ISAS];

    nl_cpu_missing(missing);
    for (size_t i = 0; i < NL_ISAS; i++)
        isa_missing[i] = missing[i];
    for (size_t i = 0; i < NL_ISAS; i++)
        for (size_t k = 0; k < NL_KERNELS; k++)
            merged[i].fn[k] = isas[provider(i, k)]->fn[k];
    const size_t chosen = choose();
    default_isa = chosen;
    /* not if nonlin_use_isa() was quicker in another thread */
    atomic_compare_exchange_strong(&nl_active, &untouched, &merged[chosen]);
}

__attribute__((constructor)) static void constructor(void)
{
    if (atomic_load(&nl_active) == &stubs)
        init();
}

/* The number of the ISA in force, after initialisation. */
static size_t active(void)
{
    constructor();
    return (size_t)(atomic_load(&nl_active) - merged);
}

size_t nonlin_isa_count(void) { return NL_ISAS; }

const char *nonlin_isa_name(size_t i) { return i < NL_ISAS ? isa_names[i] : NULL; }

const char *nonlin_isa_missing(size_t i)
{
    constructor();
    return i < NL_ISAS ? missing_now(i) : "unknown ISA";
}

const char *nonlin_active_isa(void) { return isa_names[active()]; }

const char *nonlin_variant(const char *kernel)
{
    size_t k = kernel ? find(kernel_names, NL_KERNELS, kernel) : NL_KERNELS;
    return k < NL_KERNELS ? isa_names[provider(active(), k)] : NULL;
}

nonlin_status nonlin_use_isa(const char *name)
{
    constructor();
    size_t i = name ? find(isa_names, NL_ISAS, name) : atomic_load(&default_isa);
    if (i == NL_ISAS)
        return NONLIN_UNKNOWN_ISA;
    if (missing_now(i))
        return NONLIN_UNUSABLE_ISA;
    atomic_store_explicit(&nl_active, &merged[i], memory_order_release);
    return NONLIN_OK;
}

nonlin_fn nonlin_isa_kernel(const char *isa, const char *kernel)
{
    constructor();
    size_t i = isa ? find(isa_names, NL_ISAS, isa) : NL_ISAS;
    size_t k = kernel ? find(kernel_names, NL_KERNELS, kernel) : NL_KERNELS;
    if (i == NL_ISAS || k == NL_KERNELS || missing_now(i))
        return NULL;
    return atomic_load(&merged[i].fn[k]);
}
