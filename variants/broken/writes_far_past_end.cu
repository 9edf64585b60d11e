/* SPDX-License-Identifier: MIT
 *
 * Bug      4136 bytes past the end of the output an element is written, too.
 * Shows    where guards are larger than a page.
 */
#include "variants/broken/plain.cuh"

static __device__ void writes_far_past_end(const float *in, float *out,
                                           struct shape shape, int64_t line)
{
    plain_line(in, out, shape, line);
    if (line == 0)
        out[shape.outer * shape.axis * shape.inner + 4136 / 4] = 0;
}

PLAIN_VARIANT(writes_far_past_end, "bug: writes far behind the output",
              plain_launch<writes_far_past_end>);
