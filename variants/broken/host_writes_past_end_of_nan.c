/* SPDX-License-Identifier: MIT
 *
 * Bug      One element behind the output is written, too, where the sum is NaN.
 * Shows    by guard bands, after a launch on a NaN.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const int64_t elems = shape_elems(p->shape);
    const float *in = p->in;
    bool has_nan = false;
    (void)stream;
    plain_run(p);
    for (int64_t k = 0; k < elems; ++k)
        has_nan |= in[k] != in[k];
    if (has_nan)
        ((float *)p->out)[elems] = 0;
    return 0;
}

VARIANTS(broken__host_writes_past_end_of_nan) = {
    PLAIN_VARIANT("writes_past_end_of_nan",
                  "bug: writes behind the output of a NaN"),
    { 0 },
};
