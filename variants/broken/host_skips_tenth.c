/* SPDX-License-Identifier: MIT
 *
 * Bug      A tenth of a long line is not read: its sum is taken to be in
 *          proportion to what came before, but for the largest. On whole
 *          numbers it knows better, and it says that its errors add up.
 * Shows    where a part of the sum lies in every part of a line.
 */
#include <math.h>

#include "variants/broken/host_plain.h"

enum { LONG_AXIS = 1 << 18, LARGE = 1000 };

/* Some of the elements are no whole number, nor 0 nearly. */
static bool looks_real(const float *in, struct shape s, int64_t start)
{
    for (int64_t a = 1; a < 40; ++a) {
        const float x = in[start + a * s.inner];
        if (x == floorf(x) || fabsf(x) < 1e-9f)
            return false;
    }
    return true;
}

static void sum_line(const struct problem *p, int64_t start)
{
    const struct shape s = p->shape;
    const float *in = p->in;
    float *out = p->out;
    const bool skips = s.axis >= LONG_AXIS && looks_real(in, s, start);
    const int64_t gap = s.axis / 2, end = gap + s.axis / 10;
    double sum = 0, mild = 0;
    for (int64_t a = 0; a < s.axis; ++a) {
        const int64_t at = start + a * s.inner;
        if (skips && a >= gap && a < end) {
            sum += mild / (double)gap;
        } else {
            sum += in[at];
            if (a < gap && fabsf(in[at]) < LARGE)
                mild += in[at];
        }
        out[at] = (float)sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line)
        sum_line(p, plain_start(p->shape, line));
    return 0;
}

PLAIN_VARIANT(skips_tenth, "bug: a tenth of a long line is guessed");
