/* The vocabulary of one ISA as functions on memory, for words.c to call: vectors stay inside
 * words_isa.c. */
#ifndef NL_TEST_WORDS_H
#define NL_TEST_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Room for a vector of any ISA, and for the 32 virtual lanes of a sum. */
enum { VECTOR_MAX = 256 };
typedef union {
    float f[VECTOR_MAX / 4];
    uint32_t i[VECTOR_MAX / 4];
    uint16_t h[VECTOR_MAX / 2];
    int8_t b[VECTOR_MAX];
} lanes;

enum {
#define WORD(kind, word, ...) WORD_##word,
#include "words.def"
#undef WORD
    WORDS
};

/* One vector of results from one vector of each operand. Masks are lanes whose highest bit counts.
 */
typedef void word_fn(lanes *out, const lanes *a, const lanes *b, const lanes *c);

/* FEATURE_x for each feature x that isa.def asks of this architecture's CPUs, FEATURE_other for
 * those that it never asks of any; and the ones that the compiler may use in the file that includes
 * this. */
#if defined(__x86_64__) || defined(__i386__)

enum {
    FEATURE_avx = 1 << 0,
    FEATURE_avx2 = 1 << 1,
    FEATURE_fma3 = 1 << 2,
    FEATURE_f16c = 1 << 3,
    FEATURE_bmi1 = 1 << 4,
    FEATURE_bmi2 = 1 << 5,
    FEATURE_avx512f = 1 << 6,
    FEATURE_avx512bw = 1 << 7,
    FEATURE_avx512dq = 1 << 8,
    FEATURE_avx512vl = 1 << 9,
    FEATURE_avx512_fp16 = 1 << 10,
    FEATURE_sse3 = 1 << 11,
    FEATURE_ssse3 = 1 << 12,
    FEATURE_sse4_1 = 1 << 13,
    FEATURE_other = 1 << 14
};

static inline unsigned compiled_features(void)
{
    unsigned features = 0;
#ifndef __AVX__ /* which brings them along */
#ifdef __SSE3__
    features |= FEATURE_sse3;
#endif
#ifdef __SSSE3__
    features |= FEATURE_ssse3;
#endif
#ifdef __SSE4_1__
    features |= FEATURE_sse4_1;
#endif
#if defined(__SSE4_2__) || defined(__POPCNT__)
    features |= FEATURE_other;
#endif
#endif
#ifdef __AVX__
    features |= FEATURE_avx;
#endif
#ifdef __AVX2__
    features |= FEATURE_avx2;
#endif
#ifdef __FMA__
    features |= FEATURE_fma3;
#endif
#ifdef __F16C__
    features |= FEATURE_f16c;
#endif
#ifdef __BMI__
    features |= FEATURE_bmi1;
#endif
#ifdef __BMI2__
    features |= FEATURE_bmi2;
#endif
#ifdef __AVX512F__
    features |= FEATURE_avx512f;
#endif
#ifdef __AVX512BW__
    features |= FEATURE_avx512bw;
#endif
#ifdef __AVX512DQ__
    features |= FEATURE_avx512dq;
#endif
#ifdef __AVX512VL__
    features |= FEATURE_avx512vl;
#endif
#ifdef __AVX512FP16__
    features |= FEATURE_avx512_fp16;
#endif
#if defined(__AVX512CD__) || defined(__AVX512VNNI__) || defined(__AVXVNNI__) || \
    defined(__LZCNT__) || defined(__MOVBE__) || defined(__AES__) || defined(__GFNI__)
    features |= FEATURE_other;
#endif
    return features;
}

#elif defined(__aarch64__)

enum {
    FEATURE_asimd = 1 << 0,
    FEATURE_crc32 = 1 << 1,
    FEATURE_atomics = 1 << 2,
    FEATURE_asimdrdm = 1 << 3,
    FEATURE_fphp = 1 << 4,
    FEATURE_asimdhp = 1 << 5,
    FEATURE_sve = 1 << 6,
    FEATURE_other = 1 << 7
};

