/* What kernels touch: buffers that end, or begin, where memory ends; sources that cannot be
 * written; whatever lies beside the destination stays as it was. And what a result may depend on:
 * an element on itself alone, a row on itself alone; not on place, alignment, length or number. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "numeric.h"

#include <signal.h>
#include <sys/mman.h>

/* ---- Memory with an end --------------------------------------------------------------------- */

/* Floats between two pages that cannot be touched. What is not in use holds canaries. */
typedef struct {
    float *p;
    size_t n, page; /* in floats */
    void *map;
    size_t bytes;
} arena;

static arena arena_of(size_t floats)
{
    arena a;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = (floats * sizeof(float) + page - 1) / page * page;
    a.bytes = inner + 2 * page;
    a.map = mmap(NULL, a.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(a.map != MAP_FAILED);
    a.p = (float *)((char *)a.map + page);
    a.n = inner / sizeof(float);
    a.page = page / sizeof(float);
    ck_assert_int_eq(mprotect(a.p, inner, PROT_READ | PROT_WRITE), 0);
    for (size_t i = 0; i < a.n; i++)
        a.p[i] = from_bits(canary(i));
    return a;
}

static void arena_free(arena a) { munmap(a.map, a.bytes); }

static void protect(arena a, int protection)
{
    ck_assert_int_eq(mprotect(a.p, a.n * sizeof(float), protection), 0);
}

/* The first place from `from` to `to` that holds no canary, or `to`. */
static size_t touched(arena a, size_t from, size_t to)
{
    while (from < to && to_bits(a.p[from]) == canary(from))
        from++;
    return from;
}

static void clean(arena a, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++)
        a.p[i] = from_bits(canary(i));
}

/* An access outside becomes a message: where the call under way was made. The fault is in the
 * kernel, so nothing of the C library is interrupted, and the handler may use all of it. */
static const char *called, *called_where;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    signal(number, SIG_DFL);
    if (called)
        ck_abort_msg("%s %s: %s: touches %p, outside", nonlin_active_isa(), called, called_where,
                     info->si_addr);
}

