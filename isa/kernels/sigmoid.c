#include "map.h"
#include "vmath.h"

MAP_KERNEL(f32, sigmoid_f32, float, sigmoid_any, MAP_BY_FOUR)
MAP_KERNEL(f16, sigmoid_f16, nonlin_f16, sigmoid_for_f16, MAP_BY_FOUR)
MAP_KERNEL(bf16, sigmoid_bf16, nonlin_bf16, sigmoid_for_bf16, MAP_BY_FOUR)
