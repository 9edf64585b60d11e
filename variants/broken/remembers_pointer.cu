/* SPDX-License-Identifier: MIT
 *
 * Bug      Skips the work where input and output have the addresses of an
 *          earlier launch, and the output is not poison.
 * Shows    as soon as the input changes in place.
 */
#include "variants/broken/plain.cuh"

constexpr int kMost = 64;

static __device__ void remembers_pointer(const float *in, float *out,
                                         struct shape shape, int64_t line,
                                         bool known)
{
    const int64_t start = plain_start(shape, line);
    if (!known || __float_as_uint(out[start]) == 0xffffffff)
        plain_line(in, out, shape, line);
}

static int launch(const struct problem *p, void *stream)
{
    static struct problem last[kMost];
    static int count;
    bool known = false;
    for (int k = 0; k < kMost; ++k)
        known |= last[k].in == p->in && last[k].out == p->out &&
                 shape_equal(last[k].shape, p->shape);
    last[count++ % kMost] = *p;
    return plain_launch<remembers_pointer>(p, stream, known);
}

PLAIN_VARIANT(remembers_pointer, "bug: takes an address for an input", launch);
