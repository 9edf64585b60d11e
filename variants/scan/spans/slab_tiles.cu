/* SPDX-License-Identifier: MIT
 *
 * Idea     A strided tensor is contiguous slabs, one of axis * inner elements
 *          for each outer index, and a row is inner of them, wherever 16-byte
 *          vectors begin. A tile is one span of memory: whole slabs where they
 *          fit, else some rows of one. It comes and goes as it lies (from 9.0
 *          on, by bulk copies); in shared memory a thread walks two columns (of
 *          halves: a word, in every second row of an odd pitch two elements)
 *          along a part of the axis. No part crosses a line's start, so no row
 *          asks whether it does; parts are as long as, and slabs as far apart
 *          as, makes lanes meet least in a bank. Only tiles of a cut slab look
 *          back, all threads for their columns, some tiles each.
 * Against  row_tile_lookback, whose threads walk single elements, count the
 *          rows to the next line's start, and look back over a few tiles at a
 *          time, which tiles in flight outrun.
 * Traffic  2N elements, and a word a column and tile where slabs are cut
 *          (passes = 1).
 * Needs    inner of 2 to 256.
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 * Lesson   Half-precision kernels run out of instructions first: two columns
 *          per thread halve them. A look-back must reach over the tiles that
 *          arrive during its round trip.
 */
#include "variants/common/launch/clear_early.cuh"
#include "variants/common/look_back/staggered_start.cuh"
#include "variants/common/access/tile_mover.cuh"
#include "variants/common/look_back/column_carry.cuh"

constexpr int kPair = 2;         /* columns a thread */
constexpr int kMostSharers = 16; /* threads that look back for a column */
/* Tiles that each of them reads at a time. */
template <class Acc>
constexpr int kTilesAtOnce = sizeof(Acc) == 8 ? 2 : 4;

struct slab_tiling {
    int64_t outer, axis;
    int64_t tiles, line_tiles; /* in all; of a slab, 1: it is not cut */
    int64_t abreast;           /* slabs whose tiles take turns */
    int slabs, rows;           /* of a tile; its rows of each slab */
    int inner, groups;         /* threads along a row */
    int apart;                 /* from a thread's column to its other one */
    int parts, part_rows;      /* of a tile's rows, a thread each */
    int bunch, pad; /* so many slabs lie together; elements behind them */
    int room;       /* elements in shared memory, a multiple of 16 */
    int stride;     /* states of a tile */
    int sharers;    /* threads that look back for a column */
    int lead;       /* elements from an aligned address to the tensor's first */
    bool aligned;   /* in, mask and out alike */
};

/* ------------------------------------------------------------- two columns */

/* Rows of two columns in shared memory, in walk order. */
struct pair_walk {
    int at, step, rows; /* the first element; from row to row; how many */
    int apart;          /* to the other column */
    bool both;          /* there is one; else a thread has its column twice */
};

/* Two elements as what they are added in; Word: they are a word of halves. */
template <bool Word, bool Masked, class T>
__device__ __forceinline__ void read_pair(const T *x, const uint8_t *m,
                                          int apart, acc_t<T> (&v)[kPair])
{
    if constexpr (Word) {
        const auto pair = read_vec<vec<T, kPair>>(x);
        v[0] = to_acc(pair.item[0]);
        v[1] = to_acc(pair.item[1]);
    } else {
        v[0] = to_acc(x[0]);
        v[1] = to_acc(x[apart]);
    }
    if constexpr (Masked) {
        v[0] = m[0] ? v[0] : acc_t<T>(0);
        v[1] = m[apart] ? v[1] : acc_t<T>(0);
    }
}

template <bool Word, class T>
__device__ __forceinline__ void write_pair(T *x, int apart, bool both,
                                           const acc_t<T> (&v)[kPair])
{
    if constexpr (Word) {
        using Bits = words_t<vec<T, kPair>>;
        const vec<T, kPair> pair = { from_acc<T>(v[0]), from_acc<T>(v[1]) };
        *reinterpret_cast<Bits *>(x) = __builtin_bit_cast(Bits, pair);
    } else {
        x[0] = from_acc<T>(v[0]);
        if (both)
            x[sizeof(T) == 2 ? 1 : apart] = from_acc<T>(v[1]);
    }
}

/* Calls visit(values) for the next rows, all kBatch or as many as there are,
 * and keeps what it leaves there. All are read before the first is written: a
 * store to shared memory holds up the loads behind it. */
