/* SPDX-License-Identifier: MIT
 *
 * Idea     The tensor as rows of `inner` elements, a block a tile of rows. A
 *          tile is one span of memory, whatever lines it holds: pieces of
 *          long ones, many short ones, or columns of a narrow inner extent.
 *          It is copied to shared memory as it lies; there a thread walks some
 *          rows of one column and starts anew wherever a line does. Larger
 *          tiles (not _k28) have the L2 asked for a later one, too. The first
 *          tiles are asked for in turns (staggered_start.cuh).
 * Against  thread_per_line and thread_per_column: their loop, but it runs in
 *          shared memory, and a short or narrow line costs no coalescing; and
 *          decoupled_lookback, whose tiles end where a line ends.
 * Traffic  2N elements, and a word a column and tile (passes = 1).
 * Needs    inner <= 128.
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 * Lesson   With tiles of memory instead of tiles of lines, short, odd and
 *          narrow lines cost no more than others.
 */
#include "variants/common/launch/clear_early.cuh"
#include "variants/common/look_back/staggered_start.cuh"
#include "variants/common/access/tile_mover.cuh"
#include "variants/common/look_back/column_carry.cuh"

constexpr int kThreads = 256;
constexpr int kMostInner = 128;

struct row_tiling {
    int64_t rows, axis; /* rows of the tensor; rows of a line */
    int64_t tiles;
    int inner, chunks; /* threads along a row, and across rows */
    int chunk_rows, tile_rows;
    int sharers;  /* of a column's look-back */
    int reach;    /* chunks back to where a line starts */
    int lead;     /* elements from an aligned address to the tensor's first */
    bool aligned; /* in, mask and out alike */
    bool carries; /* lines go from tile to tile */
};

/* What a thread's rows, and those before them, hand on: the sum since the
 * last line's start, and whether there was one. */
template <class Acc>
struct running {
    Acc sum;
    bool started;
};

/* Every thread's sum over the chunks before its own, back to the start of the
 * line; on return *mine includes its own. */
template <class Op, bool Reverse>
__device__ __forceinline__ running<typename Op::acc>
chunks_before(const struct row_tiling &t, int chunk,
              running<typename Op::acc> *mine)
{
    __shared__ typename Op::acc sums[2][kThreads];
    __shared__ bool started[2][kThreads];
    const int rank = Reverse ? t.chunks - 1 - chunk : chunk;
    const int forward = Reverse ? t.inner : -t.inner;
    int turn = 0;
    for (int step = 1; step < 2 * t.reach; step *= 2, turn ^= 1) {
        sums[turn][threadIdx.x] = mine->sum;
        started[turn][threadIdx.x] = mine->started;
        __syncthreads();
        if (step >= t.reach)
            break;
        if (rank >= step && chunk < t.chunks) {
            const int from = (int)threadIdx.x + step * forward;
            if (!mine->started)
                mine->sum = Op::combine(sums[turn][from], mine->sum);
            mine->started = mine->started || started[turn][from];
        }
    }
    if (rank == 0 || chunk >= t.chunks)
        return { Op::identity(), false };
    const int from = (int)threadIdx.x + forward;
    return { sums[turn][from], started[turn][from] };
}

/* at % axis, for at less than an axis and a tile's rows. */
__device__ __forceinline__ int64_t wrap(int64_t at, int64_t axis)
{
    if (axis < 1 << 20)
        return (unsigned)at % (unsigned)axis;
    return at < axis ? at : at - axis;
}

/* Calls visit(value, index) for x[at], x[at + step], …, and keeps what it
 * returns. Eight are read before the first is written: a store to shared
 * memory holds up the loads behind it. */
