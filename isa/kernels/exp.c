#include "map.h"
#include "vmath.h"

MAP_KERNEL(f32, exp_f32, float, exp_any, MAP_BY_FOUR)
MAP_KERNEL(f16, exp_f16, nonlin_f16, exp_for_f16, MAP_BY_FOUR)
MAP_KERNEL(bf16, exp_bf16, nonlin_bf16, exp_for_bf16, MAP_BY_FOUR)
