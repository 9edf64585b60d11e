/* SPDX-License-Identifier: MIT
 *
 * Idea     Contiguous lines of any length are one span of memory, cut into
 *          tiles of equal size, of both inputs side by side in shared memory.
 *          The maps of a tile's elements are combined in rows of 32 vectors, as
 *          a segmented scan. Where a line starts, its first state is known, so
 *          a tile with a start publishes a state at once, and the look-back of
 *          later tiles ends there. Where whole lines fill a tile, nothing looks
 *          back.
 * Against  decoupled_lookback: its tiles end where a line ends, and its carry
 *          is a sum. Here it is a map: two words and a flag, published in one
 *          access of 16 bytes; windows are combined in order.
 * Traffic  3N elements, and a state per tile (passes = 1).
 * Needs    inner = 1. Inputs and output have any alignment, each its own: a
 *          vector that is not aligned is cut from two.
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002; recurrences by
 *          scans of maps: G. Blelloch, "Prefix Sums and Their Applications",
 *          CMU-CS-90-190.
 * Lesson   A recurrence costs two inputs and a shuffle more than a sum: the
 *          memory still sets the time, and tiles are half as long, so that
 *          twice as many states are on their way.
 */
#include "variants/common/access/realigned_rows.cuh"
#include "variants/common/look_back/look_back.cuh"
#include "variants/common/look_back/tile_mover.cuh"
#include "variants/scan/recurrence/affine_steps.cuh"

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kNeeds = NEEDS_TWO_INPUTS;

struct span_tiling {
    int64_t elems, axis, tiles;
    int tile;       /* elements from a tile to the next: boundaries of out */
    int lead;       /* from a boundary of out to the first element */
    int shift[2];   /* from a boundary of an input to a tile, in elements */
    int period;     /* axis, or kFar */
    unsigned every; /* bit k: a line starts at k, if one does at 0 */
    bool carries;
};

/* Distances beyond any tile. */
constexpr int kFar = 1 << 30;

/* A tile. `until`: elements in walk order from its beginning to the next start
 * of a line. */
struct span_tile {
    int64_t number, first, begin, end; /* begin, end: of the tensor, in it */
    int until;
};

template <bool Reverse, int Tile>
__device__ __forceinline__ struct span_tile
span_tile_of(const struct span_tiling &t, int64_t number)
{
    struct span_tile s = { .number = number };
    s.first = (Reverse ? t.tiles - 1 - number : number) * t.tile - t.lead;
    s.begin = max(s.first, (int64_t)0);
    s.end = min(s.first + t.tile, t.elems);
    /* Before the tensor lies the end of another line. */
    const int64_t before = s.first < 0 ? (-s.first + t.axis - 1) / t.axis : 0;
    const int64_t past =
        (s.first + (Reverse ? Tile : 0) + before * t.axis) % t.axis;
    const int64_t until = Reverse || past == 0 ? past : t.axis - past;
    s.until = (int)min(until, (int64_t)kFar);
    return s;
}

/* Vectors of an input in shared memory, whose tile begins at x. */
template <class T>
struct tile_input {
    const T *x;
    int off; /* elements from a boundary to a vector */

    __device__ __forceinline__ vec<T> read(int at) const
    {
        const uint4 *from = (const uint4 *)(x + at - off);
        uint4 words = from[0];
        if (off)
            words = joined<T>(words, from[1], off);
        return __builtin_bit_cast(vec<T>, words);
    }
};

/* The initial state of the line that starts with element e, which may lie
 * outside of the tensor. Out of line, since it divides, and is rare. */
template <class T>
__device__ __noinline__ acc_t<T> start_of(const T *initial, int64_t e,
                                          int64_t elems, int64_t axis)
{
    return e >= 0 && e < elems ? value_of(initial[e / axis]) : 0;
}

/* A lane's vectors: number k in walk order begins at at(k) in the tile. */
template <class Op, bool Reverse, int Vecs>
struct span_lane {
    using T = typename Op::element;
    using Acc = typename Op::acc;
    static constexpr int V = kVec<T>, kRow = 32 * V;
    static constexpr int kTile = kThreads * Vecs * V;

    const struct span_tiling &t;
    const T *initial;
    tile_input<T> a, b;
    int64_t first;
    int next, turn; /* elements to the next start, and of a row from start to
                       start */

