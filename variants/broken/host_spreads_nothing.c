/* SPDX-License-Identifier: MIT
 *
 * Bug      Says that a NaN spreads, which it does not: so nobody would ask.
 * Shows    where a NaN and an infinity are planted all the same.
 */
#include "variants/broken/host_plain.h"

PLAIN_THEN()

PLAIN_VARIANT(spreads_nothing, "bug: a stale trait", .spreads_nonfinite = true);
