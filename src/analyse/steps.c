/* SPDX-License-Identifier: MIT */
#include "src/analyse/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"
#include "src/base/stats.h"
#include "src/analyse/standing.h"

/* ---------------------------------------------------------------- columns */

/* Of a folder's table: what stands over a column, and the shape. */
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

/* What runs of shapes that nobody chose say of a file. */
struct spread {
    size_t problems, fastest; /* that have a row of it; it is first, or within
                                 noise of that */
    double *pct;              /* of those that it serves; 0: too slow */
    size_t count, room;
};

struct ladder {
    const struct catalogue_point *points;
    int count;
    struct figure (*figure)[OP_COUNT][COLUMNS]; /* [point] */
    struct spread *spread;                      /* [its file's first point] */
};

/* The first point of the point's file. */
static int first_of(const struct ladder *ladder, int point)
{
    while (point > 0 &&
           strcmp(ladder->points[point - 1].id, ladder->points[point].id) == 0)
        --point;
    return point;
}

static bool in_folder(const struct ladder *ladder, int point,
                      const char *folder)
{
    const size_t chars = strlen(folder);
    const char *id = ladder->points[point].id;
    return strncmp(id, folder, chars) == 0 && id[chars] == '/';
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
    const struct row *row = cell->row;
    const int point = catalogue_find(ladder->points, row->op, row->variant);
    if (point < 0 || row->cache != CACHE_COLD || row->dtype != DTYPE_F32)
        return;
    for (int c = 0; c < COLUMNS; ++c)
        if (strcmp(columns[c].folder, catalogue_folder(row->op)) == 0 &&
            shape_equal(columns[c].shape, row->shape))
            see_figure(&ladder->figure[point][row->op][c], run, cell);
}

/* ----------------------------------------------------------------- spread */

/* Whether nobody chose the run's shapes: those of other grids, and each
 * --shape, are chosen for what they show. */
static bool is_sample(const struct run_folder *run)
{
    const char *arguments = run_fact(run, "arguments");
    return strstr(arguments, "--grid random") && !strstr(arguments, "--shape");
}

static void spread_add(struct spread *spread, double pct)
{
    if (spread->count == spread->room) {
        spread->room = spread->room ? 2 * spread->room : 64;
        spread->pct =
            memory_grown(spread->pct, spread->room, sizeof *spread->pct);
    }
    spread->pct[spread->count++] = pct;
}

/* Of one problem, what a file's points say together. */
struct told {
    bool row, serves, fastest;
    double pct;
};

/* The problem's cells; `told` has a place for every point, and is 0. */
static void see_problem(struct ladder *ladder, const struct run_cell *cells,
                        size_t count, struct told *told)
{
    for (size_t k = 0; k < count; ++k) {
        const struct run_cell *cell = &cells[k];
        const int point =
            catalogue_find(ladder->points, cell->row->op, cell->row->variant);
        if (point < 0)
            continue;
        struct told *of = &told[first_of(ladder, point)];
        of->row = true;
        of->serves |= cell->status != STATUS_SKIP;
        of->fastest |= cells[k].rank == 1 || cells[k].tied;
        if (run_cell_timed(cell) && cell->pct_ceiling > of->pct)
            of->pct = cell->pct_ceiling;
    }
    for (int p = 0; p < ladder->count; ++p) {
        ladder->spread[p].problems += told[p].row;
        ladder->spread[p].fastest += told[p].fastest;
        if (told[p].serves)
            spread_add(&ladder->spread[p], told[p].pct);
        told[p] = (struct told){ .row = false };
    }
}

static void see_sample(struct ladder *ladder, const struct run_folder *run)
{
    size_t count, begin = 0;
    struct run_cell *all = standing_make(run, &count);
    struct told *told = memory_for((size_t)ladder->count + 1, sizeof *told);
    for (size_t k = 1; k <= count; ++k)
        if (k == count || run_group_order(all[begin].row, all[k].row)) {
            if (all[begin].row->cache == CACHE_COLD)
                see_problem(ladder, &all[begin], k - begin, told);
            begin = k;
        }
    free(told);
    free(all);
}

/* ------------------------------------------------------------------- runs */

