/* SPDX-License-Identifier: MIT
 *
 * Idea     A block reads a slab's rows, or a piece of them, in aligned 16-byte
 *          vectors, side by side from the first to the last. After a window of
 *          a few rows that are whole vectors, the columns repeat, so that each
 *          thread keeps its places in the window, and their partial results in
 *          registers; shared memory combines the window's rows. Few slabs are
 *          cut into pieces, which a cluster of blocks combines; or a second
 *          kernel, launched early, where clusters would occupy too little of
 *          the GPU.
 * Against  column_vectors: serves rows of any length, narrow ones too, and
 *          cuts the axis where there are few slabs.
 * Traffic  N elements, and one partial result per column and piece twice
 *          (passes = 1).
 * Needs    rows of which a period (4 rows of odd length in f32, 8 in halves) is
 *          at most 1024 vectors.
 * Source   none.
 * Lesson   A block of whole rows reads memory in order, at any alignment, and
 *          leaves one sum per column.
 */
#include "variants/common/collective/cluster_exchange.cuh"
#include "variants/reduce/split_axis/axis_split.cuh"

/* The rows of a window are interleaved. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

constexpr int kMost = 256;            /* threads */
constexpr int kMostVectors = 1024;    /* per window */
constexpr int kMostWindow = 48 << 10; /* bytes of its accumulators */

/* The cut of slabs, and how a block reads its piece. */
struct window_layout {
    int64_t axis, inner;
    int64_t pieces; /* per slab */
    int64_t rows;   /* per piece */
    int64_t units;  /* pieces of all slabs */
    int cluster;    /* blocks that combine a slab's pieces, or 1 */
    int vecs;       /* per window */
    int window_rows;
    int lead; /* elements from a 16-byte boundary to the first */
};

/* The elements of some rows as vectors from x on: the first `low` elements of
 * x belong to other rows, and only vectors [first, last) lie inside. */
template <class T>
struct aligned_span {
    const T *x;
    int64_t row; /* the first row's place along the axis */
    int inner, low, first, last, count;

    __device__ __forceinline__ aligned_span(const struct window_layout &l,
                                            const T *in, int64_t slab,
                                            int64_t first_row, int rows)
    {
        const int64_t begin = (slab * l.axis + first_row) * l.inner;
        inner = (int)l.inner;
        row = first_row;
        count = rows * inner;
        low = ((int)begin + l.lead) & (kVec<T> - 1);
        x = in + begin - low;
        first = low ? 1 : 0;
        last = (low + count) / kVec<T>;
    }
    __device__ __forceinline__ int64_t row_of(int element) const
    {
        return row + (element - low) / inner;
    }
    template <class Op>
    __device__ __forceinline__ typename Op::acc lifted(int element) const
    {
        return Op::lift(x[element], row_of(element));
    }
};

/* Reduces the span's windows into the sums of the thread's places,
 * threadIdx.x + c * blockDim.x. */
