/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see operator_bug_list.h.
 * Shows    any line of the operation, or one with a NaN.
 */
#include "variants/broken/host_plain.h"
#include "variants/broken/operator_bug_list.h"

OPERATOR_BUGS(WALK_LAUNCH)

#define VARIANT(name, operation, start, joined, stored, bug)                   \
    OPERATOR_VARIANT(DEVICE_HOST, name, operation, bug),
VARIANTS(broken__host_operator_bugs) = { OPERATOR_BUGS(VARIANT){ 0 } };
