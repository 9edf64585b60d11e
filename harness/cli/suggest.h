/* SPDX-License-Identifier: MIT
 *
 * What may have been meant where nothing matches.
 */
#ifndef HARNESS_CLI_SUGGEST_H
#define HARNESS_CLI_SUGGEST_H

#include "harness/options.h"

/* Says that nothing matches on devices of these kinds (bits 1 << enum
 * device_kind), and the nearest names: of families for --family; else of
 * operations, types or variants, whichever the first word that none of them
 * has stands for. */
void suggest_tell_empty(const struct options *options, unsigned kinds);

#endif
