/* SPDX-License-Identifier: MIT
 *
 * Bug      Lines are summed only where the output has the poison at their
 *          start; else they are done already, it thinks.
 * Shows    where a launch is judged whose output held another input's result.
 */
#include "variants/broken/plain.cuh"

static __device__ void skips_unless_poisoned(const float *in, float *out,
                                             struct shape shape, int64_t line)
{
    const int64_t start = plain_start(shape, line);
    if (__float_as_uint(out[start]) == 0xffffffff)
        plain_line(in, out, shape, line);
}

PLAIN_VARIANT(skips_unless_poisoned,
              "bug: does nothing where the output looks done",
              plain_launch<skips_unless_poisoned>);
