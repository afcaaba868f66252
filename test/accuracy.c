/* Errors against the exact result, on every ISA, and the largest of each kernel printed.
 *
 *     test-accuracy                   about 2^20 inputs of each elementwise kernel of floats, all
 * of halves, and rows test-accuracy --exhaustive      all 2^32 inputs (or NONLIN_EXHAUSTIVE=1)
 *
 * Oracles: the C library's double functions, whose error of about 2^-53 is 2^-29 ULP of a float,
 * for the bulk; MPFR for whatever comes near a bound or a border, and to check the former. */
#include "numeric.h"

#include <mpfr.h>

/* ---- Elementwise, floats -------------------------------------------------------------------- */

typedef struct {
    double (*bulk)(double);
    int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    double bound; /* ULP */
} oracle;

/* raises no flag, which would take most of the time */
static double log_or_nan(double x) { return x < 0 ? NAN : log(x); }

/* A line for each MAP kernel: what it computes, and the bound on its error. */
static const oracle oracle_exp = {exp, mpfr_exp, 1.0};
static const oracle oracle_log = {log_or_nan, mpfr_log, 1.0};

/* Tables by kernel, in the order of kernels[]. */
#define KERNEL(op, dtype, class) ORACLE_##class##_##dtype(op)
#define ORACLE_MAP_f32(op) &oracle_##op,
#define ORACLE_MAP_f16(op) NULL,
#define ORACLE_ROW_f32(op) NULL,
#define ORACLE_ARGMAX_f32(op) NULL,
#define ORACLE_ARGMAX_i8(op) NULL,
static const oracle *const oracles[] = {
#include "kernels.def"
};
#undef ORACLE_MAP_f32
#undef ORACLE_MAP_f16
#undef ORACLE_ROW_f32

enum { CHUNK = 1 << 14, MAX_ISAS = 16, PRECISION = 160 };

/* One ULP of the exact result: 2^-23 of its power of two, but not below 2^-149. A double that
 * rounded up to a power of two counts as below it, the strict way. */
static double ulps_in(double exact)
{
    uint64_t bits;
    memcpy(&bits, &exact, sizeof bits);
    int64_t e = (int64_t)((bits - 1) >> 52 & 0x7ff) - 1023;
    bits = (uint64_t)(1023 + 23 - (e < -126 ? -126 : e)) << 52;
    double ulps;
    memcpy(&ulps, &bits, sizeof ulps);
    return ulps;
}

/* |got - f(x)| in ULP, and f(x) itself, by MPFR; got is finite. */
static double exact_error(const oracle *o, float x, float got, double *want)
{
    mpfr_t y, error;
    mpfr_inits2(PRECISION, y, error, (mpfr_ptr)0);
    mpfr_set_flt(error, x, MPFR_RNDN);
    o->exact(y, error, MPFR_RNDN);
    *want = mpfr_get_d(y, MPFR_RNDN);
    long e = mpfr_regular_p(y) ? mpfr_get_exp(y) - 1 : -126;
    mpfr_set_flt(error, got, MPFR_RNDN);
    mpfr_sub(error, error, y, MPFR_RNDA);
    mpfr_mul_2si(error, error, 23 - (e < -126 ? -126 : e), MPFR_RNDA);
    double ulp = fabs(mpfr_get_d(error, MPFR_RNDA));
    mpfr_clears(y, error, (mpfr_ptr)0);
    return ulp;
}

/* f(x) rounded to the nearest float, by MPFR; exact enough to tell FLT_MAX from infinity. */
static float exact_float(const oracle *o, float x)
{
    mpfr_t y;
    mpfr_init2(y, PRECISION);
    mpfr_set_flt(y, x, MPFR_RNDN);
    o->exact(y, y, MPFR_RNDN);
    float f = mpfr_get_flt(y, MPFR_RNDN);
    mpfr_clear(y);
    return f;
}

/* The largest error so far, and where. What is worse than any error counts as infinite. */
typedef struct {
    double error, want;
    float x, got;
    const char *wrong;
} worst;

static void spoiled(worst *w, const char *wrong, float x, float got, double want)
{
    *w = (worst){.error = INFINITY, .want = want, .x = x, .got = got, .wrong = wrong};
}

