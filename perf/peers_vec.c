/* The loops of peers.h for one vector length, -DPEERS_avx512 and so on. Functions that take vectors
 * can only be called from code compiled for that length. */
#include "peers.h"
#include <immintrin.h>

#if defined(PEERS_avx512)
#define LANES 16
typedef __m512 vec;
#define set _mm512_set1_ps
#define load _mm512_loadu_ps
#define store _mm512_storeu_ps
#define add _mm512_add_ps
#define sub _mm512_sub_ps
#define mul _mm512_mul_ps
#define max _mm512_max_ps
#elif defined(PEERS_avx2)
#define LANES 8
typedef __m256 vec;
#define set _mm256_set1_ps
#define load _mm256_loadu_ps
#define store _mm256_storeu_ps
#define add _mm256_add_ps
#define sub _mm256_sub_ps
#define mul _mm256_mul_ps
#define max _mm256_max_ps
#else
#define LANES 4
typedef __m128 vec;
#define set _mm_set1_ps
#define load _mm_loadu_ps
#define store _mm_storeu_ps
#define add _mm_add_ps
#define sub _mm_sub_ps
#define mul _mm_mul_ps
#define max _mm_max_ps
#endif

typedef vec function(vec);

/* Lanes from the upper half to the lower one, until one is left. */
#define FOLD(name, op)                                             \
    static float name(vec v)                                       \
    {                                                              \
        float lane[LANES];                                         \
        __m128 q;                                                  \
        store(lane, v);                                            \
        q = _mm_loadu_ps(lane);                                    \
        for (int i = 4; i < LANES; i += 4)                         \
            q = op##_ps(q, _mm_loadu_ps(lane + i));                \
        q = op##_ps(q, _mm_movehl_ps(q, q));                       \
        return _mm_cvtss_f32(op##_ss(q, _mm_shuffle_ps(q, q, 1))); \
    }
FOLD(hmax, _mm_max)
FOLD(hsum, _mm_add)

static void map(void *f, float *y, const float *x, size_t n)
{
    function *const apply = (function *)f;
    for (size_t i = 0; i < n; i += LANES)
        store(y + i, apply(load(x + i)));
}

static float greatest(const float *x, size_t n)
{
    vec a = set(-__builtin_inff()), b = a, c = a, d = a;
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        a = max(a, load(x + i));
        b = max(b, load(x + i + LANES));
        c = max(c, load(x + i + 2 * LANES));
        d = max(d, load(x + i + 3 * LANES));
    }
    for (; i < n; i += LANES)
        a = max(a, load(x + i));
    return hmax(max(max(a, b), max(c, d)));
}

static float terms(function *apply, float *y, const float *x, size_t n, vec top)
{
    vec a = set(0), b = a, c = a, d = a;
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        vec e0 = apply(sub(load(x + i), top));
        store(y + i, e0);
        a = add(a, e0);
        vec e1 = apply(sub(load(x + i + LANES), top));
        store(y + i + LANES, e1);
        b = add(b, e1);
        vec e2 = apply(sub(load(x + i + 2 * LANES), top));
        store(y + i + 2 * LANES, e2);
        c = add(c, e2);
        vec e3 = apply(sub(load(x + i + 3 * LANES), top));
        store(y + i + 3 * LANES, e3);
        d = add(d, e3);
    }
    for (; i < n; i += LANES) {
        vec e = apply(sub(load(x + i), top));
        store(y + i, e);
        a = add(a, e);
    }
    return hsum(add(add(a, b), add(c, d)));
}

static void scale(float *y, size_t n, vec by)
{
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        store(y + i, mul(load(y + i), by));
        store(y + i + LANES, mul(load(y + i + LANES), by));
        store(y + i + 2 * LANES, mul(load(y + i + 2 * LANES), by));
        store(y + i + 3 * LANES, mul(load(y + i + 3 * LANES), by));
    }
    for (; i < n; i += LANES)
        store(y + i, mul(load(y + i), by));
}

static void softmax(void *exp, float *y, const float *x, size_t n)
{
    const float sum = terms((function *)exp, y, x, n, set(greatest(x, n)));
    scale(y, n, set(1.0f / sum));
}

static float sum(const float *x, size_t n)
{
    vec a = set(0);
    for (size_t i = 0; i < n; i += LANES)
        a = add(a, load(x + i));
    return hsum(a);
}

static float sum8(const float *x, size_t n)
{
    vec a = set(0), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    size_t i = 0;
    for (; i + 8 * LANES <= n; i += 8 * LANES) {
        a = add(a, load(x + i));
        b = add(b, load(x + i + LANES));
        c = add(c, load(x + i + 2 * LANES));
        d = add(d, load(x + i + 3 * LANES));
        e = add(e, load(x + i + 4 * LANES));
        f = add(f, load(x + i + 5 * LANES));
        g = add(g, load(x + i + 6 * LANES));
        h = add(h, load(x + i + 7 * LANES));
    }
    for (; i < n; i += LANES)
        a = add(a, load(x + i));
    return hsum(add(add(add(a, b), add(c, d)), add(add(e, f), add(g, h))));
}

#if defined(PEERS_avx512)
const peers_vec peers_vec_avx512 = {"avx512",
                                    "Sleef_expf16_u10avx512f",
                                    "Sleef_logf16_u10avx512f",
                                    "Sleef_logf16_u35avx512f",
                                    "_ZGVeN16v_expf",
                                    "_ZGVeN16v_logf",
                                    "DEFAULT",
#elif defined(PEERS_avx2)
const peers_vec peers_vec_avx2 = {"avx2",
                                  "Sleef_expf8_u10avx2",
                                  "Sleef_logf8_u10avx2",
                                  "Sleef_logf8_u35avx2",
                                  "_ZGVdN8v_expf",
                                  "_ZGVdN8v_logf",
                                  "AVX2",
#else
const peers_vec peers_vec_sse2 = {"portable",
                                  "Sleef_expf4_u10sse2",
                                  "Sleef_logf4_u10sse2",
                                  "Sleef_logf4_u35sse2",
                                  "_ZGVbN4v_expf",
                                  "_ZGVbN4v_logf",
                                  "SSE41",
#endif
                                    map,
                                    softmax,
                                    sum,
                                    sum8};
