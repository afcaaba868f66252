/* What every kernel sees: the vector vocabulary of the ISA it is compiled for, the words that are
 * made of others, and the kernels' prototypes. The meaning of each word is in isa/vocabulary.md. */
#ifndef NL_KERNEL_H
#define NL_KERNEL_H

#include "kernels.h"
#ifdef __FAST_MATH__
#error "-ffast-math: NaN, infinities and the order of operations matter here"
#endif
#include <string.h>

/* KERNEL_NAME(exp_f32): the kernel's symbol in this ISA. */
#define KERNEL_NAME(name) NL_CAT(nl_, NL_ISA, _, name)

#define KERNEL(op, dtype, class) \
    nonlin_status KERNEL_NAME(op##_##dtype) NL_PARAMS_##class(nl_##dtype);
#include "kernels.def"
#undef KERNEL

/* A word or a part of a kernel: always inlined, so that nothing compiled with an ISA's flags is
 * ever shared with code that is not. */
#define NL_INLINE static inline __attribute__((always_inline))

#define NL_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define NL_UNROLL(n) NL_PRAGMA(clang loop unroll_count(n))
#else
#define NL_UNROLL(n) NL_PRAGMA(GCC unroll n)
#endif

NL_INLINE float nl_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

NL_INLINE uint32_t nl_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* 1.5 2^20: adding it rounds to a multiple of 1/8. Its low bits hold 254, twice the exponent bias:
 * see f32_scale8. */
#define F32_ROUND8 (0x1.8p20f + 254.0f)

#include "vec.h"
#include "words.h"

#endif
