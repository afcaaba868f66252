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

/* For an ISA without masked memory: the first n <= 8 bytes at p as a little-endian number, by loads
 * that overlap rather than byte by byte. */
NL_INLINE uint64_t nl_load_bytes(const void *p, size_t n)
{
    const unsigned char *b = p;
    uint32_t first = 0, last = 0;
    uint16_t pair = 0;
    if (n == 8) {
        uint64_t all;
        memcpy(&all, b, sizeof all);
        return all;
    }
    if (n >= 4) {
        memcpy(&first, b, sizeof first);
        memcpy(&last, b + n - 4, sizeof last);
        return first | (uint64_t)last << (8 * (n - 4));
    }
    if (n >= 2)
        memcpy(&pair, b, sizeof pair);
    return n ? pair | (uint32_t)b[n - 1] << (8 * (n - 1)) : 0;
}

/* The other way round: the low n <= 8 bytes of v go to p. */
NL_INLINE void nl_store_bytes(void *p, uint64_t v, size_t n)
{
    unsigned char *b = p;
    if (n == 8) {
        memcpy(b, &v, 8);
    } else if (n >= 4) {
        const uint32_t first = (uint32_t)v, last = (uint32_t)(v >> (8 * (n - 4)));
        memcpy(b, &first, sizeof first);
        memcpy(b + n - 4, &last, sizeof last);
    } else if (n) {
        const uint16_t pair = (uint16_t)v;
        if (n >= 2)
            memcpy(b, &pair, sizeof pair);
        b[n - 1] = (unsigned char)(v >> (8 * (n - 1)));
    }
}

/* 1.5 2^20: adding it rounds to a multiple of 1/8. Its low bits hold 254, twice the exponent bias:
 * see f32_scale8. */
#define F32_ROUND8 (0x1.8p20f + 254.0f)

#include "vec.h"
#include "words.h"

#endif
