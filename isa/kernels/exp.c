#include "map.h"
#include "vmath.h"

MAP_KERNEL(f32, exp_f32, float, exp_any)
