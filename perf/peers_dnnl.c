/* oneDNN 2.x, without its headers: what is needed of its C interface is declared here. Its
 * descriptors are structs that the caller owns; opaque ones of ample size will do (the largest has
 * 1416 bytes). */
#include "output.h"
#include "peers.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPU = 1, IN_ORDER = 1, F32 = 3, TAG_AB = 3, INFERENCE = 96, EXP = 0xbf, LOG = 0xef };
enum { ARG_SRC = 1, ARG_DST = 17 };
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
    int (*softmax_forward_desc_init)(desc *, int kind, const desc *, int axis);
    int (*logsoftmax_forward_desc_init)(desc *, int kind, const desc *, int axis);
    int (*primitive_desc_create)(void **, const desc *, void *attr, void *engine, void *hint);
    int (*primitive_desc_destroy)(void *);
    int (*primitive_create)(void **, void *primitive_desc);
    int (*primitive_destroy)(void *);
    int (*primitive_execute)(void *, void *stream, int count, const argument *);
} dnnl;

static void *engine, *stream;

typedef struct {
    void *primitive;
    argument args[2];
} execution;

static bool find_all(void *lib)
{
#define FIND(name) (dnnl.name = (__typeof__(dnnl.name))dlsym(lib, "dnnl_" #name))
    return FIND(version) && FIND(engine_create) && FIND(stream_create) &&
           FIND(memory_desc_init_by_tag) && FIND(memory_create) && FIND(memory_destroy) &&
           FIND(eltwise_forward_desc_init) && FIND(softmax_forward_desc_init) &&
           FIND(logsoftmax_forward_desc_init) && FIND(primitive_desc_create) &&
           FIND(primitive_desc_destroy) && FIND(primitive_create) && FIND(primitive_destroy) &&
           FIND(primitive_execute);
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

static int describe(desc *d, const char *op, const desc *data)
{
    if (!strcmp(op, "exp") || !strcmp(op, "log"))
        return dnnl.eltwise_forward_desc_init(d, INFERENCE, strcmp(op, "exp") ? LOG : EXP, data, 0,
                                              0);
    if (!strcmp(op, "softmax"))
        return dnnl.softmax_forward_desc_init(d, INFERENCE, data, 1);
    if (!strcmp(op, "log_softmax"))
        return dnnl.logsoftmax_forward_desc_init(d, INFERENCE, data, 1);
    return -1;
}

bool dnnl_make(contender *c)
{
    const int64_t dims[12] = {(int64_t)c->rows, (int64_t)c->cols};
    desc data, op;
    void *pd = NULL;
    execution *e = need(calloc(1, sizeof *e));
    e->args[0].arg = ARG_SRC;
    e->args[1].arg = ARG_DST;
    c->primitive = e;
    bool ok = stream && !dnnl.memory_desc_init_by_tag(&data, 2, dims, F32, TAG_AB) &&
              !dnnl.memory_create(&e->args[0].memory, &data, engine, (void *)(uintptr_t)c->x) &&
              !dnnl.memory_create(&e->args[1].memory, &data, engine, c->y) &&
              !describe(&op, c->kernel->op, &data) &&
              !dnnl.primitive_desc_create(&pd, &op, NULL, engine, NULL) &&
              !dnnl.primitive_create(&e->primitive, pd);
    if (pd)
        dnnl.primitive_desc_destroy(pd);
    if (!ok)
        dnnl_free(c);
    return ok;
}

void dnnl_free(contender *c)
{
    execution *e = c->primitive;
    if (!e)
        return;
    for (int i = 0; i < 2; i++)
        if (e->args[i].memory)
            dnnl.memory_destroy(e->args[i].memory);
    if (e->primitive)
        dnnl.primitive_destroy(e->primitive);
    free(e);
    c->primitive = NULL;
}

/* On a CPU a primitive has done its work when execute returns. */
void dnnl_run(const void *contender_, size_t calls)
{
    const execution *e = ((const contender *)contender_)->primitive;
    while (calls--)
        dnnl.primitive_execute(e->primitive, stream, 2, e->args);
}
