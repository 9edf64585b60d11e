/* SPDX-License-Identifier: MIT
 *
 * Every family of an operation at one shape, the fastest first: the largest of
 * the shapes that most families ran (at least four in five).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/charts/chart.h"

#include "src/base/memory.h"

static int ran_at(const struct chart_grid *grid, int shape)
{
    int count = 0;
    for (int f = 0; f < grid->family_count; ++f) {
        const struct run_cell *cell = chart_cell(grid, shape, f);
        count += cell && cell->pct_ceiling > 0;
    }
    return count;
}

static int pick_shape(const struct chart_grid *grid, bool strided)
{
    int most = 0, picked = -1;
    for (int s = 0; s < grid->shape_count; ++s)
        if ((grid->shapes[s].inner > 1) == strided && ran_at(grid, s) > most)
            most = ran_at(grid, s);
    for (int s = 0; most && s < grid->shape_count; ++s) {
        if ((grid->shapes[s].inner > 1) != strided ||
            ran_at(grid, s) < 0.8 * most)
            continue;
        const int64_t larger = picked < 0
                                   ? 1
                                   : shape_elems(grid->shapes[s]) -
                                         shape_elems(grid->shapes[picked]);
        if (larger > 0 || (!larger && ran_at(grid, s) > ran_at(grid, picked)))
            picked = s;
    }
    return picked;
}

/* Lists the families with a share there, the best first. */
static int rank(const struct chart_grid *grid, int shape, int *order)
{
    int count = 0;
    double *ranks = memory_for((size_t)grid->family_count, sizeof *ranks);
    for (int f = 0; f < grid->family_count; ++f) {
        const struct run_cell *best = chart_cell(grid, shape, f);
        if (!best || !best->rank || !(best->pct_ceiling > 0))
            continue;
        ranks[f] = (double)best->rank;
        order[count++] = f;
    }
    chart_sort(order, count, ranks);
    free(ranks);
    return count;
}

/* rank, per cent, the interval's ends, per cent that its passes allow, GB/s,
 * name, mark, 1 if firm */
static void write_bar(const struct chart_grid *grid, int shape, int family,
                      int place, FILE *file)
{
    const struct run_cell *cell = chart_cell(grid, shape, family);
    const double arm = standing_arm(cell), pct = cell->pct_ceiling;
    const bool firm = standing_firm(cell);
    fprintf(file, "%d\t", place);
    chart_number(file, pct);
    chart_number(file, isfinite(arm) ? pct * exp(-arm) : pct);
    chart_number(file, isfinite(arm) ? pct * exp(arm) : pct);
    chart_number(file, 100 / cell->row->passes);
    chart_number(file, cell->gbps);
    chart_text(file, cell->row->variant);
    fputc('\t', file);
    if (!firm)
        fputs(status_name(cell->status), file);
    else if (cell->marks & MARK_ABOVE_CEILING)
        fputs("above its ceiling", file);
    else if (place > 1 && cell->tied)
        fputs("tied with the fastest", file);
    fprintf(file, "\t%d\n", firm);
}

/* rank, per cent of `best`, at the family whose time is nearest to its own:
 * the one that it called, if that was measured. */
static void write_best(const struct chart_grid *grid, int shape,
                       const int *order, int bars, FILE *file)
{
    for (int f = 0; f < grid->family_count; ++f) {
        const struct run_cell *cell = chart_cell(grid, shape, f);
        int nearest = 0;
        if (!cell || !standing_calls_others(cell->row) ||
            !(cell->pct_ceiling > 0))
            continue;
        for (int k = 1; k < bars; ++k)
            if (fabs(log(chart_cell(grid, shape, order[k])->us / cell->us)) <
                fabs(log(chart_cell(grid, shape, order[nearest])->us /
                         cell->us)))
                nearest = k;
        fprintf(file, "%d\t", nearest + 1);
        chart_number(file, cell->pct_ceiling);
        fputs("\n", file);
        return;
    }
    fputs("NaN\tNaN\n", file);
}

