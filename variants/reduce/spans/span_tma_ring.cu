/* SPDX-License-Identifier: MIT
 *
 * Idea     Every block has the same number of rows of the tensor, and streams
 *          them through a ring in shared memory as one span, whatever slabs
 *          (all lines of an outer index) end in it: the copy engine stays ahead
 *          by the ring's length while the threads combine a slab's columns and
 *          store them. A second kernel, launched early, combines the partial
 *          results of slabs that blocks share.
 * Against  row_tma_ring: there a ring serves one slab or a piece of it, and
 *          runs dry at its end; and the number of pieces follows from the
 *          lines, not from the blocks that fill the device.
 * Traffic  N elements, and two partial sums per block and column (passes = 1).
 * Needs    compute capability 9.0; rows of at most 8192 elements.
 * Source   equal shares: M. Osama, D. Merrill and others, "Stream-K", PPoPP
 *          2023, of matrix products.
 * Lesson   Blocks with equal shares of memory, not of slabs, finish together.
 */
#include "variants/common/launch/empty_lines.cuh"
#include "variants/reduce/spans/row_ring.cuh"
#include "variants/reduce/spans/shares.cuh"

/* Threads of a column have every n-th row. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

/* A block's walk over its elements: adds them to their columns, and stores the
 * results at the end of each slab and of the block's share. */
template <class Op, int Columns>
struct slab_walk {
    using T = typename Op::element;
    using Acc = typename Op::acc;
    const struct shares &s;
    T *out;
    Acc *partials, *shared;
    struct columns<Op, Columns> columns;
    int64_t o, at, end; /* slab; the block's next element, and its end */
    int64_t left;       /* elements of the slab that the block still has */
    bool whole;         /* the block has all of the slab */

    __device__ __forceinline__ slab_walk(const struct shares &shares,
                                         int64_t begin, int64_t stop, T *y,
                                         Acc *parts, Acc *sums)
        : s(shares), out(y), partials(parts), shared(sums), at(begin), end(stop)
    {
        o = begin / (s.axis * s.inner);
        enter();
    }

    /* Begins the block's part of slab o. */
    __device__ __forceinline__ void enter(void)
    {
        const int64_t slab = s.axis * s.inner, next = (o + 1) * slab;
        left = (next < end ? next : end) - at;
        whole = left == slab;
        columns.begin((int)s.inner, at / s.inner - o * s.axis);
    }

    __device__ __forceinline__ void leave(void)
    {
        const int inner = (int)s.inner;
        T *const y = out + o * inner;
        Acc *part = partials;
        if (!whole)
            part += s.slot(blockIdx.x, o) * inner;
        columns.end(inner, shared, [&](int column, const Acc &sum) {
            if (whole)
                y[column] = Op::lower(sum, s.axis);
            else
                part[column] = sum;
        });
    }

    /* Adds the next n elements, at x. */
    __device__ __forceinline__ void take(const T *x, int n)
    {
        while (n > 0) {
            const int many = left < n ? (int)left : n;
            columns.add(x, many, many / columns.step);
            x += many;
            n -= many;
            at += many;
            left -= many;
            if (left > 0)
                return;
            leave();
            ++o;
            if (at < end)
                enter();
        }
    }
};

template <class Op, int ChunkBytes, int Stages, int Columns,
          class T = typename Op::element>
static __global__ void __launch_bounds__(kThreads, 1)
    span_tma_ring(const T *__restrict__ in, T *__restrict__ out,
                  typename Op::acc *__restrict__ partials,
                  const struct shares s)
{
    TAG(fast);
#if HAS_BULK_COPY
    extern __shared__ __align__(128) char memory[];
    __shared__ typename Op::acc sums[kThreads];
    __shared__ uint64_t full[Stages];
    early_allow();

    const int64_t begin = s.first_row(blockIdx.x) * s.inner;
    const int64_t end = s.first_row(blockIdx.x + 1) * s.inner;
    const line_span<T> span(in, begin, end);
    row_ring<T, ChunkBytes, Stages> ring(memory, full);
    if (threadIdx.x == 0) {
        ring.init();
        ring.request(span);
    }
    __syncthreads();

    slab_walk<Op, Columns> walk(s, begin, end, out, partials, sums);
    ring.stream(span, [&](const T *x, int n) { walk.take(x, n); });
#endif
}

/* ------------------------------------------------------------------ host */

template <int ChunkBytes, int Stages>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        if (p->shape.axis == 0)
            return launch_empty_lines<Op>(p, stream);
        const struct shares s = shares_of(p);
        const int error =
            with_columns<1, 2, 4, 8, kMostColumns>(p, [&](auto columns) -> int {
                constexpr int kColumns = decltype(columns)::value;
                return bulk_launch(
                    span_tma_ring<Op, ChunkBytes, Stages, kColumns>, s.blocks,
                    kThreads, ChunkBytes * Stages, stream, p->in, p->out,
                    p->workspace, s);
            });
        return error != cudaSuccess ? error
                                    : launch_add_shares<Op>(p, s, stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    return shares_bytes(p, shares_of(p));
}

/* Kilobytes per chunk, chunks in the ring, blocks per SM. */
#define POINT(kilobytes, stages)                                               \
    {                                                                          \
        .name = "span_tma_ring_" #kilobytes "kx" #stages "x1",                 \
        .idea = "equal shares of memory, streamed through rings",              \
        .runs_on = DEVICE_CUDA, .ops = reductions<kNeeds>(), .passes = 1,      \
        .error_growth = ERROR_SERIAL, .deterministic = true,                   \
        .refuses = ring_refuses<kilobytes * 1024 * stages>,                    \
        .workspace_bytes = workspace_bytes,                                    \
        .launch = launch<kilobytes * 1024, stages>, .portable_bits = true      \
    }

VARIANTS(reduce__span_tma_ring) = {
    POINT(64, 3),
    {},
};
