/* SPDX-License-Identifier: MIT
 *
 * Idea     A balanced tree in shared memory: an up-sweep of partial reductions,
 *          a down-sweep of prefixes. It yields the exclusive scan; combining
 *          the element itself makes it inclusive. Tiles of 2048 with a carry.
 * Against  hillis_steele, tiled: 2n operations instead of n log2(n), and twice
 *          as many barriers, most of them for a few active threads.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1.
 * Source   G. E. Blelloch, "Prefix Sums and Their Applications" (1990); the
 *          padding: M. Harris et al., GPU Gems 3 (2007), chapter 39.
 * Lesson   On a GPU, fewer additions do not pay for more barriers.
 */
#include "variants/common/kernel.cuh"

constexpr unsigned kNeeds = IS_LESSON;

constexpr int kMaxThreads = 512, kItems = 4, kTile = kMaxThreads * kItems;

/* Padding by one place per row of banks avoids the bank conflicts of strides
 * that are powers of two. */
template <class Acc>
static __host__ __device__ __forceinline__ int padded(int k)
{
    return k + k / (128 / (int)sizeof(Acc));
}

/* Replaces `size` values, a power of two, by their exclusive scan and returns
 * their reduction. Begins and ends with a barrier. */
template <class Op>
__device__ __forceinline__ typename Op::acc sweep(typename Op::acc *tree,
                                                  int size)
{
    using Acc = typename Op::acc;
    const int last = padded<Acc>(size - 1);
    for (int step = 1; step < size; step *= 2) {
        __syncthreads();
        for (int pair = threadIdx.x; pair < size / 2 / step;
             pair += blockDim.x) {
            const int right = (2 * pair + 2) * step - 1;
            const Acc earlier = tree[padded<Acc>(right - step)];
            Acc &both = tree[padded<Acc>(right)];
            both = Op::combine(earlier, both);
        }
    }
    __syncthreads();
    const Acc total = tree[last];
    __syncthreads();
    if (threadIdx.x == 0)
        tree[last] = Op::identity();
    for (int step = size / 2; step > 0; step /= 2) {
        __syncthreads();
        for (int pair = threadIdx.x; pair < size / 2 / step;
             pair += blockDim.x) {
            const int right = (2 * pair + 2) * step - 1;
            const int i = padded<Acc>(right - step), j = padded<Acc>(right);
            const Acc left = tree[i];
            tree[i] = tree[j];
            tree[j] = Op::combine(tree[j], left);
        }
    }
    __syncthreads();
    return total;
}

template <class T, class Scan>
static __global__ void __launch_bounds__(kMaxThreads)
    blelloch(const T *__restrict__ in, const uint8_t *__restrict__ mask,
             T *__restrict__ out, int64_t lines, int64_t axis, int size)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    extern __shared__ __align__(16) unsigned char shared[];
    Acc *const tree = reinterpret_cast<Acc *>(shared);
    const int64_t tiles = ceil_div(axis, size);

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        Acc carry = Op::identity();
        for (int64_t t = 0; t < tiles; ++t) {
            const int64_t first = (Scan::reverse ? tiles - 1 - t : t) * size;
            const int64_t start = line * axis + first;
            const int n = axis - first < size ? (int)(axis - first) : size;

            /* load, in walk order */
            Acc x[kItems];
#pragma unroll
            for (int j = 0; j < kItems; ++j) {
                const int rank = threadIdx.x + j * blockDim.x;
                const int64_t at =
                    start + (Scan::reverse ? n - 1 - rank : rank);
                const bool take = rank < n && (!Scan::masked || mask[at]);
                x[j] = take ? Op::lift(in[at]) : Op::identity();
                if (rank < size)
                    tree[padded<Acc>(rank)] = x[j];
            }

            const Acc total = sweep<Op>(tree, size);

            /* store */
#pragma unroll
            for (int j = 0; j < kItems; ++j) {
                const int rank = threadIdx.x + j * blockDim.x;
                const int64_t at =
                    start + (Scan::reverse ? n - 1 - rank : rank);
                if (rank < n) {
                    const Acc before =
                        Op::combine(carry, tree[padded<Acc>(rank)]);
                    out[at] = Op::lower(
                        Scan::exclusive ? before : Op::combine(before, x[j]));
                }
            }
            carry = Op::combine(carry, total);
            /* No barrier: a thread overwrites only places that it has read. */
        }
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
            int size = 32;
            while (size < axis && size < kTile)
                size *= 2;
            const int threads = size <= 32 * kItems ? 32 : size / kItems;
            using Acc = acc_of<Scan, T>;
            const size_t bytes = (size_t)padded<Acc>(size) * sizeof(Acc);
            return launch_kernel(blelloch<T, Scan>, lines, threads, bytes,
                                 stream, p->in, p->mask, p->out, lines, axis,
                                 size);
        });
}

VARIANTS(scan__blelloch) = {
    { .name = "blelloch",
      .idea = "up-sweep and down-sweep of a tree in shared memory",
      ON_CUDA(scans<kNeeds>(), 1),
      ERROR_OF_TILES(kTile),
      .deterministic = true,
      .refuses = contiguous_only,
      .launch = launch },
    {},
};
