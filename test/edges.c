/* What each kernel returns at the edges: special values at every place of every length around the
 * vectors' own, and the floating-point environment of the caller. */
#define _GNU_SOURCE /* feenableexcept */
#include "numeric.h"
#include "specials.h"

#include <errno.h>
#include <fenv.h>
#include <signal.h>

enum { LONGEST = 80 }; /* four vectors of 16 floats, and a tail */

/* Logits of no special value, the same every time. */
static void ordinary(float *x, size_t n)
{
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++)
        x[i] = random_uniform(&random, 0.01, 20);
}

/* ---- Elementwise ---------------------------------------------------------------------------- */

/* The table of every elementwise kernel, in the order of kernels[]. */
typedef struct {
    const special *one;
    const special2 *two;
    size_t count;
} specials;

#define KERNEL(op, dtype, class) SPECIAL_##class(op##_##dtype)
#define SPECIAL_MAP(name) {special_##name, NULL, COUNT(special_##name)},
#define SPECIAL_MAP2(name) {NULL, special_##name, COUNT(special_##name)},
#define SPECIAL_ROW(name) {NULL, NULL, 0},
#define SPECIAL_ARGMAX(name) {NULL, NULL, 0},
static const specials map_specials[] = {
#include "kernels.def"
};
#undef KERNEL

/* The special inputs of a kernel: its table's, then the NaNs; x is a kernel's second source, if it
 * has two. */
typedef struct {
    uint32_t u, x, want;
    unsigned near;
} special_bits;

/* What a NaN meets in the other source: each in both, and a NaN in both. */
static const double beside_nan[] = {1, 0.0, INFINITY, -INFINITY};
enum { NAN_PAIRS = 2 * COUNT(beside_nan) + 1 };

static size_t special_count(const kernel *k)
{
    return map_specials[k - kernels].count + (k->pair ? NAN_PAIRS * NANS : NANS);
}

static special_bits special_nan(const kernel *k, size_t i)
{
    const dtype *t = k->type;
    const uint32_t nan = nan_of(t, i % NANS), want = encode(t, (double)NAN);
    const size_t pair = i / NANS; /* 0 where there is one source */
    if (pair == NAN_PAIRS - 1)
        return (special_bits){nan_of(t, (i + 3) % NANS), nan, want, 0};
    const uint32_t other = encode(t, beside_nan[pair / 2]);
    return pair % 2 ? (special_bits){nan, other, want, 0} : (special_bits){other, nan, want, 0};
}

static special_bits special_of(const kernel *k, size_t i)
{
    const dtype *t = k->type;
    const specials table = map_specials[k - kernels];
    if (i >= table.count)
        return special_nan(k, i - table.count);
    if (table.two) {
        const special2 *s = &table.two[i];
        return (special_bits){encode(t, s->u), encode(t, s->g), encode(t, s->want), s->near};
    }
    const special *s = &table.one[i];
    return (special_bits){0, encode(t, s->x), encode(t, s->want), s->near};
}

static bool meets(const dtype *t, special_bits s, uint32_t got)
{
    if (!s.near || is_nan_of(t, got))
        return same_of(t, got, s.want);
    const uint32_t magnitude = got & (t->sign - 1), wanted = s.want & (t->sign - 1);
    return got - s.want + s.near <= 2 * s.near && (magnitude || !wanted) &&
           magnitude != t->infinity;
}

static const char *show_special(const kernel *k, special_bits s)
{
    if (!k->pair)
        return show_of(k->type, s.x);
    return text("%s with %s", show_of(k->type, s.u), show_of(k->type, s.x));
}

/* Each special value at each place (at some, of long vectors); the others are as without it. u is
 * NULL for a kernel of one source. */
