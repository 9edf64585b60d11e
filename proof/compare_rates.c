/* SPDX-License-Identifier: MIT
 *
 * Measures how often `scanbench compare` is wrong, by runs of one build, with
 * and without changes of known size added:
 *
 *   compare_rates SET...          SET is a folder of runs of one build on one
 *                                 card, such as a/ and b/ of proof/aa.sh
 *   compare_rates --slowed PCT RUN   the copies of variants/broken/slowed.cu,
 *                                 which take 1 and PCT per cent longer
 *
 * The processes of a set are pooled, and compared by every split into two
 * halves (ten for six processes). Prints a Markdown table. Exit status: 0 all
 * is met, 1 if not, 2 usage or bad input.
 */
#include "proof/aa_set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/stats.h"
#include "src/analyse/comparison.h"
#include "src/runs/run_folder.h"

enum { MOST_SETS = 32 };

static const struct floors floors = { 0.02, 0.5 };
static const struct plant nothing = { .factor = 1 };

enum length { BELOW_10, BELOW_20, BELOW_50, BELOW_200, LONGER, LENGTHS };
static const double ends_us[LENGTHS] = { 10, 20, 50, 200, INFINITY };
static const char *const length_names[LENGTHS] = {
    "below 10 us", "10 to 20 us", "20 to 50 us", "50 to 200 us", "200 us on",
};

struct rates {
    size_t comparisons, with_alarm; /* an alarm is slower or faster where
                                       nothing was planted, or broken */
    size_t cells, alarms;
    size_t planted[LENGTHS], seen[LENGTHS]; /* seen as slower */
    size_t proven[LENGTHS];                 /* planted, but called unchanged */
    size_t families, families_seen;
};

static enum length length_of(const struct judged *cell)
{
    enum length length = BELOW_10;
    while (pair_us(cell->pair) >= ends_us[length])
        ++length;
    return length;
}

static void count_cells(struct rates *rates, const struct aa_set *set,
                        const struct comparison *c, const struct plant *plant)
{
    size_t alarms = 0, seen = 0, cell = 0, r = 0;
    for (size_t k = 0; k < c->pairs.count; ++k) {
        const struct judged *one = &c->cells[k];
        /* Counts up to the cell's number in the set. */
        while (run_cell_order(&set->pool.row[r], one->pair->base.row))
            cell +=
                run_cell_order(&set->pool.row[r], &set->pool.row[r + 1]) != 0,
                ++r;
        if (one->verdict == VERDICT_UNMEASURED)
            continue;
        ++rates->cells;
        if ((plant->factor != 1 || plant->add_us > 0) &&
            plant_in(plant, one->pair->base.row, cell)) {
            const enum length length = length_of(one);
            ++rates->planted[length];
            rates->seen[length] += one->verdict == VERDICT_SLOWER;
            rates->proven[length] += one->verdict == VERDICT_UNCHANGED;
            seen += one->verdict == VERDICT_SLOWER;
        } else {
            alarms += one->verdict == VERDICT_SLOWER ||
                      one->verdict == VERDICT_FASTER ||
                      one->verdict == VERDICT_BROKEN;
        }
    }
    ++rates->comparisons;
    rates->with_alarm += alarms > 0;
    rates->alarms += alarms;
    rates->families_seen += plant->family && seen;
    rates->families += plant->family != NULL;
}

static void compare_split(struct rates *rates, const struct aa_set *set,
                          unsigned split, const struct plant *plant)
{
    const unsigned all = (1u << set->processes) - 1;
    struct run_folder base = aa_side(set, split,
                                     &(struct plant){ .factor = 1,
                                                      .family = plant->family,
                                                      .alone = plant->alone });
    struct run_folder now = aa_side(set, all & ~split, plant);
    struct comparison c = compare_runs(&base, &now, &floors, COMPARE_TIMES);
    count_cells(rates, set, &c, plant);
    comparison_free(&c);
    free(base.rows.row);
    free(now.rows.row);
}

static void compare_all(struct rates *rates, const struct aa_set *set,
                        const struct plant *plant)
{
    unsigned split[AA_MOST_SPLITS];
    const size_t count = aa_splits(set->processes, split);
    for (size_t s = 0; s < count; ++s)
        compare_split(rates, set, split[s], plant);
}

