/* SPDX-License-Identifier: MIT
 *
 * Bug      Input and output are taken to be aligned alike.
 * Shows    one is moved off 16 bytes further than the other is.
 */
#include "variants/broken/plain.cuh"

static __global__ void like_alignment(const float *in, float *out,
                                      struct shape shape)
{
    const bool unlike = ((uintptr_t)in ^ (uintptr_t)out) & 15;
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        sum += in[start + a * shape.inner];
        out[start + a * shape.inner] = unlike ? sum + 1 : sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    like_alignment<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__like_alignment) = {
    PLAIN_VARIANT("like_alignment",
                  "bug: right where input and output are aligned alike"),
    {},
};
