/* dispatch/cpu.c on machines that we do not have: what it asks of cpu_features, of CPUID and of the
 * operating system is answered here. */
#include "suite.h"
#include <stdbool.h>
#include <string.h>

/* ID_x of each feature x, in the order in which they are reported, and their names */
#define ID(feature) ID_##feature,
#define NAME(feature) #feature,
#define FEATURE_IDS                                 \
    enum { FEATURES(ID) FEATURES_ASKED(ID) COUNT }; \
    static const char *const feature_names[COUNT] = {FEATURES(NAME) FEATURES_ASKED(NAME)};

/* ---- The machine that is pretended ----------------------------------------------------------- */

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <immintrin.h>
#define GetX86Info pretended_info
#include <cpu_features/cpuinfo_x86.h>

#define FEATURES(F) \
    F(sse3)         \
    F(ssse3)        \
    F(sse4_1)       \
    F(avx) F(avx2) F(fma3) F(f16c) F(bmi1) F(bmi2) F(avx512f) F(avx512bw) F(avx512dq) F(avx512vl)
/* and of CPUID alone */
#define FEATURES_ASKED(F) F(avx512_fp16)
FEATURE_IDS

static bool silicon[COUNT];              /* the CPU has it, and says so by CPUID */
static bool os_xsave, os_avx, os_avx512; /* it saves registers at all, and these */
static bool vendor_known, max_leaf_7;

static bool usable(int feature)
{
    bool needs_avx = feature >= ID_avx && feature != ID_bmi1 && feature != ID_bmi2;
    bool needs_avx512 = feature >= ID_avx512f;
    return silicon[feature] && (os_avx || !needs_avx) && (os_avx512 || !needs_avx512);
}

X86Info pretended_info(void)
{
    X86Info info;
    memset(&info, 0, sizeof info);
    if (!vendor_known)
        return info;
    info.features.sse2 = -1;
#define SET(feature) info.features.feature = usable(ID_##feature) ? -1 : 0;
    FEATURES(SET)
#undef SET
    return info;
}

static unsigned bit(int feature, unsigned mask) { return silicon[feature] ? mask : 0; }

static int pretended_cpuid(unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b, unsigned *c,
                           unsigned *d)
{
    *a = *b = *c = *d = 0;
    if (leaf == 1)
        *c = bit(ID_sse3, bit_SSE3) | bit(ID_ssse3, bit_SSSE3) | bit(ID_sse4_1, bit_SSE4_1) |
             bit(ID_avx, bit_AVX) | bit(ID_fma3, bit_FMA) | bit(ID_f16c, bit_F16C) |
             (os_xsave ? bit_OSXSAVE : 0);
    if (leaf == 7 && subleaf == 0) {
        *d = bit(ID_avx512_fp16, 1u << 23);
        *b = bit(ID_avx2, bit_AVX2) | bit(ID_bmi1, bit_BMI) | bit(ID_bmi2, bit_BMI2) |
             bit(ID_avx512f, bit_AVX512F) | bit(ID_avx512bw, bit_AVX512BW) |
             bit(ID_avx512dq, bit_AVX512DQ) | bit(ID_avx512vl, bit_AVX512VL);
    }
    return leaf == 1 || max_leaf_7;
}

static unsigned long long pretended_xcr0(unsigned which)
{
    ck_assert_uint_eq(which, 0);
    ck_assert(os_xsave); /* an illegal instruction otherwise */
    return 1 | (os_avx ? 2 | 4 : 0) | (os_avx512 ? 0xe0 : 0);
}

#define __get_cpuid(leaf, a, b, c, d) pretended_cpuid(leaf, 0, a, b, c, d)
#define __get_cpuid_count pretended_cpuid
#undef _xgetbv
#define _xgetbv pretended_xcr0
#include "../dispatch/cpu.c"

static void pretend(bool vendor, bool avx, bool avx512)
{
    vendor_known = vendor;
    max_leaf_7 = os_xsave = true;
    os_avx = avx;
    os_avx512 = avx512;
    for (int i = 0; i < COUNT; i++)
        silicon[i] = true;
}

