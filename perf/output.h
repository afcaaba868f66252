/* What a program here says: facts and tables, as text of 100 columns or as one JSON object. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* A message on standard error, after the program's name; then exit. */
void die(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
/* p, which must not be NULL: what malloc gave. */
void *need(void *p);

/* Before all else. False if JSON is wanted and was not compiled in. */
bool out_begin(bool json);
void out_end(void);

/* A line "title: value"; title NULL: the value alone. In JSON a member `key`. */
void out_fact(const char *key, const char *title, const char *value);
/* A line, or several, for people only. */
void out_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

typedef struct {
    const char *key;    /* the name in JSON */
    const char *title;  /* over the column; NULL: only in JSON */
    int width;          /* negative: flush left, as for printf */
    const char *format; /* of a number, for one double; NULL: the column is text */
} out_column;

/* One cell: by its column, text (NULL: none) or a number (NaN: none). */
typedef union {
    const char *text;
    double number;
} out_cell;

/* In JSON an array `key` of objects. The text of a last column is wrapped. */
void out_table(const char *key, const out_column *columns, size_t count);
void out_row(const out_cell *cells);
void out_blank(void);

#endif
