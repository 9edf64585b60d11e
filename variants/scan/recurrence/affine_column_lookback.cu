/* SPDX-License-Identifier: MIT
 *
 * Idea     A block per tile of some columns by many rows of both inputs, in
 *          shared memory. There each thread walks a part of one column twice:
 *          first for the map of its part, then, from the state before it, for
 *          the results. A tile of a cut line publishes the map of each column,
 *          and each column looks back for its own; tiles of `abreast` outer
 *          indices are interleaved, so that the one before is mostly done.
 *          Lines that are shorter than a tile are taken whole, several outer
 *          indices at a time. Where a row fits in a tile, a tile is one span of
 *          memory, at any pitch; else threads copy its rows.
 * Against  row_tile_lookback: a tile of few columns is the same there, with one
 *          input; but here wide rows are cut into strips. column_lookback: its
 *          tiles lie in registers, which two inputs would fill.
 * Traffic  3N elements, and a state per column and tile (passes = 1).
 * Needs    inner > 1.
 * Source   D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with
 *          Decoupled Look-back", NVR-2016-002.
 * Lesson   A state of 16 bytes is as much traffic as a row and a third: tiles
 *          need a hundred rows.
 */
#include "variants/common/look_back/column_carry.cuh"
#include "variants/common/look_back/tile_mover.cuh"
#include "variants/scan/columns/column_tiles.cuh"

constexpr int kThreads = 256;
constexpr int kStrip = 64;       /* columns of a tile, at most */
constexpr int kMostSharers = 16; /* threads that look back for a column */
constexpr unsigned kNeeds = NEEDS_TWO_INPUTS;

/* Tiles that each sharer reads at a time. */
__host__ __device__ constexpr int depth_of(int64_t acc_bytes)
{
    return acc_bytes > 8 ? 2 : 4;
}

/* `grid` counts strips across, chunks along a line, outer groups of `slabs`
 * outer indices, and `groups` threads that look back. */
struct column_tiling {
    struct grid_of_tiles grid;
    int64_t outer;
    int width;            /* columns of a tile */
    int slabs, rows;      /* per tile; rows per slab */
    int parts, part_rows; /* a slab's, one part per thread */
    bool flat;            /* a tile is one span of memory */
    bool wide[2];         /* rows of the input are copied in vectors */
    int lead[3];          /* from a boundary to in, in2, out */
};

struct column_tile {
    struct column_place place;
    int64_t slab, row, first; /* its first slab, row in that, element */
    int64_t column;           /* the first */
    int slabs, rows, width;

    template <bool Reverse>
    static __device__ __forceinline__ column_tile of(const column_tiling &t,
                                                     int64_t number)
    {
        column_tile s = { column_place(t.grid, number) };
        s.slab = s.place.o * t.slabs;
        s.row = (Reverse ? t.grid.chunks - 1 - s.place.step : s.place.step) *
                t.rows;
        s.column = s.place.strip * t.width;
        s.slabs = (int)min((int64_t)t.slabs, t.outer - s.slab);
        s.rows = (int)min((int64_t)t.rows, t.grid.axis - s.row);
        s.width = (int)min((int64_t)t.width, t.grid.inner - s.column);
        s.first = (s.slab * t.grid.axis + s.row) * t.grid.inner + s.column;
        return s;
    }
};

/* A thread's column, slab and part. */
struct column_thread {
    int column, slab, part;
    int slabs;    /* that the block takes at a time */
    int parts;    /* with rows */
    int rank;     /* the part's, in walk order */
    int64_t line; /* the column's, in the tile's first slab */
    bool exists;  /* there are rows and the column in the tile */

    template <bool Reverse>
    static __device__ __forceinline__ column_thread of(const column_tiling &t,
                                                       const column_tile &s)
    {
        const unsigned width = t.width;
        const int place = (int)(threadIdx.x / width);
        column_thread me;
        me.column = (int)(threadIdx.x % width);
        me.slab = place / t.parts;
        me.part = place % t.parts;
        me.slabs = (int)(kThreads / width) / t.parts;
        me.parts = (s.rows + t.part_rows - 1) / t.part_rows;
        me.rank = Reverse ? me.parts - 1 - me.part : me.part;
        me.line = s.slab * t.grid.inner + s.column + me.column;
        me.exists = me.slab < me.slabs && me.slab < s.slabs &&
                    me.part < me.parts && me.column < s.width;
        return me;
    }
};

