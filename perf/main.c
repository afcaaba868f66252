#include "isas.h"
#include "machine.h"
#include "modes.h"
#include "nonlin.h"
#include "output.h"
#include "work.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: nonlin-perf [options]         time every kernel on every instruction set\n"
    "       nonlin-perf [options] isas    what was compiled in, what runs here, what serves\n"
    "\n"
    "  --kernel GLOB    only the kernels of this name: 'softmax', 'exp_f32', '*softmax*'\n"
    "  --isa NAME       only this instruction set (portable is measured for comparison)\n"
    "  --size N[,N...]  elements, also 32k or 16M (times 1024, 1048576)\n"
    "  --reps N         repetitions that the medians are of, all batches together (33)\n"
    "  --input FILE     run the kernels on raw little-endian 32-bit floats (- is standard input)\n"
    "                   and show the error against an exact calculation beside the time\n"
    "                   (two sources: the same twice)\n"
    "  --cols N         the numbers of FILE are rows of N (one row)\n"
    "  --overhead       what a call costs besides its kernel, at 1 and 16 elements\n"
    "  --json           one JSON object instead of tables\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0, 1 on failure, 2 if the command line or FILE is wrong.\n";

typedef struct {
    options common;
    const char *input;
    size_t cols;
    bool overhead, isas;
} request;

__attribute__((noreturn)) static void stop(const char *text)
{
    fputs(text, stdout);
    exit(0);
}

static void take(request *r, int option, const char *value)
{
    options *o = &r->common;
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
    case 'f':
        r->input = value;
        break;
    case 'c':
        r->cols = options_number("cols", value, OPTIONS_LARGEST);
        break;
    case 'o':
        r->overhead = true;
        break;
    case 'j':
        o->json = true;
        break;
    case 'h':
        stop(usage);
    case 'v':
        printf("nonlin-perf %s\n", nonlin_version_string());
        exit(0);
    default:
        die(EXIT_USAGE, "see --help");
    }
}

static void check(const request *r)
{
    if (r->cols && !r->input)
        die(EXIT_USAGE, "--cols goes with --input");
    if (r->input && (r->overhead || r->common.size_count))
        die(EXIT_USAGE, "--input goes with neither --size nor --overhead");
    if (r->isas && (r->input || r->overhead || r->common.size_count))
        die(EXIT_USAGE, "isas measures nothing: it goes with --isa and --json only");
}

static request parse(int argc, char **argv)
{
    static const struct option known[] = {{"kernel", required_argument, NULL, 'k'},
                                          {"isa", required_argument, NULL, 'i'},
                                          {"size", required_argument, NULL, 's'},
                                          {"reps", required_argument, NULL, 'r'},
                                          {"input", required_argument, NULL, 'f'},
                                          {"cols", required_argument, NULL, 'c'},
                                          {"overhead", no_argument, NULL, 'o'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'v'},
                                          {NULL, 0, NULL, 0}};
    request r = {.common = {.kernel = "*", .reps = 33}};
    int option;
    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
        take(&r, option, optarg);
    for (; optind < argc; optind++) {
        if (strcmp(argv[optind], "isas"))
            die(EXIT_USAGE, "\"%s\" is neither an option nor isas; see --help", argv[optind]);
        r.isas = true;
    }
    check(&r);
    return r;
}

int main(int argc, char **argv)
{
    request r = parse(argc, argv);
    options *o = &r.common;
    work_must_match(o->kernel);
    isas_use(o->isa);
    if (!out_begin(o->json))
        die(EXIT_USAGE, "--json: this nonlin-perf was built without jansson");
    machine_facts();
    isas_environment();
    out_blank();
    if (!r.input && !r.overhead) {
        isas_table();
        out_blank();
    }
    out_fact("running", "running", nonlin_active_isa());
    if (r.input)
        examine(o, r.input, r.cols);
    else if (r.overhead)
        overhead(o);
    else if (!r.isas)
        profile(o);
    out_end();
    return 0;
}
