/* SPDX-License-Identifier: MIT
 *
 * scanbench list: what could be run.
 */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "harness/options.h"

/* The command; returns its exit status. Needs no device, but for --devices; of
 * ids that cannot run for want of a GPU it says so on stderr. */
int list_command(const struct options *options);

#endif
