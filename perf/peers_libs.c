/* Which contenders there are for which kernel. */
#define _GNU_SOURCE /* dlinfo */
#include "limit.h"
#include "output.h"
#include "peers.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *functions[PEERS_FUNCTIONS];

/* ---- loading ---- */

/* The file a library came from: its name has the version. */
static void say(const char *title, const char *key, void *lib, const char *version)
{
    struct link_map *map;
    char text[512] = "absent", *path = NULL;
    if (lib && !dlinfo(lib, RTLD_DI_LINKMAP, &map)) {
        path = realpath(map->l_name, NULL);
        snprintf(text, sizeof text, "%s%s%s", path ? path : map->l_name, version ? ", " : "",
                 version ? version : "");
    }
    free(path);
    out_fact(key, title, text);
}

static void find(void *lib, const peers_vec *vec, int first, int end)
{
    for (int i = first; lib && i < end; i++)
        functions[i] = dlsym(lib, vec->names[i]);
}

static void load_mvec(const peers_vec *vec)
{
    char version[64] = "";
    void *lib = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
#ifdef _CS_GNU_LIBC_VERSION
    confstr(_CS_GNU_LIBC_VERSION, version, sizeof version);
#endif
    find(lib, vec, MVEC_EXP, PEERS_FUNCTIONS);
    say("libmvec", "libmvec", lib, version);
}

void peers_load(const peers_vec *vec)
{
    void *lib = dlopen("libsleef.so.3", RTLD_NOW | RTLD_LOCAL);
    find(lib, vec, SLEEF_EXP, MVEC_EXP);
    say("SLEEF", "SLEEF", lib, NULL);
    load_mvec(vec);
    const char *version = dnnl_load(vec->dnnl);
    out_fact("oneDNN", "oneDNN", version ? version : "absent");
}

/* ---- running ---- */

/* The start of row r. */
static void *row(const contender *c, const void *p, size_t r)
{
    return (char *)(uintptr_t)p + r * c->cols * c->kernel->size;
}

const void *peers_second(const contender *c) { return row(c, c->x, c->rows); }

static void run_nonlin(const void *arg, size_t calls)
{
    const contender *c = arg;
    const bool indices = c->kernel->class == WORK_ARGMAX;
    for (size_t r = 0; r < c->rows; r++)
        c->kernel->run(c->kernel->entry, indices ? (int32_t *)c->y + r : row(c, c->y, r),
                       row(c, c->x, r), c->cols, calls);
}

static void run_loop(const void *arg, size_t calls)
{
    const contender *c = arg;
    while (calls--)
        for (size_t r = 0; r < c->rows; r++)
            c->loop(c->f, row(c, c->y, r), row(c, c->x, r), peers_second(c), c->cols);
}

static void run_memcpy(const void *arg, size_t calls)
{
    const contender *c = arg;
    limit_copy(&(limit_job){c->y, c->x, c->rows * c->cols * c->kernel->size, false}, calls);
}

static void run_stream(const void *arg, size_t calls)
{
    const contender *c = arg;
    limit_stream(&(limit_job){c->y, c->x, c->rows * c->cols * c->kernel->size, false}, calls);
}

static volatile float sink;

static void run_sum(const void *arg, size_t calls)
{
    const contender *c = arg;
    while (calls--)
        sink = c->vec->sum(c->x, c->rows * c->cols);
}

static void run_sum8(const void *arg, size_t calls)
{
    const contender *c = arg;
    while (calls--)
        sink = c->vec->sum8(c->x, c->rows * c->cols);
}

/* ---- contenders ---- */

enum peers_type peers_type(const work_kernel *k)
{
    static const char *const names[TYPES] = {[F32] = "f32", [F16] = "f16", [BF16] = "bf16"};
    enum peers_type type = F32;
    while (type < TYPES && strcmp(k->dtype, names[type]))
        type++;
    return type;
}

const work_kernel *peers_f32(const char *op)
{
    for (size_t i = 0; i < NL_KERNELS; i++)
        if (!strcmp(work_kernels[i].op, op) && !strcmp(work_kernels[i].dtype, "f32"))
            return &work_kernels[i];
    return NULL;
}

/* Loops around SLEEF's and libmvec's functions. Composed: the textbook's formula around its exp,
 * tanh or erf; by sigmoid: GELU's tanh form by exp, which is less work. With 16-bit data the loop
 * converts, computes in floats and converts back. */