/* Special results, and whatever may be a new maximum. */
static __attribute__((noinline)) void judge(worst *w, const oracle *o, float x, float got,
                                            double want)
{
    const float nearest = (float)want;
    if (isinf(w->error))
        return;
    if (is_nan(nearest)) {
        if (!is_quiet_nan(got))
            spoiled(w, "not a quiet NaN", x, got, want);
        return;
    }
    if (isinf(nearest) || isinf(got)) {
        if (to_bits(nearest) == to_bits(got) && fabs(want) > FLT_MAX * (1 + 0x1p-20))
            return;
        if (to_bits(exact_float(o, x)) != to_bits(got))
            spoiled(w, "infinity for a finite result, or the reverse", x, got, want);
        return;
    }
    if (is_nan(got)) {
        spoiled(w, "NaN", x, got, want);
        return;
    }
    if (got == 0 && signbit(got) != signbit(want)) {
        spoiled(w, "zero of the wrong sign", x, got, want);
        return;
    }
    if (want == 0 && got != 0) {
        spoiled(w, "not zero", x, got, want);
        return;
    }
    double error = fabs((double)got - want) * ulps_in(want);
    if (error > 0.98 * o->bound)
        error = exact_error(o, x, got, &want);
    if (error > w->error)
        *w = (worst){.error = error,
                     .want = want,
                     .x = x,
                     .got = got,
                     .wrong = error > o->bound ? "beyond the bound" : NULL};
}

/* A chunk of inputs on every ISA: the oracle is the dearer part, so it is asked once. */
static void check_chunk(const kernel *k, const oracle *o, const float *x, size_t n, worst worsts[])
{
    static float y[CHUNK];
    static double want[CHUNK], ulps[CHUNK];
    for (size_t i = 0; i < n; i++) {
        want[i] = o->bulk((double)x[i]);
        ulps[i] = ulps_in(want[i]);
    }
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
        worst *w = &worsts[isa];
        if (nonlin_use_isa(nonlin_isa_name(isa)) != NONLIN_OK)
            continue;
        if (k->fn(y, x, n) != NONLIN_OK)
            spoiled(w, "not NONLIN_OK", x[0], y[0], want[0]);
        for (size_t i = 0; i < n; i++) {
            double error = fabs((double)y[i] - want[i]) * ulps[i];
            if (!(error <= w->error) || (y[i] == 0 && signbit(y[i]) != signbit(want[i])))
                judge(w, o, x[i], y[i], want[i]);
        }
    }
}

/* Prints the maxima of all ISAs, as MPFR has them, then fails for the first that is wrong. */
static void report(const kernel *k, const oracle *o, worst worsts[], const char *of)
{
    const worst *wrong = NULL;
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
        worst *w = &worsts[isa];
        if (nonlin_isa_missing(isa))
            continue;
        if (w->wrong && !wrong)
            wrong = w;
        if (!isinf(w->error))
            w->error = exact_error(o, w->x, w->got, &w->want);
        printf("%-12s %-10s maximum error %.6f ULP of %s: x %s, got %a, want %.10a\n", k->name,
               nonlin_isa_name(isa), w->error, of, show(w->x), (double)w->got, w->want);
    }
    fflush(stdout);
    if (wrong)
        ck_abort_msg("%s %s: %s: error %.6f of %g ULP: x %s, got %s, want %a",
                     nonlin_isa_name((size_t)(wrong - worsts)), k->name, wrong->wrong, wrong->error,
                     o->bound, show(wrong->x), show(wrong->got), wrong->want);
}

/* Inputs gathered into chunks. */
typedef struct {
    const kernel *k;
    const oracle *o;
    worst worsts[MAX_ISAS];
    size_t n, total;
    float x[CHUNK];
} sample;

static void flush(sample *s)
{
    check_chunk(s->k, s->o, s->x, s->n, s->worsts);
    s->total += s->n;
    s->n = 0;
}

static void add(sample *s, uint32_t bits)
{
    s->x[s->n++] = from_bits(bits);
    if (s->n == CHUNK)
        flush(s);
}

static void add_around(sample *s, uint32_t bits, uint32_t radius)
{
    for (uint32_t i = bits - radius; i != bits + radius + 1; i++)
        add(s, i);
}

