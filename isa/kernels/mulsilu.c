#include "map.h"
#include "vmath.h"

MAP2_KERNEL(f32, mulsilu_f32, float, mulsilu_any, MAP_BY_FOUR)
MAP2_KERNEL(f16, mulsilu_f16, nonlin_f16, mulsilu_for_f16, MAP_BY_FOUR)
MAP2_KERNEL(bf16, mulsilu_bf16, nonlin_bf16, mulsilu_for_bf16, MAP_BY_FOUR)
