/* SPDX-License-Identifier: MIT
 *
 * `scanbench convert`: folders of before, for today's readers.
 */
#ifndef CLI_CONVERT_H
#define CLI_CONVERT_H

/* All words of the command line; returns the exit status. */
int convert_command(int argc, char **argv);

#endif
