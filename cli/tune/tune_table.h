/* SPDX-License-Identifier: MIT
 *
 * The table of tune: what it is made of, and its two formats.
 */
#ifndef CLI_TUNE_TUNE_TABLE_H
#define CLI_TUNE_TUNE_TABLE_H

#include "src/analyse/comparison.h"
#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"

/* A variant's time in the cell that is tuned. */
struct tuned {
    struct run_cell side;
    const char *family;   /* its id in the registry, or "" */
    size_t rank;          /* in its family, from 1; 0: not timed */
    struct change behind; /* against the best of its family; the best: the
                             next one against it, if there is any */
};

/* One op, dtype, shape and cache state: families in the order of their best,
 * in them the fastest first, and what was not timed last. */
struct tune_table {
    const struct run_folder *run;
    struct tuned *all;
    size_t count;
};

/* How many of the table, from `first` on, are of its family. */
size_t tune_family_size(const struct tune_table *table, size_t first);

void tune_write_text(const struct tune_table *table);
void tune_write_csv_header(void);
void tune_write_csv(const struct tune_table *table);

#endif
