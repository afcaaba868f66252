/* nonlin: the kernels between a neural network's matrix products.
 *
 * SPDX-License-Identifier: MIT
 *
 * Conventions of every function here
 * ----------------------------------
 * Names are nonlin_<op>[_<variant>]_<dtype>. Arguments are the destination, then the sources, then
 * the counts. Counts and leading dimensions are in elements.
 *
 * Bad input gets a status and nothing is written: see nonlin_status. An n (rows, cols) of 0 is
 * legal wherever the result would be empty, and then no pointer is looked at. The destination may
 * be the source itself (y == x); any other overlap is refused. Pointers need the alignment of their
 * element and no more. Nothing is ever read or written outside the elements named by the arguments.
 *
 * Functions are synchronous, single-threaded and thread-safe. They allocate nothing, lock nothing,
 * print nothing, never abort, leave errno alone, use at most 16 KiB of stack and are
 * async-signal-safe once the library is loaded. An element's (a row's) result depends on that
 * element (row) only: not on its place, on n, on alignment, or on how the work was split.
 *
 * The floating-point environment neither matters nor changes: a call made under flush-to-zero,
 * denormals-are-zero, another rounding mode or with exceptions unmasked by feenableexcept() gives
 * the same results and finds its control word as it was. (Exceptions unmasked in MXCSR alone may
 * trap.) The sticky exception flags after a call are unspecified.
 *
 * Numbers: all instruction sets with a fused multiply-add give the same bits; so do all those
 * without. Both meet the error bounds stated at each function, in units in the last place of the
 * exact result (ULP), found by running all 2^32 inputs where there are that many
 * (./test/run --exhaustive). Subnormals are honoured in and out. A NaN in gives a quiet NaN out,
 * its sign and payload unspecified.
 */
#ifndef NONLIN_H
#define NONLIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define NONLIN_API __attribute__((visibility("default")))
#else
#define NONLIN_API
#endif

#define NONLIN_VERSION_MAJOR 1
#define NONLIN_VERSION_MINOR 0
#define NONLIN_VERSION_PATCH 0

/* ---- Types ------------------------------------------------------------------------------------
 */

/* An IEEE 754 half (binary16), by its bits: 1 sign, 5 exponent, 10 significand. A struct, so that
 * no other 16-bit number can be passed for one. */
typedef struct {
    uint16_t bits;
} nonlin_f16;

/* A bfloat16, by its bits: the upper half of a float's. */
typedef struct {
    uint16_t bits;
} nonlin_bf16;

/* ---- Status -----------------------------------------------------------------------------------
 */

/* What a call returns. The codes are frozen: a number never changes its meaning. */
typedef int32_t nonlin_status;

#define NONLIN_OK 0
#define NONLIN_NULL_POINTER 1      /* a pointer is NULL though there are elements to work on */
#define NONLIN_MISALIGNED 2        /* a pointer is not a multiple of its element's alignment */
#define NONLIN_OVERLAP 3           /* destination and source overlap without being the same */
#define NONLIN_SIZE_OVERFLOW 4     /* the size in bytes does not fit the address space */
#define NONLIN_LEADING_DIMENSION 5 /* a leading dimension is smaller than the row */
#define NONLIN_EMPTY 6             /* a reduction (argmax) over no elements */
#define NONLIN_INDEX_RANGE 7       /* an index of the reduction would not fit the index type */
#define NONLIN_UNKNOWN_ISA 8       /* no instruction set of that name was compiled in */
#define NONLIN_UNUSABLE_ISA 9      /* this machine lacks it: nonlin_isa_missing() says what */

/* The status in words; "unknown status" for a number that is none. Never NULL. */
NONLIN_API const char *nonlin_status_string(nonlin_status status);

/* ---- Version ----------------------------------------------------------------------------------
 */

/* major << 16 | minor << 8 | patch of the library that runs (the macros: of the header). */
NONLIN_API uint32_t nonlin_version(void);
/* The same as text, "1.0.0". */
NONLIN_API const char *nonlin_version_string(void);

/* ---- Which variant runs -----------------------------------------------------------------------
 */

/* Every kernel is compiled once for each instruction set (ISA). When the library is loaded, the
 * best one that the CPU and the operating system allow is chosen. NONLIN_ISA=<name> in the
 * environment lowers the choice to that ISA (ignored in set-user-id programs; a name that is
 * unknown or unusable here is ignored too). It can never enable what the machine lacks.
 *
 * Strings returned by these functions live as long as the library is loaded. */

