/* SPDX-License-Identifier: MIT
 *
 * One side of a comparison's cell: what all launches of a run say of it.
 */
#ifndef SRC_SIDE_H
#define SRC_SIDE_H

#include "src/change.h"
#include "src/run_folder.h"

/* One cell of one run: its launches. */
enum { SIDE_MARKS_BYTES = 96 };
struct side {
    const struct run_row *row; /* the first launch; NULL: not in this run */
    size_t rows;
    enum status status; /* the worst of the launches; ok or suspect: timed */
    const char *reason; /* of that launch, or "" */
    char marks[SIDE_MARKS_BYTES]; /* of all launches, joined by '+' */
    struct timing timing;         /* of the launches that were timed */
    double pct_ceiling;           /* mean of the same; NaN: unknown */
};

/* The side of a cell whose launches begin at rows[0]; *count holds the number
 * of rows that are left, and comes back as the number of launches. */
struct side side_of(const struct run_row *rows, size_t *count);
bool side_timed(const struct side *side);
/* Ended in a timeout or an error, or was wrong. */
bool side_failed(const struct side *side);
bool side_near_empty(const struct side *side);   /* marked so */
const char *side_marks(const struct side *side); /* to print: or "none" */

#endif
