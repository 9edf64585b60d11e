/* SPDX-License-Identifier: MIT
 *
 * Bug      The element in the middle of a line is read one place too early.
 * Shows    axis >= 2.
 */
#include "variants/broken/plain.cuh"

static __global__ void off_by_one(const float *in, float *out,
                                  struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    const int64_t start = plain_start(shape, line);
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        const int64_t read = a > 0 && a == shape.axis / 2 ? a - 1 : a;
        sum += in[start + read * shape.inner];
        out[start + a * shape.inner] = sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    off_by_one<<<plain_blocks(p), kPlainThreads, 0, (cudaStream_t)stream>>>(
        (const float *)p->in, (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__off_by_one) = {
    PLAIN_VARIANT("off_by_one", "bug: one element is read one place too early"),
    {},
};
