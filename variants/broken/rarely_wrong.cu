/* SPDX-License-Identifier: MIT
 *
 * Bug      In every 61st launch a line's last element is not written.
 * Shows    in many launches: under --repeat.
 */
#include "variants/broken/plain.cuh"

static __device__ unsigned launches;

static __device__ void rarely_wrong(const float *in, float *out,
                                    struct shape shape, int64_t line)
{
    if (line == 0 && ++launches % 61 == 0)
        --shape.axis;
    plain_line(in, out, shape, line);
}

VARIANTS(broken__rarely_wrong) = {
    { .name = "rarely_wrong",
      .idea = "bug: one launch in 61 is wrong",
      ON_CUDA(OPS(FORM_OF(OP_CUMSUM), DTYPE_BIT(DTYPE_F32)), 1),
      .error_growth = ERROR_SERIAL,
      .launch = plain_launch<rarely_wrong> },
    {},
};
