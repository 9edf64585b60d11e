/* SPDX-License-Identifier: MIT
 *
 * What words mean that no other list explains.
 */
#ifndef HARNESS_CLI_HELP_WORDS_H
#define HARNESS_CLI_HELP_WORDS_H

#include "src/base/dtype.h"
#include "src/base/op.h"
#include "src/runs/row_words.h"

/* Each ends with a NULL name. docs/using.md has the tables of grids and exit
 * statuses, and a test compares them. */
extern const struct row_word help_signs[]; /* and short headings of tables */
extern const struct row_word help_grids[];
extern const struct row_word help_exit_statuses[];

const char *help_op(enum op op);
const char *help_dtype(enum dtype dtype);

#endif
