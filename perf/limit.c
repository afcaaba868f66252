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

READ(read_any, )
#if defined(__x86_64__)
READ(read_avx2, __attribute__((target("avx2"))))
READ(read_avx512, __attribute__((target("avx512f"))))
#endif

static unsigned (*reader(void))(const void *, size_t)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return read_avx512;
    if (__builtin_cpu_supports("avx2"))
        return read_avx2;
#endif
    return read_any;
}

void limit_read(const void *job, size_t calls)
{
    const limit_job *j = job;
    unsigned (*const read)(const void *, size_t) = reader();
    static volatile unsigned sink;
    unsigned sum = 0;
    while (calls--)
        sum += read(j->x, j->bytes);
    sink = sum;
    (void)sink;
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
__attribute__((target("avx512f"))) static void stream_avx512(char *y, const char *x, size_t bytes)
{
    for (size_t i = 0; i + 64 <= bytes; i += 64)
        _mm512_stream_si512((void *)(y + i), _mm512_loadu_si512(x + i));
}

static void stream_sse2(char *y, const char *x, size_t bytes)
{
    for (size_t i = 0; i + 16 <= bytes; i += 16)
        _mm_stream_si128((__m128i *)(y + i), _mm_loadu_si128((const __m128i *)(x + i)));
}

void limit_stream(const void *job, size_t calls)
{
    const limit_job *j = job;
    const bool wide = __builtin_cpu_supports("avx512f");
    while (calls--)
        (wide ? stream_avx512 : stream_sse2)(j->y, j->x, j->bytes);
    _mm_sfence();
}

bool limit_streams(size_t bytes) { return bytes >= 4 << 20; }
#else
void limit_stream(const void *job, size_t calls) { limit_copy(job, calls); }
bool limit_streams(size_t bytes) { return (void)bytes, false; }
#endif