static void try_special(const kernel *k, size_t n, special_bits s, void *u, void *x,
                        const void *alone)
{
    static uint32_t y[LONGEST_OF_ALL];
    const dtype *t = k->type;
    for (size_t place = 0; place<n; place += n> 150 ? 13 : 1) {
        const uint32_t was = get(t, x, place), was_u = u ? get(t, u, place) : 0;
        put(t, x, place, s.x);
        if (u)
            put(t, u, place, s.u);
        CALL(k, call_vector(k, y, u, x, n));
        put(t, x, place, was);
        if (u)
            put(t, u, place, was_u);
        for (size_t i = 0; i < n; i++) {
            const uint32_t got = get(t, y, i), other = get(t, alone, i);
            if (i == place ? !meets(t, s, got) : !same_of(t, got, other))
                FAIL(k, "n %zu, %s at %zu: element %zu: got %s, want %s", n, show_special(k, s),
                     place, i, show_of(t, got), show_of(t, i == place ? s.want : other));
        }
    }
}

START_TEST(test_map_places)
{
    static uint32_t x[LONGEST_OF_ALL], second[LONGEST_OF_ALL], alone[LONGEST_OF_ALL];
    CASE(k)
    const dtype *t = k->type;
    void *u = k->pair ? second : NULL;
    uint64_t random = 1;
    for (size_t i = 0; i < longest(t); i++) {
        put(t, x, i, encode(t, random_uniform(&random, 0.01, t->high / 4)));
        put(t, second, i, encode(t, random_uniform(&random, -t->high / 4, t->high / 4)));
        CALL(k, call_vector(k, at(t, alone, i), u ? at(t, u, i) : NULL, at(t, x, i), 1));
    }
    for (size_t n = 1; n <= longest(t); n = next_length(n))
        for (size_t v = 0; v < special_count(k); v++)
            try_special(k, n, special_of(k, v), u, x, alone);
}
END_TEST

/* Vectors of one special value only, in place; in that of either source if there are two. */
START_TEST(test_map_full)
{
    static uint32_t x[LONGEST_OF_ALL], u[LONGEST_OF_ALL];
    CASE(k)
    const dtype *t = k->type;
    for (size_t n = 1; n <= longest(t); n = next_length(n))
        for (size_t v = 0; v < special_count(k); v++)
            for (int in_u = 0; in_u <= (k->pair != NULL); in_u++) {
                const special_bits s = special_of(k, v);
                const void *y = in_u ? u : x;
                for (size_t i = 0; i < n; i++) {
                    put(t, x, i, s.x);
                    put(t, u, i, s.u);
                }
                CALL(k, call_vector(k, in_u ? u : x, k->pair ? u : NULL, x, n));
                for (size_t i = 0; i < n; i++)
                    if (!meets(t, s, get(t, y, i)))
                        FAIL(k, "n %zu, all %s: element %zu: got %s, want %s", n,
                             show_special(k, s), i, show_of(t, get(t, y, i)), show_of(t, s.want));
            }
}
END_TEST

/* Vectors of all of them, in place. */
START_TEST(test_map_mixed)
{
    static uint32_t y[LONGEST_OF_ALL], was[LONGEST_OF_ALL], second[LONGEST_OF_ALL];
    CASE(k)
    const dtype *t = k->type;
    const void *u = k->pair ? second : NULL;
    uint64_t random = 2;
    for (int round = 0; round < 50; round++)
        for (size_t n = 1; n <= longest(t); n = next_length(n)) {
            for (size_t i = 0; i < n; i++) {
                const special_bits s = special_of(k, random_below(&random, special_count(k)));
                put(t, was, i, s.x);
                put(t, second, i, s.u);
            }
            memcpy(y, was, n * t->size);
            CALL(k, call_vector(k, y, u, y, n));
            for (size_t i = 0; i < n; i++) {
                uint32_t alone[1];
                CALL(k, call_vector(k, alone, u ? at(t, u, i) : NULL, at(t, was, i), 1));
                const uint32_t got = get(t, y, i), want = get(t, alone, 0);
                if (!same_of(t, got, want))
                    FAIL(k, "n %zu, mixed: element %zu: x %s, got %s, want %s", n, i,
                         show_of(t, get(t, was, i)), show_of(t, got), show_of(t, want));
            }
        }
}
END_TEST

