/* SPDX-License-Identifier: MIT
 *
 * Idea     The tensor as rows of `inner` elements, a block a tile of rows. A
 *          tile is one stretch of memory, whatever lines it holds: pieces of
 *          long ones, many short ones, or columns of a narrow inner extent.
 *          It is copied to shared memory in bulk; there a thread walks some
 *          rows of one column and starts anew wherever a line does. Larger
 *          tiles (not _k28) have the L2 asked for a later one, too. The first
 *          tiles are asked for in turns (start_in_turns.cuh).
 * Against  thread_per_line and thread_per_column: their loop, but it runs in
 *          shared memory, and a short or narrow line costs no coalescing; and
 *          decoupled_lookback, whose tiles end where a line ends.
 * Traffic  2N elements, and a word a column and tile (passes = 1).
 * Needs    inner <= 128; bulk copies (compute capability 9.0).
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 * Lesson   Tiles of memory rather than of lines: short, odd and narrow lines
 *          cost no more than others.
 */
#include "variants/common/clear_early.cuh"
#include "variants/common/bulk_hints.cuh"
#include "variants/scan/column_carry.cuh"
#include "variants/common/staggered_start.cuh"

constexpr int kThreads = 256;
constexpr int kMostInner = 128;

struct tiling {
    int64_t rows, axis; /* rows of the tensor; rows of a line */
    int64_t tiles;
    int inner, chunks; /* threads along a row, and across rows */
    int chunk_rows, tile_rows;
    int sharers;  /* of a column's look-back */
    int reach;    /* chunks back to where a line starts */
    int lead;     /* elements from a grain's start to the tensor's first */
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
template <bool Reverse, class Acc>
__device__ __forceinline__ running<Acc>
chunks_before(const struct tiling &t, int chunk, running<Acc> *mine)
{
    __shared__ Acc sums[2][kThreads];
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
                mine->sum += sums[turn][from];
            mine->started = mine->started || started[turn][from];
        }
    }
    if (rank == 0 || chunk >= t.chunks)
        return { 0, false };
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

/* Starts a tile's loads, by one thread. */
template <bool Masked, class T>
__device__ __forceinline__ void ask(const struct stretch &s, const T *in,
                                    const uint8_t *mask, T *x, uint8_t *m,
                                    uint64_t *barrier)
{
    const unsigned count = (unsigned)(s.bulk_end - s.bulk_begin);
    if (!count)
        return;
    const uint64_t policy = evict_last_policy();
    bulk_expect(barrier, count * (unsigned)(sizeof(T) + Masked));
    bulk_load_kept(x + (s.bulk_begin - s.origin), in + s.bulk_begin,
                   count * (unsigned)sizeof(T), barrier, policy);
    if (Masked)
        bulk_load(m + (s.bulk_begin - s.origin), mask + s.bulk_begin, count,
                  barrier);
}

/* Asks the L2 for a tile that comes later, so that memory is busy while blocks
 * wait for what comes before theirs. */
template <class Scan, class T>
__device__ __forceinline__ void fetch_later(const struct tiling &t,
                                            int64_t number, const T *in,
                                            const uint8_t *mask)
{
    if (number >= t.tiles)
        return;
    const int64_t from =
        (Scan::reverse ? t.tiles - 1 - number : number) * t.tile_rows;
    const int64_t to = min(from + t.tile_rows, t.rows);
    stretch_prefetch<Scan::masked>(
        stretch_of(from * t.inner, to * t.inner, 0, t.lead, t.aligned), in,
        mask);
}

/* Stores what the block's threads have left in x. */
template <class T>
__device__ __forceinline__ void store(const struct stretch &s, T *out,
                                      const T *x)
{
    bulk_fence();
    __syncthreads();
    if (threadIdx.x == 0 && s.bulk_begin < s.bulk_end) {
        bulk_store_first(out + s.bulk_begin, x + (s.bulk_begin - s.origin),
                         (unsigned)((s.bulk_end - s.bulk_begin) * sizeof(T)),
                         evict_first_policy());
        bulk_commit();
    }
    stretch_rest(s, [&](int64_t e) { out[e] = x[e - s.origin]; });
    if (threadIdx.x == 0)
        bulk_drain();
}

