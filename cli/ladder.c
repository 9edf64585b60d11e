/* SPDX-License-Identifier: MIT
 *
 * scanbench ladder: Markdown tables of the catalogue's files, from the simplest
 * kernel to the fastest, with their shares of the ceiling in published runs.
 */
#include "cli/common/commands.h"

#include <math.h>

#include "cli/common/runs.h"
#include "src/analyse/standing.h"
#include "src/base/exit.h"
#include "src/base/memory.h"
#include "src/base/stats.h"

/* ---------------------------------------------------------------- columns */

/* A column of a folder's table: its heading and its shape. */
struct column {
    const char *folder, *text;
    struct shape shape;
};

static const struct column columns[] = {
    { "scan", "32768 lines", { 32768, 32768, 1 } },
    { "scan", "odd lines", { 65536, 4097, 1 } },
    { "scan", "one line", { 1, 1073741824, 1 } },
    { "scan", "strided", { 1, 32768, 32768 } },
    { "reduce", "32768 lines", { 32768, 32768, 1 } },
    { "reduce", "one line", { 1, 1073741824, 1 } },
    { "reduce", "strided, even", { 1, 32768, 32768 } },
    { "reduce", "strided, odd", { 128, 4096, 4095 } },
    { "flip", "32768 lines", { 32768, 32768, 1 } },
    { "flip", "odd lines", { 65536, 4097, 1 } },
    { "flip", "one line", { 1, 1073741824, 1 } },
    { "flip", "strided", { 1, 32768, 32768 } },
    { "stream", "2^30 elements", { 1, 1073741824, 1 } },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* True if the folder's operations round. */
static bool has_error(const char *folder)
{
    return strcmp(folder, "scan") == 0 || strcmp(folder, "reduce") == 0;
}

/* ------------------------------------------------------------------- data */

/* A tuning point at a column's shape, in the newest run that has it. */
struct figure {
    bool known;
    enum status status;
    double pct, error;
};

/* A file's shares over the problems of random runs. */
struct spread {
    size_t problems, fastest; /* with the file; where it is first or tied */
    double *pct; /* of the problems that it serves; 0 if it was too slow */
    size_t count;
};

struct ladder {
    int count;                                  /* of variant_points */
    struct figure (*figure)[OPS_MOST][COLUMNS]; /* [point] */
    struct spread *spread;                      /* [its file's first point] */
};

/* Returns the first point of the same file. */
static int first_of(int point)
{
    while (point > 0 &&
           strcmp(variant_points[point - 1].id, variant_points[point].id) == 0)
        --point;
    return point;
}

static void see(struct ladder *ladder, const struct run_cell *cell)
{
    const struct row *row = cell->row;
    const int point = catalogue_find(variant_points, row->op, row->variant);
    if (point < 0 || row->cache != CACHE_COLD || row->dtype != DTYPE_F32)
        return;
    for (int c = 0; c < COLUMNS; ++c) {
        struct figure *figure = &ladder->figure[point][op_index(row->op)][c];
        if (figure->known || !shape_equal(columns[c].shape, row->shape) ||
            strcmp(columns[c].folder, catalogue_folder(row->op)) != 0)
            continue;
        *figure = (struct figure){ true, cell->status, NAN, cell->max_err };
        if (run_cell_timed(cell) && cell->pct_ceiling > 0)
            figure->pct = cell->pct_ceiling;
    }
}

/* ----------------------------------------------------------------- spread */

/* True for a random grid, as other shapes are chosen by hand. */
static bool is_random(const struct run_folder *run)
{
    const char *arguments = run_fact(run, "arguments");
    return strstr(arguments, "--grid random") && !strstr(arguments, "--shape");
}

/* A file at one problem. */
struct at_problem {
    bool met, serves, fastest;
    double pct;
};

/* `files` has room for every point, all 0 before and after. */
static void see_problem(struct ladder *ladder, const struct run_cell *cells,
                        size_t count, struct at_problem *files)
{
    for (size_t k = 0; k < count; ++k) {
        const struct run_cell *cell = &cells[k];
        const int point =
            catalogue_find(variant_points, cell->row->op, cell->row->variant);
        if (point < 0)
            continue;
        struct at_problem *of = &files[first_of(point)];
        of->met = true;
        of->serves |= cell->status != STATUS_SKIP;
        of->fastest |= cell->rank == 1 || cell->tied;
        if (run_cell_timed(cell) && cell->pct_ceiling > of->pct)
            of->pct = cell->pct_ceiling;
    }
    for (int p = 0; p < ladder->count; ++p) {
        struct spread *spread = &ladder->spread[p];
        spread->problems += files[p].met;
        spread->fastest += files[p].fastest;
        if (files[p].serves) {
            spread->pct =
                memory_more(spread->pct, spread->count, sizeof *spread->pct);
            spread->pct[spread->count++] = files[p].pct;
        }
        files[p] = (struct at_problem){ .met = false };
    }
}

/* ------------------------------------------------------------------- runs */

/* Reads the runs; the newest that has a point and shape counts. */
static struct ladder ladder_of(const struct published *set)
{
    struct ladder ladder = { 0 };
    while (variant_points[ladder.count].name)
        ++ladder.count;
    ladder.figure = memory_for((size_t)ladder.count, sizeof *ladder.figure);
    ladder.spread = memory_for((size_t)ladder.count, sizeof *ladder.spread);
    struct at_problem *files = memory_for((size_t)ladder.count, sizeof *files);
    for (size_t k = 0; k < set->count; ++k) {
        size_t count;
        struct run_cell *all =
            standing_make(&set->run[k], variant_points, &count);
        for (size_t c = 0; c < count; ++c)
            see(&ladder, &all[c]);
        for (size_t c = 0, size; is_random(&set->run[k]) && c < count;
             c += size) {
            size = standing_group(&all[c], count - c);
            if (all[c].row->cache == CACHE_COLD)
                see_problem(&ladder, &all[c], size, files);
        }
        free(all);
    }
    free(files);
    for (int p = 0; p < ladder.count; ++p)
        if (ladder.spread[p].count)
            qsort(ladder.spread[p].pct, ladder.spread[p].count, sizeof(double),
                  stats_ascending);
    return ladder;
}

/* ------------------------------------------------------------------ print */

/* The file's best figure, or NULL; *status: slow or untried if a point was. */
static const struct figure *best_figure(const struct ladder *ladder, int first,
                                        int op, int column, enum status *status)
{
    const struct figure *best = NULL;
    for (int p = first; p < ladder->count && first_of(p) == first; ++p) {
        const struct figure *figure = &ladder->figure[p][op][column];
        if (!figure->known)
            continue;
        if (figure->pct > 0 && (!best || figure->pct > best->pct))
            best = figure;
        if (figure->status == STATUS_SLOW ||
            (figure->status == STATUS_UNTRIED && *status != STATUS_SLOW))
            *status = figure->status;
    }
    return best;
}

/* Prints "91", or "91–94" if they differ. */
static void print_range(double low, double high)
{
    if (round(low) < round(high))
        printf(" | %.0f–%.0f", low, high);
    else
        printf(" | %.0f", low);
}

/* Prints the range over the folder's operations; *error becomes the largest. */
static void print_figures(const struct ladder *ladder, int first, int column,
                          double *error)
{
    double low = INFINITY, high = 0;
    enum status status = STATUS_SKIP;
    for (int op = 0; op < op_count(); ++op) {
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
              stdout);
    else
        print_range(low, high);
}

/* Prints where the file is fastest, per cent, and its percentiles 10 and 50. */
static void print_spread(const struct spread *spread)
{
    if (!spread->problems) {
        fputs(" | – | –", stdout);
        return;
    }
    printf(" | %.0f", 100 * (double)spread->fastest / (double)spread->problems);
    if (spread->count)
        print_range(spread->pct[(spread->count - 1) / 10],
                    spread->pct[(spread->count - 1) / 2]);
    else
        fputs(" | –", stdout);
}

static void print_heading(const char *folder)
{
    int count = 2;
    fputs("| file | idea | fastest | spread", stdout);
    for (int c = 0; c < COLUMNS; ++c)
        if (strcmp(columns[c].folder, folder) == 0) {
            printf(" | %s", columns[c].text);
            ++count;
        }
    fputs(has_error(folder) ? " | error\n| --- | ---" : "\n| --- | ---",
          stdout);
    for (int c = 0; c < count + has_error(folder); ++c)
        fputs(" | --:", stdout);
    fputc('\n', stdout);
}

/* Prints a row per file of the folder: its shares of the ceiling in a cold
 * cache, over random shapes and, in f32, at the headline shapes. */
static void print_table(const struct ladder *ladder, const char *folder)
{
    print_heading(folder);
    for (int p = 0; p < ladder->count; ++p) {
        const char *id = variant_points[p].id;
        double error = NAN;
        if (first_of(p) != p || strncmp(id, folder, strlen(folder)) != 0 ||
            id[strlen(folder)] != '/')
            continue;
        printf("| [%s](%s) | ", strchr(id, '/') + 1, variant_points[p].file);
        for (const char *c = variant_points[p].idea; *c; ++c)
            printf(*c == '|' ? "\\|" : "%c", *c);
        print_spread(&ladder->spread[p]);
        for (int c = 0; c < COLUMNS; ++c)
            if (strcmp(columns[c].folder, folder) == 0)
                print_figures(ladder, p, c, &error);
        if (has_error(folder))
            printf(isnan(error)  ? " | –"
                   : error < 100 ? " | %.3g"
                                 : " | %.0f",
                   error);
        fputc('\n', stdout);
    }
}

/* ------------------------------------------------------------ the command */

int ladder_command(int argc, char **argv)
{
    static const char *const folders[] = { "stream", "scan", "reduce", "flip" };
    struct page_options options;
    struct published set;
    int status;
    if (page_begin(COMMAND_LADDER, argc, argv, &options, &set, &status)) {
        struct ladder ladder = ladder_of(&set);
        for (int f = 0; f < 4; ++f) {
            printf("%s%s\n\n", f ? "\n" : "", folders[f]);
            print_table(&ladder, folders[f]);
        }
        for (int p = 0; p < ladder.count; ++p)
            free(ladder.spread[p].pct);
        free(ladder.spread);
        free(ladder.figure);
        status = EXIT_OK;
    }
    published_free(&set);
    return status;
}
