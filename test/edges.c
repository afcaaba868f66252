/* What each kernel returns at the edges: special values at every place of every length around the
 * vectors' own, and the floating-point environment of the caller. */
#define _GNU_SOURCE /* feenableexcept */
#include "numeric.h"

#include <errno.h>
#include <fenv.h>
#include <signal.h>

enum { LONGEST = 80 }; /* four of the widest vectors, and a tail */

/* Logits of no special value, the same every time. */
static void ordinary(float *x, size_t n)
{
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++)
        x[i] = random_uniform(&random, 0.01, 20);
}

/* ---- Elementwise ---------------------------------------------------------------------------- */

/* Results to the bit, or where `near` is set, to one unit in the last place, and of the same kind:
 * not zero, not infinite. A NaN stands for any quiet one. */
typedef struct {
    float x, want;
    bool near;
} special;

static const special special_exp[] = {
    {0.0f, 1, false},
    {-0.0f, 1, false},
    {-INFINITY, 0, false},
    {INFINITY, INFINITY, false},
    {1, 0x1.5bf0a8p1f, true},
    /* overflow: the last finite result and what follows */
    {0x1.62e42ep6f, 0x1.ffff08p127f, true},
    {0x1.62e43p6f, INFINITY, false},
    {89, INFINITY, false},
    {FLT_MAX, INFINITY, false},
    /* underflow: the last normal result, subnormals, zero */
    {-0x1.5d589ep6f, 0x1.00004cp-126f, true},
    {-0x1.5d5c28p6f, 0x1.fe3c6p-127f, true},
    {-88, 0x1.07b71p-127f, true},
    {-100, 0x1.bp-145f, true},
    {-103, 0x1p-149f, true},
    {-0x1.9fe148p6f, 0x1p-149f, true},
    {-0x1.9feb86p6f, 0, false},
    {-104, 0, false},
    {-1000, 0, false},
    {-FLT_MAX, 0, false},
};

static const special special_log[] = {
    {1, 0, false},
    {0.0f, -INFINITY, false},
    {-0.0f, -INFINITY, false},
    {INFINITY, INFINITY, false},
    {-0x1p-149f, NAN, false},
    {-FLT_MIN, NAN, false},
    {-1, NAN, false},
    {-FLT_MAX, NAN, false},
    {-INFINITY, NAN, false},
    {0x1p-149f, -0x1.9d1dap6f, true},
    {0x1p-127f, -0x1.601e68p6f, true},
    {0x1.fffffcp-127f, -0x1.5d58ap6f, true},
    {FLT_MIN, -0x1.5d58ap6f, true},
    {FLT_MAX, 0x1.62e43p6f, true},
    {0x1.fffffep-1f, -0x1p-24f, true},
    {0x1.000002p0f, 0x1.fffffep-24f, true},
};

typedef struct {
    const special *s;
    size_t count;
} specials;

/* The table of every MAP kernel, in the order of float_kernels. */
#define KERNEL(op, dtype, class) SPECIAL_##class(op)
#define SPECIAL_MAP(op) {special_##op, COUNT(special_##op)},
#define SPECIAL_ROW(op) {NULL, 0},
#define SPECIAL_ARGMAX(op)
static const specials map_specials[] = {
#include "kernels.def"
};
#undef KERNEL

static bool meets(const special *s, float got)
{
    if (!s->near || is_nan(got))
        return same(got, s->want);
    const uint32_t a = to_bits(got), b = to_bits(s->want);
    return a - b + 1 <= 2 && a << 1 && a << 1 != 0xff000000u;
}

/* Each special value at each place; the others are as without it. */
START_TEST(test_map_places)
{
    FLOAT_CASE(k)
    if (k->class != MAP)
        return;
    const specials *table = &map_specials[k - float_kernels];
    float x[LONGEST], y[LONGEST], alone[LONGEST];
    ordinary(x, LONGEST);
    for (size_t i = 0; i < LONGEST; i++)
        CALL(k, k->fn(alone + i, x + i, 1));
    for (size_t n = 1; n <= LONGEST; n++)
        for (size_t place = 0; place < n; place++)
            for (size_t v = 0; v < table->count + COUNT(nans); v++) {
                const special *s = v < table->count
                                       ? &table->s[v]
                                       : &(special){from_bits(nans[v - table->count]), NAN, false};
                const float was = x[place];
                x[place] = s->x;
                CALL(k, k->fn(y, x, n));
                x[place] = was;
                for (size_t i = 0; i < n; i++)
                    if (i == place ? !meets(s, y[i]) : !same(y[i], alone[i]))
                        FAIL(k, "n %zu, %s at %zu: element %zu: got %s, want %s", n, show(s->x),
                             place, i, show(y[i]), show(i == place ? s->want : alone[i]));
            }
}
END_TEST