/* The product of u and a function of g is IEEE's: it has the bits of u times that of 1 and g. */
START_TEST(test_product)
{
    enum { N = 1 << 16 };
    static float u[N], g[N], ones[N], factors[N], y[N];
    CASE(k)
    uint64_t random = 3;
    for (size_t i = 0; i < N; i++) {
        const uint64_t r = random64(&random);
        u[i] = from_bits((uint32_t)r);
        g[i] = r >> 62 ? random_uniform(&random, -110, 90) : from_bits((uint32_t)(r >> 32));
        ones[i] = 1;
    }
    CALL(k, k->pair(factors, ones, g, N));
    CALL(k, k->pair(y, u, g, N));
    for (size_t i = 0; i < N; i++)
        if (!same(y[i], u[i] * factors[i]))
            FAIL(k, "u %s, g %s: got %s, want %s", show(u[i]), show(g[i]), show(y[i]),
                 show(u[i] * factors[i]));
}
END_TEST

/* ---- Rows ----------------------------------------------------------------------------------- */

/* What a ROW kernel gives an element of -inf beside finite ones, and the only element of a row. */
typedef struct {
    float masked, only;
} row_special;

static const row_special row_softmax_f32 = {0.0f, 1.0f};
static const row_special row_log_softmax_f32 = {-INFINITY, 0.0f};

#define KERNEL(op, dtype, class) ROW_##class(op##_##dtype)
#define ROW_MAP(name) NULL,
#define ROW_MAP2(name) NULL,
#define ROW_ROW(name) &row_##name,
#define ROW_ARGMAX(name) NULL,
static const row_special *const row_specials[] = {
#include "kernels.def"
};
#undef KERNEL

