/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see integer_bug_list.h.
 * Shows    any line whose results need more bits, or any element of that kind.
 */
#include "variants/broken/integer_bug_list.h"
#include "variants/broken/plain.cuh"

INTEGER_BUGS(WALK_LAUNCH)

#define INTEGER_ROW(name, operation, dtype, type, start, joined, stored, bug)  \
    INTEGER_VARIANT(DEVICE_CUDA, name, operation, dtype, bug),
VARIANTS(broken__integer_bugs) = { INTEGER_BUGS(INTEGER_ROW){} };
