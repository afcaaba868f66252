/* dispatch/table.c with ISAs and machines that are made up here: which of them runs, and what
 * serves a kernel that an ISA lacks. */
#define _GNU_SOURCE
#include "nl_config.h"
#include "kernels.h"
#include "cpu.h"
#include "suite.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- The ISAs: their tables have the names that table.c links to --------------------------------
 */

#define ISA(name, arch, features) NL_IF_##name(nl_isa made_up_##name __asm__("nl_isa_" #name);)
#include "isa.def"
#undef ISA

static nl_isa *const made_up[NL_ISAS] = {
#define ISA(name, arch, features) NL_IF_##name(&made_up_##name, )
#include "isa.def"
#undef ISA
};

static const char *reasons[NL_ISAS]; /* what the machine lacks for each */
static void (*meanwhile)(void);      /* what another thread does while the CPU is asked */

void nl_cpu_missing(const char *missing[NL_ISAS])
{
    memcpy(missing, reasons, sizeof reasons);
    void (*then)(void) = meanwhile;
    meanwhile = NULL;
    if (then)
        then();
}

#include "../dispatch/table.c"

/* Kernels are told apart by their addresses; they are never called, but for the first. */
static char code[NL_ISAS * NL_KERNELS];
static nonlin_fn kernel_of(size_t isa, size_t kernel)
{
    return (nonlin_fn)(uintptr_t)(code + isa * NL_KERNELS + kernel);
}

static nonlin_status first_kernel(float *y, const float *x, size_t n)
{
    (void)x, (void)n;
    *y = 7.0f;
    return NONLIN_OK;
}

static void all_there(void)
{
    unsetenv("NONLIN_ISA");
    for (size_t i = 0; i < NL_ISAS; i++)
        for (size_t k = 0; k < NL_KERNELS; k++)
            made_up[i]->fn[k] = kernel_of(i, k);
}

enum { TOP = NL_ISAS - 1 };

/* ---- The tests ----------------------------------------------------------------------------------
 */

/* The loop variables: bit i is set if ISA i can run. The first always can. */
static void machine(int usable)
{
    nl_active = &stubs; /* nothing is initialised yet */
    all_there();
    for (size_t i = 1; i < NL_ISAS; i++)
        reasons[i] = usable >> i & 1 ? NULL : isa_names[i];
}

static size_t strongest(int usable)
{
    size_t i = TOP;
    while (i > 0 && !(usable >> i & 1))
        i--;
    return i;
}

START_TEST(machines)
{
    machine(_i);
    ck_assert_str_eq(nonlin_active_isa(), isa_names[strongest(_i)]);
    for (size_t i = 0; i < NL_ISAS; i++) {
        const bool usable = i == 0 || _i >> i & 1;
        ck_assert_pstr_eq(nonlin_isa_missing(i), usable ? NULL : isa_names[i]);
        for (size_t k = 0; k < NL_KERNELS; k++)
            ck_assert(nonlin_isa_kernel(isa_names[i], kernel_names[k]) ==
                      (usable ? kernel_of(i, k) : NULL));
        ck_assert_int_eq(nonlin_use_isa(isa_names[i]), usable ? NONLIN_OK : NONLIN_UNUSABLE_ISA);
        for (size_t k = 0; k < NL_KERNELS && usable; k++)
            ck_assert(nl_kernel_now(k) == kernel_of(i, k));
    }
    ck_assert_int_eq(nonlin_use_isa(NULL), NONLIN_OK);
    ck_assert_str_eq(nonlin_active_isa(), isa_names[strongest(_i)]);
}
END_TEST

/* NONLIN_ISA lowers the choice to a usable ISA, and does nothing else. */
START_TEST(capped)
{
    const int usable = _i / NL_ISAS, cap = _i % NL_ISAS;
    const size_t best = strongest(usable);
    const bool heeded = (size_t)cap < best && (cap == 0 || usable >> cap & 1);
    machine(usable);
    setenv("NONLIN_ISA", isa_names[cap], 1);
    ck_assert_str_eq(nonlin_active_isa(), isa_names[heeded ? (size_t)cap : best]);
    ck_assert_int_eq(nonlin_use_isa(isa_names[best]), NONLIN_OK); /* a cap is no lock */
    ck_assert_str_eq(nonlin_active_isa(), isa_names[best]);
    ck_assert_int_eq(nonlin_use_isa(NULL), NONLIN_OK);
    ck_assert_str_eq(nonlin_active_isa(), isa_names[heeded ? (size_t)cap : best]);
}
END_TEST

/* ISAs 1 and up lack kernel k: the next weaker one that has it and runs serves it. */
START_TEST(kernel_lacking)
{
    const int usable = _i;
    machine(usable);
    for (size_t i = 1; i < NL_ISAS; i++)
        for (size_t k = 0; k < NL_KERNELS; k++)
            if ((k + i) % 2)
                made_up[i]->fn[k] = NULL;
    for (size_t i = 0; i < NL_ISAS; i++) {
        if (nonlin_use_isa(isa_names[i]) != NONLIN_OK)
            continue;
        for (size_t k = 0; k < NL_KERNELS; k++) {
            size_t by = i;
            while (by > 0 && (!(usable >> by & 1) || (k + by) % 2))
                by--;
            ck_assert_str_eq(nonlin_variant(kernel_names[k]), isa_names[by]);
            ck_assert(nonlin_isa_kernel(isa_names[i], kernel_names[k]) == kernel_of(by, k));
            ck_assert(nl_kernel_now(k) == kernel_of(by, k));
        }
    }
}
END_TEST

static void use_first(void) { ck_assert_int_eq(nonlin_use_isa(isa_names[0]), NONLIN_OK); }

/* Another thread initialises the library and changes the ISA while this one still asks the CPU. */
START_TEST(overtaken)
{
    machine(~0);
    meanwhile = use_first;
    constructor();
    ck_assert_str_eq(nonlin_active_isa(), isa_names[0]);
    ck_assert_int_eq(nonlin_use_isa(NULL), NONLIN_OK);
    ck_assert_str_eq(nonlin_active_isa(), isa_names[TOP]);
}
END_TEST

/* Before the constructor, the first kernel of the list. */
START_TEST(stub)
{
    float y = 0, x = 0;
    machine(~0);
    made_up[TOP]->fn[0] = (nonlin_fn)first_kernel;
    ck_assert(nl_active == &stubs);
    ck_assert_int_eq(
        ((nonlin_status(*)(float *, const float *, size_t))nl_kernel_now(0))(&y, &x, 1), NONLIN_OK);
    ck_assert(y == 7.0f);
    ck_assert_str_eq(nonlin_active_isa(), isa_names[TOP]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("table");
    TCase *tests = add_case(suite, "table");
    tcase_add_loop_test(tests, machines, 0, 1 << NL_ISAS);
    tcase_add_loop_test(tests, capped, 0, NL_ISAS << NL_ISAS);
    tcase_add_loop_test(tests, kernel_lacking, 0, 1 << NL_ISAS);
    tcase_add_test(tests, overtaken);
    tcase_add_test(tests, stub);
    return run_suite(suite);
}