template <bool Store, class T, class Visit>
__device__ __forceinline__ void walk(T *x, int at, int step, int many,
                                     Visit visit)
{
    constexpr int kBatch = 8;
    T v[kBatch];
    for (; many >= kBatch; many -= kBatch, at += kBatch * step) {
#pragma unroll
        for (int k = 0; k < kBatch; ++k)
            v[k] = x[at + k * step];
#pragma unroll
        for (int k = 0; k < kBatch; ++k)
            v[k] = visit(v[k], at + k * step);
        if (Store) {
#pragma unroll
            for (int k = 0; k < kBatch; ++k)
                x[at + k * step] = v[k];
        }
    }
    for (; many > 0; --many, at += step) {
        const T y = visit(x[at], at);
        if (Store)
            x[at] = y;
    }
}

/* Counts rows down to the next line's start. */
struct line_counter {
    int left, line;
    __device__ __forceinline__ bool starts(void)
    {
        const bool yes = left == 0;
        left = (yes ? line : left) - 1;
        return yes;
    }
};

/* Asks the L2 for a tile that comes later, so that memory is busy while blocks
 * wait for what comes before theirs. */
template <class Scan, class Mover>
__device__ __forceinline__ void fetch_later(const struct row_tiling &t,
                                            int64_t number, Mover &mover)
{
    if (number >= t.tiles)
        return;
    const int64_t from =
        (Scan::reverse ? t.tiles - 1 - number : number) * t.tile_rows;
    const int64_t to = min(from + t.tile_rows, t.rows);
    mover.prefetch(span_of(from * t.inner, to * t.inner, 0, t.lead, t.aligned));
}

/* x and its mask, and room for what of a alignment belongs to neighbours. */
template <class T, bool Masked, int TileBytes>
constexpr int kSharedBytes = TileBytes + 64 * (int)sizeof(T) +
                             (Masked ? TileBytes / (int)sizeof(T) + 64 : 0);

/* About how many blocks an SM holds: small tiles without a mask a few more,
 * large ones with theirs one less. */
template <int SharedBytes>
constexpr int kHeld = kResident<kThreads, (SharedBytes > 48 << 10 ? 3 : 4)>;

/* ------------------------------------------------------- a tile, its rows */

struct row_tile {
    int64_t number;
    int64_t first_row, first_place; /* in the tensor, and in its line */
    int rows;
    struct span part; /* of the tensor */
};

/* The tile that a block takes next, as thread 0 hands it to the others. */
struct row_ticket {
    int64_t number, row, place;
};

template <bool Reverse>
__device__ __forceinline__ struct row_ticket
take_row_ticket(const struct row_tiling &t, int64_t n,
                unsigned long long *ticket)
{
    struct row_ticket k;
    k.number = t.carries ? (int64_t)atomicAdd(ticket, 1ull) : n;
    k.row = (Reverse ? t.tiles - 1 - k.number : k.number) * t.tile_rows;
    k.place = k.row % t.axis;
    return k;
}

__device__ __forceinline__ struct row_tile
row_tile_of(const struct row_tiling &t, const struct row_ticket &k)
{
    struct row_tile tile = { k.number, k.row, k.place };
    tile.rows =
        t.rows - k.row < t.tile_rows ? (int)(t.rows - k.row) : t.tile_rows;
    const int64_t begin = k.row * t.inner;
    tile.part = span_of(begin, begin + (int64_t)tile.rows * t.inner,
                        align_down(begin, t.lead), t.lead, t.aligned);
    return tile;
}

/* A thread's rows of a tile, in walk order. */
struct thread_rows {
    int start, step, many; /* the first's index; from row to row; how many */
    int until;             /* rows before a line starts: at most many */
    int line;              /* rows of a line, at most many + 1 */
};

template <bool Reverse>
__device__ __forceinline__ struct thread_rows
rows_of(const struct row_tiling &t, const struct row_tile &tile, int chunk,
        int column)
{
    struct thread_rows r;
    const int row = chunk * t.chunk_rows;
    r.many = chunk >= t.chunks || tile.rows <= row ? 0
             : tile.rows - row < t.chunk_rows      ? tile.rows - row
                                                   : t.chunk_rows;
    r.step = Reverse ? -t.inner : t.inner;
    r.start = (int)(tile.part.begin - tile.part.origin) +
              (Reverse ? row + r.many - 1 : row) * t.inner + column;
    /* Rows until the next line starts, in walk order; 0: here. */
    const int64_t place = wrap(tile.first_place + row, t.axis);
    const int64_t far =
        Reverse ? wrap(place + r.many, t.axis) : (place ? t.axis - place : 0);
    r.until = far < r.many ? (int)far : r.many;
    r.line = t.axis < r.many ? (int)t.axis : r.many + 1;
    return r;
}

