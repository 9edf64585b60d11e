/* SPDX-License-Identifier: MIT */
#include "cli/charts/chart.h"

#include "src/base/memory.h"
#include "src/model/op.h"
#include "src/choose/family_look.h"

#include <limits.h>
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

/* More of either nobody could tell apart in a chart; the squares are as many
 * as both multiplied, and a stranger's run may have any number. */
enum { MOST = 500 };

/* Its place, or -1 where there are too many. */
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

/* How much a cell without a time tells: a family's points may differ. */
static int telling(enum status status)
{
    return status == STATUS_SKIP      ? 1
           : status == STATUS_UNTRIED ? 2
           : status == STATUS_SLOW    ? 3
                                      : 4;
}

static void enter(struct chart_square *square, const struct run_cell *own)
{
    const struct run_cell *cell = own;
    if (standing_timed(cell)) {
        if (!square->best || standing_order(cell, square->best) < 0)
            square->best = own;
    } else if (!square->there || telling(cell->status) > telling(square->sign))
        square->sign = cell->status;
    square->failed |= status_is_failed(cell->status);
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
                "scanbench: the charts of %s leave %zu cells out: they have "
                "room for %d shapes and %d families\n",
                op_name(op), left_out, MOST, MOST);
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
    const struct run_cell *best = chart_square(grid, shape, family)->best;
    return best ? best : NULL;
}

int chart_winner(const struct chart_grid *grid, int shape)
{
    for (int f = 0; f < grid->family_count; ++f) {
        const struct run_cell *best = chart_square(grid, shape, f)->best;
        if (best && best->rank == 1)
            return f;
    }
    return -1;
}

bool chart_doubtful(const struct run_cell *cell)
{
    return !standing_firm(cell) ||
           cell->marks &
               (MARK_NEAR_EMPTY | MARK_CACHE_ASSISTED | MARK_ABOVE_CEILING);
}

bool chart_is_tied(const struct chart_grid *grid, int shape, int family)
{
    const struct run_cell *best = chart_square(grid, shape, family)->best;
    return best && best->tied;
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

void chart_number(FILE *file, double value)
{
    fprintf(file, isfinite(value) ? "%.6g\t" : "NaN\t", value);
}

void chart_look(FILE *file, const char *family)
{
    const struct family_look look = family_look(family);
    fprintf(file, "%u\t%d\t", look.light, look.point);
}

char *chart_binary(double value, char text[32])
{
    static const char *const units[] = { "", "Ki", "Mi", "Gi", "Ti" };
    int unit = 0;
    while (unit < 4 && value >= 1024 && fmod(value, 1024) == 0) {
        value /= 1024;
        ++unit;
    }
    snprintf(text, 32, "%.12g%s", value, units[unit]);
    return text;
}

void chart_where(const struct chart_run *of, char *text, size_t bytes)
{
    const char *name = run_fact(of->run, "device_name");
    snprintf(text, bytes, "%s. %s cache.",
             *name ? name : run_fact(of->run, "device"),
             of->cache == CACHE_COLD ? "Cold" : "Hot");
}

const char *chart_best_note(const struct chart_grid *grid)
{
    for (int f = 0; grid->of->rules && f < grid->family_count; ++f)
        if (strcmp(grid->families[f], "best") == 0)
            return " best: what rules lead to.";
    return "";
}

int chart_power(double value)
{
    return value > 0 ? (int)floor(log2(value) + 0.5) : INT_MIN;
}
