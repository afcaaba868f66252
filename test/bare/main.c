/* The words for 16-bit lanes and elements and the elementwise kernels of the ISA that this is
 * compiled for, without an operating system: for instruction sets that no emulator of programs has.
 * Every word is run on all values of its first operand, every elementwise kernel on the inputs of
 * bits.c, whose hashes it must give, every other beside its twin of avx512.
 *
 * Booted by run.sh. Output goes to port 0xe9 of the emulator. */
#include "kernel.h"
#include "half.h"
#include "hashes.h"

#include <cpuid.h>
#include <stdbool.h>

/* ---- Without a C library ----------------------------------------------------------------------
 */

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    void *d = to;
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(from), "+c"(n)::"memory");
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    void *d = to;
    __asm__ volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(byte) : "memory");
    return to;
}

static void out(uint16_t port, char c) { __asm__ volatile("outb %0, %1" ::"a"(c), "d"(port)); }

static void print(const char *text)
{
    while (*text)
        out(0xe9, *text++);
}

static void print_hex(uint64_t n)
{
    print("0x");
    for (int shift = n >> 32 ? 60 : n >> 16 ? 28 : 12; shift >= 0; shift -= 4)
        out(0xe9, "0123456789abcdef"[n >> shift & 15]);
}

static void print_number(unsigned n)
{
    if (n > 9)
        print_number(n / 10);
    out(0xe9, (char)('0' + n % 10));
}

/* ---- Checks -----------------------------------------------------------------------------------
 */

static unsigned checks, failures;

/* One check of many comparisons; the first that is wrong is told. */
static bool failed_here;
static void begin(void)
{
    checks++;
    failed_here = false;
}

static void fail(const char *what)
{
    failures += !failed_here;
    failed_here = true;
    print("\n");
    print(what);
}

static void wrong(const char *what, unsigned a, unsigned b, unsigned c, unsigned got, unsigned want)
{
    if (failed_here)
        return;
    fail(what);
    const unsigned operands[] = {a, b, c, got, want};
    for (int i = 0; i < 5; i++) {
        print(i == 3 ? ": got " : i == 4 ? ", want " : " ");
        print_hex(operands[i]);
    }
    print("\n");
}

