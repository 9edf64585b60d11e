/* SPDX-License-Identifier: MIT
 *
 * What is said of a name that there is not.
 */
#ifndef HARNESS_CLI_UNKNOWN_H
#define HARNESS_CLI_UNKNOWN_H

#include <stdbool.h>
#include <stddef.h>

/* "unknown WHAT 'word'" on stderr, with the nearest of the names, or all if
 * none is near and they are few; returns false. */
bool unknown_name(const char *what, const char *word, const char *const *names,
                  size_t count);

#endif
