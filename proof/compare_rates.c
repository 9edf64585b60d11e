/* SPDX-License-Identifier: MIT
 *
 * How often is `scanbench compare` wrong? Asked of runs of one build, which
 * hold no change, and of the same with changes of a known size put in:
 *
 *   compare_rates SET...     a SET holds runs of one build on one card, such
 *                            as a/ and b/ of proof/aa.sh
 *
 * The processes of a set's runs are pooled, and split into two halves in every
 * way there is (ten ways of six processes): each split is a comparison. Exit
 * status 0 if all is met, 1 if not, 2 for usage or bad input.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/judge/comparison.h"

enum { MOST_SETS = 32, MOST_SPLITS = 512, PATH_BYTES = 4096 };

static const struct floors floors = { 0.02, 0.5 };

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);
    if (!memory)
        abort();
    return memory;
}

/* ------------------------------------------------------------------- sets */

/* The rows of all runs of a set, as those of one run. */
struct set {
    struct run_folder *run;
    size_t runs;
    struct run_rows pool; /* texts are the runs' */
    int processes;
};

static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    (void)context;
    fprintf(stderr, "compare_rates: %s:%lld: %s (%s)\n", path, (long long)line,
            problem, remedy);
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void pool_run(struct set *set, const struct run_rows *rows)
{
    int most = -1;
    for (size_t r = 0; r < rows->count; ++r) {
        struct run_row row = rows->row[r];
        most = row.process > most ? (int)row.process : most;
        row.process += set->processes;
        set->pool.row[set->pool.count++] = row;
    }
    set->processes += most + 1;
}

static bool read_set(struct set *set, const char *path)
{
    const struct listener listener = { hear, NULL };
    struct dirent **entry;
    const int count = scandir(path, &entry, is_visible, by_name);
    size_t rows = 0;
    bool ok = count > 0;
    *set =
        (struct set){ .run = allocate((size_t)abs(count), sizeof *set->run) };
    for (int e = 0; e < count; ++e) {
        char *own = allocate(PATH_BYTES, 1);
        snprintf(own, PATH_BYTES, "%s/%s", path, entry[e]->d_name);
        ok = run_folder_read(&set->run[set->runs], own, &listener) && ok;
        rows += set->run[set->runs++].rows.count;
        free(entry[e]);
    }
    if (count >= 0)
        free(entry);
    set->pool.row = allocate(rows, sizeof *set->pool.row);
    for (size_t r = 0; r < set->runs; ++r)
        pool_run(set, &set->run[r].rows);
    run_rows_sort(&set->pool);
    if (!ok || set->processes < 4 || set->processes > 16 ||
        set->processes % 2) {
        fprintf(stderr,
                "compare_rates: %s: no runs with an even number of processes, "
                "4 to 16\n",
                path);
        return false;
    }
    return true;
}

/* ------------------------------------------------------- sides of a split */

/* A change that is put into the cells that it chooses. */
struct plant {
    double factor, add_us;
    const char *family; /* only of this one; NULL: of all */
    bool alone;         /* other families are left out of the comparison */
    int one_in;         /* only so many, spread evenly; 0: all */
};

static const struct plant nothing = { .factor = 1 };

/* The same cells whatever the split: by where the cell's first row stands. */
static bool is_planted(const struct plant *plant, const struct run_row *row,
                       size_t cell)
{
    if (plant->family && strcmp(plant->family, row->family) != 0)
        return false;
    return !plant->one_in ||
           cell * 2654435761u % 65536 < 65536u / (unsigned)plant->one_in;
}

static void slow_down(struct run_row *row, const struct plant *plant)
{
    const double factor =
        plant->factor * (row->median_us + plant->add_us) / row->median_us;
    row->median_us *= factor;
    row->low_us *= factor;
    row->high_us *= factor;
    row->gbps /= factor;
    row->pct_ceiling /= factor;
}