START_TEST(test_map_sample)
{
    static sample s;
    s = (sample){.k = &kernels[_i], .o = oracles[_i]};
    /* all exponents and signs alike, and no two inputs alike */
    for (uint32_t i = 0; i < 1u << 20; i++)
        add(&s, i * 4099u);
    /* every power of two, zero, infinity and the NaNs beside it; and the cuts of the logarithm's
     * intervals */
    for (uint32_t e = 0; e < 512; e++)
        add_around(&s, e << 23, 512);
    for (uint32_t i = 0; i < 4096; i++)
        add_around(&s, 0x00060000u + (i << 20), 64);
    /* where the exponential's reduction changes over, for cuts of ln 2 into 2, 8 and 16 */
    for (int i = -2500; i <= 2100; i++)
        add_around(&s, to_bits((float)(i * 0x1.62e42fefa39efp-5)), 16);
    /* 0 and 1, overflow, the first subnormal result, the last result that is not zero; and the
     * worst cases of either class */
    static const float hard[] = {0.0f,          -0.0f,          1.0f,           -1.0f,
                                 0x1.62e42ep6f, -0x1.5d589ep6f, -0x1.9fe368p6f, -0x1.9d1da0p6f,
                                 FLT_MAX,       FLT_MIN,        -0x1.5d8fb4p6f, -0x1.790b24p-1f,
                                 0x1.1126d8p0f};
    for (size_t i = 0; i < COUNT(hard); i++)
        add_around(&s, to_bits(hard[i]), 8192);
    flush(&s);
    report(s.k, s.o, s.worsts, text("%zu inputs", s.total));
}
END_TEST

static const kernel *all_kernel; /* for the processes */
static const oracle *all_oracle;

static void all_work(size_t w, size_t of, void *worsts)
{
    static float x[CHUNK];
    const uint64_t chunks = (UINT64_C(1) << 32) / CHUNK;
    for (uint64_t c = w; c < chunks; c += of) {
        for (uint32_t i = 0; i < CHUNK; i++)
            x[i] = from_bits((uint32_t)(c * CHUNK) + i);
        check_chunk(all_kernel, all_oracle, x, CHUNK, worsts);
        if (w == 0)
            progress(all_kernel->name, c / of, chunks / of + 1);
    }
    if (w == 0)
        progress(all_kernel->name, chunks / of + 1, chunks / of + 1);
}

START_TEST(test_map_all)
{
    all_kernel = &kernels[_i];
    all_oracle = oracles[_i];
    size_t of;
    worst worsts[MAX_ISAS] = {{0}};
    worst *each = in_processes(all_work, sizeof worsts, &of);
    for (size_t i = 0; i < of * MAX_ISAS; i++) {
        worst *w = &worsts[i % MAX_ISAS];
        if (each[i].error > w->error)
            *w = each[i];
    }
    free(each);
    report(all_kernel, all_oracle, worsts, "all inputs");
}
END_TEST

/* The bulk oracle is as good as claimed: it differs from MPFR by less than 2^-45. */
START_TEST(test_map_oracle)
{
    const oracle *o = oracles[_i];
    mpfr_t y;
    mpfr_init2(y, PRECISION);
    for (uint32_t i = 0; i < 1u << 16; i++) {
        float x = from_bits(i * 65537u);
        double bulk = o->bulk((double)x);
        mpfr_set_flt(y, x, MPFR_RNDN);
        o->exact(y, y, MPFR_RNDN);
        double want = mpfr_get_d(y, MPFR_RNDN);
        if (isnan(want) ? !isnan(bulk) : bulk != want && fabs(bulk - want) > fabs(want) * 0x1p-45)
            ck_abort_msg("%s: oracles differ: x %s, %a and %a", kernels[_i].name, show(x), bulk,
                         want);
    }
    mpfr_clear(y);
}
END_TEST

/* ---- Elementwise, halves -------------------------------------------------------------------- */

/* A kernel of halves: its results to the bit; what it stands for, how far it may be from it, and
 * how far down it may step where that ascends, for x > 0. */
typedef struct {
    uint32_t (*wanted)(uint32_t x);
    double (*exact)(double);
    double bound, step;
} half_oracle;

/* nonlin.h's formula in double, which holds all its sums exactly; halves as written for MNN. */
static uint32_t silu_pwl(uint32_t bits)
{
    static const double borders[] = {.25, .5, 1, 1.5, 3.5, 5, 6};
    static const uint16_t slope[] = {0x387f, 0x3976, 0x3ab8, 0x3bed,
                                     0x3c58, 0x3c2f, 0x3c13, 0x3c06};
    static const uint16_t bias[] = {0x0000, 0xa816, 0xaf57, 0xb436, 0xb67a, 0xb422, 0xaffd, 0xaa33};
    const dtype *t = &dtype_f16;
    const double x = decode(t, bits), magnitude = fabs(x);
    if (isnan(x) || x == 0 || x >= 8)
        return isnan(x) ? encode(t, x) : bits;
    if (x <= -8)
        return encode(t, -0.0);
    size_t s = 0;
    while (s < COUNT(borders) && magnitude >= borders[s])
        s++;
    return encode(t, (decode(t, slope[s]) - (x < 0)) * magnitude + decode(t, bias[s]));
}