template <class T>
constexpr int kBatch = sizeof(T) == 8 ? 4 : 8;
template <bool Words, bool All, bool Masked, bool Store, class T, class Visit>
__device__ __forceinline__ void walk_batch(T *x, const uint8_t *m,
                                           const pair_walk &w, Visit visit)
{
    acc_t<T> v[kBatch<T>][kPair];
#pragma unroll
    for (int k = 0; k < kBatch<T>; ++k)
        if (All || k < w.rows)
            read_pair<Words, Masked>(x + (w.at + k * w.step),
                                     m + (w.at + k * w.step), w.apart, v[k]);
#pragma unroll
    for (int k = 0; k < kBatch<T>; ++k)
        if (All || k < w.rows)
            visit(v[k]);
    if constexpr (Store)
#pragma unroll
        for (int k = 0; k < kBatch<T>; ++k)
            if (All || k < w.rows)
                write_pair<Words>(x + (w.at + k * w.step), w.apart, w.both,
                                  v[k]);
}

template <bool Words, bool Masked, bool Store, class T, class Visit>
__device__ __forceinline__ void walk_rows(T *x, const uint8_t *m, pair_walk w,
                                          Visit visit)
{
#pragma unroll 1
    for (; w.rows >= kBatch<T>; w.rows -= kBatch<T>, w.at += kBatch<T> * w.step)
        walk_batch<Words, true, Masked, Store>(x, m, w, visit);
    if (w.rows > 0)
        walk_batch<Words, false, Masked, Store>(x, m, w, visit);
}

/* Calls visit(values) for all rows of a walk. Halves are words in rows of even
 * pitch that begin with one. */
template <bool Masked, bool Store, class T, class Visit>
__device__ __forceinline__ void walk(T *x, const uint8_t *m, const pair_walk &w,
                                     Visit visit)
{
    if constexpr (sizeof(T) == 2)
        if (w.step % 2 == 0 && w.at % 2 == 0) {
            walk_rows<true, Masked, Store>(x, m, w, visit);
            return;
        }
    walk_rows<false, Masked, Store>(x, m, w, visit);
}

/* ----------------------------------------------------------------- a tile */

struct slab_tile {
    int64_t begin, end; /* elements of the tensor */
    int64_t slab, step; /* the first; number of the tile in it, in walk order */
    int slabs, rows;
};

/* Where ticket `number` leads: slabs take turns, `abreast` of them. */
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
            tile_divide(number, t.abreast * t.line_tiles) * t.abreast;
        const int64_t abreast = min(t.abreast, t.outer - first);
        const int64_t later = number - first * t.line_tiles;
        tile.step = tile_divide(later, abreast);
        tile.slab = first + later - tile.step * abreast;
        row = (Reverse ? t.line_tiles - 1 - tile.step : tile.step) * t.rows;
        tile.rows = (int)min((int64_t)t.rows, t.axis - row);
    }
    tile.begin = (tile.slab * t.axis + row) * t.inner;
    tile.end = tile.begin + (int64_t)tile.slabs * tile.rows * t.inner;
    return tile;
}

/* The place of a tile's slab in shared memory, behind its first element. */
__device__ __forceinline__ int slab_place(const slab_tiling &t, int slab)
{
    const int elems = t.rows * t.inner;
    return t.pad ? slab * elems + slab / t.bunch * t.pad : slab * elems;
}

__device__ __forceinline__ struct span span_in_tile(const slab_tiling &t,
                                                    const slab_tile &tile)
{
    return span_of(tile.begin, tile.end, align_down(tile.begin, t.lead), t.lead,
                   t.aligned);
}

/* Calls visit(first, last, place) for the bunches of slabs of a tile, which
 * begin and end at boundaries where they are padded. By one warp. */
template <class Visit>
__device__ __forceinline__ void
visit_bunches(const slab_tiling &t, const slab_tile &tile, Visit visit)
{
    const int elems = t.rows * t.inner;
    for (int slab = (int)threadIdx.x * t.bunch; slab < tile.slabs;
         slab += 32 * t.bunch) {
        const int some = min(t.bunch, tile.slabs - slab);
        visit(tile.begin + slab * elems, some * elems, slab_place(t, slab));
    }
}

