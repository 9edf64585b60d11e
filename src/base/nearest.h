/* SPDX-License-Identifier: MIT
 *
 * What a mistyped name may have meant, for error messages.
 */
#ifndef SRC_BASE_NEAREST_H
#define SRC_BASE_NEAREST_H

#include <stddef.h>

/* Characters inserted, deleted or replaced between two names (Levenshtein's
 * distance), upper and lower case alike. Of longer names only the first
 * NEAREST_CHARS characters count. */
enum { NEAREST_CHARS = 95 };
int nearest_distance(const char *left, const char *right);

/* Puts up to n of the names nearest to the word into `nearest`, the nearest
 * first, and returns how many. Names that hold the whole word, from the
 * beginning of one of their own on (all: not wall_s), come before all others;
 * names that share next to nothing with it, and repeated ones, are left out. */
size_t nearest_names(const char *word, const char *const *names, size_t count,
                     const char **nearest, size_t n);

#endif
