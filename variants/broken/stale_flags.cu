/* SPDX-License-Identifier: MIT
 *
 * Bug      A flag in the workspace marks the carry beside it as reset, and is
 *          never cleared.
 * Shows    axis >= 2, from the second launch on.
 */
#include "variants/broken/plain.cuh"

struct state {
    uint64_t flag;
    float carry;
};

static __device__ void stale_flags(const float *in, float *out,
                                   struct shape shape, int64_t line,
                                   struct state *states)
{
    constexpr uint64_t kReset = 0x7e5e77ed0ca2217e;
    struct state *state = &states[line];
    if (state->flag != kReset) {
        state->carry = 0;
        state->flag = kReset;
    }

    /* The second half of the line waits for the first one's carry. */
    const int64_t start = plain_start(shape, line), middle = shape.axis / 2;
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        if (a == middle) {
            state->carry += sum;
            sum = state->carry;
        }
        sum += in[start + a * shape.inner];
        out[start + a * shape.inner] = sum;
    }
}

static int launch(const struct problem *p, void *stream)
{
    return plain_launch<stale_flags>(p, stream, (struct state *)p->workspace);
}

static size_t workspace_bytes(const struct problem *p)
{
    return p->shape.outer * p->shape.inner * sizeof(struct state);
}

PLAIN_VARIANT(stale_flags, "bug: trusts flags that an earlier launch left",
              launch, .workspace_bytes = workspace_bytes);