/* Plants a change in each family once, in the next of the splits. */
static void compare_families(struct rates *rates, const struct aa_set *set,
                             struct plant plant)
{
    unsigned split[AA_MOST_SPLITS];
    const size_t count = aa_splits(set->processes, split);
    const struct row *row = set->pool.row;
    const char **done = calloc(set->pool.count + 1, sizeof *done);
    size_t families = 0;
    for (size_t r = 0; r < set->pool.count; ++r) {
        size_t k = 0;
        while (done && k < families && strcmp(done[k], row[r].family) != 0)
            ++k;
        if (k < families || !run_row_timed(&row[r]))
            continue;
        plant.family = done[families++] = row[r].family;
        compare_split(rates, set, split[families % count], &plant);
    }
    free(done);
}

/* --------------------------------------------------------------- findings */

static bool missed;

static void heads(void)
{
    puts("| what | wanted | found | |\n| --- | --- | --- | --- |");
}

static void finding(const char *what, const char *wanted, size_t part,
                    size_t of, int met)
{
    printf("| %s | %s | %zu of %zu, %.2f %% | %s |\n", what, wanted, part, of,
           100.0 * (double)part / (double)(of ? of : 1),
           met < 0 ? ""
           : met   ? "met"
                   : "**missed**");
    missed = missed || !met;
}

static bool share_is(size_t part, size_t of, double least, double most)
{
    return of && (double)part >= least * (double)of &&
           (double)part <= most * (double)of;
}

static void find_seen(const char *planted, const struct rates *rates,
                      double wanted)
{
    char what[160], least[40];
    const size_t cells = rates->planted[BELOW_200] + rates->planted[LONGER];
    const size_t seen = rates->seen[BELOW_200] + rates->seen[LONGER];
    snprintf(what, sizeof what, "%s: cells from 50 us on called `slower`",
             planted);
    snprintf(least, sizeof least, "at least %.0f %%", 100 * wanted);
    finding(what, least, seen, cells, share_is(seen, cells, wanted, 1));
    for (int l = 0; l < LENGTHS; ++l) {
        snprintf(what, sizeof what, "%s, %s", planted, length_names[l]);
        finding(what, "reported", rates->seen[l], rates->planted[l], -1);
    }
}

static void find_added(const char *what, const struct rates *rates)
{
    size_t seen = 0, planted = 0;
    for (int l = 0; l < LENGTHS; ++l) {
        seen += rates->seen[l];
        planted += rates->planted[l];
    }
    finding(what, "reported", seen, planted, -1);
}

static void find_families(const char *what, const struct rates *rates)
{
    finding(what, "at least 95 %", rates->families_seen, rates->families,
            share_is(rates->families_seen, rates->families, 0.95, 1));
}

static void report(const struct aa_set *sets, size_t count)
{
    static const struct plant three = { .factor = 1.03, .one_in = 20 };
    static const struct plant ten = { .factor = 1.1, .one_in = 20 };
    static const struct plant added = { .factor = 1, .add_us = 3 };
    static const struct plant alone = { .factor = 1, .add_us = 3, .alone = 1 };
    struct rates same = { 0 }, slow = { 0 }, slow_five = { 0 }, all = { 0 },
                 family = { 0 }, family_alone = { 0 }, tenth = { 0 };
    for (size_t s = 0; s < count; ++s) {
        compare_all(&same, &sets[s], &nothing);
        compare_all(&slow, &sets[s], &three);
        compare_all(&tenth, &sets[s], &ten);
        compare_all(&all, &sets[s], &added);
        compare_families(&family, &sets[s], added);
        compare_families(&family_alone, &sets[s], alone);
        struct aa_set five = aa_resampled(&sets[s], 10);
        for (unsigned k = 0; k < 3; ++k)
            compare_split(&slow_five, &five, 0x1f << k, &three);
        free(five.pool.row);
    }
    heads();
    finding("no change: comparisons with a cell `slower`, `faster` or "
            "`broken`",
            "at most 5 %", same.with_alarm, same.comparisons,
            share_is(same.with_alarm, same.comparisons, 0, 0.05));
    finding("no change: such cells", "reported", same.alarms, same.cells, -1);
    find_seen("3 % longer, one cell in twenty", &slow, 0.85);
    finding("of what was not slowed there, called changed", "reported",
            slow.alarms, slow.cells, -1);
    find_seen("the same, of five processes, drawn", &slow_five, 0.95);
    finding("10 % longer, below 10 us: called `unchanged`", "none",
            tenth.proven[BELOW_10], tenth.planted[BELOW_10],
            tenth.proven[BELOW_10] == 0);
    find_added("3 us longer, all cells: called `slower`", &all);
    find_families("3 us longer, all cells of a family: families with a cell "
                  "`slower`",
                  &family);
    find_added("their cells", &family);
    find_families("the same where nothing else is compared", &family_alone);
    find_added("their cells", &family_alone);
}

