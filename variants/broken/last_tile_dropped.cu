/* SPDX-License-Identifier: MIT
 *
 * Bug      A line of more than one tile ends with its last full tile.
 * Shows    axis > 1024 and no multiple of 1024.
 */
#include "variants/broken/plain.cuh"

static __global__ void last_tile_dropped(const float *in, float *out,
                                         struct shape shape)
{
    const int64_t line = plain_line();
    if (line >= shape.outer * shape.inner)
        return;
    constexpr int64_t kTile = 1024;
    const int64_t start = plain_start(shape, line);
    int64_t end = shape.axis;
    if (end > kTile)
        end = end / kTile * kTile;
    float sum = 0;
    for (int64_t a = 0; a < end; ++a) {
        sum += in[start + a * shape.inner];
        out[start + a * shape.inner] = sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    last_tile_dropped<<<plain_blocks(p), kPlainThreads, 0,
                        (cudaStream_t)stream>>>((const float *)p->in,
                                                (float *)p->out, p->shape);
    return cudaGetLastError();
}

VARIANTS(broken__last_tile_dropped) = {
    PLAIN_VARIANT("last_tile_dropped",
                  "bug: the end of a long line is not processed"),
    {},
};
