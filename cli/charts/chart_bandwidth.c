/* SPDX-License-Identifier: MIT
 *
 * GB/s of compulsory bytes, a curve per family: at each place its best tuning
 * point. By length: of contiguous lines, at the power of two of elements that
 * has most lengths. By size: at one contiguous shape a power of two of
 * elements, the one nearest to a square.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/charts/chart.h"

#include "src/base/memory.h"

/* The shapes that are drawn, from left to right. */
struct places {
    int *shape, count;
    bool by_length;
    int power; /* of two, of the elements; by length */
};

static bool timed_at(const struct chart_grid *grid, int shape)
{
    for (int f = 0; f < grid->family_count; ++f)
        if (chart_cell(grid, shape, f))
            return true;
    return false;
}

static bool usable(const struct chart_grid *grid, int shape)
{
    return grid->shapes[shape].inner == 1 && timed_at(grid, shape);
}

static int power_of(const struct chart_grid *grid, int shape)
{
    return chart_power((double)shape_elems(grid->shapes[shape]));
}

/* The power that most lengths have; of two the larger. */
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

/* Squares if there are enough of them, else what comes nearest. */
static bool squarest(const struct chart_grid *grid, int shape)
{
    int squares = 0;
    for (int s = 0; s < grid->shape_count; ++s) {
        if (!usable(grid, s))
            continue;
        squares += skew(grid->shapes[s]) <= 1;
        if (power_of(grid, s) == power_of(grid, shape) &&
            (skew(grid->shapes[s]) < skew(grid->shapes[shape]) ||
             (skew(grid->shapes[s]) == skew(grid->shapes[shape]) && s < shape)))
            return false;
    }
    return squares < 3 || skew(grid->shapes[shape]) <= 1;
}

static double place_x(const struct chart_grid *grid,
                      const struct places *places, int shape)
{
    return places->by_length ? (double)grid->shapes[shape].axis
                             : (double)op_bytes(grid->op, grid->of->dtype,
                                                grid->shapes[shape]);
}

static struct places places_of(const struct chart_grid *grid, bool by_length)
{
    struct places places = { memory_for((size_t)grid->shape_count,
                                        sizeof *places.shape),
                             0, by_length, common_power(grid) };
    for (int s = 0; s < grid->shape_count; ++s) {
        if (!usable(grid, s) || (by_length ? power_of(grid, s) != places.power
                                           : !squarest(grid, s)))
            continue;
        int at = places.count++;
        for (; at > 0 && place_x(grid, &places, s) <
                             place_x(grid, &places, places.shape[at - 1]);
             --at)
            places.shape[at] = places.shape[at - 1];
        places.shape[at] = s;
    }
    return places;
}

static bool is_power(int64_t extent)
{
    return extent > 0 && (extent & (extent - 1)) == 0;
}

/* The extent lies beside a power of two (4095, 4097). */
static bool is_near(int64_t extent, int64_t power)
{
    return is_power(power) && !is_power(extent) &&
           fabs((double)extent / (double)power - 1) < 0.05;
}

/* An odd length, beside a power of two that is there, too: a circle off the
 * curve. */
static bool beside(const struct chart_grid *grid, const struct places *places,
                   int place)
{
    const int64_t own = grid->shapes[places->shape[place]].axis;
    for (int j = 0; places->by_length && j < places->count; ++j)
        if (is_near(own, grid->shapes[places->shape[j]].axis))
            return true;
    return false;
}

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

/* The families of a chart, those that deserve a colour first. */
struct order {
    int *family;
    double *score; /* [family]; 0: not drawn */
    int count;
};

static struct order order_make(const struct chart_grid *grid)
{
    const size_t room = (size_t)grid->family_count;
    struct order order = { memory_for(room, sizeof *order.family),
                           memory_for(room, sizeof *order.score), 0 };
    for (int f = 0; f < grid->family_count; ++f)
        order.family[f] = f;
    order.count = grid->family_count;
    return order;
}

