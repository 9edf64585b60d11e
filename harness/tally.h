/* SPDX-License-Identifier: MIT
 *
 * Exit statuses, and the count of what became of the cells.
 */
#ifndef HARNESS_TALLY_H
#define HARNESS_TALLY_H

#include "src/row.h"

enum {
    EXIT_OK = 0,
    EXIT_WRONG = 1,
    EXIT_BAD = 2,
    EXIT_NO_GPU = 77,
    EXIT_INTERRUPTED = 130
};

struct tally {
    int ok, wrong, skipped, failed;
};

void tally_count(struct tally *tally, enum status status);

#endif
