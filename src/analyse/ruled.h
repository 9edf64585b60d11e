/* SPDX-License-Identifier: MIT
 *
 * `best` as rules would have it: a run's rows, as if it had followed them.
 */
#ifndef SRC_ANALYSE_RULED_H
#define SRC_ANALYSE_RULED_H

#include "src/choose/rules.h"
#include "src/runs/run_folder.h"

/* The run's rows, in which those of `best` are the rows of what the rules lead
 * to among its variants; none where that has none. Their texts are the run's:
 * free `row` alone. */
struct run_rows ruled_rows(const struct run_folder *run,
                           const struct rules *rules);

#endif
