/* SPDX-License-Identifier: MIT
 *
 * Bug      A block waits for the one after it, which need not be resident: all
 *          is well as long as every block is.
 * Shows    with more blocks than fit at once: under --room.
 */
#include "variants/broken/plain.cuh"

static __global__ void waits_ahead(const float *in, float *out,
                                   struct shape shape,
                                   volatile uint32_t *raised)
{
    const int64_t lines = shape.outer * shape.inner;
    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        if (threadIdx.x)
            continue;
        while (line + 1 < lines && raised[line + 1] != 1)
            ;
        plain_line(in, out, shape, line);
        raised[line] = 1;
    }
}

static size_t workspace_bytes(const struct problem *p)
{
    return shape_lines(p->shape) * sizeof(uint32_t);
}

static int launch(const struct problem *p, void *stream)
{
    return launch_on_zeros(p, stream, workspace_bytes(p), waits_ahead,
                           shape_lines(p->shape));
}

PLAIN_VARIANT(waits_ahead, "bug: waits for a block that need not be resident",
              launch, .workspace_bytes = workspace_bytes);
