/* Which ISA runs: what the library says about it, who may change it, and when it is decided.
 *
 * What is decided when a process starts is seen by running other programs (start.c, load.c: see
 * meson.build) that stand beside this one. In the environment: NONLIN_EXPECT_ISA  the ISA that this
 * machine must get, known to whoever chose the machine NONLIN_EXEC        a command that those
 * programs need in front, an emulator */
#define _GNU_SOURCE
#include "kernels.h"
#include "suite.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const kernel_names[] = {
#define KERNEL(op, dtype, class) #op "_" #dtype,
#include "kernels.def"
#undef KERNEL
};

static size_t strongest(void)
{
    size_t i = nonlin_isa_count() - 1;
    while (nonlin_isa_missing(i))
        i--;
    return i;
}

static const char *best(void) { return nonlin_isa_name(strongest()); }

/* ---- Calls of any kernel --------------------------------------------------------------------- */

enum { N = 77 };

typedef union {
    float values[N];
    int32_t index;
} result;

static void source(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(i * 31 % n) * 0.11f + 0.25f;
}

/* By the bare kernel `fn`, or by the public function if that is NULL. */
static nonlin_status call(size_t kernel, nonlin_fn fn, result *y)
{
    float x[N + 1];
    source(x, N + 1);
    memset(y, 0, sizeof *y);
/* other types take the bits of floats */
#define ARGS_MAP ((void *)y->values, (const void *)x, N)
#define ARGS_MAP2 ((void *)y->values, (const void *)(x + 1), (const void *)x, N)
#define ARGS_ROW ARGS_MAP
#define ARGS_ARGMAX (&y->index, (const void *)x, N)
    switch (kernel) {
#define KERNEL(op, dtype, class)                                        \
    case NL_KERNEL_##op##_##dtype:                                      \
        return (fn ? (nonlin_status(*) NL_PARAMS_##class(nl_##dtype))fn \
                   : nonlin_##op##_##dtype)ARGS_##class;
#include "kernels.def"
#undef KERNEL
    }
    return -1;
}

/* ---- What the library says ------------------------------------------------------------------- */

START_TEST(isa_list)
{
    const size_t count = nonlin_isa_count();
    ck_assert_uint_ge(count, 1);
    ck_assert_str_eq(nonlin_isa_name(0), "portable");
    ck_assert_ptr_null(nonlin_isa_missing(0));
    for (size_t i = 0; i < count; i++) {
        ck_assert_ptr_nonnull(nonlin_isa_name(i));
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(nonlin_isa_name(i), nonlin_isa_name(j));
        if (nonlin_isa_missing(i))
            ck_assert_uint_gt(strlen(nonlin_isa_missing(i)), 0);
    }
    for (size_t i = count; i < count + 3; i++) {
        ck_assert_ptr_null(nonlin_isa_name(i));
        ck_assert_str_eq(nonlin_isa_missing(i), "unknown ISA");
    }
    ck_assert_ptr_null(nonlin_isa_name(SIZE_MAX));
    ck_assert_str_eq(nonlin_isa_missing(SIZE_MAX), "unknown ISA");
}
END_TEST

/* The compiler's run-time library has a detector of its own, though it knows two vendors only. */
START_TEST(isa_usable)
{
#if defined(__x86_64__) || defined(__i386__)
    if (!__builtin_cpu_is("intel") && !__builtin_cpu_is("amd"))
        return;
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    for (size_t i = 0; i < nonlin_isa_count(); i++) {
        if (!strcmp(nonlin_isa_name(i), "avx2"))
            ck_assert_int_eq(!nonlin_isa_missing(i), avx2);
        if (!strcmp(nonlin_isa_name(i), "avx512"))
            ck_assert_int_eq(!nonlin_isa_missing(i), avx512);
    }
#endif
}
END_TEST

START_TEST(expected_isa)
{
    const char *expect = getenv("NONLIN_EXPECT_ISA");
    if (!getenv("NONLIN_ISA"))
        ck_assert_str_eq(nonlin_active_isa(), expect ? expect : best());
}
END_TEST

/* No kernel here is absent from any ISA, so each is served by the ISA in force. */
START_TEST(variants)
{
    for (size_t i = 0; i < nonlin_isa_count(); i++) {
        if (nonlin_use_isa(nonlin_isa_name(i)) != NONLIN_OK)
            continue;
        for (size_t k = 0; k < NL_KERNELS; k++)
            ck_assert_pstr_eq(nonlin_variant(kernel_names[k]), nonlin_isa_name(i));
        ck_assert_ptr_null(nonlin_variant(NULL));
        ck_assert_ptr_null(nonlin_variant(""));
        ck_assert_ptr_null(nonlin_variant("exp"));
        ck_assert_ptr_null(nonlin_variant("softmax_rows_f32"));
    }
}
END_TEST

START_TEST(use_isa)
{
    const char *start = nonlin_active_isa();
    for (size_t i = 0; i < nonlin_isa_count(); i++) {
        const char *name = nonlin_isa_name(i), *was = nonlin_active_isa();
        if (nonlin_isa_missing(i)) {
            ck_assert_int_eq(nonlin_use_isa(name), NONLIN_UNUSABLE_ISA);
            ck_assert_str_eq(nonlin_active_isa(), was);
        } else {
            ck_assert_int_eq(nonlin_use_isa(name), NONLIN_OK);
            ck_assert_str_eq(nonlin_active_isa(), name);
        }
        was = nonlin_active_isa();
        ck_assert_int_eq(nonlin_use_isa("none"), NONLIN_UNKNOWN_ISA);
        ck_assert_int_eq(nonlin_use_isa(""), NONLIN_UNKNOWN_ISA);
        ck_assert_str_eq(nonlin_active_isa(), was);
    }
    ck_assert_int_eq(nonlin_use_isa(NULL), NONLIN_OK);
    ck_assert_str_eq(nonlin_active_isa(), start);
}
END_TEST

/* Each ISA's bare kernel is what the public function runs when that ISA is in force, and they are
 * not all one. */
START_TEST(isa_kernels)
{
    const size_t k = (size_t)_i;
    nonlin_fn seen[16] = {NULL};
    ck_assert_uint_le(nonlin_isa_count(), 16);
    for (size_t i = 0; i < nonlin_isa_count(); i++) {
        const char *isa = nonlin_isa_name(i);
        nonlin_fn fn = nonlin_isa_kernel(isa, kernel_names[k]);
        if (nonlin_isa_missing(i)) {
            ck_assert(fn == NULL);
            continue;
        }
        ck_assert(fn != NULL);
        for (size_t j = 0; j < i; j++)
            ck_assert(fn != seen[j]);
        seen[i] = fn;

        result bare, public;
        ck_assert_int_eq(nonlin_use_isa(isa), NONLIN_OK);
        ck_assert_int_eq(call(k, fn, &bare), NONLIN_OK);
        ck_assert_int_eq(call(k, NULL, &public), NONLIN_OK);
        ck_assert_mem_eq(&bare, &public, sizeof bare);

        ck_assert(nonlin_isa_kernel(isa, "none") == NULL);
        ck_assert(nonlin_isa_kernel(isa, "") == NULL);
        ck_assert(nonlin_isa_kernel(isa, NULL) == NULL);
    }
    ck_assert(nonlin_isa_kernel("none", kernel_names[k]) == NULL);
    ck_assert(nonlin_isa_kernel("", kernel_names[k]) == NULL);
    ck_assert(nonlin_isa_kernel(NULL, kernel_names[k]) == NULL);
}
END_TEST

/* ---- Other programs -------------------------------------------------------------------------- */

static char here[4096]; /* the directory of this program, with the slash */

static const char *emulator(void)
{
    const char *command = getenv("NONLIN_EXEC");
    return command ? command : "";
}

/* Runs a program that stands beside this one with variables "NAME=value" set (as many as there are
 * up to NULL); NONLIN_ISA and the like are not inherited. The exit status; stdout goes to `out`. */
static int run(char *out, size_t size, const char *program, const char *arg,
               const char *const *variables)
{
    char path[4096 + 64], command[4096];
    int channel[2];
    snprintf(path, sizeof path, "%s%s", *program == '/' ? "" : here, program);
    snprintf(command, sizeof command, "%s", emulator());
    if (access(path, X_OK))
        ck_abort_msg("%s is not there", path);
    if (pipe(channel))
        ck_abort_msg("no pipe");
    pid_t child = fork();
    if (child == 0) {
        char *argv[16], *rest = command;
        int n = 0;
        while (n < 13 && (argv[n] = strtok_r(rest, " ", &rest)))
            n++;
        argv[n++] = path;
        argv[n++] = (char *)(uintptr_t)arg;
        argv[n] = NULL;
        unsetenv("NONLIN_ISA");
        for (; *variables; variables++)
            putenv((char *)(uintptr_t)*variables);
        dup2(channel[1], STDOUT_FILENO);
        close(channel[0]);
        close(channel[1]);
        execvp(argv[0], argv);
        _exit(127);
    }
    close(channel[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(channel[0], out + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    out[length] = '\0';
    close(channel[0]);
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        ck_abort_msg("%s does not start", path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#define VARIABLES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The program succeeds and prints the ISA that is in force at the start of main(), and the default
 * one. */
static void check_start(const char *program, const char *isa, const char *by_default,
                        const char *const *variables)
{
    char out[256], want[256];
    snprintf(want, sizeof want, "%s\n%s\n", isa, by_default);
    int status = run(out, sizeof out, program, NULL, variables);
    if (status || strcmp(out, want))
        ck_abort_msg("%s %s %s: exit status %d, \"%s\" and not \"%s\"", program,
                     *variables ? variables[0] : "", *variables && variables[1] ? variables[1] : "",
                     status, out, want);
}

static const char *const starts[] = {
#ifdef HAVE_SHARED
    "start-shared",
#endif
#ifdef HAVE_STATIC
    "start-static",
#endif
};
enum { STARTS = sizeof starts / sizeof *starts };

START_TEST(environment)
{
    const char *program = starts[_i];
    char variable[64];
    for (size_t i = 0; i < nonlin_isa_count(); i++) {
        snprintf(variable, sizeof variable, "NONLIN_ISA=%s", nonlin_isa_name(i));
        const char *isa = nonlin_isa_missing(i) ? best() : nonlin_isa_name(i);
        check_start(program, isa, isa, VARIABLES(variable));
    }
    static const char *const ignored[] = {"NONLIN_ISA=",         "NONLIN_ISA=none",
                                          "NONLIN_ISA=PORTABLE", "NONLIN_ISA=portable ",
                                          "NONLIN_ISA=portabl",  "NONLIN_ISA=0"};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        check_start(program, best(), best(), VARIABLES(ignored[i]));
    check_start(program, best(), best(), VARIABLES(NULL));
}
END_TEST

/* The first call of the process comes before the library's constructor: the right answer all the
 * same. */
static void check_early(const char *program, const char *what)
{
    char variable[64];
    snprintf(variable, sizeof variable, "NONLIN_EARLY=%s", what);
    const bool use = !strcmp(what, "use") || !strcmp(what, "contest");
    check_start(program, use ? "portable" : best(), best(), VARIABLES(variable));
    /* that it does come before: it decides for good what the environment says later */
    check_start(program, "portable", "portable", VARIABLES(variable, "NONLIN_EARLY_ISA=portable"));
}

START_TEST(early_kernels)
{
    for (size_t k = 0; k < NL_KERNELS; k++)
        check_early(starts[_i], kernel_names[k]);
}
END_TEST

START_TEST(early_answers)
{
    static const char *const calls[] = {"active", "variant", "missing", "kernel", "use"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        check_early(starts[_i], calls[i]);
}
END_TEST

START_TEST(early_threads)
{
    for (int round = 0; round < (quick() ? 4 : 20); round++) {
        check_early(starts[_i], "threads");
        check_early(starts[_i], "contest");
    }
}
END_TEST

/* A set-user-id program does not look at NONLIN_ISA. */
START_TEST(set_user_id)
{
#ifdef HAVE_STATIC
    char from[4096 + 64], to[4096 + 64], out[256], want[64];
    static char block[1 << 16];
    if (geteuid() != 0 || *emulator())
        return; /* only root can make one, and the emulator is none */
    snprintf(from, sizeof from, "%sstart-static", here);
    snprintf(to, sizeof to, "%sset-user-id-XXXXXX", here);
    FILE *in = fopen(from, "rb");
    int fd = mkstemp(to);
    ck_assert(in && fd >= 0);
    for (size_t got; (got = fread(block, 1, sizeof block, in)) > 0;)
        ck_assert_int_eq(write(fd, block, got), (ssize_t)got);
    fclose(in);
    bool made = !fchown(fd, 65534, (gid_t)-1) && !fchmod(fd, 04755);
    close(fd);
    int status = made ? run(out, sizeof out, to, NULL, VARIABLES("NONLIN_ISA=portable")) : 0;
    unlink(to);
    if (!made || !strstr(out, " secure\n"))
        return; /* a file system without such programs */
    snprintf(want, sizeof want, "%s secure\n%s\n", best(), best());
    ck_assert_int_eq(status, 0);
    ck_assert_str_eq(out, want);
#endif
}
END_TEST

START_TEST(loaded_twice)
{
#ifdef HAVE_SHARED
    char library[4096 + 64], out[256], want[64];
    snprintf(library, sizeof library, "%s../libnonlin.so.1", here);
    snprintf(want, sizeof want, "%s\n", best());
    ck_assert_int_eq(run(out, sizeof out, "load", library, VARIABLES(NULL)), 0);
    ck_assert_str_eq(out, want);
#endif
}
END_TEST

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 6, ROUNDS = 300, ISAS_MAX = 16 };

static result expected[NL_KERNELS][ISAS_MAX];
static atomic_int calling;
static atomic_int wrong;

static void *caller(void *unused)
{
    result y;
    (void)unused;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t k = 0; k < NL_KERNELS; k++) {
            bool known = false;
            nonlin_status status = call(k, NULL, &y);
            for (size_t i = 0; i < nonlin_isa_count(); i++)
                known |= !nonlin_isa_missing(i) && !memcmp(&y, &expected[k][i], sizeof y);
            if (status != NONLIN_OK || !known || !nonlin_variant(kernel_names[k]))
                wrong++;
        }
    calling--;
    return NULL;
}

static void *changer(void *unused)
{
    (void)unused;
    while (calling)
        for (size_t i = 0; i <= nonlin_isa_count(); i++) {
            nonlin_status status = nonlin_use_isa(nonlin_isa_name(i)); /* the last: NULL */
            if (status !=
                (nonlin_isa_name(i) && nonlin_isa_missing(i) ? NONLIN_UNUSABLE_ISA : NONLIN_OK))
                wrong++;
        }
    return NULL;
}

START_TEST(changed_under_way)
{
    pthread_t ids[THREADS + 2];
    ck_assert_uint_le(nonlin_isa_count(), ISAS_MAX);
    for (size_t i = 0; i < nonlin_isa_count(); i++)
        for (size_t k = 0; k < NL_KERNELS && !nonlin_isa_missing(i); k++)
            call(k, nonlin_isa_kernel(nonlin_isa_name(i), kernel_names[k]), &expected[k][i]);
    calling = THREADS;
    for (int t = 0; t < THREADS + 2; t++)
        ck_assert_int_eq(pthread_create(&ids[t], NULL, t < THREADS ? caller : changer, NULL), 0);
    for (int t = 0; t < THREADS + 2; t++)
        pthread_join(ids[t], NULL);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(nonlin_use_isa(NULL), NONLIN_OK);
}
END_TEST

/* All rows of a call are made by the ISA that it began with. */
enum { ONE_ISA_ROWS = 2000, ONE_ISA_COLS = 257 };

START_TEST(rows_of_one_isa)
{
    static float x[ONE_ISA_ROWS * ONE_ISA_COLS], y[ONE_ISA_ROWS * ONE_ISA_COLS];
    pthread_t id;
    int mixed = 0;

    for (size_t i = 0; i < sizeof x / sizeof *x; i++) /* the same row again and again */
        x[i] = (float)(i % ONE_ISA_COLS * 37 % 101) * 0.173f - 8;
    calling = 1;
    ck_assert_int_eq(pthread_create(&id, NULL, changer, NULL), 0);
    for (int round = 0; round < (quick() ? 10 : 100); round++) {
        nonlin_softmax_rows_f32(y, ONE_ISA_COLS, x, ONE_ISA_COLS, ONE_ISA_ROWS, ONE_ISA_COLS);
        for (size_t r = 1; r < ONE_ISA_ROWS; r++)
            mixed += memcmp(y, y + r * ONE_ISA_COLS, ONE_ISA_COLS * sizeof *y) != 0;
    }
    calling = 0;
    pthread_join(id, NULL);
    ck_assert_int_eq(nonlin_use_isa(NULL), NONLIN_OK);
    ck_assert_msg(mixed == 0, "%d rows are not like the first of their call", mixed);
}
END_TEST

int main(int argc, char **argv)
{
    (void)argc;
    snprintf(here, sizeof here, "%s", argv[0]);
    char *slash = strrchr(here, '/');
    here[slash ? slash + 1 - here : 0] = '\0';

    Suite *suite = suite_create("dispatch");
    TCase *tests = add_case(suite, "told");
    tcase_add_test(tests, isa_list);
    tcase_add_test(tests, isa_usable);
    tcase_add_test(tests, expected_isa);
    tcase_add_test(tests, variants);
    tcase_add_test(tests, use_isa);
    tcase_add_loop_test(tests, isa_kernels, 0, NL_KERNELS);
    tests = add_case(suite, "start");
    tcase_add_loop_test(tests, environment, 0, STARTS);
    tcase_add_loop_test(tests, early_kernels, 0, STARTS);
    tcase_add_loop_test(tests, early_answers, 0, STARTS);
    tcase_add_loop_test(tests, early_threads, 0, STARTS);
    tcase_add_test(tests, set_user_id);
    tcase_add_test(tests, loaded_twice);
    tests = add_case(suite, "threads");
    tcase_add_test(tests, changed_under_way);
    tcase_add_test(tests, rows_of_one_isa);
    return run_suite(suite);
}
