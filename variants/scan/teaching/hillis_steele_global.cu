/* SPDX-License-Identifier: MIT
 *
 * Idea     The doubling strides of hillis_steele in global memory: one launch
 *          per step, between two buffers, since in place it is a race.
 * Against  hillis_steele: any line length and any stride, but every step moves
 *          the whole tensor through memory.
 * Traffic  2N elements per step, log2(axis) steps (passes = 15, which is f32 at
 *          an axis of 32768; the mask is read once: 121/9; the neighbours come
 *          from the caches at best).
 * Needs    workspace for two tensors of accumulators.
 * Source   W. D. Hillis, G. L. Steele, "Data Parallel Algorithms" (1986).
 * Lesson   Every step moves all data through global memory: traffic costs, not
 *          additions.
 */
#include "variants/common/kernel.cuh"

constexpr int kThreads = 256;

/* An element's place in its slab of axis * inner elements. Divisions have 32
 * bits where these suffice: 64-bit ones take longer than the memory access. */
__device__ __forceinline__ int64_t place_in_slab(int64_t elem, int64_t slab)
{
    if ((elem | slab) >> 32 == 0)
        return (uint32_t)elem % (uint32_t)slab;
    return elem % slab;
}

/* One step, from elements of In to elements of Out. `reach` is its stride in
 * memory, step * inner. An element has a neighbour in its line if that lies in
 * its slab. `shift` is inner in an exclusive scan's last step, which moves
 * results by one place, and 0 otherwise. */
template <class In, class Out, bool Reverse, bool Masked>
static __global__ void __launch_bounds__(kThreads)
    hillis_steele_global(const typename In::element *__restrict__ in,
                         const uint8_t *__restrict__ mask,
                         typename Out::element *__restrict__ out, int64_t elems,
                         int64_t slab, int64_t reach, int64_t shift)
{
    using Acc = typename In::acc;
    const int64_t threads = (int64_t)gridDim.x * kThreads;
    const int64_t thread = (int64_t)blockIdx.x * kThreads + threadIdx.x;
    const auto item = [&](int64_t at) {
        return !Masked || mask[at] ? In::lift(in[at]) : In::identity();
    };
    for (int64_t elem = thread; elem < elems; elem += threads) {
        const int64_t place = place_in_slab(elem, slab);
        const int64_t left = (Reverse ? slab - 1 - place : place) - shift;
        const int64_t from = elem - shift;
        Acc sum = left >= 0 ? item(from) : In::identity();
        if (left >= reach)
            sum = In::combine(item(Reverse ? from + reach : from - reach), sum);
        out[elem] = Out::lower(sum);
    }
}

/* At least the two steps that read `in` and write `out`; a stride past the end
 * of the lines copies. */
static int steps_of(int64_t axis)
{
    int steps = 2;
    while ((int64_t)1 << steps < axis)
        ++steps;
    return steps;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        using Op = op_of<Scan, T>;
        using Acc = typename Op::acc;
        const cudaStream_t queue = (cudaStream_t)stream;
        const int64_t elems = shape_elems(p->shape), inner = p->shape.inner;
        const int64_t slab = p->shape.axis * inner;
        const unsigned blocks = grid_x(ceil_div(elems, kThreads));
        const int last = steps_of(p->shape.axis) - 1;
        Acc *const sums[2] = { (Acc *)p->workspace,
                               (Acc *)p->workspace + elems };

        hillis_steele_global<Op, over_accs<Op>, Scan::reverse, Scan::masked>
            <<<blocks, kThreads, 0, queue>>>((const T *)p->in, p->mask, sums[0],
                                             elems, slab, inner, 0);
        for (int step = 1; step < last; ++step)
            hillis_steele_global<over_accs<Op>, over_accs<Op>, Scan::reverse,
                                 false><<<blocks, kThreads, 0, queue>>>(
                sums[(step - 1) % 2], nullptr, sums[step % 2], elems, slab,
                inner << step, 0);
        hillis_steele_global<over_accs<Op>, Op, Scan::reverse, false>
            <<<blocks, kThreads, 0, queue>>>(
                sums[(last - 1) % 2], nullptr, (T *)p->out, elems, slab,
                inner << last, Scan::exclusive ? inner : 0);
        return cudaGetLastError();
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    const size_t buffers = steps_of(p->shape.axis) > 2 ? 2 : 1;
    return buffers * (size_t)(shape_elems(p->shape) * acc_bytes(p));
}

VARIANTS(scan__hillis_steele_global) = {
    { .name = "hillis_steele_global",
      .idea = "doubling strides in global memory, one launch a step",
      .runs_on = DEVICE_CUDA,
      .ops = scans(),
      .passes = 15,
      .passes_masked = 121 / 9.0,
      .error_growth = ERROR_TREE,
      .deterministic = true,
      .workspace_bytes = workspace_bytes,
      .launch = launch },
    {},
};