    __device__ __forceinline__ int at(int k) const
    {
        return (int)(threadIdx.x / 32 * Vecs + (Reverse ? Vecs - 1 - k : k)) *
                   kRow +
               (int)(threadIdx.x % 32) * V;
    }
    __device__ __forceinline__ void begin(const struct span_tile &s)
    {
        first = s.first;
        const int past = Reverse ? kTile - V - at(0) : at(0);
        next = past <= s.until
                   ? s.until - past
                   : t.period - 1 -
                         (int)((unsigned)(past - s.until - 1) % t.period);
        turn = t.period > kRow ? kRow : kRow % t.period;
    }
    /* Bit k: a line starts at element k of the vector, in walk order. Then
     * moves on to the next vector. */
    __device__ __forceinline__ unsigned starts(void)
    {
        const unsigned bits =
            __funnelshift_lc(0, t.every, next) & ((1u << V) - 1);
        next -= turn;
        next = next < 0 ? next + t.period : next;
        return bits;
    }
    __device__ __forceinline__ vec_steps<Op, Reverse> steps(int k) const
    {
        return { a.read(at(k)), b.read(at(k)) };
    }
    /* The state before element k of vector j, which starts a line. */
    __device__ __forceinline__ acc_t<T> start(int j, int k) const
    {
        const int64_t e = first + at(j) + (Reverse ? V - 1 - k : k);
        return initial ? start_of(initial, e, t.elems, t.axis) : 0;
    }
    /* The map of vector j since the last start in it. One branch for most. */
    __device__ __forceinline__ Acc map_of(int j, unsigned starts) const
    {
        const auto step = steps(j);
        Acc map = step(0);
        if (starts & 1)
            map = { 0, Op::apply(map, start(j, 0)) };
        if (starts >> 1) {
#pragma unroll
            for (int k = 1; k < V; ++k)
                if (starts >> k & 1)
                    map = { 0, Op::apply(step(k), start(j, k)) };
                else
                    map = Op::combine(map, step(k));
            return map;
        }
#pragma unroll
        for (int k = 1; k < V; ++k)
            map = Op::combine(map, step(k));
        return map;
    }
};

/* A warp's upsweep. before[j]: the map before vector j, since the last start or
 * the warp's first. */
template <class Acc, int Vecs>
struct upswept {
    Acc before[Vecs], total;
    unsigned open; /* bit j: no line starts before vector j in the warp */
    bool started;
};

template <class Op, bool Reverse, int Vecs>
__device__ __forceinline__ void upsweep(span_lane<Op, Reverse, Vecs> lanes,
                                        upswept<typename Op::acc, Vecs> &up)
{
    const int lane = threadIdx.x % 32, rank = Reverse ? 31 - lane : lane;
    const unsigned earlier = Reverse ? ~1u << lane : (1u << lane) - 1;
    up.open = 0;
    up.started = false;
    up.total = Op::identity();
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const unsigned starts = lanes.starts();
        const unsigned heads = __ballot_sync(kWholeWarp, starts != 0);
        auto map = since_head<Op, Reverse>(lanes.map_of(j, starts), heads);
        if (j > 0 && (heads & (earlier | 1u << lane)) == 0)
            map = Op::combine(up.total, map);
        const auto other = shuffle_earlier<Reverse>(map, 1);
        up.before[j] = rank ? other : up.total;
        up.open |= (unsigned)(!up.started && (heads & earlier) == 0) << j;
        up.started = up.started || heads;
        up.total = shuffle_from(map, Reverse ? 0 : 31);
    }
}

/* Results of the block's warps, and the state before the tile. */
template <class Acc, class H>
struct span_shared {
    Acc totals[kWarps];
    bool started[kWarps];
    H carry;
};

