/* nonlin-peers: nonlin beside other libraries on the same data in the same run. */
#include "isas.h"
#include "machine.h"
#include "options.h"
#include "oracle.h"
#include "output.h"
#include "peers.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE (1 << 20) /* numbers that the errors are the greatest of */
#define SAMPLE_COLS 1024
#define BARS_ROUNDS 3

static const char usage[] =
    "usage: nonlin-peers [options]    compare with SLEEF, libmvec and oneDNN, those that are "
    "installed\n"
    "\n"
    "  --bars           how far ahead nonlin means to be, and whether it is\n"
    "  --kernel GLOB    only the kernels of this name: 'softmax', 'exp_f32', '*softmax*'\n"
    "  --isa NAME       this instruction set, and the others' functions of the same vector length\n"
    "  --size N[,N...]  elements, multiples of 16; also 32k or 16M (times 1024, 1048576)\n"
    "  --reps N         repetitions that the medians are of, all batches together (18)\n"
    "  --json           one JSON object instead of tables\n"
    "  --help, --version\n";

static const out_column columns[] = {
    {"kernel", "kernel", -15, NULL},
    {"elements", "elements", 9, "%.0f"},
    {"contender", "contender", -17, NULL},
    {"ns_per_element", "ns/element", 10, "%.4f"},
    {"mad_percent", "+-", 6, "%.1f%%"},
    {"x_nonlin", "x nonlin", 8, "%.2f"},
    {"worst_error", "worst error", 11, "%.4g"},
    {"error_unit", "", -10, NULL},
};

/* ---- what was measured, for the bars ---- */

typedef struct {
    const char *kernel, *contender;
    size_t n;
    double ns, mad;
} figure;

static figure *figures;
static size_t figure_count;

/* The lowest, if it is measured more than once. */
static void remember(const char *kernel, size_t n, const char *who, const bench_time *t)
{
    for (size_t i = 0; i < figure_count; i++)
        if (figures[i].n == n && !strcmp(figures[i].kernel, kernel) &&
            !strcmp(figures[i].contender, who)) {
            if (t->median < figures[i].ns)
                figures[i] = (figure){kernel, who, n, t->median, t->mad};
            return;
        }
    figures = need(realloc(figures, (figure_count + 1) * sizeof *figures));
    figures[figure_count++] = (figure){kernel, who, n, t->median, t->mad};
}

static bool recall(const char *kernel, size_t n, const char *who, double *ns, double *mad)
{
    for (size_t i = 0; i < figure_count; i++)
        if (figures[i].n == n && !strcmp(figures[i].kernel, kernel) &&
            !strcmp(figures[i].contender, who)) {
            *ns = figures[i].ns;
            *mad = figures[i].mad;
            return true;
        }
    return false;
}

/* ---- measuring ---- */

/* Room for `capacity` elements twice over: the sources of the kernel that has two, or its input and
 * that of its namesake on floats. */
static work_buffers allocate(size_t capacity) { return work_alloc(2 * capacity, sizeof(float)); }

/* Fills what `allocate` gave. Describes the work as far as it is the same for every size. */
static contender prepare(const work_kernel *k, const peers_vec *vec, const work_buffers *b,
                         size_t capacity)
{
    contender work = {.kernel = k, .vec = vec, .y = b->y, .x = b->x, .x_f32 = b->x, .rows = 1};
    const work_kernel *twin = peers_f32(k->op);
    work_fill(k, b->x, 2 * capacity);
    /* at 20 GELU's tanh form needs exp(600), for which the others leave their quick paths */
    if (k == peers_f32("gelu") || k == peers_f32("gelu_tanh"))
        for (size_t i = 0; i < capacity; i++)
            ((float *)b->x)[i] /= 2;
    if (twin && twin != k) {
        work_fill(twin, (float *)b->x + capacity, capacity);
        work.x_f32 = (float *)b->x + capacity;
    }
    return work;
}

/* Errors by place in the list of contenders, which is the same for every size. None of 16-bit
 * results. */
static void errors(const work_kernel *k, const peers_vec *vec, oracle_error *e)
{
    if (peers_type(k) != F32)
        return;
    contender list[PEERS_MAX];
    work_buffers b = allocate(SAMPLE);
    contender work = prepare(k, vec, &b, SAMPLE);
    work.rows = k->class == WORK_ROW || k->class == WORK_ARGMAX ? SAMPLE / SAMPLE_COLS : 1;
    work.cols = SAMPLE / work.rows;
    size_t count = peers_of(&work, list);
    for (size_t i = 0; i < count; i++) {
        e[i] = (oracle_error){0};
        if (!list[i].computes)
            continue;
        list[i].run(&list[i], 1);
        e[i] = oracle_check(k, b.y, b.x, work.rows, work.cols);
    }
    peers_release(list, count);
    work_free(b);
}