/* Stable; drops those of no score. */
static void order_sort(struct order *order)
{
    int count = 0;
    for (int k = 0; k < order->count; ++k) {
        const int family = order->family[k];
        if (!(order->score[family] > 0))
            continue;
        int at = count++;
        for (; at > 0 &&
               order->score[family] > order->score[order->family[at - 1]];
             --at)
            order->family[at] = order->family[at - 1];
        order->family[at] = family;
    }
    order->count = count;
}

static void order_free(struct order *order)
{
    free(order->family);
    free(order->score);
}

/* Colours go first to who wins anywhere, then to who is near the top in most
 * places; `best` is none of them. CUB's, which everybody knows, has the last
 * one at least. */
static struct order order_of(const struct chart_grid *grid,
                             const struct places *places)
{
    struct order order = order_make(grid);
    for (int f = 0; f < grid->family_count; ++f)
        for (int k = 0; k < places->count; ++k) {
            const int shape = places->shape[k];
            const struct run_cell *cell = chart_cell(grid, shape, f);
            if (!cell || standing_calls_others(cell->row) ||
                beside(grid, places, k))
                continue;
            const double share = cell->gbps / top_at(grid, shape);
            order.score[f] += pow(share, 6) + 1e-9;
            if (share == 1)
                order.score[f] += places->count;
        }
    order_sort(&order);
    for (int k = CHART_COLOURED; k < order.count; ++k)
        if (strncmp(grid->families[order.family[k]], "cub_", 4) == 0) {
            const int known = order.family[k];
            memmove(&order.family[CHART_COLOURED],
                    &order.family[CHART_COLOURED - 1],
                    (size_t)(k - CHART_COLOURED + 1) * sizeof known);
            order.family[CHART_COLOURED - 1] = known;
            break;
        }
    return order;
}

/* The tuning point, where it is the same at all places; or the family and how
 * many points it has. */
static void write_name(const struct chart_grid *grid,
                       const struct places *places, int family, FILE *file)
{
    const char *point = NULL;
    int points = 0;
    for (int k = 0; k < places->count; ++k) {
        const struct run_cell *cell =
            chart_cell(grid, places->shape[k], family);
        if (!cell)
            continue;
        bool met = false;
        for (int j = 0; j < k && !met; ++j) {
            const struct run_cell *other =
                chart_cell(grid, places->shape[j], family);
            met = other && strcmp(other->row->variant, cell->row->variant) == 0;
        }
        points += !met;
        point = cell->row->variant;
    }
    chart_text(file, points == 1 ? point : grid->families[family]);
    if (points > 1)
        fprintf(file, " (%d points)", points);
    fputc('\n', file);
}

static int colour_at(int place)
{
    return place < CHART_COLOURED ? place + 1 : CHART_COLOURED + 1;
}

/* x, GB/s, rank, the interval's ends; NaN breaks a curve where a place is
 * missing. */
static void write_curves(const struct chart_grid *grid,
                         const struct places *places, const struct order *order,
                         FILE *file)
{
    for (int r = order->count - 1; r >= 0;
         --r, fputs("NaN\tNaN\t1\tNaN\tNaN\n", file))
        for (int k = 0; k < places->count; ++k) {
            const struct run_cell *cell =
                chart_cell(grid, places->shape[k], order->family[r]);
            if (beside(grid, places, k))
                continue;
            const double arm = cell ? standing_arm(cell) : 0;
            if (cell)
                fprintf(file, "%.0f\t%.6g\t%d\t%.6g\t%.6g\n",
                        place_x(grid, places, places->shape[k]), cell->gbps,
                        colour_at(r), cell->gbps * exp(isnan(arm) ? 0 : -arm),
                        cell->gbps * exp(isnan(arm) ? 0 : arm));
            else
                fputs("NaN\tNaN\t1\tNaN\tNaN\n", file);
        }
}

/* The same of points: odd lengths (what is 0), or doubtful ones (1). */
static void write_marks(const struct chart_grid *grid,
                        const struct places *places, const struct order *order,
                        bool doubtful, FILE *file)
{
    fputs("NaN\tNaN\t1\n", file);
    for (int r = 0; r < order->count; ++r)
        for (int k = 0; k < places->count; ++k) {
            const struct run_cell *cell =
                chart_cell(grid, places->shape[k], order->family[r]);
            if (cell && (doubtful ? chart_doubtful(cell) && r < CHART_COLOURED
                                  : beside(grid, places, k)))
                fprintf(file, "%.0f\t%.6g\t%d\n",
                        place_x(grid, places, places->shape[k]), cell->gbps,
                        colour_at(r));
        }
}

