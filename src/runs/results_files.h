/* SPDX-License-Identifier: MIT
 *
 * What results.c and results_resume.c share.
 */
#ifndef SRC_RUNS_RESULTS_FILES_H
#define SRC_RUNS_RESULTS_FILES_H

#include "src/runs/results.h"

enum { RESULTS_PATH_BYTES = 1200 };

/* FOLDER/NAME. */
char *results_path(const struct results *results, const char *name,
                   char path[RESULTS_PATH_BYTES]);

/* "cumsum.csv". */
enum { RESULTS_NAME_BYTES = 64 };
char *results_op_file(enum op op, char name[RESULTS_NAME_BYTES]);

/* Says that it cannot be written, and why (errno). Returns false. */
bool results_complain(const struct results *results, const char *name);

/* Keeps other processes from writing to the folder. */
bool results_lock(struct results *results);

/* Remembers a line. */
void results_keep_ceiling(struct results *results,
                          const struct ceiling *ceiling);

#endif
