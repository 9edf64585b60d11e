/* SPDX-License-Identifier: MIT
 *
 * Idea     A strided tensor is contiguous slabs, one of axis * inner elements
 *          per outer index, and a slab is rows of `inner` elements, wherever
 *          16-byte vectors begin. A tile is one span of memory: whole slabs
 *          where they fit, else some rows of one. It is copied to shared memory
 *          and back unchanged (by bulk copies, from compute capability 9.0 on).
 *          There each thread walks two columns along a part of the axis; with
 *          halves these are one word, except in every second row of an odd
 *          pitch. No part crosses a line's start, so rows need no test for it.
 *          The lengths of parts and the padding between slabs minimise bank
 *          conflicts. Only tiles of a cut slab look back; all threads of a
 *          column share the look-back.
 * Against  row_tile_lookback: its threads walk single elements, count the rows
 *          to the next line's start, and look back over a few tiles at a time,
 *          fewer than arrive meanwhile.
 * Traffic  2N elements, and a word per column and tile where slabs are cut
 *          (passes = 1).
 * Needs    inner of 2 to 256.
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 * Lesson   Half precision is bound by instructions, which two columns per
 *          thread halve. A look-back must cover the tiles that arrive during
 *          its round trip.
 */
#include "variants/common/access/bank_conflicts.cuh"
#include "variants/common/look_back/staggered_start.cuh"
#include "variants/common/look_back/tile_mover.cuh"
#include "variants/common/look_back/column_carry.cuh"

/* Other families are as fast with operators other than addition on longer
 * elements. */
constexpr unsigned kNeeds = NEEDS_TWO_BYTES;

constexpr int kPair = 2;         /* columns per thread */
constexpr int kMostSharers = 16; /* threads that look back for a column */

/* Tiles that each sharer reads at a time. */
__host__ __device__ constexpr int tiles_at_once(int64_t acc_bytes)
{
    return acc_bytes >= 8 ? 2 : 4;
}

struct slab_tiling {
    int64_t outer, axis;
    int64_t tiles, line_tiles; /* in all; of a slab, 1 if it is not cut */
    int64_t abreast;           /* slabs whose tiles are interleaved */
    int slabs, rows;           /* per tile; `rows` per slab */
    int inner, groups;         /* elements and threads of a row */
    int apart;                 /* elements between a thread's two columns */
    int parts, part_rows;      /* a tile's, one part per thread */
    int bunch, pad;            /* slabs between two pads, elements of a pad */
    int room;                  /* elements in shared memory, a multiple of 16 */
    int stride;                /* states of a tile */
    int sharers;               /* threads that look back for each column */
    struct alignment alignment;
};

/* ------------------------------------------------------------- two columns */

/* Rows of two columns in shared memory, in walk order. */
struct pair_walk {
    int at, step, rows; /* the first element, distance of rows, rows */
    int apart;          /* distance to the other column */
    bool both;          /* else the other column is the first, not written */
};

/* Reads two elements, masked off as the identity. Word: they are halves that
 * fill an aligned word. */
template <class Op, bool Word, bool Masked, class T>
__device__ __forceinline__ void
read_pair(const T *x, const uint8_t *m, int apart, typename Op::acc (&v)[kPair])
{
    if constexpr (Word) {
        const auto pair = read_vec<vec<T, kPair>>(x);
        v[0] = Op::lift(pair.item[0]);
        v[1] = Op::lift(pair.item[1]);
    } else {
        v[0] = Op::lift(x[0]);
        v[1] = Op::lift(x[apart]);
    }
    if constexpr (Masked) {
        v[0] = m[0] ? v[0] : Op::identity();
        v[1] = m[apart] ? v[1] : Op::identity();
    }
}

template <class Op, bool Word, class T>
__device__ __forceinline__ void write_pair(T *x, int apart, bool both,
                                           const typename Op::acc (&v)[kPair])
{
    if constexpr (Word) {
        using Bits = words_t<vec<T, kPair>>;
        const vec<T, kPair> pair = { Op::lower(v[0]), Op::lower(v[1]) };
        *reinterpret_cast<Bits *>(x) = __builtin_bit_cast(Bits, pair);
    } else {
        x[0] = Op::lower(v[0]);
        if (both)
            x[is_half<T> ? 1 : apart] = Op::lower(v[1]);
    }
}

