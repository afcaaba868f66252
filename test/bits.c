/* All ISAs of a class, those with a fused multiply-add and those without, give the same bits; and
 * the bits are those that are committed here.
 *
 *     test-bits                   2^20 inputs of each elementwise kernel, thousands of rows of the
 * others test-bits --exhaustive      also all 2^32 inputs, compared across the ISAs (or
 * NONLIN_EXHAUSTIVE=1) test-bits --print           the hashes as they are now, to be committed
 * below when a kernel's bits change */
#include "numeric.h"

typedef enum { FUSED, UNFUSED, CLASSES } isa_class;

/* ---- The committed hashes ------------------------------------------------------------------- */

#define HASH(op, fused, unfused) static const uint64_t hash_##op[CLASSES] = {fused, unfused};
/* clang-format off */
HASH(exp_f32,         0x680f93fa8c6d2bc5, 0xd68224b2d670190b)
HASH(log_f32,         0xba74b6e767f70ac5, 0x9e0c01e6d893cc44)
HASH(softmax_f32,     0x437404e20dd03b24, 0xc416e2190f3ff56f)
HASH(log_softmax_f32, 0xe9374fb59ed4bf2b, 0xa1fd458b1a543d41)
HASH(argmax_f32,      0x4970eefe8a9c0d89, 0x4970eefe8a9c0d89)
/* clang-format on */

/* All kernels of all classes, each with its hashes. */
typedef struct {
    const char *name;
    const float_kernel *floats; /* or */
    const index_kernel *index;
    const uint64_t *committed;
} hashed;

#define KERNEL(op, dtype, class) {.name = #op "_" #dtype, .committed = hash_##op##_##dtype},
static hashed kernels[] = {
#include "kernels.def"
};
#undef KERNEL

static void find_kernels(void)
{
    for (size_t i = 0; i < COUNT(kernels); i++) {
        for (size_t k = 0; k < FLOAT_KERNELS; k++)
            if (!strcmp(kernels[i].name, float_kernels[k].name))
                kernels[i].floats = &float_kernels[k];
        for (size_t k = 0; k < INDEX_KERNELS; k++)
            if (!strcmp(kernels[i].name, index_kernels[k].name))
                kernels[i].index = &index_kernels[k];
    }
}

static const char *const class_names[] = {"fused", "unfused"};

/* The vector ISAs without a fused multiply-add, by name; portable has what its compiler has. */
static isa_class class_of(const char *isa)
{
    if (!strcmp(isa, "portable"))
#if defined(__FP_FAST_FMAF) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
        return FUSED;
#else
        return UNFUSED;
#endif
    return !strcmp(isa, "sse41") || !strcmp(isa, "simd128") ? UNFUSED : FUSED;
}

/* ---- Hashing -------------------------------------------------------------------------------- */

/* FNV-1a, of words in place of bytes: the same in either byte order. All quiet NaNs count as one.
 */
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
static uint64_t hash_word(uint64_t h, uint32_t word)
{
    return (h ^ word) * UINT64_C(0x100000001b3);
}

static uint64_t hash_floats(uint64_t h, const float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = hash_word(h, is_quiet_nan(y[i]) ? 0x7fc00000u : to_bits(y[i]));
    return h;
}

enum { CHUNK = 1 << 14, LONGEST = (1 << 22) + 77 };

/* 2^20 inputs, of all signs and exponents alike. */
static uint64_t hash_map(const float_kernel *k)
{
    static float x[CHUNK], y[CHUNK];
    uint64_t h = FNV_BASIS;
    for (uint32_t i = 0; i < 1u << 20; i += CHUNK) {
        for (uint32_t j = 0; j < CHUNK; j++)
            x[j] = from_bits((i + j) * 4099u);
        CALL(k, k->fn(y, x, CHUNK));
        h = hash_floats(h, y, CHUNK);
    }
    return h;
}

/* The lengths: all short ones, then at random, then long ones. */
enum { SHORT = 200, ROWS = 3000, LONG_ROWS = ROW_KIND_COUNT };
static size_t row_length(size_t i, uint64_t *random)
{
    static const size_t longs[] = {4096, 32768, 151936, 300000, LONGEST, (1 << 20) + 12345};
    if (i < ROWS)
        return i < SHORT ? i + 1 : 1 + random_below(random, 2000);
    return i - ROWS < COUNT(longs) ? longs[i - ROWS] : 100003;
}

static uint64_t hash_rows(const hashed *k)
{
    float *x = malloc(LONGEST * sizeof *x), *y = malloc(LONGEST * sizeof *y);
    uint64_t h = FNV_BASIS, random = 11;
    for (size_t i = 0; i < ROWS + LONG_ROWS; i++) {
        const size_t n = row_length(i, &random);
        fill_row((row_kind)(i % ROW_KIND_COUNT), &random, x, n);
        if (k->index) {
            int32_t index = -1;
            CALL(k, k->index->fn(&index, x, n));
            h = hash_word(h, (uint32_t)index);
        } else {
            CALL(k, k->floats->fn(y, x, n));
            h = hash_floats(h, y, n);
        }
    }
    free(x);
    free(y);
    return h;
}

static uint64_t hash_kernel(const hashed *k)
{
    return k->floats && k->floats->class == MAP ? hash_map(k->floats) : hash_rows(k);
}

/* ---- Tests ---------------------------------------------------------------------------------- */

START_TEST(test_committed)
{
    const hashed *k = &kernels[(size_t)_i / nonlin_isa_count()];
    const size_t isa = (size_t)_i % nonlin_isa_count();
    if (!use_isa(isa))
        return;
    const isa_class class = class_of(nonlin_isa_name(isa));
    const uint64_t got = hash_kernel(k), want = k->committed[class];
    if (got != want)
        FAIL(k,
             "hash of class %s: got %#018" PRIx64 ", committed %#018" PRIx64
             " (test-bits --print shows all)",
             class_names[class], got, want);
}
END_TEST

