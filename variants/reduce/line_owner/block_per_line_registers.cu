/* SPDX-License-Identifier: MIT
 *
 * Idea     A block takes a line, which it has in registers at once: as many
 *          threads as it has vectors for, all of whose loads are in flight
 *          before the first is added. Only the line's first and last vector are
 *          masked, as they may have others' elements.
 * Against  warp_per_line: there a loop takes whole rounds of loads, and what
 *          is left of them one by one; here a round is the line.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines of 4 to 64 KiB.
 * Source   none.
 * Lesson   Blocks that only load, in memory order, are nearly as fast as
 *          reading alone.
 */
#include "variants/common/kernel.cuh"

constexpr int kMostVectors = 4096, kLeastVectors = 256; /* of a line */

/* The vector at x as far as it is the line's, whose first element is `at`
 * before its own: element by element, as others may be no one's. */
template <class T>
__device__ __forceinline__ uint4 load_line_items(const T *x, int at, int axis)
{
    vec<T> y;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        y.item[k] = at + k >= 0 && at + k < axis ? x[k] : from_acc<T>(0);
    return __builtin_bit_cast(uint4, y);
}

template <class T>
__device__ __forceinline__ acc_t<T> vector_sum(const uint4 &x)
{
    acc_t<T> v[kVec<T>];
    to_items<T>(x, v);
#pragma unroll
    for (int half = kVec<T> / 2; half > 0; half /= 2)
#pragma unroll
        for (int k = 0; k < half; ++k)
            v[k] += v[k + half];
    return v[0];
}

/* Lines from the `lead`-th element of an aligned vector on. */
template <class T, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads,
                                         kResident<Threads, 1024 / Threads>)
    block_per_line_registers(const T *__restrict__ in, T *__restrict__ out,
                             int64_t lines, int axis, int lead)
{
    using Acc = acc_t<T>;
    constexpr int V = kVec<T>, kWarps = Threads / 32;
    __shared__ Acc warp_sums[kWarps];
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        /* load */
        const int64_t first = line * axis;
        const int shift = (int)((first + lead) % V);
        const int last = (shift + axis - 1) / V;
        const T *x = in + first - shift;
        uint4 y[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int v = (int)threadIdx.x + j * Threads;
            y[j] = {};
            if (v > 0 && v < last)
                y[j] = ((const uint4 *)x)[v];
        }

        /* upsweep */
        Acc sum = 0;
        if (warp == 0 && lane < 2 && lane <= last)
            sum = vector_sum<T>(load_line_items(x + lane * last * V,
                                                lane * last * V - shift, axis));
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            sum += vector_sum<T>(y[j]);
        sum = warp_reduce<sum_op<Acc>>(sum);
        if (lane == 0)
            warp_sums[warp] = sum;
        __syncthreads();

        /* store */
        if (warp == 0) {
            sum = warp_reduce<sum_op<Acc>>(lane < kWarps ? warp_sums[lane]
                                                         : Acc(0));
            if (lane == 0)
                out[line] = from_acc<T>(sum);
        }
        if (line + gridDim.x < lines)
            __syncthreads(); /* the sums may be written again */
    }
}

template <class T, int Threads, int Loads>
static int launch_threads(const struct problem *p, cudaStream_t stream)
{
    const int lead = (int)((uintptr_t)p->in % 16 / sizeof(T));
    block_per_line_registers<T, Threads, Loads>
        <<<grid_x(p->shape.outer), Threads, 0, stream>>>(
            (const T *)p->in, (T *)p->out, p->shape.outer, (int)p->shape.axis,
            lead);
    return cudaGetLastError();
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto s = (cudaStream_t)stream;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, p->shape.outer * sizeof(T), s);
        /* with one more, if lines begin anywhere */
        const int vectors = (int)ceil_div(p->shape.axis + kVec<T> - 1, kVec<T>);
        return vectors <= 384    ? launch_threads<T, 64, 6>(p, s)
               : vectors <= 512  ? launch_threads<T, 64, 8>(p, s)
               : vectors <= 768  ? launch_threads<T, 128, 6>(p, s)
               : vectors <= 1024 ? launch_threads<T, 128, 8>(p, s)
               : vectors <= 1536 ? launch_threads<T, 256, 6>(p, s)
               : vectors <= 2048 ? launch_threads<T, 256, 8>(p, s)
               : vectors <= 3072 ? launch_threads<T, 512, 6>(p, s)
                                 : launch_threads<T, 512, 8>(p, s);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    const int64_t line = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    if (p->shape.axis > 0 &&
        (line < kLeastVectors * 16 || line > (kMostVectors - 1) * 16))
        return "serves lines of 4096 to 65520 bytes";
    return NULL;
}

VARIANTS(reduce__block_per_line_registers) = {
    {
        .name = "block_per_line_registers_b512_i64",
        .idea = "a block per line, all of which is in flight at once",
        .runs_on = DEVICE_CUDA,
        .ops = OP_BIT(OP_SUM),
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = 1024,
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
    },
    {},
};
