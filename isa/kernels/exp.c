#include "map.h"
#include "vmath.h"

MAP_F32(exp_f32, exp_any)
