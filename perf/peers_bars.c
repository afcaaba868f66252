/* How far ahead nonlin means to be, and whether it is. */
#include "output.h"
#include "peers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The time of `over`, by that of `under` (NULL: in ns a call), is at least or at most `bound`. */
typedef struct {
    const char *isa, *op;
    size_t n;
    const char *over, *under;
    double bound;
    bool at_most;
} bar;

#define AHEAD(isa, op, n, peer, bound)           \
    {                                            \
        isa, op, n, peer, "nonlin", bound, false \
    }
#define WITHIN(isa, op, n, limit, bound)         \
    {                                            \
        isa, op, n, "nonlin", limit, bound, true \
    }

static const bar bars[] = {
    AHEAD("avx512", "exp", 1024, "SLEEF u10", 1.6),
    AHEAD("avx512", "exp", 32768, "SLEEF u10", 1.6),
    AHEAD("avx512", "exp", 32768, "oneDNN", 1.3),
    AHEAD("avx512", "log", 1024, "SLEEF u10", 1.5),
    AHEAD("avx512", "log", 32768, "SLEEF u10", 1.5),
    AHEAD("avx512", "softmax", 64, "SLEEF, 3 passes", 2.0),
    AHEAD("avx512", "softmax", 1024, "SLEEF, 3 passes", 2.0),
    AHEAD("avx512", "softmax", 32768, "SLEEF, 3 passes", 2.0),
    WITHIN("avx512", "softmax", 16777216, "memcpy", 1.7),
    WITHIN("avx512", "softmax", 16777216, "memcpy, streamed", 1.7),
    WITHIN("avx512", "log_softmax", 64, "nonlin softmax", 1.1),
    WITHIN("avx512", "log_softmax", 1024, "nonlin softmax", 1.1),
    WITHIN("avx512", "log_softmax", 32768, "nonlin softmax", 1.1),
    WITHIN("avx512", "argmax", 1024, "reading, 1 chain", 1.6),
    WITHIN("avx512", "argmax", 1024, "reading, 8 chains", 1.6),
    WITHIN("avx512", "argmax", 32768, "reading, 1 chain", 1.6),
    WITHIN("avx512", "argmax", 32768, "reading, 8 chains", 1.6),
    WITHIN("avx512", "argmax", 16, NULL, 5),
    AHEAD("avx2", "exp", 1024, "SLEEF u10", 1.6),
    AHEAD("avx2", "exp", 32768, "SLEEF u10", 1.6),
    AHEAD("avx2", "softmax", 64, "SLEEF, 3 passes", 1.6),
    AHEAD("avx2", "softmax", 1024, "SLEEF, 3 passes", 1.6),
    AHEAD("avx2", "softmax", 32768, "SLEEF, 3 passes", 1.6),
};

static const out_column columns[] = {
    {"kernel", "kernel", -12, NULL},    {"elements", "elements", 9, "%.0f"},
    {"of", "time of", -17, NULL},       {"by", "by that of", -17, NULL},
    {"bar", "bar", -8, NULL},           {"measured", "measured", 8, "%.2f"},
    {"mad_percent", "+-", 6, "%.1f%%"}, {"met", "met", -6, NULL},
};

bool bars_need(const char *isa, const char *op, size_t n)
{
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        if (!strcmp(bars[i].isa, isa) && !strcmp(bars[i].op, op) && bars[i].n == n)
            return true;
    return false;
}

static void put(const bar *b, peers_figure *figure)
{
    char text[32];
    double over = NAN, over_mad = NAN, under = 1, under_mad = 0;
    bool known = figure(b->op, b->n, b->over, &over, &over_mad) &&
                 (!b->under || figure(b->op, b->n, b->under, &under, &under_mad));
    const double ratio = known ? over / under : NAN;
    const bool met = b->at_most ? ratio <= b->bound : ratio >= b->bound;
    snprintf(text, sizeof text, "%s %.1f", b->at_most ? "<=" : ">=", b->bound);
    out_row((out_cell[]){{.text = b->op},
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

void bars_table(const char *isa, peers_figure *figure)
{
    size_t count = 0;
    out_table("bars", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        if (!strcmp(bars[i].isa, isa)) {
            put(&bars[i], figure);
            count++;
        }
    if (!count)
        out_note("(none for %s)", isa);
}