/* spine: the state before this warp's first vector. */
template <class Op, bool Reverse>
__device__ __forceinline__ acc_t<typename Op::element>
spine(const struct span_tiling &t, const struct span_tile &s,
      const typename Op::acc &total, bool started,
      span_shared<typename Op::acc, acc_t<typename Op::element>> &shared,
      tile_state<typename Op::acc> *states)
{
    using Acc = typename Op::acc;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int rank = Reverse ? kWarps - 1 - warp : warp;
    if (lane == 0) {
        shared.totals[rank] = total;
        shared.started[rank] = started;
    }
    __syncthreads();
    const unsigned heads = __ballot_sync(
        kWholeWarp, lane < kWarps && shared.started[lane % kWarps]);
    const Acc upto = since_head<Op, false>(shared.totals[lane % kWarps], heads);
    const Acc all = shuffle_from(upto, kWarps - 1);
    const Acc before = shuffle_from(upto, rank ? rank - 1 : 0);
    if (warp == 0) {
        tile_state<Acc> *state = states + s.number * kStateStride<Acc>;
        const bool publishes = lane == 0 && t.carries && s.number + 1 < t.tiles;
        if (publishes)
            publish(state, heads ? TILE_PREFIX : TILE_AGGREGATE, all);
        auto carry = acc_t<typename Op::element>(0);
        if (t.carries && s.until != 0)
            carry = look_back<Op>(state, s.number).b;
        if (publishes && !heads)
            publish(state, TILE_PREFIX, Acc{ 0, Op::apply(all, carry) });
        if (lane == 0)
            shared.carry = carry;
    }
    __syncthreads();
    if (rank == 0)
        return shared.carry;
    return heads & ((1u << rank) - 1) ? before.b
                                      : Op::apply(before, shared.carry);
}

/* Stores the part of a vector that is in the tile. */
template <class T>
__device__ __forceinline__ void store_inside(const struct span_tile &s, T *out,
                                             int64_t e, const vec<T> &y)
{
    if (e >= s.begin && e + kVec<T> <= s.end) {
        write_first(out + e, y);
        return;
    }
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (e + k >= s.begin && e + k < s.end)
            out[e + k] = y.item[k];
}

template <class Op, bool Reverse, int Vecs>
__device__ __forceinline__ void
downsweep(span_lane<Op, Reverse, Vecs> lanes,
          const upswept<typename Op::acc, Vecs> &up,
          acc_t<typename Op::element> carry, const struct span_tile &s,
          typename Op::element *out)
{
    using T = typename Op::element;
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const unsigned starts = lanes.starts();
        const auto step = lanes.steps(j);
        auto h =
            up.open >> j & 1 ? Op::apply(up.before[j], carry) : up.before[j].b;
        vec<T> y;
        const auto scan = [&](auto behind_first) {
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k) {
                if ((k == 0 || behind_first.value) && starts >> k & 1)
                    h = lanes.start(j, k);
                h = Op::apply(step(k), h);
                y.item[Reverse ? kVec<T> - 1 - k : k] = element_of<T>(h);
            }
        };
        if (starts >> 1)
            scan(std::true_type{});
        else
            scan(std::false_type{});
        store_inside(s, out, s.first + lanes.at(j), y);
    }
}

/* Elements of an input in shared memory: a tile from any place between two
 * boundaries on, and a vector that is read with its last. */
template <class T, int Vecs>
constexpr int kRoom = kThreads *Vecs *kVec<T> + 2 * kAlignment;
template <class T, int Vecs>
constexpr int kBytes = 2 * kRoom<T, Vecs> *(int)sizeof(T);

template <class T, class Scan, int Vecs, int Blocks>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, Blocks>)
    affine_spans(const T *__restrict__ in, const T *__restrict__ in2,
                 const T *__restrict__ initial, T *__restrict__ out,
                 const struct span_tiling t, unsigned long long *ticket,
                 tile_state<acc_of<Scan, T>> *states)
{
    TAG(fast);
    TAG(doubles, sizeof(T) == 8);
    using Op = op_of<Scan, T>;
    using Mover = tile_mover<T, false, kThreads>;
    using Lanes = span_lane<Op, Scan::reverse, Vecs>;
    extern __shared__ uint4 shared_tile[];
    __shared__ span_shared<acc_of<Scan, T>, acc_t<T>> shared;
    __shared__ typename Mover::shared loaded[2];
    __shared__ struct span_tile place;
    T *const x = (T *)shared_tile, *const y = x + kRoom<T, Vecs>;
    Mover movers[2] = { { in, NULL, { x, NULL }, &loaded[0], 0 },
                        { in2, NULL, { y, NULL }, &loaded[1], 0 } };
    Lanes lanes = { t, initial };
    lanes.a = { x + t.shift[0], t.shift[0] % kVec<T> };
    lanes.b = { y + t.shift[1], t.shift[1] % kVec<T> };
    if (threadIdx.x == 0) {
        movers[0].init();
        movers[1].init();
        early_wait();
    }
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        /* load */
        if (threadIdx.x == 0)
            place = span_tile_of<Scan::reverse, Lanes::kTile>(
                t, t.carries ? (int64_t)atomicAdd(ticket, 1ull) : n);
        __syncthreads();
        const struct span_tile s = place;
        const auto span_in = [&](int i) {
            const int64_t origin = s.first - t.shift[i];
            const struct alignment own = { (int)(-origin & (kAlignment - 1)),
                                           true };
            return span_of(s.begin, s.end, origin, own);
        };
#pragma unroll
        for (int i = 0; i < 2; ++i)
            if (!Mover::alone || threadIdx.x == 0)
                movers[i].start(span_in(i));
#pragma unroll
        for (int i = 0; i < 2; ++i)
            movers[i].land(span_in(i));
        __syncthreads();

        upswept<acc_of<Scan, T>, Vecs> up;
        lanes.begin(s);
        upsweep(lanes, up);
        const auto carry = spine<Op, Scan::reverse>(t, s, up.total, up.started,
                                                    shared, states);
        downsweep(lanes, up, carry, s, out);
        movers[0].release();
        __syncthreads(); /* the tile may be overwritten */
    }
}

