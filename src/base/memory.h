/* SPDX-License-Identifier: MIT
 *
 * Memory without which a command cannot go on: where there is none, it says so
 * and ends with status 2. Nothing is lost by that, as a run's rows are on disk
 * line by line.
 */
#ifndef SRC_BASE_MEMORY_H
#define SRC_BASE_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static inline void memory_out(void)
{
    fputs("scanbench: no memory: raise the limit (ulimit -v), or give it less "
          "at a time\n",
          stderr);
    exit(2);
}

/* Zeroed, and never NULL. */
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

/* A text that is written like a file; it is whole after memory_close(), and the
 * caller's to free. */
static inline FILE *memory_open(char **text, size_t *bytes)
{
    FILE *file = open_memstream(text, bytes);
    if (!file)
        memory_out();
    return file;
}

/* glibc's fclose() is content without a text, too. */
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

#endif
