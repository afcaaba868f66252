#include "map.h"
#include "vmath.h"

MAP_KERNEL(f32, tanh_f32, float, tanh_any, MAP_BY_FOUR)
MAP_KERNEL(f16, tanh_f16, nonlin_f16, tanh_any, MAP_BY_FOUR)
MAP_KERNEL(bf16, tanh_bf16, nonlin_bf16, tanh_for_bf16, MAP_BY_FOUR)
