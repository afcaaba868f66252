#include "bench.h"
#include "isas.h"
#include "modes.h"
#include "oracle.h"
#include "output.h"
#include "work.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ISAS 16

typedef struct {
    float *x; /* twice over: kernels of two sources get the same as both */
    void *y;
    size_t rows, cols;
} matrix;

typedef struct {
    const work_kernel *kernel;
    const char *isa;
    const matrix *m;
} job;

static const out_column columns[] = {
    {"kernel", "kernel", -18, NULL},    {"isa", "ISA", -10, NULL},
    {"us", "us/pass", 10, "%.2f"},      {"ns_per_element", "ns/element", 10, "%.4f"},
    {"mad_percent", "+-", 6, "%.1f%%"}, {"worst_error", "worst error", 11, "%.4g"},
    {"error_unit", "", -10, NULL},      {"error_at", "at", 9, "%.0f"},
    {"nan", NULL, 0, "%.0f"},
};

/* ---- the file ---- */

/* All bytes; a pipe has no size, so the room grows. */
static char *read_all(const char *path, size_t *bytes)
{
    size_t room = 1 << 16, used = 0, got;
    char *data = need(malloc(room));
    FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!f)
        die(EXIT_USAGE, "%s: %s", path, strerror(errno));
    while ((got = fread(data + used, 1, room - used, f))) {
        used += got;
        if (used < room)
            continue;
        /* as much again for the results, and twice for the sources */
        if (!work_fits(4.0 * (double)room))
            die(EXIT_FAILED, "%s: larger than memory", path);
        data = need(realloc(data, room *= 2));
    }
    if (ferror(f))
        die(EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (f != stdin)
        fclose(f);
    *bytes = used;
    return data;
}

static float little_endian(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    uint32_t bits =
        (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static matrix load(const char *path, size_t cols)
{
    size_t bytes;
    char *data = read_all(path, &bytes);
    const size_t n = bytes / 4;
    if (!bytes)
        die(EXIT_USAGE, "%s: empty", path);
    if (bytes % 4)
        die(EXIT_USAGE,
            "%s: %zu bytes, not a multiple of 4: it should hold 32-bit floats and nothing "
            "else",
            path, bytes);
    if (cols && n % cols)
        die(EXIT_USAGE, "%s: %zu numbers do not make rows of %zu", path, n, cols);
    matrix m = {need(malloc(2 * bytes)), need(malloc(bytes)), 1, n};
    for (size_t i = 0; i < n; i++)
        m.x[i] = m.x[n + i] = little_endian(data + 4 * i);
    memset(m.y, 0, bytes);
    free(data);
    if (cols) {
        m.rows = n / cols;
        m.cols = cols;
    }
    return m;
}

static void describe(const char *path, const matrix *m)
{
    const size_t n = m->rows * m->cols;
    size_t nan = 0, infinite = 0;
    float low = INFINITY, high = -INFINITY;
    char text[160];
    for (size_t i = 0; i < n; i++) {
        nan += isnan(m->x[i]) != 0;
        infinite += isinf(m->x[i]) != 0;
        if (isfinite(m->x[i])) {
            low = fminf(low, m->x[i]);
            high = fmaxf(high, m->x[i]);
        }
    }
    size_t used = (size_t)snprintf(text, sizeof text, "%zu row%s of %zu", m->rows,
                                   m->rows == 1 ? "" : "s", m->cols);
    if (low <= high)
        used += (size_t)snprintf(text + used, sizeof text - used, ", from %g to %g", low, high);
    if (nan || infinite)
        snprintf(text + used, sizeof text - used, ", %zu infinite, %zu NaN", infinite, nan);
    out_blank();
    out_fact("input", "input", path);
    out_fact("input_data", "data", text);
}

/* ---- the kernels on it ---- */

static void run(const void *arg, size_t calls)
{
    const job *j = arg;
    nonlin_use_isa(j->isa);
    while (calls--)
        j->kernel->rows(j->m->y, j->m->x, j->m->rows, j->m->cols);
}

static oracle_error check(const job *j)
{
    nonlin_use_isa(j->isa);
    nonlin_status s = j->kernel->rows(j->m->y, j->m->x, j->m->rows, j->m->cols);
    if (s)
        die(EXIT_USAGE, "%s: %s", j->kernel->name, nonlin_status_string(s));
    return oracle_check(j->kernel, j->m->y, j->m->x, j->m->rows, j->m->cols);
}

static void put(const job *j, const bench_time *t, const oracle_error *e)
{
    const bool known = e->unit != NULL;
    out_row((out_cell[]){{.text = j->kernel->name},
                         {.text = j->isa},
                         {.number = t->median / 1e3},
                         {.number = t->median / (double)(j->m->rows * j->m->cols)},
                         {.number = 100 * t->mad},
                         {.number = known ? e->worst : NAN},
                         {.text = e->unit},
                         {.number = known && e->worst > 0 ? (double)e->at : NAN},
                         {.number = (double)e->nan}});
}

static void examine_kernel(const options *o, const work_kernel *k, const matrix *m)
{
    const char *names[ISAS] = {o->isa};
    const size_t count = o->isa ? 1 : isas_measured(names, ISAS);
    job jobs[ISAS];
    oracle_error errors[ISAS] = {{0}};
    bench_entry entries[ISAS];
    for (size_t i = 0; i < count; i++) {
        jobs[i] = (job){k, names[i], m};
        entries[i] = (bench_entry){.run = run, .job = &jobs[i]};
        errors[i] = check(&jobs[i]);
    }
    bench(entries, count, o->reps);
    isas_use(o->isa);
    for (size_t i = 0; i < count; i++)
        put(&jobs[i], &entries[i].time, &errors[i]);
    if (errors[0].nan)
        out_note("%*s%zu results are NaN, as they should be", 20, "", errors[0].nan);
}

void examine(const options *o, const char *path, size_t cols)
{
    matrix m = load(path, cols);
    describe(path, &m);
    out_note(
        "\nErrors against formulas in long double: units in the last place of the exact result "
        "(ULP),\nabsolute, or rows whose index is wrong. Times: lowest of the medians of three "
        "batches.\n");
    out_table("input_figures", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < NL_KERNELS; i++)
        if (work_matches(&work_kernels[i], o->kernel) && !strcmp(work_kernels[i].dtype, "f32"))
            examine_kernel(o, &work_kernels[i], &m);
    free(m.x);
    free(m.y);
}