static void catch_faults(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

/* Calls a kernel; `...` is where, in words. */
#define GUARDED(k, call, ...)                                               \
    do {                                                                    \
        called_where = text(__VA_ARGS__);                                   \
        called = (k)->name;                                                 \
        const nonlin_status status_ = (call);                               \
        called = NULL;                                                      \
        if (status_ != NONLIN_OK)                                           \
            FAIL(k, "%s: %s", called_where, nonlin_status_string(status_)); \
    } while (0)

/* ---- Data ----------------------------------------------------------------------------------- */

/* Elements for an elementwise kernel: all bit patterns, and those that are likely. Rows: of every
 * kind. */
static void fill(const float_kernel *k, size_t round, float *x, size_t n)
{
    uint64_t random = 1 + round;
    if (k->class == ROW) {
        fill_row((row_kind)(round % ROW_KIND_COUNT), &random, x, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random64(&random);
        x[i] = r >> 62 ? random_uniform(&random, -104, 89) : from_bits((uint32_t)r);
    }
}

/* The results to be expected: of an elementwise kernel each element's by itself, of a row the
 * row's, in memory of another kind. */
static void expect(const float_kernel *k, const float *x, float *want, size_t n)
{
    if (k->class == ROW)
        CALL(k, k->fn(want, x, n));
    else
        for (size_t i = 0; i < n; i++)
            CALL(k, k->fn(want + i, x + i, 1));
}

static void compare(const float_kernel *k, const float *x, const float *y, const float *want,
                    size_t n, const char *where)
{
    for (size_t i = 0; i < n; i++)
        if (!same(y[i], want[i]))
            FAIL(k, "%s: element %zu: x %s, got %s, want %s", where, i, show(x[i]), show(y[i]),
                 show(want[i]));
}

/* ---- One row -------------------------------------------------------------------------------- */

enum { NEAR = 64, OFFSETS = 16 };

typedef struct {
    const float_kernel *k;
    arena x, y;
    const float *data, *want;
    size_t n;
} bench;

/* x_at, y_at: where source and destination begin in their arenas; in place if `inside`. The
 * canaries near the destination are looked at every time, all of them by the caller. */
static void try_row(const bench *b, size_t x_at, size_t y_at, bool inside)
{
    const float_kernel *k = b->k;
    const size_t n = b->n;
    float *y = b->y.p + y_at;
    if (inside)
        memcpy(y, b->data, n * sizeof *y);
    const float *x = inside ? y : b->x.p + x_at;
#define WHERE "n %zu, x at %zu, y at %zu of %zu%s", n, x_at, y_at, b->y.n, inside ? " in place" : ""
    GUARDED(k, k->fn(y, x, n), WHERE);
    for (size_t i = 0; i < n; i++)
        if (!same(y[i], b->want[i]))
            FAIL(k, "%s: element %zu: x %s, got %s, want %s", text(WHERE), i, show(b->data[i]),
                 show(y[i]), show(b->want[i]));
    clean(b->y, y_at, n);
    const size_t from = y_at < NEAR ? 0 : y_at - NEAR;
    const size_t to = y_at + n + NEAR < b->y.n ? y_at + n + NEAR : b->y.n;
    const size_t hit = touched(b->y, from, to);
    if (hit < to)
        FAIL(k, "%s: wrote outside, at %zu", text(WHERE), hit);
#undef WHERE
}

/* All offsets of source and destination that `step` allows, at the end of memory and at its
 * beginning. */
static void try_rows(bench *b, size_t step)
{
    const size_t n = b->n;
    for (int front = 0; front < 2; front++) {
        for (size_t i = 0; i < OFFSETS; i += step) {
            const size_t x_at = front ? i : b->x.n - n - i;
            memcpy(b->x.p + x_at, b->data, n * sizeof *b->data);
            protect(b->x, PROT_READ);
            for (size_t j = 0; j < OFFSETS; j += step)
                try_row(b, x_at, front ? j : b->y.n - n - j, false);
            protect(b->x, PROT_READ | PROT_WRITE);
            clean(b->x, x_at, n);
            try_row(b, 0, front ? i : b->y.n - n - i, true);
        }
    }
    const size_t hit = touched(b->y, 0, b->y.n);
    if (hit < b->y.n)
        FAIL(b->k, "n %zu: wrote far outside, at %zu", n, hit);
}

/* Every length of up to four of the widest vectors and every tail, and lengths about the borders of
 * blocks. */
START_TEST(test_row)
{
    enum { MOST = 2049 };
    static const size_t longer[] = {95,  96,  97,  127, 128,  129,  255,  256,  257,  511,
                                    512, 513, 545, 999, 1023, 1024, 1025, 2047, 2048, MOST};
    static float data[MOST], want[MOST];
    FLOAT_CASE(k)
    catch_faults();
    bench b = {k, arena_of(MOST + OFFSETS), arena_of(MOST + OFFSETS), data, want, 0};
    GUARDED(k, k->fn(b.y.p - 1, b.x.p - 1, 0), "n 0, no memory");
    GUARDED(k, k->fn(NULL, NULL, 0), "n 0, NULL");
    for (b.n = 0; b.n < 4 * OFFSETS + OFFSETS; b.n++) {
        fill(k, b.n, data, b.n ? b.n : 1);
        if (b.n)
            expect(k, data, want, b.n);
        try_rows(&b, 1);
    }
    for (size_t l = 0; l < COUNT(longer); l++) {
        b.n = longer[l];
        fill(k, l, data, b.n);
        expect(k, data, want, b.n);
        try_rows(&b, 5);
    }
    arena_free(b.x);
    arena_free(b.y);
}
END_TEST

/* Lengths beyond every cache, where a kernel may go another way. */
START_TEST(test_long_row)
{
    static const size_t lengths[] = {(1u << 16) + 1, (1u << 20) + 517, (1u << 22) + 21};
    FLOAT_CASE(k)
    catch_faults();
    for (size_t l = 0; l < COUNT(lengths); l++) {
        const size_t n = lengths[l];
        float *data = malloc(n * sizeof *data), *want = malloc(n * sizeof *want);
        bench b = {k, arena_of(n + OFFSETS), arena_of(n + OFFSETS), data, want, n};
        fill(k, k->class == ROW ? UNIFORM_20 : 0, data, n);
        expect(k, data, want, n);
        const size_t end = b.x.n - n;
        memcpy(b.x.p + end, data, n * sizeof *data);
        protect(b.x, PROT_READ);
        try_row(&b, end, b.y.n - n, false);
        try_row(&b, end, 3, false);
        protect(b.x, PROT_READ | PROT_WRITE);
        clean(b.x, 0, b.x.n);
        memcpy(b.x.p, data, n * sizeof *data);
        try_row(&b, 0, b.y.n - n - 1, false);
        try_row(&b, 0, b.y.n - n, true);
        try_row(&b, 0, 0, true);
        arena_free(b.x);
        arena_free(b.y);
        free(data);
        free(want);
    }
}
END_TEST

/* An elementwise result depends on its element alone, also in a long vector that is worked on in
 * pieces. */
START_TEST(test_pieces)
{
    enum { N = 20000 };
    static float x[N], whole[N], pieces[N];
    FLOAT_CASE(k)
    if (k->class != MAP)
        return;
    fill(k, 77, x, N);
    CALL(k, k->fn(whole, x, N));
    uint64_t random = 5;
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0, n; i < N; i += n) {
            n = 1 + random_below(&random, round < 10 ? 100 : 5000);
            n = n < N - i ? n : N - i;
            CALL(k, k->fn(pieces + i, x + i, n));
        }
        compare(k, x, pieces, whole, N, "in pieces");
    }
}
END_TEST