static double silu(double x) { return x / (1 + exp(-x)); }

/* The error of 65504 and more is 0; the step is 17/4096. */
static const half_oracle oracle_silu_pwl = {silu_pwl, silu, .0063286, 0x1.1p-8};

#define ORACLE_MAP_f32(op) NULL,
#define ORACLE_MAP_f16(op) &oracle_##op,
#define ORACLE_ROW_f32(op) NULL,
static const half_oracle *const half_oracles[] = {
#include "kernels.def"
};
#undef ORACLE_MAP_f32
#undef ORACLE_MAP_f16
#undef ORACLE_ROW_f32

enum { HALVES = 1 << 16 };

/* Fails if a result is not the one that is wanted; y[x] is that of the half x. */
static void check_halves(const kernel *k, const half_oracle *o, const uint16_t *y)
{
    const dtype *t = k->type;
    for (uint32_t x = 0; x < HALVES; x++)
        if (!same_of(t, y[x], o->wanted(x)))
            FAIL(k, "x %s, got %s, want %s", show_of(t, x), show_of(t, y[x]),
                 show_of(t, o->wanted(x)));
}

/* Prints the largest error and the largest step down, and fails if one is too large. */
static void report_halves(const kernel *k, const half_oracle *o, const uint16_t *y)
{
    const dtype *t = k->type;
    double worst = 0, step = 0;
    uint32_t worst_x = 0, step_x = 0;
    for (uint32_t x = 0; x < HALVES; x++) {
        const double number = decode(t, x), got = decode(t, y[x]);
        if (!isfinite(number))
            continue;
        const double error = fabs(got - o->exact(number));
        if (!(error <= worst))
            worst = error, worst_x = x;
        const double down = number > 0 ? decode(t, y[x - 1]) - got : 0;
        if (!(down <= step))
            step = down, step_x = x;
    }
    printf("%-12s %-10s maximum error %.8f of all inputs: x %s, got %s; largest step down %.8f, to "
           "x %s\n",
           k->name, nonlin_active_isa(), worst, show_of(t, worst_x), show_of(t, y[worst_x]), step,
           show_of(t, step_x));
    fflush(stdout);
    if (!(worst <= o->bound) || !(step <= o->step))
        FAIL(k, "error %g of %g, step %g of %g", worst, o->bound, step, o->step);
}

START_TEST(test_map_halves)
{
    static uint16_t x[HALVES], y[HALVES];
    CASE(k)
    const half_oracle *o = half_oracles[k - kernels];
    for (uint32_t i = 0; i < HALVES; i++)
        x[i] = (uint16_t)i;
    CALL(k, k->fn(y, x, HALVES));
    report_halves(k, o, y);
    check_halves(k, o, y);
}
END_TEST

/* ---- Rows ----------------------------------------------------------------------------------- */

/* With the 64 bits of the x87 the sum of 300,000 terms is exact to 2^-45, and in double still to
 * 2^-34, which is 2^-10 ULP of a float: enough where longer ones are made by software. Differences
 * of floats are exact to as much. */
#if LDBL_MANT_DIG == 64
typedef long double wide;
#define WIDE(function) function##l
#else
typedef double wide;
#define WIDE(function) function
#endif

typedef struct {
    float max;
    wide others; /* the sum of the terms e^(x - max) but for one element that is the maximum */
    const wide *terms;
} row_sum;

/* Beyond 2^12 the differences are rounded to float, by contract. */
static wide difference(float x, float max)
{
    return fabsf(max) > 0x1p12f ? (wide)(x - max) : (wide)x - max;
}

enum { LONGEST = (1 << 22) + 77 }; /* beyond every cache: a kernel may go another way */

static row_sum sum_row(const float *x, size_t n)
{
    static wide terms[LONGEST];
    row_sum s = {x[0], 0, terms};
    size_t place = 0;
    for (size_t i = 1; i < n; i++)
        if (x[i] > s.max)
            s.max = x[place = i];
    for (size_t i = 0; i < n; i++) {
        terms[i] = WIDE(exp)(difference(x[i], s.max));
        if (i != place)
            s.others += terms[i];
    }
    return s;
}

