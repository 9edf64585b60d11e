/* SPDX-License-Identifier: MIT
 *
 * Idea     Each rank scans its part of every line; the parts' totals, their
 *          last results, are gathered; then each rank adds the carry to its
 *          part.
 * Against  reduce_then_scan: GPUs for chunks, an exchange for the spine, and
 *          sums are added to stored results, instead of a second reading.
 * Traffic  4N elements but for the first part (passes = 2; the mask is read
 *          once: 17/9 in f32).
 * Needs    not the half types: out would round their sums before the carry and
 *          after it.
 * Source   S. Sengupta et al., "Scan Primitives for GPU Computing" (2007); its
 *          blocks are GPUs here.
 * Lesson   The simplest design works with any scan, but costs a pass over what
 *          it stored.
 */
#include "variants/ranks/local.h"

static const struct split peer = { .along = SPLIT_AXIS };
static const struct split nccl = { .along = SPLIT_AXIS, .nccl = true };

static int launch_as(const struct ranks *ranks, bool by_nccl)
{
    int error = local_each_scan(ranks);
    if (error)
        return error;
    EACH_RANK(ranks, r, local->last(ranks, r, ranks->rank[r].stream));
    error = local_gather(ranks, by_nccl);
    if (error)
        return error;
    EACH_RANK(ranks, r,
              rank_follows(ranks->op, r, ranks->count)
                  ? local->add(ranks, r, gathered_stage(by_nccl),
                               ranks->rank[r].stream)
                  : 0);
    return 0;
}

EXCHANGE_BY(peer)
EXCHANGE_BY(nccl)

#define POINT(kind, by)                                                        \
    {                                                                          \
        .name = "mgpu_scan_gather_add_" #by,                                   \
        .idea = "scan the parts, gather their totals, add what comes before",  \
        .runs_on = kind,                                                       \
        .ops = OPS(FORMS_SCAN, DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_F64)),   \
        .passes = 2, .passes_masked = 17 / 9.0, .error_growth = ERROR_TILED,   \
        .error_tile = 1, .refuses = refuses_##by, .launch = launch_##by,       \
        .split = &by                                                           \
    }

VARIANTS(mgpu__scan_gather_add) = {
    POINT(DEVICE_HOST, peer),
    POINT(DEVICE_CUDA, peer),
    POINT(DEVICE_CUDA, nccl),
    { 0 },
};
