/* SPDX-License-Identifier: MIT
 *
 * What is known of the terminal that a text goes to.
 */
#ifndef HARNESS_SWEEP_TERMINAL_H
#define HARNESS_SWEEP_TERMINAL_H

#include <stdbool.h>

/* A line can be written over: a terminal that is not "dumb", and no CI job
 * (CI in the environment), whose log would keep every state of it. */
bool terminal_can_rewrite(int file);

/* Columns to keep within: COLUMNS in the environment, or the terminal's, or
 * 100 where there is none (a log). Never fewer than 40. */
int terminal_columns(int file);

/* The same for a table, which is cut only for a terminal or where COLUMNS asks
 * for it: what another program reads is whole. */
int terminal_room(int file);

#endif
