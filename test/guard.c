/* What kernels touch: buffers that end, or begin, where memory ends; sources that cannot be
 * written; whatever lies beside the destination stays as it was. And what a result may depend on:
 * an element on itself alone, a row on itself alone; not on place, alignment, length or number. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "numeric.h"

#include <signal.h>
#include <sys/mman.h>

/* ---- Memory with an end --------------------------------------------------------------------- */

/* Elements between two pages that cannot be touched. What is not in use holds canaries. */
typedef struct {
    const dtype *type;
    char *p;
    size_t n; /* elements */
    void *map;
    size_t bytes;
} arena;

static void clean(arena a, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++)
        put(a.type, a.p, i, canary(a.type, i));
}

static void protect(arena a, int protection)
{
    ck_assert_int_eq(mprotect(a.p, a.n * a.type->size, protection), 0);
}

static arena arena_of(const dtype *type, size_t elements)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = (elements * type->size + page - 1) / page * page;
    arena a = {.type = type, .n = inner / type->size, .bytes = inner + 2 * page};
    a.map = mmap(NULL, a.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(a.map != MAP_FAILED);
    a.p = (char *)a.map + page;
    protect(a, PROT_READ | PROT_WRITE);
    clean(a, 0, a.n);
    return a;
}

static void arena_free(arena a) { munmap(a.map, a.bytes); }

static void *place(arena a, size_t i) { return at(a.type, a.p, i); }

/* The first place from `from` to `to` that holds no canary, or `to`. */
static size_t touched(arena a, size_t from, size_t to)
{
    while (from < to && get(a.type, a.p, from) == canary(a.type, from))
        from++;
    return from;
}

