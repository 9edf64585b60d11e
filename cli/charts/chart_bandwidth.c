/* SPDX-License-Identifier: MIT
 *
 * A curve per family with its best tuning point at each place. By length: GB/s
 * of compulsory bytes on contiguous lines, at the power of two of elements with
 * the most lengths. By size: per cent of the ceiling, which itself falls with
 * the size, at the squarest contiguous shape for each power of two of elements.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/charts/chart.h"

#include "src/base/memory.h"
#include "src/choose/catalogue.h"

struct plot {
    const struct chart_grid *grid;
    bool by_length;
    int power;           /* by length: elements are about 2^power */
    int *shape, places;  /* the shapes from left to right */
    int *family, curves; /* the families, those with a colour first */
};

static const struct run_cell *cell_at(const struct plot *plot, int place,
                                      int curve)
{
    return chart_cell(plot->grid, plot->shape[place], plot->family[curve]);
}

static double y_of(const struct plot *plot, const struct run_cell *cell)
{
    return plot->by_length ? cell->gbps : cell->pct_ceiling;
}

/* ----------------------------------------------------------------- places */

static bool usable(const struct chart_grid *grid, int shape)
{
    bool timed = false;
    for (int f = 0; f < grid->family_count; ++f)
        timed |= chart_cell(grid, shape, f) != NULL;
    return grid->shapes[shape].inner == 1 && timed;
}

/* The nearest power of two, or -1 for no elements. */
static int power_of(const struct chart_grid *grid, int shape)
{
    const double elems = (double)shape_elems(grid->shapes[shape]);
    return elems > 0 ? (int)floor(log2(elems) + 0.5) : -1;
}

/* The power with the most lengths; the larger of two. */
static int common_power(const struct chart_grid *grid)
{
    int counts[64] = { 0 }, best = 0;
    for (int s = 0; s < grid->shape_count; ++s)
        if (usable(grid, s) && power_of(grid, s) >= 0)
            ++counts[power_of(grid, s)];
    for (int power = 0; power < 64; ++power)
        if (counts[power] >= counts[best])
            best = power;
    return best;
}

/* Powers of two between the extents. */
static double skew(struct shape shape)
{
    return fabs(log2((double)shape.outer / (double)shape.axis));
}

/* True for the squares if there are enough, or else for the shapes nearest to
 * one. */
static bool squarest(const struct chart_grid *grid, int shape)
{
    int squares = 0;
    const double own = skew(grid->shapes[shape]);
    for (int s = 0; s < grid->shape_count; ++s) {
        const double other = skew(grid->shapes[s]);
        if (!usable(grid, s))
            continue;
        squares += other <= 1;
        if (power_of(grid, s) == power_of(grid, shape) &&
            (other < own || (other == own && s < shape)))
            return false;
    }
    return squares < 3 || own <= 1;
}

static double x_of(const struct plot *plot, int shape)
{
    const struct chart_grid *grid = plot->grid;
    return plot->by_length ? (double)grid->shapes[shape].axis
                           : (double)op_bytes(grid->op, grid->of->dtype,
                                              grid->shapes[shape]);
}

static void find_places(struct plot *plot)
{
    const struct chart_grid *grid = plot->grid;
    double *x = memory_for((size_t)grid->shape_count, sizeof *x);
    for (int s = 0; s < grid->shape_count; ++s) {
        x[s] = x_of(plot, s);
        if (usable(grid, s) &&
            (plot->by_length ? power_of(grid, s) == plot->power
                             : squarest(grid, s)))
            plot->shape[plot->places++] = s;
    }
    chart_sort(plot->shape, plot->places, x);
    free(x);
}

static bool is_power(int64_t extent)
{
    return extent > 0 && (extent & (extent - 1)) == 0;
}

/* True for an odd length near a power of two that is drawn (4095, 4097): a
 * circle off the curve. */
static bool is_odd(const struct plot *plot, int place)
{
    const struct shape *shapes = plot->grid->shapes;
    const int64_t own = shapes[plot->shape[place]].axis;
    for (int j = 0; plot->by_length && j < plot->places; ++j) {
        const int64_t other = shapes[plot->shape[j]].axis;
        if (is_power(other) && !is_power(own) &&
            fabs((double)own / (double)other - 1) < 0.05)
            return true;
    }
    return false;
}

/* --------------------------------------------------------------- families */

