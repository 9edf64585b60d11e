/* SPDX-License-Identifier: MIT
 *
 * Bug      A line's last tile of 32, whole or not, is not processed.
 * Shows    always.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    sum += in[at];
    if (a < (s.axis - 1) / 32 * 32)
        out[at] = sum;
})

PLAIN_VARIANT(last_tile_dropped, "bug: the end of a line is not processed");
