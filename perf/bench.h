/* Timing: several contestants, interleaved, so that noise meets all of them alike. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

/* Other work on the machine comes in bursts that can halve the speed of memory: a figure is the
 * lowest of the medians of several batches of repetitions. */
#define BENCH_BATCHES 3

/* Nanoseconds a call: that median, and how far its batch lies around it. */
typedef struct {
    double median, min, max;
    double mad; /* median absolute deviation, as a part of the median */
    size_t reps;
} bench_time;

typedef struct {
    void (*run)(const void *job, size_t calls);
    const void *job;
    /* bench() fills in the rest */
    bench_time time;
    bool warm;
    size_t calls; /* a repetition's, so that it lasts */
    size_t reps;  /* fewer than the others' if one call is slow */
    double *samples;
    size_t taken;
} bench_entry;

/* reps: repetitions in all batches together; with few of them there is one batch. */
void bench(bench_entry *entries, size_t count, size_t reps);

#endif
