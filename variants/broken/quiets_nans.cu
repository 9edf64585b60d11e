/* SPDX-License-Identifier: MIT
 *
 * Bug      A flip through arithmetic: signalling NaNs come out quiet.
 * Shows    where bits are compared, on any bits.
 */
#include "variants/broken/plain.cuh"

static __device__ void quiets_nans(const float *in, float *out,
                                   struct shape shape, int64_t line)
{
    const int64_t start = plain_start(shape, line);
    for (int64_t a = 0; a < shape.axis; ++a) {
        const uint32_t x = ((const uint32_t *)in)[start + a * shape.inner];
        const bool nan = (x & 0x7fffffff) > 0x7f800000;
        ((uint32_t *)out)[start + (shape.axis - 1 - a) * shape.inner] =
            nan ? x | 0x400000 : x;
    }
}

VARIANTS(broken__quiets_nans) = {
    { .name = "quiets_nans",
      .idea = "bug: a flip that changes NaNs",
      .runs_on = DEVICE_CUDA,
      .ops = OPS(FORM_OF(OP_FLIP), DTYPE_BIT(DTYPE_F32)),
      .passes = 1,
      .error_growth = ERROR_NONE,
      .deterministic = true,
      .launch = plain_launch<quiets_nans> },
    {},
};