/* x and its mask, and room for what of a grain belongs to neighbours. */
template <class T, bool Masked, int TileBytes>
constexpr int kSharedBytes = TileBytes + 64 * (int)sizeof(T) +
                             (Masked ? TileBytes / (int)sizeof(T) + 64 : 0);

/* About so many blocks does an SM hold: small tiles without a mask a few more,
 * large ones with theirs one less. */
template <int SharedBytes>
constexpr int kHeld = SharedBytes > 48 << 10 ? 3 : 4;

template <class T, class Scan, int TileBytes, bool Ahead>
static __global__ void __launch_bounds__(kThreads, 4)
    row_tile_lookback(const T *__restrict__ in,
                      const uint8_t *__restrict__ mask, T *__restrict__ out,
                      const struct tiling t, unsigned long long *ticket,
                      tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    constexpr bool kReverse = Scan::reverse;
    extern __shared__ uint4 shared_tile[];
    __shared__ Acc aggregates[kMostInner];
    __shared__ int64_t shared_number, shared_row, shared_place;
    __shared__ uint64_t loaded;
    const int column = threadIdx.x % t.inner, chunk = threadIdx.x / t.inner;
    const bool works = chunk < t.chunks;

    if (threadIdx.x == 0) {
        bulk_init(&loaded, 1);
        early_wait();
    }
    unsigned parity = 0;
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        if (threadIdx.x == 0) {
            shared_number = t.carries ? (int64_t)atomicAdd(ticket, 1ull) : n;
            shared_row =
                (kReverse ? t.tiles - 1 - shared_number : shared_number) *
                t.tile_rows;
            shared_place = shared_row % t.axis;
        }
        __syncthreads();
        const int64_t number = shared_number, first_row = shared_row;
        const int64_t first_place = shared_place; /* in its line */
        const int rows = t.rows - first_row < t.tile_rows
                             ? (int)(t.rows - first_row)
                             : t.tile_rows;

        /* load */
        const int64_t begin = first_row * t.inner;
        const struct stretch s =
            stretch_of(begin, begin + (int64_t)rows * t.inner,
                       grain_floor(begin, t.lead), t.lead, t.aligned);
        T *x = (T *)shared_tile;
        uint8_t *m = (uint8_t *)shared_tile + TileBytes + 64 * sizeof(T);
        constexpr int kApart = kStateStride<Acc>;
        const int stride = (t.inner + kApart - 1) / kApart * kApart;
        if (threadIdx.x == 0 && t.carries) {
            const int64_t other =
                starts_after<kHeld<kSharedBytes<T, Scan::masked, TileBytes>>>(
                    number, t.tiles);
            if (other >= 0)
                await_told(states + other * stride);
        }
        if (threadIdx.x == 0)
            ask<Scan::masked>(s, in, mask, x, m, &loaded);
        if (Ahead && threadIdx.x == 0 && t.carries)
            fetch_later<Scan>(t, number + multiprocessors(), in, mask);
        stretch_wait<Scan::masked>(s, in, mask, x, m, &loaded, &parity);
        __syncthreads();

        /* upsweep: this thread's rows, back to where their line starts */
        const int row = chunk * t.chunk_rows;
        const int many = !works || rows <= row       ? 0
                         : rows - row < t.chunk_rows ? rows - row
                                                     : t.chunk_rows;
        const int step = kReverse ? -t.inner : t.inner;
        const int start = (int)(begin - s.origin) +
                          (kReverse ? row + many - 1 : row) * t.inner + column;
        /* Rows until the next line starts, in walk order; 0: here. */
        const int64_t place = wrap(first_place + row, t.axis);
        int64_t far = kReverse ? wrap(place + many, t.axis)
                               : (place ? t.axis - place : 0);
        const int until = far < many ? (int)far : many;
        const int line = t.axis < many ? (int)t.axis : many + 1;
        running<Acc> mine = { 0, until < many };
        struct line_counter counter = { until, line };
        const auto add = [&](auto starts) {
            walk<Scan::masked>(x, start, step, many, [&](T value, int at) {
                if (Scan::masked && !m[at])
                    value = from_acc<T>(0);
                const bool fresh = decltype(starts)::value && counter.starts();
                mine.sum = to_acc(value) + (fresh ? Acc(0) : mine.sum);
                return value;
            });
        };
        /* Most threads of long lines see none start, and need not count. */
        if (until < many)
            add(std::true_type{});
        else
            add(std::false_type{});

        /* spine: in the tile, then over the tiles before it */
        running<Acc> before = chunks_before<kReverse>(t, chunk, &mine);
        if (t.carries) {
            if (works && chunk == (kReverse ? 0 : t.chunks - 1))
                aggregates[column] = mine.sum;
            const bool begun = __syncthreads_or(
                works && chunk == (kReverse ? 0 : t.chunks - 1) &&
                mine.started);
            const bool fresh =
                wrap(first_place + (kReverse ? rows : 0), t.axis) == 0;
            tile_state<Acc> *state = states + number * stride;
            const bool speaks =
                (int)threadIdx.x < t.inner && number + 1 < t.tiles;
            if (speaks)
                publish(state + threadIdx.x,
                        begun ? TILE_PREFIX : TILE_AGGREGATE,
                        aggregates[threadIdx.x]);
            if (!fresh) {
                const Acc carry =
                    column_carry<2>(state + column, number, stride, t.inner,
                                    column, chunk, works, t.sharers);
                if (speaks && !begun)
                    publish(state + threadIdx.x, TILE_PREFIX,
                            carry + aggregates[threadIdx.x]);
                if (!before.started)
                    before.sum += carry;
            }
        }

        /* downsweep */
        Acc sum = before.sum;
        counter = { until, line };
        const auto scan = [&](auto starts) {
            walk<true>(x, start, step, many, [&](T value, int) {
                const bool fresh = decltype(starts)::value && counter.starts();
                const Acc prior = fresh ? Acc(0) : sum;
                sum = prior + to_acc(value);
                return from_acc<T>(Scan::exclusive ? prior : sum);
            });
        };
        if (until < many)
            scan(std::true_type{});
        else
            scan(std::false_type{});

        /* store */
        store(s, out, x);
        if (n + gridDim.x < t.tiles)
            __syncthreads();
    }