struct ladder *ladder_make(const struct catalogue_point *points,
                           const struct run_folder *runs, size_t run_count)
{
    struct ladder *ladder = memory_for(1, sizeof *ladder);
    ladder->points = points;
    while (points[ladder->count].name)
        ++ladder->count;
    const size_t room = (size_t)ladder->count + 1;
    ladder->figure = memory_for(room, sizeof *ladder->figure);
    ladder->spread = memory_for(room, sizeof *ladder->spread);
    for (size_t k = 0; k < run_count; ++k) {
        for (size_t r = 0, count; r < runs[k].rows.count; r += count) {
            count = runs[k].rows.count - r;
            const struct run_cell cell =
                run_cell_of(&runs[k].rows.row[r], &count);
            see(ladder, &runs[k], &cell);
        }
        if (is_sample(&runs[k]))
            see_sample(ladder, &runs[k]);
    }
    for (int p = 0; p < ladder->count; ++p)
        if (ladder->spread[p].count)
            qsort(ladder->spread[p].pct, ladder->spread[p].count,
                  sizeof(double), stats_ascending);
    return ladder;
}

void ladder_free(struct ladder *ladder)
{
    if (!ladder)
        return;
    for (int p = 0; p < ladder->count; ++p)
        free(ladder->spread[p].pct);
    free(ladder->spread);
    free(ladder->figure);
    free(ladder);
}

/* ------------------------------------------------------------------ write */

static void write_text(FILE *file, const char *text)
{
    for (; *text; ++text)
        fprintf(file, *text == '|' ? "\\|" : "%c", *text);
}

/* The file's best figure in a column, of its points from `first`; NULL: none
 * has one. *status becomes what is known instead, if that says more. */
static const struct figure *best_figure(const struct ladder *ladder, int first,
                                        int op, int column, enum status *status)
{
    const struct figure *best = NULL;
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

/* "91", or "91–94" where they differ. */
static void write_range(double low, double high, FILE *file)
{
    if (round(low) < round(high))
        fprintf(file, " | %.0f–%.0f", low, high);
    else
        fprintf(file, " | %.0f", low);
}

/* Of all operations of the folder; raises *error to the largest. */
static void write_figures(const struct ladder *ladder, int first, int column,
                          double *error, FILE *file)
{
    double low = INFINITY, high = 0;
    enum status status = STATUS_SKIP;
    for (int op = 0; op < OP_COUNT; ++op) {
        const struct figure *best =
            best_figure(ladder, first, op, column, &status);
        if (!best)
            continue;
        low = fmin(low, best->pct);
        high = fmax(high, best->pct);
        *error = fmax(*error, best->error);
    }
    if (!(high > 0))
        fputs(status == STATUS_SLOW      ? " | slow"
              : status == STATUS_UNTRIED ? " | (slow)"
                                         : " | –",
              file);
    else
        write_range(low, high, file);
}

/* In how many of a hundred it is fastest; the tenth to the fiftieth. */
static void write_spread(const struct spread *spread, FILE *file)
{
    if (!spread->problems) {
        fputs(" | – | –", file);
        return;
    }
    fprintf(file, " | %.0f",
            100 * (double)spread->fastest / (double)spread->problems);
    if (spread->count)
        write_range(spread->pct[(spread->count - 1) / 10],
                    spread->pct[(spread->count - 1) / 2], file);
    else
        fputs(" | –", file);
}

static void write_error(FILE *file, double error)
{
    if (isnan(error))
        fputs(" | –", file);
    else
        fprintf(file, error < 100 ? " | %.3g" : " | %.0f", error);
}

static void write_heading(const char *folder, FILE *file)
{
    int count = 2;
    fputs("| file | idea | fastest | spread", file);
    for (int c = 0; c < COLUMNS; ++c)
        if (strcmp(columns[c].folder, folder) == 0) {
            fprintf(file, " | %s", columns[c].text);
            ++count;
        }
    fputs(has_error(folder) ? " | error\n| --- | ---" : "\n| --- | ---", file);
    for (int c = 0; c < count + has_error(folder); ++c)
        fputs(" | --:", file);
    fputc('\n', file);
}

void ladder_write(const struct ladder *ladder, const char *folder, FILE *file)
{
    write_heading(folder, file);
    for (int p = 0; p < ladder->count; ++p) {
        const char *id = ladder->points[p].id;
        double error = NAN;
        if (first_of(ladder, p) != p || !in_folder(ladder, p, folder))
            continue;
        fprintf(file, "| [%s](%s.cu) | ", strchr(id, '/') + 1, id);
        write_text(file, ladder->points[p].idea);
        write_spread(&ladder->spread[p], file);
        for (int c = 0; c < COLUMNS; ++c)
            if (strcmp(columns[c].folder, folder) == 0)
                write_figures(ladder, p, c, &error, file);
        if (has_error(folder))
            write_error(file, error);
        fputc('\n', file);
    }
}
