/* SPDX-License-Identifier: MIT
 *
 * Which cells of a run a command was asked for: -f, --exclude, --op, --dtype,
 * --shape, --cache and --family, as far as they were given.
 */
#ifndef CLI_COMMON_SELECT_H
#define CLI_COMMON_SELECT_H

#include "harness/options.h"
#include "src/runs/run_folder.h"

bool select_wants(const struct filter *select, const struct run_row *row);

/* Takes the rows out that are not wanted; returns how many are left. */
size_t select_rows(const struct filter *select, struct run_rows *rows);

#endif
