/* The kernels as work to be timed, and buffers with data to suit them. */
#ifndef WORK_H
#define WORK_H

#include "kernels.h"
#include <stdbool.h>

enum work_class { WORK_MAP, WORK_MAP2, WORK_ROW, WORK_ARGMAX };

typedef struct {
    const char *name, *op, *dtype; /* "softmax_f32", "softmax", "f32" */
    enum work_class class;
    size_t size;                             /* an element's, in bytes */
    void (*put)(void *x, size_t i, float v); /* an input */
    float reach;                             /* inputs are uniform within +- this */
    /* 1 or 2; the second one is as long as the first and follows it in x */
    size_t sources;
    nonlin_fn entry;
    /* calls f, which has this kernel's signature, `calls` times */
    void (*run)(nonlin_fn f, void *y, const void *x, size_t n, size_t calls);
    /* the public _rows function */
    nonlin_status (*rows)(void *y, const void *x, size_t rows, size_t cols);
} work_kernel;

extern const work_kernel work_kernels[NL_KERNELS];

/* Does the kernel have this name, with or without its type; * and ? are wildcards. */
bool work_matches(const work_kernel *k, const char *glob);
/* Exits with the list of kernels if none matches. */
void work_must_match(const char *glob);
/* Bytes that a call has to move: all sources in, and out unless it gives an index. */
double work_bytes(const work_kernel *k, double n);

/* A job for bench(): a kernel of one ISA through the public function or, if `bare`, without it. */
typedef struct {
    const work_kernel *kernel;
    const char *isa;
    nonlin_fn bare;
    void *y;
    const void *x;
    size_t n;
} work_job;
void work_run(const void *job, size_t calls);

typedef struct {
    void *x, *y;
    void *block;
} work_buffers;

/* Most bytes of an element of the kernels that match, of both sources if there are two. */
size_t work_element(const char *glob);
/* Room for n elements of that size each, written once; exits if the memory is not there. */
work_buffers work_alloc(size_t n, size_t element);
void work_free(work_buffers b);
/* n inputs for the kernel, the same ones every time; of two sources, n of both together. */
void work_fill(const work_kernel *k, void *x, size_t n);
/* Is there memory for this much more? */
bool work_fits(double bytes);

#endif
