/* SPDX-License-Identifier: MIT
 *
 * Processes of one build on one card, without a change. Every way to split them
 * is a comparison with a known result, also with changes of known size added.
 */
#ifndef PROOF_AA_SET_H
#define PROOF_AA_SET_H

#include "src/runs/run_folder.h"

enum { AA_MOST_PROCESSES = 12, AA_MOST_SPLITS = 512 };

struct aa_set {
    struct run_folder *run;
    size_t runs;
    struct run_rows pool; /* the rows of all runs; they own the texts */
    int processes;
};

/* Prints messages about bad rows to stderr. */
extern const struct listener aa_listener;

/* Reads a folder of runs, such as a/ and b/ of proof/aa.sh. Prints the reason
 * and returns false if they are no set. */
bool aa_set_read(struct aa_set *set, const char *path);
void aa_set_free(struct aa_set *set);

/* An added change, and the cells that get it. */
struct plant {
    double factor, add_us;
    const char *family; /* the only one, or NULL for all */
    bool alone;         /* leaves other families out of the comparison */
    int one_in;         /* every how many cells, spread evenly; 0 for all */
};

/* True if the plant changes this cell, number `cell` of the set. */
bool plant_in(const struct plant *plant, const struct row *row, size_t cell);

/* Returns a run with the rows of the processes in `mask`, with the change; free
 * its rows.row. */
struct run_folder aa_side(const struct aa_set *set, unsigned mask,
                          const struct plant *plant);

/* Lists every way to halve the processes; returns their number. */
size_t aa_splits(int processes, unsigned split[AA_MOST_SPLITS]);

/* A set of more processes than were measured. The times of a cell are drawn
 * with replacement from the deviations of its n processes, at n / (n - 1) times
 * their variance. Cells that a process did not time are left out. Free its
 * pool.row. */
struct aa_set aa_resampled(const struct aa_set *set, int processes);

#endif