static void write_ceiling(const struct chart_grid *grid,
                          const struct places *places, FILE *file)
{
    fputs("NaN\tNaN\n", file);
    for (int k = 0; k < places->count; ++k) {
        double ceiling = 0;
        for (int f = 0; f < grid->family_count; ++f) {
            const struct run_cell *cell = chart_cell(grid, places->shape[k], f);
            if (cell)
                ceiling = fmax(ceiling, cell->ceiling_gbps);
        }
        if (ceiling > 0 && !beside(grid, places, k))
            fprintf(file, "%.0f\t%.6g\n",
                    place_x(grid, places, places->shape[k]), ceiling);
    }
}

static void write_subtitle(const struct chart_grid *grid,
                           const struct places *places, FILE *file)
{
    char where[300], elems[32];
    chart_where(grid->of, where, sizeof where);
    if (!places->by_length) {
        chart_value(file, "subtitle",
                    "%s Contiguous lines, about as many as each is long.",
                    where);
        return;
    }
    const struct shape shape = { 1, (int64_t)1 << places->power, 1 };
    const double bytes = (double)op_bytes(grid->op, grid->of->dtype, shape);
    const double l2 = run_fact_number(grid->of->run, "l2_bytes");
    char over[64] = "";
    if (l2 > 0)
        snprintf(over, sizeof over,
                 bytes < 10 * l2 ? " (%.2g × L2)" : " (%.0f × L2)", bytes / l2);
    chart_value(file, "subtitle",
                "%s Contiguous lines, about %s elements in all, %.4g %s "
                "moved%s. Circles: odd lengths.",
                where, chart_binary(exp2(places->power), elems),
                bytes < 1e9 ? bytes / 1e6 : bytes / 1e9,
                bytes < 1e9 ? "MB" : "GB", over);
}

static void write_texts(const struct chart_grid *grid,
                        const struct places *places, const struct order *order,
                        FILE *file)
{
    const double l2 = run_fact_number(grid->of->run, "l2_bytes");
    const int shown =
        order->count < CHART_COLOURED ? order->count : CHART_COLOURED;
    chart_value(file, "title", "%s, %s: bandwidth against %s",
                op_name(grid->op), dtype_name(grid->of->dtype),
                places->by_length ? "line length" : "size");
    write_subtitle(grid, places, file);
    chart_value(file, "xlabel", "%s",
                places->by_length ? "elements a line"
                                  : "compulsory bytes (read and written)");
    chart_value(file, "by_length", "%d", places->by_length);
    chart_value(file, "first", "%.0f", place_x(grid, places, places->shape[0]));
    chart_value(file, "final", "%.0f",
                place_x(grid, places, places->shape[places->count - 1]));
    chart_value(file, "l2", "%.0f",
                l2 > 0 ? places->by_length
                             ? l2 / (double)dtype_bytes(grid->of->dtype)
                             : l2
                       : 0);
    chart_value(file, "names", "%d", shown);
    chart_value(file, "more", "%d", order->count - shown);
    chart_block(file);
    for (int k = 0; k < shown; ++k) {
        fprintf(file, "%d\t", k + 1);
        chart_look(file, grid->families[order->family[k]]);
        write_name(grid, places, order->family[k], file);
    }
}

bool chart_bandwidth(const struct chart_grid *grid, bool by_length, FILE *file)
{
    struct places places = places_of(grid, by_length);
    const bool enough = places.count > 1;
    if (enough) {
        struct order order = order_of(grid, &places);
        write_texts(grid, &places, &order, file);
        chart_block(file);
        write_curves(grid, &places, &order, file);
        chart_block(file);
        write_ceiling(grid, &places, file);
        chart_block(file);
        write_marks(grid, &places, &order, false, file);
        chart_block(file);
        write_marks(grid, &places, &order, true, file);
        order_free(&order);
    }
    free(places.shape);
    return enough;
}