/* The rows of the processes in `mask` as a run, with its memory. */
static struct run_folder side_of(const struct set *set, unsigned mask,
                                 const struct plant *plant)
{
    struct run_folder side = { .path = "side",
                               .manifest = set->run[0].manifest };
    const struct run_row *from = set->pool.row;
    size_t cell = 0;
    side.rows.row = allocate(set->pool.count, sizeof *side.rows.row);
    for (size_t r = 0; r < set->pool.count; ++r) {
        cell += r && run_cell_order(&from[r - 1], &from[r]);
        if (!(mask >> from[r].process & 1) ||
            (plant->alone && strcmp(plant->family, from[r].family) != 0))
            continue;
        struct run_row *row = &side.rows.row[side.rows.count++];
        *row = from[r];
        if (is_planted(plant, row, cell))
            slow_down(row, plant);
    }
    return side;
}

/* Every way to halve the processes; returns how many. */
static size_t splits_of(int processes, unsigned split[MOST_SPLITS])
{
    size_t count = 0;
    for (unsigned mask = 1; mask < 1u << processes && count < MOST_SPLITS;
         mask += 2) /* with the first one, or each would come twice */
        if (__builtin_popcount(mask) == processes / 2)
            split[count++] = mask;
    return count;
}

/* ------------------------------------------------------------- resampling */

static uint64_t state;

static double uniform(void) /* splitmix64; in (0, 1) */
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) / 4503599627370496.0;
}

/* A set of more processes than were measured: each cell's times are drawn, with
 * replacement, from how its processes lay about their mean, n / (n - 1) times
 * the variance. Cells that some process did not time are left out. */
static struct set resampled(const struct set *set, int processes)
{
    struct set more = { .run = set->run, .processes = processes };
    const struct run_row *from = set->pool.row;
    more.pool.row =
        allocate(set->pool.count * (size_t)processes, sizeof *more.pool.row);
    for (size_t r = 0, count; r < set->pool.count; r += count) {
        count = set->pool.count - r;
        const struct run_cell cell = run_cell_of(&from[r], &count);
        if (!run_cell_timed(&cell) || cell.dropped || count < 2)
            continue;
        const double wider = sqrt((double)count / (double)(count - 1));
        for (int p = 0; p < processes; ++p) {
            const struct run_row *drawn =
                &from[r + (size_t)(uniform() * (double)count)];
            const double us = cell.us * pow(drawn->median_us / cell.us, wider);
            struct run_row *row = &more.pool.row[more.pool.count++];
            *row = *drawn;
            row->process = p;
            slow_down(row, &(struct plant){ .factor = us / drawn->median_us });
        }
    }
    return more;
}

/* ------------------------------------------------------------ comparisons */

enum length { BELOW_10, BELOW_20, BELOW_50, BELOW_200, LONGER, LENGTHS };
static const double ends_us[LENGTHS] = { 10, 20, 50, 200, INFINITY };
static const char *const length_names[LENGTHS] = {
    "below 10 us", "10 to 20 us", "20 to 50 us", "50 to 200 us", "200 us on",
};

struct rates {
    size_t comparisons, with_alarm; /* slower or faster where nothing was
                                       planted, or broken */
    size_t cells, alarms;
    size_t planted[LENGTHS], seen[LENGTHS]; /* seen: slower */
    size_t proven[LENGTHS]; /* planted ones that were called unchanged */
    size_t families, families_seen;
};

static enum length length_of(const struct judged *cell)
{
    enum length length = BELOW_10;
    while (pair_us(cell->pair) >= ends_us[length])
        ++length;
    return length;
}

