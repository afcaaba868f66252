/* Pages with protection for WASI, whose memory has none. What was written where it may not be is
 * found afterwards: when any protection changes, when memory is given back, at the end of the test.
 * Reading goes unnoticed; but what may not be read is full of NaNs. */
#ifndef NL_TEST_WASI_MMAN_H
#define NL_TEST_WASI_MMAN_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_PRIVATE = 1, MAP_ANONYMOUS = 2, MAP_NORESERVE = 4, MADV_HUGEPAGE = 0 };
#define MAP_FAILED ((void *)-1)

typedef struct {
    unsigned char *p, *copy; /* of the pages that may not be written */
    bool *writable;          /* page by page */
    size_t pages;
} mman_map;

static mman_map mman_maps[16];

/* of any size, then; WebAssembly's own 64 KiB are much to compare again and again */
static inline long mman_sysconf(int name) { return name == _SC_PAGESIZE ? 4096 : sysconf(name); }
#define sysconf mman_sysconf
static inline size_t mman_page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static void mman_check(void)
{
    const size_t page = mman_page();
    for (mman_map *m = mman_maps; m < mman_maps + 16; m++)
        for (size_t i = 0; i < m->pages; i++) {
            const unsigned char *is = m->p + i * page, *was = m->copy + i * page;
            size_t b = 0;
            if (m->writable[i] || !memcmp(is, was, page))
                continue;
            while (is[b] == was[b])
                b++;
            ck_abort_msg("page %zu of %zu may not be written, and was, at byte %zu", i, m->pages,
                         b);
        }
}

/* The mapping that has this address; for NULL, one that is free. */
static inline mman_map *mman_find(const void *at)
{
    const uintptr_t a = (uintptr_t)at;
    for (mman_map *m = mman_maps; m < mman_maps + 16; m++)
        if (at ? a - (uintptr_t)m->p < m->pages * mman_page() : !m->pages)
            return m;
    ck_abort_msg("no such pages, or too many");
}

static inline int mprotect(void *at, size_t bytes, int protection)
{
    const size_t page = mman_page();
    mman_map *m = mman_find(at);
    const size_t from = (size_t)((unsigned char *)at - m->p) / page;
    mman_check();
    for (size_t i = from; i < from + (bytes + page - 1) / page; i++) {
        m->writable[i] = protection & PROT_WRITE;
        if (!m->writable[i])
            memcpy(m->copy + i * page, m->p + i * page, page);
    }
    return 0;
}

static inline void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    const size_t page = mman_page(), pages = (bytes + page - 1) / page;
    mman_map *m = mman_find(NULL);
    (void)at, (void)flags, (void)file, (void)offset;
    *m = (mman_map){aligned_alloc(page, pages * page), malloc(pages * page),
                    calloc(pages, sizeof(bool)), pages};
    if (!m->p || !m->copy || !m->writable)
        ck_abort_msg("no memory");
    memset(m->p, protection == PROT_NONE ? 0xff : 0, pages * page);
    memcpy(m->copy, m->p, pages * page);
    forkless.after = mman_check;
    mprotect(m->p, bytes, protection);
    return m->p;
}

static inline int munmap(void *at, size_t bytes)
{
    mman_map *m = mman_find(at);
    (void)bytes;
    mman_check();
    free(m->p);
    free(m->copy);
    free(m->writable);
    *m = (mman_map){0};
    return 0;
}

static inline int madvise(void *at, size_t bytes, int advice)
{
    (void)at, (void)bytes, (void)advice;
    return 0;
}

#endif