#endif
}

/* Rows of a chunk, so that a warp's threads, each in a chunk of its own, do
 * not meet in a bank: an odd number of words or doubles apart. */
static int rows_at_most(int rows, int inner, int bytes)
{
    const int step = bytes == 2 && inner % 2 ? 2 : 1; /* two halves a word */
    while (rows > step && rows / step % 2 == 0)
        rows -= rows % step + step;
    return rows > step ? rows / step * step : rows;
}

static struct tiling tiling_of(const struct problem *p, int tile_bytes)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    const int in_lead = (int)((uintptr_t)p->in % 16 / bytes);
    struct tiling t = { .rows = p->shape.outer * p->shape.axis,
                        .axis = p->shape.axis,
                        .inner = (int)p->shape.inner };
    t.lead = p->mask ? (int)((uintptr_t)p->mask % kGrain) : in_lead;
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
    const struct tiling t = tiling_of(p, TileBytes);
    return kTicketBytes +
           tile_states_bytes(t.carries ? t.tiles : 0, t.inner, p->dtype);
}

template <int TileBytes, bool Ahead>
static int launch(const struct problem *p, void *stream)
{
    const struct tiling t = tiling_of(p, TileBytes);
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
    if (p->device && p->device->compute_capability >= 90 &&
        block_bytes<TileBytes>(p) > p->device->shared_optin_bytes)
        return "a tile does not fit into a block's shared memory";
    return bulk_lacking(p);
}

/* A thread adds up to 190 rows one after the other (halves, inner = 86): a
 * chain as long as many a line. */
#define POINT(suffix, kib, ahead)                                              \
    {                                                                          \
        .name = "row_tile_lookback" suffix,                                    \
        .idea = "a block a stretch of memory, whatever lines it holds",        \
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
