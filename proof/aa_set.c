/* SPDX-License-Identifier: MIT */
#include "proof/aa_set.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/runs/run_cell.h"
#include "src/runs/run_folder.h"
#include "src/base/memory.h"
#include "src/model/split_mix.h"

enum { PATH_BYTES = 4096 };

static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    (void)context;
    fprintf(stderr, "compare_rates: %s:%lld: %s (%s)\n", path, (long long)line,
            problem, remedy);
}

const struct listener aa_listener = { hear, NULL };

static int by_name(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void pool_run(struct aa_set *set, const struct run_rows *rows)
{
    int most = -1;
    for (size_t r = 0; r < rows->count; ++r) {
        struct row row = rows->row[r];
        most = row.process > most ? (int)row.process : most;
        row.process += set->processes;
        set->pool.row[set->pool.count++] = row;
    }
    set->processes += most + 1;
}

bool aa_set_read(struct aa_set *set, const char *path)
{
    struct dirent **entry;
    const int count = scandir(path, &entry, is_visible, by_name);
    size_t rows = 0;
    bool ok = count > 0;
    *set = (struct aa_set){ .run = memory_for((size_t)abs(count),
                                              sizeof *set->run) };
    for (int e = 0; e < count; ++e) {
        char own[PATH_BYTES];
        snprintf(own, sizeof own, "%s/%s", path, entry[e]->d_name);
        ok = run_folder_read(&set->run[set->runs], own, &aa_listener) && ok;
        rows += set->run[set->runs++].rows.count;
        free(entry[e]);
    }
    if (count >= 0)
        free(entry);
    set->pool.row = memory_for(rows, sizeof *set->pool.row);
    for (size_t r = 0; r < set->runs; ++r)
        pool_run(set, &set->run[r].rows);
    run_rows_sort(&set->pool);
    if (ok && set->processes >= 4 && set->processes <= AA_MOST_PROCESSES &&
        set->processes % 2 == 0)
        return true;
    fprintf(stderr,
            "compare_rates: %s: its runs do not have an even number of "
            "processes from 4 to %d\n",
            path, AA_MOST_PROCESSES);
    return false;
}

void aa_set_free(struct aa_set *set)
{
    for (size_t r = 0; r < set->runs; ++r)
        run_folder_free(&set->run[r]);
    free(set->run);
    free(set->pool.row);
    *set = (struct aa_set){ .runs = 0 };
}

/* ------------------------------------------------------- sides of a split */

bool plant_in(const struct plant *plant, const struct row *row, size_t cell)
{
    if (plant->family && strcmp(plant->family, row->family) != 0)
        return false;
    return !plant->one_in ||
           cell * 2654435761u % 65536 < 65536u / (unsigned)plant->one_in;
}

static void slow_down(struct row *row, const struct plant *plant)
{
    const double factor =
        plant->factor * (row->us.median + plant->add_us) / row->us.median;
    row->us.median *= factor;
    row->us.ci_low *= factor;
    row->us.ci_high *= factor;
    row->gbps /= factor;
    row->pct_ceiling /= factor;
}

struct run_folder aa_side(const struct aa_set *set, unsigned mask,
                          const struct plant *plant)
{
    struct run_folder side = { .path = "side",
                               .manifest = set->run[0].manifest };
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
            slow_down(row, plant);
    }
    return side;
}

size_t aa_splits(int processes, unsigned split[AA_MOST_SPLITS])
{
    size_t count = 0;
    for (unsigned mask = 1; mask < 1u << processes && count < AA_MOST_SPLITS;
         mask += 2) /* always with process 0, or each split would come twice */
        if (__builtin_popcount(mask) == processes / 2)
            split[count++] = mask;
    return count;
}

/* ------------------------------------------------------------- resampling */

static uint64_t state;

static double uniform(void)
{
    return split_mix_uniform(&state);
}

struct aa_set aa_resampled(const struct aa_set *set, int processes)
{
    struct aa_set more = { .run = set->run, .processes = processes };
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
            const struct row *drawn =
                &from[r + (size_t)(uniform() * (double)count)];
            const double us = cell.us * pow(drawn->us.median / cell.us, wider);
            struct row *row = &more.pool.row[more.pool.count++];
            *row = *drawn;
            row->process = p;
            slow_down(row, &(struct plant){ .factor = us / drawn->us.median });
        }
    }
    return more;
}