template <class Op, int Columns, int Loads, class T>
__device__ __forceinline__ void
add_windows(const struct window_layout &l, const aligned_span<T> &s,
            typename Op::acc (&sums)[Columns][kVec<T>])
{
    constexpr int V = kVec<T>;
    int place[Columns];
#pragma unroll
    for (int c = 0; c < Columns; ++c) {
        place[c] = (int)(threadIdx.x + c * blockDim.x);
        if (place[c] >= l.vecs)
            place[c] = s.last; /* none */
    }
    set_identity<Op>(sums);
    const uint4 *x = (const uint4 *)s.x;
    for (int base = 0; base < s.last; base += Loads * l.vecs) {
        uint4 y[Columns][Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
#pragma unroll
            for (int c = 0; c < Columns; ++c) {
                const int at = base + j * l.vecs + place[c];
                y[c][j] = pad_words<Op, uint4>();
                if (at >= s.first && at < s.last)
                    y[c][j] = x[at];
            }
#pragma unroll
        for (int c = 0; c < Columns; ++c)
#pragma unroll
            for (int k = 0; k < V; ++k) {
                typename Op::acc terms[Loads];
#pragma unroll
                for (int j = 0; j < Loads; ++j)
                    terms[j] = Op::lift(
                        __builtin_bit_cast(vec<T>, y[c][j]).item[k],
                        s.row_of((base + j * l.vecs + place[c]) * V + k));
                sums[c][k] = Op::combine(sums[c][k], pairwise_sum<Op>(terms));
            }
    }
}

__device__ __forceinline__ int wrapped(int at, int size)
{
    return at < size ? at : at - size;
}

/* Stores the window's sums in shared memory, adds the elements that lie in no
 * whole vector, and combines the rows: element e of row 0 is then at
 * wrapped(s.low + e). */
template <class Op, int Columns, class T>
__device__ __forceinline__ void
join_window(const struct window_layout &l, const aligned_span<T> &s,
            const typename Op::acc (&sums)[Columns][kVec<T>],
            typename Op::acc *window)
{
    using Acc = typename Op::acc;
    constexpr int V = kVec<T>, kQuad = kVec<Acc>;
    static_assert(V % kQuad == 0);
    const int size = l.vecs * V, inner = s.inner;
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
    /* Thread i has item i of the first and of the last vector, which may share
     * a place. */
    const int i = (int)threadIdx.x, end = s.low + s.count;
    const auto add = [&](Acc &sum, Acc other) {
        sum = Op::combine(sum, other);
    };
    if (s.first && i >= s.low && i < V && i < end)
        add(window[i], s.template lifted<Op>(i));
    if (s.last >= s.first && i < end - s.last * V)
        add(window[s.last % l.vecs * V + i],
            s.template lifted<Op>(s.last * V + i));
    for (int count = l.window_rows; count > 1;) {
        const int half = (count + 1) / 2;
        __syncthreads();
        for (int e = i; e < (count - half) * inner; e += blockDim.x) {
            const int to = s.low + e, from = to + half * inner;
            add(window[wrapped(to, size)], window[wrapped(from, size)]);
        }
        count = half;
    }
    __syncthreads();
}

/* Combines the first rows of the cluster's windows: columns are dealt out to
 * the blocks, and neighbouring lanes read the same column from all blocks. */
template <class Op, class T>
__device__ __forceinline__ void join_cluster(const struct window_layout &l,
                                             const typename Op::acc *window,
                                             int low, int size, T *y)
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
        auto sum = c < inner ? read_at(block, window + wrapped(low + c, size))
                             : Op::identity();
        for (int apart = l.cluster / 2; apart > 0; apart /= 2)
            sum = Op::combine(sum, shuffle_xor(sum, apart));
        if (block == 0 && c < inner)
            y[c] = Op::lower(sum, l.axis);
    }
    cluster_sync(); /* all have read this block's window */
#endif
}

template <class Op, int Columns, class T = typename Op::element>
static __global__ void __launch_bounds__(kMost, Columns == 1 ? 4 : 2)
    block_per_period(const T *__restrict__ in, T *__restrict__ out,
                     typename Op::acc *__restrict__ partials,
                     const struct window_layout l)
{
    TAG(fast);
    using Acc = typename Op::acc;
    extern __shared__ uint4 memory[];
    Acc *window = (Acc *)memory;
    const int inner = (int)l.inner;
    early_allow();

    for (int64_t unit = blockIdx.x; unit < l.units; unit += gridDim.x) {
        const int64_t o = unit / l.pieces, row = (unit - o * l.pieces) * l.rows;
        const int64_t left = row < l.axis ? l.axis - row : 0;
        const int rows = (int)(left < l.rows ? left : l.rows);
        const aligned_span<T> s(l, in, o, row, rows);

        /* load, upsweep */
        Acc sums[Columns][kVec<T>];
        add_windows<Op, Columns, 8 / Columns>(l, s, sums);
        join_window<Op, Columns>(l, s, sums, window);

        /* store */
        if (l.cluster > 1) {
            join_cluster<Op>(l, window, s.low, l.vecs * kVec<T>,
                             out + o * inner);
            continue;
        }
        for (int c = threadIdx.x; c < inner; c += blockDim.x) {
            const Acc sum = window[wrapped(s.low + c, l.vecs * kVec<T>)];
            if (l.pieces == 1)
                out[unit * inner + c] = Op::lower(sum, l.axis);
            else
                partials[unit * inner + c] = sum;
        }
        __syncthreads(); /* the window may be written again */
    }
}