static double top_at(const struct chart_grid *grid, int shape)
{
    double top = 0;
    for (int f = 0; f < grid->family_count; ++f) {
        const struct run_cell *cell = chart_cell(grid, shape, f);
        if (cell && !standing_calls_others(cell->row))
            top = fmax(top, cell->gbps);
    }
    return top;
}

/* Families that win anywhere come first, then those near the top at most
 * places. `best` calls others and is left out. CUB, which everybody knows, gets
 * the last colour at least. */
static void find_curves(struct plot *plot)
{
    enum { LAST = CHART_COLOURED - 1 };
    const struct chart_grid *grid = plot->grid;
    double *key = memory_for((size_t)grid->family_count, sizeof *key);
    for (int f = 0; f < grid->family_count; ++f) {
        for (int k = 0; k < plot->places; ++k) {
            const struct run_cell *cell = chart_cell(grid, plot->shape[k], f);
            if (!cell || standing_calls_others(cell->row) || is_odd(plot, k))
                continue;
            const double share = cell->gbps / top_at(grid, plot->shape[k]);
            key[f] -= pow(share, 6) + 1e-9;
            key[f] -= share == 1 ? plot->places : 0;
        }
        if (key[f] < 0)
            plot->family[plot->curves++] = f;
    }
    chart_sort(plot->family, plot->curves, key);
    free(key);
    for (int k = CHART_COLOURED; k < plot->curves; ++k) {
        const int cub = plot->family[k];
        if (strncmp(grid->families[cub], "cub_", 4) != 0)
            continue;
        memmove(&plot->family[LAST + 1], &plot->family[LAST],
                (size_t)(k - LAST) * sizeof cub);
        plot->family[LAST] = cub;
        break;
    }
}

/* ---------------------------------------------------------------- writing */

/* The tuning point if it is the same at all places, or else the family and the
 * number of its points. */
static void write_name(const struct plot *plot, int curve, FILE *file)
{
    const char *point = NULL;
    int points = 0;
    for (int k = 0; k < plot->places; ++k) {
        const struct run_cell *cell = cell_at(plot, k, curve);
        bool met = !cell;
        for (int j = 0; j < k && !met; ++j) {
            const struct run_cell *other = cell_at(plot, j, curve);
            met = other && strcmp(other->row->variant, cell->row->variant) == 0;
        }
        points += !met;
        point = cell ? cell->row->variant : point;
    }
    chart_text(file,
               points == 1 ? point : plot->grid->families[plot->family[curve]]);
    if (points > 1)
        fprintf(file, " (%d points)", points);
    fputc('\n', file);
}

static int colour_of(int curve)
{
    return curve < CHART_COLOURED ? curve + 1 : CHART_COLOURED + 1;
}

/* x, y, colour, the interval's ends; NaN breaks a curve where a place is
 * missing. */
static void write_curves(const struct plot *plot, FILE *file)
{
    static const char gap[] = "NaN\tNaN\t1\tNaN\tNaN\n";
    for (int r = plot->curves - 1; r >= 0; --r) {
        for (int k = 0; k < plot->places; ++k) {
            const struct run_cell *cell = cell_at(plot, k, r);
            const double own = cell ? standing_arm(cell) : 0;
            const double arm = isnan(own) ? 0 : own;
            if (is_odd(plot, k))
                continue;
            if (cell)
                fprintf(file, "%.0f\t%.6g\t%d\t%.6g\t%.6g\n",
                        x_of(plot, plot->shape[k]), y_of(plot, cell),
                        colour_of(r), y_of(plot, cell) * exp(-arm),
                        y_of(plot, cell) * exp(arm));
            else
                fputs(gap, file);
        }
        fputs(gap, file);
    }
}

/* A time to be read with care: not firm, or marked as mostly launch time, as
 * served by the cache, or as above its ceiling. */
static bool is_doubtful(const struct run_cell *cell)
{
    return !standing_firm(cell) ||
           cell->marks &
               (MARK_NEAR_EMPTY | MARK_CACHE_ASSISTED | MARK_ABOVE_CEILING);
}

/* x, y, colour of odd lengths, or of doubtful points. */
static void write_marks(const struct plot *plot, bool doubtful, FILE *file)
{
    fputs("NaN\tNaN\t1\n", file);
    for (int r = 0; r < plot->curves; ++r)
        for (int k = 0; k < plot->places; ++k) {
            const struct run_cell *cell = cell_at(plot, k, r);
            if (cell && (doubtful ? is_doubtful(cell) && r < CHART_COLOURED
                                  : is_odd(plot, k)))
                fprintf(file, "%.0f\t%.6g\t%d\n", x_of(plot, plot->shape[k]),
                        y_of(plot, cell), colour_of(r));
        }
}

