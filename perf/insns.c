/* The program that perf/insns runs in an emulator: calls of every kernel, of each ISA that runs
 * there, between marks that are seen in the trace. For each it writes a line, ISA, kernel and
 * number of elements, and then makes one call and three calls, a mark before, between and after. */
#include "kernels.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 512 };
static _Alignas(4096) unsigned char in[4 * MOST], out[4 * MOST];

__attribute__((noinline)) static void insns_mark(void) { __asm__ volatile(""); }

/* Nothing special: no infinity, and nothing that log would not take. From .25 to 8. */
static void fill_f32(void)
{
    for (int i = 0; i < MOST; i++)
        ((float *)in)[i] = 0.25f + (float)(i * 37 % MOST) / 64;
}
static void fill_f16(void)
{
    for (int i = 0; i < MOST; i++)
        ((uint16_t *)in)[i] = (uint16_t)(0x3400 + i * 37 % MOST * 10);
}
static void __attribute__((unused)) fill_bf16(void)
{
    for (int i = 0; i < MOST; i++)
        ((uint16_t *)in)[i] = (uint16_t)(0x3e80 + i * 37 % MOST);
}
static void fill_i8(void)
{
    for (int i = 0; i < MOST; i++)
        ((int8_t *)in)[i] = (int8_t)(i * 37 % 251 - 126);
}

#define ARGS_MAP (void *)out, (const void *)in, n
#define ARGS_MAP2 (void *)out, (const void *)in, (const void *)in, n
#define ARGS_ROW ARGS_MAP
#define ARGS_ARGMAX ARGS_MAP

#define KERNEL(op, dtype, class)                                     \
    static void run_##op##_##dtype(nonlin_fn f, size_t n, int calls) \
    {                                                                \
        nonlin_status(*kernel) NL_PARAMS_##class(nl_##dtype) =       \
            (nonlin_status(*) NL_PARAMS_##class(nl_##dtype))f;       \
        while (calls--)                                              \
            kernel(ARGS_##class);                                    \
    }
#include "kernels.def"
#undef KERNEL

static const struct {
    const char *name;
    nonlin_fn entry;
    void (*fill)(void);
    void (*run)(nonlin_fn f, size_t n, int calls);
} kernels[] = {
#define KERNEL(op, dtype, class) \
    {#op "_" #dtype, (nonlin_fn)nonlin_##op##_##dtype, fill_##dtype, run_##op##_##dtype},
#include "kernels.def"
#undef KERNEL
};

/* Usage: insns [bare], which calls the kernels themselves, not the public functions */
int main(int argc, char **argv)
{
    static const size_t sizes[] = {MOST, 4, 17, 33};
    const bool bare = argc > 1 && !strcmp(argv[1], "bare");
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
        const char *name = nonlin_isa_name(isa);
        if (nonlin_use_isa(name) != NONLIN_OK)
            continue;
        for (size_t k = 0; k < NL_KERNELS; k++)
            for (size_t s = 0; s < (strcmp(kernels[k].name, "softmax_f32") ? 1 : 4); s++) {
                nonlin_fn f = bare ? nonlin_isa_kernel(name, kernels[k].name) : kernels[k].entry;
                kernels[k].fill();
                fprintf(stderr, "%s %s %zu\n", name, kernels[k].name, sizes[s]);
                insns_mark();
                kernels[k].run(f, sizes[s], 1);
                insns_mark();
                kernels[k].run(f, sizes[s], 3);
                insns_mark();
            }
    }
    return 0;
}