static const struct {
    const char *op, *name;
    enum peers_form form;
    enum peers_function function;
} loops[] = {
    {"exp", "SLEEF u10", PLAIN, SLEEF_EXP},
    {"exp", "libmvec", PLAIN, MVEC_EXP},
    {"log", "SLEEF u10", PLAIN, SLEEF_LOG},
    {"log", "SLEEF u35", PLAIN, SLEEF_LOG35},
    {"log", "libmvec", PLAIN, MVEC_LOG},
    {"sigmoid", "SLEEF composed", SIGMOID, SLEEF_EXP},
    {"tanh", "SLEEF u10", PLAIN, SLEEF_TANH},
    {"tanh", "SLEEF u35", PLAIN, SLEEF_TANH35},
    {"tanh", "libmvec", PLAIN, MVEC_TANH},
    {"gelu", "SLEEF composed", GELU, SLEEF_ERF},
    {"gelu", "libmvec composed", GELU, MVEC_ERF},
    {"gelu_tanh", "SLEEF composed", GELU_TANH, SLEEF_TANH},
    {"gelu_tanh", "SLEEF, by sigmoid", GELU_SIGMOID, SLEEF_EXP},
    {"gelu_tanh", "libmvec composed", GELU_TANH, MVEC_TANH},
    {"silu", "SLEEF composed", SILU, SLEEF_EXP},
    {"mulsilu", "SLEEF composed", MULSILU, SLEEF_EXP},
    {"softmax", "SLEEF, 3 passes", SOFTMAX, SLEEF_EXP},
};

/* Adds one to the list. */
static contender *enter(contender *list, size_t *count, const contender *work, const char *name,
                        void (*run)(const void *, size_t), bool computes)
{
    contender *c = &list[(*count)++];
    *c = *work;
    c->name = name;
    c->run = run;
    c->computes = computes;
    return c;
}

static void enter_loops(contender *list, size_t *count, const contender *work)
{
    const enum peers_type type = peers_type(work->kernel);
    for (size_t i = 0; type < TYPES && i < sizeof loops / sizeof *loops; i++) {
        peers_loop *loop = work->vec->loops[loops[i].form][type];
        void *f = functions[loops[i].function];
        if (strcmp(loops[i].op, work->kernel->op) || !loop || !f)
            continue;
        contender *c = enter(list, count, work, loops[i].name, run_loop, true);
        c->loop = loop;
        c->f = f;
    }
}

static void enter_dnnl(contender *list, size_t *count, const contender *work)
{
    contender c = *work;
    const char *name = dnnl_make(&c);
    if (name)
        enter(list, count, &c, name, dnnl_run, true);
}

/* Our own kernel on floats, as a measure of another one; `op` from its name. */
static void enter_own(contender *list, size_t *count, const contender *work, const char *name,
                      const char *op)
{
    contender c = *work;
    c.x = c.x_f32;
    c.kernel = peers_f32(op);
    if (c.kernel)
        enter(list, count, &c, name, run_nonlin, false);
}

static void enter_limits(contender *list, size_t *count, const contender *work)
{
    if (work->kernel->class == WORK_ARGMAX) { /* of floats */
        enter(list, count, work, "reading, 1 chain", run_sum, false);
        enter(list, count, work, "reading, 8 chains", run_sum8, false);
        return;
    }
    enter(list, count, work, "memcpy", run_memcpy, false);
    if (limit_streams(work->rows * work->cols * work->kernel->size))
        enter(list, count, work, "memcpy, streamed", run_stream, false);
}

size_t peers_of(const contender *work, contender *list)
{
    const char *op = work->kernel->op;
    size_t count = 0;
    enter(list, &count, work, "nonlin", run_nonlin, true);
    enter_loops(list, &count, work);
    enter_dnnl(list, &count, work);
    if (!strcmp(op, "log_softmax"))
        enter_own(list, &count, work, "nonlin softmax", "softmax");
    else if (peers_type(work->kernel) != F32 && !strcmp(op, "exp"))
        enter_own(list, &count, work, "nonlin exp_f32", op);
    else if (peers_type(work->kernel) != F32 && !strcmp(op, "log"))
        enter_own(list, &count, work, "nonlin log_f32", op);
    enter_limits(list, &count, work);
    return count;
}

void peers_release(contender *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dnnl_free(&list[i]);
}
