/* SPDX-License-Identifier: MIT
 *
 * The cells that a run has rows of, found by what they are: a run that is
 * taken up again asks of thousands.
 */
#ifndef SRC_RUNS_FINISHED_H
#define SRC_RUNS_FINISHED_H

#include "src/runs/row.h"
#include "src/runs/texts.h"

struct finished_key {
    enum op op;
    const char *variant;
    enum dtype dtype;
    struct shape shape;
    enum cache cache;
    int64_t process;
};

struct finished {
    struct finished_key key;
    enum status status;
    double median_us, gbps; /* NaN where it was not timed */
    double launch_us;       /* NaN where it was not launched */
    const char *reason;
};

/* Starts as { 0 }. */
struct finished_table {
    struct finished *slots; /* key.variant is NULL where there is none */
    size_t room, count;
    struct texts texts;
};

/* Remembers a row; of two of the same cell, the first. False: no memory. */
bool finished_add(struct finished_table *table, const struct row *row);

/* The same of a cell alone. */
bool finished_add_key(struct finished_table *table,
                      const struct finished_key *key);

/* One that is of no cell of `cells`, or of no process below `processes`; NULL:
 * there is none. The process of `cells` is 0. */
const struct finished *finished_stranger(const struct finished_table *table,
                                         const struct finished_table *cells,
                                         int processes);

/* NULL if there is none; valid until the next finished_add(). */
const struct finished *finished_find(const struct finished_table *table,
                                     const struct finished_key *key);

void finished_free(struct finished_table *table);

#endif
