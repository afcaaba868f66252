/* The vocabulary of the ISA that this file is compiled for, as functions on memory. */
#include "kernel.h"
#include "words.h"

static vf32 load_f(const lanes *a) { return f32_load(a->f); }
static vi32 load_i(const lanes *a) { return i32_load(a->i); }
static vm32 load_m(const lanes *a) { return u32_le(i32_set(0x80000000u), load_i(a)); }
static void store_f(lanes *out, vf32 v) { f32_store(out->f, v); }
static void store_i(lanes *out, vi32 v) { store_f(out, i32_as_f32(v)); }
static void store_m(lanes *out, vm32 m) { store_i(out, i32_select(m, i32_set(~0u), i32_set(0))); }

/* A kind of word: how the operands come in, and how the result goes out. */
#define KIND(word, how)                                                                 \
    static void call_##word(lanes *out, const lanes *a, const lanes *b, const lanes *c) \
    {                                                                                   \
        (void)a, (void)b, (void)c;                                                      \
        how;                                                                            \
    }
#define KIND_F1(word) KIND(word, store_f(out, word(load_f(a))))
#define KIND_F2(word) KIND(word, store_f(out, word(load_f(a), load_f(b))))
#define KIND_F2_LOOSE(word) KIND_F2(word) /* unspecified for NaN, and for zeros of two signs */
#define KIND_F3(word) KIND(word, store_f(out, word(load_f(a), load_f(b), load_f(c))))
#define KIND_I2(word) KIND(word, store_i(out, word(load_i(a), load_i(b))))
#define KIND_FI(word) KIND(word, store_i(out, word(load_f(a))))
#define KIND_IF(word) KIND(word, store_f(out, word(load_i(a))))
#define KIND_FM(word) KIND(word, store_m(out, word(load_f(a))))
#define KIND_FFM(word) KIND(word, store_m(out, word(load_f(a), load_f(b))))
#define KIND_IIM(word) KIND(word, store_m(out, word(load_i(a), load_i(b))))
#define KIND_MMM(word) KIND(word, store_m(out, word(load_m(a), load_m(b))))
#define KIND_MF1(word) KIND(word, store_f(out, word(load_m(c), load_f(a))))
#define KIND_MF2(word) KIND(word, store_f(out, word(load_m(c), load_f(a), load_f(b))))
#define KIND_MI2(word) KIND(word, store_i(out, word(load_m(c), load_i(a), load_i(b))))
#define KIND_FH(word) KIND_F1(word)
#define KIND_IH(word) KIND(word, store_i(out, word(load_i(a))))
#define KIND_OWN(word) KIND_F3(word)
#define KIND_OWN_F2(word) KIND_F2(word)

/* a scalar operand: lane 0 of b */
#define KIND_FK(word) KIND(word, store_f(out, KF_##word(load_f(a), b->f[0])))
#define KF_f32_set(a, k) f32_set(k)
#define KF_f32_at_most f32_at_most
#define KF_f32_at_least f32_at_least
#define KF_f32_max_or f32_max_or
#define KIND_IK(word) KIND(word, store_i(out, word(b->i[0])))
#define KIND_OWN_FK(word) KIND(word, store_f(out, word(load_f(a), load_f(b), c->f[0])))

/* distances have to be constants; lane 0 of b says which */
#define SHIFT_BY(word, s)                 \
    case s:                               \
        store_i(out, word(load_i(a), s)); \
        break;
#define KIND_SHIFT(word)                                                               \
    KIND(word, switch (b->i[0]){SHIFT_BY(word, 1) SHIFT_BY(word, 8) SHIFT_BY(word, 19) \
                                    SHIFT_BY(word, 20) SHIFT_BY(word, 23) SHIFT_BY(word, 31)})

/* a table of eight at the beginning of b, indices in a */
#define KIND_LUT(word) KIND(word, LUT_##word(out, word(lut8_set(b), load_i(a))))
#define LUT_i32_lut8 store_i
#define LUT_f32_lut8 store_f

#define WORD(kind, word, ...) KIND_##kind(word)
#include "words.def"
#undef WORD

static size_t call_m32_first(const lanes *m) { return m32_first(load_m(m)); }
static int call_m32_any(const lanes *m) { return m32_any(load_m(m)); }
static void call_m32_first_n(lanes *out, size_t n) { store_m(out, m32_first_n(n)); }
static float call_f32_first(const lanes *a) { return f32_first(load_f(a)); }
static uint32_t call_i32_first(const lanes *a) { return i32_first(load_i(a)); }

static double call_f32_fold32(const lanes *a)
{
    const size_t n = LANES32;
#define PART(j) (j * n < 32 ? f32_load(a->f + j * n) : f32_set(nl_float(0x7fc00000u)))
    return f32_fold32(PART(0), PART(1), PART(2), PART(3), PART(4), PART(5), PART(6), PART(7));
#undef PART
}

static void call_f32_load(lanes *out, const float *p) { store_f(out, f32_load(p)); }
static void call_f32_load_n(lanes *out, const float *p, size_t n, float fill)
{
    store_f(out, f32_load_n(p, n, fill));
}
static void call_f32_store(float *p, const lanes *v) { f32_store(p, load_f(v)); }
static void call_f32_store_n(float *p, const lanes *v, size_t n) { f32_store_n(p, load_f(v), n); }
static void call_f32_stream(float *p, const lanes *v)
{
    f32_stream(p, load_f(v));
    stream_fence();
}
static void call_i32_load(lanes *out, const void *p) { store_i(out, i32_load(p)); }
static void call_i32_load_n(lanes *out, const void *p, size_t n, uint32_t fill)
{
    store_i(out, i32_load_n(p, n, fill));
}

extern const words NL_CAT(nl_words_, NL_ISA, , );
const words NL_CAT(nl_words_, NL_ISA, , ) = {
    .lanes = LANES32,
    .fused = F32_FUSED,
    .features = compiled_features,
#define WORD(kind, name, ...) .word[WORD_##name] = call_##name,
#include "words.def"
#undef WORD
    .m32_first = call_m32_first,
    .m32_any = call_m32_any,
    .m32_first_n = call_m32_first_n,
    .f32_first = call_f32_first,
    .i32_first = call_i32_first,
    .f32_fold32 = call_f32_fold32,
    .f32_load = call_f32_load,
    .f32_load_n = call_f32_load_n,
    .f32_store = call_f32_store,
    .f32_store_n = call_f32_store_n,
    .f32_stream = call_f32_stream,
    .i32_load = call_i32_load,
    .i32_load_n = call_i32_load_n,
};
