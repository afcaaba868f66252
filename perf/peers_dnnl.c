/* oneDNN 2.x, without its headers: what is needed of its C interface is declared here. Its
 * descriptors are structs that the caller owns; opaque ones of ample size will do (the largest has
 * 1416 bytes). */
#include "output.h"
#include "peers.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPU = 1, IN_ORDER = 1, TAG_AB = 3, INFERENCE = 96, SWISH = 0xdf, MULTIPLY = 0x1fff1 };
enum { ARG_SRC = 1, ARG_SRC_1 = 2, ARG_DST = 17 };
typedef struct {
    uint64_t opaque[1024];
} desc;
typedef struct {
    int arg;
    void *memory;
} argument;
typedef struct {
    int major, minor, patch;
    const char *hash;
} version; /* and more */

static struct {
    const version *(*version)(void);
    int (*engine_create)(void **, int kind, size_t index);
    int (*stream_create)(void **, void *engine, unsigned flags);
    int (*memory_desc_init_by_tag)(desc *, int ndims, const int64_t *dims, int type, int tag);
    int (*memory_create)(void **, const desc *, void *engine, void *handle);
    int (*memory_destroy)(void *);
    int (*eltwise_forward_desc_init)(desc *, int kind, int algorithm, const desc *, float, float);
    int (*binary_desc_init)(desc *, int algorithm, const desc *, const desc *, const desc *);
    int (*softmax_forward_desc_init)(desc *, int kind, const desc *, int axis);
    int (*logsoftmax_forward_desc_init)(desc *, int kind, const desc *, int axis);
    int (*primitive_desc_create)(void **, const desc *, void *attr, void *engine, void *hint);
    int (*primitive_desc_destroy)(void *);
    int (*primitive_create)(void **, void *primitive_desc);
    int (*primitive_destroy)(void *);
    int (*primitive_execute)(void *, void *stream, int count, const argument *);
} dnnl;

static void *engine, *stream;

/* One primitive or two, over memory that begins at y, x and x2 */
typedef struct {
    void *memory[3];
    struct {
        void *primitive;
        int count;
        argument args[3];
    } steps[2];
} execution;

static bool find_all(void *lib)
{
#define FIND(name) (dnnl.name = (__typeof__(dnnl.name))dlsym(lib, "dnnl_" #name))
    return FIND(version) && FIND(engine_create) && FIND(stream_create) &&
           FIND(memory_desc_init_by_tag) && FIND(memory_create) && FIND(memory_destroy) &&
           FIND(eltwise_forward_desc_init) && FIND(binary_desc_init) &&
           FIND(softmax_forward_desc_init) && FIND(logsoftmax_forward_desc_init) &&
           FIND(primitive_desc_create) && FIND(primitive_desc_destroy) && FIND(primitive_create) &&
           FIND(primitive_destroy) && FIND(primitive_execute);
#undef FIND
}

const char *dnnl_load(const char *isa)
{
    static char text[64];
    /* read when the library is loaded: one thread, like all others here */
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("DNNL_MAX_CPU_ISA", isa, 1);
    void *lib = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!lib || !find_all(lib) || dnnl.engine_create(&engine, CPU, 0) ||
        dnnl.stream_create(&stream, engine, IN_ORDER)) {
        stream = NULL;
        return NULL;
    }
    const version *v = dnnl.version();
    snprintf(text, sizeof text, "%d.%d.%d", v->major, v->minor, v->patch);
    return text;
}

/* The first step. mulsilu's is silu, of its second source. */
static int describe(desc *d, const char *op, const desc *data)
{
    static const struct {
        const char *op;
        int algorithm;
    } eltwise[] = {{"exp", 0xbf},  {"log", 0xef},       {"sigmoid", 0xaf}, {"tanh", 0x2f},
                   {"gelu", 0x30}, {"gelu_tanh", 0xcf}, {"silu", SWISH},   {"mulsilu", SWISH}};
    for (size_t i = 0; i < sizeof eltwise / sizeof *eltwise; i++)
        if (!strcmp(op, eltwise[i].op)) /* 1: swish's factor, x / (1 + exp(-1 x)) */
            return dnnl.eltwise_forward_desc_init(d, INFERENCE, eltwise[i].algorithm, data, 1, 0);
    if (!strcmp(op, "softmax"))
        return dnnl.softmax_forward_desc_init(d, INFERENCE, data, 1);
    if (!strcmp(op, "log_softmax"))
        return dnnl.logsoftmax_forward_desc_init(d, INFERENCE, data, 1);
    return -1;
}

static bool make_step(execution *e, int step, const desc *op, const argument *args, int count)
{
    void *pd = NULL;
    if (dnnl.primitive_desc_create(&pd, op, NULL, engine, NULL))
        return false;
    const int status = dnnl.primitive_create(&e->steps[step].primitive, pd);
    dnnl.primitive_desc_destroy(pd);
    e->steps[step].count = count;
    memcpy(e->steps[step].args, args, (size_t)count * sizeof *args);
    return !status;
}

static bool make(execution *e, const contender *c, bool pair)
{
    static const int types[TYPES] = {[F32] = 3, [F16] = 1, [BF16] = 2};
    const void *const starts[3] = {c->y, c->x, peers_second(c)};
    const int64_t dims[12] = {(int64_t)c->rows, (int64_t)c->cols};
    const enum peers_type type = peers_type(c->kernel);
    desc data, op;
    if (!stream || type == TYPES ||
        dnnl.memory_desc_init_by_tag(&data, 2, dims, types[type], TAG_AB) ||
        describe(&op, c->kernel->op, &data))
        return false;
    for (int i = 0; i < 2 + pair; i++)
        if (dnnl.memory_create(&e->memory[i], &data, engine, (void *)(uintptr_t)starts[i]))
            return false;
    void *y = e->memory[0], *x = e->memory[1], *x2 = e->memory[2];
    if (!make_step(e, 0, &op, (argument[]){{ARG_SRC, pair ? x2 : x}, {ARG_DST, y}}, 2))
        return false;
    return !pair ||
           (!dnnl.binary_desc_init(&op, MULTIPLY, &data, &data, &data) &&
            make_step(e, 1, &op, (argument[]){{ARG_SRC, y}, {ARG_SRC_1, x}, {ARG_DST, y}}, 3));
}

const char *dnnl_make(contender *c)
{
    /* Multiplying as a "post-op" of swish would be one call, but oneDNN 2.6 has only its reference
     * code for that, which takes a hundred times as long. */
    const bool pair = !strcmp(c->kernel->op, "mulsilu");
    c->primitive = need(calloc(1, sizeof(execution)));
    if (make(c->primitive, c, pair))
        return pair ? "oneDNN swish, mul" : "oneDNN";
    dnnl_free(c);
    return NULL;
}

void dnnl_free(contender *c)
{
    execution *e = c->primitive;
    if (!e)
        return;
    for (int i = 0; i < 3; i++)
        if (e->memory[i])
            dnnl.memory_destroy(e->memory[i]);
    for (int i = 0; i < 2; i++)
        if (e->steps[i].primitive)
            dnnl.primitive_destroy(e->steps[i].primitive);
    free(e);
    c->primitive = NULL;
}

/* On a CPU a primitive has done its work when execute returns. */
void dnnl_run(const void *contender_, size_t calls)
{
    const execution *e = ((const contender *)contender_)->primitive;
    while (calls--)
        for (int i = 0; i < 2 && e->steps[i].primitive; i++)
            dnnl.primitive_execute(e->steps[i].primitive, stream, e->steps[i].count,
                                   e->steps[i].args);
}
