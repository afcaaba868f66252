#include "map.h"
#include "vmath.h"

/* y, but for x that is zero, negative, infinite or NaN. */
NL_INLINE vf32 log_or_special(vf32 x, vf32 y)
{
    const vf32 zero = f32_set(0.0f), inf = f32_set(__builtin_inff());
    y = f32_select(f32_lt(x, inf), y, inf);
    y = f32_select(f32_eq(x, zero), f32_neg(inf), y);
    return f32_select(f32_le(zero, x), y,
                      f32_set(__builtin_nanf(""))); /* NaN is no x >= 0 either */
}

/* The lanes hold such an x, or a subnormal, among others. */
static __attribute__((noinline)) vf32 log_special(vf32 x)
{
    vm32 subnormal = f32_lt(x, f32_set(0x1p-126f));
    vf32 scaled = f32_select(subnormal, f32_mul(x, f32_set(0x1p23f)), x);
    vi32 shift23 = i32_select(subnormal, i32_set(-23u << 23), i32_set(0));
    return log_or_special(x, log_normal(scaled, shift23));
}

NL_INLINE vf32 log_any(vf32 x)
{
    if (__builtin_expect(m32_any(f32_unusual(x)), 0))
        return log_special(x);
    return log_normal(x, i32_set(0));
}

static __attribute__((noinline)) vf32 log_special_f16(vf32 x)
{
    return log_or_special(x, log_for_f16(x));
}

/* The subnormals among halves are normal as floats. */
NL_INLINE vf32 log_any_f16(vf32 x)
{
    if (__builtin_expect(m32_any(f32_unusual(x)), 0))
        return log_special_f16(x);
    return log_for_f16(x);
}

MAP_KERNEL(f32, log_f32, float, log_any, MAP_SINGLY)
MAP_KERNEL(f16, log_f16, nonlin_f16, log_any_f16, MAP_SINGLY)
MAP_KERNEL(bf16, log_bf16, nonlin_bf16, log_any, MAP_SINGLY)
