/* SPDX-License-Identifier: MIT
 *
 * Idea     The tensor is rows of `inner` elements, and each block takes a tile
 *          of rows: whole lines where they fit, else a part of one. A tile is
 *          one contiguous span of memory. It is copied to shared memory
 *          unchanged; there each thread walks some rows of one column, and
 *          resets its sum where a line starts. With larger tiles (not _k28) a
 *          block also prefetches a later tile into the L2. The loads of the
 *          first tiles are staggered (staggered_start.cuh).
 * Against  thread_per_line and thread_per_column, which have the same
 *          loop: here it runs in shared memory, so that short and narrow lines
 *          cost no coalescing. decoupled_lookback: there a tile never holds
 *          several lines.
 * Traffic  2N elements, and a word per column and tile (passes = 1).
 * Needs    inner <= 128.
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 * Lesson   With tiles of memory instead of lines, short, odd and narrow lines
 *          cost no more than others.
 */
#include <limits.h>

#include "variants/common/access/bank_conflicts.cuh"
#include "variants/common/line_window.cuh"
#include "variants/common/look_back/staggered_start.cuh"
#include "variants/common/look_back/tile_mover.cuh"
#include "variants/common/look_back/column_carry.cuh"

constexpr int kThreads = 256;
constexpr int kMostInner = 128;
constexpr int kRadix = 4; /* of the scan over chunks */
constexpr unsigned kNeeds = ALLOWS_WIDENING;

struct row_tiling {
    int64_t rows, axis; /* rows of the tensor, rows of a line */
    int64_t tiles;
    int inner, chunks; /* threads along a row, threads along the rows */
    int chunk_rows, tile_rows, tile_bytes;
    /* A run begins with a chunk. It is one line, or the tile where that has
     * more lines than chunks, or only a part of a line. */
    int run_rows, run_chunks;
    int sharers; /* threads that look back for each column */
    int reach;   /* chunks from any row back to its line's start, at most */
    struct alignment alignment;
    bool carries; /* some line continues in the next tile */
};

/* The running sum at some row of a column. */
template <class Acc>
struct running {
    Acc sum;
    bool started; /* the line starts within the rows that were summed */
};

/* The sum over the chunks before a thread's own, back to the start of the line;
 * *mine, its own chunk's sum, becomes the inclusive one. */
template <class Op, bool Reverse>
__device__ __forceinline__ running<typename Op::acc>
chunks_before(const struct row_tiling &t, int chunk,
              running<typename Op::acc> *mine)
{
    __shared__ typename Op::acc sums[2][kThreads];
    __shared__ bool started[2][kThreads];
    const int rank = Reverse ? t.chunks - 1 - chunk : chunk;
    const int forward = Reverse ? t.inner : -t.inner;
    int buffer = 0;
    for (int step = 1; step < kRadix * t.reach; step *= kRadix, buffer ^= 1) {
        sums[buffer][threadIdx.x] = mine->sum;
        started[buffer][threadIdx.x] = mine->started;
        __syncthreads();
        if (step >= t.reach)
            break;
#pragma unroll
        for (int k = 1; k < kRadix; ++k)
            if (rank >= k * step && chunk < t.chunks) {
                const int from = (int)threadIdx.x + k * step * forward;
                if (!mine->started)
                    mine->sum = Op::combine(sums[buffer][from], mine->sum);
                mine->started = mine->started || started[buffer][from];
            }
    }
    if (rank == 0 || chunk >= t.chunks)
        return { Op::identity(), false };
    const int from = (int)threadIdx.x + forward;
    return { sums[buffer][from], started[buffer][from] };
}

/* at % axis, if `at` is less than axis plus a tile's rows. */
__device__ __forceinline__ int64_t wrap(int64_t at, int64_t axis)
{
    if (axis < 1 << 20)
        return (unsigned)at % (unsigned)axis;
    return at < axis ? at : at - axis;
}

/* Calls visit(value, index) for x[at], x[at + step], …, which the results
 * replace, if Store. Eight elements are read before the first is written,
 * because loads from shared memory are not moved ahead of a store to it; four
 * of 8 bytes before 8.0, where more of them spill. */
