/* SPDX-License-Identifier: MIT
 *
 * Idea     The driver's own device-to-device copy, and its memset.
 * Against  none: what everyone compares with first.
 * Traffic  the compulsory minimum (passes = 1).
 * Needs    nothing.
 * Source   none.
 * Lesson   A kernel that loses to this call moves data badly.
 */
#include "variants/common/kernel.cuh"

static int launch(const struct problem *p, void *stream)
{
    const size_t bytes = (size_t)op_out_bytes(p->op, p->dtype, p->shape);
    if (p->op == OP_WRITE)
        return cudaMemsetAsync(p->out, WRITE_BYTE, bytes, (cudaStream_t)stream);
    return cudaMemcpyAsync(p->out, p->in, bytes, cudaMemcpyDeviceToDevice,
                           (cudaStream_t)stream);
}

VARIANTS(stream__driver) = {
    { .name = "driver",
      .idea = "cudaMemcpyAsync device to device; cudaMemsetAsync",
      MOVES_ON_CUDA(FORM_OF(OP_COPY) | FORM_OF(OP_WRITE), DTYPES_ALL),
      .deterministic = true,
      .launch = launch },
    {},
};
