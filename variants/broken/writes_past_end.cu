/* SPDX-License-Identifier: MIT
 *
 * Bug      The element after the output is written, too.
 * Shows    always, in that element.
 */
#include "variants/broken/plain.cuh"

static __device__ void writes_past_end(const float *in, float *out,
                                       struct shape shape, int64_t line)
{
    plain_line(in, out, shape, line);
    if (line == 0)
        out[shape.outer * shape.axis * shape.inner] = 0;
}

PLAIN_VARIANT(writes_past_end, "bug: writes one element past the end",
              plain_launch<writes_past_end>);
