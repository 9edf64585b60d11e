/* SPDX-License-Identifier: MIT
 *
 * Bug      Keeps the result of a small problem, and returns it again where two
 *          elements and the shape equal the last ones.
 * Shows    where a timed launch's input differs little.
 */
#include "variants/broken/plain.cuh"

constexpr int64_t kMost = 1 << 20;

static __device__ float kept[kMost], probes[2];
static __device__ struct shape kept_shape;
static __device__ bool hit;

static __global__ void decide(const float *in, struct shape shape)
{
    const int64_t elems = shape.outer * shape.axis * shape.inner;
    const float now[2] = { in[0], in[elems / 2] };
    hit = elems <= kMost && probes[0] == now[0] && probes[1] == now[1] &&
          kept_shape.outer == shape.outer && kept_shape.axis == shape.axis &&
          kept_shape.inner == shape.inner;
    probes[0] = now[0];
    probes[1] = now[1];
    kept_shape = shape;
}

static __device__ void remembers(const float *in, float *out,
                                 struct shape shape, int64_t line)
{
    const int64_t start = plain_start(shape, line);
    const bool keep = shape.outer * shape.axis * shape.inner <= kMost;
    if (!hit)
        plain_line(in, out, shape, line);
    for (int64_t a = 0; a < shape.axis && keep; ++a) {
        const int64_t at = start + a * shape.inner;
        if (hit)
            out[at] = kept[at];
        else
            kept[at] = out[at];
    }
}

static int launch(const struct problem *p, void *stream)
{
    decide<<<1, 1, 0, (cudaStream_t)stream>>>((const float *)p->in, p->shape);
    return plain_launch<remembers>(p, stream);
}

PLAIN_VARIANT(remembers, "bug: returns a remembered result", launch);
