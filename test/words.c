/* Every word of the vector vocabulary, on every ISA that runs here, against scalar C: words.def,
 * lane by lane, and the rest below. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "nl_config.h"
#include "nonlin.h"
#include "suite.h"
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

static const uint32_t special[] = {
    0x00000000, 0x80000000,                         /* zeros */
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, /* subnormals */
    0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, /* the least and the greatest normals */
    0x7f800000, 0xff800000,                         /* infinities */
    0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff, /* NaNs */
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40490fdb, 0xc2ae0000, /* 1, its neighbours */
    0x4b800000, 0x4b7fffff, 0x7e800000, 0x00ffffff, 0x7fffff80, 0x80000040, /* as integers, ties */
};
enum { SPECIALS = sizeof special / sizeof *special };

static uint32_t some_bits(void)
{
    switch (random_bits() % 4) {
    case 0:
        return special[random_bits() % SPECIALS];
    case 1:
        return nl_bits((float)uniform(-8, 8));
    case 2:
        return random_bits() % 64 - 32;
    default:
        return random_bits();
    }
}

/* ---- Lane by lane ---------------------------------------------------------------------------- */

typedef struct {
    const lanes *a, *b, *c;
    size_t n; /* lanes of a vector */
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
#define COMPUTED(x) (nl_bits(x) | ANY_NAN)
#define MASK(x) ((x) ? 0xffffffffu : 0u)

#define REF_F1(word, ...) REF(word, F(a) return nl_bits(__VA_ARGS__);)
#define REF_F2(word, ...) REF(word, F(a) F(b) return COMPUTED(__VA_ARGS__);)
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
#define REF_IK(word, ...) REF(word, const uint32_t k = o.b->i[0]; return (__VA_ARGS__);)
#define REF_SHIFT(word, ...) REF(word, I(a) const uint32_t s = o.b->i[0]; return (__VA_ARGS__);)
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

static bool is_kind(int word, const char *kind) { return !strcmp(word_kinds[word], kind); }

static void check_word(size_t isa, int word, const lanes *a, const lanes *b, const lanes *c)
{
    const words *w = isas[isa].words;
    const operands o = {a, b, c, w->lanes, w->fused};
    lanes out;
    w->word[word](&out, a, b, c);
    for (size_t l = 0; l < w->lanes; l++) {
        const uint64_t want = wanted[word](o, l);
        const uint32_t bits = (uint32_t)want;
        if (want & NONE || out.i[l] == bits)
            continue;
        if (want & ANY_ZERO && !(out.i[l] & 0x7fffffff) && !(bits & 0x7fffffff))
            continue;
        if (want & ANY_NAN && isnan(out.f[l]) && isnan(nl_float(bits)))
            continue;
        ck_abort_msg(
            "%s, %s: lane %zu of a %08x (%a) b %08x (%a) c %08x (%a) is %08x (%a), not %08x (%a)",
            isas[isa].name, word_names[word], l, a->i[l], a->f[l], b->i[l], b->f[l], c->i[l],
            c->f[l], out.i[l], out.f[l], bits, nl_float(bits));
    }
}

/* Operands in every lane of which something else is the case. */
static void some_operands(int word, lanes *a, lanes *b, lanes *c)
{
    static const uint32_t distance[] = {1, 8, 19, 20, 23, 31};
    for (size_t l = 0; l < LANES_MAX; l++) {
        a->i[l] = some_bits();
        b->i[l] = random_bits() % 4 ? some_bits() : a->i[l];
        c->i[l] = some_bits();
    }
    if (is_kind(word, "SHIFT"))
        b->i[0] = distance[random_bits() % 6];
    /* NaN is not asked of the horizontal words, nor of a scalar operand */
    for (size_t l = 0; l < LANES_MAX && is_kind(word, "FH"); l++)
        if (isnan(a->f[l]))
            a->f[l] = -0.0f;
    if (is_kind(word, "FH") && random_bits() % 2) /* few, or no other would ever be the greatest */
        for (size_t l = 0; l < LANES_MAX; l++)
            a->f[l] = (float)uniform(-100, 100);
}

START_TEST(lane_by_lane)
{
    const int word = _i;
    lanes a, b, c;
    EACH_ISA(isa, w)
    {
        const size_t n = w->lanes;
        for (int round = 0; round < 5000; round++) {
            some_operands(word, &a, &b, &c);
            check_word(isa, word, &a, &b, &c);
        }
        if (is_kind(word, "SHIFT"))
            continue;
        /* all pairs of special values, in every lane */
        for (size_t i = 0; i < SPECIALS; i++)
            for (size_t j = 0; j < SPECIALS; j++) {
                for (size_t l = 0; l < LANES_MAX; l++) {
                    a.i[l] = special[(i + l) % SPECIALS];
                    b.i[l] = special[j];
                    c.i[l] = special[(i + j + l / n) % SPECIALS];
                }
                check_word(isa, word, &a, &b, &c);
            }
    }
}
END_TEST

/* ---- Flags ----------------------------------------------------------------------------------- */

/* The compiler may use nothing in an ISA's files that isa.def does not ask of the CPU. */
#undef F
#define F(feature) | FEATURE_##feature
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
            size_t first = w->lanes;
            for (size_t l = w->lanes; l-- > 0;) {
                m.i[l] = random_bits() & 0x7fffffff;
                if (random_bits() % 20 < density)
                    m.i[first = l] |= 0x80000000u;
            }
            ck_assert_uint_eq(w->m32_first(&m), first);
            ck_assert_int_eq(!w->m32_any(&m), first == w->lanes);
        }
        for (size_t only = 0; only < w->lanes; only++) {
            lanes m = {.i = {0}};
            m.i[only] = 0x80000000u;
            ck_assert_uint_eq(w->m32_first(&m), only);
            ck_assert(w->m32_any(&m));
        }
        for (size_t n = 0; n <= w->lanes; n++) {
            lanes m;
            w->m32_first_n(&m, n);
            for (size_t l = 0; l < w->lanes; l++)
                ck_assert_uint_eq(m.i[l], l < n ? 0xffffffffu : 0);
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
            for (size_t l = 0; l < LANES_MAX; l++)
                a.i[l] = l ? random_bits() : special[i];
            ck_assert_uint_eq(w->i32_first(&a), special[i]);
            float f = w->f32_first(&a);
            ck_assert(nl_bits(f) == special[i] || (isnan(f) && isnan(a.f[0])));
        }
    }
}
END_TEST

