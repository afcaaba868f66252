#define _GNU_SOURCE /* program_invocation_short_name */
#include "output.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#define LINE 100

static const out_column *columns;
static size_t column_count;

void die(int status, const char *format, ...)
{
    va_list args;
    fflush(stdout);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(status);
}

void *need(void *p)
{
    if (!p)
        die(EXIT_FAILED, "out of memory");
    return p;
}

/* ---- JSON ---- */

#ifdef HAVE_JANSSON
static json_t *root, *rows;

static json_t *json_cell(const out_column *c, out_cell cell)
{
    if (!c->format)
        return cell.text ? json_string(cell.text) : json_null();
    if (!isfinite(cell.number))
        return isnan(cell.number) ? json_null() : json_string(cell.number > 0 ? "inf" : "-inf");
    if (cell.number == floor(cell.number) && fabs(cell.number) < 0x1p53)
        return json_integer((json_int_t)cell.number);
    return json_real(cell.number);
}

static void json_row(const out_cell *cells)
{
    json_t *row = json_object();
    for (size_t i = 0; i < column_count; i++)
        json_object_set_new(row, columns[i].key, json_cell(&columns[i], cells[i]));
    json_array_append_new(rows, row);
}

#define JSON(statement) \
    if (root) {         \
        statement;      \
        return;         \
    }
#else
#define JSON(statement)
#endif

bool out_begin(bool json)
{
    /* a long table is watched as it grows, in a pipe too */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
#ifdef HAVE_JANSSON
    root = json ? json_object() : NULL;
    return true;
#else
    return !json;
#endif
}

void out_end(void)
{
#ifdef HAVE_JANSSON
    if (root) {
        json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        putchar('\n');
        json_decref(root);
    }
#endif
    if (fflush(stdout) || ferror(stdout))
        die(EXIT_FAILED, "cannot write: %s", strerror(errno));
}

/* ---- text ---- */

void out_fact(const char *key, const char *title, const char *value)
{
    (void)key;
    JSON(json_object_set_new(root, key, json_string(value)));
    if (title)
        printf("%s: ", title);
    puts(value);
}

void out_note(const char *format, ...)
{
    va_list args;
    JSON(;);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

void out_blank(void)
{
    JSON(;);
    putchar('\n');
}

/* Is it the last one that is seen, and flush left? Then it is not padded. */
static bool ends_line(size_t i)
{
    bool last = columns[i].width < 0;
    for (size_t j = i + 1; j < column_count; j++)
        last = last && !columns[j].title;
    return last;
}

static void put_titles(void)
{
    const char *gap = "";
    for (size_t i = 0; i < column_count; i++) {
        const char *title = columns[i].title;
        if (!title || (!*title && ends_line(i)))
            continue;
        printf("%s%*s", gap, ends_line(i) ? 0 : columns[i].width, title);
        gap = "  ";
    }
    putchar('\n');
}

void out_table(const char *key, const out_column *c, size_t count)
{
    (void)key;
    columns = c;
    column_count = count;
    JSON(json_object_set_new(root, key, rows = json_array()));
    put_titles();
}

/* Text from column `at` on, broken at blanks before the end of the line. */
static void put_wrapped(const char *text, int at)
{
    int x = at;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (x > at && x + 1 + length > LINE) {
            printf("\n%*s", at, "");
            x = at;
        }
        x += printf("%s%.*s", x > at ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
}

void out_row(const out_cell *cells)
{
    int x = 0;
    JSON(json_row(cells));
    for (size_t i = 0; i < column_count; i++) {
        const out_column *c = &columns[i];
        char number[40] = "-";
        const char *text = number;
        if (!c->title)
            continue;
        if (!c->format)
            text = cells[i].text ? cells[i].text : "-";
        else if (!isnan(cells[i].number))
            snprintf(number, sizeof number, c->format, cells[i].number);
        if (!*text && ends_line(i))
            continue;
        if (x)
            x += printf("  ");
        if (ends_line(i))
            put_wrapped(text, x);
        else
            x += printf("%*s", c->width, text);
    }
    putchar('\n');
}