/* Calls visit(starts) with whether a line may start within the rows, as a
 * constant: most threads of long lines see none start, and need not count. */
template <class Visit>
__device__ __forceinline__ void with_starts(const struct thread_rows &r,
                                            Visit visit)
{
    if (r.until < r.many)
        visit(std::true_type{});
    else
        visit(std::false_type{});
}

/* ----------------------------------------------------------------- phases */

/* Waits for the tile's turn to start, by one thread. */
template <int Blocks, class Acc>
__device__ __forceinline__ void
await_turn(const struct row_tiling &t, int64_t number,
           const tile_state<Acc> *states, int stride)
{
    if (!t.carries)
        return;
    const int64_t other = starts_after<Blocks>(number, t.tiles);
    if (other >= 0)
        await_published(states + other * stride);
}

/* load: by those who start the mover's copies. */
template <class Scan, bool Ahead, class Mover>
__device__ __forceinline__ void start_row_tile(const struct row_tiling &t,
                                               const struct row_tile &tile,
                                               Mover &mover)
{
    mover.start(tile.part);
    if (Ahead && t.carries)
        fetch_later<Scan>(t, tile.number + multiprocessors(), mover);
}

/* upsweep: the sum of this thread's rows, back to where their line starts. */
template <class Scan, class T>
__device__ __forceinline__ running<acc_t<T>>
sum_rows(const struct thread_rows &r, T *x, const uint8_t *m)
{
    using Op = op_of<Scan, T>;
    running<typename Op::acc> mine = { Op::identity(), r.until < r.many };
    struct line_counter counter = { r.until, r.line };
    with_starts(r, [&](auto starts) {
        walk<Scan::masked>(x, r.start, r.step, r.many, [&](T value, int at) {
            if (Scan::masked && !m[at])
                value = from_acc<T>(Op::identity());
            const bool fresh = decltype(starts)::value && counter.starts();
            mine.sum =
                Op::combine(fresh ? Op::identity() : mine.sum, to_acc(value));
            return value;
        });
    });
    return mine;
}

/* spine over the tiles: publishes what this tile holds of every column's line,
 * and adds to *before what comes from the tiles before it. `mine` is the sum up
 * to this thread's last row. */
template <class Scan, class T>
__device__ __forceinline__ void
carry_rows(const struct row_tiling &t, const struct row_tile &tile, int chunk,
           int column, const running<acc_t<T>> &mine, running<acc_t<T>> *before,
           tile_state<acc_t<T>> *states, int stride)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    __shared__ Acc aggregates[kMostInner];
    const bool last = chunk == (Scan::reverse ? 0 : t.chunks - 1);
    if (last)
        aggregates[column] = mine.sum;
    const bool begun = __syncthreads_or(last && mine.started);
    tile_state<Acc> *state = states + tile.number * stride;
    const bool publishes =
        (int)threadIdx.x < t.inner && tile.number + 1 < t.tiles;
    if (publishes)
        publish(state + threadIdx.x, begun ? TILE_PREFIX : TILE_AGGREGATE,
                aggregates[threadIdx.x]);
    /* A line starts with this tile's first row. */
    if (wrap(tile.first_place + (Scan::reverse ? tile.rows : 0), t.axis) == 0)
        return;
    const column_chain<tile_state<Acc>> chain = {
        .mine = state + column,
        .step = tile.number,
        .stride = stride,
        .columns = t.inner,
        .column = column,
        .sharer = chunk,
        .sharers = t.sharers,
        .exists = chunk < t.chunks,
    };
    const Acc carry = column_carry<Op, 2>(chain);
    if (publishes && !begun)
        publish(state + threadIdx.x, TILE_PREFIX,
                Op::combine(carry, aggregates[threadIdx.x]));
    if (!before->started)
        before->sum = Op::combine(carry, before->sum);
}

