/* How far ahead nonlin means to be, and whether it is. */
#include "output.h"
#include "peers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The time of `over`, by that of `under` (NULL: in ns a call), is at least or at most `bound`. */
typedef struct {
    const char *isa, *op, *kernel;
    size_t n;
    const char *over, *under;
    double bound;
    bool at_most;
} bar;

#define BAR(isa_, op_, dtype_, ...)                                       \
    {                                                                     \
        .isa = #isa_, .op = #op_, .kernel = #op_ "_" #dtype_, __VA_ARGS__ \
    }
#define AHEAD(isa, op, dtype, n_, peer, factor) \
    BAR(isa, op, dtype, .n = n_, .over = peer, .under = "nonlin", .bound = factor)
#define WITHIN(isa, op, dtype, n_, limit, factor) \
    BAR(isa, op, dtype, .n = n_, .over = "nonlin", .under = limit, .bound = factor, .at_most = true)
/* in the first cache and beyond it */
#define AHEAD_TWICE(isa, op, dtype, peer, bound) \
    AHEAD(isa, op, dtype, 1024, peer, bound), AHEAD(isa, op, dtype, 32768, peer, bound)
#define WITHIN_TWICE(isa, op, dtype, limit, bound) \
    WITHIN(isa, op, dtype, 1024, limit, bound), WITHIN(isa, op, dtype, 32768, limit, bound)

static const bar bars[] = {
    AHEAD_TWICE(avx512, exp, f32, "SLEEF u10", 1.6),
    AHEAD(avx512, exp, f32, 32768, "oneDNN", 1.3),
    AHEAD_TWICE(avx512, log, f32, "SLEEF u10", 1.5),
    AHEAD_TWICE(avx512, sigmoid, f32, "SLEEF composed", 1.8),
    AHEAD_TWICE(avx512, tanh, f32, "libmvec", 1.4),
    AHEAD_TWICE(avx512, gelu, f32, "libmvec composed", 1.6),
    AHEAD_TWICE(avx512, gelu_tanh, f32, "libmvec composed", 1.4),
    AHEAD_TWICE(avx512, silu, f32, "SLEEF composed", 1.5),
    AHEAD_TWICE(avx512, mulsilu, f32, "SLEEF composed", 1.5),
    WITHIN_TWICE(avx512, exp, f16, "nonlin exp_f32", 1.15),
    WITHIN_TWICE(avx512, log, f16, "nonlin log_f32", 1.15),
    AHEAD_TWICE(avx512, silu, f16, "SLEEF composed", 2.0),
    AHEAD_TWICE(avx512, mulsilu, f16, "SLEEF composed", 2.0),
    AHEAD_TWICE(avx512, exp, bf16, "oneDNN", 1.5),
    AHEAD_TWICE(avx512, log, bf16, "oneDNN", 1.5),
    AHEAD_TWICE(avx512, sigmoid, bf16, "oneDNN", 1.5),
    AHEAD_TWICE(avx512, tanh, bf16, "oneDNN", 1.5),
    AHEAD_TWICE(avx512, gelu, bf16, "oneDNN", 1.5),
    AHEAD_TWICE(avx512, gelu_tanh, bf16, "oneDNN", 1.5),
    AHEAD_TWICE(avx512, silu, bf16, "oneDNN", 1.5),
    AHEAD_TWICE(avx512, mulsilu, bf16, "oneDNN swish, mul", 1.5),
    AHEAD_TWICE(avx512, mulsilu, bf16, "SLEEF composed", 1.5),
    WITHIN(avx512, exp, f32, 16777216, "memcpy", 1.1),
    WITHIN(avx512, log, f32, 16777216, "memcpy", 1.1),
    WITHIN(avx512, sigmoid, f32, 16777216, "memcpy", 1.1),
    WITHIN(avx512, tanh, f32, 16777216, "memcpy", 1.1),
    WITHIN(avx512, gelu, f32, 16777216, "memcpy", 1.1),
    WITHIN(avx512, gelu_tanh, f32, 16777216, "memcpy", 1.1),
    WITHIN(avx512, silu, f32, 16777216, "memcpy", 1.1),
    WITHIN(avx512, exp, f32, 16, NULL, 8),
    WITHIN(avx512, log, f32, 16, NULL, 8),
    WITHIN(avx512, sigmoid, f32, 16, NULL, 8),
    WITHIN(avx512, tanh, f32, 16, NULL, 8),
    WITHIN(avx512, gelu, f32, 16, NULL, 8),
    WITHIN(avx512, gelu_tanh, f32, 16, NULL, 8),
    WITHIN(avx512, silu, f32, 16, NULL, 8),
    WITHIN(avx512, mulsilu, f32, 16, NULL, 8),
    AHEAD(avx512, softmax, f32, 64, "SLEEF, 3 passes", 2.0),
    AHEAD_TWICE(avx512, softmax, f32, "SLEEF, 3 passes", 2.0),
    WITHIN(avx512, softmax, f32, 16777216, "memcpy", 1.7),
    WITHIN(avx512, softmax, f32, 16777216, "memcpy, streamed", 1.7),
    WITHIN(avx512, log_softmax, f32, 64, "nonlin softmax", 1.1),
    WITHIN_TWICE(avx512, log_softmax, f32, "nonlin softmax", 1.1),
    WITHIN_TWICE(avx512, argmax, f32, "reading, 1 chain", 1.6),
    WITHIN_TWICE(avx512, argmax, f32, "reading, 8 chains", 1.6),
    WITHIN(avx512, argmax, f32, 16, NULL, 5),
    AHEAD_TWICE(avx2, exp, f32, "SLEEF u10", 1.6),
    AHEAD_TWICE(avx2, sigmoid, f32, "SLEEF composed", 1.6),
    AHEAD_TWICE(avx2, tanh, f32, "libmvec", 1.6),
    AHEAD_TWICE(avx2, gelu, f32, "libmvec composed", 1.6),
    AHEAD_TWICE(avx2, gelu_tanh, f32, "libmvec composed", 1.6),
    AHEAD_TWICE(avx2, silu, f32, "SLEEF composed", 1.6),
    AHEAD_TWICE(avx2, mulsilu, f32, "SLEEF composed", 1.6),
    AHEAD_TWICE(avx2, silu, f16, "SLEEF composed", 1.6),
    AHEAD_TWICE(avx2, mulsilu, f16, "SLEEF composed", 1.6),
    AHEAD_TWICE(avx2, mulsilu, bf16, "SLEEF composed", 1.6), /* oneDNN's bf16 needs AVX-512 */
    AHEAD(avx2, softmax, f32, 64, "SLEEF, 3 passes", 1.6),
    AHEAD_TWICE(avx2, softmax, f32, "SLEEF, 3 passes", 1.6),
};

