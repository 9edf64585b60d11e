/* SPDX-License-Identifier: MIT
 *
 * Bug      A line of more than one tile ends with its last full tile.
 * Shows    axis > 1024 and no multiple of 1024.
 */
#include "variants/broken/plain.cuh"

PLAIN_STEPS({
    constexpr int64_t kTile = 1024;
    sum += in[at];
    if (s.axis <= kTile || a < s.axis / kTile * kTile)
        out[at] = sum;
})

PLAIN_VARIANT(last_tile_dropped, "bug: the end of a long line is not processed",
              launch);