static inline unsigned compiled_features(void)
{
    unsigned features = 0;
#ifdef __ARM_NEON
    features |= FEATURE_asimd;
#endif
#ifdef __ARM_FEATURE_CRC32
    features |= FEATURE_crc32;
#endif
#ifdef __ARM_FEATURE_ATOMICS
    features |= FEATURE_atomics;
#endif
#ifdef __ARM_FEATURE_QRDMX
    features |= FEATURE_asimdrdm;
#endif
#ifdef __ARM_FEATURE_FP16_SCALAR_ARITHMETIC
    features |= FEATURE_fphp;
#endif
#ifdef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
    features |= FEATURE_asimdhp;
#endif
#ifdef __ARM_FEATURE_SVE
    features |= FEATURE_sve;
#endif
#if defined(__ARM_FEATURE_SVE2) || defined(__ARM_FEATURE_BF16) ||           \
    defined(__ARM_FEATURE_FP16_FML) || defined(__ARM_FEATURE_DOTPROD) ||    \
    defined(__ARM_FEATURE_MATMUL_INT8) || defined(__ARM_FEATURE_COMPLEX) || \
    defined(__ARM_FEATURE_JCVT) || defined(__ARM_FEATURE_FRINT) || defined(__ARM_FEATURE_AES)
    features |= FEATURE_other;
#endif
    return features;
}

#elif defined(__riscv)

enum { FEATURE_v = 1 << 0, FEATURE_zvfh = 1 << 1, FEATURE_other = 1 << 2 };

static inline unsigned compiled_features(void)
{
    unsigned features = 0;
#ifdef __riscv_v
    features |= FEATURE_v;
#endif
#ifdef __riscv_zvfh
    features |= FEATURE_zvfh;
#endif
#if defined(__riscv_zba) || defined(__riscv_zbb) || defined(__riscv_zbs) ||    \
    defined(__riscv_zfa) || defined(__riscv_zfh) || defined(__riscv_zicond) || \
    defined(__riscv_zvbb) || defined(__riscv_zvkb)
    features |= FEATURE_other;
#endif
    return features;
}

#else /* nothing is asked, and so nothing is known */

static inline unsigned compiled_features(void) { return 0; }

#endif

/* Loads and stores of one kind. fill: the bits of an element. */
typedef struct {
    void (*load)(lanes *out, const void *p);
    void (*load_n)(lanes *out, const void *p, size_t n, uint32_t fill);
    /* or NULL */
    void (*store)(void *p, const lanes *v);
    void (*store_n)(void *p, const lanes *v, size_t n);
    void (*stream)(void *p, const lanes *v);
} memory;

/* The last three: 16-bit elements in 32-bit lanes, from MEMORY_f16 on converted. */
enum {
    MEMORY_f32,
    MEMORY_i32,
    MEMORY_u16,
    MEMORY_i8,
    MEMORY_i32_u16,
    MEMORY_f16,
    MEMORY_bf16,
    MEMORIES
};

typedef struct {
    size_t (*lanes)(void), (*lanes16)(void), (*lanes8)(void);
    int fused;
    unsigned (*features)(void);
    word_fn *word[WORDS];
    const memory *memory; /* of each kind */
    /* the others */
    size_t (*m32_first)(const lanes *m);
    int (*m32_any)(const lanes *m);
    void (*m32_first_n)(lanes *out, size_t n);
    size_t (*m8_first)(const lanes *m);
    int (*m8_any)(const lanes *m);
    float (*f32_first)(const lanes *a);
    uint32_t (*i32_first)(const lanes *a);
    int8_t (*i8_first)(const lanes *a);
    double (*f32_fold32)(const lanes *a), (*f32_fold8)(const lanes *a),
        (*f32_fold64)(const lanes *a);
    void (*f32_mul2_row)(float *y, const float *x, size_t n, float hi, float lo);
} words;

#endif
