/* What the machine allows at a size: moving the same bytes without computing anything. */
#ifndef LIMIT_H
#define LIMIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    void *y;
    const void *x;
    size_t bytes;
} limit_job;

/* For bench(): memcpy; a copy that writes past the cache; reading with one addition a vector. The
 * latter two in the widest vectors there are. */
void limit_copy(const void *job, size_t calls);
void limit_stream(const void *job, size_t calls);
/* Is there such a copy, and is it any use for so many bytes? */
bool limit_streams(size_t bytes);
void limit_read(const void *job, size_t calls);

#endif
