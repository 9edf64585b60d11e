/* SPDX-License-Identifier: MIT
 *
 * Idea     Each rank sums its part of every line; the totals are gathered; then
 *          each scans its part from the carry that enters it, which comes to
 *          the scan as elements in front of the line.
 * Against  scan_gather_add: the input is read twice, where that one reads
 *          and writes the output once more.
 * Traffic  3N elements (passes = 1.5; with the mask, read twice too, 14/9 in
 *          f32); of sums N.
 * Needs    room for the carry in front of each line: whole vectors, so that
 *          lines keep their alignment, and three places of the half types.
 * Source   D. Merrill, A. Grimshaw, "Parallel Scan for Stream Architectures"
 *          (2009); its chunks are GPUs here.
 * Lesson   A rank cannot store before everything in front is read, nor hold its
 *          own part: half a pass more.
 */
#include "variants/ranks/local.h"

/* No schedule of contiguous parts is faster. Say that reading takes r of the
 * time of copying, and the first of two ranks has s of the line and scans s1 of
 * that before the rest. It ends at s + r (s - s1); the second stores from s1 +
 * r (s - s1) on and ends 1 - s later. This is least at s1 = 0, s = 1/2. */
static const struct split peer = { .along = SPLIT_AXIS, .takes_carry = true };
static const struct split nccl = { .along = SPLIT_AXIS,
                                   .takes_carry = true,
                                   .nccl = true };

static int launch_as(const struct ranks *ranks, bool by_nccl)
{
    if (op_is_reduction(ranks->op))
        return local_each_sum(ranks, by_nccl);
    int error = local_each_totals(ranks);
    if (!error)
        error = local_gather(ranks, by_nccl);
    if (error)
        return error;
    EACH_RANK(ranks, r,
              rank_follows(ranks->op, r, ranks->count)
                  ? local->carry(ranks, r, all_lines(ranks),
                                 gathered_stage(by_nccl), ranks->rank[r].stream)
                  : 0);
    return local_each_scan(ranks);
}

EXCHANGE_BY(peer)
EXCHANGE_BY(nccl)

#define POINT(kind, by, ops_, passes_)                                         \
    {                                                                          \
        .name = "mgpu_reduce_gather_scan_" #by,                                \
        .idea = "sum the parts, gather the totals, scan from the carry",       \
        .runs_on = kind, .ops = OPS(ops_, DTYPES_FLOAT), .passes = passes_,    \
        .passes_masked = 14 / 9.0, .error_growth = ERROR_TILED,                \
        .error_tile = 1,                                                       \
        .loses_subnormals = /* atomics */ kind == DEVICE_CUDA,                 \
        .refuses = refuses_##by, .launch = launch_##by, .split = &by           \
    }

VARIANTS(mgpu__reduce_gather_scan) = {
    POINT(DEVICE_HOST, peer, FORMS_SCAN, 1.5),
    POINT(DEVICE_HOST, peer, FORM_REDUCE, 1),
    POINT(DEVICE_CUDA, peer, FORMS_SCAN, 1.5),
    POINT(DEVICE_CUDA, peer, FORM_REDUCE, 1),
    POINT(DEVICE_CUDA, nccl, FORMS_SCAN, 1.5),
    POINT(DEVICE_CUDA, nccl, FORM_REDUCE, 1),
    { 0 },
};
