#include "work.h"
#include "output.h"
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- data ---- */

/* Uniform in [0, 1), 24 bits. */
static float uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) * 0x1p-24f;
}

/* Element i of x, by type, and how far inputs go from 0. */
#define REACH_f32 20
#define REACH_f16 10
#define REACH_bf16 10
#define REACH_i8 128
static void put_f32(void *x, size_t i, float v) { ((float *)x)[i] = v; }
static void put_i8(void *x, size_t i, float v) { ((int8_t *)x)[i] = (int8_t)v; }
static uint32_t bits_of(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static void put_f16(void *x, size_t i, float v)
{
    /* cut off, and to zero where it would be subnormal */
    const uint32_t bits = bits_of(v), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    const uint32_t half = magnitude < 0x38800000 ? 0 : (magnitude - 0x38000000) >> 13;
    ((nonlin_f16 *)x)[i].bits = (uint16_t)(sign | half);
}
static void put_bf16(void *x, size_t i, float v)
{
    ((nonlin_bf16 *)x)[i].bits = (uint16_t)(bits_of(v) >> 16); /* cut off */
}

/* Activations see numbers of a few units: below -9.9 gelu_tanh gives subnormal floats, at which
 * some CPUs stop for a hundred cycles. */
static bool is_activation(const work_kernel *k)
{
    return k->class == WORK_MAP2 ||
           (k->class == WORK_MAP && strcmp(k->op, "exp") && strcmp(k->op, "log"));
}

void work_fill(const work_kernel *k, void *x, size_t n)
{
    const float reach = is_activation(k) ? 8 : k->reach;
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        const float v = uniform(&state) * 2 * reach - reach;
        /* log: as likely in each octave from 2^-20 to 2^20, of 16 bits from 2^-10 to 2^10 */
        k->put(x, i, strcmp(k->op, "log") ? v : exp2f(v));
    }
}

/* ---- kernels ---- */

#define SOURCES_MAP 1
#define SOURCES_MAP2 2
#define SOURCES_ROW 1
#define SOURCES_ARGMAX 1
#define SECOND(dtype, n) (const nl_##dtype *)x + (n)
#define ARGS_MAP(dtype) (y, x, n)
#define ARGS_MAP2(dtype) (y, x, SECOND(dtype, n), n)
#define ARGS_ROW(dtype) (y, x, n)
#define ARGS_ARGMAX(dtype) (y, x, n)
#define ROWS_MAP(dtype) (y, cols, x, cols, rows, cols)
#define ROWS_MAP2(dtype) (y, cols, x, cols, SECOND(dtype, rows * cols), cols, rows, cols)
#define ROWS_ROW(dtype) (y, cols, x, cols, rows, cols)
#define ROWS_ARGMAX(dtype) (y, x, cols, rows, cols)

#define KERNEL(op, dtype, class)                                                                \
    static void run_##op##_##dtype(nonlin_fn f, void *y, const void *x, size_t n, size_t calls) \
    {                                                                                           \
        nonlin_status(*kernel) NL_PARAMS_##class(nl_##dtype) =                                  \
            (nonlin_status(*) NL_PARAMS_##class(nl_##dtype))f;                                  \
        while (calls--)                                                                         \
            kernel ARGS_##class(dtype);                                                         \
    }                                                                                           \
    static nonlin_status rows_##op##_##dtype(void *y, const void *x, size_t rows, size_t cols)  \
    {                                                                                           \
        return nonlin_##op##_rows_##dtype ROWS_##class(dtype);                                  \
    }
#include "kernels.def"
#undef KERNEL

const work_kernel work_kernels[NL_KERNELS] = {
#define KERNEL(op_, dtype_, class_)                  \
    {                                                \
        .name = #op_ "_" #dtype_,                    \
        .op = #op_,                                  \
        .dtype = #dtype_,                            \
        .class = WORK_##class_,                      \
        .size = sizeof(nl_##dtype_),                 \
        .put = put_##dtype_,                         \
        .reach = REACH_##dtype_,                     \
        .sources = SOURCES_##class_,                 \
        .entry = (nonlin_fn)nonlin_##op_##_##dtype_, \
        .run = run_##op_##_##dtype_,                 \
        .rows = rows_##op_##_##dtype_,               \
    },
#include "kernels.def"
#undef KERNEL
};

bool work_matches(const work_kernel *k, const char *glob)
{
    return !fnmatch(glob, k->name, 0) || !fnmatch(glob, k->op, 0);
}

void work_must_match(const char *glob)
{
    char list[1024] = "";
    for (size_t k = 0; k < NL_KERNELS; k++) {
        if (work_matches(&work_kernels[k], glob))
            return;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, " %s", work_kernels[k].name);
    }
    die(EXIT_USAGE, "no kernel \"%s\"; there are:%s", glob, list);
}

double work_bytes(const work_kernel *k, double n)
{
    return n * (double)k->size * (double)(k->sources + (k->class != WORK_ARGMAX));
}

void work_run(const void *job, size_t calls)
{
    const work_job *j = job;
    nonlin_use_isa(j->isa);
    j->kernel->run(j->bare ? j->bare : j->kernel->entry, j->y, j->x, j->n, calls);
}

/* ---- buffers ---- */

bool work_fits(double bytes)
{
    unsigned long long kb = 0;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "MemAvailable: %llu", &kb) != 1)
        ;
    if (f)
        fclose(f);
    double available = (double)kb * 1024;
    if (!kb)
        available = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 2;
    return bytes < available * 0.9;
}

size_t work_element(const char *glob)
{
    size_t most = 1;
    for (const work_kernel *k = work_kernels; k < work_kernels + NL_KERNELS; k++)
        if (work_matches(k, glob) && k->sources * k->size > most)
            most = k->sources * k->size;
    return most;
}

work_buffers work_alloc(size_t n, size_t element)
{
    const size_t page = 4096;
    /* y begins half a page later within its page than x, as some CPUs hold up a load of the address
     * that an earlier store has in its last 12 bits */
    const size_t bytes = (n * element + page - 1) / page * page;
    work_buffers b = {0};
    if (n > SIZE_MAX / 16 || !work_fits(2.0 * (double)bytes) ||
        posix_memalign(&b.block, page, 2 * bytes + page))
        die(EXIT_FAILED, "no memory for two buffers of %zu elements", n);
    memset(b.block, 1, 2 * bytes + page);
    b.x = b.block;
    b.y = (char *)b.block + bytes + page / 2;
    return b;
}

void work_free(work_buffers b) { free(b.block); }
