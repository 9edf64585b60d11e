/* SPDX-License-Identifier: MIT
 *
 * The command line of a run: in its manifest, and read back by `run --resume`.
 */
#ifndef CLI_COMMON_ARGUMENTS_H
#define CLI_COMMON_ARGUMENTS_H

#include "harness/options.h"

/* Returns the command, its words and its options by their full names, quoted
 * for a shell; for free(). Options that do not change what is measured are left
 * out: --quiet, and --out, --resume and --plugin, whose paths are private. */
char *arguments_that_matter(enum command command, int argc, char *const *argv);

/* The opposite: returns program and words as main() gets them, with NULL at the
 * end; the array and its texts are one block for free(). */
char **resume_split(const char *program, const char *arguments, int *argc);

/* Replaces the options by those that began the run in options->resume. Words
 * given now must be among those of the manifest. *argc and *argv become the
 * manifest's, which live as long as the options. If no manifest can be read,
 * nothing changes, and the run itself reports that. False after a message. */
bool resume_options(int *argc, char ***argv, struct options *options);

#endif
