/* SPDX-License-Identifier: MIT
 *
 * Who serves a set of cells best, and where to cut it in two. Costs are whole
 * numbers of LEARNER_UNIT, so that every machine learns the same rules.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/judge/learner.h"

#include "src/base/memory.h"

enum {
    OWN_CHOICES = 3,   /* of a leaf; its others are those of its parents */
    SPLIT_GAIN = 3000, /* what a split must save: cells times log of time */
    UNFIT = 300000,    /* what a choice loses that is slow or unknown */
    NEAR = 10000,      /* a candidate comes that near to the winner somewhere */
    MAX_CANDIDATES = 128 /* two words of bits */
};

/* What one tree is grown from: the cells that it may know, and a dense table of
 * what each candidate loses in each. */
struct grower {
    const struct learner *learner;
    const struct learner_cell **cell;
    int count;
    int candidates;
    int candidate[MAX_CANDIDATES]; /* points */
    int32_t *cost;                 /* [cell * candidates + candidate] */
    uint64_t (*timed)[2];          /* [cell], bits of candidates */
    uint64_t (*refuses)[2];        /* the same */
    int sure;                      /* a point that refuses nothing; or -1 */
    struct learner_rules *rules;
    int class;
    int64_t *values;        /* room for a part's values */
    int *lent, taken, room; /* room for parts, taken and given back in turn */
};

/* Cells, by their places in the grower. */
struct part {
    int *cell, count;
};

struct box {
    signed char low[RULE_FEATURES], high[RULE_FEATURES];
};

struct chosen {
    int candidate[OWN_CHOICES], count;
};

/* A tree is not deeper than its features have powers of two. */
enum { DEPTH_MOST = RULE_FEATURES * RULE_NO_BOUND };

static int *take(struct grower *g, int count)
{
    g->taken += count;
    if (g->taken > g->room)
        abort();
    return g->lent + g->taken - count;
}

static void give_back(struct grower *g, int count)
{
    g->taken -= count;
}

static bool has(const uint64_t bits[2], int place)
{
    return bits[place / 64] >> (place % 64) & 1;
}

/* ------------------------------------------------------- who serves a part */

/* The candidate that loses least in a part, of those that serve a cell of it;
 * or -1. */
static int least_loss(struct grower *g, const int *cell, int count)
{
    int32_t sum[MAX_CANDIDATES] = { 0 };
    uint64_t serves[2] = { 0 };
    int least = -1;
    for (int k = 0; k < count; ++k) {
        const int32_t *cost = &g->cost[cell[k] * g->candidates];
        for (int c = 0; c < g->candidates; ++c)
            sum[c] += cost[c];
        serves[0] |= g->timed[cell[k]][0];
        serves[1] |= g->timed[cell[k]][1];
    }
    for (int c = 0; c < g->candidates; ++c)
        if (has(serves, c) && (least < 0 || sum[c] < sum[least]))
            least = c;
    return least;
}

/* What the best short list loses in a part: its first serves, or loses UNFIT
 * in, all cells but those that it refuses, which are left to the next. */
static int64_t choose(struct grower *g, struct part part, struct chosen *chosen)
{
    int *left = take(g, part.count), count = part.count;
    int64_t lost = 0;
    memcpy(left, part.cell, (size_t)count * sizeof *left);
    chosen->count = 0;
    while (chosen->count < OWN_CHOICES && count) {
        const int best = least_loss(g, left, count);
        int kept = 0;
        if (best < 0)
            break;
        chosen->candidate[chosen->count++] = best;
        for (int k = 0; k < count; ++k)
            if (has(g->refuses[left[k]], best))
                left[kept++] = left[k];
            else
                lost += g->cost[left[k] * g->candidates + best];
        count = kept;
    }
    give_back(g, part.count);
    return lost + (int64_t)UNFIT * count;
}

static int64_t price(struct grower *g, struct part part)
{
    struct chosen chosen;
    return choose(g, part, &chosen);
}