/* downsweep, in place. */
template <class Scan, class T>
__device__ __forceinline__ void scan_rows(const struct thread_rows &r, T *x,
                                          acc_t<T> sum)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    struct line_counter counter = { r.until, r.line };
    with_starts(r, [&](auto starts) {
        walk<true>(x, r.start, r.step, r.many, [&](T value, int) {
            const bool fresh = decltype(starts)::value && counter.starts();
            const Acc prior = fresh ? Op::identity() : sum;
            sum = Op::combine(prior, to_acc(value));
            return from_acc<T>(Scan::exclusive ? prior : sum);
        });
    });
}

template <class T, class Scan, int TileBytes, bool Ahead>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, 4>)
    row_tile_lookback(const T *__restrict__ in,
                      const uint8_t *__restrict__ mask, T *__restrict__ out,
                      const struct row_tiling t, unsigned long long *ticket,
                      tile_state<acc_t<T>> *states)
{
    using Op = op_of<Scan, T>;
    constexpr int kApart = kStateStride<typename Op::acc>;
    constexpr int kBlocks = kHeld<kSharedBytes<T, Scan::masked, TileBytes>>;
    extern __shared__ uint4 shared_tile[];
    __shared__ struct row_ticket shared_ticket;
    using Mover = tile_mover<T, Scan::masked, kThreads>;
    __shared__ typename Mover::shared loaded;
    T *x = (T *)shared_tile;
    uint8_t *m = (uint8_t *)shared_tile + TileBytes + 64 * sizeof(T);
    const int column = threadIdx.x % t.inner, chunk = threadIdx.x / t.inner;
    const int stride = (t.inner + kApart - 1) / kApart * kApart; /* of states */
    Mover mover = { in, mask, { x, m }, &loaded, 0 };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
    }
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        if (threadIdx.x == 0) {
            shared_ticket = take_row_ticket<Scan::reverse>(t, n, ticket);
            await_turn<kBlocks>(t, shared_ticket.number, states, stride);
        }
        __syncthreads();
        const struct row_tile tile = row_tile_of(t, shared_ticket);

        /* load */
        if (!Mover::alone || threadIdx.x == 0)
            start_row_tile<Scan, Ahead>(t, tile, mover);
        mover.land(tile.part);
        __syncthreads();

        /* upsweep */
        const struct thread_rows rows =
            rows_of<Scan::reverse>(t, tile, chunk, column);
        running<typename Op::acc> mine = sum_rows<Scan>(rows, x, m);

        /* spine: in the tile, then over the tiles before it */
        running<typename Op::acc> before =
            chunks_before<Op, Scan::reverse>(t, chunk, &mine);
        if (t.carries)
            carry_rows<Scan, T>(t, tile, chunk, column, mine, &before, states,
                                stride);

        /* downsweep, store */
        scan_rows<Scan>(rows, x, before.sum);
        mover.store(tile.part, out);
        if (n + gridDim.x < t.tiles)
            __syncthreads();
    }
}

/* ------------------------------------------------------------------ host */

/* Rows of a chunk, so that a warp's threads, each in a chunk of its own, do
 * not meet in a bank: an odd number of words or doubles apart. */
static int rows_at_most(int rows, int inner, int bytes)
{
    const int step = bytes == 2 && inner % 2 ? 2 : 1; /* two halves a word */
    while (rows > step && rows / step % 2 == 0)
        rows -= rows % step + step;
    return rows > step ? rows / step * step : rows;
}

