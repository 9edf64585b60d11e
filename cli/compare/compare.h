/* SPDX-License-Identifier: MIT
 *
 * scanbench compare: two runs, or the variants of one.
 */
#ifndef CLI_COMPARE_COMPARE_H
#define CLI_COMPARE_COMPARE_H

/* The whole command; argv[1] is "compare". Writes the report to stdout and
 * what is wrong to stderr. Returns the exit status: 0; 1 for what --fail-on
 * names; 2 for usage and bad input. */
int compare_command(int argc, char **argv);

#endif
