/* SPDX-License-Identifier: MIT
 *
 * Memory that a command cannot do without: if there is none, it exits with a
 * message and status 2. No row is lost, as each is on disk when it is done.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/exit.h"

_Noreturn static inline void memory_out(void)
{
    fputs("scanbench: no memory: raise the limit (ulimit -v), or give it less "
          "at a time\n",
          stderr);
    exit(EXIT_BAD);
}

/* Returns zeroed memory, never NULL. */
static inline void *memory_for(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes);
    if (!memory)
        memory_out();
    return memory;
}

static inline void *memory_grown(void *old, size_t count, size_t bytes)
{
    void *memory = realloc(old, (count ? count : 1) * bytes);
    if (!memory)
        memory_out();
    return memory;
}

/* Returns the array with room for one more element than `count`. */
static inline void *memory_more(void *array, size_t count, size_t bytes)
{
    return count & (count - 1) ? array : memory_grown(array, 2 * count, bytes);
}

/* Opens a text to be written like a file, for free() after memory_close(). */
static inline FILE *memory_open(char **text, size_t *bytes)
{
    FILE *file = open_memstream(text, bytes);
    if (!file)
        memory_out();
    return file;
}

/* glibc's fclose() succeeds even if there is no text. */
static inline void memory_close(FILE *file, char *const *text)
{
    const int failed = ferror(file);
    if (fclose(file) || failed || !*text)
        memory_out();
}

static inline char *memory_copy(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        memory_out();
    return copy;
}
