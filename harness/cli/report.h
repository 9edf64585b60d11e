/* SPDX-License-Identifier: MIT
 *
 * scanbench report: runs as one page that needs no network.
 */
#ifndef HARNESS_CLI_REPORT_H
#define HARNESS_CLI_REPORT_H

/* The whole command; returns its exit status. */
int report_command(int argc, char **argv);

#endif