/* Vectors of one special value only, and of all of them, in place. */
START_TEST(test_map_full)
{
    FLOAT_CASE(k)
    if (k->class != MAP)
        return;
    const specials *table = &map_specials[k - float_kernels];
    float y[LONGEST], was[LONGEST], alone;
    for (size_t n = 1; n <= LONGEST; n++)
        for (size_t v = 0; v < table->count + COUNT(nans); v++) {
            special s = v < table->count ? table->s[v]
                                         : (special){from_bits(nans[v - table->count]), NAN, false};
            for (size_t i = 0; i < n; i++)
                memcpy(&y[i], &s.x, sizeof *y);
            CALL(k, k->fn(y, y, n));
            for (size_t i = 0; i < n; i++)
                if (!meets(&s, y[i]))
                    FAIL(k, "n %zu, all %s: element %zu: got %s, want %s", n, show(s.x), i,
                         show(y[i]), show(s.want));
        }
    uint64_t random = 2;
    for (int round = 0; round < 50; round++)
        for (size_t n = 1; n <= LONGEST; n++) {
            for (size_t i = 0; i < n; i++) {
                size_t v = random_below(&random, table->count + COUNT(nans));
                was[i] = v < table->count ? table->s[v].x : from_bits(nans[v - table->count]);
            }
            memcpy(y, was, sizeof y);
            CALL(k, k->fn(y, y, n));
            for (size_t i = 0; i < n; i++) {
                CALL(k, k->fn(&alone, &was[i], 1));
                if (!same(y[i], alone))
                    FAIL(k, "n %zu, mixed: element %zu: x %s, got %s, want %s", n, i, show(was[i]),
                         show(y[i]), show(alone));
            }
        }
}
END_TEST

/* ---- Rows ----------------------------------------------------------------------------------- */

/* What a ROW kernel gives an element of -inf beside finite ones, and the only element of a row. */
typedef struct {
    float masked, only;
} row_special;

static const row_special row_softmax = {0.0f, 1.0f};
static const row_special row_log_softmax = {-INFINITY, 0.0f};

#define KERNEL(op, dtype, class) ROW_##class(op)
#define ROW_MAP(op) NULL,
#define ROW_ROW(op) &row_##op,
#define ROW_ARGMAX(op)
static const row_special *const row_specials[] = {
#include "kernels.def"
};
#undef KERNEL

#define ROW_CASE(k)      \
    FLOAT_CASE(k)        \
    if (k->class != ROW) \
        return;

static void all_nan(const float_kernel *k, const float *x, size_t n, const char *what, size_t place)
{
    float y[LONGEST];
    CALL(k, k->fn(y, x, n));
    for (size_t i = 0; i < n; i++)
        if (!is_quiet_nan(y[i]))
            FAIL(k, "n %zu, %s at %zu: element %zu: x %s, got %s, want NaN", n, what, place, i,
                 show(x[i]), show(y[i]));
}

/* A NaN or an infinity spoils its row, whatever the others are. */
START_TEST(test_row_spoiled)
{
    float x[LONGEST] = {0}, y[LONGEST];
    ROW_CASE(k)
    for (int others = 0; others < 5; others++)
        for (size_t n = 1; n <= LONGEST; n++) {
            ordinary(x, n);
            for (size_t i = 0; i < n; i++)
                switch (others) {
                case 1: /* masked */
                    x[i] = -INFINITY;
                    break;
                case 2: /* half of them masked */
                    x[i] = i % 2 ? -INFINITY : x[i];
                    break;
                case 3: /* dominated by one */
                    x[i] = i == n / 2 ? 1000 : x[i];
                    break;
                case 4:
                    x[i] = i % 3 ? FLT_MAX : -FLT_MAX;
                    break;
                }
            for (size_t place = 0; place < n; place++) {
                memcpy(y, x, sizeof y);
                for (size_t v = 0; v < COUNT(nans); v++) {
                    y[place] = from_bits(nans[v]);
                    all_nan(k, y, n, show(y[place]), place);
                }
                y[place] = INFINITY;
                all_nan(k, y, n, "inf", place);
                y[n - 1 - place] = INFINITY;
                all_nan(k, y, n, "inf twice", place);
                y[place] = NAN;
                all_nan(k, y, n, "NaN, and inf", place);
                y[n - 1 - place] = -INFINITY;
                y[place] = INFINITY;
                all_nan(k, y, n, "inf, and -inf", place);
            }
            for (size_t i = 0; i < n; i++)
                x[i] = -INFINITY;
            all_nan(k, x, n, "-inf everywhere", 0);
        }
}
END_TEST