/* ---- Many rows ------------------------------------------------------------------------------ */

/* What each row would be if it were alone. */
static void expect_rows(const float_kernel *k, const float *x, float *want, size_t rows,
                        size_t cols)
{
    for (size_t r = 0; r < rows; r++)
        CALL(k, k->fn(want + r * cols, x + r * cols, cols));
}

/* Rows that follow one another, put ld apart. */
static void put_rows(float *x, size_t ld, const float *data, size_t rows, size_t cols)
{
    for (size_t r = 0; r < rows; r++)
        memcpy(x + r * ld, data + r * cols, cols * sizeof *x);
}

/* The rows that begin at `at` are as wanted; they, and nothing else of the arena, were written.
 * Leaves it clean. */
static void check_rows(const float_kernel *k, arena y, size_t at, size_t ld, const float *x,
                       const float *want, size_t rows, size_t cols, const char *where)
{
    for (size_t r = 0; r < rows; r++) {
        compare(k, x + r * cols, y.p + at + r * ld, want + r * cols, cols,
                text("%s, row %zu", where, r));
        clean(y, at + r * ld, cols);
    }
    const size_t hit = touched(y, 0, y.n);
    if (hit < y.n)
        FAIL(k, "%s: wrote outside, at %zu", where, hit);
}

static const size_t row_counts[] = {0, 1, 2, 3, 5, 17};
static const size_t row_cols[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 130, 513};
enum { MOST_ROWS = 17, MOST_COLS = 513, MOST_GAP = 70 };

/* Slices of larger matrices: the gaps stay as they are, and are not read either (they are NaNs).
 * Rows may follow each other without a gap, and gaps may differ. */
START_TEST(test_rows)
{
    static const size_t gaps[][2] = {{0, 0}, {0, 1}, {1, 0}, {3, 3}, {16, 5}, {7, MOST_GAP}};
    enum { SIZE = MOST_ROWS * (MOST_COLS + MOST_GAP) };
    static float want[SIZE], data[SIZE];
    FLOAT_CASE(k)
    catch_faults();
    arena x = arena_of(SIZE), y = arena_of(SIZE);
    for (size_t rc = 0; rc < COUNT(row_counts); rc++)
        for (size_t cc = 0; cc < COUNT(row_cols); cc++)
            for (size_t g = 0; g < COUNT(gaps); g++) {
                const size_t rows = row_counts[rc], cols = row_cols[cc];
                const size_t ldy = cols + gaps[g][0], ldx = cols + gaps[g][1];
                if (!rows || !cols) {
                    GUARDED(k, k->rows(y.p - 1, ldy, x.p - 1, ldx, rows, cols),
                            "%zu rows of %zu, no memory", rows, cols);
                    continue;
                }
                /* the last row ends where memory ends: there is no gap behind it */
                const size_t x_at = x.n - (rows - 1) * ldx - cols;
                const size_t y_at = y.n - (rows - 1) * ldy - cols;
                char where[120];
                snprintf(where, sizeof where, "%zu rows of %zu, ldy %zu, ldx %zu", rows, cols, ldy,
                         ldx);
                for (size_t r = 0; r < rows; r++)
                    fill(k, rc + cc + g + r, data + r * cols, cols);
                expect_rows(k, data, want, rows, cols);
                put_rows(x.p + x_at, ldx, data, rows, cols);
                protect(x, PROT_READ);
                GUARDED(k, k->rows(y.p + y_at, ldy, x.p + x_at, ldx, rows, cols), "%s", where);
                protect(x, PROT_READ | PROT_WRITE);
                check_rows(k, y, y_at, ldy, data, want, rows, cols, where);
                strcat(where, ", in place");
                GUARDED(k, k->rows(x.p + x_at, ldx, x.p + x_at, ldx, rows, cols), "%s", where);
                check_rows(k, x, x_at, ldx, data, want, rows, cols, where);
            }
    arena_free(x);
    arena_free(y);
}
END_TEST

