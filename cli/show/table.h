/* SPDX-License-Identifier: MIT
 *
 * scanbench table: a run as one row a cell, or as what its charts need.
 */
#ifndef CLI_SHOW_TABLE_H
#define CLI_SHOW_TABLE_H

/* The whole command; argv[1] is "table". Returns the exit status. */
int table_command(int argc, char **argv);

#endif
