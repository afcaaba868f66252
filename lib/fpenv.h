/* The floating-point control word: kernels run under the default one (round to nearest, subnormals
 * kept, exceptions masked), whatever the caller's is, and the caller finds its own again. */
#ifndef NL_FPENV_H
#define NL_FPENV_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__SSE2__)
#include <emmintrin.h>

typedef uint32_t nl_control;
static inline nl_control nl_control_read(void) { return _mm_getcsr(); }
static inline void nl_control_write(nl_control c) { _mm_setcsr(c); }
#define NL_CONTROL_DEFAULT 0x1f80u

/* Reading MXCSR waits for all arithmetic before it, as the word holds the exception flags too: 5 ns
 * in a row of short calls, more than the kernel. Its effects show in a few additions at a tenth of
 * that: whether subnormals count (2^-127 + 2^-126) and come out (less 2^-126), and how 1 + 2^-25
 * and 1 - 2^-26 are rounded. feenableexcept() unmasks exceptions in the x87 control word as well,
 * and that is quick to read; it comes first, as the additions are inexact. */
static inline bool nl_control_is_default(void)
{
    static const _Alignas(16) uint32_t start[4] = {0x00400000, 0x3f800000, 0x3f800000, 0};
    static const _Alignas(16) uint32_t add[4] = {0x00800000, 0x33000000, 0xb2800000, 0};
    static const _Alignas(16) uint32_t less[4] = {0x00800000, 0, 0, 0};
    uint16_t x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    if ((x87 & 0x3f) != 0x3f)
        return false;
    __m128 a = _mm_load_ps((const float *)start), r = a;
    __asm__ volatile("" : "+x"(r)); /* to be added here and now, not by the compiler */
    r = _mm_sub_ps(_mm_add_ps(r, _mm_load_ps((const float *)add)),
                   _mm_load_ps((const float *)less));
    __m128i same = _mm_cmpeq_epi32(_mm_castps_si128(r), _mm_castps_si128(a));
    return _mm_movemask_epi8(same) == 0xffff;
}

#else

/* Elsewhere the default is zero: rounding to nearest and no bit set that flushes or traps. Where
 * the register holds more than the modes, NL_CONTROL_MODES tells them; what is written back is all
 * of it. Not by fegetround() and fesetround(), which are in libm. */
#if defined(__aarch64__)

typedef uint64_t nl_control;
static inline nl_control nl_control_read(void)
{
    nl_control c;
    __asm__ volatile("mrs %0, fpcr" : "=r"(c));
    return c;
}
static inline void nl_control_write(nl_control c) { __asm__ volatile("msr fpcr, %0" ::"r"(c)); }
#define NL_CONTROL_MODES UINT64_MAX

#elif defined(__arm__) && defined(__ARM_FP)

typedef uint32_t nl_control;
static inline nl_control nl_control_read(void)
{
    nl_control c;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(c));
    return c;
}
static inline void nl_control_write(nl_control c) { __asm__ volatile("vmsr fpscr, %0" ::"r"(c)); }
#define NL_CONTROL_MODES 0x07f79f00u /* all but the flags of comparisons and exceptions */

#elif defined(__riscv_flen)

typedef unsigned long nl_control;
static inline nl_control nl_control_read(void)
{
    nl_control c;
    __asm__ volatile("frrm %0" : "=r"(c));
    return c;
}
static inline void nl_control_write(nl_control c) { __asm__ volatile("fsrm %0" ::"r"(c)); }
#define NL_CONTROL_MODES (~0ul)

#elif defined(__powerpc__) && !defined(_SOFT_FLOAT)
#include <string.h>

typedef uint64_t nl_control;
static inline nl_control nl_control_read(void)
{
    double f;
    nl_control c;
    __asm__ volatile("mffs %0" : "=d"(f));
    memcpy(&c, &f, sizeof c);
    return c;
}
static inline void nl_control_write(nl_control c)
{
    double f;
    memcpy(&f, &c, sizeof f);
    __asm__ volatile("mtfsf 255, %0" ::"d"(f));
}
#define NL_CONTROL_MODES 0xffu /* exceptions, non-IEEE mode, rounding */

#elif defined(__s390__)

typedef uint32_t nl_control;
static inline nl_control nl_control_read(void)
{
    nl_control c;
    __asm__ volatile("efpc %0" : "=d"(c));
    return c;
}
static inline void nl_control_write(nl_control c) { __asm__ volatile("sfpc %0" ::"d"(c)); }
#define NL_CONTROL_MODES 0xfc000007u /* exceptions, binary rounding */

#elif defined(__loongarch_frlen)

typedef uint32_t nl_control;
static inline nl_control nl_control_read(void)
{
    nl_control c;
    __asm__ volatile("movfcsr2gr %0, $fcsr0" : "=r"(c));
    return c;
}
static inline void nl_control_write(nl_control c)
{
    __asm__ volatile("movgr2fcsr $fcsr0, %0" ::"r"(c));
}
#define NL_CONTROL_MODES 0x31fu /* rounding, exceptions */

#else /* the linker will tell if this needs libm */
#include <fenv.h>

typedef unsigned nl_control;
static inline nl_control nl_control_read(void) { return (unsigned)(fegetround() - FE_TONEAREST); }
static inline void nl_control_write(nl_control c) { fesetround((int)c + FE_TONEAREST); }
#define NL_CONTROL_MODES (~0u)
#endif

#define NL_CONTROL_DEFAULT 0
static inline bool nl_control_is_default(void) { return !(nl_control_read() & NL_CONTROL_MODES); }

#endif

/* NL_UNDER_DEFAULT(calls): the calls, made under the default control word. */
#define NL_UNDER_DEFAULT(...)                               \
    do {                                                    \
        if (__builtin_expect(nl_control_is_default(), 1)) { \
            __VA_ARGS__;                                    \
        } else {                                            \
            const nl_control control = nl_control_read();   \
            nl_control_write(NL_CONTROL_DEFAULT);           \
            __VA_ARGS__;                                    \
            nl_control_write(control);                      \
        }                                                   \
    } while (0)

#endif
