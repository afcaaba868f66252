/* Errors against the exact result, on every ISA, and the largest of each kernel printed.
 *
 *     test-accuracy                      some 2^22 inputs of each elementwise kernel of floats, all
 *                                        of 16 bits, and rows
 *     test-accuracy --exhaustive         all 2^32 inputs, too (or NONLIN_EXHAUSTIVE=1)
 *     test-accuracy --kernel gelu_f32    of this kernel alone (--exhaustive, too, if wanted)
 */
#include "numeric.h"
#include "oracles.h"

/* ---- Elementwise, floats -------------------------------------------------------------------- */

/* Of every elementwise kernel, in the order of kernels[]. */
#define KERNEL(op, dtype, class) ORACLE_##class(op)
#define ORACLE_MAP(op) &oracle_##op,
#define ORACLE_MAP2(op) &oracle_##op,
#define ORACLE_ROW(op) NULL,
#define ORACLE_ARGMAX(op) NULL,
static const oracle *const oracles[] = {
#include "kernels.def"
};
#undef ORACLE_MAP
#undef ORACLE_MAP2
#undef ORACLE_ROW

enum { CHUNK = 1 << 14, MAX_ISAS = 16 };

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

/* Of a kernel of two sources, u is the first, and its result is u f(x); else u is 1. */
typedef struct {
    float u, x;
} input;

/* y = u f(x), by MPFR. */
static void exact_result(const oracle *o, input in, mpfr_t y)
{
    mpfr_set_flt(y, in.x, MPFR_RNDN);
    o->exact(y, y, MPFR_RNDN);
    mpfr_mul_d(y, y, (double)in.u, MPFR_RNDN);
}

/* |got - u f(x)| in ULP, and u f(x) itself, by MPFR; got is finite. */
static double exact_error(const oracle *o, input in, float got, double *want)
{
    mpfr_t y, error;
    mpfr_inits2(PRECISION, y, error, (mpfr_ptr)0);
    exact_result(o, in, y);
    *want = mpfr_get_d(y, MPFR_RNDN);
    long e = mpfr_regular_p(y) ? mpfr_get_exp(y) - 1 : -126;
    mpfr_set_flt(error, got, MPFR_RNDN);
    mpfr_sub(error, error, y, MPFR_RNDA);
    mpfr_mul_2si(error, error, 23 - (e < -126 ? -126 : e), MPFR_RNDA);
    double ulp = fabs(mpfr_get_d(error, MPFR_RNDA));
    mpfr_clears(y, error, (mpfr_ptr)0);
    return ulp;
}

/* u f(x) rounded to the nearest float, by MPFR; exact enough to tell FLT_MAX from infinity. */
static float exact_float(const oracle *o, input in)
{
    mpfr_t y;
    mpfr_init2(y, PRECISION);
    exact_result(o, in, y);
    float f = mpfr_get_flt(y, MPFR_RNDN);
    mpfr_clear(y);
    return f;
}

/* The largest error so far, and where. What is worse than any error counts as infinite. */
typedef struct {
    double error, want;
    input in;
    float got;
    const char *wrong;
} worst;

/* What is wrong with a result whatever the bound, or NULL. */
static const char *spoiled(const oracle *o, input in, float got, double want)
{
    const float nearest = (float)want;
    if (is_nan(nearest))
        return is_quiet_nan(got) ? NULL : "not a quiet NaN";
    if (isinf(nearest) || isinf(got)) {
        if (to_bits(nearest) == to_bits(got) && fabs(want) > FLT_MAX * (1 + 0x1p-20))
            return NULL;
        return to_bits(exact_float(o, in)) == to_bits(got)
                   ? NULL
                   : "infinity for a finite result, or the reverse";
    }
    if (is_nan(got))
        return "NaN";
    if (got == 0 && !signbit(got) != !signbit(want))
        return "zero of the wrong sign";
    if (want == 0 && got != 0)
        return "not zero";
    return got < o->least || got > o->most ? "outside the function's range" : NULL;
}

