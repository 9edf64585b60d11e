/* SPDX-License-Identifier: MIT
 *
 * The command that runs one cell again.
 */
#ifndef HARNESS_SWEEP_AGAIN_H
#define HARNESS_SWEEP_AGAIN_H

#include "harness/cell.h"
#include "harness/options.h"

enum { AGAIN_BYTES = 1 << 15 };

/* "scanbench check --op … --shape …": the same command, for this cell alone. */
char *again_text(const struct options *options, enum device_kind kind,
                 const struct cell *cell, char text[AGAIN_BYTES]);

#endif
