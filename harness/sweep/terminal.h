/* SPDX-License-Identifier: MIT
 *
 * The terminal that a text goes to.
 */
#ifndef HARNESS_SWEEP_TERMINAL_H
#define HARNESS_SWEEP_TERMINAL_H

#include <stdbool.h>

/* True for a terminal that is not "dumb", unless CI is set: a job's log would
 * keep every state of the line. */
bool terminal_can_rewrite(int file);

/* Columns to keep within: COLUMNS in the environment, or the terminal's, or
 * 100 where there is none (a log). Never fewer than 40. */
int terminal_columns(int file);

/* The same for a table, which is not cut for another program to read. */
int terminal_room(int file);

#endif
