/* SPDX-License-Identifier: MIT
 *
 * Measures how often `scanbench compare` is wrong, by runs of one build, with
 * and without changes of known size added:
 *
 *   compare_rates SET...   SET is a folder of runs of one build on one card,
 *                          such as a/ and b/ of proof/aa.py
 *
 * The processes of a set are pooled, and compared by every split into two
 * halves (ten for six processes). Prints a Markdown table. Exit status: 0 all
 * is met, 1 if not, 2 usage or bad input.
 */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/analyse/comparison.h"
#include "src/base/memory.h"
#include "src/model/split_mix.h"
#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"

enum { MOST_PROCESSES = 12, MOST_SPLITS = 512, PATH_BYTES = 4096 };

static const struct floors floors = { 0.02, 0.5 };

/* ---------------------------------------------------------------- the sets */

/* The runs stay open for the life of the program, as rows point into them. */
struct set {
    struct manifest manifest;
    struct run_rows pool; /* the rows of all runs */
    int processes;
};

static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    (void)context;
    fprintf(stderr, "compare_rates: %s:%lld: %s (%s)\n", path, (long long)line,
            problem, remedy);
}

static bool add_run(struct set *set, const char *path)
{
    static const struct listener listener = { hear, NULL };
    struct run_folder run;
    const bool ok = run_folder_read(&run, path, &listener);
    int64_t most = -1;
    set->manifest = set->processes ? set->manifest : run.manifest;
    set->pool.row =
        memory_grown(set->pool.row, set->pool.count + run.rows.count + 1,
                     sizeof *set->pool.row);
    for (size_t r = 0; r < run.rows.count; ++r) {
        struct row row = run.rows.row[r];
        most = row.process > most ? row.process : most;
        row.process += set->processes;
        set->pool.row[set->pool.count++] = row;
    }
    set->processes += (int)most + 1;
    return ok;
}

/* Prints the reason and returns false if the folder is no set. */
static bool read_set(struct set *set, const char *path)
{
    char pattern[PATH_BYTES];
    glob_t runs = { .gl_pathc = 0 };
    snprintf(pattern, sizeof pattern, "%s/*", path);
    bool ok = glob(pattern, 0, NULL, &runs) == 0;
    *set = (struct set){ .processes = 0 };
    for (size_t r = 0; r < runs.gl_pathc; ++r)
        ok = add_run(set, runs.gl_pathv[r]) && ok;
    run_rows_sort(&set->pool);
    if (ok && set->processes >= 4 && set->processes <= MOST_PROCESSES &&
        set->processes % 2 == 0)
        return true;
    fprintf(stderr,
            "compare_rates: %s: its runs do not have an even number of "
            "processes from 4 to %d\n",
            path, MOST_PROCESSES);
    return false;
}

/* ------------------------------------------------------- sides of a split */

/* An added change, and the cells that get it. */
struct plant {
    double factor, add_us;
    const char *family; /* the only one, or NULL for all */
    bool alone;         /* leaves other families out of the comparison */
    int one_in;         /* every how many cells, spread evenly; 0 for all */
};

/* True if the plant changes this cell, number `cell` of the set. */
static bool plant_in(const struct plant *plant, const struct row *row,
                     size_t cell)
{
    if (plant->family && strcmp(plant->family, row->family) != 0)
        return false;
    return !plant->one_in ||
           cell * 2654435761u % 65536 < 65536u / (unsigned)plant->one_in;
}

static void slow_down(struct row *row, double factor)
{
    row->us.median *= factor;
    row->us.ci_low *= factor;
    row->us.ci_high *= factor;
    row->gbps /= factor;
    row->pct_ceiling /= factor;
}

/* Returns a run with the rows of the processes in `mask`, with the change; free
 * its rows.row. */
static struct run_folder side_of(const struct set *set, unsigned mask,
                                 const struct plant *plant)
{
    struct run_folder side = { .path = "side", .manifest = set->manifest };
    const struct row *from = set->pool.row;
    size_t cell = 0;
    side.rows.row = memory_for(set->pool.count, sizeof *side.rows.row);
    for (size_t r = 0; r < set->pool.count; ++r) {
        cell += r && run_cell_order(&from[r - 1], &from[r]);
        if (!(mask >> from[r].process & 1) ||
            (plant->alone && strcmp(plant->family, from[r].family) != 0))
            continue;
        struct row *row = &side.rows.row[side.rows.count++];
        *row = from[r];
        if (plant_in(plant, row, cell))
            slow_down(row, plant->factor * (row->us.median + plant->add_us) /
                               row->us.median);
    }
    return side;
}

