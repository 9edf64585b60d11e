/* SPDX-License-Identifier: MIT
 *
 * scanbench ladder: the tables of variants/README.md.
 */
#ifndef HARNESS_CLI_LADDER_H
#define HARNESS_CLI_LADDER_H

/* The whole command; argv[1] is "ladder". Returns the exit status. */
int ladder_command(int argc, char **argv);

#endif
