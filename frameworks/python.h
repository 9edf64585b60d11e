/* SPDX-License-Identifier: MIT
 *
 * Python 3.10 or newer inside this process, by its stable ABI and dlopen(): no
 * header and no version of it is needed to build this. Texts that say why not
 * live until the next call.
 */
#ifndef FRAMEWORKS_PYTHON_H
#define FRAMEWORKS_PYTHON_H

#include <stdint.h>

/* Once; the interpreter is the one that `python3` is, or SCANBENCH_PYTHON
 * names, with what it can import (a virtual environment's packages, too). A
 * text is a module's name on a line, and the module; NULL ends them. The first
 * is run, and its load() called with each other. NULL, or why there is none. */
const char *python_start(const char *const *texts);

/* The first module's function(name, numbers ...): an integer, 0 for None, or a
 * text, which is put to *text (NULL: none). -1 and a text of an exception. */
int64_t python_call(const char *function, const char *name,
                    const int64_t *numbers, int count, const char **text);

#endif
