/* SPDX-License-Identifier: MIT
 *
 * Rows of runs that tests of the analysis make up.
 */
#pragma once

#include "src/runs/row.h"

/* A process of a sum whose time is known to 0.1 %. */
static inline struct row made_row(const char *variant, enum status status,
                                  double us)
{
    return (struct row){ .op = OP_SUM,
                         .status = status,
                         .shape = { 1, 1, 1 },
                         .us.median = us,
                         .us.ci_low = us * 0.999,
                         .us.ci_high = us * 1.001,
                         .gbps = 1e5 / us,
                         .pct_ceiling = 5e3 / us,
                         .passes = 1,
                         .variant = variant,
                         .family = variant,
                         .reason = status_is_timed(status) ? "" : "why",
                         .throttle = "" };
}
