#include "bench.h"
#include "isas.h"
#include "limit.h"
#include "modes.h"
#include "output.h"
#include "work.h"
#include <math.h>
#include <string.h>

#define ISAS 16

static const out_column columns[] = {
    {"kernel", "kernel", -18, NULL},
    {"elements", "elements", 10, "%.0f"},
    {"isa", "ISA", -10, NULL},
    {"ns_per_element", "ns/element", 10, "%.4f"},
    {"mad_percent", "+-", 6, "%.1f%%"},
    {"gb_per_s", "GB/s", 7, "%.1f"},
    {"x_portable", "x portable", 10, "%.2f"},
    {"percent_of_limit", "of limit", 8, "%.0f%%"},
    {"min_ns_per_element", NULL, 0, "%f"},
    {"max_ns_per_element", NULL, 0, "%f"},
    {"repetitions", NULL, 0, "%f"},
};

static void put(const work_kernel *k, size_t n, const char *isa, const bench_time *t,
                double portable, double limit)
{
    const double count = (double)n, ns = t->median / count;
    out_row((out_cell[]){{.text = k->name},
                         {.number = count},
                         {.text = isa},
                         {.number = ns},
                         {.number = 100 * t->mad},
                         {.number = work_bytes(k, 1) / ns},
                         {.number = portable / t->median},
                         {.number = 100 * limit / t->median},
                         {.number = t->min / count},
                         {.number = t->max / count},
                         {.number = (double)t->reps}});
}

/* The ISAs that have code of their own for the kernel, weakest first: always the portable one; of
 * the others the one asked for, or all. */
static size_t contenders(const options *o, const work_kernel *k, const char *names[])
{
    size_t count = 0, all = isas_measured(names, ISAS);
    for (size_t i = 0; i < all; i++) {
        nonlin_use_isa(names[i]);
        bool wanted =
            o->isa ? !strcmp(o->isa, names[i]) : !strcmp(nonlin_variant(k->name), names[i]);
        if (!i || wanted)
            names[count++] = names[i];
    }
    isas_use(o->isa);
    return count;
}

static void must_work(const work_kernel *k, const work_buffers *b, size_t n)
{
    nonlin_status s = k->rows(b->y, b->x, 1, n);
    if (s)
        die(EXIT_USAGE, "%s of %zu elements: %s", k->name, n, nonlin_status_string(s));
}

/* Adds the limit's entries. Returns how many. */
static size_t add_limits(const work_kernel *k, const limit_job *limit, bench_entry *e)
{
    if (k->class == WORK_ARGMAX) {
        e[0] = (bench_entry){.run = limit_read, .job = limit};
        return 1;
    }
    e[0] = (bench_entry){.run = limit->two ? limit_merge : limit_copy, .job = limit};
    e[1] = (bench_entry){.run = limit_stream, .job = limit};
    return limit_streams(limit->bytes) ? 2 : 1;
}

static const char *limit_name(const bench_entry *e)
{
    return e->run == limit_read    ? "(reading)"
           : e->run == limit_merge ? "(merge)"
           : e->run == limit_copy  ? "(memcpy)"
                                   : "(stream)";
}

static void profile_size(const options *o, const work_kernel *k, const work_buffers *b, size_t n)
{
    const char *names[ISAS];
    const size_t count = contenders(o, k, names);
    const limit_job limit = {b->y, b->x, n * k->size, k->sources == 2};
    work_job jobs[ISAS];
    bench_entry entries[ISAS + 2] = {0};

    must_work(k, b, n);
    for (size_t i = 0; i < count; i++) {
        jobs[i] = (work_job){k, names[i], NULL, b->y, b->x, n};
        entries[i] = (bench_entry){.run = work_run, .job = &jobs[i]};
    }
    bench_entry *bound = &entries[count];
    const size_t limits = add_limits(k, &limit, bound);
    bench(entries, count + limits, o->reps);
    isas_use(o->isa);

    if (limits == 2 && bound[1].time.median < bound[0].time.median)
        bound++;
    const double portable = entries[0].time.median, least = bound->time.median;
    for (size_t i = 0; i < count; i++)
        if (!o->isa || !strcmp(o->isa, names[i]))
            put(k, n, names[i], &entries[i].time, portable, least);
    put(k, n, limit_name(bound), &bound->time, NAN, least);
}

void profile(options *o)
{
    static const size_t sizes[] = {64, 1024, 32768, 262144, 16777216};
    options_default_sizes(o, sizes, sizeof sizes / sizeof *sizes);
    const size_t largest = options_largest(o);
    work_buffers b = work_alloc(largest, work_element(o->kernel));

    out_note(
        "\nOne thread. Lowest of the medians of three batches of interleaved repetitions, +- its "
        "median\nabsolute deviation. Limit: the quicker of memcpy and a copy past the cache; "
        "argmax: reading;\ntwo sources: the same of their bitwise difference.\n");
    out_table("figures", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < NL_KERNELS; i++) {
        const work_kernel *k = &work_kernels[i];
        if (!work_matches(k, o->kernel))
            continue;
        out_blank();
        work_fill(k, b.x, k->sources * largest);
        for (size_t j = 0; j < o->size_count; j++)
            profile_size(o, k, &b, o->sizes[j]);
    }
    work_free(b);
}
