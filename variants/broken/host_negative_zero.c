/* SPDX-License-Identifier: MIT
 *
 * Bug      Sums that are 0 are -0.
 * Shows    where a sum is 0, in its sign.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    float *out = p->out;
    (void)stream;
    plain_run(p);
    for (int64_t k = 0; k < shape_elems(p->shape); ++k)
        if (out[k] == 0)
            out[k] = -0.0f;
    return 0;
}

VARIANTS(broken__host_negative_zero) = {
    PLAIN_VARIANT("negative_zero", "bug: -0 for 0"),
    { 0 },
};