/* A thread's rows of one slab, in walk order: indices in shared memory. */
struct column_walk {
    int at, step, count;
};

template <bool Reverse>
__device__ __forceinline__ column_walk walk_of(const column_tiling &t,
                                               const column_tile &s,
                                               const column_thread &me,
                                               int slab)
{
    const int row = me.part * t.part_rows;
    const int count = min(t.part_rows, s.rows - row);
    return { (slab * s.rows + row + (Reverse ? count - 1 : 0)) * t.width +
                 me.column,
             Reverse ? -t.width : t.width, count };
}

/* Calls visit(step) for the maps of a walk and, if Store, put(index, k, result)
 * for its results. Some rows are read before the first is stored, because loads
 * from shared memory are not moved ahead of a store to it. */
template <class Op, bool Store, int Batch, class T, class Visit, class Put>
__device__ __forceinline__ void walk_batch(const T *a, const T *b, int at,
                                           int step, int k, Visit visit,
                                           Put put)
{
    T x[Batch], y[Batch];
#pragma unroll
    for (int u = 0; u < Batch; ++u) {
        x[u] = a[at + u * step];
        y[u] = b[at + u * step];
    }
#pragma unroll
    for (int u = 0; u < Batch; ++u)
        x[u] = visit(Op::step(x[u], y[u]));
    if constexpr (Store)
#pragma unroll
        for (int u = 0; u < Batch; ++u)
            put(at + u * step, k + u, x[u]);
}
template <class Op, bool Store, class T, class Visit, class Put>
__device__ __forceinline__ void walk(const T *a, const T *b,
                                     const column_walk &w, Visit visit, Put put)
{
    constexpr int kBatch = 32 / (int)sizeof(acc_t<T>);
    int k = 0;
#pragma unroll 1
    for (; k + kBatch <= w.count; k += kBatch)
        walk_batch<Op, Store, kBatch>(a, b, w.at + k * w.step, w.step, k, visit,
                                      put);
#pragma unroll 1
    for (; k < w.count; ++k)
        walk_batch<Op, Store, 1>(a, b, w.at + k * w.step, w.step, k, visit,
                                 put);
}

/* ------------------------------------------------------------------- loads */

/* Copies the rows of a strip: vectors where they are, else single elements. */
template <class T>
__device__ __forceinline__ void copy_rows(const column_tiling &t,
                                          const column_tile &s, bool wide,
                                          const T *__restrict__ in, T *x)
{
    const int each = wide ? kVec<T> : 1, across = t.width / each;
    const int column = (int)threadIdx.x % across * each;
    const int rows = s.slabs * s.rows, abreast = kThreads / across;
    const int64_t pitch = t.grid.inner;
    if (column >= s.width || (int)threadIdx.x >= abreast * across)
        return;
    int row = (int)threadIdx.x / across;
    const T *from = in + s.first + row * pitch + column;
    if (wide) {
#pragma unroll 4
        for (; row < rows; row += abreast, from += abreast * pitch)
            async_copy_vector(x + row * t.width + column, from);
    } else if constexpr (sizeof(T) == 2) {
#pragma unroll 8
        for (; row < rows; row += abreast, from += abreast * pitch)
            x[row * t.width + column] = *from;
    } else {
#pragma unroll 4
        for (; row < rows; row += abreast, from += abreast * pitch)
            async_copy<sizeof(T)>(x + row * t.width + column, from, sizeof(T));
    }
}

/* The tile as a span of an array that begins `lead` elements after a
 * boundary. */
__device__ __forceinline__ struct span
span_in(const column_tiling &t, const column_tile &s, int lead, bool common)
{
    const struct alignment own = { lead, common };
    const int64_t end = s.first + (int64_t)s.slabs * s.rows * t.grid.inner;
    return span_of(s.first, end, align_down(s.first, own), own);
}

/* ------------------------------------------------------------------- spine */

/* The map of the parts before this thread's own; *mine, its own part's, becomes
 * that up to its last row. */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc
