/* SPDX-License-Identifier: MIT
 *
 * scanbench export: a run in the formats that others' tools read.
 */
#ifndef HARNESS_CLI_EXPORT_H
#define HARNESS_CLI_EXPORT_H

/* The whole command; returns its exit status. */
int export_command(int argc, char **argv);

#endif
