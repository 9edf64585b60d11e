/* SPDX-License-Identifier: MIT
 *
 * Idea     A block takes a strip of columns as wide as a warp's vectors, down
 *          all rows of a slab or a piece of them. Its warps, up to eight,
 *          interleave rows so that all rows of a warp begin at the same offset
 *          in a 16-byte vector: aligned vectors are added as they are, and only
 *          the sums are shifted to their columns, in shared memory. Short rows
 *          are first joined into long ones, and folded last. A second kernel
 *          combines a strip's pieces.
 * Against  column_vectors: there one warp walks down the whole axis, and
 *          shuffles to undo the rows' offsets.
 * Traffic  N elements, and one sum per column and piece twice (passes = 1).
 * Needs    inner > 1; axes of 8 rows and more, but of bytes any; slabs of 4 KiB
 *          and more.
 * Source   none.
 * Lesson   Rows meet vectors in few alignments; a warp per alignment shifts
 *          nothing.
 */
#include "variants/common/launch/empty_lines.cuh"
#include "variants/reduce/split_axis/add_partials.cuh"

/* Warps interleave rows. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

constexpr int kMostWarps = 8; /* per block */
/* Elements of a vector: no more than warps, so that each warp has rows of one
 * offset. */
constexpr int width_of(int64_t bytes)
{
    return bytes < 2 ? kMostWarps : 16 / (int)bytes;
}
template <class T>
constexpr int kWidth = width_of(sizeof(T));
/* Elements of a warp's vectors. */
template <class T>
constexpr int kReach = 32 * kWidth<T>;
/* Warps per SM that the registers allow: kSmWarps with 4-byte accs or bytes,
 * and fewer with places of bytes, with more than 32 bytes of accs per vector,
 * or with elements of 8 bytes. */
constexpr int kSmWarps = 32;
template <class Op, class T = typename Op::element>
constexpr int kWarpsOf =
    sizeof(T) == 1 ? kInParts<Op> ? 16 : kSmWarps
    : sizeof(typename Op::acc) * kWidth<T> > 32 || std::is_same_v<T, int64_t>
        ? 16
    : sizeof(T) == 8 ? 24
                     : kSmWarps;
constexpr int kLoads = 8;             /* in flight per thread */
constexpr int64_t kLeastBytes = 4096; /* per slab */
constexpr int kMostPieces = 256;

/* The cut of slabs. A row is `joined` of the tensor's rows; the last one of a
 * slab may be shorter. */
struct strip_layout {
    int64_t slabs, slab;          /* elements of a slab */
    int64_t inner, row;           /* columns; elements of a row */
    int64_t rows;                 /* per slab */
    int64_t across;               /* strips of a row */
    int64_t pieces, depth, units; /* pieces of a strip, rows of a piece, pieces
                                     of all slabs */
    int joined, width;            /* columns of a strip: the last may be less */
    int warps;                    /* per block */
    int lead; /* elements from a 16-byte boundary to the tensor's first */
};

/* A block's piece of a strip. Its columns and rows count from its first. */
template <class T>
struct strip_piece {
    int64_t at;       /* its first element, from the boundary on */
    int64_t first;    /* its first row, in the slab */
    int64_t out;      /* its first column */
    unsigned partial; /* the same among partial results, if there are any */
    int width, rows;
    bool opens, closes; /* its first, its last row must be masked */
    int last_width;

    __device__ __forceinline__ strip_piece(const struct strip_layout &l,
                                           int64_t unit)
    {
        const int64_t rest = unit / l.across, s = unit - rest * l.across;
        const int64_t o = rest / l.pieces, piece = rest - o * l.pieces;
        const int64_t column = s * l.width;
        first = piece * l.depth;
        at = l.lead + o * l.slab + first * l.row + column;
        out = o * l.inner + column;
        partial = (unsigned)(rest * l.inner + column);
        width = (int)min(l.row - column, (int64_t)l.width);
        const bool ends = l.rows - first <= l.depth;
        rows = (int)(ends ? l.rows - first : l.depth);
        const int64_t last = l.slab - (l.rows - 1) * l.row; /* elements */
        last_width = width;
        if (ends && last < l.row)
            last_width = (int)last; /* the row is one strip */
        opens = o == 0 && first == 0 && l.lead > 0;
        closes = ends &&
                 (last_width < width || (l.slabs - 1 - o) * l.slab < kWidth<T>);
    }
};

