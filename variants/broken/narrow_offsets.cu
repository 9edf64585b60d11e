/* SPDX-License-Identifier: MIT
 *
 * Bug      The offsets of segments lose all but their low 31 bits.
 * Shows    segments past the first 2^31 elements.
 */
#include "variants/broken/plain.cuh"

static __device__ int64_t low_bits(const struct problem *p, int64_t k)
{
    return offset_at(p->offsets, p->offset_bytes, k) & 0x7fffffff;
}

static __device__ void narrow_offsets_walk(const struct problem *p, int64_t,
                                           int64_t line)
{
    const int64_t end = low_bits(p, line + 1);
    float sum = 0;
    for (int64_t at = low_bits(p, line); at < end; ++at)
        sum += ((const float *)p->in)[at];
    ((float *)p->out)[line] = sum;
}
WALK_LAUNCH(narrow_offsets)

static const char *refuses(const struct problem *p)
{
    return p->offsets && p->shape.inner == 1 ? NULL
                                             : "serves contiguous segments";
}

VARIANTS(broken__narrow_offsets) = {
    { .name = "narrow_offsets",
      .idea = "bug: an offset has 31 bits",
      ON_CUDA(OPS(FORM_OF(OP_SUM), DTYPE_BIT(DTYPE_F32)), 1),
      .error_growth = ERROR_SERIAL,
      .deterministic = true,
      .refuses = refuses,
      .launch = launch_narrow_offsets,
      .ragged = true },
    {},
};
