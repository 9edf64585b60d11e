/* SPDX-License-Identifier: MIT
 *
 * scanbench rules: which variant when, learned from published runs.
 */
#ifndef CLI_RULES_LEARN_H
#define CLI_RULES_LEARN_H

/* The whole command; argv[1] is "rules". Returns the exit status. */
int rules_command(int argc, char **argv);

#endif
