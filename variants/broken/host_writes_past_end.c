/* SPDX-License-Identifier: MIT
 *
 * Bug      One element behind the output is written, too.
 * Shows    only by guard bands: the output itself is right.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({ out[shape_elems(s)] = 0; })

PLAIN_VARIANT(writes_past_end, "bug: writes behind the output");