template <bool Store, class T, class Visit>
__device__ __forceinline__ void walk(T *x, int at, int step, int count,
                                     Visit visit)
{
    constexpr int kBatch = sizeof(T) == 8 && !HAS_ASYNC_COPY ? 4 : 8;
    T v[kBatch];
    for (; count >= kBatch; count -= kBatch, at += kBatch * step) {
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
    for (; count > 0; --count, at += step) {
        const T y = visit(x[at], at);
        if (Store)
            x[at] = y;
    }
}

/* Prefetches a later tile into the L2, so that the memory stays busy while
 * blocks wait for their carry-in. */
template <class Scan, class Mover>
__device__ __forceinline__ void fetch_later(const struct row_tiling &t,
                                            int64_t number, Mover &mover)
{
    if (number >= t.tiles)
        return;
    const int64_t from =
        (Scan::reverse ? t.tiles - 1 - number : number) * t.tile_rows;
    const int64_t to = min(from + t.tile_rows, t.rows);
    mover.prefetch(span_of(from * t.inner, to * t.inner, 0, t.alignment));
}

/* Bytes of a tile and its mask, each with up to 15 elements of its neighbours
 * before the first, which keep it aligned as in global memory. */
__host__ __device__ constexpr int shared_bytes(int elem_bytes, bool masked,
                                               int tile_bytes)
{
    return tile_bytes + 64 * elem_bytes +
           (masked ? tile_bytes / elem_bytes + 64 : 0);
}

/* Estimate of the blocks of full tiles that an SM holds. Small tiles without a
 * mask exceed it slightly; large tiles with a mask fall one short. */
template <int SharedBytes>
constexpr int kSmBlocks = kResident<kThreads, (SharedBytes > 48 << 10 ? 3 : 4)>;

/* ------------------------------------------------------- a tile, its rows */

struct row_tile {
    int64_t number;
    int64_t first_row, first_place; /* in the tensor, in its line */
    int rows;
    struct span part; /* the tile's elements */
};

/* The next tile of a block, passed from thread 0 to the others. */
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
                        align_down(begin, t.alignment), t.alignment);
    return tile;
}

/* A thread's rows of a tile, in walk order. */
struct thread_rows {
    int start, step, count; /* index of the first, distance of rows, rows */
    bool begins;            /* a line starts with the first row */
    int until;              /* rows before the next starts, at most count */
    int line;               /* rows of a line, at most count + 1 */

    __device__ __forceinline__ bool started(void) const
    {
        return begins || until < count;
    }
};

template <bool Reverse>
__device__ __forceinline__ struct thread_rows
rows_of(const struct row_tiling &t, const struct row_tile &tile, int chunk,
        int column)
{
    struct thread_rows r;
    const int run = chunk / t.run_chunks;
    const int row =
        run * t.run_rows + (chunk - run * t.run_chunks) * t.chunk_rows;
    const int end = min((run + 1) * t.run_rows, tile.rows);
    r.count = chunk >= t.chunks ? 0 : max(min(end - row, t.chunk_rows), 0);
    r.step = Reverse ? -t.inner : t.inner;
    r.start = (int)(tile.part.begin - tile.part.origin) +
              (Reverse ? row + r.count - 1 : row) * t.inner + column;
    /* Rows until a line starts, in walk order. */
    const int64_t place = wrap(tile.first_place + row, t.axis);
    const int64_t far =
        Reverse ? wrap(place + r.count, t.axis) : (place ? t.axis - place : 0);
    r.begins = far == 0 && r.count > 0;
    r.until = (int)min(r.begins ? t.axis : far, (int64_t)r.count);
    r.line = t.axis < r.count ? (int)t.axis : r.count + 1;
    return r;
}

/* Calls visit(starts) with a constant: false if no line starts behind the first
 * row of any of the warp's threads, as in most warps where lines are long;
 * these need not count rows. */
template <class Visit>
__device__ __forceinline__ void with_starts(const struct thread_rows &r,
                                            Visit visit)
{
    if (__any_sync(kWholeWarp, r.until < r.count))
        visit(std::true_type{});
    else
        visit(std::false_type{});
}

/* ----------------------------------------------------------------- phases */

/* Waits until the tile's loads may start; called by one thread. */
template <int Blocks, class Acc>
__device__ __forceinline__ void
await_start(const struct row_tiling &t, int64_t number,
            const tile_state<Acc> *states, int stride)
{
    if (!t.carries)
        return;
    const int64_t other = starts_after<Blocks>(number, t.tiles);
    if (other >= 0)
        await_published(states + other * stride);
}

