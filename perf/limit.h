/* What the machine allows at a size: moving the same bytes without computing anything. */
#ifndef LIMIT_H
#define LIMIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    void *y;
    const void *x;
    size_t bytes;
    bool two; /* x is followed by as many bytes of a second source */
} limit_job;

/* For bench(): memcpy; two sources made one by a bitwise operation; either, written past the cache;
 * reading with one addition a vector. All but memcpy in the widest vectors there are. */
void limit_copy(const void *job, size_t calls);
void limit_merge(const void *job, size_t calls);
void limit_stream(const void *job, size_t calls);
/* Is there such a copy, and is it any use for so many bytes? */
bool limit_streams(size_t bytes);
void limit_read(const void *job, size_t calls);

#endif