/* Classes of row lengths, each with the bound on softmax's error in ULP. */
static const struct {
    size_t to;
    double bound;
} lengths[] = {{70, 4}, {1024, 4}, {4096, 8}, {32768, 8}, {151936, 8}, {LONGEST, 8}};

static const size_t row_lengths[] = {100, 127,  128,  129,  255,  256,   257,    511,    512,
                                     513, 1000, 1024, 1025, 4096, 32768, 151936, 300000, LONGEST};
enum { SHORT_ROWS = 70, ROW_LENGTHS = SHORT_ROWS + COUNT(row_lengths) };

static size_t row_length(size_t i) { return i < SHORT_ROWS ? i + 1 : row_lengths[i - SHORT_ROWS]; }

/* The largest errors of an ISA, by length: of the rows that nonlin.h speaks of, and of all. */
typedef struct {
    double error;
    row_kind kind;
    size_t n;
} row_worst;
typedef row_worst row_worsts[COUNT(lengths)][2];

/* What went wrong first: the maxima are worth printing all the same. */
static char row_wrong[512];
#define ROW_FAIL(...)                                           \
    do {                                                        \
        if (!*row_wrong)                                        \
            snprintf(row_wrong, sizeof row_wrong, __VA_ARGS__); \
    } while (0)

static void note(row_worsts w, double error, row_kind kind, size_t n)
{
    size_t length = 0;
    while (n > lengths[length].to)
        length++;
    for (int all = kind <= PEAK_30 ? 0 : 1; all < 2; all++)
        if (error > w[length][all].error)
            w[length][all] = (row_worst){error, kind, n};
}

static void print_worsts(const char *kernel, row_worsts w[], const char *unit)
{
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++)
        for (size_t l = 0; l < COUNT(lengths) && !nonlin_isa_missing(isa); l++) {
            const row_worst *named = &w[isa][l][0], *all = &w[isa][l][1];
            printf("%-16s %-10s n <= %7zu: maximum error %.3g%s (%s, n %zu), of all rows %.3g (%s, "
                   "n %zu)\n",
                   kernel, nonlin_isa_name(isa), lengths[l].to, named->error, unit,
                   row_kind_names[named->kind], named->n, all->error, row_kind_names[all->kind],
                   all->n);
        }
    fflush(stdout);
}

/* Checks a row and notes its largest error. */
typedef struct {
    void (*check)(const float *x, const float *y, size_t n, row_sum s, row_kind kind,
                  const char *where, row_worsts w);
    const char *unit;
} row_oracle;

/* The element whose power of two the terms of softmax are relative to: those below 2^-125 of it are
 * 0. */
static float reference(const float *x, size_t n, float max)
{
    float base = x[0];
    for (size_t quarter = 1; quarter < 4; quarter++)
        base = fmaxf(base, x[n / 4 * quarter]);
    return fabsf(base) > 0x1p12f || fabsf(max) > 0x1p12f || max - base > 41 ? max : base;
}

static void check_softmax(const float *x, const float *y, size_t n, row_sum s, row_kind kind,
                          const char *where, row_worsts w)
{
    const float base = reference(x, n, s.max);
    size_t length = 0;
    while (n > lengths[length].to)
        length++;
    wide sum = 0;
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const wide term = s.terms[i], want = term / (1 + s.others);
        sum += y[i];
        if (term < 0x1p-124) {
            /* an element does not tell its power of two, only 2^.5 either way */
            const wide relative = WIDE(exp)(difference(x[i], base));
            if (relative < 0x1p-124 && to_bits(y[i]) == 0)
                continue;
            if (relative < 0x1p-126)
                ROW_FAIL("%s: element %zu: x %s, got %s, want 0", where, i, show(x[i]), show(y[i]));
        }
        const double error = fabs((double)(y[i] - want)) * ulps_in((double)want);
        if (!(error <= lengths[length].bound) || signbit(y[i]))
            ROW_FAIL("%s: element %zu: %g ULP: x %s, got %s, want %a", where, i, error, show(x[i]),
                     show(y[i]), (double)want);
        worst = error > worst ? error : worst;
    }
    note(w, worst, kind, n);
    if (!(WIDE(fabs)(sum - 1) <= 1e-6))
        ROW_FAIL("%s: the row's sum is off by %g", where, (double)(sum - 1));
}

