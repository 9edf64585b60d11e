/* SPDX-License-Identifier: MIT
 *
 * What every command says of a word that it does not know.
 */
#ifndef CLI_COMMON_UNKNOWN_NAME_H
#define CLI_COMMON_UNKNOWN_NAME_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* On stderr: "unknown WHAT 'word'" with the nearest of the names, or all if
 * they are few, or else what lists them: scanbench LISTER. Returns false. */
bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count);

/* On stderr: what getopt_long() did not take, where it gave ':' or '?' (the
 * letters begin with ':', opterr is 0): an option that the command does not
 * have, with the nearest that it has; one without its value; or one with a
 * value too many. Returns false. */
bool unknown_option(const char *command, char **argv, int code,
                    const struct option *known);

#endif