/* A few units in the last place apart, as two results within the bounds may be; or both next to
 * nothing. */
static bool close_to(float a, float b)
{
    const float larger = fmaxf(fabsf(a), fabsf(b));
    return same(a, b) || fabsf(a - b) <= fminf(0x1p-21f * larger, FLT_MAX) || larger < 0x1p-120f;
}

/* -inf gives its own result, and leaves the others as a term that counts as nothing does, to the
 * bit, and as if the row were shorter. */
START_TEST(test_row_masked)
{
    float x[LONGEST], y[LONGEST], want[LONGEST];
    ROW_CASE(k)
    const row_special *s = row_specials[k - float_kernels];
    for (size_t n = 2; n <= LONGEST; n++) {
        ordinary(x, n);
        for (size_t place = 0; place < n; place++) {
            const float was = x[place];
            x[place] = -1e5f;
            CALL(k, k->fn(want, x, n));
            want[place] = s->masked;
            x[place] = -INFINITY;
            CALL(k, k->fn(y, x, n));
            x[place] = was;
            for (size_t i = 0; i < n; i++)
                if (!same(y[i], want[i]))
                    FAIL(k, "n %zu, -inf at %zu: element %zu: got %s, want %s", n, place, i,
                         show(y[i]), show(want[i]));
        }
        for (size_t kept = 1; kept < n; kept++) {
            ordinary(x, n);
            CALL(k, k->fn(want, x, kept));
            for (size_t i = kept; i < n; i++) {
                x[i] = -INFINITY;
                want[i] = s->masked;
            }
            CALL(k, k->fn(y, x, n));
            for (size_t i = 0; i < n; i++)
                if (!close_to(y[i], want[i]))
                    FAIL(k, "n %zu, -inf from %zu: element %zu: got %s, want %s", n, kept, i,
                         show(y[i]), show(want[i]));
        }
        /* all but one masked, the one being any finite number */
        static const float ones[] = {0.0f, -0.0f, 1,     -1,      0x1p-149f,
                                     4096, -4097, 1e30f, FLT_MAX, -FLT_MAX};
        for (size_t place = 0; place < n; place++)
            for (size_t v = 0; v < COUNT(ones); v++) {
                for (size_t i = 0; i < n; i++)
                    x[i] = i == place ? ones[v] : -INFINITY;
                CALL(k, k->fn(y, x, n));
                for (size_t i = 0; i < n; i++)
                    if (i == place ? y[i] != s->only : !same(y[i], s->masked))
                        FAIL(k, "n %zu, only %s at %zu: element %zu: got %s", n, show(ones[v]),
                             place, i, show(y[i]));
            }
    }
}
END_TEST

/* One element, of any finite value. */
START_TEST(test_row_one)
{
    ROW_CASE(k)
    const float want = row_specials[k - float_kernels]->only;
    for (uint32_t i = 0; i < 1u << 18; i++) {
        const float x = from_bits(i * 16411u);
        float y;
        CALL(k, k->fn(&y, &x, 1));
        if (isfinite(x) ? y != want : !is_quiet_nan(y))
            FAIL(k, "n 1: x %s, got %s", show(x), show(y));
    }
}
END_TEST