/* --------------------------------------------------------- where to cut it */

static int64_t feature(struct grower *g, int cell, int what)
{
    return g->cell[cell]->features[what];
}

/* The part's cells below 2^power, or not below, into `room`. */
static struct part side(struct grower *g, struct part part, int what, int power,
                        bool below, int *room)
{
    struct part got = { room, 0 };
    for (int k = 0; k < part.count; ++k)
        if ((feature(g, part.cell[k], what) < (int64_t)1 << power) == below)
            room[got.count++] = part.cell[k];
    return got;
}

/* The power of two between two values, in their middle; -1: there is none. */
static int power_between(int64_t low, int64_t high)
{
    const double middle = (log2((double)low) + log2((double)high)) / 2;
    int power = low > 0 ? (int)(middle + 1) : 1;
    while (power < 62 && (int64_t)1 << power <= low)
        ++power;
    while (power > 0 && (int64_t)1 << power > high)
        --power;
    return (int64_t)1 << power > low ? power : -1;
}

static int ascending(const void *left, const void *right)
{
    const int64_t l = *(const int64_t *)left, r = *(const int64_t *)right;
    return (l > r) - (l < r);
}

/* The powers of two between neighbouring values of a feature. */
static int cuts(struct grower *g, struct part part, int what,
                signed char powers[RULE_NO_BOUND])
{
    int64_t *value = g->values;
    int count = 0;
    for (int k = 0; k < part.count; ++k)
        value[k] = feature(g, part.cell[k], what);
    qsort(value, (size_t)part.count, sizeof *value, ascending);
    for (int k = 1; k < part.count; ++k) {
        const int power = value[k - 1] < value[k]
                              ? power_between(value[k - 1], value[k])
                              : -1;
        if (power >= 0 && (!count || powers[count - 1] != power))
            powers[count++] = (signed char)power;
    }
    return count;
}

/* What a part loses, the price of a split included, if it may be cut once
 * `more`; not told exactly where that is `most` or above. */
static int64_t after_cuts(struct grower *g, struct part part, bool more,
                          int64_t most)
{
    int64_t best = price(g, part);
    int *room = take(g, part.count);
    signed char powers[RULE_NO_BOUND];
    best = best < most ? best : most;
    for (int what = 0; more && what < RULE_FEATURES && best > SPLIT_GAIN;
         ++what) {
        const int count = cuts(g, part, what, powers);
        for (int k = 0; k < count; ++k) {
            int64_t cost = SPLIT_GAIN +
                           price(g, side(g, part, what, powers[k], true, room));
            if (cost < best)
                cost += price(g, side(g, part, what, powers[k], false, room));
            if (cost < best)
                best = cost;
        }
    }
    give_back(g, part.count);
    return best;
}

struct cut {
    int what, power;
};

/* Where a part that loses `lost` is best cut, if either side may be cut once
 * `more`. False: nowhere, for what it would save. */
static bool cut_ahead(struct grower *g, struct part part, int64_t lost,
                      bool more, struct cut *cut)
{
    int64_t best = lost - SPLIT_GAIN;
    int *room = take(g, part.count);
    signed char powers[RULE_NO_BOUND];
    bool found = false;
    for (int what = 0; what < RULE_FEATURES && best > 0; ++what) {
        const int count = cuts(g, part, what, powers);
        for (int k = 0; k < count; ++k) {
            int64_t cost = after_cuts(
                g, side(g, part, what, powers[k], true, room), more, best);
            if (cost >= best)
                continue;
            cost += after_cuts(g, side(g, part, what, powers[k], false, room),
                               more, best);
            if (cost >= best)
                continue;
            best = cost;
            *cut = (struct cut){ what, powers[k] };
            found = true;
        }
    }
    give_back(g, part.count);
    return found;
}

/* -------------------------------------------------------------- the leaves */

