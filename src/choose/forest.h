/* SPDX-License-Identifier: MIT
 *
 * Extremely randomised trees, which find the points that are similar to a new
 * one. A node compares a feature with a threshold and so splits its points. One
 * threshold is drawn for every feature, and the split is kept that leaves the
 * targets on each side most alike. A leaf holds points that no feature
 * separates. In every tree a new point descends to a leaf, whose points are its
 * neighbours in those features that matter for the targets; no distance between
 * points has to be defined.
 *
 * The same points give the same forest on every machine, as targets are whole
 * numbers and the seed is fixed.
 *
 * Source: P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees"
 * (2006); Y. Lin and Y. Jeon, "Random forests and adaptive nearest neighbors"
 * (2006), for leaves as neighbours.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    FOREST_TREES = 48,
    FOREST_FEATURES = 13,      /* of a point */
    FOREST_TARGETS = 64,       /* of a point, at most */
    FOREST_POINTS = 1 << 14,   /* at most */
    FOREST_TARGET_MOST = 10000 /* a target is from 0 to this */
};

/* Training points; not kept after growing. */
struct forest_points {
    size_t count;
    int targets;
    const float (*at)[FOREST_FEATURES]; /* [count], finite */
    const int32_t *target;              /* [count * targets] */
};

struct forest;

/* Returns NULL if there is no memory. Without points, all leaves are empty. */
struct forest *forest_grow(const struct forest_points *points);
void forest_free(struct forest *forest);

/* The points in a leaf, by their indices. */
struct forest_leaf {
    const uint16_t *point;
    unsigned count;
};

/* Finds the leaf of each tree to which a point with these features descends. */
void forest_find(const struct forest *forest, const float at[FOREST_FEATURES],
                 struct forest_leaf leaf[FOREST_TREES]);
