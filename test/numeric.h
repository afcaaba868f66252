/* What the numeric suites share: the kernels by class and type, the instruction sets that run here,
 * rows of logits, work spread over processes, and messages that say where a result went wrong.
 *
 * The suites are written from nonlin.h and see nothing else of the library but kernels.def. */
#ifndef NUMERIC_H
#define NUMERIC_H

#include "functions.h"
#include "suite.h"
#include "types.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#ifndef __wasi__ /* no processes */
#include <sys/wait.h>
#endif
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- The kernels ---------------------------------------------------------------------------- */

typedef enum { MAP = 1, MAP2 = 2, ROW = 4, ARGMAX = 8 } kernel_class;

typedef struct {
    const char *name;
    kernel_class class;
    const dtype *type;
    vector_fn *fn;
    rows_fn *rows;
    /* of two sources, else NULL: fn and rows then take one source twice */
    pair_fn *pair;
    pair_rows_fn *pair_rows;
} kernel;

/* A class that is new to a type stops the build here, at a LIST_ macro that does not exist: its
 * tests are still to be written. */
#define LIST(op, class, dtype, pair, pair_rows)                         \
    {#op "_" #dtype,      class, &dtype_##dtype, vector_##op##_##dtype, \
     rows_##op##_##dtype, pair,  pair_rows},
#define LIST_ONE(op, class, dtype) LIST(op, class, dtype, NULL, NULL)
#define LIST_TWO(op, class, dtype) \
    LIST(op, class, dtype, pair_##op##_##dtype, pair_rows_##op##_##dtype)
#define LIST_MAP_f32(op) LIST_ONE(op, MAP, f32)
#define LIST_MAP_f16(op) LIST_ONE(op, MAP, f16)
#define LIST_MAP_bf16(op) LIST_ONE(op, MAP, bf16)
#define LIST_MAP2_f32(op) LIST_TWO(op, MAP2, f32)
#define LIST_MAP2_f16(op) LIST_TWO(op, MAP2, f16)
#define LIST_MAP2_bf16(op) LIST_TWO(op, MAP2, bf16)
#define LIST_ROW_f32(op) LIST_ONE(op, ROW, f32)
#define LIST_ARGMAX_f32(op) LIST_ONE(op, ARGMAX, f32)
#define LIST_ARGMAX_i8(op) LIST_ONE(op, ARGMAX, i8)
#define KERNEL(op, dtype, class) LIST_##class##_##dtype(op)
static const kernel kernels[] = {
#include "kernels.def"
};
#undef KERNEL

enum { KERNELS = COUNT(kernels) };

/* Calls a kernel on x, or on the two sources u and x. u is NULL for a kernel of one; for one of
 * two, it is x twice then. */
static inline nonlin_status call_vector(const kernel *k, void *y, const void *u, const void *x,
                                        size_t n)
{
    return u ? k->pair(y, u, x, n) : k->fn(y, x, n);
}

static inline nonlin_status call_rows(const kernel *k, void *y, size_t ldy, const void *u,
                                      size_t ldu, const void *x, size_t ldx, size_t rows,
                                      size_t cols)
{
    return u ? k->pair_rows(y, ldy, u, ldu, x, ldx, rows, cols)
             : k->rows(y, ldy, x, ldx, rows, cols);
}

/* ---- The instruction sets ------------------------------------------------------------------- */

/* Puts ISA i in force; false if it cannot run here. Tests call the public functions, so that they
 * go through the table that users get. */
static inline bool use_isa(size_t i)
{
    if (nonlin_isa_missing(i))
        return false;
    ck_assert_int_eq(nonlin_use_isa(nonlin_isa_name(i)), NONLIN_OK);
    ck_assert_str_eq(nonlin_active_isa(), nonlin_isa_name(i));
    return true;
}

/* The name of the only kernel that is wanted: --kernel; or NULL. */
static const char *only_kernel;

/* A test for each kernel of these classes (and this type, or NULL) on each ISA that runs here. It
 * begins with CASE(k), which sets k and the ISA. */
#define EACH_KERNEL(tcase, f, classes, of_type)                      \
    for (int i_ = 0; i_ < (int)(KERNELS * nonlin_isa_count()); i_++) \
        if (case_fits((size_t)i_, (unsigned)(classes), (of_type)))   \
    tcase_add_loop_test(tcase, f, i_, i_ + 1)
#define CASE(k)                                                  \
    const kernel *k = &kernels[(size_t)_i / nonlin_isa_count()]; \
    ck_assert(use_isa((size_t)_i % nonlin_isa_count()));

static inline bool case_fits(size_t i, unsigned classes, const dtype *type)
{
    const kernel *k = &kernels[i / nonlin_isa_count()];
    return k->class & classes && (!type || k->type == type) &&
           (!only_kernel || !strcmp(only_kernel, k->name)) &&
           !nonlin_isa_missing(i % nonlin_isa_count());
}

/* A test for each kernel, which it tries on all ISAs at once: &kernels[_i]. */
#define ONCE_A_KERNEL(tcase, f, classes, of_type)                                       \
    for (int i_ = 0; i_ < (int)KERNELS; i_++)                                           \
        if (case_fits((size_t)i_ * nonlin_isa_count(), (unsigned)(classes), (of_type))) \
    tcase_add_loop_test(tcase, f, i_, i_ + 1)

/* ---- Lengths -------------------------------------------------------------------------------- */

/* Four of the widest vectors of a type, and a tail. */
static inline size_t longest(const dtype *t)
{
    return 4 * (t->size == 4 ? 32 : 256 / t->size) + 70;
}
enum { LONGEST_OF_ALL = 4 * 256 + 70 };

/* The length to be tried after n: every one, later those about the multiples of 32 and some others.
 */
static inline size_t next_length(size_t n)
{
    do
        n++;
    while (n > 150 && (n + 1) % 32 > 2 && n % 37);
    return n;
}

/* ---- Floats --------------------------------------------------------------------------------- */

static inline float from_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline uint32_t to_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline bool is_nan(float f) { return is_nan_of(&dtype_f32, to_bits(f)); }
static inline bool is_quiet_nan(float f) { return is_quiet_nan_of(&dtype_f32, to_bits(f)); }
static inline bool same(float a, float b) { return same_of(&dtype_f32, to_bits(a), to_bits(b)); }

/* ---- Messages ------------------------------------------------------------------------------- */

/* A number in hexadecimal, or an integer, and its bits; good for the next eight calls. */
static inline const char *show_of(const dtype *t, uint32_t bits)
{
    static char text[8][48];
    static unsigned next;
    char *s = text[next++ % 8];
    snprintf(s, sizeof *text, t->infinity ? "%a (0x%0*" PRIx32 ")" : "%g (0x%0*" PRIx32 ")",
             decode(t, bits), (int)t->size * 2, bits);
    return s;
}
static inline const char *show(float f) { return show_of(&dtype_f32, to_bits(f)); }

/* Formatted text; good for the next four calls. */
__attribute__((format(printf, 1, 2))) static inline const char *text(const char *format, ...)
{
    static char buffers[4][512];
    static unsigned next;
    char *s = buffers[next++ % 4];
    va_list args;
    va_start(args, format);
    vsnprintf(s, sizeof *buffers, format, args);
    va_end(args);
    return s;
}

/* Ends the test: which ISA, which kernel, and what. Called only when something is wrong, as Check's
 * own assertions leave a mark each time they pass, too slow for inner loops. */
#define FAIL(k, ...) ck_abort_msg("%s %s: %s", nonlin_active_isa(), (k)->name, text(__VA_ARGS__))

/* Calls a kernel and demands NONLIN_OK. */
#define CALL(k, ...)                                                     \
    do {                                                                 \
        nonlin_status status_ = __VA_ARGS__;                             \
        if (status_ != NONLIN_OK)                                        \
            FAIL(k, #__VA_ARGS__ ": %s", nonlin_status_string(status_)); \
    } while (0)

/* ---- Random numbers and rows ---------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood, 2014): the same numbers everywhere, as hashes are committed. */
static inline uint64_t random64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline size_t random_below(uint64_t *state, size_t n)
{
    return (size_t)(random64(state) % n);
}

static inline float random_uniform(uint64_t *state, double low, double high)
{
    return (float)(low + (high - low) * (double)(random64(state) >> 11) * 0x1p-53);
}

/* About a standard deviate, as a sum of twelve 16-bit ones: no libm, for the reason above. */
static inline float random_gaussian(uint64_t *state)
{
    double sum = -6 * 65535.0;
    for (int i = 0; i < 3; i++)
        for (uint64_t bits = random64(state), j = 0; j < 4; j++, bits >>= 16)
            sum += (double)(bits & 0xffff);
    return (float)(sum * 0x1p-16);
}

/* Rows of logits. The first five are those for which nonlin.h gives the errors that were seen; from
 * ABOVE_4096 on, differences of logits are rounded. */
#define ROW_KINDS(X)    \
    X(UNIFORM_20)       \
    X(PEAK_5)           \
    X(PEAK_10)          \
    X(PEAK_20)          \
    X(PEAK_30)          \
    X(GAUSSIAN)         \
    X(ALL_EQUAL)        \
    X(TINY)             \
    X(WIDE_200)         \
    X(NEAR_1000)        \
    X(NEAR_MINUS_3000)  \
    X(MAX_4096)         \
    X(MAX_MINUS_4096)   \
    X(MASK_INF)         \
    X(MASK_FLT_MAX)     \
    X(MASK_1E9)         \
    X(ABOVE_4096)       \
    X(BELOW_MINUS_4096) \
    X(NEAR_100000)      \
    X(HUGE_SPREAD)

typedef enum {
#define X(kind) kind,
    ROW_KINDS(X)
#undef X
        ROW_KIND_COUNT
} row_kind;

static const char *const row_kind_names[] = {
#define X(kind) #kind,
    ROW_KINDS(X)
#undef X
};

static inline void fill_row(row_kind kind, uint64_t *state, float *x, size_t n)
{
    const size_t place = random_below(state, n);
    const float equal = random_uniform(state, -20, 20);
    for (size_t i = 0; i < n; i++) {
        switch (kind) {
        case PEAK_5:
        case PEAK_10:
        case PEAK_20:
        case PEAK_30: /* 10 either way, so that no difference exceeds 64 */
            x[i] = random_uniform(state, -10, 10);
            break;
        case GAUSSIAN:
            x[i] = 4 * random_gaussian(state);
            break;
        case ALL_EQUAL:
            x[i] = equal;
            break;
        case TINY: /* subnormals among them */
            x[i] = random_uniform(state, -0x1p-124, 0x1p-124);
            break;
        case WIDE_200:
            x[i] = random_uniform(state, -200, 200);
            break;
        case NEAR_1000:
            x[i] = random_uniform(state, 980, 1020);
            break;
        case NEAR_MINUS_3000:
            x[i] = random_uniform(state, -3020, -2980);
            break;
        case MAX_4096:
            x[i] = i == place ? 0x1p12f : random_uniform(state, 4056, 4096);
            break;
        case MAX_MINUS_4096:
            x[i] = i == place ? -0x1p12f : random_uniform(state, -4136, -4096);
            break;
        case ABOVE_4096:
            x[i] = i == place ? 0x1.000002p12f : random_uniform(state, 4056, 4096);
            break;
        case BELOW_MINUS_4096:
            x[i] = random_uniform(state, -4136, -4097);
            break;
        case NEAR_100000:
            x[i] = random_uniform(state, 99980, 100020);
            break;
        case HUGE_SPREAD:
            x[i] = random_uniform(state, -0x1p127, 0x1p127);
            break;
        default:
            x[i] = random_uniform(state, -20, 20);
        }
    }
    if (kind >= PEAK_5 && kind <= PEAK_30) {
        static const float ahead[] = {5, 10, 20, 30};
        x[place] = 10 + ahead[kind - PEAK_5];
    }
    if (kind == MASK_INF || kind == MASK_FLT_MAX || kind == MASK_1E9)
        for (size_t i = 0; i < n; i++)
            if (i != place && random64(state) >> 63)
                x[i] = kind == MASK_INF ? -INFINITY : kind == MASK_1E9 ? -1e9f : -FLT_MAX;
}

/* Elements for any kernel. Of an elementwise one: all bit patterns, and those that are likely; rows
 * of every kind; integers that a canary would beat. */
static inline void fill(const kernel *k, size_t round, void *x, size_t n)
{
    const dtype *t = k->type;
    uint64_t random = 1 + round;
    if (k->class == ROW) {
        fill_row((row_kind)(round % ROW_KIND_COUNT), &random, x, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random64(&random);
        const bool likely = !t->infinity || r >> 62;
        put(t, x, i, likely ? encode(t, random_uniform(&random, t->low, t->high)) : (uint32_t)r);
    }
}

/* ---- All inputs ----------------------------------------------------------------------------- */

/* Whether all 2^32 inputs are wanted: --exhaustive, or NONLIN_EXHAUSTIVE=1. */
static bool exhaustive;

/* Runs work(w, of, result) for w = 0 .. of-1, a process each, as many as there are CPUs
 * (nonlin_use_isa is for the whole process, so threads will not do). Returns the results, one after
 * another, to be freed. */
#ifdef __wasi__
static inline void *in_processes(void (*work)(size_t w, size_t of, void *result), size_t size,
                                 size_t *of)
{
    void *result = calloc(1, size);
    *of = 1;
    work(0, 1, result);
    return result;
}
#else
static inline void *in_processes(void (*work)(size_t w, size_t of, void *result), size_t size,
                                 size_t *of)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    *of = cpus < 1 ? 1 : cpus > 64 ? 64 : (size_t)cpus;
    int from[64];
    char *results = calloc(*of, size);
    for (size_t w = 0; w < *of; w++) {
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (!pid) {
            work(w, *of, results);
            _exit(write(ends[1], results, size) != (ssize_t)size);
        }
        close(ends[1]);
        from[w] = ends[0];
    }
    for (size_t w = 0; w < *of; w++) {
        size_t have = 0;
        ssize_t more;
        while (have < size && (more = read(from[w], results + w * size + have, size - have)) > 0)
            have += (size_t)more;
        close(from[w]);
        ck_assert_msg(have == size, "process %zu of %zu ended without a result", w, *of);
    }
    while (wait(NULL) > 0)
        ;
    return results;
}
#endif

/* Progress on stderr, in 64 steps and a last one, done == of; of is at least 64. */
static inline void progress(const char *what, uint64_t done, uint64_t of)
{
    if (done == of || done % (of / 64) == 0)
        fprintf(stderr, "\r%-16s %3d %%%s", what, (int)(100 * done / of), done == of ? "\n" : "");
}

/* ---- Flags ---------------------------------------------------------------------------------- */

static inline void read_flags(int argc, char **argv)
{
    const char *wanted = getenv("NONLIN_EXHAUSTIVE");
    exhaustive = wanted && !strcmp(wanted, "1");
    for (int i = 1; i < argc; i++) {
        exhaustive |= !strcmp(argv[i], "--exhaustive");
        if (!strcmp(argv[i], "--kernel") && i + 1 < argc)
            only_kernel = argv[++i];
    }
    for (size_t k = 0; only_kernel && strcmp(only_kernel, kernels[k].name); k++)
        if (k + 1 == KERNELS) {
            fprintf(stderr, "--kernel: there is no %s\n", only_kernel);
            exit(2);
        }
}

#endif
