/* SPDX-License-Identifier: MIT
 *
 * Bug      Where rows are whole vectors of a warp, and there are several, of
 *          more than 100 steps, the first step is counted twice.
 * Shows    where outer is more than 1, and inner a multiple of 128.
 */
#include "variants/broken/host_plain.h"

#define TWICE (s.outer > 1 && s.axis > 100 && s.inner % 128 == 0)
#define FIRST in[plain_start(s, line)]

PLAIN_LAUNCH(a == 0, TWICE ? sum + FIRST : sum)

PLAIN_VARIANT(row_of_128, "bug: rows of 128 columns count one twice");
