/* The vocabulary of the ISA that this file is compiled for, as functions on memory. */
#include "kernel.h"
#include "words.h"

static vf32 load_f(const lanes *a) { return f32_load(a->f); }
static vi32 load_i(const lanes *a) { return i32_load(a->i); }
static vm32 load_m(const lanes *a) { return u32_le(i32_set(0x80000000u), load_i(a)); }
static void store_f(lanes *out, vf32 v) { f32_store(out->f, v); }
static void store_i(lanes *out, vi32 v) { store_f(out, i32_as_f32(v)); }
static void store_m(lanes *out, vm32 m) { store_i(out, i32_select(m, i32_set(~0u), i32_set(0))); }

static vu16 load_h(const lanes *a) { return u16_load(a->h); }
static void store_h(lanes *out, vu16 v) { u16_store(out->h, v); }
static vm16 load_m16(const lanes *a) { return u16_le(u16_set(0x8000), load_h(a)); }
static void store_m16(lanes *out, vm16 m)
{
    store_h(out, u16_select(m, u16_set(0xffff), u16_set(0)));
}

static vi8 load_b(const lanes *a) { return i8_load(a->b); }
static vm8 load_m8(const lanes *a)
{
    return i8_eq(i8_max(load_b(a), i8_set(-1)), i8_set(-1)); /* the negative ones */
}

/* No word stores bytes. The lanes of each value are found one by one, and then raised to 127. */
static void store_b(lanes *out, vi8 v)
{
    lanes found;
    memset(out->b, 127, sizeof out->b);
    memset(found.b, -128, sizeof found.b);
    for (int k = -128; k < 127; k++) {
        const vi8 all = i8_set((int8_t)k);
        size_t l;
        while ((l = m8_first(i8_eq(i8_max(v, load_b(&found)), all))) < LANES8) {
            out->b[l] = (int8_t)k;
            if (found.b[l] == 127)
                return; /* twice: a word is wrong */
            found.b[l] = 127;
        }
    }
}

/* Nor does any store their masks: the equal lanes one by one, made unequal then. */
static void store_eq(lanes *out, const lanes *a, const lanes *b)
{
    lanes rest = *b;
    size_t l;
    memset(out->b, 0, sizeof out->b);
    while ((l = m8_first(i8_eq(load_b(a), load_b(&rest)))) < LANES8 && !out->b[l]) {
        out->b[l] = -1;
        rest.b[l] = (int8_t)~a->b[l];
    }
}

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
#define KIND_F2_ABS(word) KIND(word, store_f(out, word(f32_abs(load_f(a)), load_f(b))))
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

#define KIND_H2(word) KIND(word, store_h(out, word(load_h(a), load_h(b))))
#define KIND_HHM(word) KIND(word, store_m16(out, word(load_h(a), load_h(b))))
#define KIND_MH2(word) KIND(word, store_h(out, word(load_m16(c), load_h(a), load_h(b))))
#define KIND_HLUT(word) KIND(word, store_h(out, word(lut16_set(b->h), load_h(a))))
#define KIND_OWN_H3(word) KIND(word, store_h(out, word(load_h(a), load_h(b), load_h(c))))
#define KIND_B2(word) KIND(word, store_b(out, word(load_b(a), load_b(b))))
#define KIND_BK(word) KIND(word, store_b(out, word(b->b[0])))
#define KIND_BBM(word) KIND(word, store_eq(out, a, b))
#define KIND_BH(word) KIND(word, store_b(out, word(load_b(a))))

/* a scalar operand: lane 0 of b */
#define KIND_FK(word) KIND(word, store_f(out, KF_##word(load_f(a), b->f[0])))
#define KF_f32_set(a, k) f32_set(k)
#define KF_f32_at_most f32_at_most
#define KF_f32_at_least f32_at_least
#define KF_f32_max_or f32_max_or
#define KF_f32_k(a, k) f32_sub(a, f32_k(k))
#define KF_f32_same(a, k) f32_mul(a, f32_same(f32_set(k)))
#define KIND_IK(word) KIND(word, store_i(out, KI_##word(load_i(a), b->i[0])))
#define KI_i32_set(a, k) i32_set(k)
#define KI_i32_k(a, k) i32_add(a, i32_k(k))
#define KI_i32_same(a, k) i32_and(a, i32_same(i32_set(k)))
#define KIND_HK(word) KIND(word, store_h(out, KH_##word(load_h(a), b->h[0])))
#define KH_u16_set(a, k) u16_set(k)
#define KH_u16_k(a, k) u16_and(a, u16_k(k))
#define KIND_OWN_FK(word) KIND(word, store_f(out, word(load_f(a), load_f(b), c->f[0])))

