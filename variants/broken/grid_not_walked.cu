/* SPDX-License-Identifier: MIT
 *
 * Bug      Assumes as many blocks as needed; a grid ends at 2^31 - 1.
 * Shows    where the grid is smaller: under --blocks.
 */
#include "variants/broken/plain.cuh"

PLAIN_VARIANT(grid_not_walked, "bug: no loop over what the grid leaves",
              plain_launch<plain_line>);
