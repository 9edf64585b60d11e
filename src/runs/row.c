/* SPDX-License-Identifier: MIT */
#include "src/runs/row.h"

#include <math.h>
#include <string.h>

#include "src/base/csv.h"

const struct row_column row_columns[ROW_COLUMN_COUNT] = {
#define COLUMN(kind, name, meaning)                                            \
    { ROW_##kind, #name, meaning, offsetof(struct row, name) },
    ROW_COLUMNS(COLUMN)
#undef COLUMN
};

/* ---------------------------------------------------------------- names */

static const char *const caches[CACHE_COUNT] = { "cold", "hot" };
static const char *const statuses[STATUS_COUNT] = {
    [STATUS_OK] = "ok",
    [STATUS_SUSPECT] = "suspect",
    [STATUS_UNSTABLE] = "unstable",
    [STATUS_SLOW] = "slow",
    [STATUS_UNTRIED] = "untried",
    [STATUS_SKIP] = "skip",
    [STATUS_WRONG] = "wrong",
    [STATUS_ERROR] = "error",
    [STATUS_TIMEOUT] = "timeout",
};

/* Index of the name, or -1. */
static int find(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count; ++k)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

const char *cache_name(enum cache cache)
{
    return caches[cache];
}

bool cache_parse(const char *name, enum cache *cache)
{
    int found = find(caches, CACHE_COUNT, name);
    if (found >= 0)
        *cache = (enum cache)found;
    return found >= 0;
}

const char *status_name(enum status status)
{
    return statuses[status];
}

bool status_parse(const char *name, enum status *status)
{
    int found = find(statuses, STATUS_COUNT, name);
    if (found >= 0)
        *status = (enum status)found;
    return found >= 0;
}

bool status_is_timed(enum status status)
{
    return status == STATUS_OK || status == STATUS_SUSPECT;
}

bool status_is_sampled(enum status status)
{
    return status_is_timed(status) || status == STATUS_UNSTABLE;
}

bool status_is_passed(enum status status)
{
    return status_is_sampled(status) || status == STATUS_SLOW;
}

bool status_is_left_out(enum status status)
{
    return status == STATUS_SKIP || status == STATUS_UNTRIED;
}

bool status_is_failed(enum status status)
{
    return status == STATUS_WRONG || status == STATUS_ERROR ||
           status == STATUS_TIMEOUT;
}

static bool has_mark(const char *marks, const char *word, size_t chars)
{
    while (*marks) {
        const size_t own = strcspn(marks, "+");
        if (own == chars && strncmp(marks, word, chars) == 0)
            return true;
        marks += own + (marks[own] == '+');
    }
    return false;
}

bool row_has_mark(const char *marks, const char *word)
{
    return has_mark(marks, word, strlen(word));
}

void row_add_marks(char *marks, size_t bytes, const char *more)
{
    while (*more) {
        const size_t chars = strcspn(more, "+"), used = strlen(marks);
        if (used + 1 + chars < bytes && !has_mark(marks, more, chars))
            sprintf(marks + used, "%s%.*s", used ? "+" : "", (int)chars, more);
        more += chars + (more[chars] == '+');
    }
}

/* --------------------------------------------------------------- writing */

struct row row_unknown(void)
{
    struct row row = { .status = STATUS_ERROR };
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c) {
        void *field = (char *)&row + row_columns[c].offset;
        if (row_columns[c].kind == ROW_INTEGER)
            *(int64_t *)field = -1;
        else if (row_columns[c].kind == ROW_REAL)
            *(double *)field = NAN;
    }
    return row;
}

bool row_write_header(FILE *file)
{
    bool ok = true;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
        ok = csv_write_field(file, c == 0, row_columns[c].name) && ok;
    return csv_write_end(file) && ok;
}

static bool write_field(FILE *file, bool first, const struct row_column *column,
                        const struct row *row)
{
    const void *field = (const char *)row + column->offset;
    switch (column->kind) {
    case ROW_TEXT:
        return csv_write_field(file, first, field);
    case ROW_OP:
        return csv_write_field(file, first, op_name(*(const enum op *)field));
    case ROW_DTYPE:
        return csv_write_field(file, first,
                               dtype_name(*(const enum dtype *)field));
    case ROW_CACHE:
        return csv_write_field(file, first,
                               cache_name(*(const enum cache *)field));
    case ROW_STATUS:
        return csv_write_field(file, first,
                               status_name(*(const enum status *)field));
    case ROW_INTEGER:
        return csv_write_integer(file, first, *(const int64_t *)field);
    case ROW_REAL:
        return csv_write_real(file, first, *(const double *)field);
    }
    return false;
}

bool row_write(FILE *file, const struct row *row)
{
    bool ok = true;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
        ok = write_field(file, c == 0, &row_columns[c], row) && ok;
    return csv_write_end(file) && ok;
}

/* --------------------------------------------------------------- reading */

static bool can_be_unknown(enum row_kind kind)
{
    return kind == ROW_TEXT || kind == ROW_INTEGER || kind == ROW_REAL;
}

bool row_read_header(struct row_header *header, char *const *fields,
                     size_t count, char problem[ROW_PROBLEM_BYTES])
{
    header->fields = count;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c) {
        header->field[c] = -1;
        for (size_t f = 0; f < count; ++f) {
            if (strcmp(fields[f], row_columns[c].name) != 0)
                continue;
            if (header->field[c] >= 0) {
                snprintf(problem, ROW_PROBLEM_BYTES, "column %s twice",
                         fields[f]);
                return false;
            }
            header->field[c] = (int)f;
        }
        if (header->field[c] < 0 && !can_be_unknown(row_columns[c].kind)) {
            snprintf(problem, ROW_PROBLEM_BYTES, "no column %s",
                     row_columns[c].name);
            return false;
        }
    }
    return true;
}

static bool read_field(const struct row_column *column, const char *text,
                       struct row *row)
{
    void *field = (char *)row + column->offset;
    switch (column->kind) {
    case ROW_TEXT:
        if (strlen(text) >= ROW_TEXT_BYTES)
            return false;
        strcpy(field, text);
        return true;
    case ROW_OP:
        return op_parse(text, field);
    case ROW_DTYPE:
        return dtype_parse(text, field);
    case ROW_CACHE:
        return cache_parse(text, field);
    case ROW_STATUS:
        return status_parse(text, field);
    case ROW_INTEGER:
        return csv_read_integer(text, field);
    case ROW_REAL:
        return csv_read_real(text, field);
    }
    return false;
}

bool row_read(const struct row_header *header, char *const *fields,
              size_t count, struct row *row, char problem[ROW_PROBLEM_BYTES])
{
    *row = row_unknown();
    if (count != header->fields) {
        snprintf(problem, ROW_PROBLEM_BYTES, "%zu fields under %zu columns",
                 count, header->fields);
        return false;
    }
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c) {
        if (header->field[c] < 0)
            continue;
        const char *text = fields[header->field[c]];
        if (!read_field(&row_columns[c], text, row)) {
            snprintf(problem, ROW_PROBLEM_BYTES, "%s cannot be '%.60s'",
                     row_columns[c].name, text);
            return false;
        }
    }
    return true;
}
