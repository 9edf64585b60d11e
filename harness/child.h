/* SPDX-License-Identifier: MIT
 *
 * A process for variants or plugins, which may crash, hang, and start further
 * processes: these end with it.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct child {
    pid_t pid;  /* 0 if there is none */
    bool alone; /* the only child when it started */
};

/* Forks: true in both processes, and pid is 0 in the new one, which leads a
 * process group of its own, catches no signal, and dies with its parent. */
bool child_fork(struct child *child);

bool child_has_ended(const struct child *child);

/* Waits for the child to end by itself, then kills it and all that it started;
 * false if the child itself had to be killed. *status is that of waitpid(), or
 * NULL. */
bool child_end(struct child *child, double patience_s, int *status);
