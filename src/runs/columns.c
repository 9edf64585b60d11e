/* SPDX-License-Identifier: MIT */
#include "src/runs/columns.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/model/op.h"
#include "src/runs/row.h"

/* The names of an enum, which end with NULL. */
static const char *const *const names_of[] = { [COLUMN_DTYPE] = dtype_names,
                                               [COLUMN_CACHE] = cache_names,
                                               [COLUMN_STATUS] = status_names };

void columns_clear(const struct columns *columns, void *record)
{
    for (int c = 0; c < columns->count; ++c) {
        void *member = (char *)record + columns->column[c].offset;
        switch (columns->column[c].kind) {
        case COLUMN_TEXT:
        case COLUMN_LONG_TEXT:
            *(const char **)member = "";
            break;
        case COLUMN_OP:
            *(int *)member = -1;
            break;
        case COLUMN_COUNT:
            *(size_t *)member = 0;
            break;
        case COLUMN_INTEGER:
            *(int64_t *)member = -1;
            break;
        case COLUMN_REAL:
            *(double *)member = NAN;
            break;
        case COLUMN_LINES:
            *(struct ragged_lines *)member = (struct ragged_lines){ 0 };
            break;
        default:
            *(unsigned *)member = 0;
        }
    }
}

/* ----------------------------------------------------------------- writing */

void columns_write_names(FILE *file, const struct columns *columns)
{
    for (int c = 0; c < columns->count; ++c)
        csv_write_field(file, c == 0, columns->column[c].name);
    fputc('\n', file);
}

static void write_field(FILE *file, bool first, enum column_kind kind,
                        const void *member)
{
    char number[32] = "", lines[SHAPE_TEXT_BYTES];
    const char *text = number;
    switch (kind) {
    case COLUMN_TEXT:
    case COLUMN_LONG_TEXT:
        text = *(const char *const *)member;
        break;
    case COLUMN_OP:
        if (*(const int *)member >= 0)
            text = op_name(*(const enum op *)member);
        break;
    case COLUMN_DTYPE:
    case COLUMN_CACHE:
    case COLUMN_STATUS:
        text = names_of[kind][*(const unsigned *)member];
        break;
    case COLUMN_MARKS:
        text = marks_text(*(const unsigned *)member);
        break;
    case COLUMN_LINES:
        text = lines_format(*(const struct ragged_lines *)member, lines);
        break;
    case COLUMN_COUNT:
        if (*(const size_t *)member)
            snprintf(number, sizeof number, "%zu", *(const size_t *)member);
        break;
    case COLUMN_INTEGER:
        if (*(const int64_t *)member >= 0)
            snprintf(number, sizeof number, "%" PRId64,
                     *(const int64_t *)member);
        break;
    case COLUMN_REAL:
        if (isfinite(*(const double *)member))
            snprintf(number, sizeof number, "%.9g", *(const double *)member);
        break;
    }
    csv_write_field(file, first, text);
}

void columns_write(FILE *file, const struct columns *columns,
                   const void *record)
{
    for (int c = 0; c < columns->count; ++c)
        write_field(file, c == 0, columns->column[c].kind,
                    (const char *)record + columns->column[c].offset);
    fputc('\n', file);
}

/* ------------------------------------------------------------------ a line */

static int field_of(const char *name, char *const *fields, size_t count)
{
    for (size_t f = 0; f < count; ++f)
        if (strcmp(fields[f], name) == 0)
            return (int)f;
    return -1;
}

bool columns_find(const struct columns *columns, struct header *header,
                  char *const *fields, size_t count,
                  char problem[PROBLEM_BYTES])
{
    header->fields = count;
    for (int c = 0; c < columns->count; ++c) {
        const char *name = columns->column[c].name;
        const int field = field_of(name, fields, count);
        header->field[c] = field;
        if (field < 0 && columns->column[c].need) {
            snprintf(problem, PROBLEM_BYTES, "no column %s", name);
            return false;
        }
        const size_t next = (size_t)(field + 1);
        if (field >= 0 && field_of(name, fields + next, count - next) >= 0) {
            snprintf(problem, PROBLEM_BYTES, "column %s twice", name);
            return false;
        }
    }
    return true;
}

