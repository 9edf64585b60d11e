/* SPDX-License-Identifier: MIT
 *
 * Receives the problems found in a run's files.
 */
#ifndef SRC_RUNS_LISTENER_H
#define SRC_RUNS_LISTENER_H

#include <stdint.h>
#include <stdio.h>

struct listener {
    /* The file, its line (0 for the whole file), the problem, and how to mend
     * it. */
    void (*hear)(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy);
    void *context;
};

/* Reports a problem, unless there is no listener. */
static inline void listener_tell(const struct listener *listener,
                                 const char *path, int64_t line,
                                 const char *problem, const char *remedy)
{
    if (listener)
        listener->hear(listener->context, path, line, problem, remedy);
}

/* A broken disk can damage every line: of one file or folder this many problems
 * are printed, and the rest only counted. */
enum { LISTENER_SAYS = 10 };

/* Prints on stderr how many problems more there were, if any. */
static inline void listener_say_rest(const char *path, int heard)
{
    if (heard > LISTENER_SAYS)
        fprintf(stderr, "scanbench: %s: and %d problems more\n", path,
                heard - LISTENER_SAYS);
}

#endif
