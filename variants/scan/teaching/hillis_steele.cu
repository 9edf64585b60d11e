/* SPDX-License-Identifier: MIT
 *
 * Idea     A line in shared memory; in step k every element is combined with
 *          the one 2^k places earlier in walk order. The whole line at once,
 *          or tiles of 4096 with a carry.
 * Against  thread_per_line: log2(axis) parallel steps instead of axis serial
 *          ones, at n log2(n) operations instead of n.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; whole: a line that fits in a block's shared memory,
 *          with the opt-in beyond 48 KB.
 * Source   W. D. Hillis, G. L. Steele, "Data Parallel Algorithms" (1986).
 * Lesson   In shared memory, barriers and log n additions per element are the
 *          cost, not the DRAM.
 */
#include "variants/common/kernel.cuh"

constexpr unsigned kNeeds = IS_LESSON;

[[maybe_unused]] constexpr int kMaxThreads = 1024, kItems = 4, kTile = 4096;

/* Combines every element with the one `step` places earlier in walk order. In
 * place, since a second buffer would halve the line that fits: batches go from
 * the last to the first, so that none reads what another has written. */
template <class Op, bool Reverse>
__device__ __forceinline__ void combine_neighbours(typename Op::acc *sums,
                                                   int n, int step)
{
    using Acc = typename Op::acc;
    const int threads = blockDim.x, batch_elems = threads * kItems;
    for (int first = (n - 1) / batch_elems * batch_elems; first >= 0;
         first -= batch_elems) {
        Acc sum[kItems];
#pragma unroll
        for (int j = 0; j < kItems; ++j) {
            const int rank = first + j * threads + (int)threadIdx.x;
            const int k = Reverse ? n - 1 - rank : rank;
            if (rank >= step && rank < n) {
                const Acc own = sums[k];
                sum[j] = Op::combine(sums[Reverse ? k + step : k - step], own);
            }
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < kItems; ++j) {
            const int rank = first + j * threads + (int)threadIdx.x;
            if (rank >= step && rank < n)
                sums[Reverse ? n - 1 - rank : rank] = sum[j];
        }
    }
    __syncthreads();
}

template <class T, class Scan>
static __global__ void __launch_bounds__(kMaxThreads)
    hillis_steele(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                  T *__restrict__ out, int64_t lines, int64_t axis, int tile)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    extern __shared__ __align__(16) unsigned char shared[];
    Acc *const sums = reinterpret_cast<Acc *>(shared);
    const int64_t tiles = ceil_div(axis, tile);

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        Acc carry = Op::identity();
        for (int64_t t = 0; t < tiles; ++t) {
            const int64_t first = (Scan::reverse ? tiles - 1 - t : t) * tile;
            const int64_t start = line * axis + first;
            const int n = axis - first < tile ? (int)(axis - first) : tile;

            /* load */
            for (int k = threadIdx.x; k < n; k += blockDim.x) {
                const int64_t at = start + k;
                sums[k] = !Scan::masked || mask[at] ? Op::lift(in[at])
                                                    : Op::identity();
            }
            __syncthreads();

            /* double the stride */
            for (int step = 1; step < n; step *= 2)
                combine_neighbours<Op, Scan::reverse>(sums, n, step);

            /* store */
            for (int k = threadIdx.x; k < n; k += blockDim.x) {
                const Acc sum = !Scan::exclusive ? sums[k]
                                : k              ? sums[k - 1]
                                                 : Op::identity();
                out[start + k] = Op::lower(Op::combine(carry, sum));
            }
            carry = Op::combine(carry, sums[Scan::reverse ? 0 : n - 1]);
            __syncthreads(); /* sums are read before the next tile's load */
        }
    }
}

template <bool Whole>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
            const int tile = Whole || axis < kTile ? (int)axis : kTile;
            const int threads =
                tile < kMaxThreads ? (int)ceil_div(tile, 32) * 32 : kMaxThreads;
            const int bytes = tile * (int)sizeof(acc_of<Scan, T>);
            const auto kernel = hillis_steele<T, Scan>;
            cudaError_t error = cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                (int)p->device->shared_optin_bytes);
            if (error != cudaSuccess)
                return error;
            return launch_kernel(kernel, lines, threads, bytes, stream, p->in,
                                 p->mask, p->out, lines, axis, tile);
        });
}

template <bool Whole>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (Whole && p->shape.axis > p->device->shared_optin_bytes / acc_bytes(p))
        return "the line does not fit in the block's shared memory";
    return NULL;
}

#define POINT(point_name, whole, growth, tile)                                 \
    {                                                                          \
        .name = point_name,                                                    \
        .idea = "doubling strides over a line in shared memory",               \
        .runs_on = DEVICE_CUDA, .ops = scans<kNeeds>(), .passes = 1,           \
        .error_growth = growth, .error_tile = tile, .deterministic = true,     \
        .refuses = refuses<whole>, .launch = launch<whole>                     \
    }

VARIANTS(scan__hillis_steele) = {
    POINT("hillis_steele", true, ERROR_TREE, 0),
    POINT("hillis_steele_tiled", false, ERROR_TILED, kTile),
    {},
};
