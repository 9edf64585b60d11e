/* SPDX-License-Identifier: MIT
 *
 * Suggestions for a mistyped name, for error messages.
 */
#ifndef SRC_BASE_NEAREST_H
#define SRC_BASE_NEAREST_H

#include <stddef.h>

/* Puts up to n names into `nearest`, the nearest first, and returns their
 * number. Names in which one of the words begins with the given word come first
 * ("all" is not in wall_s); names with little in common and repeated names are
 * left out. */
size_t nearest_names(const char *word, const char *const *names, size_t count,
                     const char **nearest, size_t n);

#endif