/* distances have to be constants; lane 0 of b says which */
#define SHIFT_BY(word, s)                 \
    case s:                               \
        store_i(out, word(load_i(a), s)); \
        break;
#define KIND_SHIFT(word)                                                                     \
    KIND(word, switch (b->i[0]){SHIFT_BY(word, 1) SHIFT_BY(word, 8) SHIFT_BY(word, 13)       \
                                    SHIFT_BY(word, 16) SHIFT_BY(word, 19) SHIFT_BY(word, 20) \
                                        SHIFT_BY(word, 23) SHIFT_BY(word, 31)})
#define HSHIFT_BY(word, s)                \
    case s:                               \
        store_h(out, word(load_h(a), s)); \
        break;
#define KIND_HSHIFT(word)                                                                \
    KIND(word, switch (b->h[0]){HSHIFT_BY(word, 1) HSHIFT_BY(word, 5) HSHIFT_BY(word, 8) \
                                    HSHIFT_BY(word, 10) HSHIFT_BY(word, 13) HSHIFT_BY(word, 15)})

/* a table of eight at the beginning of b, indices in a */
#define KIND_LUT(word) KIND(word, LUT_##word(out, word(lut8_set(b), load_i(a))))
#define LUT_i32_lut8 store_i
#define LUT_f32_lut8 store_f
#define KIND_LUT_ADD(word) \
    KIND(word, store_i(out, word(lut8_set(b), load_i(a), load_i(c), i32_k(b->i[8]))))

#define WORD(kind, word, ...) KIND_##kind(word)
#include "words.def"
#undef WORD

static size_t call_m32_first(const lanes *m) { return m32_first(load_m(m)); }
static int call_m32_any(const lanes *m) { return m32_any(load_m(m)); }
static void call_m32_first_n(lanes *out, size_t n) { store_m(out, m32_first_n(n)); }
static size_t call_m8_first(const lanes *m) { return m8_first(load_m8(m)); }
static int call_m8_any(const lanes *m) { return m8_any(load_m8(m)); }
static float call_f32_first(const lanes *a) { return f32_first(load_f(a)); }
static uint32_t call_i32_first(const lanes *a) { return i32_first(load_i(a)); }
static int8_t call_i8_first(const lanes *a) { return i8_first(load_b(a)); }

static double call_f32_fold32(const lanes *a)
{
    const size_t n = LANES32;
#define PART(j) (j * n < 32 ? f32_load(a->f + j * n) : f32_set(nl_float(0x7fc00000u)))
    return f32_fold32(PART(0), PART(1), PART(2), PART(3), PART(4), PART(5), PART(6), PART(7));
#undef PART
}

static double call_f32_fold8(const lanes *a)
{
    return f32_fold8(f32_load_n(a->f, LANES32 < 8 ? LANES32 : 8, 0.0f));
}
static double call_f32_fold64(const lanes *a) { return f32_fold64(a->f); }
static void call_f32_mul2_row(float *y, const float *x, size_t n, float hi, float lo)
{
    f32_mul2_row(y, x, n, f32_k(hi), f32_k(lo));
}

