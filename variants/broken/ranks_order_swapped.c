/* SPDX-License-Identifier: MIT
 *
 * Bug      A carry is made of the totals of the ranks behind, not of those
 *          before.
 * Shows    three ranks, from where the second begins on.
 */
#include "variants/broken/ranks_bug.h"

static int launch(const struct problem *p, void *stream)
{
    const struct ranks *ranks = p->ranks;
    /* the bug: what comes behind is taken for what comes before */
    struct ranks turned = *ranks;
    turned.op = OP_CUMSUM_REVERSE;
    (void)stream;
    int error = local_each_totals(ranks);
    if (!error)
        error = local_gather(&turned, false);
    for (int r = 1; r < ranks->count && !error; ++r) {
        const struct local *local = local_of(ranks, r);
        error = local ? local->carry(&turned, r, all_lines(ranks), 0,
                                     ranks->rank[r].stream)
                      : -1;
    }
    return error ? error : local_each_scan(ranks);
}

VARIANTS(broken__ranks_order_swapped) = {
    RANKS_BUG("ranks_order_swapped", "ranks in the wrong order"),
    { 0 },
};
