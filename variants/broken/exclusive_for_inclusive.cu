/* SPDX-License-Identifier: MIT
 *
 * Bug      The sum is stored before its own element is added.
 * Shows    axis >= 1.
 */
#include "variants/broken/plain.cuh"

PLAIN_STEPS({
    out[at] = sum;
    sum += in[at];
})

PLAIN_VARIANT(exclusive_for_inclusive, "bug: an exclusive scan", launch);
