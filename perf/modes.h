/* What nonlin-perf does, a file each. */
#ifndef MODES_H
#define MODES_H

#include "options.h"

/* Kernels x sizes x ISAs, against the portable ISA and the machine's limit. */
void profile(options *o);
/* The user's data: time and error. cols 0: one row. */
void examine(const options *o, const char *path, size_t cols);
/* What checking arguments and choosing the kernel costs a call. */
void overhead(options *o);

#endif
