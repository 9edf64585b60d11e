/* SPDX-License-Identifier: MIT
 *
 * Bug      60000 bytes before the output an element is written, too.
 * Shows    where guards are that large.
 */
#include "variants/broken/plain.cuh"

static __device__ void writes_far_before(const float *in, float *out,
                                         struct shape shape, int64_t line)
{
    plain_line(in, out, shape, line);
    if (line == 0)
        out[-15000] = 0;
}

PLAIN_VARIANT(writes_far_before, "bug: writes far before the output",
              plain_launch<writes_far_before>);