parts_before(const column_tiling &t, const column_thread &me,
             typename Op::acc *mine)
{
    __shared__ typename Op::acc maps[2][kThreads];
    const int back = Reverse ? t.width : -t.width;
    int buffer = 0;
    for (int far = 1;; far *= 2, buffer ^= 1) {
        maps[buffer][threadIdx.x] = *mine;
        __syncthreads();
        if (far >= t.parts)
            break;
        if (me.exists && me.rank >= far)
            *mine =
                Op::combine(maps[buffer][(int)threadIdx.x + far * back], *mine);
    }
    return me.exists && me.rank > 0 ? maps[buffer][(int)threadIdx.x + back]
                                    : Op::identity();
}

/* Publishes the map of a cut line's tile, and returns the state before it.
 * `start`: the line's initial one. */
template <class Op>
__device__ __forceinline__ acc_t<typename Op::element>
carry_column(const column_tiling &t, const column_tile &s,
             const column_thread &me, const typename Op::acc &upto,
             acc_t<typename Op::element> start, column_state<Op> *states)
{
    using Acc = typename Op::acc;
    const int64_t row = s.place.o * (t.grid.chunks - 1) + s.place.step;
    column_state<Op> *state =
        states + row * t.grid.inner + s.column + me.column;
    const bool publishes = me.exists && me.rank == me.parts - 1 &&
                           s.place.step + 1 < t.grid.chunks;
    const bool starts = s.place.step == 0;
    if (publishes && starts)
        publish(state, TILE_PREFIX, Acc{ 0, Op::apply(upto, start) });
    else if (publishes)
        publish(state, TILE_AGGREGATE, upto);
    if (starts)
        return start;
    const column_chain<column_state<Op>> chain = {
        .mine = state,
        .step = s.place.step,
        .stride = t.grid.inner,
        .groups = t.width,
        .group = me.column,
        .sharer = me.part,
        .sharers = min(t.grid.groups, me.parts),
        .exists = me.exists,
    };
    const auto carry = column_carry<Op, depth_of(sizeof(Acc))>(chain).b;
    if (publishes)
        publish(state, TILE_PREFIX, Acc{ 0, Op::apply(upto, carry) });
    return carry;
}

/* ------------------------------------------------------------------ phases */

/* Both inputs in shared memory: each one's room, and the tile's begin. */
template <class T>
struct both_inputs {
    T *room[2], *x[2];
};

/* load. Every thread calls it; a barrier follows. */
template <class T, class Mover>
__device__ __forceinline__ void
load_tile(const column_tiling &t, const column_tile &s, const T *const (&in)[2],
          both_inputs<T> &tile, Mover (&movers)[2])
{
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        tile.x[i] = tile.room[i];
        if (t.flat)
            tile.x[i] += (s.first + t.lead[i]) & (kAlignment - 1);
        if (!t.flat)
            copy_rows(t, s, t.wide[i], in[i], tile.room[i]);
        else if (!Mover::alone || threadIdx.x == 0)
            movers[i].start(span_in(t, s, t.lead[i], true));
    }
    if (!t.flat)
        async_wait();
    else
#pragma unroll
        for (int i = 0; i < 2; ++i)
            movers[i].land(span_in(t, s, t.lead[i], true));
}

/* upsweep: the map of a thread's part. */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc
map_part(const column_tiling &t, const column_tile &s, const column_thread &me,
         const both_inputs<typename Op::element> &tile)
{
    using T = typename Op::element;
    auto map = Op::identity();
    bool any = false;
    if (me.exists)
        walk<Op, false>(
            tile.x[0], tile.x[1], walk_of<Reverse>(t, s, me, me.slab),
            [&](const typename Op::acc &step) {
                map = any ? Op::combine(map, step) : step;
                any = true;
                return T();
            },
            [](int, int, T) {});
    return map;
}

/* downsweep of a part whose first state follows h: in place, or to the tensor
 * at once. */