static void write_ceiling(const struct plot *plot, FILE *file)
{
    fputs("NaN\tNaN\n", file);
    for (int k = 0; k < plot->places; ++k) {
        double ceiling = 0;
        for (int f = 0; f < plot->grid->family_count; ++f) {
            const struct run_cell *cell =
                chart_cell(plot->grid, plot->shape[k], f);
            if (cell)
                ceiling = fmax(ceiling, cell->ceiling_gbps);
        }
        if (ceiling > 0 && !is_odd(plot, k))
            fprintf(file, "%.0f\t%.6g\n", x_of(plot, plot->shape[k]), ceiling);
    }
}

/* "about 256Mi elements in all, 2.147 GB moved (36 × L2)" */
static void write_length_subtitle(const struct plot *plot, FILE *file)
{
    static const char *const units[] = { "", "Ki", "Mi", "Gi", "Ti" };
    const struct chart_grid *grid = plot->grid;
    const int unit = plot->power / 10 < 4 ? plot->power / 10 : 4;
    const struct shape shape = { 1, (int64_t)1 << plot->power, 1 };
    const double bytes = (double)op_bytes(grid->op, grid->of->dtype, shape);
    const double l2 = run_fact_number(grid->of->run, "l2_bytes");
    char over[64] = "";
    if (l2 > 0)
        snprintf(over, sizeof over,
                 bytes < 10 * l2 ? " (%.2g × L2)" : " (%.0f × L2)", bytes / l2);
    chart_value(file, "subtitle",
                "%s Contiguous lines, about %.12g%s elements in all, %.4g %s "
                "moved%s. Circles: odd lengths.",
                chart_where(grid->of), exp2(plot->power - 10 * unit),
                units[unit], bytes < 1e9 ? bytes / 1e6 : bytes / 1e9,
                bytes < 1e9 ? "MB" : "GB", over);
}

static void write_texts(const struct plot *plot, FILE *file)
{
    const struct chart_grid *grid = plot->grid;
    const double l2 = fmax(run_fact_number(grid->of->run, "l2_bytes"), 0);
    const double elem = (double)dtype_bytes(grid->of->dtype);
    const int shown =
        plot->curves < CHART_COLOURED ? plot->curves : CHART_COLOURED;
    chart_value(file, "title", "%s, %s: %s", op_name(grid->op),
                dtype_name(grid->of->dtype),
                plot->by_length ? "bandwidth against line length"
                                : "share of the ceiling against size");
    if (plot->by_length)
        write_length_subtitle(plot, file);
    else
        chart_value(file, "subtitle",
                    "%s Square tensors of contiguous lines. On top: the "
                    "ceiling, GB/s.",
                    chart_where(grid->of));
    chart_value(file, "xlabel", "%s",
                plot->by_length ? "elements per line"
                                : "bytes read and written");
    chart_value(file, "by_length", "%d", plot->by_length);
    chart_value(file, "first", "%.0f", x_of(plot, plot->shape[0]));
    chart_value(file, "final", "%.0f",
                x_of(plot, plot->shape[plot->places - 1]));
    chart_value(file, "l2", "%.0f", plot->by_length ? l2 / elem : l2);
    chart_value(file, "names", "%d", shown);
    chart_value(file, "more", "%d", plot->curves - shown);
    chart_block(file);
    for (int r = 0; r < shown; ++r) {
        const struct family_style look =
            family_style(grid->families[plot->family[r]]);
        fprintf(file, "%d\t%u\t%d\t", r + 1, look.light, look.point);
        write_name(plot, r, file);
    }
}

bool chart_bandwidth(const struct chart_grid *grid, bool by_length, FILE *file)
{
    struct plot plot = {
        .grid = grid,
        .by_length = by_length,
        .power = common_power(grid),
        .shape = memory_for((size_t)grid->shape_count, sizeof *plot.shape),
        .family = memory_for((size_t)grid->family_count, sizeof *plot.family),
    };
    find_places(&plot);
    if (plot.places > 1)
        find_curves(&plot);
    if (plot.curves) {
        write_texts(&plot, file);
        chart_block(file);
        write_curves(&plot, file);
        chart_block(file);
        write_ceiling(&plot, file);
        chart_block(file);
        write_marks(&plot, false, file);
        chart_block(file);
        write_marks(&plot, true, file);
    }
    free(plot.shape);
    free(plot.family);
    return plot.curves;
}