/* Equal logits have equal results, over the borders of blocks too. */
START_TEST(test_row_equal)
{
    static float x[5000], y[5000];
    static const float values[] = {0.0f, 1,     -7.3f, 20,      -0x1p-149f, 4096,
                                   4097, -5000, 1e30f, FLT_MAX, -FLT_MAX};
    ROW_CASE(k)
    for (size_t v = 0; v < COUNT(values); v++)
        for (size_t n = 1; n <= COUNT(x); n += n < 600 ? 1 : 487) {
            for (size_t i = 0; i < n; i++)
                x[i] = values[v];
            CALL(k, k->fn(y, x, n));
            for (size_t i = 0; i < n; i++)
                if (to_bits(y[i]) != to_bits(y[0]) || !isfinite(y[0]))
                    FAIL(k, "n %zu, all %s: element %zu: got %s and %s", n, show(x[0]), i,
                         show(y[i]), show(y[0]));
        }
}
END_TEST

/* Spreads beyond FLT_MAX: the maximum takes all, and what is far below gets nothing. */
START_TEST(test_row_spread)
{
    float x[LONGEST], y[LONGEST];
    ROW_CASE(k)
    const row_special *s = row_specials[k - float_kernels];
    static const float spreads[][2] = {{FLT_MAX, -FLT_MAX}, {1e30f, -1e30f},   {FLT_MAX, 0},
                                       {0, -FLT_MAX},       {5000, -5000},     {4096, -FLT_MAX},
                                       {-4096, -1e9f},      {1e30f, -INFINITY}};
    for (size_t v = 0; v < COUNT(spreads); v++)
        for (size_t n = 1; n <= LONGEST; n++)
            for (size_t place = 0; place < n; place++) {
                for (size_t i = 0; i < n; i++)
                    x[i] = spreads[v][i != place];
                CALL(k, k->fn(y, x, n));
                for (size_t i = 0; i < n; i++) {
                    const float far = s->masked == 0 ? 0 : spreads[v][1] - spreads[v][0];
                    if (i == place ? y[i] != s->only : !same(y[i], far))
                        FAIL(k, "n %zu, %s at %zu, else %s: element %zu: got %s", n,
                             show(spreads[v][0]), place, show(spreads[v][1]), i, show(y[i]));
                }
            }
}
END_TEST

/* In place as out of place, when one element of the row, wherever it is, upsets what the others
 * would suggest. */
START_TEST(test_row_in_place)
{
    enum { MOST = 5000 };
    static float x[MOST], y[MOST], want[MOST];
    static const size_t longer[] = {511, 512, 513, 700, 1024, 1537, MOST};
    static const float odd[] = {45,   100,   3000,     4096,      5000,     1e30f, FLT_MAX,
                                -100, -5000, -FLT_MAX, -INFINITY, INFINITY, NAN};
    ROW_CASE(k)
    for (size_t l = 1; l <= LONGEST + COUNT(longer); l++) {
        const size_t n = l <= LONGEST ? l : longer[l - LONGEST - 1];
        for (int others = 0; others < 4; others++) {
            /* ordinary; beyond the border below and above; masked */
            static const float shifts[] = {0, -5000, 5000, -INFINITY};
            ordinary(x, n);
            for (size_t i = 0; i < n; i++)
                x[i] += shifts[others];
            for (size_t place = 0; place<n; place += n> LONGEST ? 61 : 1)
                for (size_t v = 0; v < COUNT(odd); v++) {
                    const float was = x[place];
                    x[place] = odd[v];
                    memcpy(y, x, n * sizeof *y);
                    CALL(k, k->fn(want, x, n));
                    CALL(k, k->fn(y, y, n));
                    for (size_t i = 0; i < n; i++)
                        if (!same(y[i], want[i]))
                            FAIL(k,
                                 "n %zu, others near %g, %s at %zu: element %zu: x %s, got %s, "
                                 "want %s",
                                 n, (double)shifts[others], show(odd[v]), place, i, show(x[i]),
                                 show(y[i]), show(want[i]));
                    x[place] = was;
                }
        }
    }
}
END_TEST

/* Rows beyond every cache, where a kernel may go another way. */
enum { LONG = (1 << 22) + 3 * 512 + 77, SHORTER = 390 * 512 + 55 };

/* Rows of every kind, and rows whose maximum is found late, or over and over. */
enum { RISING = ROW_KIND_COUNT, FALLING, STEPS, PAST_4096, FROM_BELOW, LONG_KINDS };

