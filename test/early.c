/* Calls the library from a constructor that runs before the library's own: linked statically it has
 * the better priority; as a shared object that does not depend on the library it stands after it in
 * the list of objects, and so is initialised before.
 *
 * NONLIN_EARLY=<call> says which call is the first of the process: a kernel by its name, a function
 * that tells about ISAs, "threads" that all call kernels, or a "contest" of some
 * that do with others that change the ISA. With NONLIN_EARLY_ISA=<isa>, NONLIN_ISA is set to that
 * just before; then that ISA is in force afterwards if and only if ours was the first call indeed.
 */
#include "early.h"
#include "kernels.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 37 };

typedef union {
    float values[N];
    int32_t index;
} result;

enum { SOURCE = N + 1 }; /* and one more, as the second of two begins one later */
static void source(float x[SOURCE])
{
    for (int i = 0; i < SOURCE; i++)
        x[i] = (float)(i * 7 % N) * 0.37f + 0.25f;
}

/* Calls the kernel's public function. */
static nonlin_status call(size_t kernel, result *y)
{
    float x[SOURCE];
    source(x);
    memset(y, 0, sizeof *y);
    switch (kernel) {
/* other types take the bits of floats */
#define ARGS_MAP ((void *)y->values, (const void *)x, N)
#define ARGS_MAP2 ((void *)y->values, (const void *)(x + 1), (const void *)x, N)
#define ARGS_ROW ARGS_MAP
#define ARGS_ARGMAX (&y->index, (const void *)x, N)
#define KERNEL(op, dtype, class)   \
    case NL_KERNEL_##op##_##dtype: \
        return nonlin_##op##_##dtype ARGS_##class;
#include "kernels.def"
#undef KERNEL
    }
    return -1;
}

/* The same by the bare kernel of the ISA that is in force. */
static void call_bare(size_t kernel, result *y)
{
    static const char *const names[] = {
#define KERNEL(op, dtype, class) #op "_" #dtype,
#include "kernels.def"
#undef KERNEL
    };
    nonlin_fn fn = nonlin_isa_kernel(nonlin_active_isa(), names[kernel]);
    float x[SOURCE];
    source(x);
    memset(y, 0, sizeof *y);
    switch (kernel) {
#define KERNEL(op, dtype, class)                                           \
    case NL_KERNEL_##op##_##dtype:                                         \
        ((nonlin_status(*) NL_PARAMS_##class(nl_##dtype))fn) ARGS_##class; \
        break;
#include "kernels.def"
#undef KERNEL
    }
}

static size_t kernel_of(const char *name)
{
#define KERNEL(op, dtype, class)       \
    if (!strcmp(name, #op "_" #dtype)) \
        return NL_KERNEL_##op##_##dtype;
#include "kernels.def"
#undef KERNEL
    return NL_KERNELS;
}

/* ---- Before ---------------------------------------------------------------------------------- */

enum { THREADS = 8 };

static const char *what;
static nonlin_status statuses[NL_KERNELS * THREADS];
static result results[NL_KERNELS * THREADS];
static const char *text;
static nonlin_fn function;

static atomic_int not_ready = THREADS;

static void *thread(void *place)
{
    size_t t = (size_t)place;
    not_ready--;
    while (not_ready > 0) /* all at once */
        sched_yield();
    if (!strcmp(what, "contest") && t % 2) {
        nonlin_use_isa("portable");
        return NULL;
    }
    for (size_t k = 0; k < NL_KERNELS; k++) {
        size_t kernel = (k + t) % NL_KERNELS, i = t * NL_KERNELS + kernel;
        statuses[i] = call(kernel, &results[i]);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t ids[THREADS];
    for (size_t t = 0; t < THREADS; t++)
        if (pthread_create(&ids[t], NULL, thread, (void *)t))
            abort();
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(ids[t], NULL);
}

__attribute__((constructor(101))) static void early(void)
{
    const char *isa = getenv("NONLIN_EARLY_ISA");
    what = getenv("NONLIN_EARLY");
    if (!what)
        return;
    if (isa)
        setenv("NONLIN_ISA", isa, 1);
    size_t kernel = kernel_of(what);
    if (kernel < NL_KERNELS)
        statuses[kernel] = call(kernel, &results[kernel]);
    else if (!strcmp(what, "threads") || !strcmp(what, "contest"))
        threads();
    else if (!strcmp(what, "active"))
        text = nonlin_active_isa();
    else if (!strcmp(what, "variant"))
        text = nonlin_variant("exp_f32");
    else if (!strcmp(what, "missing"))
        text = nonlin_isa_missing(nonlin_isa_count() - 1);
    else if (!strcmp(what, "kernel"))
        function = nonlin_isa_kernel("portable", "exp_f32");
    else if (!strcmp(what, "use"))
        statuses[0] = nonlin_use_isa("portable");
}

/* ---- Afterwards ------------------------------------------------------------------------------ */

static int same(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static int result_ok(size_t i, size_t kernel)
{
    result now, bare;
    call(kernel, &now);
    call_bare(kernel, &bare);
    return statuses[i] == NONLIN_OK && !memcmp(&results[i], &now, sizeof now) &&
           !memcmp(&bare, &now, sizeof now);
}

static int answer_ok(void)
{
    size_t kernel = kernel_of(what);
    if (kernel < NL_KERNELS)
        return result_ok(kernel, kernel);
    if (!strcmp(what, "threads")) {
        int ok = 1;
        for (size_t i = 0; i < NL_KERNELS * THREADS; i++)
            ok &= result_ok(i, i % NL_KERNELS);
        return ok;
    }
    if (!strcmp(what, "contest")) /* whoever came last, nobody undid nonlin_use_isa() */
        return same(nonlin_active_isa(), "portable");
    if (!strcmp(what, "active"))
        return same(text, nonlin_active_isa());
    if (!strcmp(what, "variant"))
        return same(text, nonlin_variant("exp_f32"));
    if (!strcmp(what, "missing"))
        return same(text, nonlin_isa_missing(nonlin_isa_count() - 1));
    if (!strcmp(what, "kernel"))
        return function && function == nonlin_isa_kernel("portable", "exp_f32");
    if (!strcmp(what, "use"))
        return statuses[0] == NONLIN_OK && same(nonlin_active_isa(), "portable");
    return 0;
}

int early_ok(void)
{
    if (!what || answer_ok())
        return 1;
    fprintf(stderr, "the early call of \"%s\" was answered wrongly\n", what);
    return 0;
}
