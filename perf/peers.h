/* Other libraries' functions as contenders, found with dlopen where they are installed. */
#ifndef PEERS_H
#define PEERS_H

#include "bench.h"
#include "work.h"

/* The libraries' functions that take one vector. */
enum peers_function {
    SLEEF_EXP,
    SLEEF_LOG,
    SLEEF_LOG35,
    SLEEF_TANH,
    SLEEF_TANH35,
    SLEEF_ERF,
    MVEC_EXP, /* from here on libmvec's */
    MVEC_LOG,
    MVEC_TANH,
    MVEC_ERF,
    PEERS_FUNCTIONS
};

/* What is made of such a function f: f itself; 1 / (1 + f(-x)); x and u x by that; x (1 + f(...)) /
 * 2 as GELU has it, with erf and with tanh, and the latter by exp; a row's softmax by maximum, exp
 * of the differences with their sum, scaling. */
enum peers_form { PLAIN, SIGMOID, SILU, MULSILU, GELU, GELU_TANH, GELU_SIGMOID, SOFTMAX, FORMS };
enum peers_type { F32, F16, BF16, TYPES };

/* y = form of x, in one pass (softmax: three). x2: mulsilu's g, whose u is x. */
typedef void peers_loop(void *f, void *y, const void *x, const void *x2, size_t n);

/* A vector length: the loops around functions of it, compiled for it (peers_vec.c). In all of them
 * n is a multiple of 16. */
typedef struct {
    const char *isa;  /* the nonlin ISA of this length */
    const char *dnnl; /* its name for oneDNN */
    const char *names[PEERS_FUNCTIONS];
    peers_loop *loops[FORMS][TYPES]; /* NULL: there is none */
    /* the sum, in one chain of additions and in eight */
    float (*sum)(const float *x, size_t n);
    float (*sum8)(const float *x, size_t n);
} peers_vec;

extern const peers_vec peers_vec_sse2, peers_vec_avx2, peers_vec_avx512;

typedef struct contender {
    const char *name;
    void (*run)(const void *contender, size_t calls); /* for bench() */
    bool computes; /* the kernel's own result, whose error is of interest */
    void *f;       /* the library's function, and the loop around it */
    peers_loop *loop;
    const work_kernel *kernel;
    const peers_vec *vec;
    /* the work: rows that follow one another. An elementwise kernel has one; that of two sources
     * has the second one, which is as long, right behind the first. */
    void *y;
    const void *x;
    const float *x_f32; /* as many inputs for the kernel's namesake on floats */
    size_t rows, cols;
    void *primitive; /* oneDNN's, made for this work */
} contender;

/* Loads the libraries, and says which ones. */
void peers_load(const peers_vec *vec);
/* All that work->kernel is compared with on this work, nonlin first. Returns how many. */
#define PEERS_MAX 12
size_t peers_of(const contender *work, contender *list);
void peers_release(contender *list, size_t count);
/* TYPES: none that there are peers for. */
enum peers_type peers_type(const work_kernel *k);
/* The kernel of this operation on floats, or NULL. */
const work_kernel *peers_f32(const char *op);
/* mulsilu's second source */
const void *peers_second(const contender *c);

/* oneDNN (peers_dnnl.c). Its version, or NULL if it is not there. */
const char *dnnl_load(const char *isa);
/* A primitive for c->kernel and c's work, and the contender's name; NULL if there is none. */
const char *dnnl_make(contender *c);
void dnnl_free(contender *c);
void dnnl_run(const void *contender, size_t calls);

/* The goals (peers_bars.c). A figure: ns a call of a contender for a kernel at a size, and its
 * spread. */
typedef bool peers_figure(const char *kernel, size_t n, const char *contender, double *ns,
                          double *mad);
/* Does a goal of this ISA need this size of this kernel? */
bool bars_need(const char *isa, const char *kernel, size_t n);
/* The goals of the kernels that match, of those that are not there too. */
void bars_table(const char *isa, const char *glob, peers_figure *figure);

#endif
