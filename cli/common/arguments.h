/* SPDX-License-Identifier: MIT
 *
 * The command line as the manifest keeps it, and as `run --resume` reads it.
 */
#ifndef CLI_COMMON_ARGUMENTS_H
#define CLI_COMMON_ARGUMENTS_H

#include "harness/options.h"

/* The words after the program's name, quoted where a shell needs it; for
 * free(). Words that do not change what is measured are left out: --out,
 * --resume and --plugin with their paths (manifests are published, and paths
 * are private), and --quiet. */
char *arguments_that_matter(int argc, char *const *argv);

/* The opposite: program and words as main() gets them, ended by NULL. The array
 * and its texts are one piece for one free(). */
char **resume_split(const char *program, const char *arguments, int *argc);

/* Replaces the options by those that began the run in options->resume. Words
 * that were given now must be among those of the manifest. *argc and *argv
 * become the manifest's, which live as long as the options. If no manifest can
 * be read, nothing changes: the run itself reports that. False after a message.
 */
bool resume_options(int *argc, char ***argv, struct options *options);

#endif
