/* SPDX-License-Identifier: MIT
 *
 * Who leads each group of cells (an operation, type, shape and cache state),
 * and each class of groups: a run in a few lines.
 */
#ifndef SRC_ANALYSE_LEAD_H
#define SRC_ANALYSE_LEAD_H

#include "src/analyse/standing.h"

struct lead {
    const struct run_cell *cells; /* the group's, in run_cell_order() */
    size_t count;
    const struct run_cell *first; /* rank 1; NULL: nothing has a time */
    const struct run_cell *cub;   /* the fastest of CUB's; NULL: none */
    size_t tied;                  /* families within noise of the first */
    size_t shapes, won;           /* of its class, which it stands for: how
                                     many, and at how many of them the first
                                     family is first, or within noise of it */
};

/* One lead a group, each a class of its own, in run_group_order(); for free().
 * `all` (standing_make()) is pointed into. */
struct lead *leads_make(const struct run_cell *all, size_t count,
                        size_t *leads);

/* Keeps of every operation, type, cache state and class of shapes the lead at
 * the largest shape that has a time (any, if none has), and returns how many
 * these are. `class_of` names a shape's class: equal classes have equal
 * numbers. */
size_t leads_by_class(struct lead *leads, size_t count,
                      int (*class_of)(struct shape shape));

/* The families within noise of the first, k from 0 to tied - 1. */
const char *lead_tied(const struct lead *lead, size_t k);

/* A family of CUB's, by its name. */
bool lead_is_cub(const struct row *row);

#endif
