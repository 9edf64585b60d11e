/* SPDX-License-Identifier: MIT
 *
 * Bug      On an axis beyond 32768, inputs lose their lower 16 bits.
 * Shows    on long axes, where the exact input has more bits than that.
 */
#include "variants/broken/plain.cuh"

static __global__ void truncates_input(const float *in, float *out,
                                       struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    const unsigned keep = shape.axis > 32768 ? 0xffff0000 : 0xffffffff;
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        const float x = in[start + a * shape.inner];
        sum += __uint_as_float(__float_as_uint(x) & keep);
        out[start + a * shape.inner] = sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    truncates_input<<<plain_blocks(p), kPlainThreads, 0,
                      (cudaStream_t)stream>>>((const float *)p->in,
                                              (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__truncates_input) = {
    PLAIN_VARIANT("truncates_input", "bug: inputs of long axes are cut"),
    {},
};