static void fill_long(int kind, float *x, size_t n)
{
    uint64_t random = (uint64_t)kind + 1;
    if (kind < (int)ROW_KIND_COUNT) {
        fill_row((row_kind)kind, &random, x, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const float place = (float)i / (float)n;
        switch (kind) {
        case RISING:
            x[i] = -4000 + 8000 * place;
            break;
        case FALLING:
            x[i] = 4000 - 8000 * place;
            break;
        case STEPS: /* each block above the last, by little or by much */
            x[i] = (float)(i / 512 * (i % 3 ? 10 : 1)) + random_uniform(&random, -1, 1);
            break;
        case PAST_4096:
            x[i] = 3000 + 2000 * place;
            break;
        case FROM_BELOW:
            x[i] = i < n / 2 ? -FLT_MAX : random_uniform(&random, -5000, -4000);
            break;
        }
    }
}

/* The same of long rows: one of which most is masked has the results of a short one. */
START_TEST(test_row_long_masked)
{
    static float x[LONG], y[LONG], want[SHORTER];
    static const size_t befores[] = {0, 700 * 512 + 5};
    static const int kinds[] = {UNIFORM_20, PEAK_30,    WIDE_200,         MAX_4096,
                                MASK_INF,   ABOVE_4096, BELOW_MINUS_4096, RISING,
                                FALLING,    STEPS,      PAST_4096,        FROM_BELOW};
    ROW_CASE(k)
    const float masked = row_specials[k - float_kernels]->masked;
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t b = 0; b < COUNT(befores); b++) {
            const size_t before = befores[b];
            for (size_t i = 0; i < LONG; i++)
                x[i] = -INFINITY;
            fill_long(kinds[kind], x + before, SHORTER);
            CALL(k, k->fn(want, x + before, SHORTER));
            CALL(k, k->fn(y, x, LONG));
            for (size_t i = 0; i < LONG; i++) {
                const bool inside = i >= before && i < before + SHORTER;
                const float w = inside ? want[i - before] : masked;
                if (inside ? !close_to(y[i], w) : !same(y[i], w))
                    FAIL(k,
                         "long row of kind %d after %zu times -inf: element %zu: x %s, got %s, "
                         "want %s",
                         kinds[kind], before, i, show(x[i]), show(y[i]), show(w));
            }
        }
}
END_TEST

START_TEST(test_row_long_spoiled)
{
    static float x[LONG], y[LONG];
    static const size_t places[] = {0, 512, LONG / 2, LONG - 1};
    static const int kinds[] = {MASK_INF, ABOVE_4096, RISING, LONG_KINDS};
    ROW_CASE(k)
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (size_t place = 0; place < COUNT(places); place++) {
            const float spoilers[] = {INFINITY, from_bits(nans[place])};
            for (size_t s = 0; s < COUNT(spoilers); s++) {
                if (kinds[kind] == LONG_KINDS)
                    for (size_t i = 0; i < LONG; i++)
                        x[i] = -INFINITY;
                else if (s == 0)
                    fill_long(kinds[kind], x, LONG);
                x[places[place]] = spoilers[s];
                CALL(k, k->fn(y, x, LONG));
                for (size_t i = 0; i < LONG; i++)
                    if (!is_quiet_nan(y[i]))
                        FAIL(k, "long row of kind %d, %s at %zu: element %zu: x %s, got %s",
                             kinds[kind], show(spoilers[s]), places[place], i, show(x[i]),
                             show(y[i]));
            }
        }
    for (size_t i = 0; i < LONG; i++)
        x[i] = -INFINITY;
    CALL(k, k->fn(y, x, LONG));
    for (size_t i = 0; i < LONG; i++)
        if (!is_quiet_nan(y[i]))
            FAIL(k, "long row of -inf: element %zu: got %s", i, show(y[i]));
}
END_TEST

/* softmax: a logit ahead of all others by 20 or more has exactly 1 if that is the nearest float. */
START_TEST(test_softmax_ahead)
{
    float x[LONGEST], y[LONGEST];
    static const float aheads[] = {20, 20.5f, 21, 22, 23, 25, 30, 50, 100};
    const float_kernel softmax = {"softmax_f32", ROW, nonlin_softmax_f32, nonlin_softmax_rows_f32},
                       *k = &softmax;
    if (!use_isa((size_t)_i))
        return;
    for (float top = -10; top <= 10; top += 0.625f)
        for (size_t a = 0; a < COUNT(aheads); a++)
            for (size_t n = 2; n <= LONGEST; n++) {
                if ((double)(n - 1) * exp(-(double)aheads[a]) >= 0x1p-25)
                    continue;
                for (size_t place = 0; place < n; place++) {
                    for (size_t i = 0; i < n; i++)
                        x[i] = i == place ? top : top - aheads[a];
                    CALL(k, k->fn(y, x, n));
                    if (y[place] != 1)
                        FAIL(k, "n %zu, %s at %zu, ahead by %g: got %s", n, show(top), place,
                             (double)aheads[a], show(y[place]));
                }
            }
}
END_TEST