/* load: called by the threads that start the mover's copies. */
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
__device__ __forceinline__ running<acc_of<Scan, T>>
sum_rows(const struct thread_rows &r, T *x, const uint8_t *m)
{
    using Op = op_of<Scan, T>;
    running<typename Op::acc> mine = { Op::identity(), r.started() };
    line_walk lines = { r.until, r.line };
    with_starts(r, [&](auto starts) {
        walk<Scan::masked>(x, r.start, r.step, r.count, [&](T value, int at) {
            if (Scan::masked && !m[at])
                value = Op::pad();
            const bool fresh = decltype(starts)::value && lines.starts();
            mine.sum =
                Op::combine(fresh ? Op::identity() : mine.sum, Op::lift(value));
            return value;
        });
    });
    return mine;
}

/* spine over the tiles: publishes this tile's sum of every column, and combines
 * *before with the carry-in. `mine` is the sum up to this thread's last row. */
template <class Scan, class Op>
__device__ __forceinline__ void
carry_rows(const struct row_tiling &t, const struct row_tile &tile, int chunk,
           int column, const running<typename Op::acc> &mine,
           running<typename Op::acc> *before,
           tile_state<typename Op::acc> *states, int stride)
{
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
        .groups = t.inner,
        .group = column,
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
                                          acc_of<Scan, T> sum)
{
    using Op = op_of<Scan, T>;
    line_walk lines = { r.until, r.line };
    with_starts(r, [&](auto starts) {
        walk<true>(x, r.start, r.step, r.count, [&](T value, int) {
            const bool fresh = decltype(starts)::value && lines.starts();
            sum = fresh ? Op::identity() : sum;
            return Op::lower(
                scan_step<Scan>(sum, Op::combine(sum, Op::lift(value))));
        });
    });
}

/* Converts a tile's elements [0, end), which lie at the end of its room, to the
 * results' type, at its start: some at a time, from the front on, so that none
 * is overwritten before it is read. */
template <class T, class In>
__device__ __forceinline__ void widen_tile(T *x, const In *raw, int end)
{
    constexpr int V = kVec<T>, kSteps = HAS_ASYNC_COPY ? 8 : 2; /* registers */
    for (int first = 0; first < end; first += kSteps * kThreads * V) {
        const int mine = first + (int)threadIdx.x * V;
        vec<In, V> items[kSteps];
#pragma unroll
        for (int k = 0; k < kSteps; ++k)
            if (mine + k * kThreads * V < end)
                items[k] = read_vec<vec<In, V>>(raw + mine + k * kThreads * V);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kSteps; ++k) {
            vec<T> y;
#pragma unroll
            for (int i = 0; i < V; ++i)
                y.item[i] = value_of(items[k].item[i]);
            if (mine + k * kThreads * V < end)
                write_shared(x + mine + k * kThreads * V, y);
        }
    }
    __syncthreads();
}

/* Blocks per multiprocessor that the registers are enough for. */
template <class Acc>
constexpr int kMinBlocks = kResident<kThreads, (sizeof(Acc) <= 4 ? 5 : 4)>;