/* Rows that a thread reads before it writes the first, because loads from
 * shared memory are not moved ahead of a store to it. */
template <class Acc>
constexpr int kBatch = 32 / (int)sizeof(Acc);

/* Calls visit(values) for the next rows, kBatch of them if All, and stores the
 * values that it leaves, if Store. */
template <class Op, bool Words, bool All, bool Masked, bool Store, class T,
          class Visit>
__device__ __forceinline__ void walk_batch(T *x, const uint8_t *m,
                                           const pair_walk &w, Visit visit)
{
    constexpr int kRows = kBatch<typename Op::acc>;
    typename Op::acc v[kRows][kPair];
#pragma unroll
    for (int k = 0; k < kRows; ++k)
        if (All || k < w.rows)
            read_pair<Op, Words, Masked>(x + (w.at + k * w.step),
                                         m + (w.at + k * w.step), w.apart,
                                         v[k]);
#pragma unroll
    for (int k = 0; k < kRows; ++k)
        if (All || k < w.rows)
            visit(v[k]);
    if constexpr (Store)
#pragma unroll
        for (int k = 0; k < kRows; ++k)
            if (All || k < w.rows)
                write_pair<Op, Words>(x + (w.at + k * w.step), w.apart, w.both,
                                      v[k]);
}

template <class Op, bool Words, bool Masked, bool Store, class T, class Visit>
__device__ __forceinline__ void walk_rows(T *x, const uint8_t *m, pair_walk w,
                                          Visit visit)
{
    constexpr int kRows = kBatch<typename Op::acc>;
#pragma unroll 1
    for (; w.rows >= kRows; w.rows -= kRows, w.at += kRows * w.step)
        walk_batch<Op, Words, true, Masked, Store>(x, m, w, visit);
    if (w.rows > 0)
        walk_batch<Op, Words, false, Masked, Store>(x, m, w, visit);
}

/* Calls visit(values) for all rows of a walk. Pairs of halves are words if the
 * pitch is even and the first pair is aligned. */
template <class Op, bool Masked, bool Store, class T, class Visit>
__device__ __forceinline__ void walk(T *x, const uint8_t *m, const pair_walk &w,
                                     Visit visit)
{
    if constexpr (is_half<T>)
        if (w.step % 2 == 0 && w.at % 2 == 0) {
            walk_rows<Op, true, Masked, Store>(x, m, w, visit);
            return;
        }
    walk_rows<Op, false, Masked, Store>(x, m, w, visit);
}

/* ----------------------------------------------------------------- a tile */

struct slab_tile {
    int64_t begin, end; /* elements of the tensor */
    int64_t slab;       /* the first */
    int64_t step;       /* number of the tile in its slab, in walk order */
    int slabs, rows;
};

/* The tile of a ticket; the tiles of `abreast` slabs are interleaved. */
template <bool Reverse>
__device__ __forceinline__ struct slab_tile slab_tile_of(const slab_tiling &t,
                                                         int64_t number)
{
    struct slab_tile tile = { .step = 0, .slabs = 1, .rows = t.rows };
    int64_t row = 0;
    if (t.line_tiles == 1) {
        tile.slab = number * t.slabs;
        tile.slabs = (int)min((int64_t)t.slabs, t.outer - tile.slab);
    } else {
        const int64_t first =
            divide(number, t.abreast * t.line_tiles) * t.abreast;
        const int64_t abreast = min(t.abreast, t.outer - first);
        const int64_t later = number - first * t.line_tiles;
        tile.step = divide(later, abreast);
        tile.slab = first + later - tile.step * abreast;
        row = (Reverse ? t.line_tiles - 1 - tile.step : tile.step) * t.rows;
        tile.rows = (int)min((int64_t)t.rows, t.axis - row);
    }
    tile.begin = (tile.slab * t.axis + row) * t.inner;
    tile.end = tile.begin + (int64_t)tile.slabs * tile.rows * t.inner;
    return tile;
}

/* The place of a tile's slab in shared memory, relative to the first slab. */
__device__ __forceinline__ int slab_place(const slab_tiling &t, int slab)
{
    const int elems = t.rows * t.inner;
    return t.pad ? slab * elems + slab / t.bunch * t.pad : slab * elems;
}

