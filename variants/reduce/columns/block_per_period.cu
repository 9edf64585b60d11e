/* SPDX-License-Identifier: MIT
 *
 * Idea     A block reads a slab's rows, or a piece of them, in aligned 16-byte
 *          vectors, side by side from the first to the last. After a window of
 *          some rows, whole vectors of them, the same columns come round, so a
 *          thread keeps its places in the window, and its sums in registers;
 *          shared memory joins the window's rows. Few slabs are cut in
 *          pieces, which are joined across a cluster of blocks; or, where a
 *          cluster would be too small a part of the GPU, by a second kernel,
 *          launched early.
 * Against  period_vectors: there a block has 32 vectors of a period, warps read
 *          runs of 512 bytes, and every place of a period is a partial
 *          sum in memory; here the window is the block's, all of it.
 * Traffic  N elements, and a sum a column and piece twice (passes = 1).
 * Needs    rows of which a period (4 rows of odd length in f32, 8 in halves) is
 *          at most 1024 vectors.
 * Source   none.
 * Lesson   A block of whole rows reads memory in order and leaves one sum per
 *          column, whatever the alignment.
 */
#include "variants/common/collective/cluster_exchange.cuh"
#include "variants/reduce/split_axis/partials.cuh"

constexpr int kMost = 256;         /* threads */
constexpr int kMostVectors = 1024; /* of a window */

/* How slabs are cut, and how a block reads its piece. */
struct layout {
    int64_t axis, inner;
    int64_t pieces, rows, units; /* rows of a piece; pieces of all slabs */
    int cluster;                 /* blocks that join a slab's pieces, or 1 */
    int vecs;                    /* of a window */
    int window_rows;
    int lead; /* elements from a 16-byte boundary to the first */
};

/* Elements [begin, begin + count) as vectors from x on: the first `low`
 * elements there are others', and only [first, last) are whole. */
template <class T>
struct aligned_span {
    const T *x;
    int low, first, last, count;

    __device__ __forceinline__ aligned_span(const struct layout &l, const T *in,
                                            int64_t begin, int elems)
    {
        low = ((int)begin + l.lead) & (kVec<T> - 1);
        x = in + begin - low;
        first = low ? 1 : 0;
        last = (low + elems) / kVec<T>;
        count = elems;
    }
};

/* Adds the span's windows to the sums of a thread's places, threadIdx.x + c
 * * blockDim.x. */
template <class T, int Columns, int Loads>
__device__ __forceinline__ void add_windows(const struct layout &l,
                                            const aligned_span<T> &s,
                                            acc_t<T> (&sums)[Columns][kVec<T>])
{
    constexpr int V = kVec<T>;
    int place[Columns];
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
        place[c] = (int)(threadIdx.x + c * blockDim.x);
        if (place[c] >= l.vecs)
            place[c] = s.last; /* none */
#pragma unroll
        for (int k = 0; k < V; ++k)
            sums[c][k] = 0;
    }
    const uint4 *x = (const uint4 *)s.x;
    for (int base = 0; base < s.last; base += Loads * l.vecs) {
        uint4 y[Columns][Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
#pragma unroll
            for (int c = 0; c < Columns; ++c) {
                const int at = base + j * l.vecs + place[c];
                y[c][j] = {};
                if (at >= s.first && at < s.last)
                    y[c][j] = x[at];
            }
#pragma unroll
        for (int c = 0; c < Columns; ++c)
#pragma unroll
            for (int k = 0; k < V; ++k) {
                acc_t<T> terms[Loads];
#pragma unroll
                for (int j = 0; j < Loads; ++j)
                    terms[j] =
                        to_acc(__builtin_bit_cast(vec<T>, y[c][j]).item[k]);
                sums[c][k] += pairwise_sum(terms);
            }
    }
}

__device__ __forceinline__ int wrapped(int at, int size)
{
    return at < size ? at : at - size;
}

/* Leaves the window's sums in shared memory, adds what lies in no whole vector,
 * and joins the rows: element e of row 0 is then at wrapped(s.low + e). */
