/* SPDX-License-Identifier: MIT
 *
 * A single-pass scan of contiguous lines, many tiles per line: a block loads a
 * tile into shared memory, reduces it, publishes its aggregate, gets its carry
 * from the tiles before it, and stores the scan. Files differ in three
 * policies, which a `design` names:
 *
 * The spine passes the carry from tile to tile. One thread publishes, a whole
 * warp calls carry(); `step` is the tile's number in its line. The first tile
 * of a line publishes only its aggregate, which is its prefix; the last
 * publishes nothing.
 *   publish_aggregate(state, step, aggregate)  before the carry is known
 *   carry<Op>(state, step)                     waits for the tiles before it
 *   publish_prefix(state, step, prefix)        carry and aggregate combined
 *
 * The arrangement assigns the tile's vectors to lanes: striped, blocked
 * (decoupled_lookback_blocked.cu), interleaved lines (interleaved_lookback.cu).
 *   upsweep()           reduces the thread's vectors, then its warp's
 *   spine<Spine>(…)     in the block, then across tiles
 *   downsweep(out)      scans with the carry, and stores
 *
 * The mover copies a tile into shared memory: see tile_mover.cuh.
 */
#ifndef VARIANTS_SCAN_LOOK_BACK_SINGLE_PASS_CUH
#define VARIANTS_SCAN_LOOK_BACK_SINGLE_PASS_CUH

#include "variants/common/look_back/look_back.cuh"
#include "variants/common/look_back/tile_mover.cuh"

/* A tile in shared memory, followed by its mask. */
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kTileBytes = Threads *Vecs *(16 + (Masked ? kVec<T> : 0));

/* Resident blocks per SM: as many as shared memory holds tiles, since these are
 * in flight, and as registers allow threads. */
constexpr int kFlightBytes = 216 << 10;
constexpr int kMostThreads = 1536;
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kSmBlocks =
    kResident<Threads,
              (kFlightBytes / kTileBytes<T, Masked, Threads, Vecs> <
                       kMostThreads / Threads
                   ? kFlightBytes / kTileBytes<T, Masked, Threads, Vecs>
                   : kMostThreads / Threads)>;

/* ---------------------------------------------------------------- design */

/* Merrill and Garland's look-back: a tile publishes its aggregate at once, and
 * adds those of its predecessors until it meets an inclusive prefix. */
struct decoupled {
    template <class Acc>
    static __device__ __forceinline__ void
    publish_aggregate(tile_state<Acc> *state, int64_t step, Acc aggregate)
    {
        publish(state, step ? TILE_AGGREGATE : TILE_PREFIX, aggregate);
    }

    template <class Op>
    static __device__ __forceinline__ typename Op::acc
    carry(const tile_state<typename Op::acc> *mine, int64_t step)
    {
        return look_back<Op>(mine, step);
    }

    template <class Acc>
    static __device__ __forceinline__ void
    publish_prefix(tile_state<Acc> *state, int64_t, Acc prefix)
    {
        publish(state, TILE_PREFIX, prefix);
    }
};

/* Staggered: the first tiles' loads start one after another
 * (staggered_start.cuh). Prefetches: later tiles are prefetched to the L2. */
constexpr bool kStaggered = true;
template <class Spine, template <class, class, int, int> class Arrangement,
          bool Staggered = false, bool Prefetches = false>
struct design {
    using spine = Spine;
    template <class T, class Scan, int Threads, int Vecs>
    using arrangement = Arrangement<T, Scan, Threads, Vecs>;
    template <class T, bool Masked, int Threads>
    using mover = tile_mover<T, Masked, Threads>;
    static constexpr bool staggered = Staggered, prefetches = Prefetches;
    template <class T>
    using of = design; /* the same for every type */
};

/* ----------------------------------------------------------------- store */

/* Stores a warp's own part of a tile in shared memory, which begins at element
 * `from`: vectors, and single elements at the ends of a line. Bulk copies write
 * as much, but in an order that suits the DRAM less. */