__device__ __forceinline__ struct span span_in_tile(const slab_tiling &t,
                                                    const slab_tile &tile)
{
    return span_of(tile.begin, tile.end, align_down(tile.begin, t.alignment),
                   t.alignment);
}

/* Calls visit(first, elems, place) for the bunches of a padded tile, which
 * begin and end at boundaries of bulk copies. One warp calls it. */
template <class Visit>
__device__ __forceinline__ void
visit_bunches(const slab_tiling &t, const slab_tile &tile, Visit visit)
{
    const int elems = t.rows * t.inner;
    for (int slab = (int)threadIdx.x * t.bunch; slab < tile.slabs;
         slab += 32 * t.bunch) {
        const int slabs = min(t.bunch, tile.slabs - slab);
        visit(tile.begin + slab * elems, slabs * elems, slab_place(t, slab));
    }
}

/* load of a padded tile, called by the first warp. */
template <bool Masked, class T, class Mover>
__device__ __forceinline__ void
load_bunches(const slab_tiling &t, const slab_tile &tile, const Mover &mover)
{
    if (threadIdx.x == 0)
        bulk_expect(mover.loaded, (unsigned)(tile.end - tile.begin) *
                                      (unsigned)(sizeof(T) + Masked));
    __syncwarp();
    const uint64_t policy = evict_last_policy();
    visit_bunches(t, tile, [&](int64_t from, int elems, int place) {
        bulk_load_kept(mover.to.x + place, mover.in + from,
                       elems * (unsigned)sizeof(T), mover.loaded, policy);
        if (Masked)
            bulk_load_kept(mover.to.mask + place, mover.in_mask + from,
                           (unsigned)elems, mover.loaded, policy);
    });
}

/* Starts the tile's loads. `tile` was written by thread 0; on return all
 * threads may read it. */
template <bool Masked, class T, class Mover>
__device__ __forceinline__ void start_load(const slab_tiling &t,
                                           const slab_tile &tile, Mover &mover)
{
    if constexpr (Mover::alone) {
        if (threadIdx.x < 32) {
            __syncwarp();
            if (t.pad)
                load_bunches<Masked, T>(t, tile, mover);
            else if (threadIdx.x == 0)
                mover.start(span_in_tile(t, tile));
        }
        __syncthreads();
    } else {
        __syncthreads();
        mover.start(span_in_tile(t, tile));
    }
}

template <class Mover>
__device__ __forceinline__ void finish_load(const slab_tiling &t,
                                            const slab_tile &tile, Mover &mover)
{
    if constexpr (Mover::alone)
        if (t.pad) {
            bulk_wait(mover.loaded, mover.parity);
            mover.parity ^= 1;
            return;
        }
    mover.land(span_in_tile(t, tile));
    __syncthreads();
}

template <class T, class Mover>
__device__ __forceinline__ void
store(const slab_tiling &t, const slab_tile &tile, T *out, Mover &mover)
{
    if constexpr (Mover::alone)
        if (t.pad) {
            bulk_fence();
            __syncthreads();
            if (threadIdx.x >= 32)
                return;
            const uint64_t policy = evict_first_policy();
            visit_bunches(t, tile, [&](int64_t to, int elems, int place) {
                bulk_store_first(out + to, mover.to.x + place,
                                 elems * (unsigned)sizeof(T), policy);
            });
            bulk_commit();
            bulk_wait_read();
            return;
        }
    mover.store(span_in_tile(t, tile), mover.to.x, out);
}

/* -------------------------------------------------------- a thread's part */

/* A thread's columns, its slab, and its part of the slab's rows. */
struct slab_thread {
    int group, slab, part;
    bool exists; /* all threads of its slab are within the block */

    __device__ __forceinline__ slab_thread(const slab_tiling &t)
    {
        const int place = (int)threadIdx.x / t.groups;
        group = (int)threadIdx.x - place * t.groups;
        slab = place / t.parts;
        part = place - slab * t.parts;
        exists = slab < t.slabs &&
                 (slab + 1) * t.parts * t.groups <= (int)blockDim.x;
    }
    __device__ __forceinline__ int column(const slab_tiling &t) const
    {
        return t.apart == 1 ? group * kPair : group;
    }
};