static bool read_field(enum column_kind kind, const char *text, void *member)
{
    int64_t count = 0;
    unsigned place = 0;
    switch (kind) {
    case COLUMN_TEXT:
    case COLUMN_LONG_TEXT:
        *(const char **)member = text;
        return kind == COLUMN_LONG_TEXT || strlen(text) < ROW_TEXT_BYTES;
    case COLUMN_OP:
        return !*text || op_parse(text, member);
    case COLUMN_DTYPE:
    case COLUMN_CACHE:
    case COLUMN_STATUS:
        while (names_of[kind][place] && strcmp(names_of[kind][place], text))
            ++place;
        *(unsigned *)member = place;
        return names_of[kind][place];
    case COLUMN_MARKS:
        return marks_parse(text, member);
    case COLUMN_LINES:
        return lines_parse(text, member);
    case COLUMN_COUNT:
        if (!csv_read_integer(text, &count))
            return false;
        *(size_t *)member = (size_t)count;
        return true;
    case COLUMN_INTEGER:
        return csv_read_integer(text, member);
    case COLUMN_REAL:
        return csv_read_real(text, member);
    }
    return false;
}

bool columns_read(const struct columns *columns, const struct header *header,
                  char *const *fields, size_t count, void *record,
                  char problem[PROBLEM_BYTES])
{
    columns_clear(columns, record);
    if (count != header->fields) {
        snprintf(problem, PROBLEM_BYTES, "%zu fields under %zu columns", count,
                 header->fields);
        return false;
    }
    for (int c = 0; c < columns->count; ++c) {
        const struct csv_column *column = &columns->column[c];
        if (header->field[c] < 0)
            continue;
        const char *text = fields[header->field[c]];
        if (!read_field(column->kind, text, (char *)record + column->offset)) {
            snprintf(problem, PROBLEM_BYTES, "%s cannot be '%.60s'",
                     column->name, text);
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ a file */

enum { MAX_FIELDS = 256, PATH_BYTES = 4096 };

static size_t read_lines(const struct columns_file *file,
                         struct csv_reader *reader, const char *path)
{
    char *fields[MAX_FIELDS], problem[PROBLEM_BYTES] = "empty";
    struct header header;
    size_t damaged = 0, count = csv_read(reader, fields, MAX_FIELDS);
    if (!count ||
        !columns_find(file->columns, &header, fields, count, problem)) {
        listener_tell(file->listener, path, reader->line,
                      reader->problem ? reader->problem : problem,
                      "the file is left out; results/README.md has the "
                      "columns");
        return 1;
    }
    while ((count = csv_read(reader, fields, MAX_FIELDS)) || reader->problem) {
        const char *wrong = reader->problem;
        if (!wrong && reader->torn)
            wrong = "cut short: no line break at its end";
        else if (!wrong && !columns_read(file->columns, &header, fields, count,
                                         file->record, problem))
            wrong = problem;
        else if (!wrong)
            wrong = file->take(file->record, reader->line, problem);
        damaged += wrong != NULL;
        if (wrong)
            listener_tell(file->listener, path, reader->line, wrong,
                          reader->unreadable
                              ? "the rest is left out"
                              : "the line is left out: delete it, or measure "
                                "again");
    }
    return damaged;
}

size_t columns_read_file(const struct columns_file *file)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", file->folder, file->name);
    struct csv_reader reader = { .file = fopen(path, "r") };
    if (!reader.file && file->optional && errno == ENOENT)
        return 0;
    if (!reader.file) {
        listener_tell(file->listener, path, 0, strerror(errno),
                      "name the whole folder of a run");
        return 1;
    }
    const size_t damaged = read_lines(file, &reader, path);
    csv_read_end(&reader);
    fclose(reader.file);
    return damaged;
}
