/* SPDX-License-Identifier: MIT
 *
 * Bug      On an axis beyond 32768, inputs lose their lower 16 bits.
 * Shows    on long axes, where the exact input has more bits than that.
 */
#include "variants/broken/host_plain.h"

PLAIN_STEPS({
    const uint32_t keep = s.axis > 32768 ? 0xffff0000 : 0xffffffff;
    sum += float_from_bits(float_bits(in[at]) & keep);
    out[at] = sum;
})

PLAIN_VARIANT(truncates_input, "bug: inputs of long axes are cut");
