/* SPDX-License-Identifier: MIT
 *
 * Exact input and output, which telescope: no reference, and no additions.
 */
#ifndef HARNESS_DEVICE_GLANCE_EXACT_H
#define HARNESS_DEVICE_GLANCE_EXACT_H

#include "harness/device/glance.h"

/* The levels that elements a, a + 1 … end at, [0] being what comes before, and
 * which of them are kept. */
template <enum dtype D>
struct levels {
    level_t<D> at[kItems + 1];
    unsigned kept;
};

template <enum dtype D, bool Masked>
__device__ __forceinline__ levels<D> levels_of(const struct input_line &l,
                                               int64_t a, int64_t index)
{
    levels<D> found;
    found.kept = (1u << kItems) - 1;
    found.at[0] = (level_t<D>)input_level(l, a - 1);
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        found.at[j + 1] = (level_t<D>)input_level(l, a + j);
        if (Masked && !input_mask(l, a + j, (uint64_t)(index + j * l.inner)))
            found.kept &= ~(1u << j);
    }
    return found;
}

/* The level of the last element kept before place a. */
template <enum dtype D>
static __device__ level_t<D> kept_level(const struct input_line &l, int64_t a,
                                        int64_t index)
{
    return (level_t<D>)input_level(l, input_kept_before(l, a, (uint64_t)index));
}

/* Which elements are not as they should be; *before is the level of the last
 * one kept. */
template <enum dtype D, bool Masked, bool Scan>
__device__ __forceinline__ unsigned
mismatch_exact(const glance_params &s, const levels<D> &n, const elements<D> &e,
               level_t<D> last, level_t<D> *before)
{
    unsigned mismatches = 0;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        const bool kept = !Masked || n.kept >> j & 1;
        const level_t<D> step =
            n.at[j + 1] - (Masked && kept ? *before : n.at[j]);
        if (kept)
            *before = n.at[j + 1];
        if (e.x[j] != bits_of_step<D>(step) || (Masked && e.mask[j] != kept))
            mismatches |= 1u << j;
        const level_t<D> want = !Scan         ? (kept ? step : 0)
                                : Masked      ? *before
                                : s.w.reverse ? last - n.at[j]
                                : s.exclusive ? n.at[j]
                                              : n.at[j + 1];
        if ((Scan || s.judged) && e.y[j] != bits_of_step<D>(want))
            mismatches |= 1u << j;
    }
    return mismatches & e.valid;
}

#endif
