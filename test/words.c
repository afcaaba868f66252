/* Every word of the vector vocabulary, on every ISA that runs here, against scalar C: words.def,
 * lane by lane, and the rest below. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "nl_config.h"
#include "nonlin.h"
#include "suite.h"
#include "types.h"
#include "words.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- The ISAs -------------------------------------------------------------------------------- */

#define ISA(name, arch, features) NL_IF_##name(extern const words nl_words_##name;)
#include "isa.def"
#undef ISA

static const struct {
    const char *name;
    const words *words;
} isas[] = {
#define ISA(name, arch, features) NL_IF_##name({#name, &nl_words_##name}, )
#include "isa.def"
#undef ISA
};

enum { ISAS = sizeof isas / sizeof *isas };

/* for (each usable ISA), with its words as w */
#define EACH_ISA(isa, w)                    \
    for (size_t isa = 0; isa < ISAS; isa++) \
        if (!nonlin_isa_missing(isa))       \
            for (const words *w = isas[isa].words; w; w = NULL)

/* ---- Numbers --------------------------------------------------------------------------------- */

static float nl_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t nl_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static uint64_t seed = 1;

static uint32_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

/* From [from, to). */
static double uniform(double from, double to)
{
    return from + (to - from) * ((double)random_bits() * 0x1p-32);
}

static const uint32_t special32[] = {
    0x00000000, 0x80000000,                         /* zeros */
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, /* subnormals */
    0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, /* the least and the greatest normals */
    0x7f800000, 0xff800000,                         /* infinities */
    0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff, /* NaNs */
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40490fdb, 0xc2ae0000, /* 1, its neighbours */
    0x4b800000, 0x4b7fffff, 0x7e800000, 0x00ffffff, 0x7fffff80, 0x80000040, /* as integers, ties */
};
static const uint32_t special16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x03ff, 0x83ff,         /* zeros, subnormals */
    0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00,                 /* the same as above */
    0x7e00, 0xfe00, 0x7c01, 0xfc01, 0x7fff, 0xffff, 0x7dff, 0xfdff, /* NaNs */
    0x3c00, 0xbc00, 0x3bff, 0x3c01, 0xbc01, 0x3800, 0x1400, 0x5c00, /* 1, its neighbours; powers */
    0x00ff, 0x0100, 0xff00, 0x7f80, 0x4248, 0xc248,                 /* as integers */
};
static const uint32_t special8[] = {0x00, 0x01, 0xff, 0x7f, 0x80, 0x81, 0x7e, 0x40, 0xc0, 0x0f};

/* The special values of a type, over and over. */
static uint32_t special(const dtype *t, size_t i)
{
#define ONE_OF(array) array[i % (sizeof array / sizeof *array)]
    return t->size == 4 ? ONE_OF(special32) : t->size == 2 ? ONE_OF(special16) : ONE_OF(special8);
#undef ONE_OF
}
enum { SPECIALS = sizeof special16 / sizeof *special16 }; /* the most of them */

static uint32_t some_bits(const dtype *t)
{
    switch (random_bits() % 4) {
    case 0:
        return special(t, random_bits());
    case 1:
        return encode(t, uniform(-8, 8));
    case 2:
        return random_bits() % 64 - 32;
    default:
        return random_bits();
    }
}

/* ---- Lane by lane ---------------------------------------------------------------------------- */

typedef struct {
    const lanes *a, *b, *c;
    size_t n; /* lanes of a vector, of the size in question */
    int fused;
} operands;

static const char *const word_names[] = {
#define WORD(kind, word, ...) #word,
#include "words.def"
#undef WORD
};

/* wanted_<word>(operands, lane): the bits of the result. NONE where it is unspecified; ANY_NAN
 * added where any NaN will do if it is one; ANY_ZERO if it may be a zero of the other sign. */
#define NONE ((uint64_t)1 << 32)
#define ANY_NAN ((uint64_t)1 << 33)
#define ANY_ZERO ((uint64_t)1 << 34)

#define REF(word, ...)                                  \
    static uint64_t wanted_##word(operands o, size_t l) \
    {                                                   \
        (void)o, (void)l;                               \
        __VA_ARGS__                                     \
    }
#define F(name) const float name = o.name->f[l];
#define I(name) const uint32_t name = o.name->i[l];
#define H(name) const uint16_t name = o.name->h[l];
#define B(name) const int8_t name = o.name->b[l];
#define COMPUTED(x) (nl_bits(x) | ANY_NAN)
#define MASK(x) ((x) ? 0xffffffffu : 0u)

#define REF_F1(word, ...) REF(word, F(a) return nl_bits(__VA_ARGS__);)
#define REF_F2(word, ...) REF(word, F(a) F(b) return COMPUTED(__VA_ARGS__);)
#define REF_F2_ABS(word, ...) REF(word, F(a) F(b) return nl_bits(__VA_ARGS__);)
#define REF_F3(word, ...) \
    REF(word, F(a) F(b) F(c) const int fused = o.fused; return COMPUTED(__VA_ARGS__);)