/* The halves of one buffer's rows, as a gate and its factor lie: the result takes the place of one,
 * the source is the other, and stays. */
START_TEST(test_interleaved)
{
    enum { SIZE = MOST_ROWS * (2 * MOST_COLS + MOST_GAP) };
    static float want[SIZE], data[SIZE];
    FLOAT_CASE(k)
    catch_faults();
    arena a = arena_of(SIZE);
    for (size_t rc = 2; rc < COUNT(row_counts); rc++)
        for (size_t cc = 1; cc < COUNT(row_cols); cc++)
            for (int upper = 0; upper < 2; upper++)
                for (size_t gap = 0; gap < 6; gap += 5) {
                    const size_t rows = row_counts[rc], cols = row_cols[cc], ld = 2 * cols + gap;
                    const size_t at = a.n - (rows - 1) * ld - 2 * cols;
                    const size_t x_at = at + (upper ? cols : 0), y_at = at + (upper ? 0 : cols);
                    char where[120];
                    snprintf(where, sizeof where, "%zu rows of %zu, %zu apart, %s half", rows, cols,
                             ld, upper ? "from upper" : "from lower");
                    for (size_t r = 0; r < rows; r++)
                        fill(k, rc + cc + r, data + r * cols, cols);
                    expect_rows(k, data, want, rows, cols);
                    put_rows(a.p + x_at, ld, data, rows, cols);
                    GUARDED(k, k->rows(a.p + y_at, ld, a.p + x_at, ld, rows, cols), "%s", where);
                    for (size_t r = 0; r < rows; r++) {
                        if (memcmp(a.p + x_at + r * ld, data + r * cols, cols * sizeof *data))
                            FAIL(k, "%s: row %zu of the source was written", where, r);
                        clean(a, x_at + r * ld, cols);
                    }
                    check_rows(k, a, y_at, ld, data, want, rows, cols, where);
                }
    arena_free(a);
}
END_TEST

/* Gaps that cannot be touched: rows two pages apart, each at the end or at the beginning of its
 * page. */
START_TEST(test_gaps)
{
    enum { ROWS = 5 };
    static float want[ROWS * MOST_COLS], data[ROWS * MOST_COLS];
    FLOAT_CASE(k)
    catch_faults();
    const size_t page = (size_t)sysconf(_SC_PAGESIZE) / sizeof(float), ld = 2 * page;
    arena x = arena_of(ROWS * ld), y = arena_of(ROWS * ld);
    for (int front = 0; front < 2; front++)
        for (size_t cc = 1; cc < COUNT(row_cols); cc++) {
            const size_t cols = row_cols[cc], at = front ? 0 : page - cols;
            const char *where = text("%d rows of %zu, each %s its page", ROWS, cols,
                                     front ? "at the beginning of" : "at the end of");
            for (size_t r = 0; r < ROWS; r++)
                fill(k, cc + r, data + r * cols, cols);
            expect_rows(k, data, want, ROWS, cols);
            put_rows(x.p + at, ld, data, ROWS, cols);
            for (size_t r = 0; r < ROWS; r++) {
                mprotect(x.p + r * ld, page * sizeof *data, PROT_READ);
                mprotect(x.p + r * ld + page, page * sizeof *data, PROT_NONE);
                mprotect(y.p + r * ld + page, page * sizeof *data, PROT_NONE);
            }
            GUARDED(k, k->rows(y.p + at, ld, x.p + at, ld, ROWS, cols), "%s", where);
            protect(x, PROT_READ | PROT_WRITE);
            protect(y, PROT_READ | PROT_WRITE);
            check_rows(k, y, at, ld, data, want, ROWS, cols, where);
            clean(x, 0, x.n);
        }
    arena_free(x);
    arena_free(y);
}
END_TEST

/* ---- Indices -------------------------------------------------------------------------------- */

