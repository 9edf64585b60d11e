/* SPDX-License-Identifier: MIT
 *
 * Bug      The sum loses its lowest 8 bits every 65536 elements.
 * Shows    on axes beyond that, if sums have that many bits.
 */
#include "variants/broken/plain.cuh"

static __global__ void coarse_carry(const float *in, float *out,
                                    struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        if (a % 65536 == 0)
            sum = __uint_as_float(__float_as_uint(sum) & 0xffffff00);
        sum += in[start + a * shape.inner];
        out[start + a * shape.inner] = sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    coarse_carry<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__coarse_carry) = {
    PLAIN_VARIANT("coarse_carry", "bug: the carry loses 8 bits"),
    {},
};
