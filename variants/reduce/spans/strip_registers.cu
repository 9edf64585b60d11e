/* SPDX-License-Identifier: MIT
 *
 * Idea     A block takes a strip of columns as wide as a warp's vectors, down
 *          all rows of a slab or a piece of them. Its warps, up to eight, take
 *          rows in turn: a warp's rows all begin at the same place in a 16-byte
 *          vector, so aligned vectors are added as they lie, and only at the
 *          end, in shared memory, are the sums moved to their columns. Short
 *          rows are joined to long ones first, and folded last. The last block
 *          to end adds up a strip's pieces, in their order.
 * Against  column_vectors: there a warp walks down by itself, shuffles what
 *          rows are shifted by, and has the whole axis.
 * Traffic  N elements, and a sum a column and piece twice (passes = 1).
 * Needs    inner > 1; axes of 8 rows and more, slabs of 4 KiB and more.
 * Source   the last block: CUDA samples, threadFenceReduction.
 * Lesson   Rows are out of step with vectors in only a few ways; a warp per way
 *          shifts nothing.
 */
#include "variants/common/launch/clear_early.cuh"
#include "variants/common/look_back/delays.cuh"
#include "variants/reduce/split_axis/partials.cuh"

constexpr int kMostWarps = 8; /* of a block */
constexpr int kThreads = 32 * kMostWarps;
/* Warps that an SM's registers are to hold; of doubles, 24. */
constexpr int kSmWarps = 32;
constexpr int kLoads = 8;             /* in flight, a thread */
constexpr int64_t kLeastBytes = 4096; /* of a slab */
constexpr int kMostPieces = 256;

/* Elements that a warp's vectors hold. */
template <class T>
constexpr int kReach = 32 * kVec<T>;

/* How slabs are cut. Rows are those of the tensor, `joined` in a row; the last
 * of a slab may be shorter. */
struct layout {
    int64_t slabs, slab;          /* elements of a slab */
    int64_t inner, row;           /* columns; elements of a row */
    int64_t rows;                 /* of a slab */
    int64_t across;               /* strips of a row */
    int64_t pieces, depth, units; /* pieces of a strip, rows of one */
    int joined, width; /* columns of a strip: the last may have fewer */
    int warps;         /* of a block */
    int pitch;         /* of partial sums */
    int lead; /* elements from a 16-byte boundary to the tensor's first */
};

/* A block's piece of a strip. Columns and rows are counted from its own. */
template <class T>
struct strip_piece {
    int64_t at;    /* of its first row, from the boundary on */
    int64_t strip; /* among all */
    int64_t first; /* row, in the slab */
    int64_t out;   /* its first column */
    int width, rows;
    bool opens, closes; /* its first, its last row is to be masked */
    int last_width;

    __device__ __forceinline__ strip_piece(const struct layout &l, int64_t unit)
    {
        const int64_t rest = unit / l.across, s = unit - rest * l.across;
        const int64_t o = rest / l.pieces, piece = rest - o * l.pieces;
        const int64_t column = s * l.width;
        strip = o * l.across + s;
        first = piece * l.depth;
        at = l.lead + o * l.slab + first * l.row + column;
        out = o * l.inner + column;
        width = (int)min(l.row - column, (int64_t)l.width);
        const bool ends = l.rows - first <= l.depth;
        rows = (int)(ends ? l.rows - first : l.depth);
        const int64_t last = l.slab - (l.rows - 1) * l.row; /* elements */
        last_width = width;
        if (ends && last < l.row)
            last_width = (int)last; /* the row is one strip */
        opens = o == 0 && first == 0 && l.lead > 0;
        closes = ends &&
                 (last_width < width || (l.slabs - 1 - o) * l.slab < kVec<T>);
    }
};

/* Adds one row of `width` columns to a lane's sums, of which the first is
 * column `column`: no element is read that is none of the row's. */
template <class T>
__device__ __forceinline__ void add_masked(const T *x, int column, int width,
                                           acc_t<T> (&sums)[kVec<T>])
{
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (column + k >= 0 && column + k < width)
            sums[k] += to_acc(x[k]);
}