/* Elements of In become T, the type of the results, in the tile. */
template <class T, class Scan, int TileBytes, bool Ahead, class In>
static __global__ void __launch_bounds__(kThreads, kMinBlocks<acc_of<Scan, T>>)
    row_tile_lookback(const In *__restrict__ in,
                      const uint8_t *__restrict__ mask, T *__restrict__ out,
                      const struct row_tiling t, unsigned long long *ticket,
                      tile_state<acc_of<Scan, T>> *states)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    constexpr int kBlocks =
        kSmBlocks<shared_bytes(sizeof(T), Scan::masked, TileBytes)>;
    extern __shared__ uint4 shared_tile[];
    __shared__ struct row_ticket shared_ticket;
    using Mover = tile_mover<In, Scan::masked, kThreads>;
    __shared__ typename Mover::shared loaded;
    T *x = (T *)shared_tile;
    uint8_t *m = (uint8_t *)shared_tile + t.tile_bytes + 64 * sizeof(T);
    const int column = threadIdx.x % t.inner, chunk = threadIdx.x / t.inner;
    const int stride = tile_stride<acc_of<Scan, T>>(t.inner);
    const int room = t.tile_bytes / (int)sizeof(T) + 64;
    In *raw = (In *)(x + room) - room;
    Mover mover = { in, mask, { raw, m }, &loaded, 0 };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
    }
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        if (threadIdx.x == 0) {
            shared_ticket = take_row_ticket<Scan::reverse>(t, n, ticket);
            await_start<kBlocks>(t, shared_ticket.number, states, stride);
        }
        __syncthreads();
        const struct row_tile tile = row_tile_of(t, shared_ticket);

        /* load */
        if (!Mover::alone || threadIdx.x == 0)
            start_row_tile<Scan, Ahead>(t, tile, mover);
        mover.land(tile.part);
        __syncthreads();
        if constexpr (!std::is_same_v<In, T>)
            widen_tile(x, raw, (int)(tile.part.end - tile.part.origin));

        /* upsweep */
        const struct thread_rows rows =
            rows_of<Scan::reverse>(t, tile, chunk, column);
        auto mine = sum_rows<Scan>(rows, x, m);

        /* spine: in the tile, then over the tiles before it */
        auto before = chunks_before<Op, Scan::reverse>(t, chunk, &mine);
        if (t.carries)
            carry_rows<Scan, Op>(t, tile, chunk, column, mine, &before, states,
                                 stride);

        /* downsweep, store */
        scan_rows<Scan>(rows, x, rows.begins ? Op::identity() : before.sum);
        mover.store(tile.part, x, out);
        if (n + gridDim.x < t.tiles)
            __syncthreads();
    }
}

/* ------------------------------------------------------------------ host */

/* Sets chunk_rows to the largest number from `least` to `most` with the fewest
 * bank conflicts. Returns their degree. */
static int set_chunk_rows(struct row_tiling *t, int least, int most, int bytes)
{
    const int row = t->inner * bytes, run = t->run_rows * row;
    int fewest = 0;
    for (int rows = most; rows >= least && fewest != 1; --rows) {
        int column = -1, chunk = 0, left = t->chunks, first = 0;
        const int degree = bank_conflicts(bytes, [&] {
            if (++column == t->inner) {
                column = 0;
                --left;
                if (++chunk == t->run_chunks) {
                    chunk = 0;
                    first += run;
                }
            }
            const int from = first + min(chunk * rows * row, run);
            return left > 0 ? from + column * bytes : -1;
        });
        if (fewest && degree >= fewest)
            continue;
        t->chunk_rows = rows;
        fewest = degree;
    }
    return fewest;
}

/* Gives each run of `rows` rows that many chunks, for the fewest bank
 * conflicts. Returns their degree. */
static int set_runs(struct row_tiling *t, int rows, int chunks, int bytes)
{
    const int least = (int)ceil_div(rows, chunks);
    t->run_rows = rows;
    t->run_chunks = chunks;
    return set_chunk_rows(t, least, min(least + least / 16, t->chunk_rows),
                          bytes);
}

/* Makes tiles of whole lines, at most `most_lines`, which need no look-back.
 * Each line begins with a chunk, if there are enough chunks and that has no
 * more bank conflicts than chunks without regard to lines. */
static void hold_lines(struct row_tiling *t, int64_t most_lines, int bytes)
{
    const int axis = (int)t->axis;
    const int fit = axis > t->chunk_rows
                        ? t->chunks / (int)ceil_div(axis, t->chunk_rows)
                        : t->tile_rows / axis;
    const int lines = (int)min((int64_t)fit, most_lines);
    t->tile_rows = lines * axis;
    struct row_tiling apart = *t;
    const int degree = lines <= t->chunks
                           ? set_runs(&apart, axis, t->chunks / lines, bytes)
                           : INT_MAX;
    if (degree == 1 || degree <= set_runs(t, t->tile_rows, t->chunks, bytes))
        *t = apart;
}

/* Small tensors get smaller tiles: where lines cross tiles about one per
 * multiprocessor, with 15 or more rows per chunk; of whole lines two. */
