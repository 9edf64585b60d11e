/* SPDX-License-Identifier: MIT
 *
 * `scanbench tune OP SHAPE`: an ordinary run of every variant that can do one
 * operation on one shape, and then a table of the tuning points: which is the
 * best of each family (one file's variants), and by how much.
 */
#ifndef HARNESS_CLI_TUNE_H
#define HARNESS_CLI_TUNE_H

#include "harness/options.h"

struct tune {
    bool asked; /* or some other command was */
    bool csv;   /* else text */
    enum op op;
    char folder[1024]; /* the run's, once it is over */
};

/* Turns the words of `tune` into those of the run that it is, in memory that
 * stays; leaves other commands alone. False if the caller should end with
 * *status (help was printed, or a message). */
bool tune_words(struct tune *tune, int *argc, char ***argv, int *status);

/* After options_parse(): false, with a message, if they are more than one
 * operation and shape, or no run. Asks the run for its folder. */
bool tune_options(struct tune *tune, struct options *options);

/* Reads the folder and writes the table to stdout; an exit status. */
int tune_report(const struct tune *tune, enum device_kind kind);

#endif
