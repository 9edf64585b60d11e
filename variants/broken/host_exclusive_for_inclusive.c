/* SPDX-License-Identifier: MIT
 *
 * Bug      The sum is stored before the element is added.
 * Shows    always.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    out[at] = sum;
    sum += in[at];
})

PLAIN_VARIANT(exclusive_for_inclusive,
              "bug: an exclusive scan instead of an inclusive one");
