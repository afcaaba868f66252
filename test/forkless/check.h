/* What the suites use of Check, without fork(), setjmp() and signals: for WebAssembly, which has
 * none of them. All tests run in one process, one after another. There is no way back out of a test
 * that has failed, so that ends the run: the tests that it kept from running are counted aloud, and
 * the program fails, as it does by itself in a crash. */
#ifndef NL_TEST_FORKLESS_CHECK_H
#define NL_TEST_FORKLESS_CHECK_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Suites ---------------------------------------------------------------------------------- */

typedef struct {
    const char *name, *file;
    int line;
    void (*run)(int _i);
} TTest;

typedef struct {
    const TTest *test;
    int from, to;
} forkless_loop;

typedef struct {
    const char *name;
    forkless_loop *loops;
    int count;
} TCase;

typedef struct {
    const char *name;
    TCase **cases;
    int count;
} Suite;

typedef struct {
    Suite *suite;
} SRunner;

enum print_output { CK_SILENT, CK_MINIMAL, CK_NORMAL, CK_VERBOSE, CK_ENV };

/* The test under way. */
static struct {
    const TCase *in;
    const TTest *test;
    int i, begun, of;
    enum print_output loud;
    void (*after)(void); /* is called at the end of each test, if set, and may fail it */
} forkless;

#define START_TEST(test_name)                                                                \
    static void test_name##_fn(int _i);                                                      \
    static const TTest test_name##_ttest = {#test_name, __FILE__, __LINE__, test_name##_fn}; \
    static const TTest *const test_name = &test_name##_ttest;                                \
    static void test_name##_fn(int _i __attribute__((unused)))
#define END_TEST

/* Room for one more. */
static inline void *forkless_grow(void *p, int count, size_t size)
{
    p = realloc(p, ((size_t)count + 1) * size);
    if (!p)
        abort();
    return p;
}

static inline Suite *suite_create(const char *name)
{
    Suite *suite = forkless_grow(NULL, 0, sizeof *suite);
    *suite = (Suite){name, NULL, 0};
    return suite;
}

static inline TCase *tcase_create(const char *name)
{
    TCase *tests = forkless_grow(NULL, 0, sizeof *tests);
    *tests = (TCase){name, NULL, 0};
    return tests;
}

static inline void suite_add_tcase(Suite *suite, TCase *tests)
{
    suite->cases = forkless_grow(suite->cases, suite->count, sizeof *suite->cases);
    suite->cases[suite->count++] = tests;
}

static inline void tcase_add_loop_test(TCase *tests, const TTest *test, int from, int to)
{
    tests->loops = forkless_grow(tests->loops, tests->count, sizeof *tests->loops);
    tests->loops[tests->count++] = (forkless_loop){test, from, to};
}
#define tcase_add_test(tests, test) tcase_add_loop_test(tests, test, 0, 1)

/* whoever runs the program has a limit of his own */
static inline void tcase_set_timeout(TCase *tests, double seconds) { (void)tests, (void)seconds; }

/* ---- Running --------------------------------------------------------------------------------- */

static inline void forkless_summary(int failures)
{
    if (forkless.loud > CK_SILENT)
        printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n",
               forkless.begun ? 100 * (forkless.begun - failures) / forkless.begun : 100,
               forkless.begun, failures);
}

__attribute__((noreturn, format(printf, 3, 4))) static inline void
forkless_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    forkless_summary(1);
    printf("%s:%d:F:%s:%s:%d: ", file, line, forkless.in->name, forkless.test->name, forkless.i);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n%d checks were not run after this one\n", forkless.of - forkless.begun);
    exit(EXIT_FAILURE);
}

static inline enum print_output forkless_loud(enum print_output mode)
{
    static const char *const names[] = {"silent", "minimal", "normal", "verbose"};
    const char *wanted = getenv("CK_VERBOSITY");
    if (mode != CK_ENV)
        return mode;
    for (int i = CK_SILENT; wanted && i <= CK_VERBOSE; i++)
        if (!strcmp(wanted, names[i]))
            return (enum print_output)i;
    return CK_NORMAL;
}

static inline void forkless_run(const TTest *test, int i)
{
    forkless.test = test;
    forkless.i = i;
    forkless.begun++;
    if (forkless.loud == CK_VERBOSE)
        printf("%s:%d: %s:%s:%d\n", test->file, test->line, forkless.in->name, test->name, i);
    fflush(stdout); /* a crash takes along what is not written */
    test->run(i);
    if (forkless.after)
        forkless.after();
}

static inline SRunner *srunner_create(Suite *suite)
{
    SRunner *runner = forkless_grow(NULL, 0, sizeof *runner);
    *runner = (SRunner){suite};
    return runner;
}