/* All is there; the vendor is one that cpu_features knows, or none. */
enum { MACHINES = 2 };
static void pretend_whole(int machine) { pretend(machine, true, true); }

#elif defined(__aarch64__)
#include <sys/auxv.h>

#define FEATURES(F) F(asimd) F(crc32) F(atomics) F(asimdrdm) F(fphp) F(asimdhp) F(sve)
#define FEATURES_ASKED(F)
FEATURE_IDS

static bool silicon[COUNT];

static unsigned long pretended_auxval(unsigned long type)
{
    static const unsigned long bits[COUNT] = {
        [ID_asimd] = HWCAP_ASIMD,       [ID_crc32] = HWCAP_CRC32, [ID_atomics] = HWCAP_ATOMICS,
        [ID_asimdrdm] = HWCAP_ASIMDRDM, [ID_fphp] = HWCAP_FPHP,   [ID_asimdhp] = HWCAP_ASIMDHP,
        [ID_sve] = HWCAP_SVE,
    };
    unsigned long hwcap = 0;
    ck_assert_uint_eq(type, AT_HWCAP);
    for (int i = 0; i < COUNT; i++)
        hwcap |= silicon[i] ? bits[i] : 0;
    return hwcap;
}

#define getauxval pretended_auxval
#include "../dispatch/cpu.c"

enum { MACHINES = 1 };
static void pretend_whole(int machine)
{
    (void)machine;
    for (int i = 0; i < COUNT; i++)
        silicon[i] = true;
}

#elif defined(__riscv)
#include <errno.h>
#include <sys/auxv.h>
#include <unistd.h>

#define FEATURES(F) F(v) F(zvfh)
#define FEATURES_ASKED(F)
FEATURE_IDS

static bool silicon[COUNT];
static bool os_v, os_hwprobe; /* the operating system lets V be used, knows riscv_hwprobe */
static bool v_is_draft;       /* V is of a version before 1.0, and a kernel of those days says V */

static unsigned long pretended_auxval(unsigned long type)
{
    ck_assert_uint_eq(type, AT_HWCAP);
    return (silicon[ID_v] && os_v ? 1ul << ('V' - 'A') : 0) | 1ul << ('I' - 'A');
}

static long pretended_syscall(long number, void *pair, unsigned long pairs, unsigned long cpus,
                              void *mask, unsigned flags)
{
    int64_t key;
    ck_assert_int_eq(number, 258);
    ck_assert(pairs == 1 && !cpus && !mask && !flags);
    if (!os_hwprobe) {
        errno = ENOSYS;
        return -1;
    }
    memcpy(&key, pair, sizeof key);
    ck_assert_int_eq(key, 4);
    const uint64_t value =
        (silicon[ID_v] && !v_is_draft ? 4u : 0) | 3u | (silicon[ID_zvfh] ? UINT64_C(1) << 30 : 0);
    memcpy((char *)pair + sizeof key, &value, sizeof value);
    return 0;
}

#define getauxval pretended_auxval
#define syscall pretended_syscall
#include "../dispatch/cpu.c"

enum { MACHINES = 1 };
static void pretend_whole(int machine)
{
    (void)machine;
    os_v = os_hwprobe = true;
    v_is_draft = false;
    for (int i = 0; i < COUNT; i++)
        silicon[i] = true;
}

#else /* nothing is asked */

#define FEATURES(F)
#define FEATURES_ASKED(F)
FEATURE_IDS
static bool silicon[COUNT];
#include "../dispatch/cpu.c"

enum { MACHINES = 1 };
static void pretend_whole(int machine) { (void)machine; }

#endif

/* ---- What follows ---------------------------------------------------------------------------- */

/* for each ISA the features that it asks for, as bits */
#undef F
#undef ASK
#define F(feature) | 1u << ID_##feature
#define ASK(feature) F(feature)
static const unsigned asked[NL_ISAS] = {
#define ISA(name, arch, features) NL_IF_##name(0u features, )
#include "isa.def"
#undef ISA
};