/* 32 terms, the lanes folded in halves, in double: the order shows in the last bits. */
START_TEST(fold)
{
    EACH_ISA(isa, w)
    {
        for (int round = 0; round < 3000; round++) {
            lanes a;
            double sum[32];
            for (size_t l = 0; l < 32; l++)
                a.f[l] = (float)ldexp(uniform(1, 2), (int)(random_bits() % 120) - 100);
            for (size_t l = 0; l < 32; l++)
                sum[l] = a.f[l];
            for (size_t half = 16; half; half /= 2)
                for (size_t l = 0; l < half; l++)
                    sum[l] += sum[l + half];
            ck_assert_double_eq(w->f32_fold32(&a), sum[0]);
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

static const uint32_t fill_bits =
    0x7fa00001; /* a signalling NaN: it has to come through as it is */

START_TEST(loads)
{
    size_t size;
    unsigned char *page = guarded(&size);
    EACH_ISA(isa, w)
    {
        for (size_t n = 0; n <= w->lanes; n++)
            for (int end = 0; end < 2; end++) {
                unsigned char *p = end ? page + size - n * 4 : page;
                lanes in, f, i;
                for (size_t l = 0; l < n; l++)
                    in.i[l] = special[(l + n) % SPECIALS];
                memcpy(p, in.i, n * 4);
                w->f32_load_n(&f, (const float *)p, n, nl_float(fill_bits));
                w->i32_load_n(&i, p, n, fill_bits);
                for (size_t l = 0; l < w->lanes; l++) {
                    const uint32_t want = l < n ? in.i[l] : fill_bits;
                    ck_assert_uint_eq(f.i[l], want);
                    ck_assert_uint_eq(i.i[l], want);
                }
                if (n < w->lanes)
                    continue;
                w->f32_load(&f, (const float *)p);
                w->i32_load(&i, p);
                ck_assert_mem_eq(f.i, in.i, n * 4);
                ck_assert_mem_eq(i.i, in.i, n * 4);
            }
        /* at every distance from the end, so at every alignment */
        for (size_t at = w->lanes; at < 2 * w->lanes; at++) {
            const unsigned char *p = page + size - at * 4;
            lanes out;
            w->f32_load(&out, (const float *)p);
            ck_assert_mem_eq(out.i, p, w->lanes * 4);
            w->i32_load(&out, p);
            ck_assert_mem_eq(out.i, p, w->lanes * 4);
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
        lanes v;
        for (size_t l = 0; l < LANES_MAX; l++)
            v.i[l] = special[l % SPECIALS];
        for (size_t n = 0; n <= w->lanes; n++)
            for (size_t at = n; at < n + 20; at++)
                for (int end = 0; end < 2; end++) {
                    unsigned char *p = end ? page + size - at * 4 : page + (at - n) * 4;
                    memset(page, 0xa5, size);
                    w->f32_store_n((float *)p, &v, n);
                    check_stored(page, size, p, v.i, n * 4);
                    if (n < w->lanes)
                        continue;
                    memset(page, 0xa5, size);
                    w->f32_store((float *)p, &v);
                    check_stored(page, size, p, v.i, n * 4);
                }
        for (size_t at = 0; at < 4; at++) { /* a stream is aligned to its vector */
            unsigned char *p = page + size - (at + 1) * w->lanes * 4;
            memset(page, 0xa5, size);
            w->f32_stream((float *)p, &v);
            check_stored(page, size, p, v.i, w->lanes * 4);
        }
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
            for (size_t l = 0; l < w->lanes; l++) {
                a.f[l] = (float)ldexp(uniform(-2, 2), (int)(random_bits() % 40) - 20);
                b.f[l] = (float)ldexp(uniform(1, 2), (int)(random_bits() % 40) - 20);
                p.f[l] = a.f[l] * b.f[l];
                if (round % 2)
                    p.f[l] *= (float)uniform(0.51, 1.99);
            }
            w->word[WORD_f32_mulerr](&out, &a, &b, &p);
            for (size_t l = 0; l < w->lanes; l++)
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
            for (size_t l = 0; l < w->lanes; l++) {
                x.f[l] = (float)uniform(-most, most);
                if (random_bits() % 4 == 0)
                    x.f[l] *= (float)ldexp(1, -(int)(random_bits() % 24));
                n.f[l] = (float)(rint(8 * x.f[l] / (double)k.f[0]) / 8);
            }
            w->word[WORD_f32_remainder](&out, &x, &n, &k);
            for (size_t l = 0; l < w->lanes; l++)
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
            for (size_t l = 0; l < w->lanes; l++) {
                a.f[l] = (float)ldexp(uniform(1, 2), -(int)(random_bits() % 90));
                double scale = round % 2 ? uniform(0x1p-20, 2) : 1.0 / a.f[l];
                hi.f[l] = (float)scale;
                lo.f[l] = (float)(scale - hi.f[l]);
            }
            w->word[WORD_f32_mul2](&out, &a, &hi, &lo);
            for (size_t l = 0; l < w->lanes; l++) {
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

/* y 2^k with one rounding, for t = 1.5 2^20 + 254 + k + j / 8; a NaN stays one. */
START_TEST(scale8)
{
    EACH_ISA(isa, w)
    {
        lanes y, t, out;
        for (int eighths = -254 * 8; eighths < 129 * 8; eighths++)
            for (int round = 0; round < 30; round++) {
                const int k = (int)floor(eighths / 8.0);
                for (size_t l = 0; l < w->lanes; l++) {
                    y.f[l] = (float)uniform(0.5, round % 2 ? 4 : 1);
                    t.f[l] = 0x1.8p20f + 254.0f + (float)eighths / 8;
                }
                y.f[0] = round % 2 ? 1.0f : 0.99999994f;
                w->word[WORD_f32_scale8](&out, &y, &t, &t);
                for (size_t l = 0; l < w->lanes; l++)
                    check_float(isa, "scale8", out.f[l], (float)ldexp(y.f[l], k), y.f[l], t.f[l],
                                k);
            }
        for (size_t l = 0; l < w->lanes; l++)
            y.i[l] = t.i[l] = l % 2 ? 0x7fc00000 : 0xffc12345;
        w->word[WORD_f32_scale8](&out, &y, &t, &t);
        for (size_t l = 0; l < w->lanes; l++)
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
    tcase_add_test(tests, first_lane);
    tcase_add_test(tests, fold);
    tcase_add_test(tests, loads);
    tcase_add_test(tests, stores);
    tests = add_case(suite, "made of others");
    tcase_add_test(tests, mulerr);
    tcase_add_test(tests, remainder_);
    tcase_add_test(tests, mul2);
    tcase_add_test(tests, scale8);
    return run_suite(suite);
}