/* rank, per cent and type of the same family in other types. */
static unsigned write_types(const struct chart_grid *grid, int shape,
                            const int *order, int bars, FILE *file)
{
    const struct chart_run *of = grid->of;
    unsigned types = 0;
    fputs("NaN\tNaN\tNaN\n", file);
    for (size_t k = 0; k < of->count; ++k) {
        const struct row *row = of->all[k].row;
        if (row->op != grid->op || row->cache != of->cache ||
            row->dtype == of->dtype || !of->all[k].rank ||
            !shape_equal(row->shape, grid->shapes[shape]) ||
            !(of->all[k].pct_ceiling > 0))
            continue;
        for (int b = 0; b < bars; ++b)
            if (strcmp(grid->families[order[b]], row->family) == 0) {
                fprintf(file, "%d\t", b + 1);
                chart_number(file, of->all[k].pct_ceiling);
                fprintf(file, "%d\n", (int)row->dtype);
                types |= 1u << row->dtype;
            }
    }
    return types;
}

/* Writes the families that have no time for one reason, of these statuses (bits
 * 1 << status), wrapped. Returns the number of lines. */
static int write_rest(const struct chart_grid *grid, int shape, const char *why,
                      unsigned statuses, FILE *file)
{
    enum { WIDTH = 100 };
    int chars = 0, lines = 0;
    for (int f = 0; f < grid->family_count; ++f) {
        const struct chart_square *square = chart_square(grid, shape, f);
        if (!square->there || square->best || !(statuses >> square->sign & 1))
            continue;
        if (!lines)
            chars = fprintf(file, "%s:", why), lines = 1;
        if (chars + (int)strlen(grid->families[f]) > WIDTH)
            chars = fprintf(file, "\n   "), ++lines;
        chars += fprintf(file, " ");
        chart_text(file, grid->families[f]);
        chars += (int)strlen(grid->families[f]);
    }
    if (lines)
        fputc('\n', file);
    return lines;
}

static void write_texts(const struct chart_grid *grid, int shape, int bars,
                        int notes, unsigned types, double most, FILE *file)
{
    char text[SHAPE_TEXT_BYTES];
    chart_value(file, "title", "%s, %s, %s: fraction of the measured ceiling",
                op_name(grid->op), dtype_name(grid->of->dtype),
                shape_format(grid->shapes[shape], text));
    chart_value(file, "subtitle",
                "%s Blue: fastest; green: CUB. Tick: limit by passes over "
                "memory.",
                chart_where(grid->of));
    chart_value(file, "bars", "%d", bars);
    chart_value(file, "notes", "%d", notes);
    chart_value(file, "most", "%.6g", most);
    for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype) {
        snprintf(text, sizeof text, "type%d", dtype);
        chart_value(file, text, "%s",
                    types & 1u << dtype ? dtype_name((enum dtype)dtype) : "");
    }
}

static int write_notes(const struct chart_grid *grid, int shape, FILE *file)
{
    const unsigned slow = 1u << STATUS_SLOW | 1u << STATUS_UNTRIED;
    const unsigned refused = 1u << STATUS_SKIP;
    const unsigned failed =
        1u << STATUS_WRONG | 1u << STATUS_ERROR | 1u << STATUS_TIMEOUT;
    return write_rest(grid, shape, "correct, but too slow to be timed", slow,
                      file) +
           write_rest(grid, shape, "failed", failed, file) +
           write_rest(grid, shape, "unsupported shape", refused, file);
}

bool chart_ladder(const struct chart_grid *grid, bool strided, FILE *file)
{
    const int shape = pick_shape(grid, strided);
    if (shape < 0)
        return false;
    int *order = memory_for((size_t)grid->family_count, sizeof *order);
    struct chart_part notes, others;
    const int bars = rank(grid, shape, order);
    const int lines = write_notes(grid, shape, chart_part(&notes));
    const unsigned types =
        write_types(grid, shape, order, bars, chart_part(&others));
    double most = 102;
    for (int b = 0; b < bars; ++b)
        most = fmax(most, chart_cell(grid, shape, order[b])->pct_ceiling);
    write_texts(grid, shape, bars, lines, types, most, file);
    chart_block(file);
    for (int b = 0; b < bars; ++b)
        write_bar(grid, shape, order[b], b + 1, file);
    chart_block(file);
    write_best(grid, shape, order, bars, file);
    chart_block(file);
    chart_part_end(&others, file);
    chart_block(file);
    chart_part_end(&notes, file);
    if (!lines)
        fputs(".\n", file);
    free(order);
    return bars > 0;
}