/* What a leaf chose, then what the parts around it did. */
struct choices {
    int point[64], count;
};

static void add_choice(struct choices *choices, int point)
{
    for (int k = 0; k < choices->count; ++k)
        if (choices->point[k] == point)
            return;
    if (point >= 0 && choices->count < 64)
        choices->point[choices->count++] = point;
}

/* The first RULE_CHOICES, of which one refuses nothing. */
static void leaf(struct grower *g, struct box box, const struct choices *list)
{
    struct learner_rules *rules = g->rules;
    bool sure = g->sure < 0;
    if (rules->count == rules->room) {
        rules->room = rules->room ? 2 * rules->room : 64;
        rules->rule =
            memory_grown(rules->rule, rules->room, sizeof *rules->rule);
    }
    struct learner_rule *rule = &rules->rule[rules->count++];
    rule->class = g->class;
    memcpy(rule->low, box.low, sizeof box.low);
    memcpy(rule->high, box.high, sizeof box.high);
    for (int k = 0; k < RULE_CHOICES; ++k) {
        int point = k < list->count ? list->point[k] : -1;
        if (!sure && (point < 0 || k == RULE_CHOICES - 1))
            point = g->sure;
        sure = sure || point == g->sure;
        rule->choices[k] = point;
    }
}

/* Grows the tree of a part; `parents` is what the parts around it chose. */
static void grow(struct grower *g, struct part part, struct box box,
                 const struct choices *parents)
{
    struct chosen own;
    struct choices list = { .count = 0 };
    struct cut cut;
    const int64_t lost = choose(g, part, &own);
    for (int k = 0; k < own.count; ++k)
        add_choice(&list, g->candidate[own.candidate[k]]);
    for (int k = 0; k < parents->count; ++k)
        add_choice(&list, parents->point[k]);
    /* One cut may save nothing that a second one makes worth while. */
    if (!cut_ahead(g, part, lost, false, &cut) &&
        !cut_ahead(g, part, lost, true, &cut)) {
        leaf(g, box, &list);
        return;
    }
    int *room = take(g, part.count);
    struct box half = box;
    half.high[cut.what] = (signed char)cut.power;
    grow(g, side(g, part, cut.what, cut.power, true, room), half, &list);
    half = box;
    half.low[cut.what] = (signed char)cut.power;
    grow(g, side(g, part, cut.what, cut.power, false, room), half, &list);
    give_back(g, part.count);
}

/* ------------------------------------------------------ what it grows from */

static bool of_root(const struct learner_cell *cell, int root)
{
    const bool strided = cell->features[RULE_FEATURE_INNER] >= 2;
    return learner_class(cell->op) == root / 2 && strided == root % 2 &&
           learner_trusts(cell);
}

/* Who comes near to a winner anywhere in the class; the whole class, so that a
 * shape that is held out changes the tree and not the field. */
static void find_candidates(struct grower *g)
{
    const struct learner *learner = g->learner;
    const bool *fails = &learner->fails[g->class * learner->point_count];
    for (int p = 0; p < learner->point_count; ++p) {
        bool near = false;
        for (size_t c = 0; c < learner->count && !near; ++c) {
            const struct learner_cell *cell = &learner->cells[c];
            near = learner_class(cell->op) == g->class &&
                   learner_trusts(cell) && cell->loss[p] >= 0 &&
                   cell->loss[p] < NEAR;
        }
        if (near && !fails[p] && g->candidates < MAX_CANDIDATES)
            g->candidate[g->candidates++] = p;
    }
}

static void find_cells(struct grower *g, int root, const struct shape *without)
{
    const struct learner *learner = g->learner;
    g->cell = memory_for(learner->count, sizeof *g->cell);
    for (size_t c = 0; c < learner->count; ++c) {
        const struct learner_cell *cell = &learner->cells[c];
        if (of_root(cell, root) &&
            !(without && shape_equal(cell->shape, *without)))
            g->cell[g->count++] = cell;
    }
}