static inline void srunner_run_all(SRunner *runner, enum print_output mode)
{
    const Suite *suite = runner->suite;
    forkless.loud = forkless_loud(mode);
    if (forkless.loud > CK_SILENT)
        printf("Running suite(s): %s\n", suite->name);
    for (int c = 0; c < suite->count; c++)
        for (int l = 0; l < suite->cases[c]->count; l++)
            forkless.of += suite->cases[c]->loops[l].to - suite->cases[c]->loops[l].from;
    for (int c = 0; c < suite->count; c++) {
        forkless.in = suite->cases[c];
        for (int l = 0; l < forkless.in->count; l++) {
            const forkless_loop loop = forkless.in->loops[l];
            for (int i = loop.from; i < loop.to; i++)
                forkless_run(loop.test, i);
        }
    }
    forkless_summary(0);
}

/* whoever asks has seen none fail */
static inline int srunner_ntests_failed(SRunner *runner)
{
    (void)runner;
    return 0;
}

static inline void srunner_free(SRunner *runner)
{
    for (int c = 0; c < runner->suite->count; c++) {
        free(runner->suite->cases[c]->loops);
        free(runner->suite->cases[c]);
    }
    free(runner->suite->cases);
    free(runner->suite);
    free(runner);
}

/* ---- Assertions ------------------------------------------------------------------------------ */

#define ck_abort_msg(...) forkless_fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_assert_msg(true_, ...) ((true_) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#define ck_assert(true_) ck_assert_msg(true_, "Assertion '%s' failed", #true_)

#define FORKLESS_COMPARE(type, format, a, op, b)                                            \
    do {                                                                                    \
        const type a_ = (a), b_ = (b);                                                      \
        ck_assert_msg(a_ op b_, "Assertion '%s' failed: %s == %" format ", %s == %" format, \
                      #a " " #op " " #b, #a, a_, #b, b_);                                   \
    } while (0)
#define ck_assert_int_eq(a, b) FORKLESS_COMPARE(intmax_t, PRIdMAX, a, ==, b)
#define ck_assert_int_ne(a, b) FORKLESS_COMPARE(intmax_t, PRIdMAX, a, !=, b)
#define ck_assert_int_lt(a, b) FORKLESS_COMPARE(intmax_t, PRIdMAX, a, <, b)
#define ck_assert_int_le(a, b) FORKLESS_COMPARE(intmax_t, PRIdMAX, a, <=, b)
#define ck_assert_int_gt(a, b) FORKLESS_COMPARE(intmax_t, PRIdMAX, a, >, b)
#define ck_assert_int_ge(a, b) FORKLESS_COMPARE(intmax_t, PRIdMAX, a, >=, b)
#define ck_assert_uint_eq(a, b) FORKLESS_COMPARE(uintmax_t, PRIuMAX, a, ==, b)
#define ck_assert_uint_ne(a, b) FORKLESS_COMPARE(uintmax_t, PRIuMAX, a, !=, b)
#define ck_assert_uint_lt(a, b) FORKLESS_COMPARE(uintmax_t, PRIuMAX, a, <, b)
#define ck_assert_uint_le(a, b) FORKLESS_COMPARE(uintmax_t, PRIuMAX, a, <=, b)
#define ck_assert_uint_gt(a, b) FORKLESS_COMPARE(uintmax_t, PRIuMAX, a, >, b)
#define ck_assert_uint_ge(a, b) FORKLESS_COMPARE(uintmax_t, PRIuMAX, a, >=, b)
#define ck_assert_double_eq(a, b) FORKLESS_COMPARE(double, "a", a, ==, b)
#define ck_assert_ptr_null(a) FORKLESS_COMPARE(uintptr_t, PRIxPTR, (uintptr_t)(a), ==, 0)
#define ck_assert_ptr_nonnull(a) FORKLESS_COMPARE(uintptr_t, PRIxPTR, (uintptr_t)(a), !=, 0)

static inline int forkless_same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* str: NULL equals nothing; pstr: NULL equals NULL */
#define FORKLESS_TEXT(a, b, holds)                                                \
    do {                                                                          \
        const char *a_ = (a), *b_ = (b);                                          \
        ck_assert_msg(holds, "Assertion '%s' failed: %s == \"%s\", %s == \"%s\"", \
                      #a " and " #b " as " #holds, #a, a_ ? a_ : "(null)", #b,    \
                      b_ ? b_ : "(null)");                                        \
    } while (0)
#define ck_assert_str_eq(a, b) FORKLESS_TEXT(a, b, a_ &&forkless_same_text(a_, b_))
#define ck_assert_str_ne(a, b) FORKLESS_TEXT(a, b, a_ &&b_ && !forkless_same_text(a_, b_))
#define ck_assert_pstr_eq(a, b) FORKLESS_TEXT(a, b, forkless_same_text(a_, b_))
#define ck_assert_pstr_ne(a, b) FORKLESS_TEXT(a, b, !forkless_same_text(a_, b_))

#define ck_assert_mem_eq(a, b, n) \
    ck_assert_msg(!memcmp(a, b, n), "Assertion '%s' failed", #a " == " #b " for " #n " bytes")

#endif
