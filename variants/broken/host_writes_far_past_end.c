/* SPDX-License-Identifier: MIT
 *
 * Bug      4136 bytes past the end of the output an element is written, too.
 * Shows    where guards are larger than a page.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({ out[shape_elems(s) + 4136 / 4] = 0; })

PLAIN_VARIANT(writes_far_past_end, "bug: writes far behind the output");