static void check_missing(size_t isa, const char *want)
{
    const char *missing[NL_ISAS];
    for (size_t i = 0; i < NL_ISAS; i++)
        missing[i] = "not set";
    nl_cpu_missing(missing);
    if (want)
        ck_assert_pstr_eq(missing[isa], want);
    else
        ck_assert_ptr_null(missing[isa]);
}

START_TEST(everything)
{
    pretend_whole(_i);
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, NULL);
}
END_TEST

START_TEST(one_lacks)
{
    for (int f = 0; f < COUNT; f++) {
        pretend_whole(_i);
        silicon[f] = false;
        for (size_t i = 0; i < NL_ISAS; i++)
            check_missing(i, asked[i] >> f & 1 ? feature_names[f] : NULL);
    }
}
END_TEST

START_TEST(nothing)
{
    pretend_whole(_i);
    memset(silicon, 0, sizeof silicon);
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, asked[i] ? feature_names[__builtin_ctz(asked[i])] : NULL);
}
END_TEST

#if defined(__x86_64__) || defined(__i386__)

static bool needs_avx(size_t isa) { return asked[isa] >> ID_avx & 1; }

/* The loop variable: is the vendor one that cpu_features knows? */

START_TEST(no_avx_state)
{
    pretend(_i, false, false);
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, needs_avx(i) ? "avx (disabled by the operating system)" : NULL);
}
END_TEST

START_TEST(no_xsave)
{
    pretend(_i, false, false);
    os_xsave = false;
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, needs_avx(i) ? "avx (disabled by the operating system)" : NULL);
}
END_TEST

/* A CPU that ends at leaf 1, as Sandy Bridge has no bits in leaf 7. */
START_TEST(no_leaf_7)
{
    pretend(false, true, true);
    max_leaf_7 = false;
    for (int i = 0; i < COUNT; i++)
        silicon[i] = i <= ID_avx || i == ID_fma3 || i == ID_f16c;
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, needs_avx(i) ? "avx2" : NULL);
}
END_TEST

START_TEST(no_avx512_state)
{
    pretend(_i, true, false);
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, asked[i] >> ID_avx512f & 1 ? "avx512f (disabled by the operating system)"
                                                    : NULL);
}
END_TEST

static void add_own_tests(TCase *tests)
{
    tcase_add_loop_test(tests, no_avx_state, 0, 2);
    tcase_add_loop_test(tests, no_avx512_state, 0, 2);
    tcase_add_loop_test(tests, no_xsave, 0, 2);
    tcase_add_test(tests, no_leaf_7);
}

#elif defined(__riscv)

START_TEST(old_kernel)
{
    pretend_whole(0);
    os_hwprobe = false;
    errno = EDOM;
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, asked[i] ? "v" : NULL);
    ck_assert_int_eq(errno, EDOM);
}
END_TEST

START_TEST(v_forbidden)
{
    pretend_whole(0);
    os_v = false;
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, asked[i] ? "v" : NULL);
}
END_TEST

START_TEST(v_before_1_0)
{
    pretend_whole(0);
    v_is_draft = true;
    for (size_t i = 0; i < NL_ISAS; i++)
        check_missing(i, asked[i] ? "v" : NULL);
}
END_TEST

static void add_own_tests(TCase *tests)
{
    tcase_add_test(tests, old_kernel);
    tcase_add_test(tests, v_forbidden);
    tcase_add_test(tests, v_before_1_0);
}

#else

static void add_own_tests(TCase *tests) { (void)tests; }

#endif

int main(void)
{
    Suite *suite = suite_create("cpu");
    TCase *tests = add_case(suite, "machines");
    tcase_add_loop_test(tests, everything, 0, MACHINES);
    tcase_add_loop_test(tests, one_lacks, 0, MACHINES);
    tcase_add_loop_test(tests, nothing, 0, MACHINES);
    add_own_tests(tests);
    return run_suite(suite);
}
