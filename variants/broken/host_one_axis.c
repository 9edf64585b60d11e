/* SPDX-License-Identifier: MIT
 *
 * Bug      In lines of 257 elements, the last one is counted twice.
 * Shows    where an axis is one longer than a block of 256 threads.
 */
#include "variants/broken/host_plain.h"

#define LAST in[plain_start(s, line) + 256 * s.inner]

PLAIN_LAUNCH(a == 0, a == 256 && s.axis == 257 ? sum + LAST : sum)

PLAIN_VARIANT(one_axis, "bug: lines of 257 elements count one twice");