/* Adds one row of `width` columns to a lane's sums, the first of which is
 * column `column`, without reading outside the row. place(k) is the place of
 * sums[k] along the axis. */
template <class Op, class T, class Place>
__device__ __forceinline__ void add_masked(const T *x, int column, int width,
                                           Place place,
                                           typename Op::acc (&sums)[kWidth<T>])
{
#pragma unroll
    for (int k = 0; k < kWidth<T>; ++k)
        if (column + k >= 0 && column + k < width)
            sums[k] = Op::combine(sums[k], Op::lift(x[k], place(k)));
}

/* Adds a warp's rows: every kWarps-th from its own on. */
template <class Op, int kWarps, class T>
__device__ __forceinline__ void
add_rows_of(const struct strip_layout &l, const strip_piece<T> &s, const T *x,
            int column, typename Op::acc (&sums)[kWidth<T>])
{
    constexpr int V = kWidth<T>;
    const int64_t step = l.row * kWarps;
    int row = (int)threadIdx.x / 32, rows = s.rows;
    int before[V]; /* rows that are joined before the column's */
#pragma unroll
    for (int k = 0; k < V; ++k)
        before[k] = l.joined > 1
                        ? (int)((unsigned)(column + k) / (unsigned)l.inner)
                        : 0;
    const auto place = [&](int at, int k) {
        return (s.first + at) * l.joined + before[k];
    };
    if (s.closes && --rows % kWarps == row)
        add_masked<Op>(
            x + (int64_t)(rows - row) * l.row, column, s.last_width,
            [&](int k) { return place(rows, k); }, sums);
    if (s.opens && row == 0 && rows > 0) {
        add_masked<Op>(
            x, column, s.width, [&](int k) { return place(row, k); }, sums);
        row += kWarps;
        x += step;
    }
    if (column >= s.width || column + V <= 0)
        return;
    for (; row < rows; row += kWarps * kLoads, x += step * kLoads) {
        using vector = vec<T, V>;
        using words = words_t<vector>;
        rows_in_words<vector, kLoads> y;
#pragma unroll
        for (int j = 0; j < kLoads; ++j) {
            y.row[j] = pad_words<Op, words>();
            if (row + j * kWarps < rows)
                y.row[j] = *(const words *)(x + j * step);
        }
        const int64_t first = (s.first + row) * l.joined;
        add_columns<Op, kLoads>(sums, y, [&](int j, int k) {
            return first + before[k] + (int64_t)j * (kWarps * l.joined);
        });
    }
}

/* Shared memory of a block: each warp's sums and their shift against the
 * columns, and the sums of a row. */
template <class Op, int Warps>
struct strip_memory {
    typename Op::acc sums[Warps * kReach<typename Op::element>];
    typename Op::acc row[kReach<typename Op::element>];
    int shift[Warps];
};

/* Combines the warps, then the rows that were joined. The results are in
 * m.row, where each thread may read the columns that it stores. */
