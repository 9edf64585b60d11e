/* SPDX-License-Identifier: MIT */
#include "src/choose/forest.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/split_mix.h"

/* The two children of a node are adjacent. A leaf's comparison always holds and
 * leads to itself, so that several trees can be walked in lockstep. */
struct node {
    float most;
    uint16_t feature, child; /* the left child: feature at most `most` */
};
_Static_assert(2 * FOREST_POINTS - 1 <= UINT16_MAX, "a child has 16 bits");

/* The points of a node, as a range of the tree's order. */
struct range {
    uint16_t first, count;
};

struct tree {
    struct node *node;
    struct range *range; /* [node] */
    uint16_t *order;     /* [point], those of a node together */
};

struct forest {
    struct tree tree[FOREST_TREES];
};

/* ----------------------------------------------------------------- growing */

struct growing {
    const struct forest_points *points;
    uint64_t random;
};

struct split {
    int feature; /* -1 if no feature separates the points */
    float most;
};

/* Sums the targets of the points, or only of those on the left of a split. */
static void add_rows(const struct growing *growing, const uint16_t *point,
                     unsigned count, const struct split *only,
                     int32_t *restrict sum, int32_t *taken)
{
    const int width = growing->points->targets;
    memset(sum, 0, (size_t)width * sizeof *sum);
    *taken = 0;
    for (unsigned k = 0; k < count; ++k) {
        const int32_t *restrict row =
            &growing->points->target[(size_t)point[k] * (size_t)width];
        const int32_t mask =
            -(!only ||
              growing->points->at[point[k]][only->feature] <= only->most);
        *taken -= mask;
        for (int t = 0; t < width; ++t)
            sum[t] += row[t] & mask;
    }
}

/* Finds the range of each feature over the points. */
static void set_bounds(const struct growing *growing, const uint16_t *point,
                       unsigned count, float low[FOREST_FEATURES],
                       float high[FOREST_FEATURES])
{
    const float(*at)[FOREST_FEATURES] = growing->points->at;
    for (int f = 0; f < FOREST_FEATURES; ++f)
        low[f] = high[f] = at[point[0]][f];
    for (unsigned k = 1; k < count; ++k)
        for (int f = 0; f < FOREST_FEATURES; ++f) {
            const float x = at[point[k]][f];
            low[f] = x < low[f] ? x : low[f];
            high[f] = x > high[f] ? x : high[f];
        }
}

/* Draws a threshold for every feature that differs among the points. Returns
 * the split, with points on both sides, where the targets of each side vary
 * least: their squared sums, each over its side's count, add up to most. */
static struct split best_split(struct growing *growing, const uint16_t *point,
                               unsigned count)
{
    int32_t all[FOREST_TARGETS], left[FOREST_TARGETS], total, taken;
    float low[FOREST_FEATURES], high[FOREST_FEATURES];
    struct split best = { -1, 0 };
    double most = -1;
    set_bounds(growing, point, count, low, high);
    add_rows(growing, point, count, NULL, all, &total);
    for (int f = 0; f < FOREST_FEATURES; ++f) {
        if (!(low[f] < high[f]))
            continue;
        const float fraction =
            (float)(split_mix_draw(&growing->random) >> 40) / (float)(1 << 24);
        const float between = low[f] + fraction * (high[f] - low[f]);
        const struct split drawn = { f, between < high[f] ? between : low[f] };
        add_rows(growing, point, count, &drawn, left, &taken);
        double squares_left = 0, squares_right = 0;
        for (int t = 0; t < growing->points->targets; ++t) {
            const double l = left[t], r = (double)all[t] - l;
            squares_left += l * l;
            squares_right += r * r;
        }
        const double value =
            squares_left / taken + squares_right / (total - taken);
        if (value > most) {
            most = value;
            best = drawn;
        }
    }
    return best;
}

