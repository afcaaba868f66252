#include "map.h"

/* silu by eight lines, y = a |x| + b, the table learned8 (the borders, slopes and biases of the
 * Hexagon HVX work in MNN, its pull request 4700). The segments' borders are 0 .25 .5 1 1.5 3.5 5
 * 6 8. The top bits of |x| make one of 16 states, of which each lies in one segment, and the tables
 * hold the line of every state.
 *
 * As silu(-x) = silu(x) - x, the line left of 0 is (a - 1) |x| + b; all a - 1 are halves too. With
 * this table the sum rounded to f16 directly, or to f32 before, is the same half for all inputs. */
#define BY_STATE(s0, s1, s2, s3, s4, s5, s6, s7)                       \
    {                                                                  \
        s0, s0, s1, s1, s2, s2, s3, s4, s4, s4, s4, s5, s5, s6, s7, s7 \
    }
static const uint16_t slope[16] =
    BY_STATE(0x387f, 0x3976, 0x3ab8, 0x3bed, 0x3c58, 0x3c2f, 0x3c13, 0x3c06);
static const uint16_t slope_minus_1[16] =
    BY_STATE(0xb702, 0xb514, 0xb120, 0xa0c0, 0x2d80, 0x29e0, 0x24c0, 0x1e00);
static const uint16_t bias[16] =
    BY_STATE(0x0000, 0xa816, 0xaf57, 0xb436, 0xb67a, 0xb422, 0xaffd, 0xaa33);

/* Two states an octave up to 2 (0x4000), four from there on; the first begins at 0. */
NL_INLINE vu16 silu_state(vu16 magnitude)
{
    vu16 quarter = u16_subs(u16_shr(magnitude, 8), u16_k(0x30));
    vu16 state = u16_max(u16_shr(quarter, 1), u16_subs(quarter, u16_k(8)));
    return u16_min(state, u16_k(15));
}

NL_INLINE vu16 silu_pwl(vu16 x)
{
    const vlut16 right = lut16_set(slope), left = lut16_set(slope_minus_1), b = lut16_set(bias);
    vu16 magnitude = u16_and(x, u16_k(0x7fff)), sign = u16_sub(x, magnitude);
    vm16 negative = u16_le(u16_k(0x8000), sign);
    vu16 i = silu_state(magnitude);
    vu16 a = u16_select(negative, u16_lut16(left, i), u16_lut16(right, i));
    vu16 y = f16_muladd(a, magnitude, u16_lut16(b, i));
    /* from 8 to infinity; a NaN has become a quiet one by itself */
    vm16 saturated = u16_le(u16_sub(magnitude, u16_k(0x4800)), u16_k(0x7c00 - 0x4800));
    y = u16_select(saturated, u16_select(negative, u16_k(0), magnitude), y);
    return u16_or(y, sign);
}

MAP_KERNEL(u16, silu_pwl_f16, nonlin_f16, silu_pwl, MAP_SINGLY)
