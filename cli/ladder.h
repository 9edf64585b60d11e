/* SPDX-License-Identifier: MIT
 *
 * scanbench ladder: the tables of variants/README.md.
 */
#ifndef CLI_LADDER_H
#define CLI_LADDER_H

/* The whole command; argv[1] is "ladder". Returns the exit status. */
int ladder_command(int argc, char **argv);

#endif
