/* All ISAs of a class, those with a fused multiply-add and those without, give the same bits; and
 * the bits are those that are committed in hashes.h.
 *
 *     test-bits                   2^20 inputs of each elementwise kernel of floats, all of smaller
 *                                 types, 2^20 pairs where there are two sources, thousands of rows
 *                                 of the others
 *     test-bits --exhaustive      also all 2^32 inputs of each kernel of one float (or
 *                                 NONLIN_EXHAUSTIVE=1); in an emulator, of the ISA in force only
 *     test-bits --print           the hashes as they are now, for hashes.h when a kernel's bits
 *                                 change */
#include "nl_config.h"
#include "hashes.h"
#include "numeric.h"
#include "words.h"

/* In the order of kernels[]. */
#define KERNEL(op, dtype, class) hash_##op##_##dtype,
static const uint64_t *const committed[] = {
#include "kernels.def"
};
#undef KERNEL

/* Of all inputs; NULL where those of hash_inputs() are all there are, or no set is. */
#define ALL_MAP_f32(op) hash_all_##op##_f32
#define ALL_MAP_f16(op) NULL
#define ALL_MAP_bf16(op) NULL
#define ALL_MAP2_f32(op) NULL
#define ALL_MAP2_f16(op) NULL
#define ALL_MAP2_bf16(op) NULL
#define ALL_ROW_f32(op) NULL
#define ALL_ARGMAX_f32(op) NULL
#define ALL_ARGMAX_i8(op) NULL
#define KERNEL(op, dtype, class) ALL_##class##_##dtype(op),
static const uint64_t *const committed_all[] = {
#include "kernels.def"
};
#undef KERNEL

static const char *const class_names[] = {"fused", "unfused"};

/* What the ISA's vocabulary says. */
#define ISA(name, arch, features) NL_IF_##name(extern const words nl_words_##name;)
#include "isa.def"
#undef ISA

static int class_of(const char *isa)
{
#define ISA(name, arch, features) \
    NL_IF_##name(if (!strcmp(isa, #name)) return nl_words_##name.fused ? FUSED : UNFUSED;)
#include "isa.def"
#undef ISA
    ck_abort_msg("%s has no vocabulary", isa);
}

/* ---- Hashing -------------------------------------------------------------------------------- */

static uint64_t hash_elements(uint64_t h, const dtype *t, const void *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = get(t, y, i);
        h = hash_word(h, is_quiet_nan_of(t, bits) ? t->infinity | t->quiet : bits);
    }
    return h;
}

enum { CHUNK = 1 << 14, LONGEST = (1 << 22) + 77 };

