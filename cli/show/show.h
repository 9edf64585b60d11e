/* SPDX-License-Identifier: MIT
 *
 * scanbench show: a run in a few lines; and the same at the end of `run`.
 */
#ifndef CLI_SHOW_SHOW_H
#define CLI_SHOW_SHOW_H

#include <stdbool.h>

/* The whole command; returns its exit status. */
int show_command(int argc, char **argv);

/* A run's table, of all shapes or one of each class, and what makes it
 * doubtful, on stderr; nothing if it has no row. */
void show_at_end(const char *folder, bool all);

#endif