#define REF_I2(word, ...) REF(word, I(a) I(b) return (__VA_ARGS__);)
#define REF_FI(word, ...) REF(word, F(a) return (__VA_ARGS__);)
#define REF_IF(word, ...) REF(word, I(a) return nl_bits(__VA_ARGS__);)
#define REF_FM(word, ...) REF(word, F(a) return MASK(__VA_ARGS__);)
#define REF_FFM(word, ...) REF(word, F(a) F(b) return MASK(__VA_ARGS__);)
#define REF_IIM(word, ...) REF(word, I(a) I(b) return MASK(__VA_ARGS__);)
#define M(name) const bool name = o.name->i[l] >> 31;
#define REF_MMM(word, ...) REF(word, M(a) M(b) return MASK(__VA_ARGS__);)
#define MC const bool m = o.c->i[l] >> 31;
#define REF_MF1(word, ...) REF(word, F(a) MC return nl_bits(__VA_ARGS__);)
#define REF_MF2(word, ...) REF(word, F(a) F(b) MC return nl_bits(__VA_ARGS__);)
#define REF_MI2(word, ...) REF(word, I(a) I(b) MC return (__VA_ARGS__);)
#define ZEROS(x, y) (!(x) && !(y) ? ANY_ZERO : 0)
#define REF_F2_LOOSE(word, ...) \
    REF(word, F(a) F(b) return isnan(a) || isnan(b) ? NONE : COMPUTED(__VA_ARGS__) | ZEROS(a, b);)
#define REF_FK(word, ...)                              \
    REF(word, F(a) const float k = o.b->f[0]; (void)a; \
        return isnan(k) ? NONE : COMPUTED(__VA_ARGS__) | ZEROS(a, k);)
#define REF_IK(word, ...) \
    REF(word, I(a) const uint32_t k = o.b->i[0]; (void)a; return (__VA_ARGS__);)
#define REF_SHIFT(word, ...) REF(word, I(a) const uint32_t s = o.b->i[0]; return (__VA_ARGS__);)
#define REF_LUT_ADD(word, ...)                                                  \
    REF(word, I(c) const uint32_t *table = o.b->i, i = o.a->i[l], k = table[8]; \
        return (uint32_t)(__VA_ARGS__);)
#define REF_LUT(word, ...) \
    REF(word, const uint32_t *table = o.b->i, i = o.a->i[l]; return (__VA_ARGS__);)
#define REF_FH(word, ...)                                                                 \
    REF(                                                                                  \
        word, float b = o.a->f[0]; bool zeros = false; for (size_t i = 0; i < o.n; i++) { \
            const float a = o.a->f[i];                                                    \
            if (isnan(a))                                                                 \
                return NONE;                                                              \
            zeros |= a == 0;                                                              \
            b = __VA_ARGS__;                                                              \
        } return COMPUTED(b) | (zeros && b == 0 ? ANY_ZERO : 0);)
#define REF_IH(word, ...)                                                \
    REF(                                                                 \
        word, uint32_t b = o.a->i[0]; for (size_t i = 0; i < o.n; i++) { \
            const uint32_t a = o.a->i[i];                                \
            b = __VA_ARGS__;                                             \
        } return b;)
#define REF_H2(word, ...) REF(word, H(a) H(b) return (uint16_t)(__VA_ARGS__);)
#define REF_HSHIFT(word, ...) REF(word, H(a) const uint16_t s = o.b->h[0]; return (__VA_ARGS__);)
#define REF_HK(word, ...) \
    REF(word, const uint16_t a = o.a->h[l], k = o.b->h[0]; (void)a; return (__VA_ARGS__);)
#define REF_HHM(word, ...) REF(word, H(a) H(b) return (uint16_t)MASK(__VA_ARGS__);)
#define REF_MH2(word, ...) \
    REF(word, H(a) H(b) const bool m = o.c->h[l] >> 15; return (__VA_ARGS__);)
#define REF_HLUT(word, ...)                                               \
    REF(word, const uint16_t *table = o.b->h; const size_t i = o.a->h[l]; \
        return i < 16 ? (__VA_ARGS__) : NONE;)
#define REF_OWN_H3(word, ...) REF(word, return NONE;)
#define REF_B2(word, ...) REF(word, B(a) B(b) return (uint8_t)(__VA_ARGS__);)
#define REF_BK(word, ...) REF(word, const int8_t k = o.b->b[0]; return (uint8_t)(__VA_ARGS__);)
#define REF_BBM(word, ...) REF(word, B(a) B(b) return (uint8_t)MASK(__VA_ARGS__);)
#define REF_BH(word, ...)                                              \
    REF(                                                               \
        word, int8_t b = o.a->b[0]; for (size_t i = 0; i < o.n; i++) { \
            const int8_t a = o.a->b[i];                                \
            b = __VA_ARGS__;                                           \
        } return (uint8_t)b;)
#define REF_OWN(word, ...) REF(word, return NONE;)
#define REF_OWN_F2(word, ...) REF(word, return NONE;)
#define REF_OWN_FK(word, ...) REF(word, return NONE;)
#define WORD(kind, word, ...) REF_##kind(word, __VA_ARGS__)
#include "words.def"
#undef WORD

static uint64_t (*const wanted[WORDS])(operands, size_t) = {
#define WORD(kind, word, ...) wanted_##word,
#include "words.def"
#undef WORD
};