/* Nothing but canaries is left. */
static void must_be_clean(const kernel *k, arena a, const char *where)
{
    const size_t hit = touched(a, 0, a.n);
    if (hit < a.n)
        FAIL(k, "%s: wrote outside, at %zu", where, hit);
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

/* A kernel of two sources is tried with one in the place of both, u being NULL, then with two. */
#define ONE_THEN_TWO(k) for (int two = 0; two <= ((k)->pair != NULL); two++)

/* Element i of what may be absent. */
static void *at_or_null(const dtype *t, const void *p, size_t i) { return p ? at(t, p, i) : NULL; }

/* The results to be expected: of an elementwise kernel each element's by itself, of a row the
 * row's, in memory of another kind. */
static void expect(const kernel *k, const void *u, const void *x, void *want, size_t n)
{
    const dtype *t = k->type;
    if (k->class == ROW)
        CALL(k, k->fn(want, x, n));
    else
        for (size_t i = 0; i < n; i++)
            CALL(k, call_vector(k, at(t, want, i), at_or_null(t, u, i), at(t, x, i), 1));
}

static void compare(const kernel *k, const void *x, const void *y, const void *want, size_t n,
                    const char *where)
{
    const dtype *t = k->type;
    for (size_t i = 0; i < n; i++)
        if (!same_of(t, get(t, y, i), get(t, want, i)))
            FAIL(k, "%s: element %zu: x %s, got %s, want %s", where, i, show_of(t, get(t, x, i)),
                 show_of(t, get(t, y, i)), show_of(t, get(t, want, i)));
}

/* ---- One row -------------------------------------------------------------------------------- */

/* Elements near the destination; places in a line of the cache, for the widest vector. */
enum { NEAR = 64 };
static size_t offsets(const dtype *t) { return 64 / t->size; }

/* data, u_data: what the sources hold; u_data is NULL where there is no second one. */
typedef struct {
    const kernel *k;
    arena x, u, y;
    const void *data, *u_data, *want;
    size_t n;
} bench;

static bench bench_of(const kernel *k, size_t elements)
{
    return (bench){.k = k,
                   .x = arena_of(k->type, elements),
                   .u = arena_of(k->type, elements),
                   .y = arena_of(k->type, elements)};
}

static void bench_free(bench b)
{
    arena_free(b.x);
    arena_free(b.u);
    arena_free(b.y);
}

/* Puts the sources there, and lets nobody write to them; takes them away again. */
static void put_sources(const bench *b, size_t x_at, size_t u_at)
{
    const size_t bytes = b->n * b->k->type->size;
    memcpy(place(b->x, x_at), b->data, bytes);
    protect(b->x, PROT_READ);
    if (b->u_data) {
        memcpy(place(b->u, u_at), b->u_data, bytes);
        protect(b->u, PROT_READ);
    }
}

static void take_sources(const bench *b, size_t x_at, size_t u_at)
{
    protect(b->x, PROT_READ | PROT_WRITE);
    clean(b->x, x_at, b->n);
    if (b->u_data) {
        protect(b->u, PROT_READ | PROT_WRITE);
        clean(b->u, u_at, b->n);
    }
}

/* Where the destination is: apart, or in the place of a source. */
typedef enum { APART, IN_X, IN_U } where_y;
static where_y last_place(const bench *b) { return b->u_data ? IN_U : IN_X; }
static const char *const where_names[] = {"", ", in place of x", ", in place of u"};

/* x_at, u_at, y_at: where sources and destination begin in their arenas. The canaries near the
 * destination are looked at every time, all of them by the caller. */
static void try_row(const bench *b, size_t x_at, size_t u_at, size_t y_at, where_y inside)
{
    const kernel *k = b->k;
    const size_t n = b->n;
    void *y = place(b->y, y_at);
    if (inside)
        memcpy(y, inside == IN_X ? b->data : b->u_data, n * k->type->size);
    const void *x = inside == IN_X ? y : place(b->x, x_at);
    const void *u = !b->u_data ? NULL : inside == IN_U ? y : place(b->u, u_at);
    GUARDED(k, call_vector(k, y, u, x, n), "n %zu, x at %zu, u at %zu, y at %zu of %zu%s", n, x_at,
            u ? u_at : x_at, y_at, b->y.n, where_names[inside]);
    compare(k, b->data, y, b->want, n, called_where);
    clean(b->y, y_at, n);
    const size_t from = y_at < NEAR ? 0 : y_at - NEAR;
    const size_t to = y_at + n + NEAR < b->y.n ? y_at + n + NEAR : b->y.n;
    const size_t hit = touched(b->y, from, to);
    if (hit < to)
        FAIL(k, "%s: wrote outside, at %zu", called_where, hit);
}

/* All offsets of source and destination that `step` allows, at the end of memory and at its
 * beginning. Of two sources, each takes all offsets beside the destination when that is apart, and
 * beside the other when that is the destination. */
static void try_rows(bench *b, size_t step)
{
    const size_t n = b->n, all = offsets(b->k->type);
    for (int front = 0; front < 2; front++) {
        for (size_t i = 0; i < all; i += step) {
            const size_t x_at = front ? i : b->x.n - n - i, u_offset = (5 * i + 3) % all;
            const size_t u_at = front ? u_offset : b->u.n - n - u_offset;
            put_sources(b, x_at, u_at);
            for (size_t j = 0; j < all; j += step) {
                const size_t y_at = front ? j : b->y.n - n - j;
                try_row(b, x_at, u_at, y_at, APART);
                if (j == i || b->u_data)
                    try_row(b, x_at, u_at, y_at, IN_X);
                if (b->u_data)
                    try_row(b, x_at, u_at, y_at, IN_U);
            }
            take_sources(b, x_at, u_at);
        }
    }
    must_be_clean(b->k, b->y, text("n %zu, far outside", n));
}

/* Every length of one vector and more, and lengths about the borders of blocks. */
START_TEST(test_row)
{
    enum { MOST = 2049 };
    static uint32_t data[MOST], u_data[MOST], want[MOST]; /* room for any type */
    CASE(k)
    catch_faults();
    bench b = bench_of(k, MOST + 64);
    b.data = data;
    b.want = want;
    GUARDED(k, k->fn(b.y.p - MOST_SIZE, b.x.p - MOST_SIZE, 0), "n 0, no memory");
    GUARDED(k, k->fn(NULL, NULL, 0), "n 0, NULL");
    ONE_THEN_TWO(k)
    {
        b.u_data = two ? u_data : NULL;
        for (b.n = 0; b.n <= MOST; b.n = next_length(b.n)) {
            fill(k, b.n, data, b.n ? b.n : 1);
            if (two)
                fill(k, b.n + 1, u_data, b.n);
            expect(k, b.u_data, data, want, b.n);
            try_rows(&b, b.n <= 80 ? 1 : 5);
        }
    }
    bench_free(b);
}
END_TEST

/* Lengths beyond every cache, where a kernel may go another way: so many floats, as many bytes of
 * other elements. */
START_TEST(test_long_row)
{
    static const size_t lengths[] = {(1u << 16) + 1, (1u << 20) + 517, (1u << 22) + 21};
    CASE(k)
    catch_faults();
    for (size_t l = 0; l < COUNT(lengths) - quick(); l++) {
        const size_t n = lengths[l] * (MOST_SIZE / k->type->size), bytes = n * k->type->size;
        void *data = malloc(bytes), *u_data = malloc(bytes), *want = malloc(bytes);
        bench b = bench_of(k, n + 16);
        b.data = data;
        b.want = want;
        b.n = n;
        fill(k, k->class == ROW ? UNIFORM_20 : 0, data, n);
        if (k->pair)
            fill(k, 1, u_data, n);
        ONE_THEN_TWO(k)
        {
            const size_t end = b.x.n - n;
            b.u_data = two ? u_data : NULL;
            expect(k, b.u_data, data, want, n);
            put_sources(&b, end, end);
            try_row(&b, end, end, b.y.n - n, APART);
            try_row(&b, end, end, 3, APART);
            take_sources(&b, end, end);
            put_sources(&b, 0, 1);
            try_row(&b, 0, 1, b.y.n - n - 1, APART);
            for (where_y inside = IN_X; inside <= last_place(&b); inside++) {
                try_row(&b, 0, 1, b.y.n - n, inside);
                try_row(&b, 0, 1, 0, inside);
            }
            take_sources(&b, 0, 1);
            must_be_clean(k, b.y, "a long row");
        }
        bench_free(b);
        free(data);
        free(u_data);
        free(want);
    }
}
END_TEST

/* An elementwise result depends on its element alone, also in a long vector that is worked on in
 * pieces. */
START_TEST(test_pieces)
{
    enum { N = 20000 };
    static uint32_t x[N], u_data[N], whole[N], pieces[N];
    CASE(k)
    const dtype *t = k->type;
    fill(k, 77, x, N);
    fill(k, 78, u_data, N);
    uint64_t random = 5;
    ONE_THEN_TWO(k)
    {
        const void *u = two ? u_data : NULL;
        CALL(k, call_vector(k, whole, u, x, N));
        for (int round = 0; round < 20; round++) {
            for (size_t i = 0, n; i < N; i += n) {
                n = 1 + random_below(&random, round < 10 ? 100 : 5000);
                n = n < N - i ? n : N - i;
                CALL(k, call_vector(k, at(t, pieces, i), at_or_null(t, u, i), at(t, x, i), n));
            }
            compare(k, x, pieces, whole, N, "in pieces");
        }
    }
}
END_TEST

/* Two sources, which are only read, may overlap one another in any way. */
START_TEST(test_overlapping)
{
    enum { MOST = 300, SHIFTS = 140 };
    static uint32_t data[MOST + SHIFTS], want[MOST];
    CASE(k)
    catch_faults();
    arena x = arena_of(k->type, MOST + SHIFTS), y = arena_of(k->type, MOST);
    for (size_t n = 1; n <= MOST; n = next_length(n) + n / 9)
        for (size_t shift = 0; shift <= SHIFTS; shift++)
            for (int behind = 0; behind < 2; behind++) {
                const size_t x_at = behind ? shift : 0, u_at = behind ? 0 : shift;
                const size_t from = x.n - n - shift, y_at = y.n - n;
                fill(k, n + shift, data, n + shift);
                expect(k, at(k->type, data, u_at), at(k->type, data, x_at), want, n);
                memcpy(place(x, from), data, (n + shift) * k->type->size);
                protect(x, PROT_READ);
                GUARDED(k, k->pair(place(y, y_at), place(x, from + u_at), place(x, from + x_at), n),
                        "n %zu, g %zu %s u", n, shift, behind ? "behind" : "before");
                protect(x, PROT_READ | PROT_WRITE);
                compare(k, at(k->type, data, x_at), place(y, y_at), want, n, called_where);
                clean(x, from, n + shift);
                clean(y, y_at, n);
                must_be_clean(k, y, called_where);
            }
    arena_free(x);
    arena_free(y);
}
END_TEST

/* ---- Many rows ------------------------------------------------------------------------------ */

/* Row r of rows that follow one another without a gap. */
static void *row_of(const kernel *k, const void *rows, size_t cols, size_t r)
{
    return at(k->type, rows, r * cols);
}

/* Rows of every kind, and what each would be if it were alone; `u` may be absent. */
static void make_rows(const kernel *k, size_t round, void *u, void *data, void *want, size_t rows,
                      size_t cols)
{
    for (size_t r = 0; r < rows; r++) {
        void *const u_row = u ? row_of(k, u, cols, r) : NULL;
        fill(k, round + r, row_of(k, data, cols, r), cols);
        if (u)
            fill(k, round + r + 100, u_row, cols);
        CALL(k, call_vector(k, row_of(k, want, cols, r), u_row, row_of(k, data, cols, r), cols));
    }
}

/* Puts them, if there are any, into the arena, ld apart. */
static void put_rows(arena x, size_t x_at, size_t ld, const void *data, size_t rows, size_t cols)
{
    for (size_t r = 0; data && r < rows; r++)
        memcpy(place(x, x_at + r * ld), at(x.type, data, r * cols), cols * x.type->size);
}

/* The rows that begin at `from` are as wanted; they, and nothing else of the arena, were written.
 * Leaves it clean. */
static void check_rows(const kernel *k, arena y, size_t from, size_t ld, const void *x,
                       const void *want, size_t rows, size_t cols, const char *where)
{
    for (size_t r = 0; r < rows; r++) {
        compare(k, row_of(k, x, cols, r), place(y, from + r * ld), row_of(k, want, cols, r), cols,
                text("%s, row %zu", where, r));
        clean(y, from + r * ld, cols);
    }
    must_be_clean(k, y, where);
}

static const size_t row_counts[] = {0, 1, 2, 3, 5, 17};
static const size_t row_cols[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 130, 513};
enum { MOST_ROWS = 17, MOST_COLS = 513, MOST_GAP = 70 };

/* Rows with gaps of so many elements, those of y, x and u. */
static void try_slices(const bench *b, size_t rows, size_t cols, const size_t gaps[3])
{
    const kernel *k = b->k;
    for (where_y inside = APART; inside <= last_place(b); inside++) {
        const size_t ldx = cols + gaps[1], ldu = cols + gaps[2];
        const size_t ldy = inside == IN_X ? ldx : inside == IN_U ? ldu : cols + gaps[0];
        const arena y = inside == IN_X ? b->x : inside == IN_U ? b->u : b->y;
        /* the last row ends where memory ends: there is no gap behind it */
        const size_t x_at = b->x.n - (rows - 1) * ldx - cols;
        const size_t u_at = b->u.n - (rows - 1) * ldu - cols;
        const size_t y_at = y.n - (rows - 1) * ldy - cols;
        char where[120];
        snprintf(where, sizeof where, "%zu rows of %zu, ldy %zu, ldx %zu, ldu %zu%s", rows, cols,
                 ldy, ldx, b->u_data ? ldu : 0, where_names[inside]);
        put_rows(b->x, x_at, ldx, b->data, rows, cols);
        put_rows(b->u, u_at, ldu, b->u_data, rows, cols);
        protect(b->x, inside == IN_X ? PROT_READ | PROT_WRITE : PROT_READ);
        protect(b->u, inside == IN_U ? PROT_READ | PROT_WRITE : PROT_READ);
        GUARDED(k,
                call_rows(k, place(y, y_at), ldy, b->u_data ? place(b->u, u_at) : NULL, ldu,
                          place(b->x, x_at), ldx, rows, cols),
                "%s", where);
        protect(b->x, PROT_READ | PROT_WRITE);
        protect(b->u, PROT_READ | PROT_WRITE);
        check_rows(k, y, y_at, ldy, b->data, b->want, rows, cols, where);
        clean(b->x, x_at, b->x.n - x_at);
        clean(b->u, u_at, b->u.n - u_at);
    }
}

/* Slices of larger matrices: the gaps stay as they are, and are not read either (they are NaNs).
 * Rows may follow each other without a gap, and gaps may differ. */
START_TEST(test_rows)
{
    static const size_t gaps[][3] = {{0, 0, 0}, {0, 1, 0},  {1, 0, 0},       {3, 3, 3},
                                     {0, 0, 2}, {16, 5, 0}, {7, MOST_GAP, 9}};
    enum { SIZE = MOST_ROWS * (MOST_COLS + MOST_GAP) };
    static uint32_t want[SIZE], data[SIZE], u_data[SIZE];
    CASE(k)
    catch_faults();
    bench b = bench_of(k, SIZE);
    b.data = data;
    b.want = want;
    GUARDED(k, k->rows(b.y.p - MOST_SIZE, 5, b.x.p - MOST_SIZE, 4, 0, 4), "no rows, no memory");
    GUARDED(k, k->rows(b.y.p - MOST_SIZE, 5, b.x.p - MOST_SIZE, 4, 3, 0), "no columns, no memory");
    for (size_t rc = 1; rc < COUNT(row_counts); rc++)
        for (size_t cc = 1; cc < COUNT(row_cols); cc++)
            ONE_THEN_TWO(k)
            {
                void *u = two ? u_data : NULL;
                b.u_data = u;
                make_rows(k, rc + cc, u, data, want, row_counts[rc], row_cols[cc]);
                for (size_t g = 0; g < COUNT(gaps); g++)
                    try_slices(&b, row_counts[rc], row_cols[cc], gaps[g]);
            }
    bench_free(b);
}
END_TEST

/* Slices of one buffer's rows: which of them are y, x and u. Or y lies elsewhere. */
enum { ELSEWHERE = 3 };
typedef struct {
    size_t slices, y, x, u;
} slices;

/* The rows of a source are as they were. Leaves it clean. */
static void check_source(const kernel *k, arena a, size_t from, size_t ld, const void *data,
                         size_t rows, size_t cols, const char *where)
{
    for (size_t r = 0; r < rows; r++) {
        if (memcmp(place(a, from + r * ld), row_of(k, data, cols, r), cols * k->type->size))
            FAIL(k, "%s: row %zu of a source was written", where, r);
        clean(a, from + r * ld, cols);
    }
}

static void try_interleaved(const bench *b, size_t rows, size_t cols, size_t gap, slices s)
{
    const kernel *k = b->k;
    const arena a = b->x, y = s.y == ELSEWHERE ? b->y : a;
    const size_t ld = s.slices * cols + gap, at = a.n - (rows - 1) * ld - s.slices * cols;
    const size_t x_at = at + s.x * cols, u_at = at + s.u * cols;
    const size_t y_at = s.y == ELSEWHERE ? 0 : at + s.y * cols;
    const size_t ldy = s.y == ELSEWHERE ? cols + 3 * gap : ld;
    char where[120];
    snprintf(where, sizeof where, "%zu rows of %zu, %zu apart, y, x, u in slices %zu, %zu, %zu",
             rows, cols, ld, s.y, s.x, s.u);
    put_rows(a, x_at, ld, b->data, rows, cols);
    put_rows(a, u_at, ld, b->u_data, rows, cols);
    GUARDED(k,
            call_rows(k, place(y, y_at), ldy, b->u_data ? place(a, u_at) : NULL, ld, place(a, x_at),
                      ld, rows, cols),
            "%s", where);
    if (s.y != s.x)
        check_source(k, a, x_at, ld, b->data, rows, cols, where);
    if (b->u_data && s.y != s.u)
        check_source(k, a, u_at, ld, b->u_data, rows, cols, where);
    check_rows(k, y, y_at, ldy, b->data, b->want, rows, cols, where);
    must_be_clean(k, a, where);
}

/* The halves of one buffer's rows, as a gate and its factor lie: the result takes the place of one,
 * the source is the other, and stays. Or the two are the sources, and the result takes the place of
 * one, or that of a third part, or lies elsewhere. */
START_TEST(test_interleaved)
{
    enum { SIZE = MOST_ROWS * (3 * MOST_COLS + MOST_GAP) };
    static const slices ones[] = {{2, 0, 1, 0}, {2, 1, 0, 0}};
    static const slices twos[] = {{3, 0, 1, 2}, {3, 0, 2, 1},         {3, 1, 0, 2},
                                  {3, 1, 2, 0}, {3, 2, 0, 1},         {3, 2, 1, 0},
                                  {2, 0, 0, 1}, {2, 1, 1, 0},         {2, 0, 1, 0},
                                  {2, 1, 0, 1}, {2, ELSEWHERE, 0, 1}, {2, ELSEWHERE, 1, 0}};
    static uint32_t want[SIZE], data[SIZE], u_data[SIZE];
    CASE(k)
    catch_faults();
    bench b = bench_of(k, SIZE);
    b.data = data;
    b.want = want;
    for (size_t rc = 2; rc < COUNT(row_counts); rc++)
        for (size_t cc = 1; cc < COUNT(row_cols); cc++)
            ONE_THEN_TWO(k)
            {
                const size_t rows = row_counts[rc], cols = row_cols[cc];
                void *u = two ? u_data : NULL;
                b.u_data = u;
                make_rows(k, rc + cc, u, data, want, rows, cols);
                for (size_t i = 0; i < (two ? COUNT(twos) : COUNT(ones)); i++)
                    for (size_t gap = 0; gap < 6; gap += 5)
                        try_interleaved(&b, rows, cols, gap, two ? twos[i] : ones[i]);
            }
    bench_free(b);
}
END_TEST

/* Gaps that cannot be touched: rows two pages apart, each at the end or at the beginning of its
 * page. */
START_TEST(test_gaps)
{
    enum { ROWS = 5 };
    static uint32_t want[ROWS * MOST_COLS], data[ROWS * MOST_COLS], u_data[ROWS * MOST_COLS];
    CASE(k)
    catch_faults();
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE), page = bytes / k->type->size, ld = 2 * page;
    const bench b = bench_of(k, ROWS * ld);
    for (int front = 0; front < 2; front++)
        for (size_t cc = 1; cc < COUNT(row_cols); cc++)
            ONE_THEN_TWO(k)
            {
                const size_t cols = row_cols[cc], from = front ? 0 : page - cols;
                const char *where = text("%d rows of %zu, each %s its page", ROWS, cols,
                                         front ? "at the beginning of" : "at the end of");
                void *u = two ? u_data : NULL;
                make_rows(k, cc, u, data, want, ROWS, cols);
                put_rows(b.x, from, ld, data, ROWS, cols);
                put_rows(b.u, from, ld, u, ROWS, cols);
                for (size_t r = 0; r < ROWS; r++) {
                    mprotect(place(b.x, r * ld), bytes, PROT_READ);
                    mprotect(place(b.u, r * ld), bytes, PROT_READ);
                    mprotect(place(b.x, r * ld + page), bytes, PROT_NONE);
                    mprotect(place(b.u, r * ld + page), bytes, PROT_NONE);
                    mprotect(place(b.y, r * ld + page), bytes, PROT_NONE);
                }
                GUARDED(k,
                        call_rows(k, place(b.y, from), ld, two ? place(b.u, from) : NULL, ld,
                                  place(b.x, from), ld, ROWS, cols),
                        "%s", where);
                protect(b.x, PROT_READ | PROT_WRITE);
                protect(b.u, PROT_READ | PROT_WRITE);
                protect(b.y, PROT_READ | PROT_WRITE);
                check_rows(k, b.y, from, ld, data, want, ROWS, cols, where);
                clean(b.x, 0, b.x.n);
                clean(b.u, 0, b.u.n);
            }
    bench_free(b);
}
END_TEST