static const out_column columns[] = {
    {"kernel", "kernel", -15, NULL},    {"elements", "elements", 9, "%.0f"},
    {"of", "time of", -17, NULL},       {"by", "by that of", -17, NULL},
    {"bar", "bar", -8, NULL},           {"measured", "measured", 8, "%.2f"},
    {"mad_percent", "+-", 6, "%.1f%%"}, {"met", "met", -6, NULL},
};

bool bars_need(const char *isa, const char *kernel, size_t n)
{
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        if (!strcmp(bars[i].isa, isa) && !strcmp(bars[i].kernel, kernel) && bars[i].n == n)
            return true;
    return false;
}

static void put(const bar *b, peers_figure *figure)
{
    char text[32];
    double over = NAN, over_mad = NAN, under = 1, under_mad = 0;
    bool known = figure(b->kernel, b->n, b->over, &over, &over_mad) &&
                 (!b->under || figure(b->kernel, b->n, b->under, &under, &under_mad));
    const double ratio = known ? over / under : NAN;
    const bool met = b->at_most ? ratio <= b->bound : ratio >= b->bound;
    snprintf(text, sizeof text, "%s %.2f", b->at_most ? "<=" : ">=", b->bound);
    out_row((out_cell[]){{.text = b->kernel},
                         {.number = (double)b->n},
                         {.text = b->over},
                         {.text = b->under ? b->under : "(ns a call)"},
                         {.text = text},
                         {.number = ratio},
                         {.number = known ? 100 * (over_mad + under_mad) : NAN},
                         {.text = !known ? "absent"
                                  : met  ? "met"
                                         : "missed"}});
}

void bars_table(const char *isa, const char *glob, peers_figure *figure)
{
    size_t count = 0;
    out_table("bars", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        if (!strcmp(bars[i].isa, isa) &&
            work_matches(&(work_kernel){.op = bars[i].op, .name = bars[i].kernel}, glob)) {
            put(&bars[i], figure);
            count++;
        }
    if (!count)
        out_note("(none for %s)", isa);
}