/* Special results, and whatever may be a new maximum. */
static __attribute__((noinline)) void judge(worst *w, const oracle *o, input in, float got,
                                            double want)
{
    if (isinf(w->error))
        return;
    const char *wrong = spoiled(o, in, got, want);
    double error = (double)INFINITY;
    if (!wrong) {
        if (!isfinite(got))
            return;
        error = fabs((double)got - want) * ulps_in(want);
        if (error > 0.98 * o->bound)
            error = exact_error(o, in, got, &want);
        wrong = error > o->bound ? "beyond the bound" : NULL;
    }
    if (error > w->error)
        *w = (worst){.error = error, .want = want, .in = in, .got = got, .wrong = wrong};
}

/* A chunk of inputs on every ISA: the oracle is the dearer part, so it is asked once. u is NULL for
 * a kernel of one source. */
static void check_chunk(const kernel *k, const oracle *o, const float *u, const float *x, size_t n,
                        worst worsts[])
{
    static float y[CHUNK];
    static double want[CHUNK], ulps[CHUNK];
    const float least = (float)o->least, most = (float)o->most;
    for (size_t i = 0; i < n; i++) {
        want[i] = o->bulk((double)x[i]) * (u ? u[i] : 1);
        ulps[i] = ulps_in(want[i]);
    }
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
        worst *w = &worsts[isa];
        if (nonlin_use_isa(nonlin_isa_name(isa)) != NONLIN_OK)
            continue;
        if (call_vector(k, y, u, x, n) != NONLIN_OK)
            *w = (worst){.error = (double)INFINITY, .in = {1, x[0]}, .wrong = "not NONLIN_OK"};
        for (size_t i = 0; i < n; i++) {
            double error = fabs((double)y[i] - want[i]) * ulps[i];
            if (!(error <= w->error) || y[i] < least || y[i] > most ||
                (y[i] == 0 && !signbit(y[i]) != !signbit(want[i])))
                judge(w, o, (input){u ? u[i] : 1, x[i]}, y[i], want[i]);
        }
    }
}

typedef void check_fn(const kernel *k, const oracle *o, const float *x, size_t n, worst worsts[]);

/* f(x); of a kernel of two sources, 1 times f(x). */
static void check_function(const kernel *k, const oracle *o, const float *x, size_t n,
                           worst worsts[])
{
    static float ones[CHUNK];
    for (size_t i = 0; i < n; i++)
        ones[i] = 1;
    check_chunk(k, o, k->pair ? ones : NULL, x, n, worsts);
}

/* u f(x), where f(x) is normal. The error of f(x) in ULP of the product is the largest for a
 * product just below a power of two, so u makes it that. */
static void check_product(const kernel *k, const oracle *o, const float *x, size_t n,
                          worst worsts[])
{
    static float u[CHUNK], normal[CHUNK];
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        const double f = fabs(o->bulk((double)x[i]));
        if (!(f >= (double)FLT_MIN && f <= (double)FLT_MAX))
            continue;
        const double digits = f * ulps_in(f) * 0x1p-23; /* 1 to 2 */
        u[m] = (float)((to_bits(x[i]) & 1 ? -0x1.ffffcp0 : 0x1.ffffcp0) / digits);
        normal[m++] = x[i];
    }
    check_chunk(k, o, u, normal, m, worsts);
}

static const char *show_input(const kernel *k, input in)
{
    return k->pair ? text("u %s, x %s", show(in.u), show(in.x)) : text("x %s", show(in.x));
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
            w->error = exact_error(o, w->in, w->got, &w->want);
        printf("%-14s %-10s maximum error %.6f ULP of %s: %s, got %a, want %.10a\n", k->name,
               nonlin_isa_name(isa), w->error, of, show_input(k, w->in), (double)w->got, w->want);
    }
    fflush(stdout);
    if (wrong)
        ck_abort_msg("%s %s: %s: error %.6f of %g ULP: %s, got %s, want %a",
                     nonlin_isa_name((size_t)(wrong - worsts)), k->name, wrong->wrong, wrong->error,
                     o->bound, show_input(k, wrong->in), show(wrong->got), wrong->want);
}

/* Inputs gathered into chunks. */
typedef struct {
    const kernel *k;
    const oracle *o;
    check_fn *check;
    worst worsts[MAX_ISAS];
    size_t n, total;
    float x[CHUNK];
} sample;