static void check_log_softmax(const float *x, const float *y, size_t n, row_sum s, row_kind kind,
                              const char *where, row_worsts w)
{
    const wide log_others = WIDE(log1p)(s.others);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const wide want = (wide)x[i] - s.max - log_others;
        if (isinf(want) || WIDE(fabs)(want) > FLT_MAX) {
            if (y[i] != (float)want)
                ROW_FAIL("%s: element %zu: x %s, got %s, want %a", where, i, show(x[i]), show(y[i]),
                         (double)want);
            continue;
        }
        /* Half an ULP of the result is 1.91e-6 from 32 on, and more from 64 on. */
        const double error = fabs((double)(y[i] - want)), ulps = error * ulps_in((double)want);
        if (!(error <= 2e-6 || (kind > PEAK_30 && ulps <= 0.6)))
            ROW_FAIL("%s: element %zu: off by %g, %g ULP: x %s, got %s, want %a", where, i, error,
                     ulps, show(x[i]), show(y[i]), (double)want);
        /* others below softmax's cutoff are no more than this together */
        if (x[i] == s.max && want < -0x1p-100 && !(error <= 1e-5 * fabs((double)want)))
            ROW_FAIL("%s: the maximum, element %zu: off by %g of it: x %s, got %s, want %a", where,
                     i, error / fabs((double)want), show(x[i]), show(y[i]), (double)want);
        worst = want > -64 && error > worst ? error : worst;
    }
    note(w, worst, kind, n);
}

/* A line for each ROW kernel: what checks a row, and the unit of the errors noted. */
static const row_oracle oracle_softmax = {check_softmax, " ULP"};
static const row_oracle oracle_log_softmax = {check_log_softmax, ""};

#define ORACLE_MAP_f32(op) NULL,
#define ORACLE_MAP_f16(op) NULL,
#define ORACLE_ROW_f32(op) &oracle_##op,
static const row_oracle *const row_oracles[] = {
#include "kernels.def"
};
#undef KERNEL

/* Rows of every kind and length on every ISA; the sum of a row, the dearest part, is made once. */
START_TEST(test_rows)
{
    static row_worsts worsts[MAX_ISAS];
    const kernel *k = &kernels[_i];
    const row_oracle *o = row_oracles[_i];
    float *x = malloc(LONGEST * sizeof *x), *y = malloc(LONGEST * sizeof *y);
    uint64_t random = 1;
    /* the hashes of bits.c speak for the longest */
    const size_t count = quick() ? ROW_LENGTHS - 3 : ROW_LENGTHS;
    for (size_t l = 0; l < count; l++)
        for (row_kind kind = 0; kind < ROW_KIND_COUNT; kind++) {
            const size_t n = row_length(l);
            const int seeds = n <= SHORT_ROWS   ? 20
                              : n <= 5000       ? 4
                              : n == LONGEST    ? kind % 5 == 0
                              : kind <= PEAK_30 ? 2
                                                : 1;
            for (int seed = 0; seed < seeds; seed++) {
                fill_row(kind, &random, x, n);
                const row_sum s = sum_row(x, n);
                for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
                    if (!use_isa(isa))
                        continue;
                    memset(y, 0x7f, n * sizeof *y);
                    CALL(k, k->fn(y, x, n));
                    char where[128];
                    snprintf(where, sizeof where, "%s %s, %s row of n %zu, seed %d",
                             nonlin_isa_name(isa), k->name, row_kind_names[kind], n, seed);
                    o->check(x, y, n, s, kind, where, worsts[isa]);
                }
            }
        }
    print_worsts(k->name, worsts, o->unit);
    free(x);
    free(y);
    ck_assert_msg(!*row_wrong, "%s", row_wrong);
}
END_TEST

