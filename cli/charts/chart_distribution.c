/* SPDX-License-Identifier: MIT
 *
 * Quality of `best` over many shapes: cumulative distributions of its share of
 * the ceiling, and of the fastest variant's, for each operation and type.
 */
#include <stdlib.h>

#include "cli/charts/chart.h"
#include "src/base/memory.h"
#include "src/base/stats.h"
#include "src/analyse/regrets.h"

/* A distribution of fewer shapes means little. */
enum { LEAST_CELLS = 20 };

/* An operation's shares, in ascending order. */
struct curves {
    double *best, *fastest;
    size_t count;
};

static struct curves curves_make(const struct regret *regret, enum op op,
                                 enum dtype dtype, enum cache cache)
{
    struct curves curves = { memory_for(regret->count, sizeof(double)),
                             memory_for(regret->count, sizeof(double)), 0 };
    for (size_t k = 0; k < regret->count; ++k) {
        const struct regret_cell *cell = &regret->cells[k];
        const struct row *row = cell->own.row;
        if (row->op != op || row->dtype != dtype || row->cache != cache ||
            regret_refused(cell) ||
            !(cell->share_pct >= 0 && cell->winner_share_pct >= 0))
            continue;
        curves.best[curves.count] = cell->share_pct;
        curves.fastest[curves.count++] = cell->winner_share_pct;
    }
    qsort(curves.best, curves.count, sizeof *curves.best, stats_ascending);
    qsort(curves.fastest, curves.count, sizeof *curves.fastest,
          stats_ascending);
    return curves;
}

/* Share, per cent of the shapes beyond it, colour, 1 for the fastest: one step
 * per shape. */
static void write_curve(FILE *file, const double *shares, size_t count,
                        int colour, bool fastest)
{
    for (size_t k = 0; k <= count; ++k) { /* the first step begins at 100 */
        chart_number(file, shares[k ? k - 1 : 0]);
        chart_number(file, 100 * (double)(count - k) / (double)count);
        fprintf(file, "%d\t%d\n", colour, fastest);
    }
}

static void write_texts(const struct chart_run *of, FILE *file)
{
    chart_value(file, "title", "Share of the ceiling, over all shapes");
    chart_value(file, "subtitle",
                "%s Solid: best, which the rules choose; dashed: the fastest "
                "kernel at each shape.",
                chart_where(of));
    chart_value(file, "xlabel", "share of the measured ceiling, %%");
    chart_value(file, "ylabel", "shapes at or above this share, %%");
}

/* Returns the number of curves that were drawn. */
static int write_curves(const struct regret *regret, enum cache cache,
                        FILE *names, FILE *file)
{
    int colour = 0;
    for (int op = 0; op < op_count(); ++op)
        for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype) {
            struct curves curves =
                curves_make(regret, op_at(op), (enum dtype)dtype, cache);
            if (curves.count >= LEAST_CELLS && colour < CHART_COLOURED) {
                ++colour;
                fprintf(names, "%d\t%s %s (%zu)\n", colour, op_name(op_at(op)),
                        dtype_name((enum dtype)dtype), curves.count);
                write_curve(file, curves.best, curves.count, colour, false);
                write_curve(file, curves.fastest, curves.count, colour, true);
            }
            free(curves.best);
            free(curves.fastest);
        }
    return colour;
}

bool chart_distribution(const struct chart_run *of, FILE *file)
{
    const struct regret_scope scope = { .variant = "best" };
    struct regret regret = { 0 };
    struct chart_part names, curves;
    regret_add(&regret, of->run);
    regret_judge(&regret, &scope);
    const int count = write_curves(&regret, of->cache, chart_part(&names),
                                   chart_part(&curves));
    write_texts(of, file);
    chart_block(file);
    chart_part_end(&names, file);
    chart_block(file);
    chart_part_end(&curves, file);
    regret_free(&regret);
    return count > 0;
}
