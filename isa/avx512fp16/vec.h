/* The vector vocabulary in AVX-512 with FP16: 16-bit lanes are computed in themselves. */
#define f16_muladd f16_muladd
#include "../avx512/vec.h"

NL_INLINE vu16 f16_muladd(vu16 a, vu16 b, vu16 c)
{
    return _mm512_castph_si512(
        _mm512_fmadd_ph(_mm512_castsi512_ph(a), _mm512_castsi512_ph(b), _mm512_castsi512_ph(c)));
}
