/* NEON with arithmetic on halves (FEAT_FP16). */
#define f16_muladd f16_muladd
#include "../neon/vec.h"

NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
#define HALVES(v) vreinterpretq_f16_u16(v)
    return vreinterpretq_u16_f16(vfmaq_f16(HALVES(c), HALVES(a), HALVES(b)));
#undef HALVES
}