/* Rows in which one logit dominates: its own result, as accurate as the others' sum is. */
START_TEST(test_log_softmax_dominated)
{
    static const float rows[][4] = {/* n, logits */
                                    {2, 0, -20},
                                    {2, -20, 0},
                                    {3, 5, -9, -9},
                                    {3, -9, 5, -9},
                                    {2, 17.3f, 0},
                                    {2, -17.3f, 0},
                                    {2, 0, -0x1.2p4f},
                                    {2, 0, -60},
                                    {2, 0, -86},
                                    {2, 4096, 4080},
                                    {2, 4100, 4080},
                                    {2, 1000, 975},
                                    {3, -3000, -3e38f, -3016.5f},
                                    {2, 1e30f, 0},
                                    {3, 0, -INFINITY, -16},
                                    {2, 4.2f, 0},
                                    {2, 0, -4.158f},
                                    {2, 0, -4.159f}};
    if (!use_isa((size_t)_i))
        return;
    for (size_t r = 0; r < COUNT(rows); r++) {
        const size_t n = (size_t)rows[r][0];
        const float *x = rows[r] + 1;
        float y[3];
        ck_assert_int_eq(nonlin_log_softmax_f32(y, x, n), NONLIN_OK);
        const row_sum s = sum_row(x, n);
        const wide want = -WIDE(log1p)(s.others);
        for (size_t i = 0; i < n; i++)
            if (x[i] == s.max && !(WIDE(fabs)(y[i] - want) <= WIDE(fabs)(want) * 1e-5))
                ck_abort_msg("%s log_softmax_f32: row %zu, element %zu: x %s, got %s, want %a",
                             nonlin_isa_name((size_t)_i), r, i, show(x[i]), show(y[i]),
                             (double)want);
    }
}
END_TEST

/* The oracle of the rows against MPFR. */
START_TEST(test_row_oracle)
{
    static float x[4096];
    static const size_t ns[] = {1, 2, 17, 70, 512, 4096};
    uint64_t random = 2;
    mpfr_t sum, term;
    mpfr_inits2(PRECISION, sum, term, (mpfr_ptr)0);
    for (size_t l = 0; l < COUNT(ns); l++)
        for (row_kind kind = 0; kind < ROW_KIND_COUNT; kind++) {
            fill_row(kind, &random, x, ns[l]);
            const row_sum s = sum_row(x, ns[l]);
            bool met = false;
            mpfr_set_zero(sum, 1);
            for (size_t i = 0; i < ns[l]; i++) {
                if (x[i] == s.max && !met) {
                    met = true;
                    continue;
                }
                mpfr_set_flt(term, x[i], MPFR_RNDN);
                mpfr_sub_d(term, term, (double)s.max, MPFR_RNDN);
                if (fabsf(s.max) > 0x1p12f)
                    mpfr_set_flt(term, mpfr_get_flt(term, MPFR_RNDN), MPFR_RNDN);
                mpfr_exp(term, term, MPFR_RNDN);
                mpfr_add(sum, sum, term, MPFR_RNDN);
            }
            const wide want = (wide)mpfr_get_ld(sum, MPFR_RNDN);
            if (!(WIDE(fabs)(s.others - want) <= want * 0x1p-38))
                ck_abort_msg("%s row of n %zu: oracle %a, MPFR %a", row_kind_names[kind], ns[l],
                             (double)s.others, (double)want);
        }
    mpfr_clears(sum, term, (mpfr_ptr)0);
}
END_TEST

/* ---- Argmax --------------------------------------------------------------------------------- */

/* Numbers in the order of the elements. */
static int64_t order(const dtype *t, uint32_t bits)
{
    const int64_t magnitude = bits & (t->sign - 1);
    if (!(bits & t->sign))
        return magnitude;
    return t->infinity ? -magnitude : magnitude - (int64_t)t->sign;
}

static size_t argmax(const dtype *t, const void *x, size_t n)
{
    size_t best = 0;
    int64_t most = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = get(t, x, i);
        if (is_nan_of(t, bits))
            return i;
        if (order(t, bits) > most)
            most = order(t, bits), best = i;
    }
    return best;
}

static void check_argmax(const kernel *k, const void *x, size_t n, const char *what)
{
    const dtype *t = k->type;
    int32_t got = -1;
    const size_t want = argmax(t, x, n);
    CALL(k, k->fn(&got, x, n));
    if (got != (int32_t)want)
        FAIL(k, "%s, n %zu: got %" PRId32 ", want %zu: x %s and %s", what, n, got, want,
             got >= 0 && (size_t)got < n ? show_of(t, get(t, x, (size_t)got)) : "?",
             show_of(t, get(t, x, want)));
}

/* Every element by an expression, in i and t, that gives a number; then all of them are checked. */
#define TRY_ALL(what, number)                  \
    do {                                       \
        for (size_t i = 0; i < n; i++)         \
            put(t, x, i, encode(t, (number))); \
        check_argmax(k, x, n, what);           \
    } while (0)

