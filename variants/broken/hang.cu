/* SPDX-License-Identifier: MIT
 *
 * Bug      Every line waits for a flag never raised.
 * Shows    always: the launch never ends.
 */
#include "variants/broken/plain.cuh"

static __device__ void hang(const float *in, float *out, struct shape shape,
                            int64_t line, const volatile uint32_t *raised)
{
    while (*raised != 1)
        ;
    plain_line(in, out, shape, line);
}

static int launch(const struct problem *p, void *stream)
{
    return launch_on_zeros(p, stream, sizeof(uint32_t),
                           plain_lines<hang, const volatile uint32_t *>,
                           plain_blocks(p));
}

static size_t workspace_bytes(const struct problem *)
{
    return sizeof(uint32_t);
}

PLAIN_VARIANT(hang, "bug: waits for ever", launch,
              .workspace_bytes = workspace_bytes);