/* Where an ISA differs from another of its class, as hashes do not say it. */
START_TEST(test_across)
{
    enum { ALL = 1 << 20 };
    const float_kernel *k = &float_kernels[_i];
    static float x[CHUNK], y[CLASSES][CHUNK], z[CHUNK];
    uint64_t random = 12;
    for (uint32_t round = 0; round < ALL / CHUNK; round++) {
        const char *first[CLASSES] = {NULL};
        size_t n = CHUNK;
        if (k->class == ROW) {
            n = 1 + random_below(&random, CHUNK);
            fill_row((row_kind)(round % ROW_KIND_COUNT), &random, x, n);
        } else
            for (uint32_t j = 0; j < CHUNK; j++)
                x[j] = from_bits((uint32_t)random64(&random));
        for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
            if (!use_isa(isa))
                continue;
            const char *name = nonlin_isa_name(isa);
            const isa_class class = class_of(name);
            float *to = first[class] ? z : y[class];
            CALL(k, k->fn(to, x, n));
            for (size_t i = 0; first[class] && i < n; i++)
                if (!same(z[i], y[class][i]))
                    FAIL(k, "n %zu, round %" PRIu32 ", element %zu: x %s, got %s, but %s gives %s",
                         n, round, i, show(x[i]), show(z[i]), first[class], show(y[class][i]));
            if (!first[class])
                first[class] = name;
        }
    }
}
END_TEST

/* All inputs in parts, each with a hash an ISA: however many processes share them, the hash of the
 * hashes is the same on every machine. */
enum { PARTS = 64, MAX_ISAS = 16 };
typedef struct {
    uint64_t hash[PARTS][MAX_ISAS];
} all_hashes;

static const float_kernel *all_kernel; /* for the processes */

static void all_work(size_t w, size_t of, void *result)
{
    static float x[CHUNK], y[CHUNK];
    all_hashes *all = result;
    const uint32_t chunks = (uint32_t)((UINT64_C(1) << 32) / PARTS / CHUNK);
    for (uint32_t part = (uint32_t)w; part < PARTS; part += (uint32_t)of) {
        for (size_t isa = 0; isa < nonlin_isa_count(); isa++)
            all->hash[part][isa] = FNV_BASIS;
        for (uint32_t c = 0; c < chunks; c++) {
            for (uint32_t i = 0; i < CHUNK; i++)
                x[i] = from_bits((part * chunks + c) * CHUNK + i);
            for (size_t isa = 0; isa < nonlin_isa_count(); isa++)
                if (nonlin_use_isa(nonlin_isa_name(isa)) == NONLIN_OK) {
                    all_kernel->fn(y, x, CHUNK);
                    all->hash[part][isa] = hash_floats(all->hash[part][isa], y, CHUNK);
                }
        }
        if (w == 0)
            progress(all_kernel->name, part + of < PARTS ? part : PARTS, PARTS);
    }
}

START_TEST(test_all)
{
    all_kernel = &float_kernels[_i];
    if (all_kernel->class != MAP || !exhaustive)
        return;
    size_t of;
    uint64_t hashes[MAX_ISAS];
    const char *first[CLASSES] = {NULL};
    uint64_t want[CLASSES];
    all_hashes *parts = in_processes(all_work, sizeof *parts, &of);
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
        const char *name = nonlin_isa_name(isa);
        const isa_class class = class_of(name);
        if (nonlin_isa_missing(isa))
            continue;
        hashes[isa] = FNV_BASIS;
        for (size_t part = 0; part < PARTS; part++) {
            const uint64_t h = parts[part % of].hash[part][isa];
            hashes[isa] = hash_word(hash_word(hashes[isa], (uint32_t)h), (uint32_t)(h >> 32));
        }
        printf("%-12s %-10s all inputs, %-7s %#018" PRIx64 "\n", all_kernel->name, name,
               class_names[class], hashes[isa]);
        fflush(stdout);
        if (!first[class]) {
            first[class] = name;
            want[class] = hashes[isa];
        } else if (hashes[isa] != want[class])
            ck_abort_msg("%s: %s and %s differ", all_kernel->name, name, first[class]);
    }
    free(parts);
}
END_TEST

/* The lines of the table above. A class that no ISA has here keeps what it has. */
static int print(void)
{
    for (size_t i = 0; i < COUNT(kernels); i++) {
        uint64_t h[CLASSES] = {kernels[i].committed[FUSED], kernels[i].committed[UNFUSED]};
        for (size_t isa = 0; isa < nonlin_isa_count(); isa++)
            if (nonlin_use_isa(nonlin_isa_name(isa)) == NONLIN_OK)
                h[class_of(nonlin_isa_name(isa))] = hash_kernel(&kernels[i]);
        printf("HASH(%s, %#018" PRIx64 ", %#018" PRIx64 ")\n", kernels[i].name, h[FUSED],
               h[UNFUSED]);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    read_flags(argc, argv);
    find_kernels();
    if (argc > 1 && !strcmp(argv[1], "--print"))
        return print();
    if (nonlin_isa_count() > MAX_ISAS)
        return EXIT_FAILURE;
    Suite *suite = suite_create("bits");
    TCase *committed = add_case(suite, "committed hashes");
    tcase_add_loop_test(committed, test_committed, 0, (int)(COUNT(kernels) * nonlin_isa_count()));
    TCase *across = add_case(suite, "across instruction sets");
    tcase_add_loop_test(across, test_across, 0, FLOAT_KERNELS);
    tcase_add_loop_test(across, test_all, 0, FLOAT_KERNELS);
    return run_suite(suite);
}
