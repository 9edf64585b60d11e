/* SPDX-License-Identifier: MIT
 *
 * How good `best` is over many shapes: of each operation the share of the
 * ceiling that it reaches, and the fastest variant, as cumulative
 * distributions.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/cli/chart.h"
#include "src/base/memory.h"
#include "src/judge/regrets.h"

/* Of fewer shapes a distribution says little. */
enum { LEAST_CELLS = 20 };

/* An operation's shares, in ascending order. */
struct curves {
    double *best, *fastest;
    size_t count;
};

static int ascending(const void *left, const void *right)
{
    const double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

static struct curves curves_make(const struct regret *regret, enum op op)
{
    struct curves curves = { memory_for(regret->count, sizeof(double)),
                             memory_for(regret->count, sizeof(double)), 0 };
    for (size_t k = 0; k < regret->count; ++k) {
        const struct regret_cell *cell = &regret->cells[k];
        if (cell->own.row->op != op || regret_refused(cell) ||
            !(cell->share_pct >= 0 && cell->winner_share_pct >= 0))
            continue;
        curves.best[curves.count] = cell->share_pct;
        curves.fastest[curves.count++] = cell->winner_share_pct;
    }
    qsort(curves.best, curves.count, sizeof *curves.best, ascending);
    qsort(curves.fastest, curves.count, sizeof *curves.fastest, ascending);
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
    chart_value(file, "title", "%s: how much of the ceiling, over all shapes",
                dtype_name(of->dtype));
    chart_value(file, "subtitle",
                "%s Solid: best; dashed: the fastest variant at each shape.",
                where);
    chart_value(file, "xlabel", "share of the measured ceiling, per cent");
    chart_value(file, "ylabel", "shapes that reach no more, per cent");
}

static void write_curves(const struct curves *curves, FILE *file)
{
    int colour = 0;
    for (int op = 0; op < OP_COUNT && colour < CHART_COLOURED; ++op) {
        if (curves[op].count < LEAST_CELLS)
            continue;
        ++colour;
        write_curve(file, curves[op].best, curves[op].count, colour, false);
        write_curve(file, curves[op].fastest, curves[op].count, colour, true);
    }
}

bool chart_distribution(const struct chart_run *of, FILE *file)
{
    const struct regret_scope scope = { .variant = "best",
                                        .dtypes = DTYPE_BIT(of->dtype),
                                        .caches = 1u << of->cache };
    struct regret regret = { 0 };
    struct curves curves[OP_COUNT];
    int colour = 0;
    regret_add(&regret, of->run, &scope);
    write_texts(of, file);
    chart_block(file);
    for (int op = 0; op < OP_COUNT; ++op) {
        curves[op] = curves_make(&regret, (enum op)op);
        if (curves[op].count >= LEAST_CELLS && colour < CHART_COLOURED)
            fprintf(file, "%d\t%s (%zu)\n", ++colour, op_name((enum op)op),
                    curves[op].count);
    }
    chart_block(file);
    write_curves(curves, file);
    for (int op = 0; op < OP_COUNT; ++op)
        curves_free(&curves[op]);
    regret_free(&regret);
    return colour > 0;
}
