/* What the command line asks for. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define OPTIONS_SIZES 32
#define OPTIONS_LARGEST ((size_t)1 << 31) /* the most that argmax can number */

typedef struct {
    const char *kernel; /* a pattern */
    const char *isa;    /* NULL: what the library chooses */
    size_t sizes[OPTIONS_SIZES];
    size_t size_count; /* 0: the program's own */
    size_t reps;
    bool json;
} options;

/* A whole number from 1 to max, with k or M after it for 1024 or 1048576 of them; exits if it is
 * none. */
size_t options_number(const char *name, const char *text, size_t max);
/* Numbers between commas. */
void options_sizes(options *o, const char *text);
/* The sizes asked for, or these. */
void options_default_sizes(options *o, const size_t *sizes, size_t count);
size_t options_largest(const options *o);

#endif