/* Adds a warp's rows: every kWarps-th from its own on. */
template <int kWarps, class T>
__device__ __forceinline__ void
add_rows_of(const struct layout &l, const strip_piece<T> &s, const T *x,
            int column, acc_t<T> (&sums)[kVec<T>])
{
    constexpr int V = kVec<T>;
    const int64_t step = l.row * kWarps;
    int row = (int)threadIdx.x / 32, rows = s.rows;
    if (s.closes && --rows % kWarps == row)
        add_masked<T>(x + (int64_t)(rows - row) * l.row, column, s.last_width,
                      sums);
    if (s.opens && row == 0 && rows > 0) {
        add_masked<T>(x, column, s.width, sums);
        row += kWarps;
        x += step;
    }
    if (column >= s.width || column + V <= 0)
        return;
    for (; row < rows; row += kWarps * kLoads, x += step * kLoads) {
        uint4 y[kLoads];
#pragma unroll
        for (int j = 0; j < kLoads; ++j) {
            y[j] = {};
            if (row + j * kWarps < rows)
                y[j] = *(const uint4 *)(x + j * step);
        }
#pragma unroll
        for (int k = 0; k < V; ++k) {
            acc_t<T> terms[kLoads];
#pragma unroll
            for (int j = 0; j < kLoads; ++j)
                terms[j] = to_acc(__builtin_bit_cast(vec<T>, y[j]).item[k]);
            sums[k] += pairwise_sum(terms);
        }
    }
}

/* Shared memory of a block: what each warp has of its places, and how far it
 * is shifted; and the sums of a row. */
template <class T, int Warps>
struct strip_memory {
    acc_t<T> sums[Warps * kReach<T>];
    acc_t<T> row[kReach<T>];
    int shift[Warps];
    int last;
};

/* Leaves the columns' sums in m.row: joins the warps, and what is joined in a
 * row. A thread then has the columns that it stores. */
template <class T, int Warps>
__device__ __forceinline__ void
join_warps(const struct layout &l, int width, int shift,
           const acc_t<T> (&sums)[kVec<T>], strip_memory<T, Warps> &m)
{
    constexpr int V = kVec<T>, kQuad = 16 / (int)sizeof(acc_t<T>);
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int inner = (int)l.inner;
#pragma unroll
    for (int k = 0; k < V; k += kQuad) {
        vec<acc_t<T>> part;
#pragma unroll
        for (int i = 0; i < kQuad; ++i)
            part.item[i] = sums[k + i];
        write_shared(m.sums + warp * kReach<T> + lane * V + k, part);
    }
    if (lane == 0)
        m.shift[warp] = shift;
    __syncthreads();
    for (int c = (int)threadIdx.x; c < width; c += Warps * 32) {
        acc_t<T> sum = 0;
#pragma unroll
        for (int w = 0; w < Warps; ++w)
            sum += m.sums[w * kReach<T> + c + m.shift[w]];
        m.row[c] = sum;
    }
    for (int count = l.joined; count > 1;) {
        const int half = (count + 1) / 2;
        __syncthreads();
        for (int e = (int)threadIdx.x; e < (count - half) * inner;
             e += Warps * 32)
            m.row[e] += m.row[e + half * inner];
        count = half;
    }
    if (l.joined > 1)
        __syncthreads();
}

/* True for the block that is the last to have left its partial sums. */
template <class Memory>
__device__ __forceinline__ bool last_of(unsigned *counter, int64_t pieces,
                                        Memory &m)
{
    delay();
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        delay();
        m.last = atomicAdd(counter, 1u) == (unsigned)(pieces - 1);
        __threadfence();
    }
    __syncthreads();
    delay();
    return m.last != 0;
}

/* Adds up a strip's pieces, columns in turn: threads side by side have vectors
 * of a piece, and groups of them every so many pieces. */
template <class T>
__device__ __forceinline__ acc_t<T> join_pieces(const struct layout &l,
                                                const acc_t<T> *partials,
                                                strip_memory<T, kMostWarps> &m)
{
    using Acc = acc_t<T>;
    constexpr int kQuad = 16 / (int)sizeof(Acc), kMostGroups = 16;
    const int quads = l.pitch / kQuad;
    const int groups = min(kThreads / quads, kMostGroups);
    const int group = (int)threadIdx.x / quads;
    const int quad = (int)threadIdx.x - group * quads;
    if (group < groups) {
        vec<Acc> sum = {};
#pragma unroll 8
        for (int piece = group; piece < (int)l.pieces; piece += groups) {
            const auto x = __builtin_bit_cast(
                vec<Acc>,
                __ldcg((const uint4 *)(partials + (int64_t)piece * l.pitch) +
                       quad));
#pragma unroll
            for (int i = 0; i < kQuad; ++i)
                sum.item[i] += x.item[i];
        }
        write_shared(m.sums + group * l.pitch + quad * kQuad, sum);
    }
    __syncthreads();
    Acc sum = 0;
    if ((int)threadIdx.x < l.pitch)
        for (int g = 0; g < groups; ++g)
            sum += m.sums[g * l.pitch + threadIdx.x];
    return sum;
}