template <class T, int Columns>
__device__ __forceinline__ void
join_window(const struct layout &l, const aligned_span<T> &s,
            const acc_t<T> (&sums)[Columns][kVec<T>], acc_t<T> *window)
{
    using Acc = acc_t<T>;
    constexpr int V = kVec<T>, kQuad = 16 / (int)sizeof(Acc);
    const int size = l.vecs * V, inner = (int)l.inner;
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
        const int place = (int)(threadIdx.x + c * blockDim.x);
        if (place < l.vecs)
#pragma unroll
            for (int k = 0; k < V; k += kQuad) {
                vec<Acc> part;
#pragma unroll
                for (int i = 0; i < kQuad; ++i)
                    part.item[i] = sums[c][k + i];
                write_shared(window + place * V + k, part);
            }
    }
    __syncthreads();
    /* Thread i has item i of either vector, which may be one place. */
    const int i = (int)threadIdx.x, end = s.low + s.count;
    if (s.first && i >= s.low && i < V && i < end)
        window[i] += to_acc(s.x[i]);
    if (s.last >= s.first && i < end - s.last * V)
        window[s.last % l.vecs * V + i] += to_acc(s.x[s.last * V + i]);
    for (int count = l.window_rows; count > 1;) {
        const int half = (count + 1) / 2;
        __syncthreads();
        for (int e = i; e < (count - half) * inner; e += blockDim.x) {
            const int to = s.low + e, from = to + half * inner;
            window[wrapped(to, size)] += window[wrapped(from, size)];
        }
        count = half;
    }
    __syncthreads();
}

/* Adds the first rows of the cluster's windows: blocks take columns in turn,
 * and lanes side by side a column's of all blocks. */
template <class T>
__device__ __forceinline__ void join_cluster(const struct layout &l,
                                             const acc_t<T> *window, int low,
                                             int size, T *y)
{
#if HAS_BULK_COPY
    delay();
    cluster_sync(); /* all windows are there */
    delay();
    const int inner = (int)l.inner, each = (int)blockDim.x / l.cluster;
    const int block = (int)threadIdx.x % l.cluster;
    for (int first = (int)cluster_rank() * each; first < inner;
         first += each * l.cluster) {
        const int c = first + (int)threadIdx.x / l.cluster;
        acc_t<T> sum =
            c < inner ? read_at(block, window + wrapped(low + c, size)) : 0;
        for (int apart = l.cluster / 2; apart > 0; apart /= 2)
            sum += __shfl_xor_sync(kWholeWarp, sum, apart);
        if (block == 0 && c < inner)
            y[c] = from_acc<T>(sum);
    }
    cluster_sync(); /* all have read this block's window */
#endif
}

template <class T, int Columns>
constexpr int kLoads = 8 / Columns;

template <class T, int Columns>
static __global__ void __launch_bounds__(kMost, Columns == 1 ? 4 : 2)
    block_per_period(const T *__restrict__ in, T *__restrict__ out,
                     acc_t<T> *__restrict__ partials, const struct layout l)
{
    using Acc = acc_t<T>;
    extern __shared__ uint4 memory[];
    Acc *window = (Acc *)memory;
    const int inner = (int)l.inner;
    early_allow();

    for (int64_t unit = blockIdx.x; unit < l.units; unit += gridDim.x) {
        const int64_t o = unit / l.pieces, row = (unit - o * l.pieces) * l.rows;
        const int64_t left = row < l.axis ? l.axis - row : 0;
        const int rows = (int)(left < l.rows ? left : l.rows);
        const aligned_span<T> s(l, in, (o * l.axis + row) * l.inner,
                                rows * inner);

        /* load, upsweep */
        Acc sums[Columns][kVec<T>];
        add_windows<T, Columns, kLoads<T, Columns>>(l, s, sums);
        join_window<T, Columns>(l, s, sums, window);

        /* store */
        if (l.cluster > 1) {
            join_cluster(l, window, s.low, l.vecs * kVec<T>, out + o * inner);
            continue;
        }
        for (int c = threadIdx.x; c < inner; c += blockDim.x) {
            const Acc sum = window[wrapped(s.low + c, l.vecs * kVec<T>)];
            if (l.pieces == 1)
                out[unit * inner + c] = from_acc<T>(sum);
            else
                partials[unit * inner + c] = sum;
        }
        __syncthreads(); /* the window may be written again */
    }
}

/* ------------------------------------------------------------------ host */

/* Vectors of a period, which is `*rows` rows. */
static int64_t period_vectors_of(const struct problem *p, int64_t *rows)
{
    const int64_t V = 16 / (int64_t)dtype_bytes(p->dtype);
    int64_t common = 1; /* gcd(inner, V): V is a power of two */
    while (common < V && p->shape.inner % (2 * common) == 0)
        common *= 2;
    *rows = V / common;
    return p->shape.inner / common;
}

/* Pieces are some waves of blocks, of 64 KiB or more each; or one wave, of 8
 * KiB or more. */
static int64_t pieces_wanted(const struct problem *p, int64_t slab_bytes)
{
    const int64_t wave = (int64_t)p->device->sm_count * 4;
    const int64_t waves = ceil_div(8 * wave, p->shape.outer);
    const int64_t one = ceil_div(wave, p->shape.outer);
    const int64_t large = slab_bytes >> 16, small = slab_bytes >> 13;
    const int64_t many = waves < large ? waves : large;
    const int64_t few = one < small ? one : small;
    return many > few ? many : few;
}

/* The cluster that joins so many pieces, all of which have rows; or 1, where
 * its blocks would be too few, and have too much to read. */
