/* SPDX-License-Identifier: MIT
 *
 * `scanbench regret`: what choosing a variant costs over many shapes, and
 * whether that is more than was allowed. Returns the exit status.
 */
#ifndef HARNESS_CLI_REGRET_H
#define HARNESS_CLI_REGRET_H

int regret_command(int argc, char **argv);

#endif