template <class Op, bool Reverse>
__device__ __forceinline__ void
scan_part(const column_tiling &t, const column_tile &s, const column_thread &me,
          int slab, acc_t<typename Op::element> h,
          const both_inputs<typename Op::element> &tile,
          typename Op::element *out)
{
    using T = typename Op::element;
    const auto w = walk_of<Reverse>(t, s, me, slab);
    const auto visit = [&](const typename Op::acc &step) {
        h = Op::apply(step, h);
        return element_of<T>(h);
    };
    if (t.flat) {
        walk<Op, true>(tile.x[0], tile.x[1], w, visit,
                       [&](int at, int, T y) { tile.x[1][at] = y; });
        return;
    }
    const int64_t pitch = t.grid.inner, step = Reverse ? -pitch : pitch;
    T *to = out + s.first + w.at / t.width * pitch + me.column;
    walk<Op, true>(tile.x[0], tile.x[1], w, visit, [&](int, int k, T y) {
        write_first(to + k * step, vec<T, 1>{ y });
    });
}

/* ------------------------------------------------------------------ kernel */

template <class T, int Bytes>
constexpr int kRoom = Bytes / 2 / (int)sizeof(T) + 2 * kAlignment;

template <class T, class Scan, int Bytes, int Blocks>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, Blocks>)
    affine_column_lookback(const T *__restrict__ in, const T *__restrict__ in2,
                           const T *__restrict__ initial, T *__restrict__ out,
                           const struct column_tiling t,
                           unsigned long long *ticket,
                           column_state<op_of<Scan, T>> *states)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    using Mover = tile_mover<T, false, kThreads>;
    constexpr bool kReverse = Scan::reverse;
    extern __shared__ uint4 shared_tile[];
    __shared__ typename Mover::shared loaded[2];
    __shared__ int64_t shared_number;
    T *const x = (T *)shared_tile, *const y = x + kRoom<T, Bytes>;
    both_inputs<T> tile = { { x, y } };
    Mover movers[2] = { { in, NULL, { x, NULL }, &loaded[0], 0 },
                        { in2, NULL, { y, NULL }, &loaded[1], 0 } };
    const bool cut = t.grid.chunks > 1;
    if (threadIdx.x == 0) {
        movers[0].init();
        movers[1].init();
        early_wait();
    }
    for (int64_t n = blockIdx.x; n < t.grid.tiles; n += gridDim.x) {
        if (threadIdx.x == 0)
            shared_number = cut ? (int64_t)atomicAdd(ticket, 1ull) : n;
        __syncthreads();
        const auto s = column_tile::of<kReverse>(t, shared_number);
        const auto me = column_thread::of<kReverse>(t, s);
        load_tile(t, s, { in, in2 }, tile, movers);
        __syncthreads();

        const auto start_of = [&](int slab) -> acc_t<T> {
            const int64_t line = me.line + slab * t.grid.inner;
            return initial && me.exists ? value_of(initial[line]) : 0;
        };
        auto before = Op::identity(), upto = before;
        auto carry = start_of(me.slab);
        if (t.parts > 1 || cut) {
            upto = map_part<Op, kReverse>(t, s, me, tile);
            before = parts_before<Op, kReverse>(t, me, &upto);
        }
        if (cut)
            carry = carry_column<Op>(t, s, me, upto, carry, states);
        for (int slab = me.slab; me.exists && slab < s.slabs;
             slab += me.slabs) {
            const auto h = slab == me.slab ? carry : start_of(slab);
            scan_part<Op, kReverse>(
                t, s, me, slab, me.rank ? Op::apply(before, h) : h, tile, out);
        }
        if (t.flat)
            movers[1].store(span_in(t, s, t.lead[1], t.lead[1] == t.lead[2]), y,
                            out);
        movers[0].release();
        __syncthreads(); /* the tile may be overwritten */
    }
}

/* ------------------------------------------------------------------ host */

/* Columns of a tile: all, or strips of whole vectors that are about as wide as
 * each other. */
static int strip_width(int64_t inner)
{
    constexpr int kStep = 8;
    if (inner <= kStrip)
        return (int)inner;
    const int64_t each = ceil_div(inner, ceil_div(inner, kStrip));
    return (int)ceil_div(each, kStep) * kStep;
}

/* Rows of a part, at least `rows`: an odd number where a warp spans several
 * parts, for fewer bank conflicts. */
static int odd_rows(int rows, int width)
{
    return width < 32 && rows % 2 == 0 ? rows + 1 : rows;
}

