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
#define quotient _mm512_div_ps
#define muladd _mm512_fmadd_ps
#define max _mm512_max_ps
#define SLEEF(name, ulps) "Sleef_" name "f16_" ulps "avx512f"
#define MVEC(name) "_ZGVeN16v_" name "f"
#elif defined(PEERS_avx2)
#define LANES 8
typedef __m256 vec;
#define set _mm256_set1_ps
#define load _mm256_loadu_ps
#define store _mm256_storeu_ps
#define add _mm256_add_ps
#define sub _mm256_sub_ps
#define mul _mm256_mul_ps
#define quotient _mm256_div_ps
#define muladd _mm256_fmadd_ps
#define max _mm256_max_ps
#define SLEEF(name, ulps) "Sleef_" name "f8_" ulps "avx2"
#define MVEC(name) "_ZGVdN8v_" name "f"
#else
#define LANES 4
typedef __m128 vec;
#define set _mm_set1_ps
#define load _mm_loadu_ps
#define store _mm_storeu_ps
#define add _mm_add_ps
#define sub _mm_sub_ps
#define mul _mm_mul_ps
#define quotient _mm_div_ps
#define muladd(a, b, c) add(mul(a, b), c)
#define max _mm_max_ps
#define SLEEF(name, ulps) "Sleef_" name "f4_" ulps "sse2"
#define MVEC(name) "_ZGVbN4v_" name "f"
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

/* ---- elementwise ---- */

static inline vec sigmoid(function *exp, vec v)
{
    return quotient(set(1), add(set(1), exp(sub(set(0), v))));
}

static inline vec silu(function *exp, vec v)
{
    return quotient(v, add(set(1), exp(sub(set(0), v))));
}

static inline vec gelu(function *erf, vec v)
{
    vec half = mul(set(0.5f), v);
    return muladd(half, erf(mul(set(0x1.6a09e6p-1f), v)), half); /* sqrt(1/2) */
}

/* s (v + .044715 v^3), s = sqrt(2 / pi) */
static inline vec gelu_argument(vec v)
{
    return mul(v, muladd(set(0x1.2444f2p-5f), mul(v, v), set(0x1.988454p-1f)));
}

static inline vec gelu_tanh(function *tanh, vec v)
{
    vec half = mul(set(0.5f), v);
    return muladd(half, tanh(gelu_argument(v)), half);
}

/* (1 + tanh(z)) / 2 = 1 / (1 + exp(-2 z)) */
static inline vec gelu_sigmoid(function *exp, vec v)
{
    return quotient(v, add(set(1), exp(mul(set(-2), gelu_argument(v)))));
}

/* Each as a peers_loop on elements of type T; `v` has x[i] in its lanes, `w` x2[i], which most
 * leave alone. */
#define LOOP(name, T, result)                                                                    \
    static void name##_##T(void *function_, void *y_, const void *x_, const void *x2_, size_t n) \
    {                                                                                            \
        function *const f = (function *)function_;                                               \
        T *y = y_;                                                                               \
        const T *x = x_, *x2 = x2_;                                                              \
        for (size_t i = 0; i < n; i += LANES) {                                                  \
            vec v = load_##T(x + i), w = load_##T(x2 + i);                                       \
            (void)w;                                                                             \
            store_##T(y + i, result);                                                            \
        }                                                                                        \
    }
#define LOOPS(T)                         \
    LOOP(plain, T, f(v))                 \
    LOOP(sigmoid, T, sigmoid(f, v))      \
    LOOP(silu, T, silu(f, v))            \
    LOOP(mulsilu, T, mul(v, silu(f, w))) \
    LOOP(gelu, T, gelu(f, v))            \
    LOOP(gelu_tanh, T, gelu_tanh(f, v))  \
    LOOP(gelu_sigmoid, T, gelu_sigmoid(f, v))

#define load_f32 load
#define store_f32 store
typedef float f32;
LOOPS(f32)

/* 16-bit data become floats and then 16 bits again. */
#if defined(PEERS_avx512)
#define WIDENED
#define load_16(p) _mm256_loadu_si256((const __m256i *)(p))
#define store_16(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define load_f16(p) _mm512_cvtph_ps(load_16(p))
#define store_f16(p, v) store_16(p, _mm512_cvtps_ph(v, 0))
#define load_bf16(p) _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(load_16(p)), 16))

/* The nearest, the even one of two; not for NaN. Not every AVX-512 has an instruction for it. */
static inline void store_bf16(uint16_t *p, vec v)
{
    __m512i bits = _mm512_castps_si512(v);
    __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    bits = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    store_16(p, _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16)));
}
#elif defined(PEERS_avx2)
#define WIDENED
#define load_16(p) _mm_loadu_si128((const __m128i *)(p))
#define store_16(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define load_f16(p) _mm256_cvtph_ps(load_16(p))
#define store_f16(p, v) store_16(p, _mm256_cvtps_ph(v, 0))
#define load_bf16(p) _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_16(p)), 16))

static inline void store_bf16(uint16_t *p, vec v)
{
    __m256i bits = _mm256_castps_si256(v);
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    bits = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    bits = _mm256_srli_epi32(bits, 16);
    store_16(p, _mm_packus_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1)));
}
#endif
#ifdef WIDENED
typedef uint16_t f16, bf16;
LOOPS(f16)
LOOPS(bf16)
#define ALL(name)                           \
    {                                       \
        name##_f32, name##_f16, name##_bf16 \
    }
#else
#define ALL(name)  \
    {              \
        name##_f32 \
    }
#endif

/* ---- rows ---- */

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

static void softmax_f32(void *exp, void *y, const void *x, const void *x2, size_t n)
{
    (void)x2;
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
const peers_vec peers_vec_avx512 = {
    .isa = "avx512",
    .dnnl = "DEFAULT",
#elif defined(PEERS_avx2)
const peers_vec peers_vec_avx2 = {
    .isa = "avx2",
    .dnnl = "AVX2",
#else
const peers_vec peers_vec_sse2 = {
    .isa = "portable",
    .dnnl = "SSE41",
#endif
    .names = {[SLEEF_EXP] = SLEEF("exp", "u10"),
              [SLEEF_LOG] = SLEEF("log", "u10"),
              [SLEEF_LOG35] = SLEEF("log", "u35"),
              [SLEEF_TANH] = SLEEF("tanh", "u10"),
              [SLEEF_TANH35] = SLEEF("tanh", "u35"),
              [SLEEF_ERF] = SLEEF("erf", "u10"),
              [MVEC_EXP] = MVEC("exp"),
              [MVEC_LOG] = MVEC("log"),
              [MVEC_TANH] = MVEC("tanh"),
              [MVEC_ERF] = MVEC("erf")},
    .loops = {[PLAIN] = ALL(plain),
              [SIGMOID] = ALL(sigmoid),
              [SILU] = ALL(silu),
              [MULSILU] = ALL(mulsilu),
              [GELU] = ALL(gelu),
              [GELU_TANH] = ALL(gelu_tanh),
              [GELU_SIGMOID] = ALL(gelu_sigmoid),
              [SOFTMAX] = {softmax_f32}},
    .sum = sum,
    .sum8 = sum8,
};
