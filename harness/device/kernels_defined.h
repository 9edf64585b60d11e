/* SPDX-License-Identifier: MIT
 *
 * The comparison with an operator's definition: addition's, within its bound,
 * or an exact one (src/model/definition.h).
 */
#pragma once

#include "harness/device/kernels_walk.h"

/* One thread's results; each warp adds its sum to the whole. */
struct seen {
    unsigned long long checked, wrong, first_wrong;
    double max_error;
};

constexpr unsigned long long kNone = ~0ull;

static __device__ __forceinline__ seen nothing_seen(void)
{
    return { 0, 0, kNone, 0 };
}

static __device__ __forceinline__ void judge_output(seen *s, double bound,
                                                    int64_t index, double error)
{
    ++s->checked;
    s->max_error = fmax(s->max_error, error);
    if (error <= bound)
        return;
    ++s->wrong;
    s->first_wrong = min(s->first_wrong, (unsigned long long)index);
}

/* Called by whole warps; the first lane adds for all. */
static __device__ void gather(seen s, gathered *g)
{
    for (int lanes = 16; lanes; lanes /= 2) {
        s.checked += __shfl_xor_sync(0xffffffffu, s.checked, lanes);
        s.wrong += __shfl_xor_sync(0xffffffffu, s.wrong, lanes);
        s.first_wrong = min(s.first_wrong,
                            __shfl_xor_sync(0xffffffffu, s.first_wrong, lanes));
        s.max_error =
            fmax(s.max_error, __shfl_xor_sync(0xffffffffu, s.max_error, lanes));
    }
    if (threadIdx.x % 32)
        return;
    atomicAdd(&g->checked, s.checked);
    if (s.wrong) {
        atomicAdd(&g->wrong, s.wrong);
        atomicMin(&g->first_wrong, s.first_wrong);
    }
    if (s.max_error > 0)
        atomicMax(&g->max_error_bits,
                  (unsigned long long)__double_as_longlong(s.max_error));
}

/* Compares every element of input and output of a scan or reduction.
 * `cancelling`: relative to the line's magnitude. A ragged shape's lines have
 * the allowance instead of the bound. Returns a cudaError_t. */
int defined_check(const walk &w, bool exact, bool cancelling, double bound,
                  struct allowance allowance, gathered *g);
