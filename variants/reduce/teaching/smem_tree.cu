/* SPDX-License-Identifier: MIT
 *
 * Idea     One block per line: its threads stride the axis, then a tree in
 *          shared memory combines their 256 partial results.
 * Against  thread_per_line: as many loads in flight per line as the block has
 *          threads, and neighbouring threads read neighbouring addresses if
 *          inner == 1.
 * Traffic  N elements by design (passes = 1); where inner > 1, every load
 *          fetches a sector and uses one element of it.
 * Needs    lines that one block can walk in about a second.
 * Source   M. Harris, "Optimizing Parallel Reduction in CUDA" (2007).
 * Lesson   A block per output suits long contiguous lines; a stride fetches a
 *          sector per element.
 */
#include "variants/common/kernel.cuh"

template <class Op, int Threads, class T = typename Op::element>
static __global__ void __launch_bounds__(Threads)
    smem_tree(const T *__restrict__ in, T *__restrict__ out, int64_t lines,
              int64_t axis, int64_t inner)
{
    using Acc = typename Op::acc;
    __shared__ Acc sums[Threads];
    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const T *x = in + line / inner * axis * inner + line % inner;

        /* load */
        const auto mine = share_of<Op>(axis, (int)threadIdx.x, Threads);
        Acc sum = Op::identity();
        for (int64_t a = mine.begin; a < mine.end; a += mine.step)
            sum = Op::combine(sum, Op::lift(x[a * inner], a));
        sums[threadIdx.x] = sum;

        /* upsweep: halves join, or neighbours if the order matters */
        for (int half = Threads / 2; half > 0; half /= 2) {
            const unsigned apart = Op::commutative ? half : Threads / 2 / half;
            const unsigned at = threadIdx.x * (Op::commutative ? 1 : 2 * apart);
            __syncthreads();
            if (threadIdx.x < half)
                sums[at] = Op::combine(sums[at], sums[at + apart]);
        }

        /* store: thread 0 wrote sums[0] itself */
        if (threadIdx.x == 0)
            out[line] = Op::lower(sums[0], axis);
        __syncthreads(); /* all have read before the next line is loaded */
    }
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        const int64_t lines = shape_lines(p->shape);
        return launch_kernel(smem_tree<Op, Threads>, lines, Threads, 0, stream,
                             p->in, p->out, lines, p->shape.axis,
                             p->shape.inner);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.axis > 1 << 28)
        return "one block would walk the line for seconds (axis > 2^28)";
    return NULL;
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "smem_tree_b" #threads,                                        \
        .idea = "a block strides the axis; a tree in shared memory",           \
        ON_CUDA(reductions(), 1), ERROR_OF_TILES(threads),                     \
        .deterministic = true, .refuses = refuses, .launch = launch<threads>,  \
        .portable_bits = true                                                  \
    }

VARIANTS(reduce__smem_tree) = {
    POINT(256),
    {},
};
