/* SPDX-License-Identifier: MIT
 *
 * Calls to the variant that is chosen for a problem, for those of this folder.
 */
#ifndef VARIANTS_BEST_CHOSEN_H
#define VARIANTS_BEST_CHOSEN_H

#include "variants/choose.h"

/* As the functions of struct variant, for a problem with these contracts beside
 * its own. */
const char *best_refuses(const struct problem *problem, unsigned contracts);
size_t best_workspace(const struct problem *problem, unsigned contracts);
int best_launch(const struct problem *problem, unsigned contracts,
                void *stream);

#endif