template <int Bytes, int Blocks>
static struct column_tiling column_tiling_of(const struct problem *p)
{
    const int bytes = (int)dtype_bytes(p->dtype), vec = 16 / bytes;
    const int64_t axis = p->shape.axis, inner = p->shape.inner;
    const void *const arrays[3] = { p->in, p->in2, p->out };
    struct column_tiling t = { .outer = p->shape.outer, .slabs = 1 };
    t.width = strip_width(inner);
    t.flat = t.width == inner;
    for (int i = 0; i < 3; ++i)
        t.lead[i] = (int)((uintptr_t)arrays[i] % 16) / bytes;
    for (int i = 0; i < 2; ++i)
        t.wide[i] = t.lead[i] == 0 && inner % vec == 0;
    const int most = Bytes / 2 / bytes / t.width; /* rows of a tile */
    const int threads = kThreads / t.width;       /* per column */
    int64_t chunks = 1;
    if (axis <= most) {
        t.rows = (int)axis;
        t.slabs = (int)(most / axis < t.outer ? most / axis : t.outer);
        t.parts = threads / t.slabs > 1 ? threads / t.slabs : 1;
    } else {
        chunks = ceil_div(axis, most);
        t.rows = (int)ceil_div(axis, chunks);
        t.parts = threads;
    }
    t.part_rows = odd_rows((int)ceil_div(t.rows, t.parts), t.width);
    t.parts = (int)ceil_div(t.rows, t.part_rows);
    struct grid_of_tiles *g = &t.grid;
    *g = { .chunks = chunks,
           .strips = ceil_div(inner, t.width),
           .outer = ceil_div(t.outer, t.slabs),
           .axis = axis,
           .inner = inner };
    g->tiles = g->outer * g->chunks * g->strips;
    const int64_t wide =
        p->device ? ceil_div(Blocks * p->device->sm_count, g->strips) : 1;
    interleave(g, wide);
    const int64_t deep = ceil_div(wide, g->abreast);
    const int depth = depth_of(acc_bytes(p));
    const int sharers = t.parts < kMostSharers ? t.parts : kMostSharers;
    g->groups = (int)(deep < depth * sharers ? ceil_div(deep, depth) : sharers);
    return t;
}

static size_t workspace_of(const struct problem *p,
                           const struct column_tiling &t)
{
    const int64_t states = (t.grid.chunks - 1) * t.grid.outer * t.grid.inner;
    return bytes_for(p, [&]<class Op>(Op) { return column_bytes<Op>(states); });
}

template <int Bytes, int Blocks>
static size_t workspace_bytes(const struct problem *p)
{
    return workspace_of(p, column_tiling_of<Bytes, Blocks>(p));
}

template <int Bytes, int Blocks>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            constexpr int kShared = 2 * kRoom<T, Bytes> * (int)sizeof(T);
            const auto kernel = affine_column_lookback<T, Scan, Bytes, Blocks>;
            const auto t = column_tiling_of<Bytes, Blocks>(p);
            return launch_tiles(p, t.grid.chunks > 1 ? workspace_of(p, t) : 0,
                                kernel, t.grid.tiles, kThreads, kShared, stream,
                                p->in, p->in2, p->initial, p->out, t);
        });
}

template <int Bytes>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner == 1)
        return "serves strided lines only (inner > 1); contiguous ones have "
               "affine_spans";
    constexpr int64_t kArrays = 13 << 10; /* the spine's, for doubles */
    return tile_refuses(p, Bytes + 4 * kAlignment * 8 + kArrays);
}

/* Adds fewer than 80 rows one after another. error_tile: fewer rows than any
 * tile's. */
#define POINT(suffix, kib, blocks)                                             \
    {                                                                          \
        .name = "affine_column_lookback_" #suffix,                             \
        .idea = "a block per tile of columns by rows, each column looks back", \
        ON_CUDA(scans<kNeeds>(), 1), ERROR_OF_TILES(16),                       \
        .refuses = refuses<(kib) << 10>,                                       \
        .workspace_bytes = workspace_bytes<(kib) << 10, blocks>,               \
        .launch = launch<(kib) << 10, blocks>                                  \
    }

VARIANTS(scan__affine_column_lookback) = {
    POINT(k64, 64, 3),
#if OLDEST_ARCH < 800
    POINT(k32, 32, 3),
#endif
    {},
};
