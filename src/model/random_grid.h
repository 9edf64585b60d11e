/* SPDX-License-Identifier: MIT
 *
 * Grids of random shapes, so that results describe the space of shapes and not
 * a choice: "random:SEED[:COUNT]" has 2^24 to 2^30 elements,
 * "random_small:SEED[:COUNT]" 2^18 to 2^24, and "random_ragged:SEED[:COUNT]",
 * of ragged shapes, 2^21 to 2^27. A host's have 2^12 times fewer.
 *
 * A seed gives the same shapes on every machine (split_mix.h); the first of a
 * long list are those of a short one. A log-uniform number is drawn as an
 * octave, each equally likely, and a number m in it, which is accepted with
 * probability (first of the octave) / m. A shape is drawn as:
 *
 *   elements  log-uniform in the grid's range
 *   inner     1 in two cases of five (contiguous lines), else log-uniform from
 *             2 to 2^17, and at most a quarter of the elements
 *   axis      log-uniform from 2 to elements / inner
 *   outer     the rest; the longer of axis and outer makes up for the rounding
 *   ragged    the axis is the rest; the segments' mean length is log-uniform
 *             from 1 to that; their kind, seed and offsets' type are uniform
 *
 * Inner (if it is not 1), axis, outer and the mean each become the nearest
 * power of two in one case of three, but a ragged axis does not. Shapes outside
 * the range and repeated shapes are drawn again.
 */
#pragma once

#include "src/model/op.h"

/* X(CONSTANT, name, text for --help) */
#define RANDOM_GRIDS(X)                                                        \
    X(RANDOM_LARGE, random,                                                    \
      "60 or COUNT shapes of 2^24 to 2^30 elements (host: 2^12 times fewer), " \
      "drawn log-uniformly; all types")                                        \
    X(RANDOM_SMALL, random_small, "the same with 2^18 to 2^24 elements")       \
    X(RANDOM_RAGGED, random_ragged,                                            \
      "the same with ragged lines, 2^21 to 2^27 elements")

enum random_kind {
#define RANDOM_KIND(constant, name, text) constant,
    RANDOM_GRIDS(RANDOM_KIND)
#undef RANDOM_KIND
        RANDOM_KIND_COUNT
};

struct random_grid {
    enum random_kind kind;
    uint64_t seed;
    int count;
};

enum { RANDOM_GRID_COUNT = 60, RANDOM_GRID_MOST = 10000 };

/* Their names; ends with NULL. */
extern const char *const random_grid_names[];

/* True for one of the names, alone or before a colon. */
bool random_grid_is(const char *text);

/* Reads "random:SEED[:COUNT]" or another name. COUNT is at most
 * RANDOM_GRID_MOST, and RANDOM_GRID_COUNT by default. Returns NULL, or the
 * reason why the text is no such grid; then *grid is unchanged. */
const char *random_grid_parse(const char *text, struct random_grid *grid);

/* The smallest number of elements, a 64th of the largest. */
int64_t random_grid_least(enum random_kind grid, enum device_kind kind);

/* Fills in `count` different shapes. */
void random_grid_shapes(struct random_grid grid, enum device_kind kind,
                        struct shape *shapes);