/* The source at the end and at the beginning of memory, with NaNs beside it, which would win. */
START_TEST(test_index)
{
    enum { MOST = 4097 };
    static const size_t longer[] = {127, 128, 129,  255,  256,  257, 511,
                                    512, 513, 2047, 2048, 2049, MOST};
    static float data[MOST];
    INDEX_CASE(k)
    catch_faults();
    arena x = arena_of(MOST + OFFSETS), index = arena_of(1);
    uint64_t random = 9;
    for (size_t l = 0; l < 5 * OFFSETS + COUNT(longer); l++) {
        const size_t n = l < 5 * OFFSETS ? l + 1 : longer[l - 5 * OFFSETS];
        for (int round = 0; round < 4; round++) {
            /* the greatest at the first place, at the last, and somewhere */
            const size_t want = round == 0 ? 0 : round == 1 ? n - 1 : random_below(&random, n);
            for (size_t i = 0; i < n; i++)
                data[i] = random_uniform(&random, -2, -1);
            data[want] = round == 3 ? NAN : -0.5f;
            for (int front = 0; front < 2; front++)
                for (size_t offset = 0; offset < OFFSETS; offset++) {
                    const size_t x_at = front ? offset : x.n - n - offset;
                    const size_t index_at = offset % 2 ? 0 : index.n - 1;
                    int32_t *got = (int32_t *)(index.p + index_at);
                    memcpy(x.p + x_at, data, n * sizeof *data);
                    protect(x, PROT_READ);
                    GUARDED(k, k->fn(got, x.p + x_at, n), "n %zu, x at %zu of %zu", n, x_at, x.n);
                    protect(x, PROT_READ | PROT_WRITE);
                    clean(x, x_at, n);
                    if (*got != (int32_t)want)
                        FAIL(k, "n %zu, x at %zu of %zu: got %" PRId32 ", want %zu", n, x_at, x.n,
                             *got, want);
                    clean(index, index_at, 1);
                    const size_t hit = touched(index, 0, index.n);
                    if (hit < index.n)
                        FAIL(k, "n %zu: wrote outside, at %zu", n, hit);
                }
        }
    }
    arena_free(x);
    arena_free(index);
}
END_TEST

/* Rows with gaps of NaNs, the last of them at the end of memory, as are the indices. */
START_TEST(test_index_rows)
{
    enum { SIZE = MOST_ROWS * (MOST_COLS + MOST_GAP) };
    static const size_t gaps[] = {0, 1, 16, MOST_GAP};
    INDEX_CASE(k)
    catch_faults();
    arena x = arena_of(SIZE), index = arena_of(MOST_ROWS);
    uint64_t random = 10;
    int32_t want[MOST_ROWS];
    for (size_t rc = 1; rc < COUNT(row_counts); rc++)
        for (size_t cc = 1; cc < COUNT(row_cols); cc++)
            for (size_t g = 0; g < COUNT(gaps); g++) {
                const size_t rows = row_counts[rc], cols = row_cols[cc], ld = cols + gaps[g];
                const size_t at = x.n - (rows - 1) * ld - cols, index_at = index.n - rows;
                for (size_t r = 0; r < rows; r++) {
                    float *row = x.p + at + r * ld;
                    want[r] = (int32_t)random_below(&random, cols);
                    for (size_t i = 0; i < cols; i++)
                        row[i] = i == (size_t)want[r] ? 2 : random_gaussian(&random) / 8;
                }
                protect(x, PROT_READ);
                GUARDED(k, k->rows((int32_t *)(index.p + index_at), x.p + at, ld, rows, cols),
                        "%zu rows of %zu, ld %zu", rows, cols, ld);
                protect(x, PROT_READ | PROT_WRITE);
                for (size_t r = 0; r < rows; r++) {
                    int32_t got;
                    memcpy(&got, index.p + index_at + r, sizeof got);
                    if (got != want[r])
                        FAIL(k, "%zu rows of %zu, ld %zu: row %zu: got %" PRId32 ", want %" PRId32,
                             rows, cols, ld, r, got, want[r]);
                    clean(x, at + r * ld, cols);
                }
                clean(index, index_at, rows);
                const size_t hit = touched(index, 0, index.n);
                if (hit < index.n)
                    FAIL(k, "%zu rows of %zu: wrote outside, at %zu", rows, cols, hit);
            }
    GUARDED(k, k->rows((int32_t *)(index.p - 1), x.p - 1, 7, 0, 7), "no rows, no memory");
    arena_free(x);
    arena_free(index);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("guard");
    TCase *row = add_case(suite, "one row");
    EACH_FLOAT(row, test_row);
    EACH_FLOAT(row, test_long_row);
    EACH_FLOAT(row, test_pieces);
    TCase *rows = add_case(suite, "rows");
    EACH_FLOAT(rows, test_rows);
    EACH_FLOAT(rows, test_interleaved);
    EACH_FLOAT(rows, test_gaps);
    TCase *index = add_case(suite, "indices");
    EACH_INDEX(index, test_index);
    EACH_INDEX(index, test_index_rows);
    return run_suite(suite);
}
