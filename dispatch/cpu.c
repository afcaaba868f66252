/* The ISAs that are usable here, and what the others lack. Each architecture has detect(), which
 * finds the features that isa.def knows as F, in one go, and absent(), how the first one that is
 * missing is reported. */
#include "nl_config.h"
#include "cpu.h"

#ifdef __x86_64__
#include <cpu_features/cpuinfo_x86.h>
#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

typedef X86Features cpu_features;

/* Which registers the operating system saves. */
__attribute__((target("xsave"))) static unsigned xcr0(void) { return (unsigned)_xgetbv(0); }

/* The bit fields of cpu_features are one bit wide and signed: a feature that is there reads -1.
 *
 * cpu_features (0.7 to 0.11) reads nothing from a vendor that it does not know (all but Intel, AMD,
 * Hygon and Zhaoxin), and neither does the compiler's run-time library: then ask the CPU itself. */
static cpu_features detect(void)
{
    static const cpu_features none;
    cpu_features f = GetX86Info().features;
    if (memcmp(&f, &none, sizeof f))
        return f;
    unsigned a, b, b7 = 0, c, c1 = 0, d;
    if (__get_cpuid(1, &a, &b, &c, &d))
        c1 = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        b7 = b;
    const unsigned state = c1 & bit_OSXSAVE ? xcr0() : 0;
    const unsigned ymm = (state & 0x06) == 0x06, zmm = (state & 0xe6) == 0xe6;
#define SET(feature, has) f.feature = (has) ? -1 : 0
    SET(sse3, c1 & bit_SSE3);
    SET(ssse3, c1 & bit_SSSE3);
    SET(sse4_1, c1 & bit_SSE4_1);
    SET(avx, ymm && (c1 & bit_AVX));
    SET(fma3, ymm && (c1 & bit_FMA));
    SET(f16c, ymm && (c1 & bit_F16C));
    SET(avx2, ymm && (b7 & bit_AVX2));
    SET(bmi1, b7 & bit_BMI);
    SET(bmi2, b7 & bit_BMI2);
    SET(avx512f, zmm && (b7 & bit_AVX512F));
    SET(avx512bw, zmm && (b7 & bit_AVX512BW));
    SET(avx512dq, zmm && (b7 & bit_AVX512DQ));
    SET(avx512vl, zmm && (b7 & bit_AVX512VL));
#undef SET
    return f;
}

/* cpu_features knows it from 0.9 on. That zmm registers are saved is asked before, by avx512f. */
static bool ask_avx512_fp16(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && d >> 23 & 1;
}

/* Registers that the CPU has but the operating system does not save (XCR0) look to cpu_features
 * like registers that are not there. Tell the two apart. */
__attribute__((unused)) static const char *absent(const char *feature)
{
    unsigned a, b, c, d;
    if (!strcmp(feature, "avx") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_AVX))
        return "avx (disabled by the operating system)";
    if (!strcmp(feature, "avx512f") && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX512F))
        return "avx512f (disabled by the operating system)";
    return feature;
}

#elif defined(__aarch64__) && defined(__linux__)
#include <stdbool.h>
#include <sys/auxv.h>

typedef struct {
    bool asimd, crc32, atomics, asimdrdm, fphp, asimdhp, sve;
} cpu_features;

/* The kernel says what there is and what it saves. Not by way of cpu_features: on a CPU that has
 * nothing in AT_HWCAP2 (Cortex-A72, Neoverse N1), 0.7 writes a line to the process's output. */
static cpu_features detect(void)
{
    const unsigned long hwcap = getauxval(AT_HWCAP);
    return (cpu_features){
        .asimd = hwcap & HWCAP_ASIMD,
        .crc32 = hwcap & HWCAP_CRC32,
        .atomics = hwcap & HWCAP_ATOMICS,
        .asimdrdm = hwcap & HWCAP_ASIMDRDM,
        .fphp = hwcap & HWCAP_FPHP,
        .asimdhp = hwcap & HWCAP_ASIMDHP,
        .sve = hwcap & HWCAP_SVE,
    };
}

__attribute__((unused)) static const char *absent(const char *feature) { return feature; }

#elif defined(__riscv) && defined(__linux__)
#include <errno.h>
#include <stdbool.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
    bool v, zvfh;
} cpu_features;

/* Not cpu_features: no version up to 0.11 is right about V (0.9 to 0.11 find it where there is
 * none), and none knows Zvfh. HWCAP is without V where a process may not use it; the system call
 * knows the versions. A kernel that lacks the call (Linux before 6.4) has no V 1.0 for programs
 * either, unless it is a vendor's, of which some show the draft 0.7 as V. */
static cpu_features detect(void)
{
    struct {
        int64_t key;
        uint64_t value;
    } extensions = {4, 0}; /* RISCV_HWPROBE_KEY_IMA_EXT_0 */
    const int caller = errno;
    const bool known = !syscall(258 /* riscv_hwprobe */, &extensions, 1, 0, NULL, 0);
    errno = caller;
    const bool v = known && getauxval(AT_HWCAP) >> ('V' - 'A') & 1;
    return (cpu_features){v && extensions.value >> 2 & 1, v && extensions.value >> 30 & 1};
}

__attribute__((unused)) static const char *absent(const char *feature) { return feature; }

#else /* an architecture with the portable ISA alone */

typedef int cpu_features;
static cpu_features detect(void) { return 0; }

#endif

#define F(feature)     \
    if (!cpu->feature) \
        return absent(#feature);
#define ASK(feature)      \
    if (!ask_##feature()) \
        return absent(#feature);
#define ISA(name, arch, features)                                             \
    NL_IF_##name(static const char *missing_##name(const cpu_features *cpu) { \
        (void)cpu;                                                            \
        features return NULL;                                                 \
    })
#include "isa.def"
#undef ISA

void nl_cpu_missing(const char *missing[NL_ISAS])
{
    const cpu_features cpu = detect();
#define ISA(name, arch, features) NL_IF_##name(missing[NL_ISA_##name] = missing_##name(&cpu);)
#include "isa.def"
#undef ISA
}
