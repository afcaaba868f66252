/* The floating-point control word: kernels run under the default one (round to nearest, subnormals kept,
 * exceptions masked), whatever the caller's is, and the caller finds its own again.
 *
 * Reading it costs a few cycles and writing it many more, so it is written only if it differs. */
#ifndef NL_FPENV_H
#define NL_FPENV_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__SSE__)
#include <xmmintrin.h>
typedef uint32_t nl_control;
#define NL_CONTROL_FLAGS 0x3fu  /* sticky exception flags */
#define NL_CONTROL_PLAIN 0x1f80u
static inline nl_control nl_control_read(void) { return _mm_getcsr(); }
static inline void nl_control_write(nl_control c) { _mm_setcsr(c); }

#elif defined(__aarch64__)
typedef uint64_t nl_control;
#define NL_CONTROL_FLAGS 0u
#define NL_CONTROL_PLAIN 0u
static inline nl_control nl_control_read(void)
{
    nl_control c;
    __asm__ volatile("mrs %0, fpcr" : "=r"(c));
    return c;
}
static inline void nl_control_write(nl_control c) { __asm__ volatile("msr fpcr, %0" ::"r"(c)); }

#else /* architectures whose only mode is the rounding mode */
#include <fenv.h>
typedef int nl_control;
#define NL_CONTROL_FLAGS 0
#define NL_CONTROL_PLAIN FE_TONEAREST
static inline nl_control nl_control_read(void) { return fegetround(); }
static inline void nl_control_write(nl_control c) { fesetround(c); }
#endif

static inline nl_control nl_control_enter(void)
{
    nl_control c = nl_control_read();
    if (__builtin_expect((c & ~NL_CONTROL_FLAGS) != NL_CONTROL_PLAIN, 0))
        nl_control_write(NL_CONTROL_PLAIN);
    return c;
}

static inline void nl_control_leave(nl_control c)
{
    if (__builtin_expect((c & ~NL_CONTROL_FLAGS) != NL_CONTROL_PLAIN, 0))
        nl_control_write(c);
}

#endif
