/* SPDX-License-Identifier: MIT
 *
 * What the files of `scanbench regret` share.
 */
#ifndef HARNESS_CLI_REGRET_PARTS_H
#define HARNESS_CLI_REGRET_PARTS_H

#include "src/judge/regrets.h"

enum regret_format {
    REGRET_TEXT,
    REGRET_MARKDOWN,
    REGRET_CSV,  /* the quantiles */
    REGRET_CELLS /* every cell, as CSV */
};

/* The quantiles by operation, type and class of shape, and the worst cells
 * (`top` of them at most; 0: all); on stdout. */
void regret_print(const struct regret *regret, const char *variant,
                  enum regret_format format, size_t top);

#endif
