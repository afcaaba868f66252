#include "map.h"
#include "vmath.h"

MAP_F32_KERNEL(exp_f32, exp_any)
