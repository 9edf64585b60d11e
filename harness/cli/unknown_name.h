/* SPDX-License-Identifier: MIT
 *
 * What every command says of a word that it does not know.
 */
#ifndef HARNESS_CLI_UNKNOWN_NAME_H
#define HARNESS_CLI_UNKNOWN_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* On stderr: "unknown WHAT 'word'" with the nearest of the names, or all if
 * they are few, or else what lists them: scanbench LISTER. Returns false. */
bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count);

#endif