/* Lists every way to halve the processes; returns their number. */
static size_t splits_of(int processes, unsigned split[MOST_SPLITS])
{
    size_t count = 0;
    for (unsigned mask = 1; mask < 1u << processes && count < MOST_SPLITS;
         mask += 2) /* always with process 0, or each split would come twice */
        if (__builtin_popcount(mask) == processes / 2)
            split[count++] = mask;
    return count;
}

/* Returns a set of more processes than were measured; free its pool.row. The
 * times of a cell are drawn with replacement from the deviations of its n
 * processes, at n / (n - 1) times their variance. Cells that a process did not
 * time are left out. */
static struct set resampled(const struct set *set, int processes)
{
    static uint64_t state;
    struct set more = { .manifest = set->manifest, .processes = processes };
    const struct row *from = set->pool.row;
    more.pool.row =
        memory_for(set->pool.count * (size_t)processes, sizeof *more.pool.row);
    for (size_t r = 0, count; r < set->pool.count; r += count) {
        count = set->pool.count - r;
        const struct run_cell cell = run_cell_of(&from[r], &count);
        if (!run_cell_timed(&cell) || cell.dropped || count < 2)
            continue;
        const double wider = sqrt((double)count / (double)(count - 1));
        for (int p = 0; p < processes; ++p) {
            const double place = split_mix_uniform(&state) * (double)count;
            struct row *row = &more.pool.row[more.pool.count++];
            *row = from[r + (size_t)place];
            row->process = p;
            slow_down(row, cell.us * pow(row->us.median / cell.us, wider) /
                               row->us.median);
        }
    }
    return more;
}

/* --------------------------------------------------------------- comparing */

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

static void count_cells(struct rates *rates, const struct set *set,
                        const struct comparison *c, const struct plant *plant)
{
    const struct row *row = set->pool.row;
    const size_t alarms = rates->alarms;
    bool seen = false;
    for (size_t k = 0, cell = 0; k < c->pairs.count; ++k) {
        const struct judged *one = &c->cells[k];
        /* Counts up to the cell's number in the set. */
        for (; run_cell_order(row, one->pair->base.row); ++row)
            cell += run_cell_order(row, row + 1) != 0;
        if (one->verdict == VERDICT_UNMEASURED)
            continue;
        ++rates->cells;
        const bool slower = one->verdict == VERDICT_SLOWER;
        if ((plant->factor != 1 || plant->add_us > 0) &&
            plant_in(plant, one->pair->base.row, cell)) {
            enum length length = BELOW_10;
            while (pair_us(one->pair) >= ends_us[length])
                ++length;
            ++rates->planted[length];
            rates->seen[length] += slower;
            rates->proven[length] += one->verdict == VERDICT_UNCHANGED;
            seen = seen || slower;
        } else {
            rates->alarms += slower || one->verdict == VERDICT_FASTER ||
                             one->verdict == VERDICT_BROKEN;
        }
    }
    ++rates->comparisons;
    rates->with_alarm += rates->alarms > alarms;
    rates->families_seen += plant->family && seen;
    rates->families += plant->family != NULL;
}