static void flush(sample *s)
{
    s->check(s->k, s->o, s->x, s->n, s->worsts);
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

/* Uniform in x, as segments of approximations are. */
static void add_between(sample *s, uint64_t *random, double low, double high, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        add(s, to_bits(random_uniform(random, low, high)));
}

static void try_sample(const kernel *k, const oracle *o, check_fn *check, const char *of)
{
    static sample s;
    uint64_t random = 4;
    s = (sample){.k = k, .o = o, .check = check};
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
    add_between(&s, &random, -15, 15, 1 << 20);
    add_between(&s, &random, -1, 1, 1 << 19);
    add_between(&s, &random, -0x1p-6, 0x1p-6, 1 << 17);
    add_between(&s, &random, -110, 90, 1 << 19);
    /* 0 and 1, overflow; the last results that are normal, not zero, not 1, not x; and the worst
     * cases of either class */
    static const float hard[] = {
        0.0f,
        -0.0f,
        1.0f,
        -1.0f,
        FLT_MAX,
        FLT_MIN,
        /* exp */
        0x1.62e42ep6f,
        -0x1.5d589ep6f,
        -0x1.9fe368p6f,
        -0x1.9d1da0p6f,
        -0x1.5d8fb4p6f,
        -0x1.790b24p-1f,
        /* log; sigmoid, which ends as exp; tanh */
        0x1.1126d8p0f,
        0x1.154244p4f,
        0x1.205966p3f,
        -0x1.205966p3f,
        /* silu, gelu, gelu_tanh */
        -0x1.6f6d56p6f,
        -0x1.b2a426p6f,
        0x1.0ad4ep4f,
        -0x1.a4ae0cp3f,
        -0x1.cb64e8p3f,
        0x1.563dbp2f,
        -0x1.43386ap3f,
        -0x1.58aaf2p3f,
        0x1.3f9ffp2f,
        /* mulsilu */
        -0x1.2be214p-2f,
        -0x1.2c5714p-2f,
    };
    for (size_t i = 0; i < COUNT(hard); i++)
        add_around(&s, to_bits(hard[i]), 8192);
    flush(&s);
    char what[64];
    snprintf(what, sizeof what, "%zu %s", s.total, of);
    report(k, o, s.worsts, what);
}

/* The oracle of a product by f: another bound. */
static oracle oracle_of_product(const oracle *o)
{
    oracle product = *o;
    product.bound = o->product;
    return product;
}

START_TEST(test_map_sample) { try_sample(&kernels[_i], oracles[_i], check_function, "inputs"); }
END_TEST

START_TEST(test_product_sample)
{
    const oracle o = oracle_of_product(oracles[_i]);
    try_sample(&kernels[_i], &o, check_product, "products");
}
END_TEST

static const kernel *all_kernel; /* for the processes */
static const oracle *all_oracle;
static check_fn *all_check;

static void all_work(size_t w, size_t of, void *worsts)
{
    static float x[CHUNK];
    const uint64_t chunks = (UINT64_C(1) << 32) / CHUNK;
    for (uint64_t c = w; c < chunks; c += of) {
        for (uint32_t i = 0; i < CHUNK; i++)
            x[i] = from_bits((uint32_t)(c * CHUNK) + i);
        all_check(all_kernel, all_oracle, x, CHUNK, worsts);
        if (w == 0)
            progress(all_kernel->name, c / of, chunks / of + 1);
    }
    if (w == 0)
        progress(all_kernel->name, chunks / of + 1, chunks / of + 1);
}

static void try_all(const kernel *k, const oracle *o, check_fn *check, const char *what)
{
    all_kernel = k;
    all_oracle = o;
    all_check = check;
    size_t of;
    worst worsts[MAX_ISAS] = {{0}};
    worst *each = in_processes(all_work, sizeof worsts, &of);
    for (size_t i = 0; i < of * MAX_ISAS; i++) {
        worst *w = &worsts[i % MAX_ISAS];
        if (each[i].error > w->error)
            *w = each[i];
    }
    free(each);
    report(k, o, worsts, what);
}

START_TEST(test_map_all) { try_all(&kernels[_i], oracles[_i], check_function, "all inputs"); }
END_TEST

START_TEST(test_product_all)
{
    const oracle o = oracle_of_product(oracles[_i]);
    try_all(&kernels[_i], &o, check_product, "products by all inputs");
}
END_TEST

/* The bulk oracle is as good as oracles.h claims. */
static bool agree(double bulk, double want)
{
    if (isnan(want) || isinf(want) || want == 0)
        return isnan(want) ? isnan(bulk) : bulk == want && !signbit(bulk) == !signbit(want);
    return fabs(bulk - want) <= fabs(want) * 0x1p-45 + 0x1p-200 && !signbit(bulk) == !signbit(want);
}

static void check_bulk(const kernel *k, const oracle *o, float x)
{
    const double bulk = o->bulk((double)x);
    mpfr_t y;
    mpfr_init2(y, PRECISION);
    exact_result(o, (input){1, x}, y);
    const double want = mpfr_get_d(y, MPFR_RNDN);
    mpfr_clear(y);
    if (!agree(bulk, want))
        ck_abort_msg("%s: oracles differ: x %s, %a and %a", k->name, show(x), bulk, want);
}

START_TEST(test_map_oracle)
{
    const kernel *k = &kernels[_i];
    const oracle *o = oracles[_i];
    uint64_t random = 6;
    for (uint32_t i = 0; i < 1u << 15; i++)
        check_bulk(k, o, from_bits(i * 131101u));
    for (uint32_t i = 0; i < 1u << 12; i++) {
        check_bulk(k, o, random_uniform(&random, -15, 15));
        check_bulk(k, o, random_uniform(&random, -110, 90));
    }
}
END_TEST

/* ---- Elementwise, 16 bits ------------------------------------------------------------------- */

enum { ALL_NARROW = 1 << 16, SHOWN = 20 };

/* Sets y = f(x), and returns the bits that are wanted of it. */
static uint32_t wanted_of(const kernel *k, const oracle *o, uint32_t x, mpfr_t y)
{
    const dtype *t = k->type;
    mpfr_set_d(y, decode(t, x), MPFR_RNDN);
    o->exact(y, y, MPFR_RNDN);
    if (o->approximation)
        return o->approximation->wanted(x);
    if (!nearest_is_certain(t, y))
        ck_abort_msg("%s: the oracle does not know how to round: x %s", k->name, show_of(t, x));
    return nearest(t, y);
}

/* Prints a result that is wrong, the exact one, and how far they are apart in units of the last
 * place there: one half, and what decides. */
static void print_wrong(const kernel *k, const oracle *o, uint32_t x, uint32_t got, uint32_t want)
{
    const dtype *t = k->type;
    mpfr_t exact, units;
    mpfr_inits2(PRECISION, exact, units, (mpfr_ptr)0);
    wanted_of(k, o, x, exact);
    const double value = mpfr_get_d(exact, MPFR_RNDN);
    const int e = value == 0 || ilogb(value) < 1 - bias(t) ? 1 - bias(t) : ilogb(value);
    mpfr_sub_d(units, exact, decode(t, got), MPFR_RNDN);
    mpfr_mul_2si(units, units, fraction_bits(t) - e, MPFR_RNDN);
    mpfr_abs(units, units, MPFR_RNDN);
    mpfr_sub_d(units, units, 0.5, MPFR_RNDN);
    printf("%-14s %-10s x %s: got %s, want %s, exact %.12a, off by .5 + %.2e units\n", k->name,
           nonlin_active_isa(), show_of(t, x), show_of(t, got), show_of(t, want), value,
           mpfr_get_d(units, MPFR_RNDN));
    mpfr_clears(exact, units, (mpfr_ptr)0);
}

/* Prints how many results are wrong, y[x] being that of x; and the first ones, unless they have
 * been listed. */
static size_t count_wrong(const kernel *k, const oracle *o, const uint16_t *y, const uint16_t *want,
                          bool listed)
{
    size_t wrong = 0;
    for (uint32_t x = 0; x < ALL_NARROW; x++)
        if (!same_of(k->type, y[x], want[x]) && wrong++ < SHOWN && !listed)
            print_wrong(k, o, x, y[x], want[x]);
    printf("%-14s %-10s %zu of all inputs are wrong%s\n", k->name, nonlin_active_isa(), wrong,
           wrong && listed ? ", the same" : "");
    return wrong;
}

/* Prints the largest error and the largest step down, and whether one is too large. */
static bool exceeds(const kernel *k, const oracle *o, const uint16_t *y)
{
    const dtype *t = k->type;
    double worst = 0, step = 0;
    uint32_t worst_x = 0, step_x = 0;
    for (uint32_t x = 0; x < ALL_NARROW; x++) {
        const double number = decode(t, x), got = decode(t, y[x]);
        if (!isfinite(number))
            continue;
        const double error = fabs(got - o->bulk(number));
        if (!(error <= worst))
            worst = error, worst_x = x;
        const double down = number > 0 ? decode(t, y[x - 1]) - got : 0;
        if (!(down <= step))
            step = down, step_x = x;
    }
    printf("%-14s %-10s maximum error %.8f of all inputs: x %s, got %s; largest step down %.8f, to "
           "x %s\n",
           k->name, nonlin_active_isa(), worst, show_of(t, worst_x), show_of(t, y[worst_x]), step,
           show_of(t, step_x));
    return !(worst <= o->approximation->bound) || !(step <= o->approximation->step);
}

/* All inputs on all ISAs; correctly rounded, but for approximations by contract. */
START_TEST(test_map_narrow)
{
    static uint16_t x[ALL_NARROW], y[ALL_NARROW], last[ALL_NARROW], want[ALL_NARROW];
    const kernel *k = &kernels[_i];
    const oracle *o = oracles[_i];
    char wrong[128] = "";
    mpfr_t exact;
    mpfr_init2(exact, PRECISION);
    for (uint32_t i = 0; i < ALL_NARROW; i++) {
        x[i] = (uint16_t)i;
        want[i] = (uint16_t)wanted_of(k, o, i, exact);
    }
    mpfr_clear(exact);
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
        if (!use_isa(isa))
            continue;
        CALL(k, k->fn(y, x, ALL_NARROW));
        const size_t count = count_wrong(k, o, y, want, !memcmp(y, last, sizeof y));
        const bool far = o->approximation && exceeds(k, o, y);
        if ((count || far) && !*wrong)
            snprintf(wrong, sizeof wrong, "%s %s: %zu of all inputs are wrong%s",
                     nonlin_active_isa(), k->name, count, far ? ", the error is too large" : "");
        memcpy(last, y, sizeof y);
    }
    fflush(stdout);
    if (*wrong)
        ck_abort_msg("%s", wrong);
}
END_TEST