/* load: bunches of slabs, by the first warp. */
template <bool Masked, class T, class Mover>
__device__ __forceinline__ void
ask_bunches(const slab_tiling &t, const slab_tile &tile, const Mover &mover)
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

/* The tile's loads are started; at the end all threads know the tile. */
template <bool Masked, class T, class Mover>
__device__ __forceinline__ void ask(const slab_tiling &t, const slab_tile &tile,
                                    Mover &mover)
{
    if constexpr (Mover::alone) {
        if (threadIdx.x < 32) {
            __syncwarp();
            if (t.pad)
                ask_bunches<Masked, T>(t, tile, mover);
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
__device__ __forceinline__ void arrive(const slab_tiling &t,
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
    mover.store(span_in_tile(t, tile), out);
}

/* -------------------------------------------------------- a thread's part */

/* Which columns a thread has, and which part of the rows of which slab. */
struct slab_thread {
    int group, slab, part;
    bool exists;

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
    w.at = (int)(tile.begin - align_down(tile.begin, t.lead)) +
           slab_place(t, slab) + column +
           (Reverse ? row + w.rows - 1 : row) * t.inner;
    return w;
}

/* spine in the tile: of every thread's columns what the parts before its own
 * hold; on return `mine` includes its own. */
template <class Op, bool Reverse, int Threads>
__device__ __forceinline__ void
parts_before(const slab_tiling &t, const slab_thread &thread,
             typename Op::acc (&mine)[kPair], typename Op::acc (&before)[kPair])
{
    __shared__ typename Op::acc sums[2][kPair][Threads];
    const int rank = Reverse ? t.parts - 1 - thread.part : thread.part;
    const int back = Reverse ? t.groups : -t.groups;
    int turn = 0;
    for (int step = 1;; step *= 2, turn ^= 1) {
#pragma unroll
        for (int c = 0; c < kPair; ++c)
            sums[turn][c][threadIdx.x] = mine[c];
        __syncthreads();
        if (step >= t.parts)
            break;
        if (thread.exists && rank >= step)
#pragma unroll
            for (int c = 0; c < kPair; ++c)
                mine[c] = Op::combine(
                    sums[turn][c][(int)threadIdx.x + step * back], mine[c]);
    }
#pragma unroll
    for (int c = 0; c < kPair; ++c)
        before[c] = thread.exists && rank > 0
                        ? sums[turn][c][(int)threadIdx.x + back]
                        : Op::identity();
}

/* ------------------------------------------------------------ the look-back */

/* What kTilesAtOnce tiles from number `behind` backward hold of a thread's
 * columns, each up to its first prefix; `found` has a bit for each that met
 * one. */
template <class Op, class State>
__device__ __forceinline__ unsigned
look_back_pair(const slab_tiling &t, const State *mine, int64_t step,
               int64_t behind, bool both, typename Op::acc (&sum)[kPair])
{
    using Acc = typename Op::acc;
    const State *tile = mine - behind * t.stride;
    const int left = (int)min(step - behind + 1, (int64_t)kTilesAtOnce<Acc>);
    unsigned flag[kPair][kTilesAtOnce<Acc>];
    Acc value[kPair][kTilesAtOnce<Acc>];
#pragma unroll
    for (int k = 0; k < kTilesAtOnce<Acc>; ++k)
#pragma unroll
        for (int c = 0; c < kPair; ++c) {
            flag[c][k] = TILE_PREFIX; /* before the slab: nothing */
            value[c][k] = Op::identity();
            if (k < left && (c == 0 || both))
                flag[c][k] =
                    peek(tile - k * t.stride + c * t.groups, &value[c][k]);
        }
    unsigned found = 0;
#pragma unroll
    for (int c = 0; c < kPair; ++c) {
        sum[c] = Op::identity();
#pragma unroll
        for (int k = 0; k < kTilesAtOnce<Acc>; ++k)
            if (!(found >> c & 1)) {
                for (; flag[c][k] == TILE_NOTHING; __nanosleep(50))
                    flag[c][k] =
                        peek(tile - k * t.stride + c * t.groups, &value[c][k]);
                sum[c] = Op::combine(value[c][k], sum[c]);
                found |= (unsigned)(flag[c][k] == TILE_PREFIX) << c;
            }
    }
    return found;
}

/* The carry into a tile, in all threads of its columns. Every thread of the
 * block calls it. */
template <class Op, int Threads, class State>
__device__ __forceinline__ void
slab_carry(const slab_tiling &t, const slab_thread &thread, const State *mine,
           int64_t step, bool both, typename Op::acc (&carry)[kPair])
{
    using Acc = typename Op::acc;
    constexpr unsigned kAll = (1u << kPair) - 1;
    constexpr int kAtOnce = kTilesAtOnce<Acc>;
    __shared__ Acc shares[kPair][Threads];
    __shared__ uint8_t founds[Threads];
    unsigned whole = thread.exists ? 0 : kAll;
    carry[0] = carry[1] = Op::identity();
    for (int64_t behind = 1;; behind += kAtOnce * t.sharers) {
        if (whole != kAll && thread.part < t.sharers) {
            Acc sum[kPair];
            founds[threadIdx.x] = (uint8_t)look_back_pair<Op>(
                t, mine, step, behind + kAtOnce * thread.part, both, sum);
#pragma unroll
            for (int c = 0; c < kPair; ++c)
                shares[c][threadIdx.x] = sum[c];
        }
        __syncthreads();
        for (int k = 0; k < t.sharers && whole != kAll; ++k) {
            const int from = k * t.groups + thread.group;
#pragma unroll
            for (int c = 0; c < kPair; ++c)
                if (!(whole >> c & 1))
                    carry[c] = Op::combine(shares[c][from], carry[c]);
            whole |= founds[from];
        }
        if (__syncthreads_and(whole == kAll))
            return;
    }
}

/* spine over the tiles of a slab: publishes what this tile holds of every
 * column, and adds to `before` what comes from the tiles before it. `mine` is
 * the sum up to this thread's last row. */
template <class Scan, int Threads, class Acc, class State>
__device__ __forceinline__ void
carry_tile(const slab_tiling &t, const slab_tile &tile,
           const slab_thread &thread, bool both, const Acc (&mine)[kPair],
           Acc (&before)[kPair], State *states)
{
    using Op = sum_op<Acc>;
    State *state = states + (tile.slab * t.line_tiles + tile.step) * t.stride +
                   thread.group;
    const bool publishes = thread.exists && tile.step + 1 < t.line_tiles &&
                           thread.part == (Scan::reverse ? 0 : t.parts - 1);
    const auto tell = [&](tile_flag flag, const Acc(&of)[kPair]) {
        publish(state, flag, of[0]);
        if (both)
            publish(state + t.groups, flag, of[1]);
    };
    if (publishes)
        tell(tile.step ? TILE_AGGREGATE : TILE_PREFIX, mine);
    if (tile.step == 0)
        return;
    Acc carry[kPair];
    slab_carry<Op, Threads>(t, thread, state, tile.step, both, carry);
    if (publishes) {
        const Acc sum[kPair] = { Op::combine(carry[0], mine[0]),
                                 Op::combine(carry[1], mine[1]) };
        tell(TILE_PREFIX, sum);
    }
#pragma unroll
    for (int c = 0; c < kPair; ++c)
        before[c] = Op::combine(carry[c], before[c]);
}

/* The first tiles are asked for in turns (staggered_start.cuh); a slab's last
 * tile publishes nothing, and is not waited for. By one thread. */
template <int Blocks, bool Reverse, class Acc, class State>
__device__ __forceinline__ void await_turn(const slab_tiling &t, int64_t number,
                                           const State *states)
{
    constexpr int kHeld = Blocks < 3 ? 3 : Blocks; /* or it awaits itself */
    const int64_t other = starts_after<kHeld>(number, t.tiles);
    if (other < 0)
        return;
    const struct slab_tile tile = slab_tile_of<Reverse>(t, other);
    if (tile.step + 1 == t.line_tiles)
        return;
    const State *state =
        states + (tile.slab * t.line_tiles + tile.step) * t.stride;
    Acc ignored;
    while (peek(state, &ignored) == TILE_NOTHING)
        __nanosleep(20);
}

/* upsweep and spine: what comes before this thread's part of its columns. */
template <class Scan, int Threads, class T>
__device__ __forceinline__ void
sum_before(const slab_tiling &t, const slab_tile &tile,
           const slab_thread &thread, T *x, const uint8_t *m,
           acc_t<T> (&before)[kPair], column_state<T> *states)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    Acc mine[kPair] = { Op::identity(), Op::identity() };
    const pair_walk w = walk_of<Scan::reverse>(t, tile, thread, thread.slab);
    walk<Scan::masked, false>(x, m, w, [&](Acc(&v)[kPair]) {
#pragma unroll
        for (int c = 0; c < kPair; ++c)
            mine[c] = Op::combine(mine[c], v[c]);
    });
    parts_before<Op, Scan::reverse, Threads>(t, thread, mine, before);
    if (t.line_tiles > 1)
        carry_tile<Scan, Threads>(t, tile, thread, w.both, mine, before,
                                  states);
}

/* ----------------------------------------------------------------- kernel */

template <class T, class Scan, int Threads, int Blocks>
static __global__ void __launch_bounds__(Threads, Blocks)
    slab_tiles(const T *__restrict__ in, const uint8_t *__restrict__ mask,
               T *__restrict__ out, const struct slab_tiling t,
               unsigned long long *ticket, column_state<T> *states)
{
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
                await_turn<Blocks, Scan::reverse, Acc>(t, at, states);
        }
        ask<Scan::masked, T>(t, tile, mover);
        arrive(t, tile, mover);

        /* upsweep, spine; then downsweep, in place */
        Acc before[kPair] = { Op::identity(), Op::identity() };
        if (carries || t.parts > 1)
            sum_before<Scan, Threads>(t, tile, thread, x, m, before, states);
        const int turn = t.parts > 1 ? t.slabs : Threads / t.groups;
        for (int slab = thread.slab; slab < tile.slabs; slab += turn) {
            const pair_walk w = walk_of<Scan::reverse>(t, tile, thread, slab);
            Acc sum[kPair] = { before[0], before[1] };
            walk<Scan::masked, true>(x, m, w, [&](Acc(&v)[kPair]) {
#pragma unroll
                for (int c = 0; c < kPair; ++c) {
                    const Acc prior = sum[c];
                    sum[c] = Op::combine(prior, v[c]);
                    v[c] = Scan::exclusive ? prior : sum[c];
                }
            });
        }

        store(t, tile, out, mover);
        if (n + gridDim.x < t.tiles)
            __syncthreads();
    }
}