template <bool Reverse>
__device__ __forceinline__ pair_walk walk_of(const slab_tiling &t,
                                             const slab_tile &tile,
                                             const slab_thread &thread,
                                             int slab)
{
    const int row = thread.part * t.part_rows;
    const int left = tile.rows - row;
    const int column = thread.column(t);
    pair_walk w;
    w.rows = !thread.exists || slab >= tile.slabs || left <= 0 ? 0
             : left < t.part_rows                              ? left
                                                               : t.part_rows;
    w.step = Reverse ? -t.inner : t.inner;
    w.both = column + t.apart < t.inner;
    w.apart = w.both ? t.apart : 0;
    w.at = (int)(tile.begin - align_down(tile.begin, t.alignment)) +
           slab_place(t, slab) + column +
           (Reverse ? row + w.rows - 1 : row) * t.inner;
    return w;
}

/* spine in the tile: the sums of a thread's columns over the parts before its
 * own; `mine`, its own part's sums, become the inclusive ones. */
template <class Op, bool Reverse, int Threads>
__device__ __forceinline__ void
parts_before(const slab_tiling &t, const slab_thread &thread,
             typename Op::acc (&mine)[kPair], typename Op::acc (&before)[kPair])
{
    __shared__ typename Op::acc sums[2][kPair][Threads];
    const int rank = Reverse ? t.parts - 1 - thread.part : thread.part;
    const int back = Reverse ? t.groups : -t.groups;
    int buffer = 0;
    for (int step = 1;; step *= 2, buffer ^= 1) {
#pragma unroll
        for (int c = 0; c < kPair; ++c)
            sums[buffer][c][threadIdx.x] = mine[c];
        __syncthreads();
        if (step >= t.parts)
            break;
        if (thread.exists && rank >= step)
#pragma unroll
            for (int c = 0; c < kPair; ++c)
                mine[c] = Op::combine(
                    sums[buffer][c][(int)threadIdx.x + step * back], mine[c]);
    }
#pragma unroll
    for (int c = 0; c < kPair; ++c)
        before[c] = thread.exists && rank > 0
                        ? sums[buffer][c][(int)threadIdx.x + back]
                        : Op::identity();
}

/* ------------------------------------------------------------ the look-back */

/* spine over the tiles of a slab: publishes this tile's sum of every column,
 * and combines `before` with the carry-in. `mine` is the sum up to this
 * thread's last row. */
template <class Scan, class Op, int Threads>
__device__ __forceinline__ void
carry_tile(const slab_tiling &t, const slab_tile &tile,
           const slab_thread &thread, bool both,
           const typename Op::acc (&mine)[kPair],
           typename Op::acc (&before)[kPair], column_state<Op> *states)
{
    using Acc = typename Op::acc;
    column_state<Op> *state =
        states + (tile.slab * t.line_tiles + tile.step) * t.stride +
        thread.group;
    const bool publishes = thread.exists && tile.step + 1 < t.line_tiles &&
                           thread.part == (Scan::reverse ? 0 : t.parts - 1);
    const auto publish_pair = [&](tile_flag flag, const Acc(&sum)[kPair]) {
        publish(state, flag, sum[0]);
        if (both)
            publish(state + t.groups, flag, sum[1]);
    };
    if (publishes)
        publish_pair(tile.step ? TILE_AGGREGATE : TILE_PREFIX, mine);
    if (tile.step == 0)
        return;
    const column_chain<column_state<Op>> chain = {
        .mine = state,
        .step = tile.step,
        .stride = t.stride,
        .groups = t.groups,
        .group = thread.group,
        .sharer = thread.part,
        .sharers = t.sharers,
        .exists = thread.exists,
        .apart = both ? t.groups : 0,
    };
    Acc carry[kPair];
    column_carry<Op, tiles_at_once(sizeof(Acc)), Threads>(chain, carry);
    if (publishes) {
        const Acc sum[kPair] = { Op::combine(carry[0], mine[0]),
                                 Op::combine(carry[1], mine[1]) };
        publish_pair(TILE_PREFIX, sum);
    }
#pragma unroll
    for (int c = 0; c < kPair; ++c)
        before[c] = Op::combine(carry[c], before[c]);
}

/* Delays the loads of the first tiles (staggered_start.cuh). A slab's last tile
 * publishes nothing, and is not waited for. One thread calls it. */
