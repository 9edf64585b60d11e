/* SPDX-License-Identifier: MIT
 *
 * Counts of cells by status.
 */
#ifndef HARNESS_SWEEP_TALLY_H
#define HARNESS_SWEEP_TALLY_H

#include "src/base/exit_status.h"
#include "src/runs/row.h"

#include <stdio.h>

/* Suspect or unstable cells by reason, with N for every number in it. */
enum { MAX_DOUBTS = 8, DOUBT_BYTES = 120 };
struct doubt {
    char reason[DOUBT_BYTES];
    enum status status;
    int count;
};

struct tally {
    int ok, wrong, skipped, failed;  /* ok: measured, doubtful ones too;
                                        skipped: slow or untried, too */
    struct doubt doubts[MAX_DOUBTS]; /* the last one counts all others */
    int doubt_count;
    char why_skipped[ROW_TEXT_BYTES]; /* the reason of the first */
};

void tally_count(struct tally *tally, enum status status, const char *reason);

/* The exit status; `what` is "measured" or the like, for a message if all cells
 * were skipped. */
int tally_status(const struct tally *tally, const char *what);

/* Prints the number of doubtful cells, if any, and a line for every reason. */
void tally_tell_doubts(const struct tally *tally, FILE *text);

#endif
