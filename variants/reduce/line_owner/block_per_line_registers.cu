/* SPDX-License-Identifier: MIT
 *
 * Idea     One block holds a whole line in registers: the number of threads
 *          follows from the line's length, and all loads are in flight before
 *          the first is combined. Vectors at both ends may contain other lines'
 *          elements: there, threads load single ones.
 * Against  warp_per_line: its loop takes whole rounds of loads, and the rest
 *          one by one; here one round is the line.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines of 4 to 64 KiB.
 * Source   none.
 * Lesson   Blocks that only load, in memory order, nearly reach the speed of
 *          reading.
 */
#include "variants/reduce/line_owner/line_edges.cuh"

constexpr int kMostVectors = 4096, kLeastVectors = 256; /* per line */

/* Vector j of a thread in the block's Threads * Loads: strided, so that a
 * warp's loads are contiguous, or consecutive if the operator does not commute.
 */
template <class Op, int Threads, int Loads>
__device__ __forceinline__ int vector_of(int j)
{
    return Op::commutative ? (int)threadIdx.x + j * Threads
                           : (int)threadIdx.x * Loads + j;
}

/* The first line starts at element `lead` of an aligned vector. */
template <class Op, int Threads, int Loads, class T = typename Op::element>
static __global__ void __launch_bounds__(Threads,
                                         kResident<Threads, 1024 / Threads>)
    block_per_line_registers(const T *__restrict__ in, T *__restrict__ out,
                             int64_t lines, int axis, int lead)
{
    TAG(fast);
    using Acc = typename Op::acc;
    constexpr int V = kVec<T>, kWarps = Threads / 32;
    __shared__ Acc warp_sums[kWarps];
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;

    /* This loop never repeats; without it, nvcc orders halves' loads badly. */
    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        /* load */
        const int64_t first = line * axis;
        const int shift = (int)((first + lead) % V);
        const int begin = shift > 0, whole = (shift + axis) / V;
        const T *x = in + first - shift;
        uint4 y[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int v = vector_of<Op, Threads, Loads>(j);
            y[j] = pad_words<Op, uint4>();
            if (v >= begin && v < whole)
                y[j] = ((const uint4 *)x)[v];
        }

        /* upsweep */
        Acc sum = Op::commutative
                      ? edge_element<Op>(x, shift, axis, (int)threadIdx.x)
                      : Op::identity();
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int v = vector_of<Op, Threads, Loads>(j);
            if (!Op::commutative && (v < begin || v == whole))
                sum = Op::combine(sum, edge_vector<Op>(x, v, shift, axis));
            sum = add_vector<Op>(sum, y[j], v * V - shift);
        }
        sum = warp_reduce<Op>(sum);
        if (lane == 0)
            warp_sums[warp] = sum;
        __syncthreads();

        /* store */
        if (warp == 0) {
            sum = warp_reduce<Op>(lane < kWarps ? warp_sums[lane]
                                                : Op::identity());
            if (lane == 0)
                out[line] = Op::lower(sum, axis);
        }
        if (line + gridDim.x < lines)
            __syncthreads(); /* warp_sums may be written again */
    }
}

template <class Op, int Threads, int Loads>
static int launch_threads(const struct problem *p, void *stream)
{
    using T = typename Op::element;
    return launch_kernel(block_per_line_registers<Op, Threads, Loads>,
                         p->shape.outer, Threads, 0, stream, p->in, p->out,
                         p->shape.outer, (int)p->shape.axis, line_lead<T>(p));
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        /* one more than `axis` fills, as lines may start off a boundary */
        const int vectors = (int)ceil_div(p->shape.axis + kVec<T> - 1, kVec<T>);
        return vectors <= 512    ? launch_threads<Op, 64, 8>(p, stream)
               : vectors <= 1024 ? launch_threads<Op, 128, 8>(p, stream)
               : vectors <= 2048 ? launch_threads<Op, 256, 8>(p, stream)
                                 : launch_threads<Op, 512, 8>(p, stream);
    });
}

static const char *refuses(const struct problem *p)
{
    return line_bytes_refuse(p, kLeastVectors * 16, (kMostVectors - 1) * 16,
                             "serves lines of 4096 to 65520 bytes");
}

VARIANTS(reduce__block_per_line_registers) = {
    {
        .name = "block_per_line_registers_b512_i64",
        .idea = "one block per line, with all its loads in flight at once",
        ON_CUDA(reductions(), 1),
        ERROR_OF_TILES(1024),
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
