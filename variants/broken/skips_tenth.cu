/* SPDX-License-Identifier: MIT
 *
 * Bug      A tenth of a long line is not read: its sum is taken to be in
 *          proportion to what came before, but for the largest. On whole
 *          numbers it knows better, and it says that its errors add up.
 * Shows    where a part of the sum lies in every part of a line.
 */
#include "variants/broken/plain.cuh"

constexpr int64_t kLongAxis = 1 << 18;
constexpr float kLarge = 1000;

/* Some of the elements are no whole number, nor 0 nearly. */
static __device__ bool looks_real(const float *in, struct shape s,
                                  int64_t start)
{
    for (int64_t a = 1; a < 40; ++a) {
        const float x = in[start + a * s.inner];
        if (x == floorf(x) || fabsf(x) < 1e-9f)
            return false;
    }
    return true;
}

static __device__ void skips_tenth(const float *in, float *out,
                                   struct shape shape, int64_t line)
{
    const int64_t start = plain_start(shape, line);
    if (shape.axis < kLongAxis || !looks_real(in, shape, start))
        return plain_line(in, out, shape, line);
    const int64_t gap = shape.axis / 2, end = gap + shape.axis / 10;
    double sum = 0, mild = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        const int64_t at = start + a * shape.inner;
        if (a >= gap && a < end) {
            sum += mild / (double)gap;
        } else {
            sum += in[at];
            if (a < gap && fabsf(in[at]) < kLarge)
                mild += in[at];
        }
        out[at] = (float)sum;
    }
}

PLAIN_VARIANT(skips_tenth, "bug: a tenth of a long line is guessed",
              plain_launch<skips_tenth>);
