/* SPDX-License-Identifier: MIT
 *
 * How good `best`, or what rules lead to, is over many shapes: of each
 * operation and type the share of the ceiling that it reaches, and the fastest
 * variant, as cumulative distributions.
 */
#include <math.h>
#include <stdlib.h>

#include "cli/charts/chart.h"
#include "src/base/memory.h"
#include "src/base/stats.h"
#include "src/analyse/regrets.h"

/* Of fewer shapes a distribution says little. */
enum { LEAST_CELLS = 20 };

/* An operation's shares, in ascending order. */
struct curves {
    double *best, *fastest;
    size_t count;
};

static struct curves curves_make(const struct regret *regret, enum op op,
                                 enum dtype dtype)
{
    struct curves curves = { memory_for(regret->count, sizeof(double)),
                             memory_for(regret->count, sizeof(double)), 0 };
    for (size_t k = 0; k < regret->count; ++k) {
        const struct regret_cell *cell = &regret->cells[k];
        if (cell->own.row->op != op || cell->own.row->dtype != dtype ||
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

static void curves_free(struct curves *curves)
{
    free(curves->best);
    free(curves->fastest);
}

/* Share, per cent of the shapes up to it, colour, whether of the fastest: one
 * step a shape. */
static void write_curve(FILE *file, const double *shares, size_t count,
                        int colour, bool fastest)
{
    for (size_t k = 0; k <= count; ++k) { /* the first step begins at 0 */
        chart_number(file, shares[k ? k - 1 : 0]);
        chart_number(file, 100 * (double)k / (double)count);
        fprintf(file, "%d\t%d\n", colour, fastest);
    }
}

static void write_texts(const struct chart_run *of, FILE *file)
{
    char where[300];
    chart_where(of, where, sizeof where);
    chart_value(file, "title", "How much of the ceiling, over all shapes");
    chart_value(file, "subtitle",
                "%s Solid: %s; dashed: the fastest variant at each shape. In "
                "brackets: shapes.",
                where, of->rules ? "what rules lead to" : "best");
    chart_value(file, "xlabel", "share of the measured ceiling, per cent");
    chart_value(file, "ylabel", "shapes that reach no more, per cent");
}

/* The names of those that are drawn, and the curves; how many there are. */
static int write_curves(const struct regret *regret, FILE *names, FILE *file)
{
    int colour = 0;
    for (int op = 0; op < OP_COUNT; ++op)
        for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype) {
            struct curves curves =
                curves_make(regret, (enum op)op, (enum dtype)dtype);
            if (curves.count >= LEAST_CELLS && colour < CHART_COLOURED) {
                ++colour;
                fprintf(names, "%d\t%s %s (%zu)\n", colour,
                        op_name((enum op)op), dtype_name((enum dtype)dtype),
                        curves.count);
                write_curve(file, curves.best, curves.count, colour, false);
                write_curve(file, curves.fastest, curves.count, colour, true);
            }
            curves_free(&curves);
        }
    return colour;
}

bool chart_distribution(const struct chart_run *of, FILE *file)
{
    const struct regret_scope scope = { .variant = "best",
                                        .rules = of->rules,
                                        .caches = 1u << of->cache };
    struct regret regret = { 0 };
    char *name_text, *curve_text;
    size_t bytes;
    FILE *names = memory_open(&name_text, &bytes);
    FILE *curves = memory_open(&curve_text, &bytes);
    regret_add(&regret, of->run);
    regret_judge(&regret, &scope);
    const int count = write_curves(&regret, names, curves);
    memory_close(names, &name_text);
    memory_close(curves, &curve_text);
    write_texts(of, file);
    fprintf(file, "\n\n%s\n\n%s", name_text, curve_text);
    free(name_text);
    free(curve_text);
    regret_free(&regret);
    return count > 0;
}
