/* The bits of every kernel, as hashes: of all instruction sets with a fused multiply-add, and of all
 * without. test-bits --print shows them as they are now, to be committed here when a kernel's bits
 * are meant to change. */
#ifndef NL_TEST_HASHES_H
#define NL_TEST_HASHES_H

#include <stddef.h>
#include <stdint.h>

enum { FUSED, UNFUSED, CLASSES };

#define HASH(kernel, fused, unfused) static const uint64_t hash_##kernel[CLASSES] = {fused, unfused};
/* clang-format off */
HASH(exp_f32,         0x680f93fa8c6d2bc5, 0xd68224b2d670190b)
HASH(log_f32,         0xba74b6e767f70ac5, 0x9e0c01e6d893cc44)
HASH(silu_pwl_f16,    0xf2dcb9577e15b9d6, 0xf2dcb9577e15b9d6)
HASH(softmax_f32,     0x437404e20dd03b24, 0xc416e2190f3ff56f)
HASH(log_softmax_f32, 0xe9374fb59ed4bf2b, 0xa1fd458b1a543d41)
HASH(argmax_f32,      0x4970eefe8a9c0d89, 0x4970eefe8a9c0d89)
HASH(argmax_i8,       0x0e839db9a51d09fa, 0x0e839db9a51d09fa)

/* of all 2^32 inputs: test-bits --exhaustive */
#define HASH_ALL(kernel, fused, unfused) HASH(all_##kernel, fused, unfused)
HASH_ALL(exp_f32,     0x87bb14bc6139bbe6, 0x5ff5d844f601fe65)
HASH_ALL(log_f32,     0x6513cf7d280f160e, 0x1cce57e0500f5cbf)
/* clang-format on */
#undef HASH
#undef HASH_ALL

/* FNV-1a, of words in place of bytes: the same in either byte order. All quiet NaNs count as one. */
#define HASH_BASIS UINT64_C(0xcbf29ce484222325)
static inline uint64_t hash_word(uint64_t h, uint32_t word)
{
    return (h ^ word) * UINT64_C(0x100000001b3);
}

/* The inputs of an elementwise kernel, as bits: 2^20 floats of all signs and exponents alike, all
 * there are of smaller types. */
static inline uint32_t hash_inputs(size_t size) { return size == 4 ? 1u << 20 : 1u << 16; }
static inline uint32_t hash_input(uint32_t i) { return i * 4099u; }

#endif
