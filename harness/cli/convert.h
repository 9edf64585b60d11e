/* SPDX-License-Identifier: MIT
 *
 * `scanbench convert`: folders of before, for today's readers.
 */
#ifndef HARNESS_CLI_CONVERT_H
#define HARNESS_CLI_CONVERT_H

/* All words of the command line; returns the exit status. */
int convert_command(int argc, char **argv);

#endif
