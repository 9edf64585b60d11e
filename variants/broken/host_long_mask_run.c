/* SPDX-License-Identifier: MIT
 *
 * Bug      A row of 40 elements that are masked off, or a row of 40 that are
 *          kept, adds 1.
 * Shows    where a mask has long runs.
 */
#include "variants/broken/host_plain.h"

enum { LONG_RUN = 40 };

static int launch(const struct problem *p, void *stream)
{
    const struct shape s = p->shape;
    const float *in = p->in;
    float *out = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        float sum = 0;
        int run = 0, last = -1;
        for (int64_t a = 0; a < s.axis; ++a) {
            const int64_t at = plain_start(s, line) + a * s.inner;
            run = p->mask[at] == last ? run + 1 : 1;
            last = p->mask[at];
            sum += (last ? in[at] : 0) + (run == LONG_RUN);
            out[at] = sum;
        }
    }
    return 0;
}

PLAIN_VARIANT_OF(long_mask_run, OP_MASKED_CUMSUM, DTYPE_F32,
                 "bug: a long run of the mask adds 1",
                 .error_growth = ERROR_SERIAL);
