/* What every suite begins and ends with. */
#ifndef NL_TEST_SUITE_H
#define NL_TEST_SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

/* Runs a suite, as loud as CK_VERBOSITY says. The exit status of the program. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

/* A test case whose tests may take minutes instead of Check's 4 seconds: emulators are slow. */
static inline TCase *add_case(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 600);
    suite_add_tcase(suite, tests);
    return tests;
}

/* Whether a test should leave out more of the same, because the machine is emulated. */
static inline bool quick(void) { return getenv("NONLIN_TEST_QUICK") != NULL; }

#endif