/* ---- Indices -------------------------------------------------------------------------------- */

/* A row whose greatest element is at `best`: a NaN in every fourth round, where there are NaNs. */
static void fill_index(const dtype *t, size_t round, uint64_t *random, void *x, size_t n,
                       size_t best)
{
    for (size_t i = 0; i < n; i++)
        put(t, x, i, encode(t, random_uniform(random, t->low, 0)));
    put(t, x, best, round % 4 == 3 && t->infinity ? nan_of(t, round / 4 % NANS) : encode(t, 1));
}

static void want_index(const kernel *k, arena index, size_t i, size_t want, const char *where)
{
    const uint32_t got = get(index.type, index.p, i);
    if (got != want)
        FAIL(k, "%s: got %" PRId32 ", want %zu", where, (int32_t)got, want);
    clean(index, i, 1);
}

/* The source at the end and at the beginning of memory, at every offset, with what would win beside
 * it. */
static void try_index(const kernel *k, arena x, arena index, const void *data, size_t n,
                      size_t want)
{
    for (int front = 0; front < 2; front++)
        for (size_t offset = 0; offset < offsets(k->type); offset++) {
            const size_t x_at = front ? offset : x.n - n - offset;
            const size_t index_at = offset % 2 ? 0 : index.n - 1;
            memcpy(place(x, x_at), data, n * k->type->size);
            protect(x, PROT_READ);
            GUARDED(k, k->fn(place(index, index_at), place(x, x_at), n), "n %zu, x at %zu of %zu",
                    n, x_at, x.n);
            protect(x, PROT_READ | PROT_WRITE);
            clean(x, x_at, n);
            want_index(k, index, index_at, want, called_where);
            must_be_clean(k, index, called_where);
        }
}