static void measure(contender work, size_t n, size_t reps, const oracle_error *error, bool show)
{
    const work_kernel *k = work.kernel;
    contender list[PEERS_MAX];
    bench_entry entries[PEERS_MAX] = {0};
    work.cols = n;
    const size_t count = peers_of(&work, list);
    for (size_t i = 0; i < count; i++)
        entries[i] = (bench_entry){.run = list[i].run, .job = &list[i]};
    bench(entries, count, reps);
    for (size_t i = 0; i < count; i++) {
        const bench_time *t = &entries[i].time;
        remember(k->name, n, list[i].name, t);
        if (show)
            out_row((out_cell[]){{.text = k->name},
                                 {.number = (double)n},
                                 {.text = list[i].name},
                                 {.number = t->median / (double)n},
                                 {.number = 100 * t->mad},
                                 {.number = t->median / entries[0].time.median},
                                 {.number = error[i].unit ? error[i].worst : NAN},
                                 {.text = error[i].unit ? error[i].unit : ""}});
    }
    peers_release(list, count);
}

static void compare_kernel(const options *o, const work_kernel *k, const peers_vec *vec, bool bars)
{
    oracle_error error[PEERS_MAX] = {{0}};
    size_t sizes[OPTIONS_SIZES], count = 0, largest = 0;
    for (size_t i = 0; i < o->size_count; i++)
        if (!bars || bars_need(vec->isa, k->name, o->sizes[i])) {
            sizes[count++] = o->sizes[i];
            largest = o->sizes[i] > largest ? o->sizes[i] : largest;
        }
    if (!count)
        return;
    if (!bars) {
        out_blank();
        errors(k, vec, error);
    }
    work_buffers b = allocate(largest);
    const contender work = prepare(k, vec, &b, largest);
    for (size_t i = 0; i < count; i++)
        measure(work, sizes[i], o->reps, error, !bars);
    work_free(b);
}

static void compare(const options *o, const peers_vec *vec, bool bars)
{
    for (size_t i = 0; i < NL_KERNELS; i++)
        if (work_matches(&work_kernels[i], o->kernel) && peers_type(&work_kernels[i]) != TYPES)
            compare_kernel(o, &work_kernels[i], vec, bars);
}

/* ---- the command line ---- */

static const peers_vec *vectors(void)
{
    static const peers_vec *const all[] = {&peers_vec_sse2, &peers_vec_avx2, &peers_vec_avx512};
    const char *isa = nonlin_active_isa();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i]->isa, isa))
            return all[i];
    die(EXIT_USAGE, "nothing to compare %s with; try --isa avx2", isa);
}

static const struct option known[] = {{"kernel", required_argument, NULL, 'k'},
                                      {"isa", required_argument, NULL, 'i'},
                                      {"size", required_argument, NULL, 's'},
                                      {"reps", required_argument, NULL, 'r'},
                                      {"bars", no_argument, NULL, 'b'},
                                      {"json", no_argument, NULL, 'j'},
                                      {"help", no_argument, NULL, 'h'},
                                      {"version", no_argument, NULL, 'v'},
                                      {NULL, 0, NULL, 0}};

static void take(options *o, bool *bars, int option, const char *value)
{
    switch (option) {
    case 'k':
        o->kernel = value;
        break;
    case 'i':
        o->isa = value;
        break;
    case 's':
        options_sizes(o, value);
        break;
    case 'r':
        o->reps = options_number("reps", value, 100000);
        break;
    case 'b':
        *bars = true;
        break;
    case 'j':
        o->json = true;
        break;
    case 'h':
        fputs(usage, stdout);
        exit(0);
    case 'v':
        printf("nonlin-peers %s\n", nonlin_version_string());
        exit(0);
    default:
        die(EXIT_USAGE, "see --help");
    }
}

/* Are the bars wanted? */
static bool parse(options *o, int argc, char **argv)
{
    bool bars = false;
    int option;
    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
        take(o, &bars, option, optarg);
    if (optind < argc)
        die(EXIT_USAGE, "\"%s\" is no option; see --help", argv[optind]);
    for (size_t i = 0; i < o->size_count; i++)
        if (o->sizes[i] % 16)
            die(EXIT_USAGE, "--size %zu: not a multiple of 16", o->sizes[i]);
    if (bars && o->size_count)
        die(EXIT_USAGE, "--bars has its own sizes");
    return bars;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {16, 64, 1024, 32768, 262144, 16777216};
    options o = {.kernel = "*", .reps = 18};
    bool bars = parse(&o, argc, argv);
    work_must_match(o.kernel);
    isas_use(o.isa);
    if (!out_begin(o.json))
        die(EXIT_USAGE, "--json: this nonlin-peers was built without jansson");
    options_default_sizes(&o, sizes, sizeof sizes / sizeof *sizes);
    machine_facts();
    isas_environment();
    const peers_vec *vec = vectors();
    peers_load(vec);
    out_blank();
    out_fact("running", "running", nonlin_active_isa());
    out_note(
        "\nOne thread. Lowest of the medians of three batches of interleaved repetitions, +- its "
        "median\nabsolute deviation. Errors: the greatest of %d numbers.\n",
        SAMPLE);
    if (bars) {
        /* a second apart, as a burst of other work lasts longer than measuring one size */
        for (int i = 0; i < BARS_ROUNDS; i++)
            compare(&o, vec, true);
        bars_table(vec->isa, o.kernel, recall);
    } else {
        out_table("peers", columns, sizeof columns / sizeof *columns);
        compare(&o, vec, false);
    }
    out_end();
    free(figures);
    return 0;
}
