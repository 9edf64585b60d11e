/* SPDX-License-Identifier: MIT
 *
 * Bug      60000 bytes before the output an element is written, too.
 * Shows    where guards are that large.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN({ out[-15000] = 0; })

PLAIN_VARIANT(writes_far_before, "bug: writes far before the output");
