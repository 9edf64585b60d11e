/* SPDX-License-Identifier: MIT */
#include "src/judge/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/runs/run_cell.h"
#include "src/base/memory.h"

/* ---------------------------------------------------------------- columns */

/* Of a folder's ladders: what stands over a column, and the shape. */
struct column {
    const char *folder, *text;
    struct shape shape;
};

static const struct column columns[] = {
    { "scan", "32768 lines", { 32768, 32768, 1 } },
    { "scan", "odd lines", { 65536, 4097, 1 } },
    { "scan", "one line", { 1, 1073741824, 1 } },
    { "scan", "strided", { 1, 32768, 32768 } },
    { "sum", "32768 lines", { 32768, 32768, 1 } },
    { "sum", "one line", { 1, 1073741824, 1 } },
    { "sum", "strided, even", { 1, 32768, 32768 } },
    { "sum", "strided, odd", { 128, 4096, 4095 } },
    { "flip", "32768 lines", { 32768, 32768, 1 } },
    { "flip", "odd lines", { 65536, 4097, 1 } },
    { "flip", "one line", { 1, 1073741824, 1 } },
    { "flip", "strided", { 1, 32768, 32768 } },
    { "stream", "2^30 elements", { 1, 1073741824, 1 } },
    { "stream", "2^28 elements", { 1, 268435456, 1 } },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Where rounding errors mean something. */
static bool has_error(const char *folder)
{
    return strcmp(folder, "scan") == 0 || strcmp(folder, "sum") == 0;
}

/* ------------------------------------------------------------------- data */

/* What the newest run with it says of a point at a column's shape. */
struct figure {
    const struct run_folder *run;
    enum status status;
    double pct, error;
};

/* What the runs say of a file, at any shape, in any type. */
struct served {
    unsigned ops, dtypes;
    bool contiguous, strided;
    double passes, passes_masked; /* of the point that moves least */
};

struct ladder {
    const struct catalogue_point *points;
    int count;
    struct figure (*figure)[OP_COUNT][COLUMNS]; /* [point] */
    struct served *served;                      /* [its file's first point] */
};

/* The first point of the point's file. */
static int first_of(const struct ladder *ladder, int point)
{
    while (point > 0 &&
           strcmp(ladder->points[point - 1].id, ladder->points[point].id) == 0)
        --point;
    return point;
}

static bool starts_file(const struct ladder *ladder, int point)
{
    return first_of(ladder, point) == point;
}

static bool in_folder(const struct ladder *ladder, int point,
                      const char *folder)
{
    const size_t chars = strlen(folder);
    const char *id = ladder->points[point].id;
    return strncmp(id, folder, chars) == 0 && id[chars] == '/';
}

static void see_served(struct served *served, const struct run_cell *cell)
{
    const struct run_row *row = cell->row;
    double *passes =
        op_has_mask(row->op) ? &served->passes_masked : &served->passes;
    if (row->passes > 0 && row->dtype == DTYPE_F32 &&
        !(*passes > 0 && *passes <= row->passes))
        *passes = row->passes;
    if (cell->status == STATUS_SKIP)
        return;
    served->ops |= OP_BIT(row->op);
    served->dtypes |= DTYPE_BIT(row->dtype);
    served->contiguous |= row->shape.inner == 1;
    served->strided |= row->shape.inner > 1;
}

static double largest_error(const struct run_cell *cell)
{
    double error = NAN;
    for (size_t r = 0; r < cell->rows; ++r)
        error = fmax(error, cell->row[r].max_err);
    return error;
}

static void see_figure(struct figure *figure, const struct run_folder *run,
                       const struct run_cell *cell)
{
    if (figure->run)
        return;
    *figure = (struct figure){ run, cell->status,
                               run_cell_timed(cell) && cell->pct_ceiling > 0
                                   ? cell->pct_ceiling
                                   : NAN,
                               largest_error(cell) };
}

static void see(struct ladder *ladder, const struct run_folder *run,
                const struct run_cell *cell)
{
    const struct run_row *row = cell->row;
    const int point = catalogue_find(ladder->points, row->op, row->variant);
    if (point < 0 || row->cache != CACHE_COLD)
        return;
    see_served(&ladder->served[first_of(ladder, point)], cell);
    if (row->dtype != DTYPE_F32)
        return;
    for (int c = 0; c < COLUMNS; ++c)
        if (strcmp(columns[c].folder, catalogue_folder(row->op)) == 0 &&
            shape_equal(columns[c].shape, row->shape))
            see_figure(&ladder->figure[point][row->op][c], run, cell);
}

struct ladder *ladder_make(const struct catalogue_point *points,
                           const struct run_folder *runs, size_t run_count)
{
    struct ladder *ladder = memory_for(1, sizeof *ladder);
    ladder->points = points;
    while (points[ladder->count].name)
        ++ladder->count;
    const size_t room = (size_t)ladder->count + 1;
    ladder->figure = memory_for(room, sizeof *ladder->figure);
    ladder->served = memory_for(room, sizeof *ladder->served);
    for (size_t k = 0; k < run_count; ++k)
        for (size_t r = 0, count; r < runs[k].rows.count; r += count) {
            count = runs[k].rows.count - r;
            const struct run_cell cell =
                run_cell_of(&runs[k].rows.row[r], &count);
            see(ladder, &runs[k], &cell);
        }
    return ladder;
}

void ladder_free(struct ladder *ladder)
{
    if (ladder) {
        free(ladder->figure);
        free(ladder->served);
    }
    free(ladder);
}

/* ------------------------------------------------------------------ files */

static void write_text(FILE *file, const char *text)
{
    for (; *text; ++text)
        fprintf(file, *text == '|' ? "\\|" : "%c", *text);
}

/* "scans", or the operations; of the stream's files, their own. */
static void write_ops(FILE *file, unsigned ops)
{
    if (ops == OPS_SCAN) {
        fputs("scans", file);
        return;
    }
    const char *comma = "";
    for (int op = 0; op < OP_COUNT; ++op)
        if (ops & OP_BIT(op)) {
            fprintf(file, "%s`%s`", comma, op_name((enum op)op));
            comma = ", ";
        }
}

static void write_dtypes(FILE *file, unsigned dtypes)
{
    const char *word = " of ";
    for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype)
        if (dtypes & DTYPE_BIT(dtype)) {
            fprintf(file, "%s%s", word, dtype_name((enum dtype)dtype));
            word = ", ";
        }
}