static struct row_tiling row_tiling_of(const struct problem *p, int tile_bytes)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    const int in_lead = (int)((uintptr_t)p->in % 16 / bytes);
    struct row_tiling t = { .rows = p->shape.outer * p->shape.axis,
                            .axis = p->shape.axis,
                            .inner = (int)p->shape.inner };
    t.lead = p->mask ? (int)((uintptr_t)p->mask % kAlignment) : in_lead;
    t.aligned = (uintptr_t)p->in % 16 == (uintptr_t)p->out % 16 &&
                t.lead % (16 / bytes) == in_lead;
    t.chunks = kThreads / t.inner;
    t.chunk_rows =
        rows_at_most(tile_bytes / bytes / t.inner / t.chunks, t.inner, bytes);
    t.tile_rows = t.chunks * t.chunk_rows;
    if (t.axis <= t.tile_rows / 4) /* whole lines */
        t.tile_rows = t.tile_rows / (int)t.axis * (int)t.axis;
    t.tiles = ceil_div(t.rows, t.tile_rows);
    t.carries = t.tiles > 1 && t.tile_rows % t.axis != 0;
    t.sharers = t.chunks < 16 ? t.chunks : 16;
    const int64_t back = ceil_div(t.axis, t.chunk_rows) + 1;
    t.reach = back < t.chunks ? (int)back : t.chunks;
    return t;
}

template <int TileBytes>
static size_t workspace_bytes(const struct problem *p)
{
    if (p->shape.inner > kMostInner)
        return 0; /* refused: there is no tiling */
    const struct row_tiling t = row_tiling_of(p, TileBytes);
    return kTicketBytes +
           tile_states_bytes(t.carries ? t.tiles : 0, t.inner, p->dtype);
}

template <int TileBytes, bool Ahead>
static int launch(const struct problem *p, void *stream)
{
    const struct row_tiling t = row_tiling_of(p, TileBytes);
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const auto kernel =
            row_tile_lookback<T, decltype(scan), TileBytes, Ahead>;
        const int bytes = kSharedBytes<T, decltype(scan)::masked, TileBytes>;
        const int error = bulk_room(kernel, bytes);
        if (error != cudaSuccess)
            return error;
        auto *ticket = (unsigned long long *)p->workspace;
        auto *states =
            (tile_state<acc_t<T>> *)((char *)p->workspace + kTicketBytes);
        if (t.carries)
            return launch_cleared(
                p, p->workspace, workspace_bytes<TileBytes>(p), kernel,
                grid_x(t.tiles), kThreads, bytes, (cudaStream_t)stream, p->in,
                p->mask, p->out, t, ticket, states);
        kernel<<<grid_x(t.tiles), kThreads, bytes, (cudaStream_t)stream>>>(
            (const T *)p->in, p->mask, (T *)p->out, t, ticket, states);
        return cudaGetLastError();
    });
}

/* Shared memory of a block: the tile, and the arrays of the kernel, of
 * chunks_before() and of column_carry(). */
template <int TileBytes>
static int64_t block_bytes(const struct problem *p)
{
    int64_t bytes = 0;
    dispatch_dtype(p->dtype, [&](auto type) {
        using T = typename decltype(type)::type;
        constexpr int kAcc = (int)sizeof(acc_t<T>);
        bytes = op_has_mask(p->op) ? kSharedBytes<T, true, TileBytes>
                                   : kSharedBytes<T, false, TileBytes>;
        bytes += 3 * kThreads * (kAcc + 1) + kMostInner * kAcc + 64;
        return 0;
    });
    return bytes;
}

template <int TileBytes>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner > kMostInner)
        return "serves inner <= 128 only; wider rows have column_lookback";
    return tile_refuses(p, block_bytes<TileBytes>(p));
}

/* A thread adds up to 190 rows one after the other (halves, inner = 86): a
 * chain as long as many a line. */
#define POINT(suffix, kib, ahead)                                              \
    {                                                                          \
        .name = "row_tile_lookback" suffix,                                    \
        .idea = "a block a span of memory, whatever lines it holds",           \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1,             \
        .deterministic = false, .refuses = refuses<(kib) << 10>,               \
        .workspace_bytes = workspace_bytes<(kib) << 10>,                       \
        .launch = launch<(kib) << 10, ahead>                                   \
    }

VARIANTS(scan__row_tile_lookback) = {
    POINT("", 64, true),
    POINT("_k44", 44, true),
    POINT("_k28", 28, false),
    {},
};
