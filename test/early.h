/* A call that is made before the library's own constructor has run. */
#ifndef NL_TEST_EARLY_H
#define NL_TEST_EARLY_H

/* Was it answered rightly? Says so on stderr if not. */
int early_ok(void);

#endif
