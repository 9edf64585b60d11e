/* SPDX-License-Identifier: MIT
 *
 * The count of what became of the cells.
 */
#ifndef HARNESS_SWEEP_TALLY_H
#define HARNESS_SWEEP_TALLY_H

#include "src/base/exit_status.h"
#include "src/runs/row.h"

#include <stdio.h>

/* Right results whose times are not to be taken at their word, by reason:
 * reasons that differ in their numbers only are one, with N for the numbers. */
enum { MAX_DOUBTS = 8, DOUBT_BYTES = 120 };
struct doubt {
    char reason[DOUBT_BYTES];
    enum status status;
    int count;
};

struct tally {
    int ok, wrong, skipped, failed;  /* ok: measured, doubtful ones too;
                                        skipped: slow or untried, too */
    struct doubt doubts[MAX_DOUBTS]; /* the last one takes all that is left */
    int doubt_count;
    char why_skipped[ROW_TEXT_BYTES]; /* the first one's reason */
};

void tally_count(struct tally *tally, enum status status, const char *reason);

/* 1 if any was wrong or failed; 77, after saying so, if all were skipped; else
 * 0. `what` is the word for what was not done: "measured". */
int tally_status(const struct tally *tally, const char *what);

/* A line for every doubt, after one with how many there are: nothing if there
 * are none. */
void tally_tell_doubts(const struct tally *tally, FILE *text);

#endif
