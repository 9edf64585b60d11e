/* SPDX-License-Identifier: MIT
 *
 * The message of a plan without cells.
 */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include "harness/options.h"

/* Says that nothing matches on devices of these kinds (bits 1 << enum
 * device_kind), and which family an unknown one may have meant. */
void suggest_tell_empty(const struct options *options, unsigned kinds);

#endif