static struct row_tiling row_tiling_of(const struct problem *p, int most_bytes)
{
    const int bytes = out_elem_bytes(p);
    const int64_t sms = p->device ? p->device->sm_count : 1;
    struct row_tiling t = { .rows = p->shape.outer * p->shape.axis,
                            .axis = p->shape.axis,
                            .inner = (int)p->shape.inner,
                            .alignment = alignment_of(p) };
    t.chunks = kThreads / t.inner;
    int most = most_bytes / bytes / t.inner / t.chunks;
    t.run_rows = most * t.chunks;
    t.run_chunks = t.chunks;
    set_chunk_rows(&t, most - most / 16, most, bytes);
    if (t.axis > t.chunks * t.chunk_rows && t.inner * bytes >= 64)
        t.chunk_rows = most; /* two rows, rarely three, meet in a bank */
    t.tile_rows = t.chunks * t.chunk_rows;
    if (t.axis <= t.tile_rows)
        hold_lines(&t, ceil_div(p->shape.outer, 2 * sms), bytes);
    else {
        const int64_t few = max(ceil_div(t.rows, sms * t.chunks), (int64_t)16);
        most = (int)min((int64_t)most, few);
        t.run_rows = most * t.chunks;
        set_chunk_rows(&t, most - most / 16, most, bytes);
        t.run_rows = t.tile_rows = t.chunks * t.chunk_rows;
    }
    /* A multiple of 16 elements of any size, so that those to be widened are
     * aligned. */
    t.tile_bytes = (int)ceil_div(t.tile_rows * t.inner * bytes, 128) * 128;
    t.tiles = ceil_div(t.rows, t.tile_rows);
    t.carries = t.tiles > 1 && t.tile_rows % t.axis != 0;
    t.sharers = t.chunks < 16 ? t.chunks : 16;
    const int64_t back = ceil_div(t.axis, t.chunk_rows) + 1;
    t.reach = back < t.run_chunks ? (int)back : t.run_chunks;
    return t;
}

template <int TileBytes>
static size_t workspace_bytes(const struct problem *p)
{
    if (p->shape.inner > kMostInner)
        return 0; /* refuses() such a problem */
    const struct row_tiling t = row_tiling_of(p, TileBytes);
    return kTicketBytes +
           tile_states_bytes(p, t.carries ? t.tiles : 0, t.inner);
}

template <int TileBytes, bool Ahead>
static int launch(const struct problem *p, void *stream)
{
    const struct row_tiling t = row_tiling_of(p, TileBytes);
    return dispatch_scan<kNeeds>(
        p, [&]<class In, class Scan>(tag<In>, Scan) -> int {
            using T = output_of<op_of<Scan, In>>;
            const auto kernel =
                row_tile_lookback<T, Scan, TileBytes, Ahead, In>;
            const int bytes =
                shared_bytes(sizeof(T), Scan::masked, t.tile_bytes);
            return launch_tiles(
                p, t.carries ? workspace_bytes<TileBytes>(p) : 0, kernel,
                t.tiles, kThreads, bytes, stream, p->in, p->mask, p->out, t);
        });
}

template <int TileBytes>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner > kMostInner)
        return "serves inner <= 128 only; wider rows have column_lookback";
    const int64_t acc = acc_bytes(p);
    /* The arrays of chunks_before() and column_carry(), and of carry_rows(). */
    const int64_t arrays = 3 * kThreads * (acc + 1) + kMostInner * acc + 64;
    const int64_t tile =
        shared_bytes(out_elem_bytes(p), op_has_mask(p->op), TileBytes);
    return tile_refuses(p, tile + arrays);
}

/* error_tile: each thread adds up to 190 rows serially (halves, inner = 86),
 * which is longer than many lines. */
#define POINT(suffix, kib, ahead)                                              \
    {                                                                          \
        .name = "row_tile_lookback" suffix,                                    \
        .idea = "a block per span of whole lines, or part of one",             \
        ON_CUDA(scans<kNeeds>(), 1), ERROR_OF_TILES(1),                        \
        .refuses = refuses<(kib) << 10>,                                       \
        .workspace_bytes = workspace_bytes<(kib) << 10>,                       \
        .launch = launch<(kib) << 10, ahead>                                   \
    }

VARIANTS(scan__row_tile_lookback) = {
    POINT("", 64, true),
#ifndef OTHER_OPERATORS
    POINT("_k44", 44, true),
#endif
#if !defined OTHER_OPERATORS || OLDEST_ARCH < 800
    POINT("_k28", 28, false), /* serves GPUs with 48 KB of shared memory */
#endif
    {},
};
