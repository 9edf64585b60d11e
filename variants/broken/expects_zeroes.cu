/* SPDX-License-Identifier: MIT
 *
 * Bug      Adds to a carry in the workspace that every launch leaves at 0: the
 *          first launch finds arbitrary contents there.
 * Shows    axis >= 2, in the first launch.
 */
#include "variants/broken/plain.cuh"

static __device__ void expects_zeroes(const float *in, float *out,
                                      struct shape shape, int64_t line,
                                      uint32_t *halves_done)
{
    const int64_t start = plain_start(shape, line);
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        if (a == shape.axis / 2 && halves_done[line]++ != 0)
            sum = 0;
        sum += in[start + a * shape.inner];
        out[start + a * shape.inner] = sum;
    }
    halves_done[line] = 0;
}

static int launch(const struct problem *p, void *stream)
{
    return plain_launch<expects_zeroes>(p, stream, (uint32_t *)p->workspace);
}

static size_t workspace_bytes(const struct problem *p)
{
    return shape_lines(p->shape) * sizeof(uint32_t);
}

PLAIN_VARIANT(expects_zeroes, "bug: trusts that the workspace is 0 at first",
              launch, .workspace_bytes = workspace_bytes);
