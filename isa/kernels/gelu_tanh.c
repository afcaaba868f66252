#include "map.h"
#include "vmath.h"

MAP_KERNEL(f32, gelu_tanh_f32, float, gelu_tanh_any, MAP_BY_FOUR)
MAP_KERNEL(f16, gelu_tanh_f16, nonlin_f16, gelu_tanh_for_f16, MAP_BY_FOUR)
MAP_KERNEL(bf16, gelu_tanh_bf16, nonlin_bf16, gelu_tanh_for_bf16, MAP_BY_FOUR)
