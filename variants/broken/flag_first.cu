/* SPDX-License-Identifier: MIT
 *
 * Bug      A block raises its flag, and only then writes the sum that the flag
 *          stands for. No reader is that quick, except in a build with delays,
 *          as this one.
 * Shows    axis >= 2, many lines.
 */
#ifndef SCANBENCH_DELAYS
#define SCANBENCH_DELAYS
#endif
#include "variants/broken/plain.cuh"
#include "variants/common/launch/delays.cuh"

struct state {
    uint32_t flag;
    float sum;
};

/* Two blocks per line, one per half; the second waits for the first's sum. */
static __global__ void flag_first(const float *in, float *out,
                                  struct shape shape,
                                  volatile struct state *states)
{
    const int64_t halves = shape.outer * shape.inner * 2;
    const int64_t middle = shape.axis / 2;
    for (int64_t half = blockIdx.x; half < halves; half += gridDim.x) {
        const int64_t line = half / 2, start = plain_start(shape, line);
        const bool second = half % 2;
        float sum = 0;
        if (threadIdx.x)
            continue;
        if (second) {
            while (states[line].flag != 1)
                ;
            sum = states[line].sum;
        }
        for (int64_t a = second ? middle : 0;
             a < (second ? shape.axis : middle); ++a) {
            sum += in[start + a * shape.inner];
            out[start + a * shape.inner] = sum;
        }
        if (!second) {
            states[line].flag = 1;
            delay();
            states[line].sum = sum;
        }
    }
}

static size_t workspace_bytes(const struct problem *p)
{
    return shape_lines(p->shape) * sizeof(struct state);
}

static int launch(const struct problem *p, void *stream)
{
    return launch_on_zeros(p, stream, workspace_bytes(p), flag_first,
                           shape_lines(p->shape) * 2);
}

PLAIN_VARIANT(flag_first, "bug: the flag comes before what it stands for",
              launch, .workspace_bytes = workspace_bytes);