/* ---- Argmax --------------------------------------------------------------------------------- */

static void want_index(const index_kernel *k, const float *x, size_t n, size_t want,
                       const char *what)
{
    int32_t got = -1;
    CALL(k, k->fn(&got, x, n));
    if (got != (int32_t)want)
        FAIL(k, "n %zu, %s: got %" PRId32 ", want %zu", n, what, got, want);
}

START_TEST(test_argmax)
{
    float x[LONGEST];
    static const float all[] = {-INFINITY, INFINITY, 0.0f,      -0.0f,      -1,
                                FLT_MAX,   -FLT_MAX, 0x1p-149f, -0x1p-149f, NAN};
    /* less than, greater than */
    static const float pairs[][2] = {{-INFINITY, -FLT_MAX},
                                     {-FLT_MAX, -0x1.fffffcp127f},
                                     {-1, -0.0f},
                                     {-1, 0.0f},
                                     {-FLT_MIN, -0x1p-149f},
                                     {-0x1p-149f, -0.0f},
                                     {-0x1p-149f, 0.0f},
                                     {-0.0f, 0x1p-149f},
                                     {0.0f, 0x1p-149f},
                                     {0x1p-149f, 0x1p-148f},
                                     {1, 0x1.000002p0f},
                                     {0x1.fffffcp127f, FLT_MAX},
                                     {FLT_MAX, INFINITY},
                                     {-INFINITY, INFINITY}};
    INDEX_CASE(k)
    for (size_t n = 1; n <= LONGEST; n++) {
        for (size_t v = 0; v < COUNT(all); v++) {
            for (size_t i = 0; i < n; i++)
                x[i] = all[v];
            want_index(k, x, n, 0, "all equal");
        }
        for (size_t v = 0; v < COUNT(nans); v++) {
            for (size_t i = 0; i < n; i++)
                x[i] = from_bits(nans[v]);
            want_index(k, x, n, 0, "all NaN");
        }
        for (size_t i = 0; i < n; i++)
            x[i] = i % 2 ? 0.0f : -0.0f;
        want_index(k, x, n, 0, "-0 and +0");
        for (size_t i = 0; i < n; i++)
            x[i] = i % 2 ? -0.0f : 0.0f;
        want_index(k, x, n, 0, "+0 and -0");
        for (size_t place = 0; place < n; place++) {
            for (size_t v = 0; v < COUNT(pairs); v++) {
                for (size_t i = 0; i < n; i++)
                    x[i] = pairs[v][i == place];
                want_index(k, x, n, place, "one greater");
                for (size_t i = place + 1; i < n; i++)
                    x[i] = pairs[v][1];
                want_index(k, x, n, place, "greater from there on");
            }
            for (size_t v = 0; v < COUNT(nans); v++)
                for (size_t b = 0; b < COUNT(all) - 1; b++) {
                    for (size_t i = 0; i < n; i++)
                        x[i] = all[b];
                    x[place] = from_bits(nans[v]);
                    want_index(k, x, n, place, "a NaN");
                    /* another NaN after it, of the greatest or of the least encoding */
                    x[n - 1] = from_bits(nans[v % 2 ? 2 : 5]);
                    want_index(k, x, n, place, "two NaNs");
                }
        }
    }
}
END_TEST

/* ---- The environment ------------------------------------------------------------------------ */

/* The control word but for the sticky flags, as a number. */
#if defined(__SSE__)
#include <xmmintrin.h>
static uint64_t control(void) { return _mm_getcsr() & ~0x3fu; }
static void flush_to_zero(bool results, bool sources)
{
    _mm_setcsr(_mm_getcsr() | (results ? 0x8000u : 0) | (sources ? 0x0040u : 0));
}
static void change(uint32_t set) { _mm_setcsr(_mm_getcsr() | set); }
#elif defined(__aarch64__)
static uint64_t control(void)
{
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
}
static void flush_to_zero(bool results, bool sources)
{
    if (results || sources)
        __asm__ volatile("msr fpcr, %0" ::"r"(control() | UINT64_C(1) << 24));
}
static void change(uint32_t set) { (void)set; }
#else
static uint64_t control(void) { return 0; }
static void flush_to_zero(bool results, bool sources) { (void)results, (void)sources; }
static void change(uint32_t set) { (void)set; }
#endif