/* The oldest device that has what the kernel needs, as its header says. */
static void write_capability(FILE *file, const char *needs)
{
    static const char words[] = "compute capability ";
    const char *at = strstr(needs, words);
    if (at)
        fprintf(file, ", from %.*s",
                (int)strspn(at + sizeof words - 1, "0123456789") + 2,
                at + sizeof words - 1);
}

static void write_serves(FILE *file, const struct served *served,
                         const char *folder, const char *needs)
{
    if (!served->ops) {
        fputs("not measured yet", file);
        return;
    }
    write_ops(file, served->ops);
    if (served->dtypes != DTYPES_ALL)
        write_dtypes(file, served->dtypes);
    if (strcmp(folder, "stream") != 0)
        fputs(served->contiguous && served->strided ? ", any lines"
              : served->strided                     ? ", strided"
                                                    : ", contiguous",
              file);
    write_capability(file, needs);
}

static void write_passes(FILE *file, const struct served *served)
{
    if (served->passes > 0)
        fprintf(file, "%.4g", served->passes);
    if (served->passes_masked > 0 && served->passes_masked != served->passes)
        fprintf(file, "%s%.4g", served->passes > 0 ? ", masked " : "",
                served->passes_masked);
}

void ladder_write_files(const struct ladder *ladder, const char *folder,
                        const struct ladder_headers *headers, FILE *file)
{
    fputs("| file | idea | serves | passes | lesson |\n"
          "| --- | --- | --- | --- | --- |\n",
          file);
    for (int p = 0; p < ladder->count; ++p) {
        const char *id = ladder->points[p].id;
        if (!starts_file(ladder, p) || !in_folder(ladder, p, folder))
            continue;
        const struct served *served = &ladder->served[p];
        fprintf(file, "| [%s](%s.cu) | ", strchr(id, '/') + 1, id);
        write_text(file, ladder->points[p].idea);
        fputs(" | ", file);
        write_serves(file, served, folder,
                     headers->field(headers->context, id, "Needs"));
        fputs(" | ", file);
        write_passes(file, served);
        fputs(" | ", file);
        write_text(file, headers->field(headers->context, id, "Lesson"));
        fputs(" |\n", file);
    }
}