/* Pieces are for blocks of most warps. */
template <class T, int Warps>
static __global__ void __launch_bounds__(
    Warps * 32, kResident<Warps * 32, (sizeof(T) == 8 ? 24 : kSmWarps) / Warps>)
    strip_registers(const T *__restrict__ in, T *out, unsigned *counters,
                    acc_t<T> *partials, const struct layout l)
{
    constexpr int V = kVec<T>;
    __shared__ __align__(16) strip_memory<T, Warps> m;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    for (int64_t unit = blockIdx.x; unit < l.units; unit += gridDim.x) {
        const strip_piece<T> s(l, unit);

        /* load, upsweep */
        const int64_t at = s.at + warp * l.row;
        const int shift = (int)(at % V);
        acc_t<T> sums[V] = {};
        add_rows_of<Warps, T>(l, s, in - l.lead + (at - shift) + lane * V,
                              lane * V - shift, sums);
        join_warps<T, Warps>(l, s.width, shift, sums, m);

        /* store */
        const int columns = l.joined > 1 ? (int)l.inner : s.width;
        T *const y = out + s.out;
        bool whole = true;
        if constexpr (Warps == kMostWarps)
            whole = l.pieces == 1;
        if (whole) {
            for (int c = (int)threadIdx.x; c < columns; c += Warps * 32)
                y[c] = from_acc<T>(m.row[c]);
        } else if constexpr (Warps == kMostWarps) {
            const int c = (int)threadIdx.x;
            acc_t<T> *const to = partials + s.strip * l.pieces * l.pitch;
            early_wait(); /* the counters are cleared */
            if (c < l.pitch)
                to[s.first / l.depth * l.pitch + c] =
                    c < columns ? m.row[c] : 0;
            if (last_of(counters + s.strip, l.pieces, m)) {
                const acc_t<T> sum = join_pieces<T>(l, to, m);
                if (c < columns)
                    y[c] = from_acc<T>(sum);
            }
        }
        __syncthreads(); /* the sums may be written again */
    }
}

/* ------------------------------------------------------------------ host */

/* What so many pieces of a strip cost a multiprocessor, in bytes that it could
 * read meanwhile: fewer blocks at a time than kEnough read no faster. */
static int64_t cost_of(const struct layout &l, int64_t bytes, int sms)
{
    constexpr int64_t kStart = 32 << 10; /* of a block, and its end */
    constexpr int64_t kJoin = 96 << 10;  /* fence, atomic, partial sums */
    constexpr int64_t kTrip = 40 << 10;  /* to the memory and back */
    constexpr int64_t kAtOnce = kSmWarps / kMostWarps, kEnough = 3;
    const int64_t each = ceil_div(l.units, sms);
    const int64_t turns = ceil_div(each, kAtOnce);
    const int64_t blocks = each > kEnough ? each : kEnough;
    const int64_t read = l.depth * (l.width * bytes + 16);
    const int64_t partial = l.pitch * 8; /* written and read */
    const int64_t join = l.pieces > 1
                             ? kJoin + each * partial +
                                   l.pieces * l.pitch / (kThreads * 32) * kTrip
                             : 0;
    return blocks * read + turns * kStart + join;
}

/* Warps of a block, where blocks are many: as few as rows are in step with, and
 * each a batch of rows. */
static int warps_of(const struct layout &l, int64_t V, int sms)
{
    int warps = kMostWarps;
    while (warps > 2 && l.rows * 2 < (int64_t)warps * kLoads &&
           warps / 2 * l.row % V == 0 &&
           l.slabs * l.across * warps > 2 * sms * kSmWarps)
        warps /= 2;
    return warps;
}

/* Cuts strips into about so many pieces. */
static void cut(struct layout &l, int64_t pieces)
{
    const int64_t most = l.rows / (2 * kMostWarps);
    pieces = pieces < most ? pieces : most;
    pieces = pieces < kMostPieces ? pieces : kMostPieces;
    pieces = pieces > l.rows >> 28 ? pieces : (l.rows >> 28) + 1;
    l.depth = ceil_div(ceil_div(l.rows, pieces), kMostWarps) * kMostWarps;
    l.pieces = ceil_div(l.rows, l.depth);
    l.units = l.slabs * l.across * l.pieces;
}

