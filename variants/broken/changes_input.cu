/* SPDX-License-Identifier: MIT
 *
 * Bug      The input serves as scratch: it ends as the sums, too.
 * Shows    axis >= 2; the output is right, the first time.
 */
#include "variants/broken/plain.cuh"

static __device__ void changes_input(const float *in, float *out,
                                     struct shape shape, int64_t line)
{
    const int64_t start = plain_start(shape, line);
    plain_line(in, (float *)in, shape, line);
    for (int64_t a = 0; a < shape.axis; ++a)
        out[start + a * shape.inner] = in[start + a * shape.inner];
}

PLAIN_VARIANT(changes_input, "bug: writes to the input",
              plain_launch<changes_input>);
