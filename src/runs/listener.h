/* SPDX-License-Identifier: MIT
 *
 * Hears of everything that is wrong with a run's files.
 */
#ifndef SRC_RUNS_LISTENER_H
#define SRC_RUNS_LISTENER_H

#include <stdint.h>
#include <stdio.h>

struct listener {
    /* The file, its line (0: the whole file), what is wrong with it, and how
     * to mend it. */
    void (*hear)(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy);
    void *context;
};

/* For who asks only whether something can be read: says nothing. */
static inline void listener_silent(void *context, const char *path,
                                   int64_t line, const char *problem,
                                   const char *remedy)
{
    (void)context;
    (void)path;
    (void)line;
    (void)problem;
    (void)remedy;
}

/* A broken disk can damage every line: what is heard of a file or a folder is
 * said so often, and then only counted. */
enum { LISTENER_SAYS = 10 };

/* How many more there were, on stderr, if any. */
static inline void listener_say_rest(const char *path, int heard)
{
    if (heard > LISTENER_SAYS)
        fprintf(stderr, "scanbench: %s: and %d problems more\n", path,
                heard - LISTENER_SAYS);
}

#endif
