/* SPDX-License-Identifier: MIT
 *
 * scanbench table: a run as one row a cell, or as what its charts need.
 */
#ifndef HARNESS_CLI_TABLE_H
#define HARNESS_CLI_TABLE_H

/* The whole command; argv[1] is "table". Returns the exit status. */
int table_command(int argc, char **argv);

#endif