/* How many ISAs were compiled in. They are numbered from 0, weakest first. */
NONLIN_API size_t nonlin_isa_count(void);
/* The name of ISA i ("portable", "avx2", ...); NULL if i >= nonlin_isa_count(). */
NONLIN_API const char *nonlin_isa_name(size_t i);
/* NULL if ISA i can run here; else the first feature that is missing, for example "avx512f" or,
 * where the CPU has it but the operating system has not enabled its registers, "avx (disabled by
 * the operating system)". "unknown ISA" if i >= nonlin_isa_count(). */
NONLIN_API const char *nonlin_isa_missing(size_t i);
/* The name of the ISA in force. A kernel that it lacks is served by the next weaker one:
 * nonlin_variant() tells. */
NONLIN_API const char *nonlin_active_isa(void);
/* The name of the ISA whose code serves a kernel now; the kernel is named like its function without
 * the prefix ("softmax_f32"; the _rows form is the same kernel). NULL if there is no such kernel.
 */
NONLIN_API const char *nonlin_variant(const char *kernel);
/* Puts ISA `name` in force for the whole process, from the next call on; NULL returns to the
 * default (NONLIN_ISA included). Atomic: calls under way in other threads finish with the one they
 * began with. NONLIN_UNKNOWN_ISA or NONLIN_UNUSABLE_ISA change nothing. For hosts, tests and tools.
 */
NONLIN_API nonlin_status nonlin_use_isa(const char *name);

/* Any kernel; cast it to the type of the public function of that name. */
typedef void (*nonlin_fn)(void);
/* The bare kernel of one ISA (or, if that ISA lacks it, of the next weaker one that runs here), for
 * those who measure or who have checked their arguments once and for all: same signature and
 * results as the public function, but n must not be 0, arguments are not checked, and the
 * floating-point control word must be the default one. NULL if kernel or ISA is unknown or the ISA
 * is unusable. */
NONLIN_API nonlin_fn nonlin_isa_kernel(const char *isa, const char *kernel);

/* ---- Elementwise ------------------------------------------------------------------------------
 */

/* y[i] = f(x[i]) for i < n.
 *
 * Errors: NONLIN_NULL_POINTER, NONLIN_MISALIGNED, NONLIN_SIZE_OVERFLOW, NONLIN_OVERLAP (y == x is
 * fine). n == 0 is NONLIN_OK.
 *
 * The _rows forms work on a matrix of rows x cols elements whose rows start ldx (ldy) elements
 * apart, ld >= cols, so on slices of larger matrices too; elements between the rows are neither
 * read nor written. In addition to the above: NONLIN_LEADING_DIMENSION. Source and destination may
 * be the same matrix (y == x and ldy == ldx), or interleaved slices of one buffer (ldy == ldx, rows
 * that do not touch). */

/* The errors stated below are those of float. f16 and bf16 results are correctly rounded, that is
 * the nearest to the exact result of the real function, ties to even, for all 65,536 inputs: so
 * they are the same on every instruction set, subnormals, overflow to infinity and all (but for
 * mulsilu, with its two sources). */

/* exp. Maximum error .92 ULP (.915793 at x = -0x1.5d8fb4p+6).
 * exp(+-0) = 1 exactly; exp(-inf) = +0; exp(+inf) = +inf; overflow to +inf above 0x1.62e42ep+6;
 * results below 2^-126 are correct subnormals down to x = -103.97, then +0; NaN gives NaN.
 * Method: x = k ln 2 + j ln 2 / 8 + r, a table of 8 entries for 2^(j/8) and a polynomial of degree
 * 3 (after P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE
 * floating-point arithmetic", ACM TOMS 15, 1989). */
