/* The vocabulary of one ISA as functions on memory, for words.c to call: vectors stay inside
 * words_isa.c. */
#ifndef NL_TEST_WORDS_H
#define NL_TEST_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Room for a vector of any ISA, and for the 32 virtual lanes of a sum. */
enum { LANES_MAX = 64 };
typedef union {
    float f[LANES_MAX];
    uint32_t i[LANES_MAX];
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

/* The features that isa.def asks of an x86 CPU, and whatever else; those that the compiler may use
 * in the file that includes this. */
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
    FEATURE_other = 1 << 10
};

static inline unsigned compiled_features(void)
{
    unsigned features = 0;
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
#if defined(__AVX512CD__) || defined(__AVX512VNNI__) || defined(__AVX512FP16__) ||          \
    defined(__AVXVNNI__) || defined(__LZCNT__) || defined(__MOVBE__) || defined(__AES__) || \
    defined(__GFNI__)
    features |= FEATURE_other;
#endif
    return features;
}

typedef struct {
    size_t lanes;
    int fused;
    unsigned (*features)(void);
    word_fn *word[WORDS];
    /* the others */
    size_t (*m32_first)(const lanes *m);
    int (*m32_any)(const lanes *m);
    void (*m32_first_n)(lanes *out, size_t n);
    float (*f32_first)(const lanes *a);
    uint32_t (*i32_first)(const lanes *a);
    double (*f32_fold32)(const lanes *a);
    void (*f32_load)(lanes *out, const float *p);
    void (*f32_load_n)(lanes *out, const float *p, size_t n, float fill);
    void (*f32_store)(float *p, const lanes *v);
    void (*f32_store_n)(float *p, const lanes *v, size_t n);
    void (*f32_stream)(float *p, const lanes *v);
    void (*i32_load)(lanes *out, const void *p);
    void (*i32_load_n)(lanes *out, const void *p, size_t n, uint32_t fill);
} words;

#endif
