/* SPDX-License-Identifier: MIT */
#include "src/analyse/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"
#include "src/base/stats.h"

/* Fewest short cells whose median shows how far the launch latency moved. */
enum { FEWEST_SHORT = 20 };

/* ------------------------------------------------------------- launching */

static double moved_us(const struct pairs *pairs, enum cache cache)
{
    double *moved = memory_for(pairs->count, sizeof *moved);
    size_t count = 0;
    for (size_t p = 0; p < pairs->count; ++p) {
        const struct pair *pair = &pairs->pair[p];
        if (pair_judged(pair) && pair->base.row->cache == cache &&
            pair->base.marks & pair->now.marks & MARK_NEAR_EMPTY &&
            pair->base.row->passes <= 1)
            moved[count++] = pair->now.us - pair->base.us;
    }
    const double median =
        count < FEWEST_SHORT ? NAN : stats_of(moved, count).median;
    free(moved);
    return median;
}

/* ---------------------------------------------------------- same variant */

/* A pair's scatter and its sort keys. */
struct scatter {
    size_t pair;
    const char *variant;
    enum cache cache;
    double us, squares, degrees;
};

static int by_variant(const struct scatter *left, const struct scatter *right)
{
    const int order = strcmp(left->variant, right->variant);
    return order ? order : (int)left->cache - (int)right->cache;
}

static int by_variant_and_us(const void *left, const void *right)
{
    const struct scatter *l = left, *r = right;
    const int order = by_variant(l, r);
    return order ? order : (l->us > r->us) - (l->us < r->us);
}

/* Lists the timed pairs by their keys, each with the sums of squares and
 * degrees of all before it; one more entry has the totals. */
static size_t sort_scatter(struct scatter *of, const struct pairs *pairs)
{
    size_t count = 0;
    for (size_t p = 0; p < pairs->count; ++p) {
        const struct pair *pair = &pairs->pair[p];
        if (!pair_judged(pair))
            continue;
        const struct timing *base = &pair->base.timing;
        const struct timing *now = &pair->now.timing;
        const double degrees = (double)(base->processes + now->processes) - 2;
        of[count++] = (struct scatter){
            p,
            pair->base.row->variant,
            pair->base.row->cache,
            pair_us(pair),
            base->log_squares + now->log_squares,
            degrees,
        };
    }
    qsort(of, count, sizeof *of, by_variant_and_us);
    double squares = 0, degrees = 0;
    for (size_t k = 0; k <= count; ++k) {
        const struct scatter own = of[k];
        of[k].squares = squares;
        of[k].degrees = degrees;
        squares += own.squares;
        degrees += own.degrees;
    }
    return count;
}

static double *same_variant_sd(const struct pairs *pairs)
{
    struct scatter *of = memory_for(pairs->count + 1, sizeof *of);
    double *sd = memory_for(pairs->count, sizeof *sd);
    const size_t count = sort_scatter(of, pairs);
    for (size_t p = 0; p < pairs->count; ++p)
        sd[p] = NAN;
    /* Entries from `first` to before `next` take half to twice as long as k. */
    for (size_t k = 0, first = 0, next = 0; k < count; ++k) {
        while (by_variant(&of[first], &of[k]) || of[first].us < of[k].us / 2)
            ++first;
        next = next > k ? next : k;
        while (next < count && !by_variant(&of[next], &of[k]) &&
               of[next].us <= 2 * of[k].us)
            ++next;
        const double degrees = of[next].degrees - of[first].degrees;
        const double squares = of[next].squares - of[first].squares;
        if (degrees > 0)
            sd[of[k].pair] = sqrt(fmax(squares, 0) / degrees);
    }
    free(of);
    return sd;
}

/* ------------------------------------------------------------- the model */

struct noise noise_of(const struct pairs *pairs, const struct run_folder *base,
                      const struct floors *floors)
{
    struct noise noise = { .floors = *floors,
                           .same_variant_sd = same_variant_sd(pairs) };
    for (int c = 0; c < CACHE_COUNT; ++c) {
        noise.launch_us[c] = run_fact_number(base, cache_empty_keys[c]) / 3;
        noise.moved_us[c] = moved_us(pairs, (enum cache)c);
    }
    return noise;
}

struct limits noise_limits(const struct noise *noise, const struct pairs *pairs,
                           size_t p)
{
    const struct pair *pair = &pairs->pair[p];
    const struct timing *base = &pair->base.timing, *now = &pair->now.timing;
    const enum cache cache = pair->base.row->cache;
    const double moved =
        fmin(fabs(noise->moved_us[cache]), NOISE_MOST_MOVED_US);
    const double kernels = 1 + fmax(pair->base.row->passes, 1);
    double us = noise->floors.absolute_us;
    if (!isnan(noise->moved_us[cache]))
        us = fmax(us, kernels * moved);
    if (pair_near_empty(pair))
        us = fmax(us, noise->launch_us[cache]);
    const double same = fmax(noise->floors.relative, us / pair_us(pair));
    double change = fmax(same, 4 * noise->same_variant_sd[p] *
                                   sqrt(change_per_process(base, now)));
    if (base->processes < NOISE_ENOUGH_PROCESSES ||
        now->processes < NOISE_ENOUGH_PROCESSES)
        change = fmax(change, NOISE_FEW_LIMIT);
    return (struct limits){ change, same };
}
