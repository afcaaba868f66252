#include "bench.h"
#include "output.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* A repetition lasts at least this long: thousands of times what reading the clock takes. */
#define REPETITION_NS 100e3
/* No entry takes longer than this in a batch, unless that leaves it fewer than FEWEST repetitions.
 */
#define BATCH_NS 150e6
#define FEWEST 3

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A call before the clock starts brings back what the neighbours drove out of the cache; a slow one
 * has no use for the cache. */
#define WARMED_NS 1e6

static double elapsed(const bench_entry *e)
{
    if (e->warm)
        e->run(e->job, 1);
    double start = now();
    e->run(e->job, e->calls);
    return now() - start;
}

/* How many calls make a repetition, and how many repetitions there is time for. Warms up, too. */
static void calibrate(bench_entry *e, size_t reps)
{
    double ns;
    e->calls = 1;
    e->warm = false;
    while ((ns = elapsed(e)) < REPETITION_NS / 4)
        e->calls *= 4;
    if (ns < REPETITION_NS)
        e->calls = (size_t)((double)e->calls * REPETITION_NS / ns) + 1;
    else
        ns = fmin(ns, elapsed(e)); /* the first one met a cold cache */
    e->warm = ns < WARMED_NS;
    e->reps = reps;
    if (ns * (double)reps > BATCH_NS) {
        size_t fewer = (size_t)(BATCH_NS / ns);
        e->reps = fewer > FEWEST ? fewer : FEWEST;
        if (e->reps > reps)
            e->reps = reps;
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, ascending);
    return (v[n / 2] + v[(n - 1) / 2]) / 2;
}

static bench_time summary(double *samples, size_t n)
{
    bench_time t = {.reps = n};
    t.median = median(samples, n); /* sorts */
    t.min = samples[0];
    t.max = samples[n - 1];
    for (size_t i = 0; i < n; i++)
        samples[i] = fabs(samples[i] - t.median);
    t.mad = median(samples, n) / t.median;
    return t;
}

static void batch(bench_entry *entries, size_t count, size_t reps)
{
    for (size_t i = 0; i < count; i++)
        entries[i].taken = 0;
    for (size_t r = 0; r < reps; r++)
        for (size_t j = 0; j < count; j++) {
            /* there and back, so that none always follows the same one */
            bench_entry *e = &entries[r % 2 ? count - 1 - j : j];
            /* an entry with fewer repetitions spreads them over the rounds */
            if (r * e->reps % reps < e->reps)
                e->samples[e->taken++] = elapsed(e) / (double)e->calls;
        }
    for (size_t i = 0; i < count; i++) {
        bench_time t = summary(entries[i].samples, entries[i].taken);
        if (!entries[i].time.reps || t.median < entries[i].time.median)
            entries[i].time = t;
    }
}

void bench(bench_entry *entries, size_t count, size_t reps)
{
    const size_t batches = reps < 3 * BENCH_BATCHES ? 1 : BENCH_BATCHES;
    reps /= batches;
    for (size_t i = 0; i < count; i++) {
        calibrate(&entries[i], reps);
        entries[i].samples = need(malloc(reps * sizeof(double)));
        entries[i].time.reps = 0;
    }
    for (size_t b = 0; b < batches; b++)
        batch(entries, count, reps);
    for (size_t i = 0; i < count; i++)
        free(entries[i].samples);
}
