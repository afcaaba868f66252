/* The vector vocabulary in WebAssembly's relaxed SIMD: that of simd128, with relaxed instructions
 * where they cannot be told from the strict ones: selections by whole lanes, table indices below 16
 * or above 127, and minima and maxima where NaN and the sign of zero are unspecified anyway. No
 * relaxed_madd: whether it fuses is the engine's affair, and so would the bits be. */
#include <wasm_simd128.h>

#define select_(m, a, b) wasm_i8x16_relaxed_laneselect(a, b, m)
#define swizzle_ wasm_i8x16_relaxed_swizzle
#define min_ wasm_f32x4_relaxed_min
#define max_ wasm_f32x4_relaxed_max
#include "../simd128/vec.h"