static int cluster_of(const struct problem *p, const struct layout &l,
                      int64_t pieces, int64_t slab_bytes)
{
    constexpr int64_t kLittle = 64 << 10; /* of a block */
    /* Every device that has clusters has eight blocks in one. */
    const int most = p->device->compute_capability == 90 ? 16 : 8;
    const bool enough = p->shape.outer * most >= p->device->sm_count * 2;
    if (!built_for(p, 90) ||
        (pieces > most && !enough && slab_bytes / most > kLittle))
        return 1;
    int cluster = 1;
    while (cluster < most && cluster < pieces &&
           (2 * cluster - 1) * l.window_rows < l.axis)
        cluster *= 2;
    return slab_bytes / cluster >> 28 ? 1 : cluster; /* 32 bits count */
}

/* Of pieces that are joined in memory, each has so many rows that their sums
 * are few; and 32 bits count its elements. */
static int64_t pieces_in_memory(const struct layout &l, int64_t wanted,
                                int64_t bytes)
{
    const int64_t most = l.axis / (128 / bytes);
    const int64_t least = l.axis * l.inner * bytes >> 28;
    int64_t pieces = wanted < most ? wanted : most;
    pieces = pieces > least ? pieces : least;
    return pieces > 1 ? pieces : 1;
}

static struct layout layout_of(const struct problem *p)
{
    const int64_t bytes = dtype_bytes(p->dtype);
    struct layout l = { .axis = p->shape.axis, .inner = p->shape.inner };
    int64_t rows;
    const int64_t vecs = period_vectors_of(p, &rows);
    const int64_t periods = vecs < kMost ? kMost / vecs : 1;
    l.vecs = (int)(periods * vecs);
    l.window_rows = (int)(periods * rows);
    l.lead = (int)((uintptr_t)p->in % 16 / bytes);
    const int64_t slab = l.axis * l.inner * bytes;
    int64_t pieces = pieces_wanted(p, slab);
    l.cluster = cluster_of(p, l, pieces, slab);
    if (l.cluster == 1)
        pieces = pieces_in_memory(l, pieces, bytes);
    else
        pieces = l.cluster;
    l.rows = ceil_div(ceil_div(l.axis, pieces), l.window_rows) * l.window_rows;
    l.pieces = l.cluster > 1 ? l.cluster
               : l.axis      ? ceil_div(l.axis, l.rows)
                             : 1;
    l.units = p->shape.outer * l.pieces;
    return l;
}

template <class T, int Columns>
static int launch_columns(const struct problem *p, cudaStream_t stream)
{
    const struct layout l = layout_of(p);
    const int threads = (int)ceil_div(ceil_div(l.vecs, Columns), 32) * 32;
    const size_t bytes = l.vecs * kVec<T> * sizeof(acc_t<T>);
    const auto kernel = block_per_period<T, Columns>;
    auto *partials = (acc_t<T> *)p->workspace;
    if (l.cluster > 8) { /* more than every device promises */
        const int error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
        if (error != cudaSuccess)
            return error;
    }
    if (l.cluster > 1)
        return cluster_launch(kernel, l.units / l.cluster, l.cluster, threads,
                              (int)bytes, stream, p->in, p->out, partials, l);
    kernel<<<grid_x(l.units), threads, bytes, stream>>>(
        (const T *)p->in, (T *)p->out, partials, l);
    const int error = cudaGetLastError();
    if (error != cudaSuccess || l.pieces == 1)
        return error;
    return launch_add_partials_early<T>(p, l.pieces, stream);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto s = (cudaStream_t)stream;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, shape_lines(p->shape) * sizeof(T),
                                   s);
        const int vecs = layout_of(p).vecs;
        return vecs <= kMost       ? launch_columns<T, 1>(p, s)
               : vecs <= 2 * kMost ? launch_columns<T, 2>(p, s)
                                   : launch_columns<T, 4>(p, s);
    });
}

static const char *refuses(const struct problem *p)
{
    int64_t rows;
    return period_vectors_of(p, &rows) > kMostVectors
               ? "a period of rows has more vectors than a block can own"
               : NULL;
}

static size_t workspace_bytes(const struct problem *p)
{
    const struct layout l = layout_of(p);
    const size_t acc_bytes = p->dtype == DTYPE_F64 ? 8 : 4;
    return l.pieces == 1 || l.cluster > 1 ? 0 : l.units * l.inner * acc_bytes;
}

VARIANTS(reduce__block_per_period) = {
    {
        .name = "block_per_period_b256",
        .idea = "a block owns whole rows, in vectors that fall into step",
        .runs_on = DEVICE_CUDA,
        .ops = OP_BIT(OP_SUM),
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = 2,
        .deterministic = true,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
    },
    {},
};