static void count_cells(struct rates *rates, const struct set *set,
                        const struct comparison *c, const struct plant *plant)
{
    size_t alarms = 0, seen = 0, cell = 0, r = 0;
    for (size_t k = 0; k < c->pairs.count; ++k) {
        const struct judged *one = &c->cells[k];
        /* Which of the set's cells it is. */
        while (run_cell_order(&set->pool.row[r], one->pair->base.row))
            cell +=
                run_cell_order(&set->pool.row[r], &set->pool.row[r + 1]) != 0,
                ++r;
        if (one->verdict == VERDICT_UNMEASURED)
            continue;
        ++rates->cells;
        if ((plant->factor != 1 || plant->add_us > 0) &&
            is_planted(plant, one->pair->base.row, cell)) {
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

static void compare_split(struct rates *rates, const struct set *set,
                          unsigned split, const struct plant *plant)
{
    const unsigned all = (1u << set->processes) - 1;
    struct run_folder base = side_of(set, split,
                                     &(struct plant){ .factor = 1,
                                                      .family = plant->family,
                                                      .alone = plant->alone });
    struct run_folder now = side_of(set, all & ~split, plant);
    struct comparison c = compare_runs(&base, &now, &floors, COMPARE_TIMES);
    count_cells(rates, set, &c, plant);
    comparison_free(&c);
    free(base.rows.row);
    free(now.rows.row);
}

static void compare_all(struct rates *rates, const struct set *set,
                        const struct plant *plant)
{
    unsigned split[MOST_SPLITS];
    const size_t count = splits_of(set->processes, split);
    for (size_t s = 0; s < count; ++s)
        compare_split(rates, set, split[s], plant);
}

/* A change in every family in turn, once each: the splits take turns. */
static void compare_families(struct rates *rates, const struct set *set,
                             struct plant plant)
{
    unsigned split[MOST_SPLITS];
    const size_t count = splits_of(set->processes, split);
    const struct run_row *row = set->pool.row;
    const char **done = allocate(set->pool.count, sizeof *done);
    size_t families = 0;
    for (size_t r = 0; r < set->pool.count; ++r) {
        size_t k = 0;
        while (k < families && strcmp(done[k], row[r].family) != 0)
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

static void report(const struct set *sets, size_t count)
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
        struct set five = resampled(&sets[s], 10);
        for (unsigned k = 0; k < 3; ++k)
            compare_split(&slow_five, &five, 0x1f << k, &three);
        free(five.pool.row);
    }
    puts("| what | wanted | found | |\n| --- | --- | --- | --- |");
    finding("no change: comparisons with a cell `slower`, `faster` or "
            "`broken`",
            "at most 5 %", same.with_alarm, same.comparisons,
            share_is(same.with_alarm, same.comparisons, 0, 0.05));
    finding("no change: such cells", "reported", same.alarms, same.cells, -1);
    find_seen("3 % longer, one cell in twenty", &slow, 0.85);
    finding("of what was not slowed there, called changed", "reported",
            slow.alarms, slow.cells, -1);
    find_seen("the same, five processes drawn from six", &slow_five, 0.95);
    finding("10 % longer, below 10 us: called `unchanged`", "none",
            tenth.proven[BELOW_10], tenth.planted[BELOW_10],
            tenth.proven[BELOW_10] == 0);
    find_added("3 us longer, all cells: called `slower`", &all);
    finding("3 us longer, all cells of a family: families with a cell "
            "`slower`",
            "all", family.families_seen, family.families,
            family.families_seen == family.families);
    find_added("their cells", &family);
    finding("the same where nothing else is compared", "all",
            family_alone.families_seen, family_alone.families,
            family_alone.families_seen == family_alone.families);
    find_added("their cells", &family_alone);
}

int main(int argc, char **argv)
{
    static struct set sets[MOST_SETS];
    size_t count = 0;
    state = 20260131;
    if (argc < 2 || argc - 1 > MOST_SETS) {
        fputs("compare_rates SET...: a SET is a folder of runs of one build\n",
              stderr);
        return 2;
    }
    for (int a = 1; a < argc; ++a)
        if (!read_set(&sets[count++], argv[a]))
            return 2;
    report(sets, count);
    return missed;
}
