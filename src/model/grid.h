/* SPDX-License-Identifier: MIT
 *
 * The named grids of shapes; docs/using.md describes each. A grid is a list of
 * shapes, each with the operations and dtypes it is meant for; the plan crosses
 * them with the variants.
 *
 * Further grids hold random shapes, for all operations and dtypes:
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

/* Without the random grids; ended by NULL. */
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
