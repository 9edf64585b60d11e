/* SPDX-License-Identifier: MIT
 *
 * `run --resume DIR`: the arguments that began the run are in its manifest.
 */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "harness/options.h"

/* The words of a manifest's `arguments`, behind `program`, as main() gets them;
 * NULL ends them. Both the array and its last free() are the caller's: they
 * are one piece. */
char **resume_split(const char *program, const char *arguments, int *argc);

/* Parses the arguments that the manifest has instead of those that were given,
 * which must be among them; *argc and *argv become those words, which live as
 * long as the options. Without a manifest that can be read all stays: resuming
 * says why. False after saying what contradicts it. */
bool resume_options(int *argc, char ***argv, struct options *options);

#endif
