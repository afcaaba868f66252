#include "map.h"
#include "vmath.h"

MAP_KERNEL(f32, silu_f32, float, silu_any, MAP_BY_FOUR)
MAP_KERNEL(f16, silu_f16, nonlin_f16, silu_for_f16, MAP_BY_FOUR)
MAP_KERNEL(bf16, silu_bf16, nonlin_bf16, silu_for_bf16, MAP_BY_FOUR)