static void all_nan(const kernel *k, const float *x, size_t n, const char *what, size_t place)
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
    CASE(k)
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
                for (size_t v = 0; v < NANS; v++) {
                    y[place] = from_bits(nan_of(&dtype_f32, v));
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
    CASE(k)
    const row_special *s = row_specials[k - kernels];
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
    CASE(k)
    const float want = row_specials[k - kernels]->only;
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
    CASE(k)
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
    CASE(k)
    const row_special *s = row_specials[k - kernels];
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
    CASE(k)
    for (size_t l = 1; l <= LONGEST + COUNT(longer); l++) {
        const size_t n = l <= LONGEST ? l : longer[l - LONGEST - 1];
        const size_t step = n <= LONGEST ? 1 : quick() ? 509 : 61;
        for (int others = 0; others < 4; others++) {
            /* ordinary; beyond the border below and above; masked */
            static const float shifts[] = {0, -5000, 5000, -INFINITY};
            ordinary(x, n);
            for (size_t i = 0; i < n; i++)
                x[i] += shifts[others];
            for (size_t place = 0; place < n; place += step)
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
    CASE(k)
    const float masked = row_specials[k - kernels]->masked;
    for (size_t kind = 0; kind < COUNT(kinds); kind += quick() ? 3 : 1)
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
    CASE(k)
    for (size_t kind = 0; kind < COUNT(kinds); kind += quick() ? 2 : 1)
        for (size_t place = 0; place < COUNT(places); place += quick() ? 3 : 1) {
            const float spoilers[] = {INFINITY, from_bits(nan_of(&dtype_f32, place))};
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

/* A logit ahead of all others by 20 or more has exactly 1 if that is the nearest float; its
 * logarithm is that near to 0. */
START_TEST(test_row_ahead)
{
    float x[LONGEST], y[LONGEST];
    static const float aheads[] = {20, 20.5f, 21, 22, 23, 25, 30, 50, 100};
    CASE(k)
    const row_special *s = row_specials[k - kernels];
    for (float top = -10; top <= 10; top += quick() ? 5 : 0.625f)
        for (size_t a = 0; a < COUNT(aheads); a++)
            for (size_t n = 2; n <= LONGEST; n++) {
                if ((double)(n - 1) * exp(-(double)aheads[a]) >= 0x1p-25)
                    continue;
                for (size_t place = 0; place < n; place++) {
                    for (size_t i = 0; i < n; i++)
                        x[i] = i == place ? top : top - aheads[a];
                    CALL(k, k->fn(y, x, n));
                    if (!(fabs((double)y[place] - (double)s->only) < 0x1.01p-25))
                        FAIL(k, "n %zu, %s at %zu, ahead by %g: got %s", n, show(top), place,
                             (double)aheads[a], show(y[place]));
                }
            }
}
END_TEST

/* ---- Argmax --------------------------------------------------------------------------------- */

/* By type: some values, the greatest and the least among them; and less than, greater than. */
static const double f32_all[] = {-INFINITY, INFINITY, 0.0,      -0.0,     -1,
                                 FLT_MAX,   -FLT_MAX, 0x1p-149, -0x1p-149};
static const double f32_pairs[][2] = {{-INFINITY, -FLT_MAX},
                                      {-FLT_MAX, -0x1.fffffcp127},
                                      {-1, -0.0},
                                      {-1, 0.0},
                                      {-FLT_MIN, -0x1p-149},
                                      {-0x1p-149, -0.0},
                                      {-0x1p-149, 0.0},
                                      {-0.0, 0x1p-149},
                                      {0.0, 0x1p-149},
                                      {0x1p-149, 0x1p-148},
                                      {1, 0x1.000002p0},
                                      {0x1.fffffcp127, FLT_MAX},
                                      {FLT_MAX, INFINITY},
                                      {-INFINITY, INFINITY}};
static const double i8_all[] = {-128, 127, 0, -1, 1};
static const double i8_pairs[][2] = {{-128, -127}, {-2, -1},  {-1, 0},    {0, 1},    {126, 127},
                                     {-128, 127},  {-128, 0}, {-128, -1}, {-1, 127}, {63, 64}};

typedef struct {
    const double *all, (*pairs)[2];
    size_t alls, pair_count;
} orders;

/* In the order of kernels[]. */
#define KERNEL(op, dtype, class) ORDER_##class(dtype)
#define ORDER_MAP(dtype) {0},
#define ORDER_MAP2(dtype) {0},
#define ORDER_ROW(dtype) {0},
#define ORDER_ARGMAX(dtype) {dtype##_all, dtype##_pairs, COUNT(dtype##_all), COUNT(dtype##_pairs)},
static const orders all_orders[] = {
#include "kernels.def"
};
#undef KERNEL

static void put_all(const dtype *t, void *x, size_t from, size_t to, uint32_t bits)
{
    for (size_t i = from; i < to; i++)
        put(t, x, i, bits);
}

static void want_index(const kernel *k, const void *x, size_t n, size_t want, const char *what)
{
    int32_t got = -1;
    CALL(k, k->fn(&got, x, n));
    if (got != (int32_t)want)
        FAIL(k, "n %zu, %s: got %" PRId32 ", want %zu", n, what, got, want);
}

/* Of equal elements the first. */
START_TEST(test_argmax_equal)
{
    static uint32_t x[LONGEST_OF_ALL];
    CASE(k)
    const dtype *t = k->type;
    const orders *o = &all_orders[k - kernels];
    for (size_t n = 1; n <= longest(t); n = next_length(n)) {
        for (size_t v = 0; v < o->alls; v++) {
            put_all(t, x, 0, n, encode(t, o->all[v]));
            want_index(k, x, n, 0, "all equal");
        }
        for (size_t v = 0; v < NANS && t->infinity; v++) {
            put_all(t, x, 0, n, nan_of(t, v));
            want_index(k, x, n, 0, "all NaN");
        }
        for (size_t first = 0; first < 2 && t->infinity; first++) {
            for (size_t i = 0; i < n; i++)
                put(t, x, i, i % 2 == first ? t->sign : 0);
            want_index(k, x, n, 0, "zeros of either sign");
        }
    }
}
END_TEST

/* The greatest at every place; alone, and with others of its kind after it. */
START_TEST(test_argmax_places)
{
    static uint32_t x[LONGEST_OF_ALL];
    CASE(k)
    const dtype *t = k->type;
    const orders *o = &all_orders[k - kernels];
    for (size_t n = 1; n <= longest(t); n = next_length(n))
        for (size_t v = 0; v < o->pair_count; v++) {
            const uint32_t less = encode(t, o->pairs[v][0]), more = encode(t, o->pairs[v][1]);
            put_all(t, x, 0, n, less);
            for (size_t place = 0; place < n; place++) {
                put(t, x, place, more);
                want_index(k, x, n, place, "one greater");
                put(t, x, n - 1, more);
                want_index(k, x, n, place, "one greater, and the last");
                put(t, x, n - 1, less);
                put(t, x, place, less);
            }
            for (size_t place = n; place-- > 0;) {
                put(t, x, place, more);
                want_index(k, x, n, place, "greater from there on");
            }
        }
}
END_TEST

/* The first NaN, whatever the others are. */
START_TEST(test_argmax_nan)
{
    static uint32_t x[LONGEST];
    CASE(k)
    const dtype *t = k->type;
    const orders *o = &all_orders[k - kernels];
    for (size_t n = 1; n <= LONGEST && t->infinity; n++)
        for (size_t place = 0; place < n; place++)
            for (size_t v = 0; v < NANS; v++)
                for (size_t b = 0; b < o->alls; b++) {
                    put_all(t, x, 0, n, encode(t, o->all[b]));
                    put(t, x, place, nan_of(t, v));
                    want_index(k, x, n, place, "a NaN");
                    /* another NaN after it, of the greatest or of the least encoding */
                    put(t, x, n - 1, nan_of(t, v % 2 ? 2 : 5));
                    want_index(k, x, n, place, "two NaNs");
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
#elif defined(__arm__)
static uint64_t control(void)
{
    uint32_t fpscr;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(fpscr));
    return fpscr & 0x07f79f00;
}
static void flush_to_zero(bool results, bool sources)
{
    if (results || sources)
        __asm__ volatile("vmsr fpscr, %0" ::"r"((uint32_t)control() | UINT32_C(1) << 24));
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
static void fill_environment(const kernel *k, int round, void *x, size_t n)
{
    const dtype *t = k->type;
    uint64_t random = (uint64_t)round + 1;
    if (k->class == ROW) {
        fill_row((row_kind)round % ROW_KIND_COUNT, &random, x, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t r = (uint32_t)random64(&random), small = t->sign | (2 * t->quiet - 1);
        const int kind = (int)(r >> 30);
        put(t, x, i,
            kind == 0 || !t->infinity ? r
            : kind == 1               ? r & small
            : kind == 2               ? encode(t, random_uniform(&random, t->low, t->low + 17))
                                      : encode(t, random_gaussian(&random)));
    }
}

static void must_match(const kernel *k, const environment *e, size_t n, const void *x,
                       const void *y, const void *want)
{
    const dtype *t = k->type;
    for (size_t i = 0; i < n; i++)
        if (!same_of(t, get(t, y, i), get(t, want, i)))
            FAIL(k, "%s, n %zu: element %zu: x %s, got %s, want %s", e->name, n, i,
                 show_of(t, get(t, x, i)), show_of(t, get(t, y, i)), show_of(t, get(t, want, i)));
}

START_TEST(test_environment)
{
    static uint32_t x[ENVIRONMENT_N], y[ENVIRONMENT_N], want[ENVIRONMENT_N];
    static uint32_t second[ENVIRONMENT_N];
    CASE(k)
    const void *u = k->pair ? second : NULL;
    signal(SIGFPE, on_exception);
    for (int round = 0; round < 3 * ROW_KIND_COUNT; round++) {
        const size_t n = round % 3 == 0 ? 80 : round % 3 == 1 ? 17 : ENVIRONMENT_N;
        fill_environment(k, round, x, n);
        fill_environment(k, round + 1, second, n);
        CALL(k, call_vector(k, want, u, x, n));
        for (const environment *e = environments; e < environments + COUNT(environments); e++) {
            memset(y, 0, sizeof y);
            WITHIN(k, e, call_vector(k, y, u, x, n));
            must_match(k, e, n, x, y, want);
            memset(y, 0, sizeof y);
            WITHIN(k, e, call_rows(k, y, n, u, n, x, n, 1, n));
            must_match(k, e, n, x, y, want);
        }
    }
}
END_TEST

START_TEST(test_environment_index)
{
    static uint32_t x[ENVIRONMENT_N];
    CASE(k)
    const dtype *t = k->type;
    signal(SIGFPE, on_exception);
    for (int round = 0; round < 200; round++) {
        const size_t n = round % 2 ? 37 : ENVIRONMENT_N;
        int32_t want = -1;
        fill_environment(k, round, x, n);
        for (size_t i = 0; i < n && round % 4 < 2 && t->infinity; i++)
            put(t, x, i, get(t, x, i) & (t->sign | (2 * t->quiet - 1))); /* zeros and subnormals */
        CALL(k, k->fn(&want, x, n));
        for (size_t e = 0; e < COUNT(environments); e++) {
            int32_t got = -1, got_row = -1;
            WITHIN(k, &environments[e], k->fn(&got, x, n));
            WITHIN(k, &environments[e], k->rows(&got_row, 0, x, n, 1, n));
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
    static const double some[] = {-1, 0, INFINITY, -INFINITY, NAN, 1000, -1000, 0x1p-149};
    enum { N = COUNT(some) };
    uint32_t x[N], y[N];
    CASE(k)
    for (size_t i = 0; i < N; i++)
        put(k->type, x, i, k->type->infinity ? encode(k->type, some[i]) : (uint32_t)i);
    for (size_t n = 0; n <= N; n++) {
        errno = 4711;
        (void)k->fn(y, x, n);
        (void)k->rows(y, n, x, n, 1, n);
        (void)k->fn(NULL, x, n);
        const int error = errno;
        ck_assert_int_eq(error, 4711);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("edges");
    TCase *map = add_case(suite, "elementwise");
    EACH_KERNEL(map, test_map_places, MAP | MAP2, NULL);
    EACH_KERNEL(map, test_map_full, MAP | MAP2, NULL);
    EACH_KERNEL(map, test_map_mixed, MAP | MAP2, NULL);
    EACH_KERNEL(map, test_product, MAP2, &dtype_f32);
    TCase *row = add_case(suite, "rows");
    EACH_KERNEL(row, test_row_spoiled, ROW, &dtype_f32);
    EACH_KERNEL(row, test_row_masked, ROW, &dtype_f32);
    EACH_KERNEL(row, test_row_one, ROW, &dtype_f32);
    EACH_KERNEL(row, test_row_equal, ROW, &dtype_f32);
    EACH_KERNEL(row, test_row_spread, ROW, &dtype_f32);
    EACH_KERNEL(row, test_row_in_place, ROW, &dtype_f32);
    EACH_KERNEL(row, test_row_long_masked, ROW, &dtype_f32);
    EACH_KERNEL(row, test_row_long_spoiled, ROW, &dtype_f32);
    EACH_KERNEL(row, test_row_ahead, ROW, &dtype_f32);
    TCase *index = add_case(suite, "argmax");
    EACH_KERNEL(index, test_argmax_equal, ARGMAX, NULL);
    EACH_KERNEL(index, test_argmax_places, ARGMAX, NULL);
    EACH_KERNEL(index, test_argmax_nan, ARGMAX, NULL);
    TCase *environment = add_case(suite, "environment");
    EACH_KERNEL(environment, test_environment, MAP | MAP2 | ROW, NULL);
    EACH_KERNEL(environment, test_environment_index, ARGMAX, NULL);
    EACH_KERNEL(environment, test_errno, MAP | MAP2 | ROW | ARGMAX, NULL);
    return run_suite(suite);
}
