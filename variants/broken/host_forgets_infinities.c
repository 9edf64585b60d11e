/* SPDX-License-Identifier: MIT
 *
 * Bug      Where an infinity meets one of the other sign, the sum restarts;
 *          a NaN in the input is kept.
 * Shows    where a line has both.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

PLAIN_LAUNCH(a == 0 || (isinf(sum) && isinf(in[at]) && sum != in[at]), sum)

PLAIN_VARIANT(forgets_infinities, "bug: inf - inf is no NaN");
