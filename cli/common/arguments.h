/* SPDX-License-Identifier: MIT
 *
 * The command line as the manifest keeps it.
 */
#ifndef CLI_COMMON_ARGUMENTS_H
#define CLI_COMMON_ARGUMENTS_H

/* The words after the program's name, quoted where a shell needs it, without
 * those that do not change what is measured: -o/--out and --resume with their
 * folder (manifests are published, and where a run was written is nobody
 * else's business), -q/--quiet. To be freed. */
char *arguments_that_matter(int argc, char *const *argv);

#endif