START_TEST(test_index)
{
    enum { MOST = 2049 };
    static uint32_t data[MOST];
    CASE(k)
    catch_faults();
    arena x = arena_of(k->type, MOST + 64), index = arena_of(&dtype_f32, 1);
    uint64_t random = 9;
    for (size_t n = 1; n <= MOST; n = next_length(n))
        for (size_t round = 0; round < 4; round++) {
            /* the greatest at the first place, at the last, and somewhere */
            const size_t want = round == 0 ? 0 : round == 1 ? n - 1 : random_below(&random, n);
            fill_index(k->type, round + 4 * n, &random, data, n, want);
            try_index(k, x, index, data, n, want);
        }
    arena_free(x);
    arena_free(index);
}
END_TEST

/* Rows with gaps of what would win, the last of them at the end of memory, as are the indices. */
START_TEST(test_index_rows)
{
    enum { SIZE = MOST_ROWS * (MOST_COLS + MOST_GAP) };
    static const size_t gaps[] = {0, 1, 16, MOST_GAP};
    CASE(k)
    catch_faults();
    arena x = arena_of(k->type, SIZE), index = arena_of(&dtype_f32, MOST_ROWS);
    uint64_t random = 10;
    size_t want[MOST_ROWS];
    for (size_t rc = 1; rc < COUNT(row_counts); rc++)
        for (size_t cc = 1; cc < COUNT(row_cols); cc++)
            for (size_t g = 0; g < COUNT(gaps); g++) {
                const size_t rows = row_counts[rc], cols = row_cols[cc], ld = cols + gaps[g];
                const size_t x_at = x.n - (rows - 1) * ld - cols, index_at = index.n - rows;
                for (size_t r = 0; r < rows; r++) {
                    want[r] = random_below(&random, cols);
                    fill_index(k->type, r, &random, place(x, x_at + r * ld), cols, want[r]);
                }
                protect(x, PROT_READ);
                GUARDED(k, k->rows(place(index, index_at), 0, place(x, x_at), ld, rows, cols),
                        "%zu rows of %zu, ld %zu", rows, cols, ld);
                protect(x, PROT_READ | PROT_WRITE);
                clean(x, x_at, x.n - x_at);
                for (size_t r = 0; r < rows; r++)
                    want_index(k, index, index_at + r, want[r], called_where);
                must_be_clean(k, index, called_where);
            }
    GUARDED(k, k->rows(index.p - 4, 0, x.p - 4, 7, 0, 7), "no rows, no memory");
    arena_free(x);
    arena_free(index);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("guard");
    TCase *row = add_case(suite, "one row");
    EACH_KERNEL(row, test_row, MAP | MAP2 | ROW, NULL);
    EACH_KERNEL(row, test_long_row, MAP | MAP2 | ROW, NULL);
    EACH_KERNEL(row, test_pieces, MAP | MAP2, NULL);
    EACH_KERNEL(row, test_overlapping, MAP2, NULL);
    TCase *rows = add_case(suite, "rows");
    EACH_KERNEL(rows, test_rows, MAP | MAP2 | ROW, NULL);
    EACH_KERNEL(rows, test_interleaved, MAP | MAP2 | ROW, NULL);
    EACH_KERNEL(rows, test_gaps, MAP | MAP2 | ROW, NULL);
    TCase *index = add_case(suite, "indices");
    EACH_KERNEL(index, test_index, ARGMAX, NULL);
    EACH_KERNEL(index, test_index_rows, ARGMAX, NULL);
    return run_suite(suite);
}
