/* SPDX-License-Identifier: MIT */
#include "cli/charts/chart.h"

#include "src/base/memory.h"
#include "src/model/op.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- grid */

static bool mine(const struct chart_grid *grid, const struct row *row)
{
    return row->op == grid->op && row->dtype == grid->of->dtype &&
           row->cache == grid->of->cache;
}

/* More shapes or families could not be told apart in a chart, and the memory
 * for their product must be bounded. */
enum { MOST = 500 };

/* Returns the shape's place, or -1 if there are too many. */
static int shape_at(struct chart_grid *grid, struct shape shape)
{
    for (int s = 0; s < grid->shape_count; ++s)
        if (shape_equal(grid->shapes[s], shape))
            return s;
    if (grid->shape_count == MOST)
        return -1;
    grid->shapes[grid->shape_count] = shape;
    return grid->shape_count++;
}

static int family_at(struct chart_grid *grid, const char *family)
{
    for (int f = 0; f < grid->family_count; ++f)
        if (strcmp(grid->families[f], family) == 0)
            return f;
    if (grid->family_count == MOST)
        return -1;
    grid->families[grid->family_count] = family;
    return grid->family_count++;
}

struct chart_square *chart_square(const struct chart_grid *grid, int shape,
                                  int family)
{
    return &grid->squares[shape * grid->family_count + family];
}

/* Order in which the status of one point stands for the family's. */
static int weight(enum status status)
{
    return status == STATUS_SKIP      ? 1
           : status == STATUS_UNTRIED ? 2
           : status == STATUS_SLOW    ? 3
                                      : 4;
}

static void enter(struct chart_square *square, const struct run_cell *cell)
{
    if (standing_timed(cell)) {
        if (!square->best || standing_order(cell, square->best) < 0)
            square->best = cell;
    } else if (!square->there || weight(cell->status) > weight(square->sign))
        square->sign = cell->status;
    square->there = true;
}

struct chart_grid chart_grid_make(const struct chart_run *of, enum op op)
{
    struct chart_grid grid = { .of = of, .op = op };
    size_t left_out = 0;
    grid.shapes = memory_for(MOST, sizeof *grid.shapes);
    grid.families = memory_for(MOST, sizeof *grid.families);
    for (size_t k = 0; k < of->count; ++k)
        if (mine(&grid, of->all[k].row)) {
            const int shape = shape_at(&grid, of->all[k].row->shape);
            const int family = family_at(&grid, of->all[k].row->family);
            left_out += shape < 0 || family < 0;
        }
    if (left_out)
        fprintf(stderr,
                "scanbench: the charts of %s leave %zu cells out, as they have "
                "room for %d shapes and families\n",
                op_name(op), left_out, MOST);
    grid.squares =
        memory_for((size_t)grid.shape_count * (size_t)grid.family_count,
                   sizeof *grid.squares);
    for (size_t k = 0; k < of->count; ++k) {
        const struct row *row = of->all[k].row;
        if (!mine(&grid, row))
            continue;
        const int shape = shape_at(&grid, row->shape);
        const int family = family_at(&grid, row->family);
        if (shape >= 0 && family >= 0)
            enter(chart_square(&grid, shape, family), &of->all[k]);
    }
    return grid;
}

void chart_grid_free(struct chart_grid *grid)
{
    free(grid->shapes);
    free(grid->families);
    free(grid->squares);
    *grid = (struct chart_grid){ 0 };
}

const struct run_cell *chart_cell(const struct chart_grid *grid, int shape,
                                  int family)
{
    return chart_square(grid, shape, family)->best;
}

void chart_sort(int *items, int count, const double *keys)
{
    for (int k = 1; k < count; ++k) {
        const int item = items[k];
        int at = k;
        for (; at > 0 && keys[item] < keys[items[at - 1]]; --at)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* ---------------------------------------------------------------- writing */

void chart_text(FILE *file, const char *text)
{
    for (char before = '\0'; *text; before = *text++) {
        if (before == ']' && *text == '>') /* gnuplot leaves it to XML */
            fputc(' ', file);
        fputc((unsigned char)*text < ' ' || *text == 127 ? ' '
              : *text == '"' || *text == '\\'            ? '\''
                                                         : *text,
              file);
    }
}

void chart_value(FILE *file, const char *name, const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fprintf(file, "%s\t", name);
    chart_text(file, text);
    fputc('\n', file);
}

void chart_block(FILE *file)
{
    fputs("\n\n", file);
}

FILE *chart_part(struct chart_part *part)
{
    return part->file = memory_open(&part->text, &part->bytes);
}

void chart_part_end(struct chart_part *part, FILE *file)
{
    memory_close(part->file, &part->text);
    fputs(part->text, file);
    free(part->text);
}

void chart_number(FILE *file, double value)
{
    fprintf(file, isfinite(value) ? "%.6g\t" : "NaN\t", value);
}

const char *chart_where(const struct chart_run *of)
{
    static char text[300];
    const char *name = run_fact(of->run, "device_name");
    snprintf(text, sizeof text, "%s. %s cache.",
             *name ? name : run_fact(of->run, "device"),
             of->cache == CACHE_COLD ? "Cold" : "Hot");
    return text;
}
