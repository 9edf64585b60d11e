/* SPDX-License-Identifier: MIT
 *
 * scanbench help: what any word means that scanbench takes or prints.
 */
#ifndef HARNESS_CLI_HELP_H
#define HARNESS_CLI_HELP_H

/* The whole command, but for `help COMMAND`; returns its exit status. */
int help_command(int argc, char **argv);

#endif