static const char *const word_kinds[] = {
#define WORD(kind, word, ...) #kind,
#include "words.def"
#undef WORD
};

/* Lane l as two arguments of a message. */
#define SHOWN(v) get(t, v, l), decode(t, get(t, v, l))

static bool is_kind(int word, const char *kind) { return !strcmp(word_kinds[word], kind); }

/* What the lanes of a word are, and how many there are. */
static const dtype *type_of(int word)
{
    const char *name = word_names[word];
    return strstr(name, "16_")              ? &dtype_f16
           : strstr(name, "8_") == name + 1 ? &dtype_i8
                                            : &dtype_f32;
}

static size_t lanes_of(const words *w, const dtype *t)
{
    return t->size == 4 ? w->lanes() : t->size == 2 ? w->lanes16() : w->lanes8();
}

/* Are the bits what is wanted? */
static bool meets(const dtype *t, uint64_t want, uint32_t got)
{
    const uint32_t bits = (uint32_t)want, magnitude = t->sign - 1;
    return want & NONE || got == bits ||
           (want & ANY_ZERO && !(got & magnitude) && !(bits & magnitude)) ||
           (want & ANY_NAN && is_nan_of(t, got) && is_nan_of(t, bits));
}

static void check_word(size_t isa, int word, const lanes *a, const lanes *b, const lanes *c)
{
    const words *w = isas[isa].words;
    const dtype *t = type_of(word);
    const operands o = {a, b, c, lanes_of(w, t), w->fused};
    lanes out;
    w->word[word](&out, a, b, c);
    for (size_t l = 0; l < o.n; l++) {
        const uint64_t want = wanted[word](o, l);
        if (!meets(t, want, get(t, &out, l)))
            ck_abort_msg("%s, %s: lane %zu of a %#x (%a) b %#x (%a) c %#x (%a) is %#x (%a), not "
                         "%#x (%a)",
                         isas[isa].name, word_names[word], l, SHOWN(a), SHOWN(b), SHOWN(c),
                         SHOWN(&out), (uint32_t)want, decode(t, (uint32_t)want));
    }
}

/* Operands in every lane of which something else is the case. */
static void some_operands(int word, lanes *a, lanes *b, lanes *c)
{
    static const uint32_t distance[] = {1, 8, 13, 16, 19, 20, 23, 31};
    static const uint16_t distance16[] = {1, 5, 8, 10, 13, 15};
    const dtype *t = type_of(word);
    for (size_t l = 0; l < VECTOR_MAX / t->size; l++) {
        put(t, a, l, some_bits(t));
        put(t, b, l, random_bits() % 4 ? some_bits(t) : get(t, a, l));
        put(t, c, l, some_bits(t));
        if (is_kind(word, "HLUT"))
            a->h[l] = random_bits() % 17;
        /* NaN is not asked of the horizontal words */
        if (is_kind(word, "FH") && isnan(a->f[l]))
            a->f[l] = -0.0f;
        if (is_kind(word, "BH")) /* seldom 127 */
            a->b[l] &= (int8_t)(random_bits() % 64 ? 0xbf : 0xff);
    }
    if (is_kind(word, "SHIFT"))
        b->i[0] = distance[random_bits() % (sizeof distance / sizeof *distance)];
    if (is_kind(word, "HSHIFT"))
        b->h[0] = distance16[random_bits() % (sizeof distance16 / sizeof *distance16)];
    if (is_kind(word, "FH") && random_bits() % 2) /* few, or no other would ever be the greatest */
        for (size_t l = 0; l < VECTOR_MAX / 4; l++)
            a->f[l] = (float)uniform(-100, 100);
}

START_TEST(lane_by_lane)
{
    const int word = _i;
    const dtype *t = type_of(word);
    lanes a, b, c;
    EACH_ISA(isa, w)
    {
        const size_t n = lanes_of(w, t);
        for (int round = 0; round < (t->size == 1 ? 500 : 5000); round++) { /* bytes take longer */
            some_operands(word, &a, &b, &c);
            check_word(isa, word, &a, &b, &c);
        }
        if (is_kind(word, "SHIFT") || is_kind(word, "HSHIFT"))
            continue;
        /* all pairs of special values, in every lane */
        for (size_t i = 0; i < SPECIALS; i++)
            for (size_t j = 0; j < SPECIALS; j++) {
                for (size_t l = 0; l < VECTOR_MAX / t->size; l++) {
                    put(t, &a, l, special(t, i + l));
                    put(t, &b, l, special(t, j));
                    put(t, &c, l, special(t, i + j + l / n));
                }
                check_word(isa, word, &a, &b, &c);
            }
    }
}
END_TEST

/* All indices in all lanes. */
START_TEST(lut16)
{
    lanes index, table, out;
    for (size_t l = 0; l < VECTOR_MAX / 2; l++)
        table.h[l] = (uint16_t)(0x8001 + 0x1357 * l);
    EACH_ISA(isa, w)
    for (size_t shift = 0; shift < 16; shift++) {
        for (size_t l = 0; l < VECTOR_MAX / 2; l++)
            index.h[l] = (uint16_t)((l + shift) % 16);
        w->word[WORD_u16_lut16](&out, &index, &table, &table);
        for (size_t l = 0; l < w->lanes16(); l++)
            ck_assert_uint_eq(out.h[l], table.h[(l + shift) % 16]);
    }
}
END_TEST

