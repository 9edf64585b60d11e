/* SPDX-License-Identifier: MIT
 *
 * The cells that two runs have in common.
 */
#ifndef SRC_ANALYSE_PAIR_H
#define SRC_ANALYSE_PAIR_H

#include "src/runs/run_cell.h"

struct pair {
    struct run_cell base, now;
};

struct pairs {
    struct pair *pair; /* in run_cell_order(), timed or not */
    size_t count;
    size_t only_base, only_now; /* cells that the other run has not */
    const struct row *first_only_base, *first_only_now;
    bool by_share; /* pair_base() and pair_now() are over_ceiling */
};

/* Rows are pointed at, not copied. */
struct pairs pairs_of(const struct run_rows *base, const struct run_rows *now,
                      bool by_share);
void pairs_free(struct pairs *pairs);

/* Both sides are timed: there is something to judge. With by_share both need a
 * ceiling, too. */
bool pair_timed(const struct pairs *pairs, size_t p);

/* What is judged of either side. */
const struct timing *pair_base(const struct pairs *pairs, size_t p);
const struct timing *pair_now(const struct pairs *pairs, size_t p);

/* The shorter of a timed pair's times. */
double pair_us(const struct pair *pair);

/* BASE is marked near_empty: much of its time is launching. NEW's mark does not
 * count, as it would widen the limit that NEW is judged by. */
bool pair_near_empty(const struct pair *pair);

#endif