static struct layout layout_of(const struct problem *p, int lead)
{
    const int64_t bytes = dtype_bytes(p->dtype), V = 16 / bytes;
    const int64_t inner = p->shape.inner, axis = p->shape.axis;
    struct layout l = { .slabs = p->shape.outer,
                        .slab = axis * inner,
                        .inner = inner,
                        .lead = lead };
    /* Rows that are whole vectors may fill a warp's. */
    const int64_t reach = 32 * V;
    const bool even = lead == 0 && l.slab % V == 0;
    int64_t own = reach - V;
    const int64_t filled = reach / inner * inner;
    int64_t joined = (even && filled % V == 0 ? filled : own) / inner;
    joined = joined < axis ? joined : axis;
    l.joined = joined > 1 ? (int)joined : 1;
    if (l.joined == 1 && even && inner % V == 0)
        own = reach;
    l.row = inner * l.joined;
    l.rows = ceil_div(axis, l.joined);
    l.across = l.joined > 1 ? 1 : ceil_div(inner, own);
    l.width = (int)(ceil_div(ceil_div(l.row, l.across), V) * V);
    if (l.across == 1)
        l.width = (int)l.row;
    l.across = ceil_div(l.row, l.width);
    l.pitch = (int)(ceil_div(l.joined > 1 ? inner : l.width, 4) * 4);

    const int sms = p->device ? p->device->sm_count : 1;
    l.warps = warps_of(l, V, sms);
    struct layout best = l;
    cut(best, 1);
    if (l.warps < kMostWarps)
        return best;
    const int64_t strips = l.slabs * l.across;
    for (int k = 1; k <= 4 * kSmWarps / kMostWarps; ++k) {
        cut(l, k * (int64_t)sms / strips);
        if (cost_of(l, bytes, sms) < cost_of(best, bytes, sms))
            best = l;
    }
    return best;
}

/* The counters come first, then the partial sums. */
static int64_t counter_bytes(const struct layout &l)
{
    return ceil_div(l.slabs * l.across * (int64_t)sizeof(unsigned), 256) * 256;
}

template <class T, int Warps>
static int launch_warps(const struct problem *p, const struct layout &l,
                        cudaStream_t stream)
{
    const auto kernel = strip_registers<T, Warps>;
    if (l.pieces == 1) {
        kernel<<<grid_x(l.units), Warps * 32, 0, stream>>>(
            (const T *)p->in, (T *)p->out, NULL, NULL, l);
        return cudaGetLastError();
    }
    const int64_t reset = counter_bytes(l);
    auto *counters = (unsigned *)p->workspace;
    auto *partials = (acc_t<T> *)((char *)p->workspace + reset);
    return launch_cleared(p, counters, (size_t)reset, kernel, grid_x(l.units),
                          Warps * 32, 0, stream, p->in, p->out, counters,
                          partials, l);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto cuda_stream = (cudaStream_t)stream;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, shape_lines(p->shape) * sizeof(T),
                                   cuda_stream);
        const struct layout l =
            layout_of(p, (int)((uintptr_t)p->in % 16 / sizeof(T)));
        return l.warps == 2   ? launch_warps<T, 2>(p, l, cuda_stream)
               : l.warps == 4 ? launch_warps<T, 4>(p, l, cuda_stream)
                              : launch_warps<T, 8>(p, l, cuda_stream);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner == 1)
        return "serves strided lines only (inner > 1)";
    const int64_t slab =
        p->shape.axis * p->shape.inner * (int64_t)dtype_bytes(p->dtype);
    if (p->shape.axis > 0 && (slab < kLeastBytes || p->shape.axis < kMostWarps))
        return "serves axes of 8 rows and more, in slabs of 4 KiB and more";
    return NULL;
}

/* Of any alignment: a launch may find another than was asked for. */
static size_t workspace_bytes(const struct problem *p)
{
    const int64_t acc_bytes = p->dtype == DTYPE_F64 ? 8 : 4;
    const int V = 16 / (int)dtype_bytes(p->dtype);
    int64_t most = 0;
    if (p->shape.axis == 0)
        return 0;
    for (int lead = 0; lead < V; lead += V - 1) {
        const struct layout l = layout_of(p, lead);
        const int64_t bytes = counter_bytes(l) + l.units * l.pitch * acc_bytes;
        if (l.pieces > 1 && bytes > most)
            most = bytes;
    }
    return (size_t)most;
}

VARIANTS(reduce__strip_registers) = {
    {
        .name = "strip_registers_b256_i64",
        .idea = "a warp for each way that rows lie in vectors",
        .runs_on = DEVICE_CUDA,
        .ops = OP_BIT(OP_SUM),
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_SERIAL,
        .deterministic = true,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
    },
    {},
};
