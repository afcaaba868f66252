#include "limit.h"
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Added in four chains, so that memory sets the time and not the latency of an addition. */
typedef unsigned vec __attribute__((vector_size(64), may_alias, aligned(4)));

#define READ(name, attributes)                                                             \
    attributes static unsigned name(const void *x, size_t bytes)                           \
    {                                                                                      \
        const char *p = x;                                                                 \
        vec a = {0}, b = {0}, c = {0}, d = {0};                                            \
        for (; bytes >= 4 * sizeof(vec); bytes -= 4 * sizeof(vec), p += 4 * sizeof(vec)) { \
            a += ((const vec *)p)[0];                                                      \
            b += ((const vec *)p)[1];                                                      \
            c += ((const vec *)p)[2];                                                      \
            d += ((const vec *)p)[3];                                                      \
        }                                                                                  \
        for (; bytes >= sizeof(vec); bytes -= sizeof(vec), p += sizeof(vec))               \
            a += *(const vec *)p;                                                          \
        a = (a + b) + (c + d);                                                             \
        unsigned sum = 0;                                                                  \
        for (size_t i = 0; i < sizeof(vec) / 4; i++)                                       \
            sum += a[i];                                                                   \
        for (; bytes; bytes--)                                                             \
            sum += (unsigned char)*p++;                                                    \
        return sum;                                                                        \
    }

#define MERGE(name, attributes)                                                             \
    attributes static void name(void *y, const void *x, const void *x2, size_t bytes)       \
    {                                                                                       \
        for (size_t i = 0; i + sizeof(vec) <= bytes; i += sizeof(vec))                      \
            *(vec *)((char *)y + i) =                                                       \
                *(const vec *)((const char *)x + i) ^ *(const vec *)((const char *)x2 + i); \
        for (size_t i = bytes / sizeof(vec) * sizeof(vec); i < bytes; i++)                  \
            ((char *)y)[i] = ((const char *)x)[i] ^ ((const char *)x2)[i];                  \
    }

#define WIDTH(name, attributes)     \
    READ(read_##name, attributes)   \
    MERGE(merge_##name, attributes) \
    static const width name = {read_##name, merge_##name};

typedef struct {
    unsigned (*read)(const void *x, size_t bytes);
    void (*merge)(void *y, const void *x, const void *x2, size_t bytes);
} width;

WIDTH(any, )
#if defined(__x86_64__)
WIDTH(avx2, __attribute__((target("avx2"))))
WIDTH(avx512, __attribute__((target("avx512f"))))
#endif

static width widest(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return avx512;
    if (__builtin_cpu_supports("avx2"))
        return avx2;
#endif
    return any;
}

void limit_read(const void *job, size_t calls)
{
    const limit_job *j = job;
    unsigned (*const read)(const void *, size_t) = widest().read;
    static volatile unsigned sink;
    unsigned sum = 0;
    while (calls--)
        sum += read(j->x, j->bytes);
    sink = sum;
    (void)sink;
}

static const void *second(const limit_job *j) { return (const char *)j->x + j->bytes; }

void limit_merge(const void *job, size_t calls)
{
    const limit_job *j = job;
    void (*const merge)(void *, const void *, const void *, size_t) = widest().merge;
    while (calls--)
        merge(j->y, j->x, second(j), j->bytes);
}

/* Volatile, so that the compiler does not see which function it is and calls it every time. */
static void *(*volatile any_memcpy)(void *, const void *, size_t) = memcpy;

void limit_copy(const void *job, size_t calls)
{
    const limit_job *j = job;
    void *(*const copy)(void *, const void *, size_t) = any_memcpy;
    while (calls--)
        copy(j->y, j->x, j->bytes);
}

#if defined(__x86_64__)
/* x2: NULL if there is no second source */
__attribute__((target("avx512f"))) static void stream_avx512(char *y, const char *x, const char *x2,
                                                             size_t bytes)
{
    for (size_t i = 0; i + 64 <= bytes; i += 64) {
        __m512i v = _mm512_loadu_si512(x + i);
        if (x2)
            v = _mm512_xor_si512(v, _mm512_loadu_si512(x2 + i));
        _mm512_stream_si512((void *)(y + i), v);
    }
}

static void stream_sse2(char *y, const char *x, const char *x2, size_t bytes)
{
    for (size_t i = 0; i + 16 <= bytes; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(x + i));
        if (x2)
            v = _mm_xor_si128(v, _mm_loadu_si128((const __m128i *)(x2 + i)));
        _mm_stream_si128((__m128i *)(y + i), v);
    }
}

void limit_stream(const void *job, size_t calls)
{
    const limit_job *j = job;
    const bool wide = __builtin_cpu_supports("avx512f");
    while (calls--)
        (wide ? stream_avx512 : stream_sse2)(j->y, j->x, j->two ? second(j) : NULL, j->bytes);
    _mm_sfence();
}

bool limit_streams(size_t bytes) { return bytes >= 4 << 20; }
#else
void limit_stream(const void *job, size_t calls)
{
    (((const limit_job *)job)->two ? limit_merge : limit_copy)(job, calls);
}
bool limit_streams(size_t bytes) { return (void)bytes, false; }
#endif