/* ---- Flags ----------------------------------------------------------------------------------- */

/* The compiler may use nothing in an ISA's files that isa.def does not ask of the CPU. */
#undef F
#define F(feature) | FEATURE_##feature
#define ASK(feature) F(feature)
START_TEST(flags)
{
    static const unsigned asked[] = {
#define ISA(name, arch, features) NL_IF_##name(0u features, )
#include "isa.def"
#undef ISA
    };
    for (size_t isa = 0; isa < ISAS; isa++) {
        const unsigned beyond = isas[isa].words->features() & ~compiled_features() & ~asked[isa];
        if (beyond)
            ck_abort_msg("%s: compiled with features that are not asked for: %#x", isas[isa].name,
                         beyond);
    }
}
END_TEST

/* ---- Masks, and what comes out of the vector file -------------------------------------------- */

START_TEST(mask_reductions)
{
    EACH_ISA(isa, w)
    {
        for (int round = 0; round < 3000; round++) {
            lanes m;
            const uint32_t density = random_bits() % 20;
            size_t first = w->lanes();
            for (size_t l = w->lanes(); l-- > 0;) {
                m.i[l] = random_bits() & 0x7fffffff;
                if (random_bits() % 20 < density)
                    m.i[first = l] |= 0x80000000u;
            }
            ck_assert_uint_eq(w->m32_first(&m), first);
            ck_assert_int_eq(!w->m32_any(&m), first == w->lanes());
        }
        for (size_t only = 0; only < w->lanes(); only++) {
            lanes m = {.i = {0}};
            m.i[only] = 0x80000000u;
            ck_assert_uint_eq(w->m32_first(&m), only);
            ck_assert(w->m32_any(&m));
        }
        for (size_t n = 0; n <= w->lanes(); n++) {
            lanes m;
            w->m32_first_n(&m, n);
            for (size_t l = 0; l < w->lanes(); l++)
                ck_assert_uint_eq(m.i[l], l < n ? 0xffffffffu : 0);
        }
    }
}
END_TEST

START_TEST(byte_mask_reductions)
{
    EACH_ISA(isa, w)
    {
        lanes m = {.i = {0}};
        ck_assert_uint_eq(w->m8_first(&m), w->lanes8());
        ck_assert(!w->m8_any(&m));
        for (size_t first = 0; first < w->lanes8(); first++)
            for (int others = 0; others < 5; others++) {
                for (size_t l = 0; l < w->lanes8(); l++) {
                    const bool set = others && l > first && random_bits() % 4 < (uint32_t)others;
                    m.b[l] = (int8_t)((random_bits() & 0x7f) | (set || l == first ? 0x80 : 0));
                }
                ck_assert_uint_eq(w->m8_first(&m), first);
                ck_assert(w->m8_any(&m));
            }
    }
}
END_TEST

START_TEST(first_lane)
{
    EACH_ISA(isa, w)
    {
        lanes a;
        for (size_t i = 0; i < SPECIALS; i++) {
            for (size_t l = 0; l < VECTOR_MAX / 4; l++)
                a.i[l] = l ? random_bits() : special(&dtype_f32, i);
            ck_assert_uint_eq(w->i32_first(&a), a.i[0]);
            float f = w->f32_first(&a);
            ck_assert(nl_bits(f) == a.i[0] || (isnan(f) && isnan(a.f[0])));
            a.b[0] = (int8_t)special(&dtype_i8, i);
            ck_assert_int_eq(w->i8_first(&a), a.b[0]);
        }
    }
}
END_TEST

/* 32 numbers folded in halves, in double. */
static double fold_halves(const float *a)
{
    double sum[32];
    for (size_t l = 0; l < 32; l++)
        sum[l] = a[l];
    for (size_t half = 16; half; half /= 2)
        for (size_t l = 0; l < half; l++)
            sum[l] += sum[l + half];
    return sum[0];
}

/* The order shows in the last bits. */
START_TEST(fold)
{
    EACH_ISA(isa, w)
    {
        for (int round = 0; round < 3000; round++) {
            lanes a;
            float eight[32] = {0}, halves[32];
            for (size_t l = 0; l < 64; l++)
                a.f[l] = (float)ldexp(uniform(1, 2), (int)(random_bits() % 120) - 100);
            memcpy(eight, a.f, (w->lanes() < 8 ? w->lanes() : 8) * sizeof *eight);
            for (size_t l = 0; l < 32; l++)
                halves[l] = a.f[l] + a.f[l + 32];
            ck_assert_double_eq(w->f32_fold32(&a), fold_halves(a.f));
            ck_assert_double_eq(w->f32_fold8(&a), fold_halves(eight));
            ck_assert_double_eq(w->f32_fold64(&a), fold_halves(halves));
        }
    }
}
END_TEST

/* ---- Memory ---------------------------------------------------------------------------------- */

/* A page of memory between two that may not be touched. */
static unsigned char *guarded(size_t *size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *p = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + page, page, PROT_READ | PROT_WRITE))
        ck_abort_msg("no pages");
    *size = page;
    return p + page;
}

