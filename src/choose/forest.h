/* SPDX-License-Identifier: MIT
 *
 * Which points of known targets are like a new point: extremely randomised
 * trees. A tree's node asks whether a feature is at most a threshold. When it
 * is grown, a threshold is drawn for every feature, and the question is kept
 * that leaves the targets on either side most alike. It ends where no feature
 * tells the points of a leaf apart, so that a new point is led, in every tree,
 * to the measured points that answer the same questions: neighbours by what
 * matters for the targets, without a measure of distance.
 *
 * The same points give the same forest on every machine: targets are whole
 * numbers, and what is drawn depends on the seed alone.
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

/* Points to grow from; the caller's, and not kept. */
struct forest_points {
    size_t count;
    int targets;
    const float (*at)[FOREST_FEATURES]; /* [count], finite */
    const int32_t *target;              /* [count * targets] */
};

struct forest;

/* NULL: no memory. No points make a forest that finds nothing. */
struct forest *forest_grow(const struct forest_points *points);
void forest_free(struct forest *forest);

/* Points by their numbers. */
struct forest_leaf {
    const uint16_t *point;
    unsigned count;
};

/* The leaf of each tree that the place belongs to; of a forest without points
 * they are empty. */
void forest_find(const struct forest *forest, const float at[FOREST_FEATURES],
                 struct forest_leaf leaf[FOREST_TREES]);

#endif