template <int Vecs, class T>
__device__ __forceinline__ void store_ends(const struct tile_place &p,
                                           int64_t from, T *__restrict__ out,
                                           const T *x)
{
    constexpr int kRow = 32 * kVec<T>;
    const int lane = threadIdx.x % 32;
    const int64_t to = from + Vecs * kRow;
    const int64_t begin = min(max(p.part.bulk_begin, from), to);
    const int64_t end = min(max(p.part.bulk_end, from), to);
#pragma unroll 4
    for (int64_t e = begin + lane * kVec<T>; e < end; e += kRow)
        write_first(out + e, *(const uint4 *)(x + (e - from)));
#pragma unroll 1
    for (int64_t e = max(p.part.begin, from) + lane; e < begin; e += 32)
        out[e] = x[e - from];
#pragma unroll 1
    for (int64_t e = end + lane; e < min(p.part.end, to); e += 32)
        out[e] = x[e - from];
}

template <int Vecs, class T>
__device__ __forceinline__ void store_part(const struct tile_place &p,
                                           int64_t from, T *__restrict__ out,
                                           const T *tile)
{
    constexpr int kRow = 32 * kVec<T>;
    const T *x = tile + (from - p.first);
    __syncwarp();
    if (p.inside) {
        const int at = threadIdx.x % 32 * kVec<T>;
#pragma unroll 6
        for (int k = 0; k < Vecs; ++k)
            write_first(out + from + at + k * kRow,
                        *(const uint4 *)(x + at + k * kRow));
        return;
    }
    store_ends<Vecs>(p, from, out, x);
}

/* The vector at index `at` of a tile, pads where it is masked off. */
template <class Op, bool Masked, class T, int V = kVecOf<Op>>
__device__ __forceinline__ vec<T, V> read_tile(const tile_buffer<T> &tile,
                                               int at)
{
    auto x = *(const words_t<vec<T, V>> *)(tile.x + at);
    if constexpr (Masked)
        x = keep_where<Op>(x,
                           read_vec<words_t<mask_vec<T, V>>>(tile.mask + at));
    return __builtin_bit_cast(vec<T, V>, x);
}

/* ----------------------------------------------------------------- spine */

template <class Acc, int Threads>
struct one_sum {
    Acc totals[Threads / 32], carry;
};

/* The spine of a tile whose warps have one total each: returns the carry into
 * this warp. meanwhile() runs between publishing and looking back, while the
 * tiles before this one finish. */
template <class Op, class Spine, bool Reverse, int Threads, class Meanwhile>
__device__ __forceinline__ typename Op::acc
spine_of_one(typename Op::acc warp_total,
             one_sum<typename Op::acc, Threads> &shared,
             const struct tile_place &p, const struct line_tiling &t,
             tile_state<typename Op::acc> *states, Meanwhile meanwhile)
{
    using Acc = typename Op::acc;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Acc aggregate;
    const Acc before = warps_prefix<Op, Reverse, Threads>(
        warp_total, shared.totals, &aggregate);
    tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
    /* A line's last tile publishes nothing, so a line of one tile needs no
     * state. */
    const bool publishes = threadIdx.x == 0 && p.step + 1 < t.line_tiles;
    if (publishes)
        Spine::publish_aggregate(state, p.step, aggregate);
    meanwhile();
    if (warp == 0) {
        const Acc carry =
            p.step ? Spine::template carry<Op>(state, p.step) : Op::identity();
        if (publishes && p.step)
            Spine::publish_prefix(state, p.step, Op::combine(carry, aggregate));
        if (lane == 0)
            shared.carry = carry;
    }
    __syncthreads();
    return Op::combine(shared.carry, before);
}

/* ------------------------------------------------------ striped arrangement */

/* A warp's vectors form rows of 32: vector j of a lane lies 32 vectors after
 * its vector j - 1. A row is stored as soon as it is scanned. */
template <class T, class Scan, int Threads, int Vecs>
struct striped {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using shared = one_sum<Acc, Threads>;
    static constexpr int kRow = 32 * kVec<T>;
    static constexpr int kTile = Threads * Vecs * kVec<T>;
    static constexpr int kPart = kTile; /* threads read the tile to its end */

    shared &sums_shared;
    const tile_buffer<T> &tile;
    const struct tile_place &p;
    const int at; /* index of this lane's first vector */
    Acc sums[Vecs], warp_total, carry;

    __device__ __forceinline__ striped(shared &s, const tile_buffer<T> &tile,
                                       const struct tile_place &p)
        : sums_shared(s), tile(tile), p(p),
          at((int)(threadIdx.x / 32) * Vecs * kRow +
             (int)(threadIdx.x % 32) * kVec<T>)
    {
    }

