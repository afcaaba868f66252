/* The first greatest element. Elements are compared as int32 keys of their encodings: a < b if and only if
 * key(a) < key(b), -0 like +0, every NaN above all. */
#include "kernel.h"

NL_INLINE vi32 keys_of(vi32 bits)
{
    vi32 sign = i32_sra(bits, 31), magnitude = i32_and(bits, i32_set(0x7fffffffu));
    vi32 key = i32_sub(i32_xor(magnitude, sign), sign);
    return i32_select(u32_le(magnitude, i32_set(0x7f800000u)), key, i32_set(INT32_MAX));
}

/* Elements whose maximum is known before a place is looked for: they stay in the first cache. */
#define ARGMAX_BLOCK 2048

/* The greatest key of a block, in every lane, by three reductions of the raw bits: the signed maximum is right if any
 * element is not negative, the unsigned minimum if all are, the unsigned maximum shows a negative NaN. Only
 * their results become keys. */
NL_INLINE vi32 block_key(const float *x, size_t n)
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
    vi32 smax = i32_max(smax0, smax1), umax = u32_max(umax0, umax1), umin = u32_min(umin0, umin1);
    /* a lane's greatest key is one of the three keys, and none of them is too great */
    return i32_hmax(i32_max(i32_max(keys_of(smax), keys_of(umin)), keys_of(umax)));
}

/* The first place of a key that is there. Its encodings are those with (bits & mask) - low <= span: one, two zeros, or
 * all NaNs. */
NL_INLINE size_t first_place(const float *x, size_t n, int32_t key)
{
    const size_t lanes = LANES32;
    const int nan = key == INT32_MAX;
    const uint32_t bits = key < 0 ? 0x80000000u - (uint32_t)key : (uint32_t)key;
    const vi32 mask = i32_set(nan || key == 0 ? 0x7fffffffu : 0xffffffffu);
    const vi32 low = i32_set(nan ? 0x7f800001u : bits), span = i32_set(nan ? 0x7ffffeu : 0);
#define HIT(v) u32_le(i32_sub(i32_and(v, mask), low), span)
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        vm32 a = HIT(i32_load(x + i)), b = HIT(i32_load(x + i + lanes));
        vm32 c = HIT(i32_load(x + i + 2 * lanes)), d = HIT(i32_load(x + i + 3 * lanes));
        if (m32_any(m32_or(m32_or(a, b), m32_or(c, d))))
            break;
    }
    for (;; i += lanes) {
        const size_t left = n - i;
        vm32 hit = HIT(left < lanes ? i32_load_n(x + i, left, 0) : i32_load(x + i));
        if (m32_any(hit)) /* a zero beyond the end comes after what is looked for */
            return i + m32_first(hit);
    }
#undef HIT
}

nonlin_status KERNEL_NAME(argmax_f32)(int32_t *index, const float *x, size_t n)
{
    const size_t lanes = LANES32;
    if (n <= lanes) {
        vi32 keys = keys_of(i32_load_n(x, n, nl_bits(x[0])));
        *index = (int32_t)m32_first(i32_eq(keys, i32_hmax(keys)));
        return NONLIN_OK;
    }

    vi32 best = block_key(x, n < ARGMAX_BLOCK ? n : ARGMAX_BLOCK);
    size_t at = 0;
    for (size_t i = ARGMAX_BLOCK; i < n; i += ARGMAX_BLOCK) {
        vi32 key = block_key(x + i, n - i < ARGMAX_BLOCK ? n - i : ARGMAX_BLOCK);
        if ((int32_t)i32_first(key) > (int32_t)i32_first(best)) {
            best = key;
            at = i;
        }
    }
    *index = (int32_t)(at + first_place(x + at, n - at, (int32_t)i32_first(best)));
    return NONLIN_OK;
}