template <class Op, int Warps>
__device__ __forceinline__ void
join_warps(const struct strip_layout &l, int width, int shift,
           const typename Op::acc (&sums)[kWidth<typename Op::element>],
           strip_memory<Op, Warps> &m)
{
    using Acc = typename Op::acc;
    constexpr int V = kWidth<typename Op::element>, kQuad = kVec<Acc>;
    constexpr int kPitch = kReach<typename Op::element>;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int inner = (int)l.inner;
#pragma unroll
    for (int k = 0; k < V; k += kQuad) {
        vec<Acc> part;
#pragma unroll
        for (int i = 0; i < kQuad; ++i)
            part.item[i] = sums[k + i];
        write_shared(m.sums + warp * kPitch + lane * V + k, part);
    }
    if (lane == 0)
        m.shift[warp] = shift;
    __syncthreads();
    for (int c = (int)threadIdx.x; c < width; c += Warps * 32) {
        Acc sum = Op::identity();
#pragma unroll
        for (int w = 0; w < Warps; ++w)
            sum = Op::combine(sum, m.sums[w * kPitch + c + m.shift[w]]);
        m.row[c] = sum;
    }
    for (int count = l.joined; count > 1;) {
        const int half = (count + 1) / 2;
        __syncthreads();
        for (int e = (int)threadIdx.x; e < (count - half) * inner;
             e += Warps * 32)
            m.row[e] = Op::combine(m.row[e], m.row[e + half * inner]);
        count = half;
    }
    if (l.joined > 1)
        __syncthreads();
}

/* Strips are cut into pieces only for blocks of kMostWarps warps. */
template <class Op, int Warps, class T = typename Op::element>
static __global__ void
__launch_bounds__(Warps * 32, kResident<Warps * 32, kWarpsOf<Op> / Warps>)
    strip_registers(const T *__restrict__ in, output_of<Op> *out,
                    typename Op::acc *partials, const struct strip_layout l)
{
    using Acc = typename Op::acc;
    constexpr int V = kWidth<T>;
    __shared__ __align__(16) strip_memory<Op, Warps> m;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    TAG(fast);
    early_allow();
    const strip_piece<T> s(l, blockIdx.x);

    /* load, upsweep */
    const int64_t at = s.at + warp * l.row;
    const int shift = (int)(at % V);
    Acc sums[V];
    set_identity<Op>(sums);
    add_rows_of<Op, Warps>(l, s, in - l.lead + (at - shift) + lane * V,
                           lane * V - shift, sums);
    join_warps<Op, Warps>(l, s.width, shift, sums, m);

    /* store */
    const int columns = l.joined > 1 ? (int)l.inner : s.width;
    const int64_t axis = l.slab / l.inner;
    bool whole = true;
    if constexpr (Warps == kMostWarps)
        whole = l.pieces == 1;
    for (int c = (int)threadIdx.x; c < columns; c += Warps * 32)
        if (whole)
            out[s.out + c] = Op::lower(m.row[c], axis);
        else
            partials[s.partial + c] = m.row[c];
}

/* ------------------------------------------------------------------ host */

/* The cost of a layout per multiprocessor, in bytes that it could read in that
 * time: fewer than kEnough concurrent blocks do not use its bandwidth. */
static int64_t cost_of(const struct strip_layout &l, int64_t bytes, int sms)
{
    constexpr int64_t kStart = 32 << 10; /* start and end of a block */
    constexpr int64_t kJoin = 64 << 10;  /* the second kernel */
    constexpr int64_t kAtOnce = kSmWarps / kMostWarps, kEnough = 3;
    const int64_t each = ceil_div(l.units, sms);
    const int64_t turns = ceil_div(each, kAtOnce);
    const int64_t blocks = each > kEnough ? each : kEnough;
    const int64_t read = l.depth * (l.width * bytes + 16);
    const int64_t partial = l.width * 8; /* written and read */
    const int64_t join = l.pieces > 1 ? kJoin + each * partial : 0;
    return blocks * read + turns * kStart + join;
}

/* Warps of a block: fewer than kMostWarps if there are many blocks, short
 * slabs, and rows that line up with vectors anyway. That gains little: other
 * operators do without those kernels. */