    __device__ __forceinline__ void upsweep(void)
    {
        Acc mine = Op::identity();
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            const vec<T> x = read_tile<Op, Scan::masked>(tile, at + j * kRow);
            if (Scan::masked)
                write_shared(tile.x + at + j * kRow, x);
            sums[j] = vec_reduce<Op, Scan::reverse>(x);
            mine = Op::combine(mine, sums[j]);
        }
        /* A lane's vectors are not adjacent: reducing in order needs the rows'
         * prefixes, otherwise left until after publication. */
        if constexpr (Op::commutative)
            warp_total = warp_reduce<Op>(mine);
        else
            warp_total = rows_prefixes();
    }

    /* Replaces sums[j] by the exclusive prefix of vector j in its warp; returns
     * the reduction of the warp. */
    __device__ __forceinline__ Acc rows_prefixes(void)
    {
        return rows_prefix<Op, Scan::reverse>(sums,
                                              [&](int j) { return sums[j]; });
    }

    template <class Spine>
    __device__ __forceinline__ void spine(const struct line_tiling &t,
                                          tile_state<Acc> *states)
    {
        carry = spine_of_one<Op, Spine, Scan::reverse>(
            warp_total, sums_shared, p, t, states, [&] {
                if constexpr (Op::commutative)
                    rows_prefixes();
            });
    }

    __device__ __forceinline__ void downsweep(T *__restrict__ out)
    {
        /* Read once: the place is in shared memory, as x is. A pointer to the
         * first vector instead would cost registers that doubles lack. */
        const bool inside = p.inside;
        const int64_t first = p.first;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            vec<T> x = read_vec<vec<T>>(tile.x + at + j * kRow);
            Acc sum = Op::combine(carry, sums[j]);
            vec_scan<Scan, Op>(x, x, sum);
            if (inside)
                write_first(out + first + at + j * kRow, x);
            else
                write_shared(tile.x + at + j * kRow, x);
        }
        if (inside)
            return;
        const int part = (int)(threadIdx.x / 32) * Vecs * kRow;
        __syncwarp();
        store_ends<Vecs>(p, p.first + part, out, tile.x + part);
    }
};

/* ---------------------------------------------------------------- kernel */

/* Starts the loads of a tile. The prefetched tile is half as many tiles ahead
 * as there are SMs: memory stays busy while blocks wait for their carries. */
template <class Scan, class Design, int Tile, class Mover>
__device__ __forceinline__ void start_tile(const struct line_tiling &t,
                                           const struct tile_place &p,
                                           Mover &mover)
{
    mover.start(p.part);
    if constexpr (Design::prefetches) {
        const int64_t later = p.number + multiprocessors() / 2;
        if (later < t.tiles)
            mover.prefetch(place_of<Scan::reverse, Tile>(t, later).part);
    }
}

/* Takes a ticket and, if the mover works alone, starts the loads of its tile.
 * One thread calls it. */
template <class Scan, class Design, int Blocks, int Tile, class Mover,
          class Acc>
__device__ __forceinline__ struct tile_place
begin_tile(const struct line_tiling &t, unsigned long long *ticket,
           const tile_state<Acc> *states, Mover &mover)
{
    const int64_t number = (int64_t)atomicAdd(ticket, 1ull);
    const struct tile_place p = place_of<Scan::reverse, Tile>(t, number);
    if constexpr (Design::staggered)
        staggered_start<Blocks>(states, t, number);
    if constexpr (Mover::alone)
        start_tile<Scan, Design, Tile>(t, p, mover);
    return p;
}

/* A tile of In has room for the results, Vecs vectors of T per thread. */
template <class T, class Scan, class Design, int Threads, int Vecs,
          class In = T>
