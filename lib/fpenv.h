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

#elif defined(__aarch64__)

typedef uint64_t nl_control;
static inline nl_control nl_control_read(void)
{
    nl_control c;
    __asm__ volatile("mrs %0, fpcr" : "=r"(c));
    return c;
}
static inline void nl_control_write(nl_control c) { __asm__ volatile("msr fpcr, %0" ::"r"(c)); }
#define NL_CONTROL_DEFAULT 0u
static inline bool nl_control_is_default(void) { return nl_control_read() == NL_CONTROL_DEFAULT; }

#else /* architectures whose only mode is the rounding mode */
#include <fenv.h>

typedef int nl_control;
static inline nl_control nl_control_read(void) { return fegetround(); }
static inline void nl_control_write(nl_control c) { fesetround(c); }
#define NL_CONTROL_DEFAULT FE_TONEAREST
static inline bool nl_control_is_default(void) { return nl_control_read() == NL_CONTROL_DEFAULT; }
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
