/* SPDX-License-Identifier: MIT
 *
 * The variants that there are, built here or not: every tuning point of every
 * file, in the order of variants/meson.build. Published runs also have points
 * that have gone since.
 */
#ifndef SRC_CHOOSE_CATALOGUE_H
#define SRC_CHOOSE_CATALOGUE_H

#include "src/model/op.h"

struct catalogue_point {
    const char *id;   /* its file: "scan/block_per_line" */
    const char *name; /* "block_per_line_b256_i16" */
    const char *idea; /* of its file, in a line */
};

/* The folder whose GPU variants serve the operation. */
const char *catalogue_folder(enum op op);

/* The point that a row of the operation names, or -1: it has gone, or is none
 * of that folder. The catalogue ends with a NULL name. */
int catalogue_find(const struct catalogue_point *points, enum op op,
                   const char *name);

#endif
