/* SPDX-License-Identifier: MIT
 *
 * Makes runs of older schemas into runs of RUN_SCHEMA: the only place where
 * anything is read from prose.
 */
#ifndef SRC_RUNS_CONVERT_H
#define SRC_RUNS_CONVERT_H

#include <stdbool.h>

#include "src/runs/listener.h"

/* Converts a run's folder into the folder `to`, which is made; NULL: in place.
 * Numbers stay as they are written. A folder without a manifest is no run: its
 * CSVs get the names that variants and statuses have today. All files or
 * none are replaced, the manifest last; what is as it should be stays, byte for
 * byte, and *changed says whether anything was not. False after telling why
 * not. */
bool convert_folder(const char *from, const char *to,
                    const struct listener *listener, bool *changed);

/* The same of one CSV that is no run's. */
bool convert_file(const char *path, const struct listener *listener,
                  bool *changed);

#endif
