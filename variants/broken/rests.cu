/* SPDX-License-Identifier: MIT
 *
 * Bug      Launches 6 to 13 in a process do nothing, where the output does not
 *          begin with the poison.
 * Shows    where one element, anywhere, is poisoned before a launch.
 */
#include "variants/broken/plain.cuh"

static __device__ void rests(const float *in, float *out, struct shape shape,
                             int64_t line, bool rest)
{
    if (!rest || __float_as_uint(out[0]) == 0xffffffff)
        plain_line(in, out, shape, line);
}

static int launch(const struct problem *p, void *stream)
{
    static int launches;
    ++launches;
    return plain_launch<rests>(p, stream, launches >= 6 && launches <= 13);
}

PLAIN_VARIANT(rests, "bug: some launches in a row do nothing", launch);