template <int Blocks, bool Reverse, class Op>
__device__ __forceinline__ void await_start(const slab_tiling &t,
                                            int64_t number,
                                            const column_state<Op> *states)
{
    constexpr int kApart = Blocks < 3 ? 3 : Blocks; /* else it awaits itself */
    const int64_t other = starts_after<kApart>(number, t.tiles);
    if (other < 0)
        return;
    const struct slab_tile tile = slab_tile_of<Reverse>(t, other);
    if (tile.step + 1 == t.line_tiles)
        return;
    const auto *state =
        states + (tile.slab * t.line_tiles + tile.step) * t.stride;
    typename Op::acc ignored;
    while (peek(state, &ignored) == TILE_NOTHING)
        __nanosleep(20);
}

/* upsweep and spine: the carry into this thread's part of its columns. */
template <class Scan, int Threads, class T>
__device__ __forceinline__ void
sum_before(const slab_tiling &t, const slab_tile &tile,
           const slab_thread &thread, T *x, const uint8_t *m,
           acc_of<Scan, T> (&before)[kPair],
           column_state<op_of<Scan, T>> *states)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    Acc mine[kPair] = { Op::identity(), Op::identity() };
    const pair_walk w = walk_of<Scan::reverse>(t, tile, thread, thread.slab);
    walk<Op, Scan::masked, false>(x, m, w, [&](Acc(&v)[kPair]) {
#pragma unroll
        for (int c = 0; c < kPair; ++c)
            mine[c] = Op::combine(mine[c], v[c]);
    });
    parts_before<Op, Scan::reverse, Threads>(t, thread, mine, before);
    if (t.line_tiles > 1)
        carry_tile<Scan, Op, Threads>(t, tile, thread, w.both, mine, before,
                                      states);
}

/* ----------------------------------------------------------------- kernel */

template <class T, class Scan, int Threads, int Blocks>
static __global__ void __launch_bounds__(Threads, Blocks)
    slab_tiles(const T *__restrict__ in, const uint8_t *__restrict__ mask,
               T *__restrict__ out, const struct slab_tiling t,
               unsigned long long *ticket, column_state<op_of<Scan, T>> *states)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Mover = tile_mover<T, Scan::masked, Threads>;
    extern __shared__ uint4 shared_tile[];
    __shared__ struct slab_tile tile;
    __shared__ typename Mover::shared loaded;
    T *x = (T *)shared_tile;
    uint8_t *m = (uint8_t *)(x + t.room);
    const bool carries = t.line_tiles > 1;
    const slab_thread thread(t);
    Mover mover = { in, mask, { x, m }, &loaded, 0 };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
    }
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        /* load */
        if (threadIdx.x == 0) {
            const int64_t at = carries ? (int64_t)atomicAdd(ticket, 1ull) : n;
            tile = slab_tile_of<Scan::reverse>(t, at);
            if (carries)
                await_start<Blocks, Scan::reverse, Op>(t, at, states);
        }
        start_load<Scan::masked, T>(t, tile, mover);
        finish_load(t, tile, mover);

        /* upsweep, spine; then downsweep, in place */
        Acc before[kPair] = { Op::identity(), Op::identity() };
        if (carries || t.parts > 1)
            sum_before<Scan, Threads>(t, tile, thread, x, m, before, states);
        /* A warp may be diverged here, as after a nanosleep: ptxas opens the
         * branch of store() before the barrier within it and closes it after,
         * which would diverge the warp again at the loop's last barrier. */
        __syncwarp();
        const int slabs = t.parts > 1 ? t.slabs : Threads / t.groups;
        for (int slab = thread.slab; slab < tile.slabs; slab += slabs) {
            const pair_walk w = walk_of<Scan::reverse>(t, tile, thread, slab);
            Acc sum[kPair] = { before[0], before[1] };
            walk<Op, Scan::masked, true>(x, m, w, [&](Acc(&v)[kPair]) {
#pragma unroll
                for (int c = 0; c < kPair; ++c)
                    v[c] = scan_step<Scan>(sum[c], Op::combine(sum[c], v[c]));
            });
        }

        store(t, tile, out, mover);
        if (n + gridDim.x < t.tiles)
            __syncthreads();
    }
}

/* ------------------------------------------------------------------ host */

