/* SPDX-License-Identifier: MIT
 *
 * Extremely randomised trees that find the points like a new one. A node's
 * question is whether a feature is at most a threshold. One threshold is drawn
 * for every feature, and the question is kept that leaves the targets on each
 * side most alike. A leaf holds the points that no feature separates, so in
 * every tree a new point arrives at points that answer the same questions:
 * neighbours by the features that matter for the targets, without a distance.
 *
 * The same points give the same forest on every machine, as targets are whole
 * numbers and the seed is fixed.
 *
 * Source: P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees"
 * (2006); Y. Lin and Y. Jeon, "Random forests and adaptive nearest neighbors"
 * (2006), for leaves as neighbours.
 */
#ifndef SRC_CHOOSE_FOREST_H
#define SRC_CHOOSE_FOREST_H

#include <stddef.h>
#include <stdint.h>

enum {
    FOREST_TREES = 16,
    FOREST_FEATURES = 12,      /* of a point */
    FOREST_TARGETS = 64,       /* of a point, at most */
    FOREST_POINTS = 1 << 14,   /* at most */
    FOREST_TARGET_MOST = 10000 /* a target is from 0 to this */
};

/* The points to grow from; not kept. */
struct forest_points {
    size_t count;
    int targets;
    const float (*at)[FOREST_FEATURES]; /* [count], finite */
    const int32_t *target;              /* [count * targets] */
};

struct forest;

/* NULL if there is no memory. A forest without points finds nothing. */
struct forest *forest_grow(const struct forest_points *points);
void forest_free(struct forest *forest);

/* Numbers of points. */
struct forest_leaf {
    const uint16_t *point;
    unsigned count;
};

/* Finds the place's leaf in each tree. */
void forest_find(const struct forest *forest, const float at[FOREST_FEATURES],
                 struct forest_leaf leaf[FOREST_TREES]);

#endif