/* ------------------------------------------------------------------ steps */

/* The file's best figure in a column, of its points from `first`; NULL: none
 * has one. *status becomes what is known instead. */
static const struct figure *best_figure(const struct ladder *ladder, int first,
                                        int op, int column, enum status *status)
{
    const struct figure *best = NULL;
    *status = STATUS_SKIP;
    for (int p = first; p < ladder->count && first_of(ladder, p) == first;
         ++p) {
        const struct figure *figure = &ladder->figure[p][op][column];
        if (!figure->run)
            continue;
        if (figure->pct > 0 && (!best || figure->pct > best->pct))
            best = figure;
        if (figure->status == STATUS_SLOW ||
            (figure->status == STATUS_UNTRIED && *status != STATUS_SLOW))
            *status = figure->status;
    }
    return best;
}

static bool measured(const struct ladder *ladder, int first, int op)
{
    for (int p = first; p < ladder->count && first_of(ladder, p) == first; ++p)
        for (int c = 0; c < COLUMNS; ++c)
            if (ladder->figure[p][op][c].run &&
                ladder->figure[p][op][c].status != STATUS_SKIP)
                return true;
    return false;
}

static void write_error(FILE *file, double error)
{
    if (isnan(error))
        fputs(" – |", file);
    else
        fprintf(file, error < 100 ? " %.3g |" : " %.0f |", error);
}

static void write_step(const struct ladder *ladder, int first, enum op op,
                       FILE *file)
{
    const char *folder = catalogue_folder(op);
    double error = NAN;
    enum status status;
    fprintf(file, "| %s |", strchr(ladder->points[first].id, '/') + 1);
    for (int c = 0; c < COLUMNS; ++c) {
        if (strcmp(columns[c].folder, folder) != 0)
            continue;
        const struct figure *best =
            best_figure(ladder, first, (int)op, c, &status);
        if (best && isnan(error))
            error = best->error;
        if (best)
            fprintf(file, " %.1f |", best->pct);
        else
            fputs(status == STATUS_SLOW      ? " slow |"
                  : status == STATUS_UNTRIED ? " (slow) |"
                                             : " – |",
                  file);
    }
    if (has_error(folder))
        write_error(file, error);
    fputc('\n', file);
}

static void write_ladder(const struct ladder *ladder, enum op op, FILE *file)
{
    const char *folder = catalogue_folder(op);
    int count = 0;
    fprintf(file, "\n### %s\n\n| step |", op_name(op));
    for (int c = 0; c < COLUMNS; ++c)
        if (strcmp(columns[c].folder, folder) == 0) {
            fprintf(file, " %s |", columns[c].text);
            ++count;
        }
    fputs(has_error(folder) ? " error |\n| --- |" : "\n| --- |", file);
    for (int c = 0; c < count + has_error(folder); ++c)
        fputs(" --: |", file);
    fputc('\n', file);
    for (int p = 0; p < ladder->count; ++p)
        if (starts_file(ladder, p) && in_folder(ladder, p, folder) &&
            measured(ladder, p, (int)op))
            write_step(ladder, p, op, file);
}

static bool op_measured(const struct ladder *ladder, int op)
{
    for (int p = 0; p < ladder->count; ++p)
        if (starts_file(ladder, p) && measured(ladder, p, op))
            return true;
    return false;
}

void ladder_write_steps(const struct ladder *ladder, FILE *file)
{
    for (int op = 0; op < OP_COUNT; ++op)
        if (op_measured(ladder, op))
            write_ladder(ladder, (enum op)op, file);
}
