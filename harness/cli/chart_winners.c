/* SPDX-License-Identifier: MIT
 *
 * A map of what was measured: who won there, and how much of the ceiling that
 * is. Contiguous: the lines' length against their number; strided: against
 * inner, at the shape with the most elements.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/chart_curves.h"

#include "src/base/memory.h"

/* A place of the map, and the shape that is drawn there. */
struct place {
    int64_t axis, up;
    int shape;
};

struct map {
    struct place *place;
    int count;
    bool strided;
};

static int64_t up_of(struct shape shape, bool strided)
{
    return strided ? shape.inner : shape.outer;
}

static bool won(const struct chart_grid *grid, int shape)
{
    const int winner = chart_winner(grid, shape);
    return winner >= 0 && chart_cell(grid, shape, winner)->pct_ceiling > 0;
}

static struct map map_make(const struct chart_grid *grid, bool strided)
{
    struct map map = { memory_for((size_t)grid->shape_count, sizeof *map.place),
                       0, strided };
    for (int s = 0; s < grid->shape_count; ++s) {
        const struct shape shape = grid->shapes[s];
        int at = 0;
        if ((shape.inner > 1) != strided || !won(grid, s))
            continue;
        while (at < map.count && (map.place[at].axis != shape.axis ||
                                  map.place[at].up != up_of(shape, strided)))
            ++at;
        if (at == map.count)
            map.place[map.count++] =
                (struct place){ shape.axis, up_of(shape, strided), s };
        else if (shape.outer > grid->shapes[map.place[at].shape].outer)
            map.place[at].shape = s;
    }
    return map;
}

/* Beside the place of the power of two, where that is on the map, too. */
static double drawn_at(const struct map *map, int k, bool up)
{
    const struct place *own = &map->place[k];
    const int64_t extent = up ? own->up : own->axis;
    for (int j = 0; j < map->count; ++j) {
        const struct place *other = &map->place[j];
        const bool aligned =
            up ? other->axis == own->axis : other->up == own->up;
        if (aligned && chart_is_near(extent, up ? other->up : other->axis)) {
            const double power = exp2(chart_power((double)extent));
            return power * exp2((double)extent < power ? -0.9 : 0.9);
        }
    }
    return (double)extent;
}

static int winner_at(const struct chart_grid *grid, const struct map *map,
                     int k)
{
    return chart_winner(grid, map->place[k].shape);
}

static bool shared(const struct chart_grid *grid, int shape, int winner)
{
    for (int f = 0; f < grid->family_count; ++f)
        if (f != winner && chart_is_tied(grid, shape, f))
            return true;
    return false;
}

/* x, y, rank, per cent: with = others are within noise, with ? it is doubtful
 */
static void write_points(const struct chart_grid *grid, const struct map *map,
                         const struct chart_order *order, FILE *file)
{
    for (int k = 0; k < map->count; ++k) {
        const int winner = winner_at(grid, map, k);
        const struct run_cell *cell =
            chart_cell(grid, map->place[k].shape, winner);
        int colour = 1;
        while (order->family[colour - 1] != winner)
            ++colour;
        chart_number(file, drawn_at(map, k, false));
        chart_number(file, drawn_at(map, k, true));
        fprintf(file, "%d\t%.0f%s%s\n",
                colour <= CHART_COLOURED ? colour : CHART_COLOURED + 1,
                cell->pct_ceiling, chart_doubtful(cell) ? "?" : "",
                shared(grid, map->place[k].shape, winner) ? "=" : "");
    }
}

static void write_texts(const struct chart_grid *grid, const struct map *map,
                        const struct chart_order *order, FILE *file)
{
    char where[300];
    chart_where(grid->of, where, sizeof where);
    chart_value(file, "title", "%s, %s: which family wins where%s",
                op_name(grid->op), dtype_name(grid->of->dtype),
                map->strided ? " along strided axes" : "");
    chart_value(file, "subtitle",
                "%s %s lines. Per cent of the measured ceiling%s =: others "
                "within noise. ?: doubtful.",
                where, map->strided ? "Strided" : "Contiguous",
                map->strided ? ", of the largest tensor." : ".");
    chart_value(file, "ylabel", "%s",
                map->strided ? "stride of a line, elements" : "lines");
    chart_value(file, "xlabel",
                "elements a line (odd extents stand beside "
                "the power of two)");
    chart_value(file, "names", "%d",
                order->count < CHART_COLOURED ? order->count : CHART_COLOURED);
    chart_value(file, "more", "%d", order->count - CHART_COLOURED);
    chart_block(file);
    for (int k = 0; k < order->count && k < CHART_COLOURED; ++k) {
        fprintf(file, "%d\t", k + 1);
        chart_look(file, grid->families[order->family[k]]);
        chart_text(file, grid->families[order->family[k]]);
        fputc('\n', file);
    }
}

bool chart_winners(const struct chart_grid *grid, bool strided, FILE *file)
{
    struct map map = map_make(grid, strided);
    struct chart_order order = chart_order_make(grid);
    for (int k = 0; k < map.count; ++k)
        order.score[winner_at(grid, &map, k)] += 1;
    chart_order_sort(&order);
    if (map.count >= 3) {
        write_texts(grid, &map, &order, file);
        chart_block(file);
        write_points(grid, &map, &order, file);
    }
    chart_order_free(&order);
    free(map.place);
    return map.count >= 3;
}
