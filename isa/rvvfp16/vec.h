/* The vector vocabulary in RISC-V V with Zvfh: 16-bit arithmetic. */
#include "../rvv/vec.h"
