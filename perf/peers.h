/* Other libraries' functions as contenders, found with dlopen where they are installed. */
#ifndef PEERS_H
#define PEERS_H

#include "bench.h"
#include "work.h"

/* A vector length: the loops around functions that take one vector, compiled for it (peers_vec.c).
 * In all of them n is a multiple of 16. */
typedef struct {
    const char *isa; /* the nonlin ISA of this length */
    const char *sleef_exp, *sleef_log, *sleef_log35, *mvec_exp, *mvec_log;
    const char *dnnl; /* its name for oneDNN */
    /* y[i] = f(x[i]) */
    void (*map)(void *f, float *y, const float *x, size_t n);
    /* a row's softmax: maximum; exp of the differences and their sum; scale */
    void (*softmax)(void *exp, float *y, const float *x, size_t n);
    /* the sum, in one chain of additions and in eight */
    float (*sum)(const float *x, size_t n);
    float (*sum8)(const float *x, size_t n);
} peers_vec;

extern const peers_vec peers_vec_sse2, peers_vec_avx2, peers_vec_avx512;

typedef struct contender {
    const char *name;
    void (*run)(const void *contender, size_t calls); /* for bench() */
    bool computes; /* the kernel's own result, whose error is of interest */
    void *f;       /* the library's function */
    const work_kernel *kernel;
    const peers_vec *vec;
    /* the work: rows that follow one another */
    float *y;
    const float *x;
    size_t rows, cols;
    void *primitive; /* oneDNN's, made for this work */
} contender;

/* Loads the libraries, and says which ones. */
void peers_load(const peers_vec *vec);
/* All that a kernel is compared with on this work, nonlin first. Returns how many. */
#define PEERS_MAX 8
size_t peers_of(const work_kernel *k, const peers_vec *vec, float *y, const float *x, size_t rows,
                size_t cols, contender *list);
void peers_release(contender *list, size_t count);

/* oneDNN (peers_dnnl.c). Its version, or NULL if it is not there. */
const char *dnnl_load(const char *isa);
/* A primitive for c->kernel and c's work; false if there is none. */
bool dnnl_make(contender *c);
void dnnl_free(contender *c);
void dnnl_run(const void *contender, size_t calls);

/* The goals (peers_bars.c). A figure: ns a call of a contender for a kernel at a size, and its
 * spread. */
typedef bool peers_figure(const char *op, size_t n, const char *contender, double *ns, double *mad);
/* Does a goal of this ISA need this size of this kernel? */
bool bars_need(const char *isa, const char *op, size_t n);
void bars_table(const char *isa, peers_figure *figure);

#endif