/* ------------------------------------------------------------------ host */

/* The pieces that make eight waves of blocks, each of at least 64 KiB; or if
 * more, those that make one wave, each of at least 8 KiB. */
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

/* The size of the clusters that combine that many pieces, each of which has
 * rows; or 1 if clusters would have too few blocks, with too much to read. */
static int cluster_of(const struct problem *p, const struct window_layout &l,
                      int64_t pieces, int64_t slab_bytes)
{
    constexpr int64_t kLittle = 64 << 10; /* bytes per block */
    const int most = cluster_most(p);
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

/* The pieces whose results are combined in memory: each has at least 128 bytes
 * of every column, and few enough elements for 32 bits. */
static int64_t pieces_in_memory(const struct window_layout &l, int64_t wanted,
                                int64_t bytes)
{
    const int64_t most = l.axis / (128 / bytes);
    const int64_t least = l.axis * l.inner * bytes >> 28;
    int64_t pieces = wanted < most ? wanted : most;
    pieces = pieces > least ? pieces : least;
    return pieces > 1 ? pieces : 1;
}

static struct row_period period_of(const struct problem *p)
{
    return row_period_of(p->shape.inner, 16 / (int64_t)dtype_bytes(p->dtype));
}

static struct window_layout layout_of(const struct problem *p)
{
    const int64_t bytes = dtype_bytes(p->dtype);
    struct window_layout l = { .axis = p->shape.axis, .inner = p->shape.inner };
    const struct row_period period = period_of(p);
    const int64_t periods = period.vecs < kMost ? kMost / period.vecs : 1;
    l.vecs = (int)(periods * period.vecs);
    l.window_rows = (int)(periods * period.rows);
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

template <class Op, int Columns>
static int launch_columns(const struct problem *p, void *stream)
{
    using T = typename Op::element;
    using Acc = typename Op::acc;
    const struct window_layout l = layout_of(p);
    const int threads = (int)ceil_div(ceil_div(l.vecs, Columns), 32) * 32;
    const int bytes = l.vecs * kVec<T> * (int)sizeof(Acc);
    const auto kernel = block_per_period<Op, Columns>;
    auto *partials = (Acc *)p->workspace;
    if (l.cluster > 1)
        return cluster_launch(kernel, l.units / l.cluster, l.cluster, threads,
                              bytes, stream, p->in, p->out, partials, l);
    const int error = launch_kernel(kernel, l.units, threads, bytes, stream,
                                    p->in, p->out, partials, l);
    if (error != cudaSuccess || l.pieces == 1)
        return error;
    return launch_add_partials<Op>(p, l.pieces, stream);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        const int vecs = layout_of(p).vecs;
        return vecs <= kMost       ? launch_columns<Op, 1>(p, stream)
               : vecs <= 2 * kMost ? launch_columns<Op, 2>(p, stream)
                                   : launch_columns<Op, 4>(p, stream);
    });
}

static const char *refuses(const struct problem *p)
{
    const struct row_period period = period_of(p);
    return period.vecs > kMostVectors ||
                   period.rows * p->shape.inner * acc_bytes(p) > kMostWindow
               ? "a period of rows has more vectors than a block can own"
               : NULL;
}

static size_t workspace_bytes(const struct problem *p)
{
    const struct window_layout l = layout_of(p);
    return l.pieces == 1 || l.cluster > 1 ? 0
                                          : l.units * l.inner * acc_bytes(p);
}

VARIANTS(reduce__block_per_period) = {
    {
        .name = "block_per_period_b256",
        .idea = "a block owns whole rows, in vectors that line up",
        ON_CUDA(reductions<kNeeds>(), 1),
        ERROR_OF_TILES(2),
        .deterministic = true,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
