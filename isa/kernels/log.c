#include "map.h"
#include "vmath.h"

/* The lanes hold a zero, a negative number, a subnormal, an infinity or a NaN among others. */
static __attribute__((noinline)) vf32 log_special(vf32 x)
{
    const vf32 zero = f32_set(0.0f), inf = f32_set(__builtin_inff());
    vm32 subnormal = f32_lt(x, f32_set(0x1p-126f));
    vf32 scaled = f32_select(subnormal, f32_mul(x, f32_set(0x1p23f)), x);
    vf32 y = log_normal(scaled, i32_select(subnormal, i32_set(-23u << 23), i32_set(0)));
    y = f32_select(f32_lt(x, inf), y, inf);
    y = f32_select(f32_eq(x, zero), f32_neg(inf), y);
    return f32_select(f32_le(zero, x), y,
                      f32_set(__builtin_nanf(""))); /* NaN is no x >= 0 either */
}

NL_INLINE vf32 log_any(vf32 x)
{
    if (__builtin_expect(m32_any(f32_unusual(x)), 0))
        return log_special(x);
    return log_normal(x, i32_set(0));
}

MAP_KERNEL(f32, log_f32, float, log_any)
