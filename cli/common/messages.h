/* SPDX-License-Identifier: MIT
 *
 * Messages that several commands print on stderr. All return false.
 */
#ifndef CLI_COMMON_MESSAGES_H
#define CLI_COMMON_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/whole_file.h"

/* "WHAT 'word': WHY" */
bool complain(const char *what, const char *word, const char *why);

/* The message, and a pointer to the command's help. */
bool misused(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "unknown WHAT 'word'" and the nearest name; then all names if they are few,
 * or else the command that lists them: scanbench LISTER. */
bool unknown_name(const char *lister, const char *what, const char *word,
                  const char *const *names, size_t count);

#endif
