/* What may run on this machine. */
#ifndef NL_CPU_H
#define NL_CPU_H

#include <stddef.h>

/* The ISAs that were compiled in, weakest first. */
enum {
#define ISA(name, arch, features) NL_IF_##name(NL_ISA_##name, )
#include "isa.def"
#undef ISA
    NL_ISAS
};

/* For each ISA NULL, or the first feature that this machine lacks. Pure, and slow (CPUID traps in
 * virtual machines: about 60 us), so call it once. */
void nl_cpu_missing(const char *missing[NL_ISAS]);

#endif
