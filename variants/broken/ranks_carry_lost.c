/* SPDX-License-Identifier: MIT
 *
 * Bug      The last rank scans its last line without the carry that enters it.
 * Shows    a line of three ranks, behind where the last one begins.
 */
#include "variants/broken/ranks_bug.h"

static int launch(const struct problem *p, void *stream)
{
    const struct ranks *ranks = p->ranks;
    (void)stream;
    int error = local_each_totals(ranks);
    if (!error)
        error = local_gather(ranks, false);
    for (int r = 1; r < ranks->count && !error; ++r) {
        const struct local *local = local_of(ranks, r);
        /* the bug: of the last rank one line's is left out */
        const bool last = r + 1 == ranks->count;
        const struct lines lines = { 0, ranks->lines - last };
        error = local ? local->carry(ranks, r, lines, 0, ranks->rank[r].stream)
                      : -1;
    }
    return error ? error : local_each_scan(ranks);
}

VARIANTS(broken__ranks_carry_lost) = {
    RANKS_BUG("ranks_carry_lost", "one line of one rank gets no carry"),
    { 0 },
};