static uint64_t hash_map(const kernel *k)
{
    static uint32_t x[CHUNK], u[CHUNK], y[CHUNK];
    const uint32_t inputs = k->pair ? HASH_PAIRS : hash_inputs(k->type->size);
    uint64_t h = HASH_BASIS;
    for (uint32_t i = 0; i < inputs; i += CHUNK) {
        for (uint32_t j = 0; j < CHUNK; j++) {
            put(k->type, x, j, hash_input(i + j));
            put(k->type, u, j, hash_first(i + j));
        }
        CALL(k, call_vector(k, y, k->pair ? u : NULL, x, CHUNK));
        h = hash_elements(h, k->type, y, CHUNK);
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

/* Bytes of every value; of few; rising, so that the greatest come late; one above the others. */
static void fill_bytes(size_t row, uint64_t *random, uint8_t *x, size_t n)
{
    const size_t place = random_below(random, n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random64(random) >> 32;
        const size_t rise = 240 * i / n + r % 8;
        x[i] = (uint8_t)(row % 4 == 0   ? r
                         : row % 4 == 1 ? 0xc0 | (r & 1)
                         : row % 4 == 2 ? 0x80 + rise
                                        : 0x80 + r % 128 + (i == place) * 128);
    }
}

static uint64_t hash_rows(const kernel *k)
{
    char *x = malloc(LONGEST * k->type->size), *y = malloc(LONGEST * k->type->size);
    uint64_t h = HASH_BASIS, random = 11;
    for (size_t i = 0; i < ROWS + LONG_ROWS; i++) {
        const size_t n = row_length(i, &random);
        if (k->type->size == 1)
            fill_bytes(i, &random, (uint8_t *)x, n);
        else
            fill_row((row_kind)(i % ROW_KIND_COUNT), &random, (float *)x, n);
        if (k->class == ARGMAX) {
            int32_t index = -1;
            CALL(k, k->fn(&index, x, n));
            h = hash_word(h, (uint32_t)index);
        } else {
            CALL(k, k->fn(y, x, n));
            h = hash_elements(h, k->type, y, n);
        }
    }
    free(x);
    free(y);
    return h;
}

static uint64_t hash_kernel(const kernel *k)
{
    return k->class & (MAP | MAP2) ? hash_map(k) : hash_rows(k);
}

/* ---- Tests ---------------------------------------------------------------------------------- */

START_TEST(test_committed)
{
    CASE(k)
    const int class = class_of(nonlin_active_isa());
    const uint64_t got = hash_kernel(k), want = committed[k - kernels][class];
    if (got != want)
        FAIL(k,
             "hash of class %s: got %#018" PRIx64 ", committed %#018" PRIx64
             " (test-bits --print shows all)",
             class_names[class], got, want);
}
END_TEST

/* Inputs of all bit patterns, or a row of the kind of the round; how many. */
static size_t fill_across(const kernel *k, uint32_t round, uint64_t *random, void *u, void *x)
{
    if (k->class == ROW) {
        const size_t n = 1 + random_below(random, CHUNK);
        fill_row((row_kind)(round % ROW_KIND_COUNT), random, x, n);
        return n;
    }
    for (size_t j = 0; j < CHUNK; j++) {
        const uint64_t r = random64(random);
        put(k->type, x, j, (uint32_t)r);
        put(k->type, u, j, (uint32_t)(r >> 32));
    }
    return CHUNK;
}

/* Where an ISA differs from another of its class, as hashes do not say it. */
START_TEST(test_across)
{
    enum { ALL = 1 << 20 };
    static uint32_t u[CHUNK], x[CHUNK], y[CLASSES][CHUNK], z[CHUNK];
    const kernel *k = &kernels[_i];
    const dtype *t = k->type;
    uint64_t random = 12;
    for (uint32_t round = 0; round < ALL / CHUNK; round++) {
        const char *first[CLASSES] = {NULL};
        const size_t n = fill_across(k, round, &random, u, x);
        for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
            if (!use_isa(isa))
                continue;
            const int class = class_of(nonlin_isa_name(isa));
            CALL(k, call_vector(k, first[class] ? z : y[class], k->pair ? u : NULL, x, n));
            for (size_t i = 0; first[class] && i < n; i++)
                if (!same_of(t, get(t, z, i), get(t, y[class], i)))
                    FAIL(k, "n %zu, round %" PRIu32 ", element %zu: x %s, got %s, but %s gives %s",
                         n, round, i, show_of(t, get(t, x, i)), show_of(t, get(t, z, i)),
                         first[class], show_of(t, get(t, y[class], i)));
            if (!first[class])
                first[class] = nonlin_isa_name(isa);
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

/* for the processes */
static const kernel *all_kernel;
static bool all_isas[MAX_ISAS];

static uint64_t hash_chunk(uint64_t h, const float *y)
{
    for (size_t i = 0; i < CHUNK; i++)
        h = hash_word(h, is_nan(y[i]) && is_quiet_nan(y[i]) ? 0x7fc00000u : to_bits(y[i]));
    return h;
}

static void all_work(size_t w, size_t of, void *result)
{
    static float x[CHUNK], y[CHUNK];
    all_hashes *all = result;
    const uint32_t chunks = (uint32_t)((UINT64_C(1) << 32) / PARTS / CHUNK);
    for (uint32_t part = (uint32_t)w; part < PARTS; part += (uint32_t)of) {
        for (size_t isa = 0; isa < nonlin_isa_count(); isa++)
            all->hash[part][isa] = HASH_BASIS;
        for (uint32_t c = 0; c < chunks; c++) {
            for (uint32_t i = 0; i < CHUNK; i++)
                x[i] = from_bits((part * chunks + c) * CHUNK + i);
            for (size_t isa = 0; isa < nonlin_isa_count(); isa++)
                if (all_isas[isa] && nonlin_use_isa(nonlin_isa_name(isa)) == NONLIN_OK) {
                    all_kernel->fn(y, x, CHUNK);
                    all->hash[part][isa] = hash_chunk(all->hash[part][isa], y);
                }
        }
        if (w == 0)
            progress(all_kernel->name, part + of < PARTS ? part : PARTS, PARTS);
    }
}

START_TEST(test_all)
{
    size_t of;
    const char *differs = NULL, *active = nonlin_active_isa();
    all_kernel = &kernels[_i];
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++)
        all_isas[isa] =
            !nonlin_isa_missing(isa) && (!quick() || !strcmp(nonlin_isa_name(isa), active));
    all_hashes *parts = in_processes(all_work, sizeof *parts, &of);
    for (size_t isa = 0; isa < nonlin_isa_count(); isa++) {
        if (!all_isas[isa])
            continue;
        const char *name = nonlin_isa_name(isa);
        const int class = class_of(name);
        uint64_t hash = HASH_BASIS;
        for (size_t part = 0; part < PARTS; part++) {
            const uint64_t h = parts[part % of].hash[part][isa];
            hash = hash_word(hash_word(hash, (uint32_t)h), (uint32_t)(h >> 32));
        }
        printf("%-12s %-10s all inputs, %-7s %#018" PRIx64 "\n", all_kernel->name, name,
               class_names[class], hash);
        fflush(stdout);
        if (hash != committed_all[_i][class])
            differs = name;
    }
    free(parts);
    if (differs)
        ck_abort_msg("%s on %s: not the hash of all inputs that is committed", all_kernel->name,
                     differs);
}
END_TEST

/* The lines of the table above. A class that no ISA has here keeps what it has. */
static int print(void)
{
    for (size_t i = 0; i < KERNELS; i++) {
        uint64_t h[CLASSES] = {committed[i][FUSED], committed[i][UNFUSED]};
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
    if (argc > 1 && !strcmp(argv[1], "--print"))
        return print();
    if (nonlin_isa_count() > MAX_ISAS)
        return EXIT_FAILURE;
    Suite *suite = suite_create("bits");
    TCase *hashes = add_case(suite, "committed hashes");
    EACH_KERNEL(hashes, test_committed, MAP | MAP2 | ROW | ARGMAX, NULL);
    TCase *across = add_case(suite, "across instruction sets");
    ONCE_A_KERNEL(across, test_across, MAP | MAP2 | ROW, NULL);
    if (exhaustive)
        ONCE_A_KERNEL(across, test_all, MAP, &dtype_f32);
    return run_suite(suite);
}
