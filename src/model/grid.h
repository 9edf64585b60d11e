/* SPDX-License-Identifier: MIT
 *
 * The named grids of shapes; docs/using.md describes each. A grid is a list of
 * shapes with the operations and dtypes to measure there. The plan crosses it
 * with the variants, and adds the traffic twins at every size.
 *
 * The grids of random_grid.h, "random:SEED[:COUNT]" and
 * "random_small:SEED[:COUNT]", are for all operations and dtypes.
 */
#pragma once

#include "src/model/op.h"

struct grid_item {
    struct shape shape;
    uint64_t ops; /* op_bit()s */
    unsigned dtypes;
};

/* Enough for the longest name, seed and count. */
enum { GRID_NAME_BYTES = 64 };

struct grid {
    struct grid_item *items;
    size_t count;
    enum device_kind kind; /* of the last named grid's device */
};

/* All but the random grids; ends with NULL. */
extern const char *const grid_names[];

/* Adds the named grid's items for a kind of device: the default's tensors have
 * 2^22 elements on a host, 2^28 on a GPU. False if there is no such grid. */
bool grid_add(struct grid *grid, const char *name, enum device_kind kind);

/* Adds one item, without dtypes that its shape and operations have already. */
void grid_add_item(struct grid *grid, struct grid_item item);

void grid_free(struct grid *grid);