static int conflicts_of(const struct slab_tiling &t, int bytes)
{
    const int step = (t.apart == 1 ? kPair : 1) * bytes;
    const int rows = t.rows * t.inner, part_rows = t.part_rows * t.inner;
    int group = 0, part = 0, slab = 0, byte = 0;
    return bank_conflicts(bytes, [&] {
        if (group == t.groups) {
            group = 0;
            if (++part == t.parts) {
                part = 0;
                ++slab;
            }
            byte = (slab * rows + slab / t.bunch * t.pad + part * part_rows) *
                   bytes;
        }
        ++group;
        const int here = byte;
        byte += step;
        return slab < t.slabs ? here : -1;
    });
}

/* Chooses the rows of a part, and the pad after a bunch of slabs, that minimise
 * bank conflicts: parts up to an eighth longer than necessary, pads of
 * least_pad bytes times a power of two, or none if that is 0. */
constexpr int kMostPad = 64; /* bytes */
static void choose_parts(struct slab_tiling *t, int parts, int bytes,
                         int least_pad)
{
    constexpr int kRowsAtOnce = kBatch<float>;
    const int least = (int)ceil_div(t->rows, parts);
    const int most_pad = least_pad ? kMostPad : 0;
    const struct slab_tiling given = *t;
    int64_t least_cost = 0;
    for (int pad = 0; pad <= most_pad; pad = pad ? 2 * pad : least_pad) {
        for (int more = 0; more <= least / 8 && more < 8; ++more) {
            struct slab_tiling candidate = given;
            candidate.part_rows = least + more;
            candidate.parts =
                (int)ceil_div(candidate.rows, candidate.part_rows);
            candidate.pad = pad / bytes;
            const int64_t cost = ceil_div(candidate.part_rows, kRowsAtOnce) *
                                 (2 + conflicts_of(candidate, bytes));
            if (least_cost && cost >= least_cost)
                continue;
            *t = candidate;
            least_cost = cost;
        }
        if (least_pad == 0)
            break;
    }
}

/* Elements of a tile: at most tile_bytes bytes with their masks, and fewer if a
 * tensor would be too few tiles, but enough rows that the states of a cut slab
 * add little traffic. */
static int64_t tile_elems(const struct problem *p, int64_t tile_bytes)
{
    constexpr int64_t kEnough = 1024; /* tiles */
    constexpr int64_t kLeastBytes = 8 << 10, kLeastRows = 32;
    const int64_t each =
        (int64_t)dtype_bytes(p->dtype) + (op_has_mask(p->op) ? 1 : 0);
    int64_t bytes = shape_elems(p->shape) / kEnough * each;
    if (bytes < kLeastBytes)
        bytes = kLeastBytes;
    if (bytes < kLeastRows * p->shape.inner * each)
        bytes = kLeastRows * p->shape.inner * each;
    return (bytes < tile_bytes ? bytes : tile_bytes) / each;
}

/* The look-back of cut slabs: a column's threads together read half as many
 * states as tiles are in flight at a time. If there are too few threads, the
 * tiles of several slabs are interleaved, so that each has fewer in flight. */
static void share_look_back(const struct problem *p, struct slab_tiling *t,
                            int blocks)
{
    constexpr int kLine = 128 / (int)sizeof(uint32_t); /* states */
    t->stride = (kPair * t->groups + kLine - 1) / kLine * kLine;
    const int64_t flight =
        p->device ? (int64_t)blocks * p->device->sm_count / 2 : 1;
    const int sharers = t->parts < kMostSharers ? t->parts : kMostSharers;
    const int depth = tiles_at_once(acc_bytes(p));
    const int64_t abreast = ceil_div(flight, depth * sharers);
    t->abreast = abreast < t->outer ? abreast : t->outer;
    const int64_t deep = ceil_div(flight, t->abreast);
    t->sharers = (int)ceil_div(deep, depth);
    if (t->sharers > sharers)
        t->sharers = sharers;
}