/* The kernel of floats of the same name. */
static const kernel *of_floats(const kernel *k)
{
    const size_t name = (size_t)(strrchr(k->name, '_') + 1 - k->name);
    for (const kernel *f = kernels; f < kernels + KERNELS; f++)
        if (f->type == &dtype_f32 && !strncmp(f->name, k->name, name))
            return f;
    ck_abort_msg("%s: there is none of floats", k->name);
}

/* Is it the nearest to `exact`, or as near as another, but for a thousandth of the last place? */
static bool nearly_nearest(const dtype *t, uint32_t bits, double exact)
{
    const double beyond = ldexp(1, bias(t) + 1), number = decode(t, bits);
    const double got = isinf(number) ? copysign(beyond, number) : number;
    const int least = 1 - bias(t), e = exact == 0 ? least : ilogb(exact);
    const double place = ldexp(1, (e < least ? least : e) - fraction_bits(t));
    return isfinite(exact) && fabs(got - exact) <= 0.501 * place &&
           (got != 0 || !signbit(number) == !signbit(exact));
}

/* A product is the one of floats, rounded once, or of a silu as near: all x, each with some u of
 * every kind. What is infinite, zero or NaN has to be so. */
START_TEST(test_product_narrow)
{
    static const double some[] = {1, -1, 0.0, -0.0, INFINITY, -INFINITY, NAN, 3};
    static uint16_t x[ALL_NARROW], u[ALL_NARROW], y[ALL_NARROW];
    static float wide_x[ALL_NARROW], wide_u[ALL_NARROW], wide_y[ALL_NARROW];
    CASE(k)
    const dtype *t = k->type;
    uint64_t random = 5;
    for (size_t round = 0; round < 4 * COUNT(some); round++) {
        for (uint32_t i = 0; i < ALL_NARROW; i++) {
            const uint16_t any = (uint16_t)random64(&random);
            x[i] = (uint16_t)i;
            u[i] = round < COUNT(some) ? (uint16_t)encode(t, some[round]) : any;
            wide_x[i] = (float)decode(t, x[i]);
            wide_u[i] = (float)decode(t, u[i]);
        }
        CALL(k, k->pair(y, u, x, ALL_NARROW));
        CALL(k, of_floats(k)->pair(wide_y, wide_u, wide_x, ALL_NARROW));
        for (uint32_t i = 0; i < ALL_NARROW; i++) {
            const uint32_t want = encode(t, (double)wide_y[i]);
            if (!same_of(t, y[i], want) && !nearly_nearest(t, y[i], (double)wide_y[i]))
                FAIL(k, "u %s, x %s: got %s, want %s", show_of(t, u[i]), show_of(t, x[i]),
                     show_of(t, y[i]), show_of(t, want));
        }
    }
}
END_TEST

