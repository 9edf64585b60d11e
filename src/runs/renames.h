/* SPDX-License-Identifier: MIT
 *
 * Variants that had another name once. docs/renames.md is checked against it.
 */
#ifndef SRC_RUNS_RENAMES_H
#define SRC_RUNS_RENAMES_H

#include <stddef.h>

/* Families, ended by { NULL, NULL }. */
extern const struct rename {
    const char *old, *now;
} renames[];

/* Copies a variant's name, or its family's, as it is today; tuning points stay
 * as they are. Returns `now`. */
char *renamed_variant(const char *variant, char *now, size_t bytes);

/* The same of "folder/family" and of a cell's "op/variant/dtype/shape": of the
 * second of the words between slashes. */
char *renamed_in_path(const char *path, char *now, size_t bytes);

#endif