/* ------------------------------------------------------------------ host */

/* Elements from a 16-byte boundary to a pointer. */
static int lead_of(const void *p, int bytes)
{
    return (int)((uintptr_t)p % 16) / bytes;
}

static struct span_tiling span_tiling_of(const struct problem *p, int vecs)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    struct span_tiling t = { .elems = shape_elems(p->shape),
                             .axis = p->shape.axis,
                             .tile = kThreads * vecs * (16 / bytes),
                             .lead = lead_of(p->out, bytes),
                             .carries = true };
    t.period = t.axis < kFar ? (int)t.axis : kFar;
    t.shift[0] = (lead_of(p->in, bytes) - t.lead) & (kAlignment - 1);
    t.shift[1] = (lead_of(p->in2, bytes) - t.lead) & (kAlignment - 1);
    for (int k = 0; k < 32; k += t.period)
        t.every |= 1u << k;
    /* Whole lines, unless they leave a quarter of the tile empty. */
    const int whole = t.axis <= t.tile ? t.tile / t.period * t.period : 0;
    if (t.lead == 0 && whole % kAlignment == 0 && whole >= t.tile / 4 * 3) {
        t.tile = whole;
        t.carries = false;
    }
    t.tiles = ceil_div(t.elems + t.lead, t.tile);
    return t;
}

/* Enough for any pointers, which may be NULL here. */
template <int Vecs>
static size_t workspace_bytes(const struct problem *p)
{
    const int64_t tile = kThreads * Vecs * (16 / dtype_bytes(p->dtype));
    const int64_t most = shape_elems(p->shape) + kAlignment - 1;
    return kTicketBytes + tile_states_bytes(p, ceil_div(most, tile), 1);
}

template <int Vecs, int Blocks>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const auto kernel = affine_spans<T, Scan, Vecs, Blocks>;
            const struct span_tiling t = span_tiling_of(p, Vecs);
            const size_t cleared =
                t.carries ? kTicketBytes + tile_states_bytes(p, t.tiles, 1) : 0;
            return launch_tiles(p, cleared, kernel, t.tiles, kThreads,
                                kBytes<T, Vecs>, stream, p->in, p->in2,
                                p->initial, p->out, t);
        });
}

template <int Vecs>
static const char *refuses(const struct problem *p)
{
    const char *reason = contiguous_only(p);
    return reason ? reason : tile_refuses(p, kBytes<double, Vecs>);
}

/* error_tile: the shortest tile, one of doubles. */
#define POINT(suffix, vecs, blocks)                                            \
    {                                                                          \
        .name = "affine_spans_" #suffix,                                       \
        .idea = "a block per span of both inputs, whatever lines it holds",    \
        ON_CUDA(scans<kNeeds>(), 1), ERROR_OF_TILES(2 * kThreads * (vecs)),    \
        .refuses = refuses<vecs>, .workspace_bytes = workspace_bytes<vecs>,    \
        .launch = launch<vecs, blocks>                                         \
    }

VARIANTS(scan__affine_spans) = {
    POINT(k72, 9, 3),
    POINT(k40, 5, 4),
    {},
};