typedef struct {
    const char *name;
    int rounding;
    bool flush_results, flush_sources, unmask;
    uint32_t set; /* x86: bits of MXCSR, the x87 control word left as it is */
} environment;

static const environment environments[] = {
    {"flush-to-zero", FE_TONEAREST, true, false, false, 0},
    {"denormals-are-zero", FE_TONEAREST, false, true, false, 0},
    {"flush-to-zero and denormals-are-zero", FE_TONEAREST, true, true, false, 0},
#ifdef FE_UPWARD
    {"upward", FE_UPWARD, false, false, false, 0},
    {"upward, all at once", FE_UPWARD, true, true, true, 0},
#endif
#ifdef FE_DOWNWARD
    {"downward", FE_DOWNWARD, false, false, false, 0},
#endif
#ifdef FE_TOWARDZERO
    {"toward zero", FE_TOWARDZERO, false, false, false, 0},
#endif
    {"exceptions unmasked", FE_TONEAREST, false, false, true, 0},
#if defined(__SSE__)
    {.name = "upward in MXCSR alone", .set = 0x4000},
#endif
};

static void enter(const environment *e)
{
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(e->rounding);
#ifdef __GLIBC__
    if (e->unmask)
        feenableexcept(FE_ALL_EXCEPT);
#endif
    flush_to_zero(e->flush_results, e->flush_sources);
    if (e->set)
        change(e->set);
}

static int unmasked(void)
{
#ifdef __GLIBC__
    return fegetexcept();
#else
    return 0;
#endif
}

/* An exception that is taken becomes a message; the handler starts in the default environment. */
static const char *within, *within_kernel;

static void on_exception(int number)
{
    signal(number, SIG_DFL);
    fesetenv(FE_DFL_ENV);
    if (within)
        ck_abort_msg("%s %s: %s: took a floating-point exception", nonlin_active_isa(),
                     within_kernel, within);
}

/* Runs `call` in an environment and demands that it is found as it was. Nothing is computed
 * meanwhile. */
#define WITHIN(k, e, call)                                                                        \
    do {                                                                                          \
        within = (e)->name;                                                                       \
        within_kernel = (k)->name;                                                                \
        enter(e);                                                                                 \
        const uint64_t control_ = control();                                                      \
        const int rounding_ = fegetround(), unmasked_ = unmasked();                               \
        const nonlin_status status_ = (call);                                                     \
        const uint64_t control_now_ = control();                                                  \
        const int rounding_now_ = fegetround(), unmasked_now_ = unmasked();                       \
        fesetenv(FE_DFL_ENV);                                                                     \
        within = NULL;                                                                            \
        if (status_ != NONLIN_OK)                                                                 \
            FAIL(k, "%s: %s", (e)->name, nonlin_status_string(status_));                          \
        if (control_ != control_now_ || rounding_ != rounding_now_ || unmasked_ != unmasked_now_) \
            FAIL(k, "%s: control word %#" PRIx64 " became %#" PRIx64 ", rounding %d became %d",   \
                 (e)->name, control_, control_now_, rounding_, rounding_now_);                    \
    } while (0)

enum { ENVIRONMENT_N = 4096 };

