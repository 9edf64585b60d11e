/* SPDX-License-Identifier: MIT
 *
 * Bug      Totals are read as soon as a rank has published its own, and not
 *          when all before it have.
 * Shows    three ranks, once the input is another than the last time.
 */
#include "variants/broken/ranks_bug.h"

/* the bug: totals are read first, and published by the ranks before only then,
 * so that it does not take a race to see it */
static int launch(const struct problem *p, void *stream)
{
    const struct ranks *ranks = p->ranks;
    (void)stream;
    int error = local_each_totals(ranks);
    for (int r = ranks->count - 1; r >= 0 && !error; --r) {
        const struct local *local = local_of(ranks, r);
        void *const own = ranks->rank[r].stream;
        error = local ? local->publish(ranks, r, all_lines(ranks), 0, own) : -1;
        if (!error && r > 0)
            error = local->carry(ranks, r, all_lines(ranks), GATHERED, own);
        if (!error && r > 0)
            error = ranks->follow(own, ranks->rank[r - 1].stream);
    }
    return error ? error : local_each_scan(ranks);
}

VARIANTS(broken__ranks_flag_early) = {
    RANKS_BUG("ranks_flag_early", "reads totals that are not there yet"),
    { 0 },
};