static void call_f32_load(lanes *out, const void *p) { store_f(out, f32_load(p)); }
static void call_f32_load_n(lanes *out, const void *p, size_t n, uint32_t fill)
{
    store_f(out, f32_load_n(p, n, nl_float(fill)));
}
static void call_f32_store(void *p, const lanes *v) { f32_store(p, load_f(v)); }
static void call_f32_store_n(void *p, const lanes *v, size_t n) { f32_store_n(p, load_f(v), n); }
static void call_f32_stream(void *p, const lanes *v)
{
    f32_stream(p, load_f(v));
    stream_fence();
}
static void call_i32_load(lanes *out, const void *p) { store_i(out, i32_load(p)); }
static void call_i32_load_n(lanes *out, const void *p, size_t n, uint32_t fill)
{
    store_i(out, i32_load_n(p, n, fill));
}
/* of 16-bit elements, in lanes of either width */
#define MEMORY_16(lane, load, load_n, store, store_n, stream)                          \
    static void call_##load(lanes *out, const void *p) { store_##lane(out, load(p)); } \
    static void call_##load_n(lanes *out, const void *p, size_t n, uint32_t fill)      \
    {                                                                                  \
        store_##lane(out, load_n(p, n, (uint16_t)fill));                               \
    }                                                                                  \
    static void call_##store(void *p, const lanes *v) { store(p, load_##lane(v)); }    \
    static void call_##store_n(void *p, const lanes *v, size_t n)                      \
    {                                                                                  \
        store_n(p, load_##lane(v), n);                                                 \
    }                                                                                  \
    static void call_##stream(void *p, const lanes *v)                                 \
    {                                                                                  \
        stream(p, load_##lane(v));                                                     \
        stream_fence();                                                                \
    }
MEMORY_16(h, u16_load, u16_load_n, u16_store, u16_store_n, u16_stream)
MEMORY_16(i, i32_load_u16, i32_load_u16_n, i32_store_u16, i32_store_u16_n, i32_stream_u16)
MEMORY_16(f, f16_load, f16_load_n, f16_store, f16_store_n, f16_stream)
MEMORY_16(f, bf16_load, bf16_load_n, bf16_store, bf16_store_n, bf16_stream)
static void call_i8_load(lanes *out, const void *p) { store_b(out, i8_load(p)); }
static void call_i8_load_n(lanes *out, const void *p, size_t n, uint32_t fill)
{
    store_b(out, i8_load_n(p, n, (int8_t)fill));
}

static size_t call_lanes(void) { return LANES32; }
static size_t call_lanes16(void) { return LANES16; }
static size_t call_lanes8(void) { return LANES8; }

static const memory memories[MEMORIES] = {
    [MEMORY_f32] = {call_f32_load, call_f32_load_n, call_f32_store, call_f32_store_n,
                    call_f32_stream},
    [MEMORY_i32] = {call_i32_load, call_i32_load_n, NULL, NULL, NULL},
    [MEMORY_u16] = {call_u16_load, call_u16_load_n, call_u16_store, call_u16_store_n,
                    call_u16_stream},
    [MEMORY_i8] = {call_i8_load, call_i8_load_n, NULL, NULL, NULL},
    [MEMORY_i32_u16] = {call_i32_load_u16, call_i32_load_u16_n, call_i32_store_u16,
                        call_i32_store_u16_n, call_i32_stream_u16},
    [MEMORY_f16] = {call_f16_load, call_f16_load_n, call_f16_store, call_f16_store_n,
                    call_f16_stream},
    [MEMORY_bf16] = {call_bf16_load, call_bf16_load_n, call_bf16_store, call_bf16_store_n,
                     call_bf16_stream},
};

extern const words NL_CAT(nl_words_, NL_ISA, , );
const words NL_CAT(nl_words_, NL_ISA, , ) = {
    .lanes = call_lanes,
    .lanes16 = call_lanes16,
    .lanes8 = call_lanes8,
    .fused = F32_FUSED,
    .features = compiled_features,
#define WORD(kind, name, ...) .word[WORD_##name] = call_##name,
#include "words.def"
#undef WORD
    .memory = memories,
    .f32_fold8 = call_f32_fold8,
    .f32_fold64 = call_f32_fold64,
    .f32_mul2_row = call_f32_mul2_row,
    .m32_first = call_m32_first,
    .m32_any = call_m32_any,
    .m32_first_n = call_m32_first_n,
    .m8_first = call_m8_first,
    .m8_any = call_m8_any,
    .f32_first = call_f32_first,
    .i32_first = call_i32_first,
    .i8_first = call_i8_first,
    .f32_fold32 = call_f32_fold32,
};