/* The elements in memory, and the lanes that they become. */
static const struct {
    const dtype *element, *lane;
} kinds[MEMORIES] = {
    [MEMORY_f32] = {&dtype_f32, &dtype_f32},     [MEMORY_i32] = {&dtype_f32, &dtype_f32},
    [MEMORY_u16] = {&dtype_f16, &dtype_f16},     [MEMORY_i8] = {&dtype_i8, &dtype_i8},
    [MEMORY_i32_u16] = {&dtype_f16, &dtype_f32}, [MEMORY_f16] = {&dtype_f16, &dtype_f32},
    [MEMORY_bf16] = {&dtype_bf16, &dtype_f32},
};

/* The lane that an element becomes. */
static uint32_t lane_of(int kind, uint32_t bits)
{
    return kind >= MEMORY_f16 ? encode(kinds[kind].lane, decode(kinds[kind].element, bits)) : bits;
}

/* Conversions may make other NaNs of NaNs: numbers in their place, of other exponents. */
static uint32_t exact(int kind, uint32_t bits)
{
    const dtype *t = kinds[kind].element;
    return kind >= MEMORY_f16 && is_nan_of(t, bits) ? bits & ~(2 * t->quiet) : bits;
}

/* What fills up: signalling NaNs, which have to come through as they are, and a byte. */
static uint32_t fill_bits(int kind)
{
    const dtype *t = kinds[kind].element;
    return t->infinity ? exact(kind, t->infinity | t->quiet / 2 | 1) : 0xa7;
}

static void check_loaded(size_t isa, int kind, const lanes *out, const lanes *in, size_t n,
                         size_t all)
{
    for (size_t l = 0; l < all; l++) {
        const uint32_t element = l < n ? get(kinds[kind].element, in, l) : fill_bits(kind);
        const uint32_t want = lane_of(kind, element), got = get(kinds[kind].lane, out, l);
        if (got != want)
            ck_abort_msg("%s: %zu of kind %d: lane %zu is %#x, not %#x", isas[isa].name, n, kind, l,
                         got, want);
    }
}

/* n lanes, every distance of less than a line of the cache from the end of memory and from its
 * beginning. */
START_TEST(loads)
{
    size_t size;
    unsigned char *page = guarded(&size);
    EACH_ISA(isa, w)
    {
        const memory *m = &w->memory[_i];
        const dtype *t = kinds[_i].element;
        const size_t all = lanes_of(w, kinds[_i].lane);
        for (size_t n = 0; n <= all; n++)
            for (size_t at = 0; at < 2 * 64 / t->size; at++) {
                const size_t distance = at / 2 * t->size, bytes = n * t->size;
                unsigned char *p = at % 2 ? page + distance : page + size - bytes - distance;
                lanes in = {.i = {0}}, out;
                for (size_t l = 0; l < n; l++)
                    put(t, &in, l, exact(_i, special(t, l + n)));
                memcpy(p, &in, bytes);
                m->load_n(&out, p, n, fill_bits(_i));
                check_loaded(isa, _i, &out, &in, n, all);
                if (n < all)
                    continue;
                m->load(&out, p);
                check_loaded(isa, _i, &out, &in, n, all);
            }
    }
}
END_TEST

/* Before and after the n elements nothing changes: the guard pages see to one side, this to the
 * other. */
static void check_stored(const unsigned char *page, size_t size, const unsigned char *p,
                         const void *want, size_t bytes)
{
    ck_assert_mem_eq(p, want, bytes);
    for (size_t i = 0; i < size; i++)
        if (page[i] != 0xa5 && (page + i < p || page + i >= p + bytes))
            ck_abort_msg("written outside");
}

START_TEST(stores)
{
    size_t size;
    unsigned char *page = guarded(&size);
    EACH_ISA(isa, w)
    {
        const memory *m = &w->memory[_i];
        const dtype *t = kinds[_i].element;
        const size_t all = lanes_of(w, kinds[_i].lane), vector = all * t->size;
        lanes v, want;
        for (size_t l = 0; l < all; l++) {
            put(t, &want, l, exact(_i, special(t, l)));
            put(kinds[_i].lane, &v, l, lane_of(_i, get(t, &want, l)));
        }
        for (size_t n = 0; n <= all; n++)
            for (size_t at = 0; at < 2 * 64 / t->size; at++) {
                const size_t distance = at / 2 * t->size, bytes = n * t->size;
                unsigned char *p = at % 2 ? page + distance : page + size - bytes - distance;
                memset(page, 0xa5, size);
                m->store_n(p, &v, n);
                check_stored(page, size, p, &want, bytes);
                if (n < all)
                    continue;
                memset(page, 0xa5, size);
                m->store(p, &v);
                check_stored(page, size, p, &want, bytes);
            }
        for (size_t at = 0; at < 4; at++) { /* a stream is aligned to what it writes */
            unsigned char *p = page + size - (at + 1) * vector;
            memset(page, 0xa5, size);
            m->stream(p, &v);
            check_stored(page, size, p, &want, vector);
        }
    }
}
END_TEST

/* ---- Conversions ----------------------------------------------------------------------------- */

