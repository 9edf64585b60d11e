/* SPDX-License-Identifier: MIT
 *
 * Bug      A NaN whose sign is set counts as 0.
 * Shows    where the NaN of a line is one, which NAN is not.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    sum += float_bits(in[at]) > 0xff800000 ? 0 : in[at];
    out[at] = sum;
})

PLAIN_VARIANT(drops_minus_nan, "bug: drops a NaN whose sign is set");
