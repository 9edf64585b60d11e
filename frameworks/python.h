/* SPDX-License-Identifier: MIT
 *
 * Embeds Python 3.10 or newer by its stable ABI and dlopen(), so that the build
 * needs no Python. Reasons of failures are valid until the next call.
 */
#ifndef FRAMEWORKS_PYTHON_H
#define FRAMEWORKS_PYTHON_H

#include <stdint.h>

/* Starts the interpreter at the first call: SCANBENCH_PYTHON or `python3`, with
 * all packages that it can import. Each text is a module, after a line with its
 * name; NULL ends them. The first is run, and its load() gets the others.
 * Returns NULL, or the reason of a failure. */
const char *python_start(const char *const *texts);

/* Calls call(function, name, numbers ...) of the first module. Returns its
 * integer, and NULL in *text; or 0, and its text, such as an exception's. */
int64_t python_call(const char *function, const char *name,
                    const int64_t *numbers, int count, const char **text);

#endif
