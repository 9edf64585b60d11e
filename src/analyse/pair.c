/* SPDX-License-Identifier: MIT */
#include "src/analyse/pair.h"

#include "src/base/memory.h"

#include <math.h>
#include <stdlib.h>

static void add(struct pairs *pairs, const struct pair *pair)
{
    if (!pair->now.row && !pairs->only_base++)
        pairs->first_only_base = pair->base.row;
    if (!pair->base.row && !pairs->only_now++)
        pairs->first_only_now = pair->now.row;
    if (pair->base.row && pair->now.row)
        pairs->pair[pairs->count++] = *pair;
}

struct pairs pairs_of(const struct run_rows *base, const struct run_rows *now,
                      bool by_share)
{
    struct pairs pairs = { .by_share = by_share };
    pairs.pair = memory_for(base->count, sizeof *pairs.pair);
    for (size_t b = 0, n = 0; b < base->count || n < now->count;) {
        size_t base_rows = base->count - b, now_rows = now->count - n;
        const int order = !base_rows ? 1
                          : !now_rows
                              ? -1
                              : run_cell_order(&base->row[b], &now->row[n]);
        struct pair pair = { .base = { .rows = 0 } };
        if (order <= 0) {
            pair.base = run_cell_of(&base->row[b], &base_rows);
            b += base_rows;
        }
        if (order >= 0) {
            pair.now = run_cell_of(&now->row[n], &now_rows);
            n += now_rows;
        }
        add(&pairs, &pair);
    }
    return pairs;
}

void pairs_free(struct pairs *pairs)
{
    free(pairs->pair);
    *pairs = (struct pairs){ 0 };
}

const struct timing *pair_base(const struct pairs *pairs, size_t p)
{
    const struct run_cell *cell = &pairs->pair[p].base;
    return pairs->by_share ? &cell->over_ceiling : &cell->timing;
}

const struct timing *pair_now(const struct pairs *pairs, size_t p)
{
    const struct run_cell *cell = &pairs->pair[p].now;
    return pairs->by_share ? &cell->over_ceiling : &cell->timing;
}

bool pair_timed(const struct pairs *pairs, size_t p)
{
    return run_cell_timed(&pairs->pair[p].base) &&
           run_cell_timed(&pairs->pair[p].now) &&
           isfinite(pair_base(pairs, p)->log_mean) &&
           isfinite(pair_now(pairs, p)->log_mean);
}

double pair_us(const struct pair *pair)
{
    return fmin(pair->base.us, pair->now.us);
}

bool pair_near_empty(const struct pair *pair)
{
    return pair->base.marks & MARK_NEAR_EMPTY;
}
