/* cpu_features -> the ISAs that are usable here, and what the others lack. */
#include "nl_config.h"
#include "cpu.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpu_features/cpuinfo_x86.h>
#include <cpuid.h>
#include <string.h>

typedef X86Features cpu_features;

/* The bit fields of cpu_features are one bit wide and signed: a feature that is there reads -1.
 *
 * cpu_features (0.7 to 0.11) reads nothing from a vendor that it does not know (all but Intel, AMD, Hygon
 * and Zhaoxin). The compiler's run-time library reads the same bits, XCR0 included, from any. */
static cpu_features detect(void)
{
    static const cpu_features none;
    cpu_features f = GetX86Info().features;
    if (memcmp(&f, &none, sizeof f))
        return f;
    __builtin_cpu_init();
#define ASK(field, name) f.field = __builtin_cpu_supports(name) ? -1 : 0
    ASK(avx, "avx");
    ASK(avx2, "avx2");
    ASK(fma3, "fma");
    ASK(bmi1, "bmi");
    ASK(bmi2, "bmi2");
    ASK(avx512f, "avx512f");
    ASK(avx512bw, "avx512bw");
    ASK(avx512dq, "avx512dq");
    ASK(avx512vl, "avx512vl");
#undef ASK
    unsigned a, b, c, d; /* f16c has no name in gcc 12 */
    f.f16c = f.avx && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) ? -1 : 0;
    return f;
}

/* Registers that the CPU has but the operating system does not save (XCR0) look to cpu_features like
 * registers that are not there. Tell the two apart. */
static const char *absent(const char *feature)
{
    unsigned a, b, c, d;
    if (!strcmp(feature, "avx") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_AVX))
        return "avx (disabled by the operating system)";
    if (!strcmp(feature, "avx512f") && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX512F))
        return "avx512f (disabled by the operating system)";
    return feature;
}

#else /* an architecture with the portable ISA alone */

typedef int cpu_features;
static cpu_features detect(void) { return 0; }

#endif

#define F(feature)                                                                                 \
    if (!cpu->feature)                                                                             \
        return absent(#feature);
#define ISA(name, arch, features)                                                                  \
    NL_IF_##name(static const char *missing_##name(const cpu_features *cpu) {                      \
        (void)cpu;                                                                                 \
        features return NULL;                                                                      \
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
