/* SPDX-License-Identifier: MIT
 *
 * Sentences to show beside a run's figures that make them doubtful.
 */
#ifndef SRC_ANALYSE_WARNINGS_H
#define SRC_ANALYSE_WARNINGS_H

#include "src/analyse/standing.h"

enum { WARNINGS_MOST = 12, WARNING_BYTES = 320 };
struct warnings {
    char text[WARNINGS_MOST][WARNING_BYTES];
    int count;
};

/* The gravest comes first. `all` are standing_make()'s cells. */
struct warnings warnings_of(const struct run_folder *run,
                            const struct run_cell *all, size_t count);

#endif