static void check_widened(size_t isa, int kind, const lanes *in, const lanes *out)
{
    const dtype *t = kinds[kind].element;
    for (size_t l = 0; l < isas[isa].words->lanes(); l++) {
        const uint32_t h = in->h[l], want = lane_of(kind, h), got = out->i[l];
        const bool right = is_quiet_nan_of(t, h) ? is_quiet_nan_of(&dtype_f32, got)
                           : is_nan_of(t, h)     ? is_nan_of(&dtype_f32, got)
                                                 : got == want;
        if (!right)
            ck_abort_msg("%s, kind %d: %#x is %#x, not %#x", isas[isa].name, kind, h, got, want);
    }
}

/* All 65,536. */
START_TEST(widening)
{
    lanes in, out;
    EACH_ISA(isa, w)
    for (uint32_t i = 0; i < 1 << 16; i += w->lanes()) {
        for (size_t l = 0; l < w->lanes(); l++)
            in.h[l] = (uint16_t)(i + l);
        w->memory[_i].load(&out, &in);
        check_widened(isa, _i, &in, &out);
        w->memory[_i].load_n(&out, &in, w->lanes(), 0);
        check_widened(isa, _i, &in, &out);
    }
}
END_TEST

/* n lanes, against encode(). Of bfloat16, NaNs that no bfloat16 is made into are unspecified. */
static void check_narrowed(size_t isa, int kind, const lanes *in, const lanes *out, size_t n)
{
    const dtype *t = kinds[kind].element;
    for (size_t l = 0; l < n; l++) {
        const uint32_t x = in->i[l], want = encode(t, decode(&dtype_f32, x)), got = out->h[l];
        if (kind == MEMORY_bf16 && is_nan_of(&dtype_f32, x) &&
            (x & 0xffff || !is_quiet_nan_of(&dtype_f32, x)))
            continue;
        if (!same_of(t, got, want))
            ck_abort_msg("%s, kind %d: %#x (%a) is %#x, not %#x", isas[isa].name, kind, x,
                         decode(&dtype_f32, x), got, want);
    }
}

/* n floats, by all words that store. */
static void check_narrowing(int kind, const uint32_t *x, size_t n)
{
    _Alignas(VECTOR_MAX) lanes out;
    lanes in = {.i = {0}};
    EACH_ISA(isa, w)
    for (size_t i = 0, l; i < n; i += l) {
        for (l = 0; l < w->lanes() && i + l < n; l++)
            in.i[l] = x[i + l];
        w->memory[kind].store_n(&out, &in, l);
        check_narrowed(isa, kind, &in, &out, l);
        w->memory[kind].store(&out, &in);
        check_narrowed(isa, kind, &in, &out, l);
        w->memory[kind].stream(&out, &in);
        check_narrowed(isa, kind, &in, &out, l);
    }
}

/* Every number of 16 bits, the middle between it and the next, where the rounding goes to the even
 * one, and the floats beside both. What would come after the greatest counts as the next; NaNs
 * follow infinity. */
START_TEST(narrowing_borders)
{
    const dtype *t = kinds[_i].element;
    for (uint32_t h = 0; h <= t->infinity; h++) {
        const double a = decode(t, h);
        const double b = h + 1 < t->infinity ? decode(t, h + 1) : ldexp(1, bias(t) + 1);
        const uint32_t at[] = {encode(&dtype_f32, a), encode(&dtype_f32, (a + b) / 2)};
        uint32_t x[12];
        size_t n = 0;
        for (size_t i = 0; i < 2; i++)
            for (uint32_t bits = at[i] - !!at[i]; bits <= at[i] + 1; bits++) {
                x[n++] = bits;
                x[n++] = bits | 0x80000000u;
            }
        check_narrowing(_i, x, n);
    }
}
END_TEST

/* Floats of all bits, and more of those that are halves, in whole vectors. */
START_TEST(narrowing_random)
{
    uint32_t x[1024];
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < 1024; i++) {
            x[i] = some_bits(&dtype_f32);
            if (round % 2)
                x[i] = nl_bits((float)ldexp(uniform(-2, 2), (int)(random_bits() % 45) - 27));
        }
        check_narrowing(_i, x, 1024);
    }
}
END_TEST

/* ---- Halves ---------------------------------------------------------------------------------- */

/* a b + c, rounded so that a second rounding to fewer digits gives what one rounding gives: where
 * it is not exact, to the neighbour whose last digit is odd. The product of halves is exact in
 * double, and TwoSum (Knuth) gives the error of the sum. */
static double to_odd(double a, double b, double c)
{
    const double p = a * b, s = p + c, t = s - p, error = (p - (s - t)) + (c - t);
    uint64_t bits;
    memcpy(&bits, &s, sizeof bits);
    if (!isfinite(s) || error == 0 || bits & 1)
        return s;
    return nextafter(s, error > 0 ? (double)INFINITY : -(double)INFINITY);
}

