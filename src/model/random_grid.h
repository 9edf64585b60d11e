/* SPDX-License-Identifier: MIT
 *
 * Grids of random shapes, so that figures are of the space of shapes and not
 * of those that somebody chose: "random:SEED[:COUNT]" has 2^24 to 2^30
 * elements, "random_small:SEED[:COUNT]" 2^18 to 2^24. A host's have 2^12 times
 * fewer.
 *
 * The same seed gives the same shapes on every machine: SplitMix64 (G. Steele,
 * D. Lea, C. Flood, 2014; started at the seed, or small at its complement) and
 * integers only. They come one
 * after the other, so the first shapes of a long list are a short one's. A
 * number is drawn log-uniformly as an octave, all alike, and a number m of it,
 * which is kept with probability (the octave's first) / m. A shape is drawn so:
 *
 *   elements  log-uniform in the grid's range
 *   inner     two in five: 1, contiguous lines; else strided, log-uniform
 *             from 2 to 2^17 (and a quarter of the elements)
 *   axis      log-uniform from 2 to what inner leaves of the elements
 *   outer     what both leave; the longer of axis and outer takes up what
 *             rounding would lose
 *
 * Of inner (strided), axis and outer, each becomes the nearest power of two in
 * one case of three. Shapes that have left the range then, or came before, are
 * drawn anew.
 */
#ifndef SRC_MODEL_RANDOM_GRID_H
#define SRC_MODEL_RANDOM_GRID_H

#include "src/model/op.h"

struct random_grid {
    bool small;
    uint64_t seed;
    int count;
};

enum { RANDOM_GRID_COUNT = 60, RANDOM_GRID_MOST = 10000 };

/* "random", "random_small" and NULL, for messages. */
extern const char *const random_grid_names[];

/* Is it one of the names, alone or with a colon and more? */
bool random_grid_is(const char *text);

/* Reads "random:SEED[:COUNT]", or "random_small:…", of at most
 * RANDOM_GRID_MOST shapes (RANDOM_GRID_COUNT where none is said). Returns NULL,
 * or what is wrong with the text; *grid is then untouched. */
const char *random_grid_parse(const char *text, struct random_grid *grid);

/* Fewest and most elements on a device of that kind. */
int64_t random_grid_least(bool small, enum device_kind kind);
int64_t random_grid_most(bool small, enum device_kind kind);

/* Fills in the grid's `count` shapes, all different. */
void random_grid_shapes(struct random_grid grid, enum device_kind kind,
                        struct shape *shapes);

#endif