static uint32_t random_bits(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* ---- Words ------------------------------------------------------------------------------------
 */

enum { HALVES = 1 << 16 };
static uint16_t first[HALVES], result[HALVES];

static const uint16_t special[] = {0x0000, 0x0001, 0x0002, 0x0010, 0x00ff, 0x0100, 0x03ff, 0x0400,
                                   0x0401, 0x07ff, 0x1400, 0x2e66, 0x3555, 0x37ff, 0x3800, 0x3bff,
                                   0x3c00, 0x3c01, 0x3e00, 0x4000, 0x4248, 0x4800, 0x5bff, 0x63ff,
                                   0x7800, 0x7bff, 0x7c00, 0x7c01, 0x7dff, 0x7e00, 0x7fff};
enum { SPECIALS = 2 * sizeof special / sizeof *special };
static uint16_t special_at(size_t i) { return (uint16_t)(special[i / 2] | (i % 2) << 15); }

/* a word of two operands: the first takes all values, the second those above */
#define WORD(word, want)                                                             \
    static void check_##word(void)                                                   \
    {                                                                                \
        begin();                                                                     \
        for (size_t s = 0; s < SPECIALS; s++) {                                      \
            const uint16_t b = special_at(s);                                        \
            for (size_t i = 0; i < HALVES; i += LANES16)                             \
                u16_store(result + i, CALL_##word(u16_load(first + i), u16_set(b))); \
            for (size_t i = 0; i < HALVES; i++) {                                    \
                const uint16_t a = first[i], expected = (uint16_t)(want);            \
                if (result[i] != expected)                                           \
                    wrong(#word, a, b, 0, result[i], expected);                      \
            }                                                                        \
        }                                                                            \
    }
#define CALL_u16_and u16_and
#define CALL_u16_or u16_or
#define CALL_u16_sub u16_sub
#define CALL_u16_subs u16_subs
#define CALL_u16_min u16_min
#define CALL_u16_max u16_max
#define CALL_u16_le(a, b) u16_select(u16_le(a, b), u16_set(0xffff), u16_set(0))
#define CALL_u16_select(a, b) u16_select(u16_le(a, b), a, b)
#define CALL_shr_1(a, b) u16_shr(a, 1)
#define CALL_shr_8(a, b) u16_shr(a, 8)
#define CALL_shr_13(a, b) u16_shr(a, 13)
#define CALL_u16_set(a, b) b
#define WORDS                                                                    \
    WORD(u16_and, a &b)                                                          \
    WORD(u16_or, a | b)                                                          \
    WORD(u16_sub, a - b)                                                         \
    WORD(u16_subs, a < b ? 0 : a - b)                                            \
    WORD(u16_min, a < b ? a : b)                                                 \
    WORD(u16_max, a > b ? a : b) WORD(u16_le, a <= b ? 0xffff : 0)               \
        WORD(u16_select, a <= b ? a : b) WORD(shr_1, a >> 1) WORD(shr_8, a >> 8) \
            WORD(shr_13, a >> 13) WORD(u16_set, b)
WORDS
#undef WORD

static void check_u16_lut16(void)
{
    static const uint16_t table[16] = {0x1234, 1, 2,  0x8003, 4,  5,  6,  7,
                                       8,      9, 10, 11,     12, 13, 14, 0xffff};
    begin();
    for (size_t i = 0; i < HALVES; i += LANES16)
        u16_store(result + i,
                  u16_lut16(lut16_set(table), u16_and(u16_load(first + i), u16_set(15))));
    for (unsigned i = 0; i < HALVES; i++)
        if (result[i] != table[first[i] % 16])
            wrong("u16_lut16", first[i] % 16, 0, 0, result[i], table[first[i] % 16]);
}

/* Parts of vectors: as many elements as asked for, and nothing beside them. The elements are
 * numbers, which conversions leave as they are. */
#define PARTS(lanes, load_n, store, store_n)                                                   \
    static void check_##load_n(void)                                                           \
    {                                                                                          \
        uint16_t to[3 * lanes];                                                                \
        begin();                                                                               \
        for (size_t n = 0; n <= lanes; n++)                                                    \
            for (size_t at = 0; at < lanes; at++) {                                            \
                for (size_t i = 0; i < 3 * lanes; i++)                                         \
                    to[i] = 0xa5a5;                                                            \
                store_n(to + at, load_n(first + 1000 + at, n, 0x7777), n);                     \
                for (size_t i = 0; i < 3 * lanes; i++) {                                       \
                    const bool inside = i >= at && i < at + n;                                 \
                    const uint16_t want = inside ? first[1000 + i] : 0xa5a5;                   \
                    if (to[i] != want)                                                         \
                        wrong(#store_n, (unsigned)n, (unsigned)at, (unsigned)i, to[i], want);  \
                }                                                                              \
                store(to, load_n(first + 1000 + at, n, 0x7777));                               \
                for (size_t i = 0; i < lanes; i++)                                             \
                    if (to[i] != (i < n ? first[1000 + at + i] : 0x7777))                      \
                        wrong(#load_n, (unsigned)n, (unsigned)at, (unsigned)i, to[i], 0x7777); \
            }                                                                                  \
    }
PARTS(LANES16, u16_load_n, u16_store, u16_store_n)
PARTS(LANES32, i32_load_u16_n, i32_store_u16, i32_store_u16_n)
PARTS(LANES32, f16_load_n, f16_store, f16_store_n)
PARTS(LANES32, bf16_load_n, bf16_store, bf16_store_n)

/* All elements as floats, and what lies in the middle to the next, or beside that, as elements. */
static float wide[HALVES];
#define CONVERSIONS(T)                                                                        \
    static void check_##T(void)                                                               \
    {                                                                                         \
        begin();                                                                              \
        for (size_t i = 0; i < HALVES; i += LANES32)                                          \
            f32_store(wide + i, T##_load(first + i));                                         \
        for (size_t i = 0; i < HALVES; i++) {                                                 \
            const double want = half_decode(half_##T, first[i]);                              \
            if (want == want ? nl_bits(wide[i]) != nl_bits((float)want) : wide[i] == wide[i]) \
                wrong(#T "_load", first[i], 0, 0, nl_bits(wide[i]), nl_bits((float)want));    \
        }                                                                                     \
        for (uint32_t beside = 0; beside < 3; beside++) {                                     \
            for (size_t i = 0; i < HALVES; i++) {                                             \
                const double next = half_decode(half_##T, first[(i + 1) % HALVES]);           \
                const double middle = (half_decode(half_##T, first[i]) + next) / 2;           \
                wide[i] = nl_float(nl_bits((float)middle) + beside - 1);                      \
            }                                                                                 \
            for (size_t i = 0; i < HALVES; i += LANES32)                                      \
                T##_store(result + i, f32_load(wide + i));                                    \
            for (size_t i = 0; i < HALVES; i++) {                                             \
                const uint16_t want = half_encode(half_##T, wide[i]);                         \
                if (wide[i] == wide[i] && result[i] != want)                                  \
                    wrong(#T "_store", nl_bits(wide[i]), 0, 0, result[i], want);              \
            }                                                                                 \
        }                                                                                     \
    }
CONVERSIONS(f16)
CONVERSIONS(bf16)

/* f16_muladd of all b with a and c. */
static void muladd_of(uint16_t a, uint16_t c)
{
    for (size_t i = 0; i < HALVES; i += LANES16)
        u16_store(result + i, f16_muladd(u16_set(a), u16_load(first + i), u16_set(c)));
    for (size_t i = 0; i < HALVES; i++) {
        const uint16_t want = half_muladd(a, first[i], c);
        const bool nan = half_is_nan(want);
        if (nan ? (result[i] & 0x7e00) != 0x7e00 : result[i] != want)
            wrong("f16_muladd", a, first[i], c, result[i], want);
    }
}

static void check_f16_muladd(void)
{
    begin();
    for (size_t i = 0; i < SPECIALS; i += 3)
        for (size_t j = i % 2; j < SPECIALS; j += 5)
            muladd_of(special_at(i), special_at(j));
    for (int i = 0; i < 40; i++) {
        const uint32_t random = random_bits();
        muladd_of((uint16_t)(random >> 16), (uint16_t)random);
    }
}

/* ---- Kernels ----------------------------------------------------------------------------------
 */

enum { CHUNK = 1 << 14 };

/* As in bits.c. A kernel of a class or type that is new stops the build here. */
#define HASH_MAP(op, dtype, inputs, ...)                                                       \
    {                                                                                          \
        static nl_##dtype x[CHUNK], u[CHUNK], y[CHUNK];                                        \
        (void)u; /* of one source */                                                           \
        uint64_t h = HASH_BASIS;                                                               \
        begin();                                                                               \
        for (uint32_t i = 0; i < (inputs); i += CHUNK) {                                       \
            for (uint32_t j = 0; j < CHUNK; j++) {                                             \
                x[j] = dtype##_from(hash_input(i + j));                                        \
                u[j] = dtype##_from(hash_first(i + j));                                        \
            }                                                                                  \
            KERNEL_NAME(op##_##dtype)(y, __VA_ARGS__, CHUNK);                                  \
            for (uint32_t j = 0; j < CHUNK; j++)                                               \
                h = hash_word(h, dtype##_bits(y[j]));                                          \
        }                                                                                      \
        if (h != hash_##op##_##dtype[FUSED])                                                   \
            wrong(#op "_" #dtype, 0, 0, 0, (unsigned)h, (unsigned)hash_##op##_##dtype[FUSED]); \
    }
#define KERNEL(op, dtype, class) CHECK_##class##_##dtype(op)
#define HASH_ONE(op, dtype) HASH_MAP(op, dtype, hash_inputs(sizeof *x), x)
#define HASH_TWO(op, dtype) HASH_MAP(op, dtype, HASH_PAIRS, u, x)
#define CHECK_MAP_f32(op) HASH_ONE(op, f32)
#define CHECK_MAP_f16(op) HASH_ONE(op, f16)
#define CHECK_MAP_bf16(op) HASH_ONE(op, bf16)
#define CHECK_MAP2_f32(op) HASH_TWO(op, f32)
#define CHECK_MAP2_f16(op) HASH_TWO(op, f16)
#define CHECK_MAP2_bf16(op) HASH_TWO(op, bf16)
#define CHECK_ROW_f32(op) AS_AVX512(op, f32, ROW, n)
#define CHECK_ARGMAX_f32(op) AS_AVX512(op, f32, ARGMAX, 1)
#define CHECK_ARGMAX_i8(op) AS_AVX512(op, i8, ARGMAX, 1)

/* Kernels of rows have nothing of their own here: the results are those of avx512, which runs on
 * machines with an operating system. */
enum { LONGEST = 700 };
#define AS_AVX512(op, dtype, class, results)                                  \
    {                                                                         \
        nonlin_status nl_avx512_##op##_##dtype NL_PARAMS_##class(nl_##dtype); \
        static uint32_t y[2][LONGEST];                                        \
        begin();                                                              \
        for (uint32_t n = 1; n <= LONGEST; n++) {                             \
            nl_##dtype *x = random_##dtype(n);                                \
            KERNEL_NAME(op##_##dtype)((void *)y[0], x, n);                    \
            nl_avx512_##op##_##dtype((void *)y[1], x, n);                     \
            for (uint32_t i = 0; i < (results); i++)                          \
                if (y[0][i] != y[1][i])                                       \
                    wrong(#op "_" #dtype, n, i, 0, y[0][i], y[1][i]);         \
        }                                                                     \
    }

static float *random_f32(uint32_t n)
{
    static float x[LONGEST];
    for (uint32_t i = 0; i < n; i++)
        x[i] = (float)(int32_t)random_bits() * 0x1p-26f;
    return x;
}

static int8_t *random_i8(uint32_t n)
{
    static int8_t x[LONGEST];
    for (uint32_t i = 0; i < n; i++)
        x[i] = (int8_t)(random_bits() % (n + 1));
    return x;
}

static float f32_from(uint32_t bits) { return nl_float(bits); }
static uint32_t f32_bits(float f) { return f != f ? 0x7fc00000 : nl_bits(f); }
static nonlin_f16 f16_from(uint32_t bits) { return (nonlin_f16){(uint16_t)bits}; }
static uint32_t f16_bits(nonlin_f16 h) { return half_is_nan(h.bits) ? 0x7e00 : h.bits; }
static nonlin_bf16 bf16_from(uint32_t bits) { return (nonlin_bf16){(uint16_t)bits}; }
static uint32_t bf16_bits(nonlin_bf16 b) { return (b.bits & 0x7fff) > 0x7f80 ? 0x7fc0 : b.bits; }

static void check_kernels(void)
{
#include "kernels.def"
}

/* ---- The beginning ----------------------------------------------------------------------------
 */

extern char bss[], bss_end[];

__attribute__((section(".start"), used)) void start(void);
void start(void)
{
    memset(bss, 0, (size_t)(bss_end - bss));
    for (uint32_t i = 0; i < HALVES; i++)
        first[i] = (uint16_t)i;

    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d >> 23 & 1)) {
        print("this CPU lacks avx512_fp16\n");
    } else {
#define WORD(word, want) check_##word();
        WORDS
#undef WORD
        check_u16_lut16();
        check_u16_load_n();
        check_i32_load_u16_n();
        check_f16_load_n();
        check_bf16_load_n();
        check_f16();
        check_bf16();
        check_f16_muladd();
        check_kernels();
        print_number(100 * (checks - failures) / checks);
        print("%: Checks: ");
        print_number(checks);
        print(", Failures: ");
        print_number(failures);
        print(", Errors: 0\n");
    }
    for (const char *s = "Shutdown"; *s; s++) /* which Bochs takes at this port for an order */
        out(0x8900, *s);
    for (;;)
        __asm__ volatile("hlt");
}