/* All bit patterns, where denormals are many, and rows of every kind. */
static void fill_environment(const float_kernel *k, int round, float *x, size_t n)
{
    uint64_t random = (uint64_t)round + 1;
    if (k && k->class == ROW) {
        fill_row((row_kind)round % ROW_KIND_COUNT, &random, x, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random64(&random);
        const int kind = (int)(r >> 62);
        x[i] = kind == 0   ? from_bits((uint32_t)r)
               : kind == 1 ? from_bits((uint32_t)r & 0x807fffffu)
               : kind == 2 ? random_uniform(&random, -104, -87)
                           : random_gaussian(&random);
    }
}

START_TEST(test_environment)
{
    static float x[ENVIRONMENT_N], y[ENVIRONMENT_N], want[ENVIRONMENT_N];
    FLOAT_CASE(k)
    signal(SIGFPE, on_exception);
    for (int round = 0; round < 3 * ROW_KIND_COUNT; round++) {
        const size_t n = round % 3 == 0 ? 80 : round % 3 == 1 ? 17 : ENVIRONMENT_N;
        fill_environment(k, round, x, n);
        CALL(k, k->fn(want, x, n));
        for (size_t e = 0; e < COUNT(environments); e++) {
            for (int rows = 0; rows < 2; rows++) {
                memset(y, 0, sizeof y);
                if (rows)
                    WITHIN(k, &environments[e], k->rows(y, n, x, n, 1, n));
                else
                    WITHIN(k, &environments[e], k->fn(y, x, n));
                for (size_t i = 0; i < n; i++)
                    if (!same(y[i], want[i]))
                        FAIL(k, "%s, n %zu, round %d: element %zu: x %s, got %s, want %s",
                             environments[e].name, n, round, i, show(x[i]), show(y[i]),
                             show(want[i]));
            }
        }
    }
}
END_TEST

START_TEST(test_environment_index)
{
    static float x[ENVIRONMENT_N];
    INDEX_CASE(k)
    signal(SIGFPE, on_exception);
    for (int round = 0; round < 200; round++) {
        const size_t n = round % 2 ? 37 : ENVIRONMENT_N;
        int32_t want = -1;
        fill_environment(NULL, round, x, n);
        for (size_t i = 0; i < n; i++)
            if (round % 4 < 2) /* zeros and subnormals only */
                x[i] = from_bits(to_bits(x[i]) & 0x807fffffu);
        CALL(k, k->fn(&want, x, n));
        for (size_t e = 0; e < COUNT(environments); e++) {
            int32_t got = -1, got_row = -1;
            WITHIN(k, &environments[e], k->fn(&got, x, n));
            WITHIN(k, &environments[e], k->rows(&got_row, x, n, 1, n));
            if (got != want || got_row != want)
                FAIL(k, "%s, n %zu: got %" PRId32 " and %" PRId32 ", want %" PRId32,
                     environments[e].name, n, got, got_row, want);
        }
    }
}
END_TEST

/* errno stays what it was, also where the C library's function of that name would set it. */
START_TEST(test_errno)
{
    static const float x[] = {-1, 0, INFINITY, -INFINITY, NAN, 1000, -1000, 0x1p-149f};
    float y[COUNT(x)];
    int32_t index;
    if (!use_isa((size_t)_i))
        return;
    for (size_t n = 0; n <= COUNT(x); n++) {
        errno = 4711;
        for (size_t k = 0; k < FLOAT_KERNELS; k++) {
            (void)float_kernels[k].fn(y, x, n);
            (void)float_kernels[k].rows(y, n, x, n, 1, n);
            (void)float_kernels[k].fn(NULL, x, n);
        }
        for (size_t k = 0; k < INDEX_KERNELS; k++) {
            (void)index_kernels[k].fn(&index, x, n);
            (void)index_kernels[k].rows(&index, x, n, 1, n);
        }
        ck_assert_int_eq(errno, 4711);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("edges");
    const int isas = (int)nonlin_isa_count();
    TCase *map = add_case(suite, "elementwise");
    EACH_FLOAT(map, test_map_places);
    EACH_FLOAT(map, test_map_full);
    TCase *row = add_case(suite, "rows");
    EACH_FLOAT(row, test_row_spoiled);
    EACH_FLOAT(row, test_row_masked);
    EACH_FLOAT(row, test_row_one);
    EACH_FLOAT(row, test_row_equal);
    EACH_FLOAT(row, test_row_spread);
    EACH_FLOAT(row, test_row_in_place);
    EACH_FLOAT(row, test_row_long_masked);
    EACH_FLOAT(row, test_row_long_spoiled);
    tcase_add_loop_test(row, test_softmax_ahead, 0, isas);
    TCase *index = add_case(suite, "argmax");
    EACH_INDEX(index, test_argmax);
    TCase *environment = add_case(suite, "environment");
    EACH_FLOAT(environment, test_environment);
    EACH_INDEX(environment, test_environment_index);
    tcase_add_loop_test(environment, test_errno, 0, isas);
    return run_suite(suite);
}
