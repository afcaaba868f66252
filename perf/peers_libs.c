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

static void *sleef_exp, *sleef_log, *sleef_log35, *mvec_exp, *mvec_log;

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

static void load_mvec(const peers_vec *vec)
{
    char version[64] = "";
    void *lib = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
#ifdef _CS_GNU_LIBC_VERSION
    confstr(_CS_GNU_LIBC_VERSION, version, sizeof version);
#endif
    if (lib) {
        mvec_exp = dlsym(lib, vec->mvec_exp);
        mvec_log = dlsym(lib, vec->mvec_log);
    }
    say("libmvec", "libmvec", lib, version);
}

void peers_load(const peers_vec *vec)
{
    void *lib = dlopen("libsleef.so.3", RTLD_NOW | RTLD_LOCAL);
    if (lib) {
        sleef_exp = dlsym(lib, vec->sleef_exp);
        sleef_log = dlsym(lib, vec->sleef_log);
        sleef_log35 = dlsym(lib, vec->sleef_log35);
    }
    say("SLEEF", "SLEEF", lib, NULL);
    load_mvec(vec);
    const char *version = dnnl_load(vec->dnnl);
    out_fact("oneDNN", "oneDNN", version ? version : "absent");
}

/* ---- running ---- */

static void run_nonlin(const void *arg, size_t calls)
{
    const contender *c = arg;
    const bool indices = c->kernel->class == WORK_ARGMAX;
    for (size_t r = 0; r < c->rows; r++)
        c->kernel->run(c->kernel->entry, c->y + r * (indices ? 1 : c->cols), c->x + r * c->cols,
                       c->cols, calls);
}

static void run_map(const void *arg, size_t calls)
{
    const contender *c = arg;
    while (calls--)
        c->vec->map(c->f, c->y, c->x, c->rows * c->cols);
}

static void run_softmax(const void *arg, size_t calls)
{
    const contender *c = arg;
    while (calls--)
        for (size_t r = 0; r < c->rows; r++)
            c->vec->softmax(c->f, c->y + r * c->cols, c->x + r * c->cols, c->cols);
}

static void run_memcpy(const void *arg, size_t calls)
{
    const contender *c = arg;
    limit_copy(&(limit_job){c->y, c->x, c->rows * c->cols * c->kernel->size}, calls);
}

static void run_stream(const void *arg, size_t calls)
{
    const contender *c = arg;
    limit_stream(&(limit_job){c->y, c->x, c->rows * c->cols * c->kernel->size}, calls);
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

/* Adds one to the list if its function is there. */
static void enter(contender *list, size_t *count, const contender *work, const char *name,
                  void (*run)(const void *, size_t), void *f, bool computes)
{
    if (!f)
        return;
    list[*count] = *work;
    list[*count].name = name;
    list[*count].run = run;
    list[*count].f = f;
    list[*count].computes = computes;
    ++*count;
}

static void enter_dnnl(contender *list, size_t *count, const contender *work, const char *name)
{
    contender c = *work;
    if (!dnnl_make(&c))
        return;
    enter(list, count, &c, name, dnnl_run, c.primitive, true);
}

size_t peers_of(const work_kernel *k, const peers_vec *vec, float *y, const float *x, size_t rows,
                size_t cols, contender *list)
{
    const contender work = {.kernel = k, .vec = vec, .y = y, .x = x, .rows = rows, .cols = cols};
    void *const here = list; /* for those that need no library */
    size_t count = 0;
    enter(list, &count, &work, "nonlin", run_nonlin, here, true);
    if (!strcmp(k->op, "exp")) {
        enter(list, &count, &work, "SLEEF u10", run_map, sleef_exp, true);
        enter(list, &count, &work, "libmvec", run_map, mvec_exp, true);
        enter_dnnl(list, &count, &work, "oneDNN");
    } else if (!strcmp(k->op, "log")) {
        enter(list, &count, &work, "SLEEF u10", run_map, sleef_log, true);
        enter(list, &count, &work, "SLEEF u35", run_map, sleef_log35, true);
        enter(list, &count, &work, "libmvec", run_map, mvec_log, true);
        enter_dnnl(list, &count, &work, "oneDNN");
    } else if (!strcmp(k->op, "softmax")) {
        enter(list, &count, &work, "SLEEF, 3 passes", run_softmax, sleef_exp, true);
        enter_dnnl(list, &count, &work, "oneDNN");
    } else if (!strcmp(k->op, "log_softmax")) {
        enter_dnnl(list, &count, &work, "oneDNN");
        contender softmax = work;
        for (size_t i = 0; i < NL_KERNELS; i++)
            if (!strcmp(work_kernels[i].name, "softmax_f32"))
                softmax.kernel = &work_kernels[i];
        enter(list, &count, &softmax, "nonlin softmax", run_nonlin, here, false);
    }
    if (k->class == WORK_ARGMAX) {
        enter(list, &count, &work, "reading, 1 chain", run_sum, here, false);
        enter(list, &count, &work, "reading, 8 chains", run_sum8, here, false);
    } else {
        enter(list, &count, &work, "memcpy", run_memcpy, here, false);
        if (limit_streams(rows * cols * k->size))
            enter(list, &count, &work, "memcpy, streamed", run_stream, here, false);
    }
    return count;
}

void peers_release(contender *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dnnl_free(&list[i]);
}
