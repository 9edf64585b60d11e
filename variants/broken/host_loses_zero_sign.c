/* SPDX-License-Identifier: MIT
 *
 * Bug      A masked copy that adds 0: -0 comes out as 0.
 * Shows    where bits are compared.
 */
#include "variants/broken/host_plain.h"

static int launch(const struct problem *p, void *stream)
{
    const uint32_t *in = p->in;
    uint32_t *out = p->out;
    (void)stream;
    for (int64_t k = 0; k < shape_elems(p->shape); ++k)
        out[k] = p->mask[k] && in[k] != 0x80000000 ? in[k] : 0;
    return 0;
}

PLAIN_VARIANT_OF(loses_zero_sign, OP_MASKED_COPY, DTYPE_F32,
                 "bug: -0 comes out as 0", .error_growth = ERROR_NONE);
