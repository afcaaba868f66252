/* Loads the library (its path is the argument) as a host loads a plugin, unloads it, and loads it
 * again. Not linked with it. For test/dispatch.c. */
#include "nonlin.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define FAIL(text) return fprintf(stderr, "%s\n", text), 1

/* A function of the library, through a union as ISO C has no cast from data to code. */
#define FUNCTION(name)                           \
    union {                                      \
        void *data;                              \
        __typeof__(&name) call;                  \
    } name##_ = {.data = dlsym(library, #name)}; \
    if (!name##_.data)                           \
    FAIL(#name " is not there")

int main(int argc, char **argv)
{
    enum { N = 100 };
    float x[N], y[2][N];
    char isa[2][32];
    if (argc != 2)
        FAIL("usage: load libnonlin.so");
    for (int i = 0; i < N; i++)
        x[i] = (float)i * 0.3f - 20.0f;

    for (int round = 0; round < 2; round++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library)
            FAIL(dlerror());
        FUNCTION(nonlin_softmax_f32);
        FUNCTION(nonlin_active_isa);
        if (nonlin_softmax_f32_.call(y[round], x, N) != NONLIN_OK)
            FAIL("softmax is refused");
        snprintf(isa[round], sizeof isa[round], "%s", nonlin_active_isa_.call());
        if (dlclose(library))
            FAIL("dlclose fails");
        if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD))
            FAIL("the library is still there after dlclose");
    }
    if (memcmp(y[0], y[1], sizeof y[0]) || strcmp(isa[0], isa[1]))
        FAIL("the second time is not like the first");
    puts(isa[0]);
    return 0;
}
