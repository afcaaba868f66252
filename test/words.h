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

typedef struct {
    size_t lanes;
    int fused;
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