/* Elements from a few values, so that there are ties; from many; in order. */
static void argmax_numbers(const kernel *k, void *x, size_t n, uint64_t *random)
{
    static const double floats[] = {-1.5, -0.0, 0.0, 1.5, -INFINITY, INFINITY, -0x1p-149, 0x1p-149};
    static const double integers[COUNT(floats)] = {-2, -1, 0, 1, -128, 127, 64, -64};
    const dtype *t = k->type;
    const double *few = t->infinity ? floats : integers;
    for (size_t values = 1; values <= COUNT(floats); values++)
        TRY_ALL("ties", few[random_below(random, values)]);
    TRY_ALL("no positive element", random_below(random, 2) ? -0.0 : -1);
    put(t, x, random_below(random, n), 0);
    check_argmax(k, x, n, "zeros of either sign");
    TRY_ALL("negative", random_uniform(random, t->low, -1));
    TRY_ALL("gaussian", 16 * random_gaussian(random));
    TRY_ALL("ascending", t->low + (t->high - t->low) * (double)i / (double)n);
    TRY_ALL("descending", t->low + (t->high - t->low) * (double)(n - i) / (double)n);
}

/* All bit patterns, NaNs of every kind among them, and all but those. */
static void argmax_bits(const kernel *k, void *x, size_t n, uint64_t *random)
{
    const dtype *t = k->type;
    for (size_t i = 0; i < n; i++)
        put(t, x, i, (uint32_t)random64(random));
    check_argmax(k, x, n, "all bit patterns");
    if (!t->infinity)
        return;
    for (size_t i = 0; i < n; i++)
        if (is_nan_of(t, get(t, x, i)))
            put(t, x, i, get(t, x, i) & ~(2 * t->quiet));
    check_argmax(k, x, n, "all bit patterns but NaN");
    for (size_t count = 1; count <= 4; count++) {
        put(t, x, random_below(random, n), nan_of(t, random_below(random, NANS)));
        check_argmax(k, x, n, "NaNs");
    }
}

START_TEST(test_argmax)
{
    static uint32_t x[70001];
    static const size_t longer[] = {511,  512,  513,  1000, 2047,  2048, 2049,
                                    4095, 4096, 4097, 6145, 65537, 70001};
    uint64_t random = 3;
    CASE(k)
    for (int seed = 0; seed < 10; seed++)
        for (size_t n = 1; n <= 300; n++) {
            argmax_numbers(k, x, n, &random);
            argmax_bits(k, x, n, &random);
        }
    for (size_t l = 0; l < COUNT(longer); l++) {
        argmax_numbers(k, x, longer[l], &random);
        argmax_bits(k, x, longer[l], &random);
    }
}
END_TEST

/* Indices beyond 2^16 and 2^24, which a half-word and a float do not hold. */
START_TEST(test_argmax_long)
{
    static const size_t places[] = {(1u << 24) + 76, (1u << 24) + 51, (1u << 24) + 1,
                                    1u << 24,        (1u << 24) - 1,  65537,
                                    65536,           65535,           3};
    const size_t n = (1u << 24) + 77;
    CASE(k)
    const dtype *t = k->type;
    char *x = calloc(n, t->size);
    check_argmax(k, x, n, "zeros");
    for (size_t i = 0; i < COUNT(places); i++) {
        put(t, x, places[i], encode(t, 1));
        check_argmax(k, x, n, "one greater, and a tie");
    }
    put(t, x, n - 3, t->infinity ? encode(t, (double)NAN) : encode(t, 2));
    check_argmax(k, x, n, "a NaN, or one greater still");
    free(x);
}
END_TEST

int main(int argc, char **argv)
{
    read_flags(argc, argv);
    if (nonlin_isa_count() > MAX_ISAS)
        return EXIT_FAILURE;
    Suite *suite = suite_create("accuracy");
    TCase *map = add_case(suite, "elementwise");
    ONCE_A_KERNEL(map, test_map_oracle, MAP, &dtype_f32);
    ONCE_A_KERNEL(map, test_map_sample, MAP, &dtype_f32);
    if (exhaustive)
        ONCE_A_KERNEL(map, test_map_all, MAP, &dtype_f32);
    EACH_KERNEL(map, test_map_halves, MAP, &dtype_f16);
    TCase *row = add_case(suite, "rows");
    tcase_add_test(row, test_row_oracle);
    ONCE_A_KERNEL(row, test_rows, ROW, &dtype_f32);
    tcase_add_loop_test(row, test_log_softmax_dominated, 0, (int)nonlin_isa_count());
    TCase *index = add_case(suite, "argmax");
    EACH_KERNEL(index, test_argmax, ARGMAX, NULL);
    EACH_KERNEL(index, test_argmax_long, ARGMAX, NULL);
    return run_suite(suite);
}
