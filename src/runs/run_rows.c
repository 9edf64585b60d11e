/* SPDX-License-Identifier: MIT */
#include "src/runs/run_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "src/base/csv.h"
#include "src/model/family.h"
#include "src/base/memory.h"

enum { MAX_FIELDS = 256, PATH_BYTES = 4096 };

/* One file on its way in. */
struct source {
    struct run_rows *rows;
    enum op op;
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

/* ---------------------------------------------------------------- ordering */

static int sign(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

int run_group_order(const struct row *left, const struct row *right)
{
    int order = sign(left->op, right->op);
    order = order ? order : sign(left->dtype, right->dtype);
    order = order ? order : sign(left->shape.outer, right->shape.outer);
    order = order ? order : sign(left->shape.axis, right->shape.axis);
    order = order ? order : sign(left->shape.inner, right->shape.inner);
    return order ? order : sign(left->cache, right->cache);
}

int run_cell_order(const struct row *left, const struct row *right)
{
    int order = run_group_order(left, right);
    return order ? order : strcmp(left->variant, right->variant);
}

int run_row_order(const struct row *left, const struct row *right)
{
    const int order = run_cell_order(left, right);
    return order ? order : sign(left->process, right->process);
}

static int line_order(const void *left, const void *right)
{
    const struct row *l = left, *r = right;
    const int order = run_row_order(l, r);
    return order ? order : sign(l->line, r->line);
}

bool run_row_timed(const struct row *row)
{
    return status_is_timed(row->status) && row->us.median > 0;
}

/* -------------------------------------------------------------------- rows */

void run_rows_add(struct run_rows *rows, const struct row *row)
{
    struct texts *texts = &rows->texts;
    if (rows->count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 64;
        rows->row = memory_grown(rows->row, rows->room, sizeof *rows->row);
    }
    struct row *kept = &rows->row[rows->count++];
    *kept = *row;
    kept->variant = texts_keep(texts, row->variant);
    kept->family = texts_keep(texts, row->family);
    kept->reason = texts_keep(texts, row->reason);
    kept->throttle = texts_keep(texts, row->throttle);
    kept->card = texts_keep(texts, row->card);
}

/* Why a row that can be read cannot be compared, or NULL. */
static const char *unusable(const struct row *row,
                            char problem[ROW_PROBLEM_BYTES])
{
    if (!*row->variant)
        return "no variant";
    if (row->shape.outer < 0 || row->shape.axis < 0 || row->shape.inner < 0)
        return "no shape: outer, axis and inner are needed";
    if (!shape_fits(row->shape))
        return "more than 2^56 elements";
    if (row->process < 0)
        return "no process";
    if (status_is_timed(row->status) && !(row->us.median > 0))
        return "timed, but median_us is no time";
    if (row->gbps < 0 || row->pct_ceiling < 0 || row->exchange_us < 0)
        return "a rate, a share or a time is negative";
    if (status_is_timed(row->status) &&
        (row->us.ci_low > row->us.median || row->us.ci_high < row->us.median))
        return "the interval of the median does not hold it";
    if (row->gpus <= 1 || row->gpus == row->ranks)
        return NULL;
    snprintf(problem, ROW_PROBLEM_BYTES,
             "%" PRId64 " ranks cannot be on %" PRId64 " GPUs", row->ranks,
             row->gpus);
    return problem;
}

static void tell_lost(const struct source *source)
{
    char lost[ROW_COLUMN_COUNT * 24] = "no column ";
    size_t length = strlen(lost);
    int count = 0;
    for (int c = 0; c < ROW_COLUMN_COUNT; ++c)
        if (source->header.field[c] < 0 && row_columns[c].need == ROW_EXPECTED)
            length +=
                (size_t)snprintf(lost + length, sizeof lost - length, "%s%s",
                                 count++ ? ", " : "", row_columns[c].name);
    if (count)
        source->listener->hear(source->listener->context, source->path,
                               source->reader.line, lost,
                               "its rows are taken without: copy the file of "
                               "the run");
}

static void read_row(struct source *source, char *const *fields, size_t count)
{
    static const char remedy[] = "the line is left out: delete it, or measure "
                                 "that cell again";
    const struct csv_reader *reader = &source->reader;
    const char *wrong = reader->problem;
    char problem[ROW_PROBLEM_BYTES], family[ROW_TEXT_BYTES];
    struct row row;
    if (!wrong && reader->torn)
        wrong = "cut short: no line break at its end";
    if (!wrong && !row_read(&source->header, fields, count, &row, problem))
        wrong = problem;
    if (!wrong)
        wrong = unusable(&row, problem);
    if (wrong) {
        tell(source, reader->line, wrong,
             reader->unreadable ? "the rest is left out" : remedy);
        return;
    }
    row.op = source->op;
    row.family = variant_family(row.variant, family, sizeof family);
    row.line = reader->line;
    run_rows_add(source->rows, &row);
}

void run_rows_read(struct run_rows *rows, enum op op, const char *folder,
                   const struct listener *listener)
{
    char *fields[MAX_FIELDS], problem[ROW_PROBLEM_BYTES], path[PATH_BYTES];
    struct source source = {
        .rows = rows, .op = op, .path = path, .listener = listener
    };
    struct csv_reader *reader = &source.reader;
    snprintf(path, sizeof path, "%s/%s.csv", folder, op_name(op));
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
    else if (!row_read_header(&source.header, fields, count, problem))
        tell(&source, reader->line, problem,
             "the file is left out; results/README.md has the columns");
    else {
        tell_lost(&source);
        while ((count = csv_read(reader, fields, MAX_FIELDS)) ||
               reader->problem)
            read_row(&source, fields, count);
    }
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
