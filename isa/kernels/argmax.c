#include "kernel.h"

/* Order keys: a < b as elements if and only if key(a) < key(b) as int32; -0 like +0, NaN above all. */
NL_INLINE int32_t key_of(uint32_t bits)
{
    uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return INT32_MAX;
    return bits >> 31 ? -(int32_t)magnitude : (int32_t)magnitude;
}

#define ARGMAX_BLOCK 2048

/* The greatest key of a block by three reductions of the raw bits: the signed maximum is right if any element is
 * not negative, the unsigned minimum if all are, the unsigned maximum shows a negative NaN. */
NL_INLINE int32_t block_key(const float *x, size_t n)
{
    const size_t lanes = LANES32;
    const uint32_t first = nl_bits(x[0]);
    vi32 smax0 = i32_set(first), smax1 = smax0, umax0 = smax0, umax1 = smax0, umin0 = smax0,
         umin1 = smax0;
    size_t i = 0;
    NL_UNROLL(2)
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        vi32 v = i32_load(x + i), w = i32_load(x + i + lanes);
        smax0 = i32_max(smax0, v);
        umax0 = u32_max(umax0, v);
        umin0 = u32_min(umin0, v);
        smax1 = i32_max(smax1, w);
        umax1 = u32_max(umax1, w);
        umin1 = u32_min(umin1, w);
    }
    for (; i < n; i += lanes) {
        vi32 v = n - i < lanes ? i32_load_n(x + i, n - i, first) : i32_load(x + i);
        smax0 = i32_max(smax0, v);
        umax0 = u32_max(umax0, v);
        umin0 = u32_min(umin0, v);
    }
    if (u32_hmax(u32_max(umax0, umax1)) > 0xff800000u)
        return INT32_MAX;
    int32_t greatest = i32_hmax(i32_max(smax0, smax1));
    return key_of(greatest >= 0 ? (uint32_t)greatest : u32_hmin(u32_min(umin0, umin1)));
}

nonlin_status KERNEL_NAME(argmax_f32)(int32_t *index, const float *x, size_t n)
{
    const size_t lanes = LANES32;
    int32_t best = INT32_MIN;
    size_t at = 0;

    for (size_t i = 0; i < n && best < INT32_MAX; i += ARGMAX_BLOCK) {
        int32_t key = block_key(x + i, n - i < ARGMAX_BLOCK ? n - i : ARGMAX_BLOCK);
        if (key > best) {
            best = key;
            at = i;
        }
    }
    /* The encodings that have this key: (bits & mask) - low <= span. */
    uint32_t mask = 0xffffffffu, low = best < 0 ? 0x80000000u | -(uint32_t)best : (uint32_t)best, span = 0;
    if (best == 0)
        mask = 0x7fffffffu;
    if (best == INT32_MAX) {
        mask = 0x7fffffffu;
        low = 0x7f800001u;
        span = 0x7ffffeu;
    }
    for (;; at += lanes) {
        vi32 v = n - at < lanes ? i32_load_n(x + at, n - at, low) : i32_load(x + at);
        vm32 hit = u32_le(i32_sub(i32_and(v, i32_set(mask)), i32_set(low)), i32_set(span));
        if (m32_any(hit)) {
            *index = (int32_t)(at + m32_first(hit));
            return NONLIN_OK;
        }
    }
}
