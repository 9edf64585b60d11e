/* SPDX-License-Identifier: MIT
 *
 * Bug      The last rank scans a line more than its part has.
 * Shows    behind the part's output.
 */
#include "variants/broken/ranks_bug.h"

static int launch(const struct problem *p, void *stream)
{
    const int last = p->ranks->count - 1;
    struct ranks longer = *p->ranks;
    (void)stream;
    int error = local_each_totals(p->ranks);
    if (!error)
        error = local_gather(p->ranks, false);
    for (int r = 1; r <= last && !error; ++r) {
        const struct local *local = local_of(p->ranks, r);
        error = local ? local->carry(p->ranks, r, all_lines(p->ranks), 0,
                                     p->ranks->rank[r].stream)
                      : -1;
    }
    ++longer.rank[last].part.shape.outer; /* the bug */
    return error ? error : local_each_scan(&longer);
}

VARIANTS(broken__ranks_past_part) = {
    RANKS_BUG("ranks_past_part", "a rank scans a line too many"),
    { 0 },
};