static void check_muladd(size_t isa, const lanes *a, const lanes *b, const lanes *c)
{
    const words *w = isas[isa].words;
    const dtype *t = &dtype_f16;
    lanes out;
    w->word[WORD_f16_muladd](&out, a, b, c);
    for (size_t l = 0; l < w->lanes16(); l++) {
        const double sum = to_odd(decode(t, a->h[l]), decode(t, b->h[l]), decode(t, c->h[l]));
        const uint32_t once = encode(t, sum), twice = encode(t, (double)(float)sum), got = out.h[l];
        if (!same_of(t, got, once) && !same_of(t, got, twice))
            ck_abort_msg(
                "%s, f16_muladd: lane %zu of a %#x (%a) b %#x (%a) c %#x (%a) is %#x (%a), "
                "not %#x (%a) or %#x",
                isas[isa].name, l, SHOWN(a), SHOWN(b), SHOWN(c), SHOWN(&out), once, decode(t, once),
                twice);
    }
}

/* All triples of special values, in turn in all lanes. */
START_TEST(muladd_special)
{
    lanes a, b, c;
    EACH_ISA(isa, w)
    for (size_t i = 0; i < SPECIALS; i++)
        for (size_t j = 0; j < SPECIALS; j++)
            for (size_t k = 0; k < SPECIALS; k++) {
                for (size_t l = 0; l < w->lanes16(); l++) {
                    a.h[l] = (uint16_t)special(&dtype_f16, i);
                    b.h[l] = (uint16_t)special(&dtype_f16, j + l);
                    c.h[l] = (uint16_t)special(&dtype_f16, k);
                }
                check_muladd(isa, &a, &b, &c);
            }
}
END_TEST

/* Operands of all bits; and sums in which the product and c are alike, cancel, or are as far apart
 * as roundings are. */
START_TEST(muladd_random)
{
    const dtype *t = &dtype_f16;
    lanes a, b, c;
    EACH_ISA(isa, w)
    for (int round = 0; round < 20000; round++) {
        for (size_t l = 0; l < w->lanes16(); l++) {
            a.h[l] = (uint16_t)random_bits();
            b.h[l] = (uint16_t)random_bits();
            c.h[l] = (uint16_t)random_bits();
            if (round % 4 == 0)
                continue;
            b.h[l] = (uint16_t)encode(t, ldexp(uniform(-2, 2), (int)(random_bits() % 20) - 10));
            const double p = decode(t, a.h[l]) * decode(t, b.h[l]);
            const int apart = round % 4 == 1 ? 0 : (int)(random_bits() % 30) - 15;
            if (isfinite(p))
                c.h[l] = (uint16_t)encode(t, ldexp(round % 2 ? -p : p, apart));
        }
        check_muladd(isa, &a, &b, &c);
    }
}
END_TEST

/* ---- Words that are made of others ----------------------------------------------------------- */

static void check_float(size_t isa, const char *word, float got, float want, double a, double b,
                        double c)
{
    if (nl_bits(got) != nl_bits(want))
        ck_abort_msg("%s, %s(%a, %a, %a) is %a, not %a", isas[isa].name, word, a, b, c, got, want);
}

/* The rounding error of the product exactly; a b - p with one rounding for p within a factor of 2.
 */
START_TEST(mulerr)
{
    EACH_ISA(isa, w)
    {
        lanes a, b, p, out;
        for (int round = 0; round < 30000; round++) {
            for (size_t l = 0; l < w->lanes(); l++) {
                a.f[l] = (float)ldexp(uniform(-2, 2), (int)(random_bits() % 40) - 20);
                b.f[l] = (float)ldexp(uniform(1, 2), (int)(random_bits() % 40) - 20);
                p.f[l] = a.f[l] * b.f[l];
                if (round % 2)
                    p.f[l] *= (float)uniform(0.51, 1.99);
            }
            w->word[WORD_f32_mulerr](&out, &a, &b, &p);
            for (size_t l = 0; l < w->lanes(); l++)
                check_float(isa, "mulerr", out.f[l] + 0.0f,
                            (float)((double)a.f[l] * b.f[l] - p.f[l]) + 0.0f, a.f[l], b.f[l],
                            p.f[l]);
        }
    }
}
END_TEST

/* x - n k with one rounding, for n = x / k rounded to eighths, |n| < 2^13. */
START_TEST(remainder_)
{
    static const float ks[] = {0x1.62e43p-1f /* ln 2 */, 0x1.921fb6p1f, 0x1.fffffep-1f, 1.0f};
    EACH_ISA(isa, w)
    {
        lanes x, n, k, out;
        for (int round = 0; round < 30000; round++) {
            k.f[0] = ks[random_bits() % 4];
            const double most = round % 2 ? 110 : 4096 + 88;
            for (size_t l = 0; l < w->lanes(); l++) {
                x.f[l] = (float)uniform(-most, most);
                if (random_bits() % 4 == 0)
                    x.f[l] *= (float)ldexp(1, -(int)(random_bits() % 24));
                n.f[l] = (float)(rint(8 * x.f[l] / (double)k.f[0]) / 8);
            }
            w->word[WORD_f32_remainder](&out, &x, &n, &k);
            for (size_t l = 0; l < w->lanes(); l++)
                check_float(isa, "remainder", out.f[l] + 0.0f,
                            (float)(x.f[l] - (double)n.f[l] * k.f[0]) + 0.0f, x.f[l], n.f[l],
                            k.f[0]);
        }
    }
}
END_TEST

/* a (hi + lo), where lo is the rounding error of hi: within .501 units in the last place; 1 exactly
 * where that is the nearest, for a row of softmax with one element. */
