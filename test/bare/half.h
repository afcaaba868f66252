/* Halves (IEEE binary16) and bfloat16 in scalar C, for oracles: integers and double, no 16-bit
 * type.
 */
#ifndef NL_TEST_BARE_HALF_H
#define NL_TEST_BARE_HALF_H

#include <stdint.h>
#include <string.h>

static inline int half_is_nan(uint16_t h) { return (h & 0x7fff) > 0x7c00; }

static inline uint64_t half_bits_of(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static inline double half_double_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* A 16-bit type: bits of the fraction, and what is taken off the exponent. */
typedef struct {
    int fraction, bias;
} half_type;
static const half_type half_f16 = {10, 15}, half_bf16 = {7, 127};

static inline double half_decode(half_type t, uint16_t h)
{
    const int exponent = (h & 0x7fff) >> t.fraction, most = 2 * t.bias + 1;
    const uint64_t sign = (uint64_t)(h >> 15) << 63;
    const uint64_t rest = (uint64_t)(h & ((1 << t.fraction) - 1)) << (52 - t.fraction);
    if (exponent == most)
        return half_double_of(sign | UINT64_C(0x7ff) << 52 | rest);
    /* of a subnormal number, the one of the same exponent with a leading 1, less that 1 */
    const uint64_t power = (uint64_t)((exponent ? exponent : 1) + 1023 - t.bias) << 52;
    const double number = half_double_of(power | rest);
    const double magnitude = exponent ? number : number - half_double_of(power);
    return sign ? -magnitude : magnitude;
}

/* Rounded to nearest, ties to even. */
static inline uint16_t half_encode(half_type t, double d)
{
    const uint64_t bits = half_bits_of(d), magnitude = bits & ~(UINT64_C(1) << 63);
    const uint16_t sign = (uint16_t)(bits >> 63 << 15);
    const int most = 2 * t.bias + 1, exponent = (int)(magnitude >> 52) - 1023 + t.bias;
    if (magnitude > UINT64_C(0x7ff) << 52)
        return (uint16_t)(sign | most << t.fraction | 1 << (t.fraction - 1));
    if (exponent >= most)
        return (uint16_t)(sign | most << t.fraction);
    if (exponent < -t.fraction - 1)
        return sign;
    /* the significand with its leading 1, of which the last bits (more of a subnormal) go */
    const uint64_t significand = (magnitude & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const int gone = 52 - t.fraction + (exponent > 0 ? 0 : 1 - exponent);
    const uint64_t kept = significand >> gone, half = UINT64_C(1) << (gone - 1);
    const uint64_t rest = significand & (2 * half - 1);
    const uint64_t up = rest > half || (rest == half && (kept & 1));
    /* the leading 1 adds one to the exponent, and a carry does what it should */
    const uint64_t base = exponent > 0 ? (uint64_t)(exponent - 1) << t.fraction : 0;
    return (uint16_t)(sign | (base + kept + up));
}

static inline double half_to_double(uint16_t h) { return half_decode(half_f16, h); }
static inline uint16_t half_from_double(double d) { return half_encode(half_f16, d); }

/* a b + c with one rounding. The product is exact in double; the sum is rounded to odd, so that the
 * second rounding has no ties that were none. */
static inline uint16_t half_muladd(uint16_t a, uint16_t b, uint16_t c)
{
    const double p = half_to_double(a) * half_to_double(b), q = half_to_double(c), s = p + q;
    uint64_t bits = half_bits_of(s);
    if ((bits >> 52 & 0x7ff) == 0x7ff)
        return half_from_double(s);
    const double p_in = s - q, error = (p - p_in) + (q - (s - p_in));
    if (error != 0 && !(bits & 1))
        bits += (error > 0) == (s > 0) ? 1 : UINT64_MAX;
    return half_from_double(half_double_of(bits));
}

#endif
