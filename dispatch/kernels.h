/* What the lines of kernels.def mean in C: the element types, and the signature of each class. */
#ifndef NL_KERNELS_H
#define NL_KERNELS_H

#include "nonlin.h"

typedef float nl_f32;
typedef nonlin_f16 nl_f16;
typedef nonlin_bf16 nl_bf16;
typedef int8_t nl_i8;

#define NL_CAT_(a, b, c, d) a##b##c##d
#define NL_CAT(a, b, c, d) NL_CAT_(a, b, c, d)

/* A kernel has the signature of the public function of its name and always returns NONLIN_OK. */
#define NL_PARAMS_MAP(T) (T * y, const T *x, size_t n)
#define NL_PARAMS_MAP2(T) (T * y, const T *u, const T *g, size_t n)
#define NL_PARAMS_ROW(T) (T * y, const T *x, size_t n)
#define NL_PARAMS_ARGMAX(T) (int32_t * index, const T *x, size_t n)

enum {
#define KERNEL(op, dtype, class) NL_KERNEL_##op##_##dtype,
#include "kernels.def"
#undef KERNEL
    NL_KERNELS
};

/* What an ISA folder hands out, as nl_isa_<name>. A kernel that it does not have is NULL. */
typedef union {
    struct {
#define KERNEL(op, dtype, class) nonlin_status(*op##_##dtype) NL_PARAMS_##class(nl_##dtype);
#include "kernels.def"
#undef KERNEL
    };
    nonlin_fn fn[NL_KERNELS];
} nl_isa;

#endif