static int warps_of(const struct problem *p, const struct strip_layout &l,
                    int64_t V, int sms)
{
    if (!adds_floats(p))
        return kMostWarps;
    int warps = kMostWarps;
    while (warps > 2 && l.rows * 2 < (int64_t)warps * kLoads &&
           warps / 2 * l.row % V == 0 &&
           l.slabs * l.across * warps > 2 * sms * kSmWarps)
        warps /= 2;
    return warps;
}

/* Cuts strips into about `pieces` pieces. */
static void cut(struct strip_layout &l, int64_t pieces)
{
    const int64_t most = l.rows / (2 * kMostWarps);
    pieces = pieces < most ? pieces : most;
    pieces = pieces < kMostPieces ? pieces : kMostPieces;
    pieces = pieces > l.rows >> 28 ? pieces : (l.rows >> 28) + 1;
    l.depth = ceil_div(ceil_div(l.rows, pieces), kMostWarps) * kMostWarps;
    l.pieces = ceil_div(l.rows, l.depth);
    l.units = l.slabs * l.across * l.pieces;
}

static struct strip_layout layout_of(const struct problem *p, int lead)
{
    const int64_t bytes = dtype_bytes(p->dtype), V = width_of(bytes);
    const int64_t inner = p->shape.inner, axis = p->shape.axis;
    struct strip_layout l = { .slabs = p->shape.outer,
                              .slab = axis * inner,
                              .inner = inner,
                              .lead = lead };
    /* Rows that are whole vectors may take all of a warp's vectors. */
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

    const int sms = p->device ? p->device->sm_count : 1;
    l.warps = warps_of(p, l, V, sms);
    struct strip_layout best = l;
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

template <class Op, int Warps>
static int launch_warps(const struct problem *p, const struct strip_layout &l,
                        void *stream)
{
    const int error =
        launch_kernel(strip_registers<Op, Warps>, l.units, Warps * 32, 0,
                      stream, p->in, p->out, p->workspace, l);
    return error || l.pieces == 1
               ? error
               : launch_add_partials<Op>(p, l.pieces, stream);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        if constexpr (kServesEmpty)
            if (p->shape.axis == 0)
                return launch_empty_lines<Op>(p, stream);
        const struct strip_layout l =
            layout_of(p, (int)((uintptr_t)p->in / sizeof(T) % kWidth<T>));
        if constexpr (is_addition<Op>)
            if (l.warps < kMostWarps)
                return l.warps == 2 ? launch_warps<Op, 2>(p, l, stream)
                                    : launch_warps<Op, 4>(p, l, stream);
        return launch_warps<Op, kMostWarps>(p, l, stream);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner == 1)
        return "serves strided lines only (inner > 1)";
    const int64_t slab =
        p->shape.axis * p->shape.inner * (int64_t)dtype_bytes(p->dtype);
    if (p->shape.axis == 0 && !kServesEmpty)
        return kHasEmpty;
    const bool bytes = dtype_bytes(p->dtype) == 1; /* no other has them */
    if (p->shape.axis > 0 &&
        (slab < kLeastBytes || (p->shape.axis < kMostWarps && !bytes)))
        return "serves axes of 8 rows and more, or of bytes, in slabs of 4 KiB "
               "and more";
    return index_refuses(p);
}

/* Enough for any alignment of `in`, which is not known yet. */
static size_t workspace_bytes(const struct problem *p)
{
    const int V = width_of(dtype_bytes(p->dtype));
    int64_t most = 1;
    if (p->shape.axis == 0)
        return 0;
    for (int lead = 0; lead < V; lead += V - 1) {
        const int64_t pieces = layout_of(p, lead).pieces;
        most = pieces > most ? pieces : most;
    }
    return most == 1 ? 0
                     : (size_t)(shape_lines(p->shape) * most * acc_bytes(p));
}

VARIANTS(reduce__strip_registers) = {
    {
        .name = "strip_registers_b256_i64",
        .idea = "one warp for each offset of rows in vectors",
        ON_CUDA(reductions<kNeeds>(), 1),
        .error_growth = ERROR_SERIAL,
        .deterministic = true,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
