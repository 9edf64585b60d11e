/* SPDX-License-Identifier: MIT
 *
 * Bug      Declares falsely that a NaN spreads: no check would notice.
 * Shows    where a NaN and an infinity are planted anyway.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN()

PLAIN_VARIANT(spreads_nothing, "bug: a stale trait", .spreads_nonfinite = true);
