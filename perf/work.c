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

/* Element i of x, by type, from a number that is uniform in [0, 1). */
static void put_f32(void *x, size_t i, float u) { ((float *)x)[i] = u * 40 - 20; }
static void put_i8(void *x, size_t i, float u) { ((int8_t *)x)[i] = (int8_t)(u * 256 - 128); }
static void put_f16(void *x, size_t i, float u)
{
    /* in [-10, 10]; cut off, and to zero where it would be subnormal */
    const float f = u * 20 - 10;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    const uint32_t half = magnitude < 0x38800000 ? 0 : (magnitude - 0x38000000) >> 13;
    ((nonlin_f16 *)x)[i].bits = (uint16_t)(sign | half);
}

void work_fill(const work_kernel *k, void *x, size_t n)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++)
        k->put(x, i, uniform(&state));
    if (!strcmp(k->name, "log_f32")) /* as likely in each octave from 2^-20 to 2^20 */
        for (size_t i = 0; i < n; i++)
            ((float *)x)[i] = exp2f(((float *)x)[i]);
}

/* ---- kernels ---- */

#define ROWS_MAP(op, dtype) nonlin_##op##_rows_##dtype(y, cols, x, cols, rows, cols)
#define ROWS_ROW(op, dtype) nonlin_##op##_rows_##dtype(y, cols, x, cols, rows, cols)
#define ROWS_ARGMAX(op, dtype) nonlin_##op##_rows_##dtype(y, x, cols, rows, cols)

#define KERNEL(op, dtype, class)                                                                \
    static void run_##op##_##dtype(nonlin_fn f, void *y, const void *x, size_t n, size_t calls) \
    {                                                                                           \
        nonlin_status(*kernel) NL_PARAMS_##class(nl_##dtype) =                                  \
            (nonlin_status(*) NL_PARAMS_##class(nl_##dtype))f;                                  \
        while (calls--)                                                                         \
            kernel(y, x, n);                                                                    \
    }                                                                                           \
    static nonlin_status rows_##op##_##dtype(void *y, const void *x, size_t rows, size_t cols)  \
    {                                                                                           \
        return ROWS_##class(op, dtype);                                                         \
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
    return n * (double)k->size * (k->class == WORK_ARGMAX ? 1 : 2);
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
    for (size_t k = 0; k < NL_KERNELS; k++)
        if (work_matches(&work_kernels[k], glob) && work_kernels[k].size > most)
            most = work_kernels[k].size;
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
