/* SPDX-License-Identifier: MIT
 *
 * Additions per second against additions per byte that the kernel moves by
 * design: several passes are further left. A point is a family's best row among
 * the operation's largest tensors (at least half as many elements as the
 * largest).
 */
#include <math.h>

#include "cli/charts/chart.h"

/* Elements of the largest shape with a ranked time. */
static int64_t largest_of(const struct chart_grid *grid)
{
    int64_t largest = 0;
    for (int s = 0; s < grid->shape_count; ++s)
        for (int f = 0; f < grid->family_count; ++f) {
            const struct run_cell *cell = chart_cell(grid, s, f);
            const int64_t elems = shape_elems(grid->shapes[s]);
            if (cell && cell->rank == 1 && elems > largest)
                largest = elems;
        }
    return largest;
}

/* The family's best cell among the large shapes, by its share. */
static const struct run_cell *best_of(const struct chart_grid *grid, int family,
                                      int64_t largest)
{
    const struct run_cell *best = NULL;
    for (int s = 0; s < grid->shape_count; ++s) {
        const struct run_cell *cell = chart_cell(grid, s, family);
        if (!cell || !(cell->pct_ceiling > 0) ||
            standing_calls_others(cell->row) ||
            2 * shape_elems(grid->shapes[s]) < largest)
            continue;
        const int firm = best ? standing_firm(cell) - standing_firm(best) : 1;
        if (firm > 0 || (firm == 0 && cell->pct_ceiling > best->pct_ceiling))
            best = cell;
    }
    return best;
}

/* Additions per byte moved. */
static double intensity(const struct run_cell *cell)
{
    const struct row *row = cell->row;
    return (double)op_flops(row->op, row->shape) /
           ((double)op_bytes(row->op, row->dtype, row->shape) *
            fmax(row->passes, 1));
}

/* Additions per second. */
static double rate(const struct run_cell *cell)
{
    const struct row *row = cell->row;
    return (double)op_flops(row->op, row->shape) / (cell->us * 1e-6);
}

/* Points: operation, intensity, rate. Returns false if there are none. */
static bool write_op(const struct chart_grid *grid, int number, FILE *points,
                     FILE *names)
{
    const int64_t largest = largest_of(grid);
    const struct run_cell *top = NULL;
    for (int f = 0; f < grid->family_count; ++f) {
        const struct run_cell *cell = best_of(grid, f, largest);
        if (!cell || !(rate(cell) > 0))
            continue;
        fprintf(points, "%d\t%.6g\t%.6g\n", number, intensity(cell),
                rate(cell));
        if (!top || cell->pct_ceiling > top->pct_ceiling)
            top = cell;
    }
    if (top) {
        fprintf(names, "%d\t%.6g\t%.6g\t%s: ", number, intensity(top),
                rate(top), op_name(grid->op));
        chart_text(names, top->row->variant);
        fprintf(names, " %.1f %%\n", top->pct_ceiling);
    }
    return top;
}

static int write_slopes(const struct chart_run *of, FILE *file)
{
    int count = 0;
    for (int op = 0; op < op_count(); ++op) {
        const struct ceiling *ceiling =
            ceilings_best(&of->run->ceilings, op_at(op), of->dtype, of->cache);
        if (ceiling)
            fprintf(file, "%d\t%.6g\t%s %.4g GB/s\n", ++count,
                    1e9 * ceiling->gbps, op_name(op_at(op)), ceiling->gbps);
    }
    return count;
}

static void write_texts(const struct chart_run *of, int slopes, int ops,
                        FILE *file)
{
    /* Half types are added in f32. */
    const enum dtype adder = of->dtype == DTYPE_F64 ? DTYPE_F64 : DTYPE_F32;
    chart_value(file, "title", "Roofline, %s: measured slopes, measured roof",
                dtype_name(of->dtype));
    chart_value(file, "subtitle",
                "%s Point: a family's best at the largest tensors. Key: the "
                "best of each operation.",
                chart_where(of));
    chart_value(file, "roof", "%.0f", /* gnuplot cannot read 1e+12 */
                1e9 * ceilings_roof(&of->run->ceilings, adder, of->cache));
    chart_value(file, "slopes", "%d", slopes);
    chart_value(file, "ops", "%d", ops);
    chart_block(file);
}

bool chart_roofline(const struct chart_run *of, FILE *file)
{
    struct chart_part slopes, points, names;
    int ops = 0;
    const int slope_count = write_slopes(of, chart_part(&slopes));
    chart_part(&points);
    chart_part(&names);
    for (int op = 0; op < op_count(); ++op) {
        struct chart_grid grid = chart_grid_make(of, op_at(op));
        if (!op_is_twin(op_at(op)))
            ops += write_op(&grid, ops + 1, points.file, names.file);
        chart_grid_free(&grid);
    }
    write_texts(of, slope_count, ops, file);
    chart_part_end(&slopes, file);
    chart_block(file);
    chart_part_end(&points, file);
    chart_block(file);
    chart_part_end(&names, file);
    return ops && slope_count;
}
