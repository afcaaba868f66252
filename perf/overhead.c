#include "bench.h"
#include "isas.h"
#include "modes.h"
#include "output.h"
#include "work.h"

static const out_column columns[] = {
    {"kernel", "kernel", -18, NULL},
    {"elements", "elements", 10, "%.0f"},
    {"isa", "ISA", -10, NULL},
    {"public_ns", "public ns/call", 14, "%.2f"},
    {"public_mad_percent", "+-", 6, "%.1f%%"},
    {"bare_ns", "bare ns/call", 12, "%.2f"},
    {"bare_mad_percent", "+-", 6, "%.1f%%"},
    {"difference_ns", "difference", 10, "%.2f"},
};

static void compare(const options *o, const work_kernel *k, const work_buffers *b, size_t n)
{
    const char *isa = nonlin_active_isa();
    const work_job jobs[] = {{k, isa, NULL, b->y, b->x, n},
                             {k, isa, nonlin_isa_kernel(isa, k->name), b->y, b->x, n}};
    bench_entry e[2] = {{.run = work_run, .job = &jobs[0]}, {.run = work_run, .job = &jobs[1]}};
    bench(e, 2, o->reps);
    out_row((out_cell[]){{.text = k->name},
                         {.number = (double)n},
                         {.text = nonlin_variant(k->name)},
                         {.number = e[0].time.median},
                         {.number = 100 * e[0].time.mad},
                         {.number = e[1].time.median},
                         {.number = 100 * e[1].time.mad},
                         {.number = e[0].time.median - e[1].time.median}});
}

void overhead(options *o)
{
    static const size_t sizes[] = {1, 16};
    options_default_sizes(o, sizes, sizeof sizes / sizeof *sizes);
    const size_t largest = options_largest(o);
    work_buffers b = work_alloc(largest, work_element(o->kernel));

    out_note(
        "\nA call through the public function (arguments checked, kernel and control word looked "
        "up)\nand of the bare kernel. Lowest of the medians of three batches of interleaved "
        "repetitions.\n");
    out_table("overhead", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < NL_KERNELS; i++)
        if (work_matches(&work_kernels[i], o->kernel)) {
            work_fill(&work_kernels[i], b.x, work_kernels[i].sources * largest);
            for (size_t j = 0; j < o->size_count; j++)
                compare(o, &work_kernels[i], &b, o->sizes[j]);
        }
    work_free(b);
}