/* Moves the points left of the split to the front; returns their number. */
static unsigned part(const struct growing *growing, uint16_t *point,
                     unsigned count, struct split split)
{
    unsigned front = 0;
    for (unsigned k = 0; k < count; ++k) {
        const uint16_t here = point[k];
        if (growing->points->at[here][split.feature] <= split.most) {
            point[k] = point[front];
            point[front++] = here;
        }
    }
    return front;
}

/* Splits the nodes in the order in which they are added: breadth first. */
static bool grow_tree(struct growing *growing, struct tree *tree)
{
    const size_t points = growing->points->count;
    uint32_t nodes = 1;
    tree->node = malloc(2 * points * sizeof *tree->node);
    tree->range = malloc(2 * points * sizeof *tree->range);
    tree->order = malloc(points * sizeof *tree->order);
    if (!tree->node || !tree->range || !tree->order)
        return false;
    for (size_t k = 0; k < points; ++k)
        tree->order[k] = (uint16_t)k;
    tree->range[0] = (struct range){ 0, (uint16_t)points };
    for (uint32_t n = 0; n < nodes; ++n) {
        const struct range range = tree->range[n];
        uint16_t *point = &tree->order[range.first];
        const struct split split = best_split(growing, point, range.count);
        if (split.feature < 0) {
            tree->node[n] = (struct node){ FLT_MAX, 0, (uint16_t)n };
            continue;
        }
        const uint16_t left =
            (uint16_t)part(growing, point, range.count, split);
        tree->range[nodes] = (struct range){ range.first, left };
        tree->range[nodes + 1] =
            (struct range){ (uint16_t)(range.first + left),
                            (uint16_t)(range.count - left) };
        tree->node[n] = (struct node){ split.most, (uint16_t)split.feature,
                                       (uint16_t)nodes };
        nodes += 2;
    }
    return true;
}

struct forest *forest_grow(const struct forest_points *points)
{
    struct growing growing = { points, 1 };
    struct forest *forest = calloc(1, sizeof *forest);
    bool ok = forest;
    for (int t = 0; ok && points->count && t < FOREST_TREES; ++t)
        ok = grow_tree(&growing, &forest->tree[t]);
    if (ok)
        return forest;
    forest_free(forest);
    return NULL;
}

void forest_free(struct forest *forest)
{
    for (int t = 0; forest && t < FOREST_TREES; ++t) {
        free(forest->tree[t].node);
        free(forest->tree[t].range);
        free(forest->tree[t].order);
    }
    free(forest);
}

/* ----------------------------------------------------------------- finding */

enum { STEP = 8 };
_Static_assert(FOREST_TREES % STEP == 0, "whole groups of trees");

/* Walks several trees in lockstep, which hides the latency of their loads. */
static void walk(const struct tree tree[STEP], const float at[FOREST_FEATURES],
                 uint32_t here[STEP])
{
    const struct node *node[STEP];
    uint32_t moved = 1;
    for (int t = 0; t < STEP; ++t) {
        node[t] = tree[t].node;
        here[t] = 0;
    }
    while (moved) {
        moved = 0;
        for (int t = 0; t < STEP; ++t) {
            const struct node *from = &node[t][here[t]];
            const uint32_t next =
                from->child + (at[from->feature] > from->most);
            moved |= next ^ here[t];
            here[t] = next;
        }
    }
}

void forest_find(const struct forest *forest, const float at[FOREST_FEATURES],
                 struct forest_leaf leaf[FOREST_TREES])
{
    uint32_t here[STEP];
    if (!forest->tree[0].node) {
        memset(leaf, 0, FOREST_TREES * sizeof *leaf);
        return;
    }
    for (int first = 0; first < FOREST_TREES; first += STEP) {
        walk(&forest->tree[first], at, here);
        for (int t = 0; t < STEP; ++t) {
            const struct tree *tree = &forest->tree[first + t];
            const struct range range = tree->range[here[t]];
            leaf[first + t] =
                (struct forest_leaf){ &tree->order[range.first], range.count };
        }
    }
}