/* Rounding is right: of all numbers, of the ties between them, and of what is next to a tie. */
static void check_nearest(const dtype *t, const mpfr_t y, uint32_t want, bool certain)
{
    if (nearest(t, y) != want || nearest_is_certain(t, y) != certain)
        ck_abort_msg("%a rounded to %s, want %s, certain: %d", mpfr_get_d(y, MPFR_RNDN),
                     show_of(t, nearest(t, y)), show_of(t, want), !certain);
}

START_TEST(test_nearest)
{
    const dtype *t = _i ? &dtype_bf16 : &dtype_f16;
    mpfr_t y, tie, little;
    mpfr_inits2(PRECISION, y, tie, little, (mpfr_ptr)0);
    for (uint32_t x = 0; x < ALL_NARROW; x++) {
        const uint32_t magnitude = x & (t->sign - 1);
        if (magnitude >= t->infinity)
            continue;
        /* what would follow the greatest number if that had more exponents is infinity */
        const double above = magnitude + 1 == t->infinity
                                 ? copysign(ldexp(1, bias(t) + 1), decode(t, x))
                                 : decode(t, x + 1);
        mpfr_set_d(y, decode(t, x), MPFR_RNDN);
        check_nearest(t, y, x, true);
        mpfr_set_d(tie, (decode(t, x) + above) / 2, MPFR_RNDN);
        check_nearest(t, tie, x + (x & 1), false);
        mpfr_mul_2si(little, tie, -160, MPFR_RNDN);
        mpfr_sub(y, tie, little, MPFR_RNDN);
        check_nearest(t, y, x, true);
        mpfr_add(y, tie, little, MPFR_RNDN);
        check_nearest(t, y, x + 1, true);
    }
    mpfr_clears(y, tie, little, (mpfr_ptr)0);
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

#define ORACLE_MAP(op) NULL,
#define ORACLE_MAP2(op) NULL,
#define ORACLE_ROW(op) &oracle_##op,
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
    ONCE_A_KERNEL(map, test_map_sample, MAP | MAP2, &dtype_f32);
    ONCE_A_KERNEL(map, test_product_sample, MAP2, &dtype_f32);
    if (exhaustive) {
        ONCE_A_KERNEL(map, test_map_all, MAP | MAP2, &dtype_f32);
        ONCE_A_KERNEL(map, test_product_all, MAP2, &dtype_f32);
    }
    ONCE_A_KERNEL(map, test_map_narrow, MAP, &dtype_f16);
    ONCE_A_KERNEL(map, test_map_narrow, MAP, &dtype_bf16);
    EACH_KERNEL(map, test_product_narrow, MAP2, &dtype_f16);
    EACH_KERNEL(map, test_product_narrow, MAP2, &dtype_bf16);
    if (!only_kernel)
        tcase_add_loop_test(map, test_nearest, 0, 2);
    TCase *row = add_case(suite, "rows");
    if (!only_kernel)
        tcase_add_test(row, test_row_oracle);
    ONCE_A_KERNEL(row, test_rows, ROW, &dtype_f32);
    if (!only_kernel || !strcmp(only_kernel, "log_softmax_f32"))
        tcase_add_loop_test(row, test_log_softmax_dominated, 0, (int)nonlin_isa_count());
    TCase *index = add_case(suite, "argmax");
    EACH_KERNEL(index, test_argmax, ARGMAX, NULL);
    EACH_KERNEL(index, test_argmax_long, ARGMAX, NULL);
    return run_suite(suite);
}
