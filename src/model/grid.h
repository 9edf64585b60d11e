/* SPDX-License-Identifier: MIT
 *
 * The named grids of shapes that are swept. A grid is a list of shapes, each
 * with the operations and dtypes it is meant for; the plan crosses them with
 * the variants.
 *
 *   quick     small shapes of every kind: seconds
 *   headline  32768x32768 along both dims, sum of 128x4096x4095:1, all dtypes
 *   default   line lengths at a constant number of elements, few long lines,
 *             strided axes, odd extents, a sweep of sizes; f32 in full, the
 *             other dtypes at a few shapes. Minutes.
 *   full      the default's shapes and finer steps, every dtype: an hour
 *   awkward   what the tests check: extents around powers of two, many
 *             outers, odd inners, nothing at all. Not for timing.
 *   huge      more elements, outers, axes and inners than 32 bits count; f16
 *   called    what people call from frameworks, where `best` was behind once
 *   aa        few shapes of all sizes, f32: hundreds of cells in a minute or
 *             two, to run one build twice and see how far it is from itself
 *
 * Beside these there are grids of random shapes, for all ops and dtypes:
 * "random:SEED[:COUNT]" and "random_small:SEED[:COUNT]", of random_grid.h.
 *
 * The traffic twins are not in the grids: the plan adds them at every size.
 */
#ifndef SRC_MODEL_GRID_H
#define SRC_MODEL_GRID_H

#include "src/model/device_kind.h"
#include "src/model/op.h"

struct grid_item {
    struct shape shape;
    unsigned ops, dtypes;
};

/* Room for a grid's name with the longest seed and count, and its NUL. */
enum { GRID_NAME_BYTES = 64 };

struct grid {
    struct grid_item *items;
    size_t count;
};

/* Those without the random ones; NULL-terminated. */
extern const char *const grid_names[];

/* Adds the named grid's items, sized for that kind of device (a host's default
 * has 2^22 elements where a GPU's has 2^28). False if there is no such grid or
 * no memory. */
bool grid_add(struct grid *grid, const char *name, enum device_kind kind);

/* Adds one shape for the given ops and dtypes; nothing if an equal item is
 * there already. */
bool grid_add_item(struct grid *grid, struct grid_item item);

void grid_free(struct grid *grid);

#endif