NONLIN_API nonlin_status nonlin_exp_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_exp_rows_f32(float *y, size_t ldy, const float *x, size_t ldx,
                                             size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_exp_f16(nonlin_f16 *y, const nonlin_f16 *x, size_t n);
NONLIN_API nonlin_status nonlin_exp_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *x,
                                             size_t ldx, size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_exp_bf16(nonlin_bf16 *y, const nonlin_bf16 *x, size_t n);
NONLIN_API nonlin_status nonlin_exp_rows_bf16(nonlin_bf16 *y, size_t ldy, const nonlin_bf16 *x,
                                              size_t ldx, size_t rows, size_t cols);

/* Natural logarithm. Maximum error .84 ULP (.835797 at x = 0x1.1126d8p+0).
 * log(1) = +0 exactly; log(+-0) = -inf; log(x < 0) = NaN; log(+inf) = +inf; subnormals are as exact
 * as all others; NaN gives NaN.
 * Method: x = 2^k m, m near one of 8 points c whose logarithm is almost a short binary fraction
 * (S. Gal, "Computing elementary functions: a new approach for achieving high accuracy and good
 * performance", 1986), and a polynomial in m / c - 1. */
NONLIN_API nonlin_status nonlin_log_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_log_rows_f32(float *y, size_t ldy, const float *x, size_t ldx,
                                             size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_log_f16(nonlin_f16 *y, const nonlin_f16 *x, size_t n);
NONLIN_API nonlin_status nonlin_log_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *x,
                                             size_t ldx, size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_log_bf16(nonlin_bf16 *y, const nonlin_bf16 *x, size_t n);
NONLIN_API nonlin_status nonlin_log_rows_bf16(nonlin_bf16 *y, size_t ldy, const nonlin_bf16 *x,
                                              size_t ldx, size_t rows, size_t cols);

/* sigmoid(x) = 1 / (1 + exp(-x)). Maximum error 1.93 ULP (1.923011 at x = -0x1.276a58p+0).
 * sigmoid(-inf) = +0, sigmoid(+inf) = 1, sigmoid(+-0) = .5; results below 2^-126 are accurate
 * subnormals down to x = -103.97, then +0; NaN gives NaN. */
NONLIN_API nonlin_status nonlin_sigmoid_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_sigmoid_rows_f32(float *y, size_t ldy, const float *x, size_t ldx,
                                                 size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_sigmoid_f16(nonlin_f16 *y, const nonlin_f16 *x, size_t n);
NONLIN_API nonlin_status nonlin_sigmoid_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *x,
                                                 size_t ldx, size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_sigmoid_bf16(nonlin_bf16 *y, const nonlin_bf16 *x, size_t n);
NONLIN_API nonlin_status nonlin_sigmoid_rows_bf16(nonlin_bf16 *y, size_t ldy, const nonlin_bf16 *x,
                                                  size_t ldx, size_t rows, size_t cols);

/* Hyperbolic tangent. Maximum error 1.14 ULP (1.139564 at x = +-0x1.49c25p+0); |tanh(x)| <= 1.
 * tanh(+-0) = +-0, tanh(+-inf) = +-1, tanh(x) = x for the smallest; NaN gives NaN.
 * Method: eight polynomials of degree 7, by the exponent and first bit of |x| + 3/4, around points
 * where tanh is nearly a float (Gal, as for log). */
NONLIN_API nonlin_status nonlin_tanh_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_tanh_rows_f32(float *y, size_t ldy, const float *x, size_t ldx,
                                              size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_tanh_f16(nonlin_f16 *y, const nonlin_f16 *x, size_t n);
NONLIN_API nonlin_status nonlin_tanh_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *x,
                                              size_t ldx, size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_tanh_bf16(nonlin_bf16 *y, const nonlin_bf16 *x, size_t n);
NONLIN_API nonlin_status nonlin_tanh_rows_bf16(nonlin_bf16 *y, size_t ldy, const nonlin_bf16 *x,
                                               size_t ldx, size_t rows, size_t cols);

/* gelu(x) = x (1 + erf(x / sqrt 2)) / 2. Maximum error 2.47 ULP (2.463158 at x = -0x1.573b72p-2;
 * with a fused multiply-add 2.27), on the negative side too, where the result is tiny, down to the
 * last subnormal (x = -14.4), then -0. gelu(+-0) = +-0, gelu(+inf) = +inf, gelu(-inf) = -0; NaN
 * gives NaN. Method: max(x, 0) - G(|x|) exp(-x^2 / 2), with the scaled complementary error function
 * in G by eight polynomials as for tanh, and x^2 without rounding. */
NONLIN_API nonlin_status nonlin_gelu_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_gelu_rows_f32(float *y, size_t ldy, const float *x, size_t ldx,
                                              size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_gelu_f16(nonlin_f16 *y, const nonlin_f16 *x, size_t n);
NONLIN_API nonlin_status nonlin_gelu_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *x,
                                              size_t ldx, size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_gelu_bf16(nonlin_bf16 *y, const nonlin_bf16 *x, size_t n);
NONLIN_API nonlin_status nonlin_gelu_rows_bf16(nonlin_bf16 *y, size_t ldy, const nonlin_bf16 *x,
                                               size_t ldx, size_t rows, size_t cols);

/* gelu_tanh(x) = x (1 + tanh(sqrt(2 / pi) (x + .044715 x^3))) / 2, with the real constants: the
 * usual approximation of gelu, a function of its own here. Maximum error 1.90 ULP (1.897071 at x =
 * -0x1.ffcaa4p-11), on the negative side too, down to the last subnormal (x = -10.7), then -0.
 * gelu_tanh(+-0) = +-0, gelu_tanh(+inf) = +inf, gelu_tanh(-inf) = -0; NaN gives NaN. */
NONLIN_API nonlin_status nonlin_gelu_tanh_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_gelu_tanh_rows_f32(float *y, size_t ldy, const float *x, size_t ldx,
                                                   size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_gelu_tanh_f16(nonlin_f16 *y, const nonlin_f16 *x, size_t n);
NONLIN_API nonlin_status nonlin_gelu_tanh_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *x,
                                                   size_t ldx, size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_gelu_tanh_bf16(nonlin_bf16 *y, const nonlin_bf16 *x, size_t n);
NONLIN_API nonlin_status nonlin_gelu_tanh_rows_bf16(nonlin_bf16 *y, size_t ldy,
                                                    const nonlin_bf16 *x, size_t ldx, size_t rows,
                                                    size_t cols);

/* silu(x) = x / (1 + exp(-x)). Maximum error 1.95 ULP (1.944949 at x = -0x1.28f9c8p-2).
 * silu(+-0) = +-0, silu(+inf) = +inf, silu(-inf) = -0; results below 2^-126 in magnitude are
 * accurate subnormals down to x = -108.7, then -0; NaN gives NaN. */
NONLIN_API nonlin_status nonlin_silu_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_silu_rows_f32(float *y, size_t ldy, const float *x, size_t ldx,
                                              size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_silu_f16(nonlin_f16 *y, const nonlin_f16 *x, size_t n);
NONLIN_API nonlin_status nonlin_silu_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *x,
                                              size_t ldx, size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_silu_bf16(nonlin_bf16 *y, const nonlin_bf16 *x, size_t n);
NONLIN_API nonlin_status nonlin_silu_rows_bf16(nonlin_bf16 *y, size_t ldy, const nonlin_bf16 *x,
                                               size_t ldx, size_t rows, size_t cols);

/* y[i] = u[i] silu(g[i]): the float product of u and a silu that is a little closer than
 * nonlin_silu's. Maximum error 2.37 ULP wherever silu(g) is normal (2.369686 at g = -0x1.2c5714p-2
 * and the worst u); f16 and bf16 in float, rounded once, within .501 of a last place. u = inf and
 * g = -inf make NaN, as do u = 0 and g = +inf; the sign is that of the product. NaN in either gives
 * NaN.
 *
 * Either source may be the destination; u and g may overlap one another. In the _rows form, either
 * may be an interleaved slice of y's buffer, as above: so the gate and up halves of one matrix, or
 * y in the place of one of them. */
NONLIN_API nonlin_status nonlin_mulsilu_f32(float *y, const float *u, const float *g, size_t n);
NONLIN_API nonlin_status nonlin_mulsilu_rows_f32(float *y, size_t ldy, const float *u, size_t ldu,
                                                 const float *g, size_t ldg, size_t rows,
                                                 size_t cols);
NONLIN_API nonlin_status nonlin_mulsilu_f16(nonlin_f16 *y, const nonlin_f16 *u, const nonlin_f16 *g,
                                            size_t n);
NONLIN_API nonlin_status nonlin_mulsilu_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *u,
                                                 size_t ldu, const nonlin_f16 *g, size_t ldg,
                                                 size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_mulsilu_bf16(nonlin_bf16 *y, const nonlin_bf16 *u,
                                             const nonlin_bf16 *g, size_t n);
NONLIN_API nonlin_status nonlin_mulsilu_rows_bf16(nonlin_bf16 *y, size_t ldy, const nonlin_bf16 *u,
                                                  size_t ldu, const nonlin_bf16 *g, size_t ldg,
                                                  size_t rows, size_t cols);

/* silu(x) = x / (1 + exp(-x)), by eight straight lines (the table "learned8"). Never a substitute
 * for the exact silu: maximum absolute error .00633 (.0063285 at x = 4.992), for networks that were
 * seen to live with it. y = a |x| + b rounded once to f16, a and b being those of the segment in
 * which |x| lies: borders 0 .25 .5 1 1.5 3.5 5 6 8; left of 0 the line is (a - 1) |x| + b. x >= 8
 * gives x and x <= -8 gives -0; silu(+-0) = +-0, silu(+inf) = +inf, silu(-inf) = -0, NaN gives NaN.
 * Between two segments of x > 0 it may step down (by .0042 at most). The same bits on every
 * instruction set. Method: the borders, slopes and biases are those of the Hexagon HVX work in MNN
 * (its pull request 4700). */
NONLIN_API nonlin_status nonlin_silu_pwl_f16(nonlin_f16 *y, const nonlin_f16 *x, size_t n);
NONLIN_API nonlin_status nonlin_silu_pwl_rows_f16(nonlin_f16 *y, size_t ldy, const nonlin_f16 *x,
                                                  size_t ldx, size_t rows, size_t cols);

/* ---- Softmax ----------------------------------------------------------------------------------
 */

/* y[i] = exp(x[i]) / sum over j of exp(x[j]), for one row of n elements; the _rows forms, for each
 * of `rows` rows of `cols` elements. Errors as for the elementwise functions.
 *
 * Maximum error seen, for logits uniform in [-20, 20], peaked and many other rows of up to a
 * million elements: 2.92 ULP. (Few terms that all fall in one lane of the sum, 64 elements apart,
 * have come to 4.) The results of a row add up to 1 within 1e-6.
 *
 * The maximum is not subtracted before exp, as that rounds (35 ULP at logits of +-20): with
 * exp(x[i]) = m[i] 2^k[i], m[i] about 1 to 2, the terms are m[i] 2^(k[i] - K), and 0 for k[i] - K <
 * -125. K is that of the base: the greatest of the elements 0, n/4, 2(n/4) and 3(n/4), if that is
 * at most 2^12 in magnitude and no element is more than 41 above it, else the maximum. If the
 * maximum has to be the base and exceeds 2^12 in magnitude, it is subtracted from the row before
 * exp all the same, and the differences are rounded to float. Sums run in a fixed order: blocks of
 * 512 elements, each in 64 lanes, element i in lane i mod 64; a lane adds its two of each 128
 * elements, then that to what it has; lanes j and j + 32 are added; then, in double, the 32 lanes
 * folded in halves, and the blocks one after the other. So the result is the same for every vector
 * length.
 *
 * One finite element gives exactly 1. A -inf gives 0 and leaves the others as if it were absent. A
 * row with a NaN or a +inf, or of -inf only, gives NaN throughout. */
NONLIN_API nonlin_status nonlin_softmax_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_softmax_rows_f32(float *y, size_t ldy, const float *x, size_t ldx,
                                                 size_t rows, size_t cols);

/* y[i] = x[i] - log(sum over j of exp(x[j])), with the sum of softmax.
 *
 * The difference is rounded once (twice for x below -2^13): maximum absolute error seen 1.94e-6,
 * for logits uniform in [-20, 20] and peaked rows (half the last place of results below -32
 * is 1.91e-6). Where one logit dominates, the terms of the others adding up to less than 1/64 of
 * its own, its result (a tiny negative number; 0 if all others count as zero) is accurate in the
 * relative sense too. A -inf beside finite elements gives -inf; NaN, +inf and rows of -inf as for
 * softmax. */
NONLIN_API nonlin_status nonlin_log_softmax_f32(float *y, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_log_softmax_rows_f32(float *y, size_t ldy, const float *x,
                                                     size_t ldx, size_t rows, size_t cols);

/* ---- Argmax -----------------------------------------------------------------------------------
 */

/* *index = the place of the greatest of x[0 .. n-1], from 0. Of equal elements the first; -0 equals
 * +0; if there are NaNs, the first NaN, whatever its sign and payload. The _rows form writes
 * index[r] for each row r.
 *
 * Errors: NONLIN_EMPTY (n or cols is 0 while there is a row), NONLIN_INDEX_RANGE (n > 2^31),
 * NONLIN_NULL_POINTER, NONLIN_MISALIGNED, NONLIN_SIZE_OVERFLOW, NONLIN_LEADING_DIMENSION,
 * NONLIN_OVERLAP (index and x must not touch; nor may indices lie between the rows of x). */
NONLIN_API nonlin_status nonlin_argmax_f32(int32_t *index, const float *x, size_t n);
NONLIN_API nonlin_status nonlin_argmax_rows_f32(int32_t *index, const float *x, size_t ldx,
                                                size_t rows, size_t cols);
NONLIN_API nonlin_status nonlin_argmax_i8(int32_t *index, const int8_t *x, size_t n);
NONLIN_API nonlin_status nonlin_argmax_rows_i8(int32_t *index, const int8_t *x, size_t ldx,
                                               size_t rows, size_t cols);

#ifdef __cplusplus
}
#endif
#endif
