/* SPDX-License-Identifier: MIT
 *
 * `scanbench regret`: what choosing a variant costs over many shapes, and
 * whether that is more than was allowed. Returns the exit status.
 */
#ifndef CLI_RULES_REGRET_H
#define CLI_RULES_REGRET_H

int regret_command(int argc, char **argv);

#endif
