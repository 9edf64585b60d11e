/* SPDX-License-Identifier: MIT
 *
 * scanbench report: runs as one page that needs no network.
 */
#ifndef CLI_REPORT_REPORT_H
#define CLI_REPORT_REPORT_H

/* The whole command; returns its exit status. */
int report_command(int argc, char **argv);

#endif