static void fill_costs(struct grower *g)
{
    g->cost =
        memory_for((size_t)g->count * (size_t)g->candidates, sizeof *g->cost);
    g->timed = memory_for((size_t)g->count, sizeof *g->timed);
    g->refuses = memory_for((size_t)g->count, sizeof *g->refuses);
    for (int k = 0; k < g->count; ++k)
        for (int c = 0; c < g->candidates; ++c) {
            const int32_t loss = g->cell[k]->loss[g->candidate[c]];
            const uint64_t bit = (uint64_t)1 << (c % 64);
            g->cost[k * g->candidates + c] = loss >= 0                 ? loss
                                             : loss == LEARNER_REFUSES ? 0
                                                                       : UNFIT;
            if (loss >= 0)
                g->timed[k][c / 64] |= bit;
            if (loss == LEARNER_REFUSES)
                g->refuses[k][c / 64] |= bit;
        }
}

/* Of the variants that refuse nothing in the root's cells the one that loses
 * least: it serves where a rule's own choices refuse, between what was
 * measured. */
static int never_refuses(struct grower *g)
{
    const struct learner *learner = g->learner;
    const bool *fails = &learner->fails[g->class * learner->point_count];
    int64_t least = 0;
    int best = -1;
    for (int p = 0; p < learner->point_count; ++p) {
        int64_t sum = 0;
        bool serves = false, refuses = fails[p];
        for (int k = 0; k < g->count && !refuses; ++k) {
            const int32_t loss = g->cell[k]->loss[p];
            refuses = loss == LEARNER_REFUSES;
            serves |= loss >= 0;
            sum += loss >= 0 ? loss : UNFIT;
        }
        if (serves && !refuses && (best < 0 || sum < least)) {
            least = sum;
            best = p;
        }
    }
    return best;
}

void learner_grow(const struct learner *learner, int root,
                  const struct shape *without, struct learner_rules *rules)
{
    struct grower g = { .learner = learner, .class = root / 2, .rules = rules };
    struct box box = { .high = { 63, 63, 63, 63, 63 } };
    const struct choices none = { .count = 0 };
    find_candidates(&g);
    find_cells(&g, root, without);
    fill_costs(&g);
    g.sure = never_refuses(&g);
    g.values = memory_for((size_t)g.count, sizeof *g.values);
    g.room = g.count * (DEPTH_MOST + 4);
    g.lent = memory_for((size_t)g.room, sizeof *g.lent);
    int *all = take(&g, g.count);
    for (int k = 0; k < g.count; ++k)
        all[k] = k;
    if (root % 2)
        box.low[RULE_FEATURE_INNER] = 1;
    else
        box.high[RULE_FEATURE_INNER] = 1;
    if (g.candidates && g.count)
        grow(&g, (struct part){ all, g.count }, box, &none);
    free(g.values);
    free(g.lent);
    free(g.cell);
    free(g.cost);
    free(g.timed);
    free(g.refuses);
}

/* --------------------------------------------------------- following them */

static bool in_range(signed char low, signed char high, int64_t value)
{
    return (low == 0 || value >= (int64_t)1 << low) &&
           (high == RULE_NO_BOUND || value < (int64_t)1 << high);
}

bool learner_serves(const struct learner_rule *rule,
                    const struct learner_cell *cell)
{
    if (learner_class(cell->op) != rule->class)
        return false;
    for (int k = 0; k < RULE_FEATURES; ++k)
        if (!in_range(rule->low[k], rule->high[k], cell->features[k]))
            return false;
    return true;
}

int learner_choice(const struct learner_rule *rule,
                   const struct learner_cell *cell)
{
    for (int k = 0; k < RULE_CHOICES; ++k)
        if (rule->choices[k] >= 0 &&
            cell->loss[rule->choices[k]] != LEARNER_REFUSES)
            return rule->choices[k];
    return -1;
}