/* ------------------------------------------------------------------ host */

/* Lanes that meet in a bank at most, when a block's first warps read their
 * first rows: a row's words side by side, parts and slabs as the tiling has
 * them. */
static int lanes_in_a_bank(const struct slab_tiling &t, int bytes)
{
    const int unit = bytes == 8 ? 8 : 4, banks = 128 / unit;
    const int column = (t.apart == 1 ? kPair : 1) * bytes;
    int most = 0;
    for (int first = 0; first < 64; first += banks) {
        int in_bank[32] = { 0 };
        for (int lane = first; lane < first + banks; ++lane) {
            const int place = lane / t.groups, slab = place / t.parts;
            if (slab >= t.slabs)
                break;
            const int64_t at =
                (int64_t)slab * t.rows * t.inner + slab / t.bunch * t.pad +
                (int64_t)(place % t.parts) * t.part_rows * t.inner;
            const int64_t byte = at * bytes + lane % t.groups * column;
            const int bank = (int)(byte / unit % banks);
            most = ++in_bank[bank] > most ? in_bank[bank] : most;
        }
    }
    return most;
}

/* Rows of a part, and the pad behind a bunch of slabs, for lanes to meet least:
 * parts at most an eighth longer than they need be, pads of least_pad bytes or
 * some times as many (0: none). */
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
            struct slab_tiling some = given;
            some.part_rows = least + more;
            some.parts = (int)ceil_div(some.rows, some.part_rows);
            some.pad = pad / bytes;
            const int64_t cost = ceil_div(some.part_rows, kRowsAtOnce) *
                                 (2 + lanes_in_a_bank(some, bytes));
            if (least_cost && cost >= least_cost)
                continue;
            *t = some;
            least_cost = cost;
        }
        if (least_pad == 0)
            break;
    }
}

