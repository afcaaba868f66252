#include "options.h"
#include "output.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t options_number(const char *name, const char *text, size_t max)
{
    char *end;
    errno = 0;
    unsigned long long n = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    int shift = 0;
    if (n && (*end == 'k' || *end == 'K' || *end == 'M'))
        shift = *end++ == 'M' ? 20 : 10;
    if (!n || errno || *end || n > max >> shift)
        die(EXIT_USAGE, "--%s %s: not a whole number from 1 to %zu", name, text, max);
    return (size_t)n << shift;
}

void options_sizes(options *o, const char *text)
{
    char *copy = need(strdup(text)), *at = copy, *one;
    o->size_count = 0;
    while ((one = strsep(&at, ","))) {
        if (o->size_count == OPTIONS_SIZES)
            die(EXIT_USAGE, "--size: more than %d sizes", OPTIONS_SIZES);
        o->sizes[o->size_count++] = options_number("size", one, OPTIONS_LARGEST);
    }
    free(copy);
}

void options_default_sizes(options *o, const size_t *sizes, size_t count)
{
    if (o->size_count)
        return;
    memcpy(o->sizes, sizes, count * sizeof *sizes);
    o->size_count = count;
}

size_t options_largest(const options *o)
{
    size_t largest = 0;
    for (size_t i = 0; i < o->size_count; i++)
        if (o->sizes[i] > largest)
            largest = o->sizes[i];
    return largest;
}
