/* SPDX-License-Identifier: MIT
 *
 * Every family of an operation at every shape: what its best tuning point
 * reaches of the ceiling. Neighbours of one colour are one box.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/chart.h"

#include "src/base/memory.h"

enum { STEP_PCT = 5 };

struct axis {
    int *place; /* what stands there, from 0 */
    int count;
};

/* Contiguous lines, then strided ones; by size, then by the axis. */
static int shape_order(struct shape left, struct shape right)
{
    const int strided = (left.inner > 1) - (right.inner > 1);
    const int power = chart_power((double)shape_elems(left) + 1) -
                      chart_power((double)shape_elems(right) + 1);
    if (strided || power)
        return strided ? strided : power;
    if (left.axis != right.axis)
        return left.axis < right.axis ? -1 : 1;
    return (left.inner > right.inner) - (left.inner < right.inner);
}

static struct axis columns_of(const struct chart_grid *grid)
{
    struct axis columns = { memory_for((size_t)grid->shape_count, sizeof(int)),
                            0 };
    for (int s = 0; s < grid->shape_count; ++s) {
        int at = columns.count++;
        for (; at > 0 && shape_order(grid->shapes[s],
                                     grid->shapes[columns.place[at - 1]]) < 0;
             --at)
            columns.place[at] = columns.place[at - 1];
        columns.place[at] = s;
    }
    return columns;
}

/* The mean share of the fastest family, where the family has a time; `best`
 * comes before all. */
static double worth(const struct chart_grid *grid, int family)
{
    double sum = 0;
    int count = 0;
    for (int s = 0; s < grid->shape_count; ++s) {
        const struct run_cell *cell = chart_cell(grid, s, family);
        const int winner = chart_winner(grid, s);
        if (!cell || winner < 0)
            continue;
        if (standing_calls_others(cell->row))
            return 2;
        sum += chart_cell(grid, s, winner)->us / cell->us;
        ++count;
    }
    return count ? sum / count : -1;
}

static struct axis rows_of(const struct chart_grid *grid)
{
    struct axis rows = { memory_for((size_t)grid->family_count, sizeof(int)),
                         0 };
    double *worths = memory_for((size_t)grid->family_count, sizeof *worths);
    for (int f = 0; f < grid->family_count; ++f) {
        worths[f] = worth(grid, f);
        if (worths[f] < 0)
            continue;
        int at = rows.count++;
        for (; at > 0 && worths[f] > worths[rows.place[at - 1]]; --at)
            rows.place[at] = rows.place[at - 1];
        rows.place[at] = f;
    }
    free(worths);
    return rows;
}

/* A square's colour: a share in whole steps; below 0: why there is none. */
enum { EMPTY = -3, TOO_SLOW, FAILED };

static int colour_of(const struct chart_square *square)
{
    if (square->best && square->best->cell.pct_ceiling > 0)
        return STEP_PCT *
               (int)(fmin(square->best->cell.pct_ceiling, 100) / STEP_PCT);
    if (!square->there || square->best || square->sign == STATUS_SKIP)
        return EMPTY;
    return status_is_failed(square->sign) ? FAILED : TOO_SLOW;
}

/* row, first and last column, colour */
static void write_boxes(const struct chart_grid *grid, struct axis columns,
                        struct axis rows, bool shares, FILE *file)
{
    fputs("NaN\tNaN\tNaN\tNaN\n", file);
    for (int r = 0; r < rows.count; ++r)
        for (int c = 0, last; c < columns.count; c = last + 1) {
            const int colour =
                colour_of(chart_square(grid, columns.place[c], rows.place[r]));
            for (last = c; last + 1 < columns.count &&
                           colour_of(chart_square(grid, columns.place[last + 1],
                                                  rows.place[r])) == colour;)
                ++last;
            if (colour != EMPTY && (colour >= 0) == shares)
                fprintf(file, "%d\t%d\t%d\t%d\n", r + 1, c + 1, last + 1,
                        colour);
        }
}

/* column, row, per cent or "=", 1 or 0: the fastest, and who is within noise of
 * it */
static void write_winners(const struct chart_grid *grid, struct axis columns,
                          struct axis rows, FILE *file)
{
    for (int c = 0; c < columns.count; ++c)
        for (int r = 0; r < rows.count; ++r) {
            const int shape = columns.place[c];
            const struct run_cell *cell =
                chart_cell(grid, shape, rows.place[r]);
            if (!cell || !(cell->pct_ceiling > 0))
                continue;
            if (rows.place[r] == chart_winner(grid, shape))
                fprintf(file, "%d\t%d\t%.0f%s\t1\n", c + 1, r + 1,
                        cell->pct_ceiling, standing_firm(cell) ? "" : "?");
            else if (chart_is_tied(grid, shape, rows.place[r]))
                fprintf(file, "%d\t%d\t=\t0\n", c + 1, r + 1);
        }
}

static void write_names(const struct chart_grid *grid, struct axis columns,
                        struct axis rows, FILE *file)
{
    char outer[32], axis[32], inner[32];
    for (int r = 0; r < rows.count; ++r) {
        fprintf(file, "%d\t", r + 1);
        chart_text(file, grid->families[rows.place[r]]);
        fputc('\n', file);
    }
    chart_block(file);
    for (int c = 0; c < columns.count; ++c) {
        const struct shape shape = grid->shapes[columns.place[c]];
        fprintf(file, "%d\t%s×%s", c + 1,
                chart_binary((double)shape.outer, outer),
                chart_binary((double)shape.axis, axis));
        fprintf(file, shape.inner > 1 ? "×%s\n" : "\n",
                chart_binary((double)shape.inner, inner));
    }
}

bool chart_heat(const struct chart_grid *grid, FILE *file)
{
    struct axis columns = columns_of(grid), rows = rows_of(grid);
    const bool enough = columns.count >= 4 && rows.count >= 2;
    char where[300];
    int contiguous = 0;
    for (int c = 0; c < columns.count; ++c)
        contiguous += grid->shapes[c].inner == 1;
    if (enough) {
        chart_where(grid->of, where, sizeof where);
        chart_value(file, "title", "%s, %s: every family at every shape",
                    op_name(grid->op), dtype_name(grid->of->dtype));
        chart_value(file, "subtitle",
                    "%s Share of the measured ceiling, of each family's best "
                    "tuning point.%s",
                    where, chart_best_note(grid));
        chart_value(file, "columns", "%d", columns.count);
        chart_value(file, "rows", "%d", rows.count);
        chart_value(file, "contiguous", "%d", contiguous);
        chart_block(file);
        write_names(grid, columns, rows, file);
        chart_block(file);
        write_boxes(grid, columns, rows, true, file);
        chart_block(file);
        write_boxes(grid, columns, rows, false, file);
        chart_block(file);
        write_winners(grid, columns, rows, file);
    }
    free(columns.place);
    free(rows.place);
    return enough;
}
