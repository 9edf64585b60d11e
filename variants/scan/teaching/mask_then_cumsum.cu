/* SPDX-License-Identifier: MIT
 *
 * Idea     Two library calls: the mask is applied first, into a tensor of its
 *          own, and that is scanned.
 * Against  block_per_line, which selects as it loads: one tensor less to write
 *          and to read.
 * Traffic  4N elements and the mask (passes = 17/9 in f32: 17 bytes per element
 *          instead of 9).
 * Needs    inner == 1; workspace for a tensor.
 * Source   torch.cumsum(x * mask, d), the usual formulation.
 * Lesson   An intermediate tensor costs as much time as it saves code.
 */
#include "variants/scan/multi_pass/tile_scan.cuh"

constexpr unsigned kNeeds = IS_LESSON;

/* Selects instead of multiplying: x may be NaN where the mask is 0. */
template <class Op, class T>
static __global__ void __launch_bounds__(kTileThreads)
    mask_then_cumsum_mask(const T *__restrict__ in,
                          const uint8_t *__restrict__ mask, T *__restrict__ out,
                          int64_t elems, bool aligned)
{
    const int64_t thread = (int64_t)blockIdx.x * kTileThreads + threadIdx.x;
    const int64_t stride = (int64_t)gridDim.x * kTileThreads * kVec<T>;
    for (int64_t at = thread * kVec<T>; at < elems; at += stride) {
        typename Op::acc v[kVec<T>];
        load_items<Op, true>(in, mask, at, elems, aligned, v);
        store_items<Op>(out, at, elems, aligned, v);
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            using Op = op_of<Scan, T>;
            const int64_t elems = shape_elems(p->shape);
            T *const masked = (T *)p->workspace;
            /* The mask is applied to one long line of all elements. */
            const int error = launch_kernel(
                mask_then_cumsum_mask<Op, T>,
                ceil_div(elems, kTileThreads * kVec<T>), kTileThreads, 0,
                stream, p->in, p->mask, masked, elems,
                lines_aligned<T>(p->in, p->mask, masked, elems));
            return error
                       ? error
                       : launch_scan_lines<scan_form<false, false, false>, Op>(
                             p, masked, (T *)p->out, stream);
        });
}

VARIANTS(scan__mask_then_cumsum) = {
    { .name = "mask_then_cumsum",
      .idea = "mask materialised first, then a plain scan",
      ON_CUDA(scans<kNeeds>(FORM_OF(OP_MASKED_CUMSUM)), 17 / 9.0),
      ERROR_OF_TILES(2048),
      .deterministic = true,
      .refuses = contiguous_only,
      .workspace_bytes = tensor_bytes,
      .launch = launch },
    {},
};
