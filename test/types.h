/* Element types, one line each: what serves all of them sees elements as their bits. */
#ifndef NL_TEST_TYPES_H
#define NL_TEST_TYPES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of a floating-point type: the sign, infinity, and the bit that makes a NaN quiet; the last two
 * are 0 for integers. */
typedef struct {
    size_t size;
    uint32_t sign, infinity, quiet;
    double low, high; /* most of a test's elements lie between, canaries of integers above */
} dtype;

static const dtype dtype_f32 = {4, 0x80000000u, 0x7f800000u, 0x00400000u, -104, 89};
static const dtype dtype_f16 = {2, 0x8000, 0x7c00, 0x0200, -12, 12};
static const dtype dtype_bf16 = {2, 0x8000, 0x7f80, 0x0040, -88, 88};
static const dtype dtype_i8 = {1, 0x80, 0, 0, -128, 111};

enum { MOST_SIZE = 4 };

/* Elements of any type in memory. */
static inline void *at(const dtype *t, const void *p, size_t i)
{
    return (char *)(uintptr_t)p + i * t->size;
}

static inline uint32_t get(const dtype *t, const void *p, size_t i)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    switch (t->size) {
    case 1:
        memcpy(&byte, at(t, p, i), 1);
        return byte;
    case 2:
        memcpy(&half, at(t, p, i), 2);
        return half;
    default:
        memcpy(&word, at(t, p, i), 4);
        return word;
    }
}

static inline void put(const dtype *t, void *p, size_t i, uint32_t bits)
{
    const uint8_t byte = (uint8_t)bits;
    const uint16_t half = (uint16_t)bits;
    switch (t->size) {
    case 1:
        memcpy(at(t, p, i), &byte, 1);
        break;
    case 2:
        memcpy(at(t, p, i), &half, 2);
        break;
    default:
        memcpy(at(t, p, i), &bits, 4);
    }
}

/* Bits of the fraction, and what is taken off the exponent. */
static inline int fraction_bits(const dtype *t) { return ilogb(2.0 * t->quiet); }
static inline int bias(const dtype *t) { return (int)(t->infinity >> fraction_bits(t)) / 2; }

/* The number that the bits stand for. */
static inline double decode(const dtype *t, uint32_t bits)
{
    const uint32_t magnitude = bits & (t->sign - 1);
    if (!t->infinity)
        return bits & t->sign ? (double)magnitude - t->sign : bits;
    const int fraction = fraction_bits(t), e = (int)(magnitude >> fraction);
    const uint32_t digits = magnitude & (2 * t->quiet - 1);
    double a = e ? ldexp(digits + 2.0 * t->quiet, e - bias(t) - fraction)
                 : ldexp(digits, 1 - bias(t) - fraction);
    if (magnitude >= t->infinity)
        a = magnitude > t->infinity ? (double)NAN : (double)INFINITY;
    return bits & t->sign ? -a : a;
}

/* The bits of the number nearest to v, ties to even; a NaN as the plainest one. */
static inline uint32_t encode(const dtype *t, double v)
{
    if (!t->infinity)
        return (uint32_t)(int32_t)rint(v) & (0xffffffffu >> (32 - 8 * t->size));
    if (isnan(v))
        return t->infinity | t->quiet;
    const uint32_t sign = signbit(v) ? t->sign : 0;
    if (fabs(v) >= ldexp(1, bias(t) + 1))
        return sign | t->infinity;
    /* the leading digit, where there is one, adds 1 to the exponent, as does rounding up to it */
    const int least = 1 - bias(t), e = fabs(v) < ldexp(1, least) ? least : ilogb(v);
    const double digits = rint(ldexp(fabs(v), fraction_bits(t) - e));
    return sign | (((uint32_t)(e - least) << fraction_bits(t)) + (uint32_t)digits);
}

/* By their bits, as a test may run where subnormals read as zero. */
static inline bool is_nan_of(const dtype *t, uint32_t bits)
{
    return t->infinity && (bits & (t->sign - 1)) > t->infinity;
}
static inline bool is_quiet_nan_of(const dtype *t, uint32_t bits)
{
    const uint32_t quiet = t->infinity | t->quiet;
    return quiet && (bits & quiet) == quiet;
}

/* The same bits, or two quiet NaNs, whose sign and payload are unspecified. */
static inline bool same_of(const dtype *t, uint32_t a, uint32_t b)
{
    return a == b || (is_quiet_nan_of(t, a) && is_quiet_nan_of(t, b));
}

/* All NaNs there are, in kinds: quiet and signalling, of both signs, with the ends of the payload.
 */
enum { NANS = 10 };
static inline uint32_t nan_of(const dtype *t, size_t kind)
{
    const uint32_t q = t->quiet, payloads[NANS / 2] = {q, 1, 2 * q - 1, q - 1, q / 2 | 1};
    return (kind % 2 ? t->sign : 0) | t->infinity | payloads[kind / 2];
}

/* What lies beside the elements of a test, to be neither read nor written: NaNs, or the greatest
 * integers, so that reading one of them spoils the result, no two neighbours alike. */
static inline uint32_t canary(const dtype *t, size_t i)
{
    const uint32_t some = (uint32_t)i * 0x9e3779b1u >> 10;
    return t->infinity ? t->sign | t->infinity | t->quiet | (some & (t->quiet - 1))
                       : ((t->sign - 1) & 0xf0) | (some & 0x0f);
}

#endif