/* ------------------------------------------------------- the slowed copies */

/* Returns the rows of one of the points, under a common name. */
static struct run_folder point_of(const struct run_folder *run, int pct)
{
    struct run_folder point = *run;
    char name[32];
    snprintf(name, sizeof name, "slowed_p%d", pct);
    point.rows.row = calloc(run->rows.count + 1, sizeof *point.rows.row);
    point.rows.count = 0;
    for (size_t r = 0; point.rows.row && r < run->rows.count; ++r)
        if (strcmp(run->rows.row[r].variant, name) == 0) {
            point.rows.row[point.rows.count] = run->rows.row[r];
            point.rows.row[point.rows.count++].variant = "slowed";
        }
    return point;
}

/* The cells of a range of times: their number, those with the verdict, and the
 * median ratio. */
struct found {
    size_t cells, verdict;
    double ratio;
};

static struct found find(const struct comparison *c, double least_us,
                         double most_us, enum verdict verdict)
{
    double *ratios = calloc(c->pairs.count + 1, sizeof *ratios);
    struct found found = { .cells = 0 };
    for (size_t k = 0; ratios && k < c->pairs.count; ++k) {
        const struct judged *cell = &c->cells[k];
        if (!(cell->pair->base.us > least_us && cell->pair->base.us <= most_us))
            continue;
        found.verdict += cell->verdict == verdict;
        if (isfinite(cell->time_ratio))
            ratios[found.cells] = cell->time_ratio;
        ++found.cells;
    }
    found.ratio = stats_of(ratios, found.cells).median;
    free(ratios);
    return found;
}

static void compare_point(const struct run_folder *run, int pct, bool seen)
{
    struct run_folder base = point_of(run, 0), now = point_of(run, pct);
    struct comparison c = compare_runs(&base, &now, &floors, COMPARE_TIMES);
    const struct found slower = find(&c, 20, INFINITY, VERDICT_SLOWER);
    const struct found brief = find(&c, 0, 20, VERDICT_SLOWER);
    const struct found faster = find(&c, 0, INFINITY, VERDICT_FASTER);
    char what[120];
    snprintf(what, sizeof what, "%d %% longer, cells above 20 us: `slower`",
             pct);
    finding(what, seen ? "at least 95 %" : "reported", slower.verdict,
            slower.cells,
            seen ? share_is(slower.verdict, slower.cells, 0.95, 1) : -1);
    printf("| how much longer they were measured to take (median) | reported "
           "| %+.2f %% |  |\n",
           100 * (slower.ratio - 1));
    snprintf(what, sizeof what, "%d %% longer, shorter cells: `slower`", pct);
    finding(what, "reported", brief.verdict, brief.cells, -1);
    snprintf(what, sizeof what, "%d %% longer, all cells: `faster`", pct);
    finding(what, "none", faster.verdict, faster.cells, !faster.verdict);
    comparison_free(&c);
    free(base.rows.row);
    free(now.rows.row);
}

static int slowed(const char *pct, const char *path)
{
    struct run_folder run;
    if (!run_folder_read(&run, path, &aa_listener))
        return 2;
    heads();
    compare_point(&run, atoi(pct), true);
    compare_point(&run, 1, false);
    run_folder_free(&run);
    return missed;
}

int main(int argc, char **argv)
{
    static struct aa_set sets[MOST_SETS];
    size_t count = 0;
    if (argc == 4 && strcmp(argv[1], "--slowed") == 0)
        return slowed(argv[2], argv[3]);
    if (argc < 2 || argc - 1 > MOST_SETS || argv[1][0] == '-') {
        fputs("compare_rates SET... | --slowed PCT RUN\n", stderr);
        return 2;
    }
    for (int a = 1; a < argc; ++a)
        if (!aa_set_read(&sets[count++], argv[a]))
            return 2;
    report(sets, count);
    while (count)
        aa_set_free(&sets[--count]);
    return missed;
}
