/* SPDX-License-Identifier: MIT */
#include "src/runs/run_row.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "src/base/csv.h"
#include "src/model/family.h"
#include "src/base/memory.h"

enum { MAX_FIELDS = 256 };

/* One file on its way in. */
struct source {
    struct run_rows *rows;
    const char *path;
    const struct listener *listener;
    struct csv_reader reader;
    struct row_header header;
};

static void tell(const struct source *source, int64_t line, const char *problem,
                 const char *remedy)
{
    ++source->rows->damaged;
    source->listener->hear(source->listener->context, source->path, line,
                           problem, remedy);
}

static void grow(struct run_rows *rows)
{
    rows->room = rows->room ? 2 * rows->room : 64;
    rows->row = memory_grown(rows->row, rows->room, sizeof *rows->row);
}

/* ---------------------------------------------------------------- ordering */

static int sign(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

int run_group_order(const struct run_row *left, const struct run_row *right)
{
    int order = sign(left->op, right->op);
    order = order ? order : sign(left->dtype, right->dtype);
    order = order ? order : sign(left->shape.outer, right->shape.outer);
    order = order ? order : sign(left->shape.axis, right->shape.axis);
    order = order ? order : sign(left->shape.inner, right->shape.inner);
    return order ? order : sign(left->cache, right->cache);
}

int run_cell_order(const struct run_row *left, const struct run_row *right)
{
    int order = run_group_order(left, right);
    return order ? order : strcmp(left->variant, right->variant);
}

int run_row_order(const struct run_row *left, const struct run_row *right)
{
    const int order = run_cell_order(left, right);
    return order ? order : sign(left->process, right->process);
}

static int line_order(const void *left, const void *right)
{
    const struct run_row *l = left, *r = right;
    const int order = run_row_order(l, r);
    return order ? order : sign(l->line, r->line);
}

bool run_row_timed(const struct run_row *row)
{
    return status_is_timed(row->status) && row->median_us > 0;
}

/* -------------------------------------------------------------------- rows */

static void keep(struct source *source, const struct row *row)
{
    struct run_rows *rows = source->rows;
    char family[ROW_TEXT_BYTES];
    if (rows->count == rows->room)
        grow(rows);
    rows->row[rows->count++] = (struct run_row){
        .op = row->op,
        .dtype = row->dtype,
        .cache = row->cache,
        .status = row->status,
        .shape = { row->outer, row->axis, row->inner },
        .process = row->process,
        .samples = row->samples,
        .discarded = row->discarded,
        .median_us = row->median_us,
        .low_us = row->ci_low_us,
        .high_us = row->ci_high_us,
        .min_us = row->min_us,
        .q1_us = row->q1_us,
        .q3_us = row->q3_us,
        .max_us = row->max_us,
        .launch_us = row->launch_us,
        .gbps = row->gbps,
        .ceiling_gbps = row->ceiling_gbps,
        .pct_ceiling = row->pct_ceiling,
        .passes = row->passes,
        .max_err = row->max_err,
        .err_bound = row->err_bound,
        .bytes = row->bytes,
        .ranks = row->ranks,
        .exchange_us = row->exchange_us,
        .variant = texts_keep(&rows->texts, row->variant),
        .family = texts_keep(
            &rows->texts,
            *row->family ? row->family
                         : variant_family(row->variant, family, sizeof family)),
        .reason = texts_keep(&rows->texts, row->reason),
        .marks = texts_keep(&rows->texts, row->marks),
        .throttle = texts_keep(&rows->texts, row->throttle),
        .line = source->reader.line,
    };
}

/* What the row reader lets pass and a comparison cannot use, or NULL. */
static const char *unusable(const struct row *row,
                            char problem[ROW_PROBLEM_BYTES])
{
    if (!*row->variant)
        return "no variant";
    if (row->outer < 0 || row->axis < 0 || row->inner < 0)
        return "no shape: outer, axis and inner are needed";
    if (!shape_fits((struct shape){ row->outer, row->axis, row->inner }))
        return "more than 2^56 elements";
    if (row->process < 0)
        return "no process";
    if (status_is_timed(row->status) && !(row->median_us > 0))
        return "timed, but median_us is no time";
    if (row->gbps < 0 || row->ceiling_gbps < 0 || row->pct_ceiling < 0 ||
        row->exchange_us < 0)
        return "a rate, a share or a time is negative";
    if (status_is_timed(row->status) &&
        (row->ci_low_us > row->median_us || row->ci_high_us < row->median_us))
        return "the interval of the median does not hold it";
    if (row->gpus <= 1 || row->gpus == row->ranks)
        return NULL;
    snprintf(problem, ROW_PROBLEM_BYTES,
             "%" PRId64 " ranks cannot be on %" PRId64 " GPUs", row->ranks,
             row->gpus);
    return problem;
}

/* Those that say something of runs over several devices or cards. */
static bool may_lack(int column)
{
    return row_columns[column].offset >= offsetof(struct row, ranks);
}

static void tell_lost(const struct source *source)
{
    char lost[ROW_COLUMN_COUNT * 24] = "no column ";
    size_t length = strlen(lost);
    int count = 0;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
        if (source->header.field[c] < 0 && !may_lack(c))
            length +=
                (size_t)snprintf(lost + length, sizeof lost - length, "%s%s",
                                 count++ ? ", " : "", row_columns[c].name);
    if (count)
        source->listener->hear(source->listener->context, source->path,
                               source->reader.line, lost,
                               "its rows are taken without: copy the file of "
                               "the run");
}

static bool read_columns(struct source *source, char *const *fields,
                         size_t count)
{
    static const char *const needed[] = { "variant", "outer",   "axis",
                                          "inner",   "process", "median_us" };
    char problem[ROW_PROBLEM_BYTES];
    bool ok = row_read_header(&source->header, fields, count, problem);
    for (size_t n = 0; ok && n < sizeof needed / sizeof *needed; ++n)
        for (int c = 0; ok && c < ROW_COLUMN_COUNT; ++c)
            if (strcmp(row_columns[c].name, needed[n]) == 0 &&
                source->header.field[c] < 0) {
                snprintf(problem, sizeof problem, "no column %s", needed[n]);
                ok = false;
            }
    if (!ok)
        tell(source, source->reader.line, problem,
             "the file is left out; results/README.md has the columns");
    else
        tell_lost(source);
    return ok;
}

static void read_rows(struct source *source)
{
    static const char remedy[] = "the line is left out: delete it, or measure "
                                 "that cell again";
    char *fields[MAX_FIELDS], problem[ROW_PROBLEM_BYTES];
    struct csv_reader *reader = &source->reader;
    struct row row;
    size_t count;
    while ((count = csv_read(reader, fields, MAX_FIELDS)) || reader->problem) {
        const char *wrong = reader->problem;
        if (!wrong && reader->torn)
            wrong = "cut short: no line break at its end";
        if (!wrong && !row_read(&source->header, fields, count, &row, problem))
            wrong = problem;
        if (!wrong)
            wrong = unusable(&row, problem);
        if (wrong)
            tell(source, reader->line, wrong,
                 reader->unreadable ? "the rest is left out" : remedy);
        else
            keep(source, &row);
    }
}

void run_rows_read(struct run_rows *rows, const char *path,
                   const struct listener *listener)
{
    char *fields[MAX_FIELDS];
    struct source source = { .rows = rows, .path = path, .listener = listener };
    struct csv_reader *reader = &source.reader;
    reader->file = fopen(path, "r");
    if (!reader->file) {
        if (errno != ENOENT)
            tell(&source, 0, strerror(errno), "the file is left out");
        return;
    }
    size_t count = csv_read(reader, fields, MAX_FIELDS);
    if (!count)
        tell(&source, reader->line, reader->problem ? reader->problem : "empty",
             "the file is left out");
    else if (read_columns(&source, fields, count))
        read_rows(&source);
    csv_read_end(reader);
    fclose(reader->file);
}

void run_rows_sort(struct run_rows *rows)
{
    if (rows->count)
        qsort(rows->row, rows->count, sizeof *rows->row, line_order);
}

void run_rows_free(struct run_rows *rows)
{
    texts_free(&rows->texts);
    free(rows->row);
    *rows = (struct run_rows){ 0 };
}