/* Elements that tiles of at most tile_bytes bytes have, with their masks; fewer
 * where a tensor would be too few tiles, but as many rows as make the states of
 * a cut slab few. */
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

/* A cut slab's states: all threads look back over half of the tiles in flight,
 * and as many slabs take turns as bring it down to that. */
static void share_look_back(const struct problem *p, struct slab_tiling *t,
                            int blocks)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    constexpr int kLine = 128 / (int)sizeof(uint32_t); /* states */
    t->stride = (kPair * t->groups + kLine - 1) / kLine * kLine;
    const int64_t flight =
        p->device ? (int64_t)blocks * p->device->sm_count / 2 : 1;
    const int sharers = t->parts < kMostSharers ? t->parts : kMostSharers;
    const int depth = bytes == 8 ? kTilesAtOnce<double> : kTilesAtOnce<float>;
    const int64_t turns = ceil_div(flight, depth * sharers);
    t->abreast = turns < t->outer ? turns : t->outer;
    const int64_t deep = ceil_div(flight, t->abreast);
    t->sharers = (int)ceil_div(deep, depth);
    if (t->sharers > sharers)
        t->sharers = sharers;
}

constexpr int kLeastBunch = 256; /* bytes that a bulk copy is worth */
static struct slab_tiling slab_tiling_of(const struct problem *p, int threads,
                                         int tile_bytes, int blocks)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    const int in_lead = (int)((uintptr_t)p->in % 16 / bytes);
    struct slab_tiling t = { .outer = p->shape.outer,
                             .axis = p->shape.axis,
                             .inner = (int)p->shape.inner,
                             .bunch = 1 };
    t.lead = p->mask ? (int)((uintptr_t)p->mask % kAlignment) : in_lead;
    t.aligned = (uintptr_t)p->in % 16 == (uintptr_t)p->out % 16 &&
                t.lead % (16 / bytes) == in_lead;
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
        /* A pad is whole 16 bytes, of a mask too; a bulk copy a bunch. */
        if (built_for(p, 90) && t.aligned && t.lead == 0 &&
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
    /* Parts of a batch of rows or more; slabs in turns where all together have
     * no thread a part. */
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
    size_t state = 0;
    dispatch_dtype(p->dtype, [&](auto type) {
        state = sizeof(column_state<typename decltype(type)::type>);
        return 0;
    });
    return kTicketBytes + (size_t)(t.tiles * t.stride) * state;
}