static __global__ void
__launch_bounds__(Threads, kSmBlocks<T, Scan::masked, Threads, Vecs>)
    single_pass(const In *__restrict__ in, const uint8_t *__restrict__ mask,
                T *__restrict__ out, const struct line_tiling t,
                unsigned long long *ticket,
                tile_state<typename op_of<Scan, T>::acc> *states)
{
    TAG(fast);
    using Arrangement =
        typename Design::template arrangement<In, Scan, Threads, Vecs>;
    using Mover = typename Design::template mover<In, Scan::masked, Threads>;
    constexpr int kTile = Arrangement::kTile;
    using Op = op_of<Scan, In>;
    extern __shared__ uint4 shared_tile[];
    __shared__ typename Arrangement::shared sums;
    __shared__ typename Mover::shared loaded;
    __shared__ struct tile_place place;
    const tile_buffer<In> tile = { (In *)shared_tile,
                                   (uint8_t *)(shared_tile + Threads * Vecs) };
    Mover mover = { in, mask, tile, &loaded, 0 };
    if (threadIdx.x == 0) {
        mover.init();
        early_wait();
    }
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        /* load */
        if (threadIdx.x == 0)
            place =
                begin_tile<Scan, Design,
                           kSmBlocks<T, Scan::masked, Threads, Vecs>, kTile>(
                    t, ticket, states, mover);
        __syncthreads();
        const struct tile_place &p = place;
        if constexpr (!Mover::alone)
            start_tile<Scan, Design, kTile>(t, p, mover);
        if (!p.inside)
            clear_outside<Op, Arrangement::kPart, kTile>(p, tile.x);
        mover.wait(p);

        Arrangement mine(sums, tile, p);
        mine.upsweep();
        mine.template spine<typename Design::spine>(t, states);
        mine.downsweep(out);

        if (n + gridDim.x < t.tiles) {
            mover.release();
            __syncthreads(); /* the tile may be overwritten */
        }
    }
}

/* ------------------------------------------------------------------ host */

/* Vectors per thread: as many as Items floats take, for every type; kFitting:
 * as many as let three tiles with their masks fill an SM (k72: KB of each);
 * negative: the largest odd number with which -Items tiles fit. */
constexpr int kFitting = 0;
constexpr int fitting_odd(int tiles)
{
    return -tiles;
}
template <int Threads, int Items>
constexpr int vectors_held(int elem_bytes, bool masked)
{
    const int tiles = Items < 0 ? -Items : 3;
    const int fit =
        kFlightBytes / tiles / Threads / (16 + (masked ? 16 / elem_bytes : 0));
    return Items > 0 ? Items / 4 : Items < 0 ? (fit - 1) / 2 * 2 + 1 : fit;
}

template <int Threads, int Items>
static size_t single_pass_workspace(const struct problem *p)
{
    return look_back_workspace(
        p, Threads * vectors_held<Threads, Items>(out_elem_bytes(p),
                                                  op_has_mask(p->op)));
}

template <int Threads, int Items>
static const char *single_pass_refuses(const struct problem *p)
{
    const char *reason = look_back_refuses(p);
    const int elem_bytes = out_elem_bytes(p);
    const bool masked = op_has_mask(p->op);
    return reason ? reason
                  : tile_refuses(p, Threads *
                                        vectors_held<Threads, Items>(elem_bytes,
                                                                     masked) *
                                        (16 + (masked ? 16 / elem_bytes : 0)));
}

template <class Design, int Threads, int Items, unsigned Needs = NEEDS_NOTHING>
static int single_pass_launch(const struct problem *p, void *stream)
{
    return dispatch_scan<Needs>(p, [&]<class In, class Scan>(tag<In>, Scan) {
        using T = output_of<op_of<Scan, In>>;
        constexpr int kVecs =
            vectors_held<Threads, Items>(sizeof(T), Scan::masked);
        const auto kernel =
            single_pass<T, Scan, typename Design::template of<T>, Threads,
                        kVecs, In>;
        const int bytes = kTileBytes<T, Scan::masked, Threads, kVecs>;
        const struct line_tiling t = tiling_of(p, Threads * kVecs);
        return launch_tiles(p, look_back_bytes(p, t.line_tiles), kernel,
                            t.tiles, Threads, bytes, stream, p->in, p->mask,
                            p->out, t);
    });
}

/* Functions of a variant; the design's parts come last. */
#define SINGLE_PASS(threads, items, needs, ...)                                \
    .refuses = single_pass_refuses<threads, items>,                            \
    .workspace_bytes = single_pass_workspace<threads, items>,                  \
    .launch = single_pass_launch<design<__VA_ARGS__>, threads, items, needs>

#endif