static void compare_split(struct rates *rates, const struct set *set,
                          unsigned split, const struct plant *plant)
{
    const struct plant nothing = { .factor = 1,
                                   .family = plant->family,
                                   .alone = plant->alone };
    struct run_folder base = side_of(set, split, &nothing);
    struct run_folder now = side_of(set, ~split, plant);
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

/* Plants a change in each family once, in the next of the splits. */
static void compare_families(struct rates *rates, const struct set *set,
                             struct plant plant)
{
    unsigned split[MOST_SPLITS];
    const size_t count = splits_of(set->processes, split);
    const struct row *row = set->pool.row;
    const char **done = memory_for(set->pool.count, sizeof *done);
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
                    size_t of, const char *verdict)
{
    printf("| %s | %s | %zu of %zu, %.2f %% | %s |\n", what, wanted, part, of,
           100.0 * (double)part / (double)(of ? of : 1), verdict);
}

static void reported(const char *what, size_t part, size_t of)
{
    finding(what, "reported", part, of, "");
}

static void wanted(const char *what, const char *wanted, size_t part, size_t of,
                   double least, double most)
{
    const bool met = (of || least == 0) && (double)part >= least * (double)of &&
                     (double)part <= most * (double)of;
    finding(what, wanted, part, of, met ? "met" : "**missed**");
    missed = missed || !met;
}

static size_t sum(const size_t of[LENGTHS], enum length from)
{
    size_t all = 0;
    for (int l = (int)from; l < LENGTHS; ++l)
        all += of[l];
    return all;
}

static void find_lengths(const char *planted, const struct rates *rates)
{
    char what[160];
    for (int l = 0; l < LENGTHS; ++l) {
        snprintf(what, sizeof what, "%s, %s", planted, length_names[l]);
        reported(what, rates->seen[l], rates->planted[l]);
    }
}

static void find_seen(const char *planted, const char *words,
                      const struct rates *rates, double least)
{
    char what[160];
    snprintf(what, sizeof what, "%s: cells from 50 us on called `slower`",
             planted);
    wanted(what, words, sum(rates->seen, BELOW_200),
           sum(rates->planted, BELOW_200), least, 1);
    find_lengths(planted, rates);
}

static void find_families(const char *what, const struct rates *rates)
{
    wanted(what, "at least 95 %", rates->families_seen, rates->families, 0.95,
           1);
    reported("their cells", sum(rates->seen, 0), sum(rates->planted, 0));
}

static struct {
    struct rates same, three, drawn, ten, added, family, alone;
} all;

static void count_set(const struct set *set)
{
    static const struct plant nothing = { .factor = 1 };
    static const struct plant three = { .factor = 1.03, .one_in = 20 };
    static const struct plant ten = { .factor = 1.1, .one_in = 20 };
    static const struct plant added = { .factor = 1, .add_us = 3 };
    static const struct plant alone = { .factor = 1, .add_us = 3, .alone = 1 };
    compare_all(&all.same, set, &nothing);
    compare_all(&all.three, set, &three);
    compare_all(&all.ten, set, &ten);
    compare_all(&all.added, set, &added);
    compare_families(&all.family, set, added);
    compare_families(&all.alone, set, alone);
    struct set five = resampled(set, 10);
    for (unsigned k = 0; k < 3; ++k)
        compare_split(&all.drawn, &five, 0x1f << k, &three);
    free(five.pool.row);
}

static void report(void)
{
    puts("| what | wanted | found | |\n| --- | --- | --- | --- |");
    wanted("no change: comparisons with a cell `slower`, `faster` or `broken`",
           "at most 5 %", all.same.with_alarm, all.same.comparisons, 0, 0.05);
    reported("no change: such cells", all.same.alarms, all.same.cells);
    find_seen("3 % longer, one cell in twenty", "at least 85 %", &all.three,
              0.85);
    reported("of what was not slowed there, called changed", all.three.alarms,
             all.three.cells);
    find_seen("the same, of five processes, drawn", "at least 95 %", &all.drawn,
              0.95);
    find_lengths("10 % longer", &all.ten);
    wanted("10 % longer, below 10 us: called `unchanged`", "none",
           all.ten.proven[BELOW_10], all.ten.planted[BELOW_10], 0, 0);
    reported("3 us longer, all cells: called `slower`", sum(all.added.seen, 0),
             sum(all.added.planted, 0));
    find_families("3 us longer, all cells of a family: families with a cell "
                  "`slower`",
                  &all.family);
    find_families("the same where nothing else is compared", &all.alone);
}

int main(int argc, char **argv)
{
    struct set set;
    if (argc < 2 || argv[1][0] == '-') {
        fputs("usage: compare_rates SET...\n", stderr);
        return 2;
    }
    for (int a = 1; a < argc; ++a) {
        if (!read_set(&set, argv[a]))
            return 2;
        count_set(&set);
    }
    report();
    return missed;
}
