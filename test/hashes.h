/* The bits of every kernel, as hashes: of all instruction sets with a fused multiply-add, and of
 * all without. test-bits --print shows them as they are now, to be committed here when a kernel's
 * bits are meant to change. */
#ifndef NL_TEST_HASHES_H
#define NL_TEST_HASHES_H

#include <stddef.h>
#include <stdint.h>

enum { FUSED, UNFUSED, CLASSES };

#define HASH(kernel, fused, unfused) \
    static const uint64_t hash_##kernel[CLASSES] = {fused, unfused};
/* clang-format off */
HASH(exp_f32,         0x680f93fa8c6d2bc5, 0xd68224b2d670190b)
HASH(exp_f16,         0xed7bfbd55a2a7b9e, 0xed7bfbd55a2a7b9e)
HASH(exp_bf16,        0xab017189d74e7a01, 0xab017189d74e7a01)
HASH(log_f32,         0xba74b6e767f70ac5, 0x9e0c01e6d893cc44)
HASH(log_f16,         0x65c45adadf03bb23, 0x65c45adadf03bb23)
HASH(log_bf16,        0x9c78b63dbd09bd45, 0x9c78b63dbd09bd45)
HASH(sigmoid_f32,     0x0944627539b4e286, 0xa6e7476f3d82b9b4)
HASH(sigmoid_f16,     0x2f48ec9efe5d6456, 0x2f48ec9efe5d6456)
HASH(sigmoid_bf16,    0xb3e81e6e3f71a4e2, 0xb3e81e6e3f71a4e2)
HASH(tanh_f32,        0x22b46c5bc8e2761d, 0xfdea7ff5530da92d)
HASH(tanh_f16,        0xa92e2394b686e2fd, 0xa92e2394b686e2fd)
HASH(tanh_bf16,       0xae467938618c1945, 0xae467938618c1945)
HASH(gelu_f32,        0xeea96a03f0792a9c, 0x200b760ba9e100ec)
HASH(gelu_f16,        0x41d4a4859749aa19, 0x41d4a4859749aa19)
HASH(gelu_bf16,       0x9f2996d6d85ee7e4, 0x9f2996d6d85ee7e4)
HASH(gelu_tanh_f32,   0x6e062e7c07b0ae39, 0xdb5d0723b1cca057)
HASH(gelu_tanh_f16,   0x302bae2771d99fe6, 0x302bae2771d99fe6)
HASH(gelu_tanh_bf16,  0x20f63c46f71d94d2, 0x20f63c46f71d94d2)
HASH(silu_f32,        0xe670caec00a0a765, 0xeacf3619d72ef51f)
HASH(silu_f16,        0x1215369319491fb0, 0x1215369319491fb0)
HASH(silu_bf16,       0x56186463885f37a4, 0x56186463885f37a4)
HASH(mulsilu_f32,     0x19e700937f0a1840, 0x30bfda087302b85e)
HASH(mulsilu_f16,     0x5b6fb0358c54f340, 0x5b6fb0358c54f340)
HASH(mulsilu_bf16,    0x396f721625e73e51, 0x396f721625e73e51)
HASH(silu_pwl_f16,    0xf2dcb9577e15b9d6, 0xf2dcb9577e15b9d6)
HASH(softmax_f32,     0x437404e20dd03b24, 0xc416e2190f3ff56f)
HASH(log_softmax_f32, 0xe9374fb59ed4bf2b, 0xa1fd458b1a543d41)
HASH(argmax_f32,      0x4970eefe8a9c0d89, 0x4970eefe8a9c0d89)
HASH(argmax_i8,       0x0e839db9a51d09fa, 0x0e839db9a51d09fa)

/* of all 2^32 inputs: test-bits --exhaustive */
#define HASH_ALL(kernel, fused, unfused) HASH(all_##kernel, fused, unfused)
HASH_ALL(exp_f32,       0x87bb14bc6139bbe6, 0x5ff5d844f601fe65)
HASH_ALL(log_f32,       0x6513cf7d280f160e, 0x1cce57e0500f5cbf)
HASH_ALL(sigmoid_f32,   0xed20434c6d8c956b, 0x3e8ffc53bc70a45b)
HASH_ALL(tanh_f32,      0x833b44adda30af06, 0xd5f2d299edd1f103)
HASH_ALL(gelu_f32,      0xbdbeca57e55ead56, 0x3f175bc566070d89)
HASH_ALL(gelu_tanh_f32, 0x40c388a82fb14b24, 0x45ba0945cb991976)
HASH_ALL(silu_f32,      0x8ed7cf0fdbd464d7, 0xc54c5e94d2c3a141)
/* clang-format on */
#undef HASH
#undef HASH_ALL

/* FNV-1a, of words in place of bytes: the same in either byte order. All quiet NaNs are one. */
#define HASH_BASIS UINT64_C(0xcbf29ce484222325)
static inline uint64_t hash_word(uint64_t h, uint32_t word)
{
    return (h ^ word) * UINT64_C(0x100000001b3);
}

/* The inputs of an elementwise kernel, as bits: 2^20 floats of all signs and exponents alike, all
 * there are of smaller types. */
static inline uint32_t hash_inputs(size_t size) { return size == 4 ? 1u << 20 : 1u << 16; }
static inline uint32_t hash_input(uint32_t i) { return i * 4099u; }

/* Of one of two sources: so many pairs, whatever the type. This is u, hash_input(i) is g. */
enum { HASH_PAIRS = 1 << 20 };
static inline uint32_t hash_first(uint32_t i)
{
    const uint32_t product = i * 0x9e3779b1u;
    return product << 16 | product >> 16; /* 16-bit types get all 20 bits of i */
}

#endif
