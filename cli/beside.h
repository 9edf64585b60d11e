/* SPDX-License-Identifier: MIT
 *
 * `run` on several devices: a process and a folder each, device0 and so on, in
 * one folder that joins them and that other commands read as a folder of runs.
 */
#ifndef CLI_BESIDE_H
#define CLI_BESIDE_H

#include "harness/options.h"

/* The options name several devices, or a folder to resume that joins runs. */
bool beside_is_asked(const struct options *options);

/* Runs them all: run(argc, argv, joined, together) is called in a process each,
 * with the words of one device. Returns the exit status that weighs most. */
int beside_run(int argc, char **argv, const struct options *options,
               int (*run)(int argc, char **argv, const char *joined,
                          int together));

/* The folder of a device's run in the one that joins them, for free(); NULL:
 * there is none of that number, or nothing is joined. */
char *beside_folder(const char *joined, int number);

#endif
