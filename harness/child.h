/* SPDX-License-Identifier: MIT
 *
 * A process that runs what is not the instrument's own: it can crash, hang, and
 * start processes of its own, which end with it.
 */
#ifndef HARNESS_CHILD_H
#define HARNESS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
    pid_t pid;  /* 0: none */
    bool alone; /* this process had no other child when it began */
};

/* As fork(): true in both processes, of which the new one has pid 0. It leads a
 * group of its own, which no key of the terminal reaches, catches no signal,
 * and ends with its parent. */
bool child_fork(struct child *child);

bool child_has_ended(const struct child *child);

/* Gives it some time to end by itself, and kills it and all that it started.
 * *status is as of waitpid(); or NULL. False: it had to be killed. */
bool child_end(struct child *child, double patience_s, int *status);

#endif
