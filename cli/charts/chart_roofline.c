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

/* Points: operation, intensity, rate, passes, and a dot; at the best a label.
 * Returns the operation's twin as a set, empty if there are none. */
static uint64_t write_op(const struct chart_grid *grid, int number, FILE *file)
{
    static const char line[] = "%d\t%.6g\t%.6g\t%.3g\t%s";
    const int64_t largest = largest_of(grid);
    const struct run_cell *top = NULL;
    for (int f = 0; f < grid->family_count; ++f) {
        const struct run_cell *cell = best_of(grid, f, largest);
        if (!cell || !(rate(cell) > 0))
            continue;
        fprintf(file, line, number, intensity(cell), rate(cell),
                cell->row->passes, ".\n");
        if (!top || cell->pct_ceiling > top->pct_ceiling)
            top = cell;
    }
    if (!top)
        return 0;
    fprintf(file, line, number, intensity(top), rate(top), top->row->passes,
            op_name(grid->op));
    fprintf(file, " %.1f %%\n", top->pct_ceiling);
    return op_bit(op_twin(grid->op, grid->of->dtype));
}

/* Bytes per second, style of line, name. */
static void write_slope(FILE *file, int style, const char *name, double gbps)
{
    if (gbps > 0)
        fprintf(file, "%.6g\t%d\t%s: %.0f GB/s\n", 1e9 * gbps, style, name,
                gbps);
}

static double ceiling_of(const struct chart_run *of, enum op op,
                         enum cache cache)
{
    const struct ceiling *ceiling =
        ceilings_best(&of->run->ceilings, op, of->dtype, cache);
    return ceiling ? ceiling->gbps : 0;
}

bool chart_roofline(const struct chart_run *of, FILE *file)
{
    /* Half types are added in f32. */
    const enum dtype adder = of->dtype == DTYPE_F64 ? DTYPE_F64 : DTYPE_F32;
    struct chart_part points;
    uint64_t twins = 0;
    chart_part(&points);
    for (int op = 0; op < op_count(); ++op) {
        struct chart_grid grid = chart_grid_make(of, op_at(op));
        twins |=
            op_is_twin(op_at(op)) ? 0 : write_op(&grid, op + 1, points.file);
        chart_grid_free(&grid);
    }
    chart_value(file, "title", "Roofline, %s: memory sets the limit",
                dtype_name(of->dtype));
    chart_value(file, "subtitle",
                "%s Solid: measured. Point: a family's best at the largest "
                "tensors.",
                chart_where(of));
    chart_value(file, "roof", "%.0f", /* gnuplot cannot read 1e+12 */
                1e9 * ceilings_roof(&of->run->ceilings, adder, of->cache));
    chart_block(file);
    for (int op = 0; op < op_count(); ++op)
        if (twins >> op & 1)
            write_slope(file, 1, op_name(op_at(op)),
                        ceiling_of(of, op_at(op), of->cache));
    write_slope(file, 2, "memory bus (data sheet)",
                run_fact_number(of->run, "attribute_peak_gbps"));
    if (of->cache == CACHE_COLD)
        write_slope(file, 3, "copy within the cache",
                    ceiling_of(of, OP_COPY, CACHE_HOT));
    chart_block(file);
    chart_part_end(&points, file);
    return twins != 0;
}