constexpr int kLeastBunch = 256; /* bytes, for a bulk copy to be worth it */
static struct slab_tiling slab_tiling_of(const struct problem *p, int threads,
                                         int tile_bytes, int blocks)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    struct slab_tiling t = { .outer = p->shape.outer,
                             .axis = p->shape.axis,
                             .inner = (int)p->shape.inner,
                             .bunch = 1,
                             .alignment = alignment_of(p) };
    t.groups = (t.inner + kPair - 1) / kPair;
    t.apart = bytes == 2 ? 1 : t.groups;
    const int64_t most = tile_elems(p, tile_bytes);
    const int64_t slab = t.axis * t.inner;
    int least_pad = 0;
    t.slabs = 1;
    t.line_tiles = 1;
    t.tiles = t.outer;
    if (slab > most) {
        t.line_tiles = ceil_div(t.axis, most / t.inner);
        t.rows = (int)ceil_div(t.axis, t.line_tiles);
        t.line_tiles = ceil_div(t.axis, t.rows);
        t.tiles = t.outer * t.line_tiles;
    } else {
        /* Each bunch is one bulk copy, so a pad is a multiple of 16 bytes, of
         * the mask too. */
        if (built_for(p, 90) && t.alignment.common && t.alignment.lead == 0 &&
            slab % kAlignment == 0)
            least_pad = op_has_mask(p->op) ? kAlignment * bytes : 16;
        t.rows = (int)t.axis;
        t.bunch = (int)ceil_div(kLeastBunch, slab * bytes);
        const int64_t bunch =
            t.bunch * slab + (least_pad ? kMostPad / bytes : 0);
        const int64_t slabs = bunch < most ? most / bunch * t.bunch : 1;
        t.slabs = (int)(slabs < t.outer ? slabs : t.outer);
        t.tiles = ceil_div(t.outer, t.slabs);
    }
    /* A part has at least a batch of rows. If slabs outnumber the threads, each
     * thread takes several in a loop. */
    int parts = threads / t.groups / t.slabs;
    if (parts > t.rows / kBatch<float>)
        parts = t.rows / kBatch<float>;
    choose_parts(&t, parts > 1 ? parts : 1, bytes, t.slabs > 1 ? least_pad : 0);
    const int64_t elems = (int64_t)t.slabs * t.rows * t.inner +
                          (int64_t)(t.slabs - 1) / t.bunch * t.pad;
    t.room = (int)(elems + 2 * kAlignment) / kAlignment * kAlignment;

    share_look_back(p, &t, blocks);
    return t;
}

template <int Threads, int TileBytes, int Blocks>
static size_t workspace_bytes(const struct problem *p)
{
    const struct slab_tiling t = slab_tiling_of(p, Threads, TileBytes, Blocks);
    if (t.line_tiles == 1)
        return kTicketBytes;
    return kTicketBytes + bytes_for(p, [&]<class Op>(Op) {
               return t.tiles * t.stride * sizeof(column_state<Op>);
           });
}

template <int Threads, int TileBytes, int Blocks>
static int launch(const struct problem *p, void *stream)
{
    const struct slab_tiling t = slab_tiling_of(p, Threads, TileBytes, Blocks);
    const size_t cleared =
        t.line_tiles > 1 ? workspace_bytes<Threads, TileBytes, Blocks>(p) : 0;
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const auto kernel = slab_tiles<T, Scan, Threads, Blocks>;
            const int bytes = t.room * ((int)sizeof(T) + Scan::masked);
            return launch_tiles(p, cleared, kernel, t.tiles, Threads, bytes,
                                stream, p->in, p->mask, p->out, t);
        });
}

template <int Threads, int TileBytes>
static const char *refuses(const struct problem *p)
{
    /* The arrays of parts_before() and column_carry(). */
    const int64_t arrays = kPair * (3 * acc_bytes(p) + 1) * Threads;
    if (p->shape.inner < 2)
        return "serves strided lines only (inner >= 2)";
    if (p->shape.inner > kPair * Threads)
        return "serves two columns per thread; wider rows have column_lookback";
    return tile_refuses(p, TileBytes + arrays);
}

#define POINT(threads, kib, blocks)                                            \
    {                                                                          \
        .name = "slab_tiles_b" #threads "_k" #kib,                             \
        .idea = "a block per span of whole slabs, or of rows of one",          \
        ON_CUDA(scans<kNeeds>(), 1), ERROR_OF_TILES(1),                        \
        .refuses = refuses<threads, (kib) << 10>,                              \
        .workspace_bytes = workspace_bytes<threads, (kib) << 10, blocks>,      \
        .launch = launch<threads, (kib) << 10, blocks>                         \
    }

/* Threads, KiB of a tile, blocks per SM. */
VARIANTS(scan__slab_tiles) = {
    POINT(128, 28, 6),
    {},
};
