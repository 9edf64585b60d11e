/* SPDX-License-Identifier: MIT
 *
 * `scanbench tune OP SHAPE`: an ordinary run of every variant that can do one
 * operation on one shape, and then a table of the tuning points: which is the
 * best of each family (one file's variants), and by how much.
 */
#ifndef CLI_TUNE_TUNE_H
#define CLI_TUNE_TUNE_H

#include "harness/options.h"

/* Reads the run's folder, which options->folder names, and writes the table to
 * stdout; an exit status. */
enum { TUNE_FOLDER_BYTES = 4096 };
int tune_report(const struct options *options, enum device_kind kind);

#endif
