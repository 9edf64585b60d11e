/* SPDX-License-Identifier: MIT */
#include "src/choose/forest.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "src/model/split_mix.h"

/* A node's children follow each other. A leaf asks what every place answers
 * with yes, and is its own child: all trees can be walked in step. */
struct node {
    float most;
    uint16_t feature, child; /* the child for yes */
};
_Static_assert(2 * FOREST_POINTS - 1 <= UINT16_MAX, "a child has 16 bits");

/* The points of a node, in the tree's order of points. */
struct range {
    uint16_t first, count;
};

struct tree {
    struct node *node;
    struct range *range; /* [node] */
    uint16_t *order;     /* [point]: those of a node follow each other */
};

struct forest {
    size_t points;
    struct tree tree[FOREST_TREES];
};

/* ----------------------------------------------------------------- growing */

enum { LANES = 8 }; /* rows of targets are padded to a multiple of so many */

struct growing {
    const struct forest_points *points;
    int width; /* of a row of targets, with its padding */
    int32_t *row;
    uint64_t random;
};

/* From 0 to below 1. */
static float draw(struct growing *growing)
{
    return (float)(split_mix_draw(&growing->random) >> 40) / (float)(1 << 24);
}

struct question {
    int feature; /* -1: none tells the points apart */
    float most;
};

static void add_rows(const struct growing *growing, const uint16_t *point,
                     unsigned count, const struct question *only,
                     int32_t *restrict sum, int32_t *taken)
{
    const int width = growing->width;
    memset(sum, 0, (size_t)width * sizeof *sum);
    *taken = 0;
    for (unsigned k = 0; k < count; ++k) {
        const int32_t *restrict row =
            &growing->row[(size_t)point[k] * (size_t)width];
        const int32_t mask =
            -(!only ||
              growing->points->at[point[k]][only->feature] <= only->most);
        *taken -= mask;
        for (int t = 0; t < width; ++t)
            sum[t] += row[t] & mask;
    }
}

/* The squares of the sums on either side by how many are there: the more, the
 * less the targets of a side differ among each other. */
static double worth(const int32_t *all, int32_t count, const int32_t *left,
                    int32_t taken, int width)
{
    double squares_left = 0, squares_right = 0;
    for (int t = 0; t < width; ++t) {
        const double l = left[t], r = (double)all[t] - l;
        squares_left += l * l;
        squares_right += r * r;
    }
    return squares_left / taken + squares_right / (count - taken);
}

/* Of the points in each feature. */
struct bounds {
    float low[FOREST_FEATURES], high[FOREST_FEATURES];
};

static struct bounds bounds_of(const struct growing *growing,
                               const uint16_t *point, unsigned count)
{
    struct bounds bounds;
    memcpy(bounds.low, growing->points->at[point[0]], sizeof bounds.low);
    memcpy(bounds.high, bounds.low, sizeof bounds.high);
    for (unsigned k = 1; k < count; ++k) {
        const float *at = growing->points->at[point[k]];
        for (int f = 0; f < FOREST_FEATURES; ++f) {
            bounds.low[f] = at[f] < bounds.low[f] ? at[f] : bounds.low[f];
            bounds.high[f] = at[f] > bounds.high[f] ? at[f] : bounds.high[f];
        }
    }
    return bounds;
}

/* One is drawn for every feature that differs, and has points on either side;
 * the best of them. */
static struct question best_question(struct growing *growing,
                                     const uint16_t *point, unsigned count)
{
    int32_t all[FOREST_TARGETS], left[FOREST_TARGETS], total, taken;
    const struct bounds bounds = bounds_of(growing, point, count);
    struct question best = { -1, 0 };
    double most = -1;
    add_rows(growing, point, count, NULL, all, &total);
    for (int f = 0; f < FOREST_FEATURES; ++f) {
        const float low = bounds.low[f], high = bounds.high[f];
        if (!(low < high))
            continue;
        const float between = low + draw(growing) * (high - low);
        const struct question drawn = { f, between < high ? between : low };
        add_rows(growing, point, count, &drawn, left, &taken);
        const double value = worth(all, total, left, taken, growing->width);
        if (value > most) {
            most = value;
            best = drawn;
        }
    }
    return best;
}

/* Those that answer with yes go to the front; returns how many. */
static unsigned part(const struct growing *growing, uint16_t *point,
                     unsigned count, struct question question)
{
    unsigned front = 0;
    for (unsigned k = 0; k < count; ++k) {
        const uint16_t here = point[k];
        if (growing->points->at[here][question.feature] <= question.most) {
            point[k] = point[front];
            point[front++] = here;
        }
    }
    return front;
}

/* Level by level: a node is asked about when all before it have been. */
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
        const struct question question =
            best_question(growing, point, range.count);
        if (question.feature < 0) {
            tree->node[n] = (struct node){ FLT_MAX, 0, (uint16_t)n };
            continue;
        }
        const uint16_t yes =
            (uint16_t)part(growing, point, range.count, question);
        tree->range[nodes] = (struct range){ range.first, yes };
        tree->range[nodes + 1] =
            (struct range){ (uint16_t)(range.first + yes),
                            (uint16_t)(range.count - yes) };
        tree->node[n] =
            (struct node){ question.most, (uint16_t)question.feature,
                           (uint16_t)nodes };
        nodes += 2;
    }
    return true;
}

static bool grow(struct growing *growing, struct forest *forest)
{
    const struct forest_points *points = growing->points;
    growing->width = (points->targets + LANES - 1) / LANES * LANES;
    growing->row = calloc(points->count * (size_t)growing->width + 1,
                          sizeof *growing->row);
    bool ok = growing->row != NULL;
    for (size_t k = 0; ok && k < points->count; ++k)
        memcpy(&growing->row[k * (size_t)growing->width],
               &points->target[k * (size_t)points->targets],
               (size_t)points->targets * sizeof *growing->row);
    for (int t = 0; ok && points->count && t < FOREST_TREES; ++t)
        ok = grow_tree(growing, &forest->tree[t]);
    free(growing->row);
    return ok;
}

struct forest *forest_grow(const struct forest_points *points)
{
    struct forest *forest = calloc(1, sizeof *forest);
    struct growing growing = { .points = points, .random = 1 };
    if (!forest)
        return NULL;
    forest->points = points->count;
    if (grow(&growing, forest))
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

enum { STEP = 8 }; /* so many trees are walked at once */
_Static_assert(FOREST_TREES % STEP == 0, "whole groups of trees");

/* In step: what one tree waits for, the others hide. */
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
            const struct node *asked = &node[t][here[t]];
            const uint32_t next =
                asked->child + (at[asked->feature] > asked->most);
            moved |= next ^ here[t];
            here[t] = next;
        }
    }
}

void forest_find(const struct forest *forest, const float at[FOREST_FEATURES],
                 struct forest_leaf leaf[FOREST_TREES])
{
    uint32_t here[STEP];
    if (!forest->points) {
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