START_TEST(mul2)
{
    EACH_ISA(isa, w)
    {
        lanes a, hi, lo, out;
        for (int round = 0; round < 30000; round++) {
            for (size_t l = 0; l < w->lanes(); l++) {
                a.f[l] = (float)ldexp(uniform(1, 2), -(int)(random_bits() % 90));
                double scale = round % 2 ? uniform(0x1p-20, 2) : 1.0 / a.f[l];
                hi.f[l] = (float)scale;
                lo.f[l] = (float)(scale - hi.f[l]);
            }
            w->word[WORD_f32_mul2](&out, &a, &hi, &lo);
            for (size_t l = 0; l < w->lanes(); l++) {
                double want = (double)a.f[l] * hi.f[l] + (double)a.f[l] * lo.f[l];
                double ulp = ldexp(1, ilogb(want) - 23);
                if (!(fabs(out.f[l] - want) <= 0.501 * ulp))
                    ck_abort_msg("%s, mul2(%a, %a, %a) is %a, not %a", isas[isa].name, a.f[l],
                                 hi.f[l], lo.f[l], out.f[l], want);
            }
        }
    }
}
END_TEST

/* mul2 of each of the n elements, of no others, in place too. */
START_TEST(mul2_row)
{
    EACH_ISA(isa, w)
    {
        const float hi = 0x1.234566p-3f, lo = 0x1.89abcep-29f;
        float x[300], y[301], want[300];
        for (size_t i = 0; i < 300; i++) {
            lanes a, k, l, out;
            for (size_t j = 0; j < w->lanes(); j++)
                a.f[j] = (float)uniform(0, 1), k.f[j] = hi, l.f[j] = lo;
            w->word[WORD_f32_mul2](&out, &a, &k, &l);
            x[i] = a.f[0];
            want[i] = out.f[0];
        }
        for (size_t n = 0; n <= 300; n++) {
            y[n] = 7;
            w->f32_mul2_row(y, x, n, hi, lo);
            ck_assert_mem_eq(y, want, n * sizeof *y);
            ck_assert(y[n] == 7);
            memcpy(y, x, n * sizeof *y);
            w->f32_mul2_row(y, y, n, hi, lo);
            ck_assert_mem_eq(y, want, n * sizeof *y);
        }
    }
}
END_TEST

/* y 2^k with one rounding, for t = 1.5 2^20 + 254 + k + j / 8; a NaN stays one. */
START_TEST(scale8)
{
    EACH_ISA(isa, w)
    {
        lanes y, t, out;
        for (int eighths = -254 * 8; eighths < 129 * 8; eighths++)
            for (int round = 0; round < 30; round++) {
                const int k = (int)floor(eighths / 8.0);
                for (size_t l = 0; l < w->lanes(); l++) {
                    y.f[l] = (float)uniform(0.5, round % 2 ? 4 : 1);
                    t.f[l] = 0x1.8p20f + 254.0f + (float)eighths / 8;
                }
                y.f[0] = round % 2 ? 1.0f : 0.99999994f;
                w->word[WORD_f32_scale8](&out, &y, &t, &t);
                for (size_t l = 0; l < w->lanes(); l++)
                    check_float(isa, "scale8", out.f[l], (float)ldexp(y.f[l], k), y.f[l], t.f[l],
                                k);
            }
        for (size_t l = 0; l < w->lanes(); l++)
            y.i[l] = t.i[l] = l % 2 ? 0x7fc00000 : 0xffc12345;
        w->word[WORD_f32_scale8](&out, &y, &t, &t);
        for (size_t l = 0; l < w->lanes(); l++)
            ck_assert(isnan(out.f[l]));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("words");
    tcase_add_loop_test(add_case(suite, "lanes"), lane_by_lane, 0, WORDS);
    TCase *tests = add_case(suite, "other");
    tcase_add_test(tests, flags);
    tcase_add_test(tests, mask_reductions);
    tcase_add_test(tests, byte_mask_reductions);
    tcase_add_test(tests, first_lane);
    tcase_add_test(tests, fold);
    tcase_add_test(tests, lut16);
    tcase_add_loop_test(tests, loads, 0, MEMORIES);
    tcase_add_loop_test(tests, stores, MEMORY_f32, MEMORY_f32 + 1);
    tcase_add_loop_test(tests, stores, MEMORY_u16, MEMORY_u16 + 1);
    tcase_add_loop_test(tests, stores, MEMORY_i32_u16, MEMORIES);
    tests = add_case(suite, "halves");
    tcase_add_test(tests, muladd_special);
    tcase_add_test(tests, muladd_random);
    tcase_add_loop_test(tests, widening, MEMORY_f16, MEMORIES);
    tcase_add_loop_test(tests, narrowing_borders, MEMORY_f16, MEMORIES);
    tcase_add_loop_test(tests, narrowing_random, MEMORY_f16, MEMORIES);
    tests = add_case(suite, "made of others");
    tcase_add_test(tests, mulerr);
    tcase_add_test(tests, remainder_);
    tcase_add_test(tests, mul2);
    tcase_add_test(tests, mul2_row);
    tcase_add_test(tests, scale8);
    return run_suite(suite);
}
