/* SPDX-License-Identifier: MIT
 *
 * Processes of one build on one card, which hold no change: every way to
 * split them is a comparison whose truth is known, and so it is with changes
 * of a known size put in.
 */
#ifndef PROOF_AA_SET_H
#define PROOF_AA_SET_H

#include "src/runs/run_folder.h"

enum { AA_MOST_PROCESSES = 12, AA_MOST_SPLITS = 512 };

struct aa_set {
    struct run_folder *run;
    size_t runs;
    struct run_rows pool; /* of all runs, as one's; texts are the runs' */
    int processes;
};

/* Reads a folder of runs, such as a/ and b/ of proof/aa.sh. False, after
 * saying why, if they are no set. */
bool aa_set_read(struct aa_set *set, const char *path);
void aa_set_free(struct aa_set *set);

/* A change that is put into the cells that it chooses. */
struct plant {
    double factor, add_us;
    const char *family; /* only of this one; NULL: of all */
    bool alone;         /* other families are left out of the comparison */
    int one_in;         /* only so many, spread evenly; 0: all */
};

/* Whether it changes this cell, the set's `cell`th. */
bool plant_in(const struct plant *plant, const struct row *row, size_t cell);

/* The rows of the processes in `mask`, with the change, as those of a run;
 * free its rows.row. */
struct run_folder aa_side(const struct aa_set *set, unsigned mask,
                          const struct plant *plant);

/* Every way to halve the processes; returns how many there are. */
size_t aa_splits(int processes, unsigned split[AA_MOST_SPLITS]);

/* A set of more processes than were measured: each cell's times are drawn, with
 * replacement, from how its processes lay about their mean, at n / (n - 1)
 * times the variance. Cells that some process did not time are left out. Free
 * its pool.row. */
struct aa_set aa_resampled(const struct aa_set *set, int processes);

#endif