template <int Threads, int TileBytes, int Blocks>
static int launch(const struct problem *p, void *stream)
{
    const struct slab_tiling t = slab_tiling_of(p, Threads, TileBytes, Blocks);
    const size_t bytes_cleared = workspace_bytes<Threads, TileBytes, Blocks>(p);
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        constexpr bool kMasked = decltype(scan)::masked;
        const auto kernel = slab_tiles<T, decltype(scan), Threads, Blocks>;
        const int bytes = t.room * ((int)sizeof(T) + kMasked);
        const int error = bulk_room(kernel, bytes);
        if (error != cudaSuccess)
            return error;
        auto *ticket = (unsigned long long *)p->workspace;
        auto *states = (column_state<T> *)((char *)p->workspace + kTicketBytes);
        if (t.line_tiles > 1)
            return launch_cleared(p, p->workspace, bytes_cleared, kernel,
                                  grid_x(t.tiles), Threads, bytes,
                                  (cudaStream_t)stream, p->in, p->mask, p->out,
                                  t, ticket, states);
        kernel<<<grid_x(t.tiles), Threads, bytes, (cudaStream_t)stream>>>(
            (const T *)p->in, p->mask, (T *)p->out, t, ticket, states);
        return cudaGetLastError();
    });
}

template <int Threads, int TileBytes>
static const char *refuses(const struct problem *p)
{
    const int acc = dtype_bytes(p->dtype) == 8 ? 8 : 4;
    const int arrays = (3 * kPair * acc + 1) * Threads + 1024;
    if (p->shape.inner < 2)
        return "serves strided lines only (inner >= 2)";
    if (p->shape.inner > kPair * Threads)
        return "serves two columns a thread; wider rows have column_lookback";
    if (p->device && TileBytes + arrays > p->device->shared_optin_bytes)
        return "a tile does not fit into a block's shared memory";
    return NULL;
}

#define POINT(threads, kib, blocks)                                            \
    {                                                                          \
        .name = "slab_tiles_b" #threads "_k" #kib,                             \
        .idea = "a block a span of whole slabs, or of rows of one",            \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1,             \
        .deterministic = false, .refuses = refuses<threads, (kib) << 10>,      \
        .workspace_bytes = workspace_bytes<threads, (kib) << 10, blocks>,      \
        .launch = launch<threads, (kib) << 10, blocks>                         \
    }

/* So many tiles fill an SM. */
VARIANTS(scan__slab_tiles) = {
    POINT(128, 28, 6),
    {},
};
