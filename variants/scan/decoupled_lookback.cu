/* SPDX-License-Identifier: MIT
 *
 * Idea     A block a tile, many tiles a line, one pass. A tile publishes its
 *          aggregate at once and scans what it holds; then one warp looks back
 *          over its predecessors, 64 at a time, adding aggregates until it
 *          meets a whole prefix. Points k72 fill an SM with three tiles and
 *          their masks; `rake` sums vectors in a row a lane; `scout` leaves the
 *          look-back to a warp that does nothing else; `stay` keeps blocks for
 *          many tiles.
 * Against  reduce_then_scan: the data is read once, not twice; and block_per_
 *          line: a long line keeps the whole GPU busy.
 * Traffic  2N elements and a word a tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many; bulk
 *          copies (compute capability 9.0).
 * Source   D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with
 *          Decoupled Look-back", NVR-2016-002.
 */
#include "variants/device.cuh"
#include "variants/scan/look_back.cuh"
#include "variants/scan/raw_tile.cuh"

/* A tile in shared memory, behind it its mask. */
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kTileBytes = Threads *Vecs *(16 + (Masked ? kVec<T> : 0));

/* Blocks an SM holds: so many bytes are in flight. */
constexpr int kFlightBytes = 216 << 10;
/* Tiles that a lane of a warp looks at in one go, if it does nothing else. */
constexpr int kScoutDepth = 3;
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kBlocks = kFlightBytes / kTileBytes<T, Masked, Threads, Vecs>;

template <class T, class Scan, int Threads, int Vecs>
static __global__ void
__launch_bounds__(Threads, kBlocks<T, Scan::masked, Threads, Vecs>)
    decoupled_lookback(const T *__restrict__ in,
                       const uint8_t *__restrict__ mask, T *__restrict__ out,
                       const struct tiling t, unsigned long long *ticket,
                       tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    using Raw = raw<T, kVec<T>>;
    constexpr int kRow = 32 * kVec<T>; /* elements a warp takes at a time */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    extern __shared__ uint4 shared_tile[];
    uint8_t *shared_mask = (uint8_t *)(shared_tile + Threads * Vecs);
    __shared__ Acc totals[Threads / 32], shared_carry;
    __shared__ struct tile_place shared_place;
    __shared__ uint64_t loaded;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * kRow + lane * kVec<T>; /* in the tile */
    T *tile = (T *)shared_tile;

    if (threadIdx.x == 0) {
        bulk_init(&loaded, 1);
        early_wait();
    }
    unsigned parity = 0;
    for (int64_t n = blockIdx.x; n < t.lines * t.line_tiles; n += gridDim.x) {
        /* load */
        if (threadIdx.x == 0) {
            const struct tile_place p = place_of<Scan::reverse, kTile>(
                t, (int64_t)atomicAdd(ticket, 1ull));
            stretch_ask_kept<Scan::masked>(p.part, in, mask, tile, shared_mask,
                                           &loaded);
            shared_place = p;
        }
        __syncthreads();
        const struct tile_place p = shared_place;
        if (!p.inside)
            for (int e = threadIdx.x; e < kTile; e += Threads)
                if (p.first + e < p.part.begin || p.first + e >= p.part.end)
                    tile[e] = from_acc<T>(0);
        stretch_wait<Scan::masked>(p.part, in, mask, tile, shared_mask, &loaded,
                                   &parity);
        if (!p.inside)
            __syncthreads();

        /* upsweep */
        Acc sums[Vecs], mine = 0;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            Raw x = raw_read<Raw>(tile + at + j * kRow);
            if (Scan::masked) {
                raw_select(x, raw_read<raw_mask<kVec<T>>>(shared_mask + at +
                                                          j * kRow));
                raw_write_shared(tile + at + j * kRow, x);
            }
            sums[j] = raw_sum(x);
            mine += sums[j];
        }
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2)
            mine += __shfl_xor_sync(kWholeWarp, mine, apart);

        /* spine: in the block, then over the tiles before it */
        Acc tile_total;
        Acc carry =
            warps_prefix<Scan::reverse, Threads>(mine, totals, &tile_total);
        /* A line's last tile tells nothing: a lone one needs no state. */
        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        const bool speaks = threadIdx.x == 0 && p.step + 1 < t.line_tiles;
        if (speaks)
            publish(state, p.step ? TILE_AGGREGATE : TILE_PREFIX, tile_total);

        /* downsweep in the warp, while the tiles before this one get done */
        Acc warp_total = 0;
#pragma unroll
        for (int turn = 0; turn < Vecs; ++turn) {
            const int j = Scan::reverse ? Vecs - 1 - turn : turn;
            Acc row_total;
            const Acc before = warp_prefix<Scan::reverse>(sums[j], &row_total);
            sums[j] = warp_total + before;
            warp_total += row_total;
        }
        if (warp == 0) {
            const Acc before = p.step ? look_back(state, p.step) : Acc(0);
            if (speaks && p.step)
                publish(state, TILE_PREFIX, before + tile_total);
            if (lane == 0)
                shared_carry = before;
        }
        __syncthreads();
        carry += shared_carry;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            Raw x = raw_read<Raw>(tile + at + j * kRow);
            raw_scan<Scan>(x, carry + sums[j]);
            raw_write_shared(tile + at + j * kRow, x);
        }

        /* store: a whole tile's warps each their own part */
        if (p.inside) {
            bulk_fence();
            __syncwarp();
            if (lane == 0) {
                bulk_store_first(out + p.first + warp * Vecs * kRow,
                                 tile + warp * Vecs * kRow, Vecs * 512,
                                 evict_first_policy());
                bulk_commit();
                bulk_drain();
            }
        } else {
            stretch_store(p.part, out, tile);
        }
        if (n + gridDim.x < t.lines * t.line_tiles)
            __syncthreads(); /* the tile is free again */
    }
#endif
}

/* ------------------------------------------------- a lane, vectors in a row */

/* A warp's vectors, so many in a row a lane: sums go from lane to lane once,
 * not once a row. Vectors are visited by turns, so that eight lanes never meet
 * in one bank: a lane begins at its vector number `turn`, and comes to those
 * before it in the end. */
template <class T, class Scan, int Vecs>
struct rake {
    using Acc = acc_t<T>;
    using Raw = raw<T, kVec<T>>;
    static constexpr int kTurns = Vecs % 8 == 0   ? 8
                                  : Vecs % 4 == 0 ? 4
                                  : Vecs % 2 == 0 ? 2
                                                  : 1;
    T *tile; /* of the lane */
    const uint8_t *mask;
    int turn;
    Acc late; /* the sum of the vectors visited last: they come first */

    __device__ __forceinline__ rake(T *tile, const uint8_t *mask)
        : tile(tile), mask(mask),
          turn((int)threadIdx.x % 32 / (8 / kTurns) % kTurns), late(0)
    {
    }

    /* Where the vector of visit number k lies. */
    __device__ __forceinline__ int place(int k) const
    {
        int v = k + turn;
        if (k + kTurns > Vecs && v >= Vecs)
            v -= Vecs;
        return (Scan::reverse ? Vecs - 1 - v : v) * kVec<T>;
    }

    __device__ __forceinline__ Raw read(int at) const
    {
        uint4 x = *(const uint4 *)(tile + at);
        if constexpr (Scan::masked)
            x = raw_where<T>(
                x, *(const raw_bits_t<raw_mask<kVec<T>>> *)(mask + at));
        return __builtin_bit_cast(Raw, x);
    }

    __device__ __forceinline__ Acc sum()
    {
        Acc all = 0;
#pragma unroll
        for (int k = 0; k < Vecs; ++k) {
            const Acc sum = raw_sum(read(place(k)));
            all += sum;
            if (k + kTurns > Vecs)
                late += k + turn >= Vecs ? sum : Acc(0);
        }
        return all;
    }

    __device__ __forceinline__ void scan(Acc carry)
    {
        Acc before = carry + late;
#pragma unroll
        for (int k = 0; k < Vecs; ++k) {
            const int at = place(k);
            Raw x = read(at);
            if (k + kTurns > Vecs)
                before = k + turn == Vecs ? carry : before;
            const Acc sum = raw_sum(x);
            raw_scan<Scan>(x, before);
            raw_write_shared(tile + at, x);
            before += sum;
        }
    }
};

/* warps_prefix() among the first Threads threads of a block that has more. */
template <bool Reverse, int Threads, class Acc>
__device__ __forceinline__ Acc workers_prefix(Acc warp_total, Acc *totals,
                                              Acc *total)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        totals[warp] = warp_total;
    asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory");
    const Acc mine = lane < Threads / 32 ? totals[lane] : Acc(0);
    const Acc before = warp_prefix<Reverse>(mine, total);
    return __shfl_sync(kWholeWarp, before, warp);
}

/* bulk_init() of several barriers: their fences would come one by one. */
template <int Count>
__device__ __forceinline__ void parts_init(uint64_t *barriers)
{
#pragma unroll
    for (int k = 0; k < Count; ++k)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                         shared_address(barriers + k))
                     : "memory");
    bulk_fence();
}

/* Asks for a warp's part of a tile that is all inside. */
template <bool Masked, int Part, class T>
__device__ __forceinline__ void
ask_part(const T *__restrict__ in, const uint8_t *__restrict__ mask, T *tile,
         uint8_t *tile_mask, uint64_t *loaded, uint64_t policy)
{
    bulk_expect(loaded, Part * (unsigned)(sizeof(T) + Masked));
    bulk_load_kept(tile, in, Part * (unsigned)sizeof(T), loaded, policy);
    if (Masked)
        bulk_load_kept(tile_mask, mask, Part, loaded, policy);
}

/* Stores it: a warp together, whose lanes have written it. */
template <int Part, class T>
__device__ __forceinline__ void store_part(T *out, const T *tile)
{
    bulk_fence();
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
        bulk_store_first(out, tile, Part * (unsigned)sizeof(T),
                         evict_first_policy());
        bulk_commit();
        bulk_drain();
    }
}

enum raking {
    RAKED,   /* warp 0 looks back when it has told its tile's sum */
    SCOUTED, /* a warp that does nothing else, when half of the tile is here */
    STAYING, /* the same, and blocks take tickets until there are none */
};

template <class T, class Scan, int Threads, int Vecs, int How>
static __global__ void
__launch_bounds__(Threads + (How == RAKED ? 0 : 32),
                  kBlocks<T, Scan::masked, Threads, Vecs>)
    raked_lookback(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                   T *__restrict__ out, const struct tiling t,
                   unsigned long long *ticket, tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    constexpr int kPart = Vecs * 32 * kVec<T>; /* elements of a warp */
    constexpr int kTile = Threads / 32 * kPart;
    constexpr int kScout = How == RAKED ? 0 : Threads / 32; /* warp */
    extern __shared__ uint4 shared_tile[];
    uint8_t *shared_mask = (uint8_t *)(shared_tile + Threads * Vecs);
    __shared__ Acc totals[Threads / 32], shared_carry;
    __shared__ struct tile_place shared_place;
    /* By parts, a warp has to wait for no more than its own. */
    constexpr bool kParts = How != RAKED;
    constexpr int kBarriers = 1 + (kParts ? Threads / 32 : 0);
    __shared__ uint64_t loaded[kBarriers]; /* whole tiles', then the parts' */
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = t.lines * t.line_tiles;
    const bool asks = threadIdx.x == kScout * 32;
    const bool works = How == RAKED || warp != kScout;
    T *tile = (T *)shared_tile;

    int64_t number = 0;
    if (asks) {
        early_wait();
        number = (int64_t)atomicAdd(ticket, 1ull);
        parts_init<kBarriers>(loaded);
    }
    unsigned parity = 0, part_parity = 0;
    for (int64_t n = blockIdx.x; n < tiles; n += gridDim.x) {
        /* load */
        if (asks) {
            const struct tile_place p =
                place_of<Scan::reverse, kTile>(t, number);
            if (kParts && p.inside) {
                const uint64_t policy = evict_last_policy();
#pragma unroll
                for (int w = 0; w < Threads / 32; ++w)
                    ask_part<Scan::masked, kPart>(
                        in + p.first + w * kPart, mask + p.first + w * kPart,
                        tile + w * kPart, shared_mask + w * kPart,
                        &loaded[1 + w], policy);
            } else {
                stretch_ask_kept<Scan::masked>(p.part, in, mask, tile,
                                               shared_mask, loaded);
            }
            shared_place = p;
        }
        __syncthreads();
        const struct tile_place &p = shared_place;
        const int64_t first = p.first, step = p.step;
        const bool inside = p.inside;
        if (kParts && inside) {
            bulk_wait(&loaded[1 + (works ? warp : Threads / 64)], part_parity);
            part_parity ^= 1;
        } else if (inside) {
            bulk_wait(loaded, parity);
            parity ^= 1;
        } else {
            clear_outside<kTile>(p, tile);
            stretch_wait<Scan::masked>(p.part, in, mask, tile, shared_mask,
                                       loaded, &parity);
            __syncthreads();
        }

        /* A line's last tile tells nothing: a lone one needs no state. */
        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        const bool speaks = threadIdx.x == 0 && step + 1 < t.line_tiles;
        const int at = (warp * 32 + lane) * Vecs * kVec<T>;
        rake<T, Scan, Vecs> mine(tile + at, shared_mask + at);
        Acc carry = 0, tile_total = 0;

        /* upsweep; spine: in the block, then over the tiles before it */
        if (works) {
            Acc warp_total;
            carry = warp_prefix<Scan::reverse>(mine.sum(), &warp_total);
            carry += workers_prefix<Scan::reverse, Threads>(warp_total, totals,
                                                            &tile_total);
            if (speaks)
                publish(state, step ? TILE_AGGREGATE : TILE_PREFIX, tile_total);
        }
        if (warp == kScout) {
            constexpr int kFar = How == RAKED ? kDepth : kScoutDepth;
            const Acc before = step ? look_back<kFar>(state, step) : Acc(0);
            if (How == RAKED && speaks && step)
                publish(state, TILE_PREFIX, before + tile_total);
            if (lane == 0)
                shared_carry = before;
        }
        __syncthreads();
        if (How != RAKED && speaks && step)
            publish(state, TILE_PREFIX, shared_carry + tile_total);

        /* downsweep */
        if (works)
            mine.scan(shared_carry + carry);

        /* store: a whole tile's warps each their own part */
        if (!inside)
            stretch_store(p.part, out, tile);
        else if (works)
            store_part<kPart>(out + first + warp * kPart, tile + warp * kPart);
        if (n + gridDim.x < tiles) {
            __syncthreads(); /* the tile is free again */
            if (asks)
                number = (int64_t)atomicAdd(ticket, 1ull);
        }
    }
#endif
}

/* Blocks that stay. The scout takes the next ticket as soon as a tile has its
 * carry, so that none waits for a tile which has not begun; and each warp asks
 * for its part of the next tile when its part of this one is stored. */
template <class T, class Scan, int Threads, int Vecs>
static __global__ void
__launch_bounds__(Threads + 32, kBlocks<T, Scan::masked, Threads, Vecs>)
    staying_lookback(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                     T *__restrict__ out, const struct tiling t,
                     unsigned long long *ticket, tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    constexpr int kWarps = Threads / 32; /* and the scout */
    constexpr int kPart = Vecs * 32 * kVec<T>;
    constexpr int kTile = kWarps * kPart;
    extern __shared__ uint4 shared_tile[];
    __shared__ Acc totals[kWarps], carries[2];
    __shared__ struct tile_place places[2]; /* by turns, as are the carries */
    __shared__ uint64_t loaded, part_loaded[kWarps], told;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = t.lines * t.line_tiles;
    const bool works = warp < kWarps;
    T *tile = (T *)shared_tile;
    uint8_t *tile_mask = (uint8_t *)(shared_tile + Threads * Vecs);

    const auto take = [&](struct tile_place *place) {
        struct tile_place p = { (int64_t)atomicAdd(ticket, 1ull) };
        if (p.number < tiles)
            p = place_of<Scan::reverse, kTile>(t, p.number);
        *place = p;
    };
    if (threadIdx.x == Threads) {
        parts_init<kWarps>(part_loaded);
        bulk_init(&loaded, 1);
        bulk_init(&told, 1);
        early_wait();
        take(&places[0]);
    }
    __syncthreads();

    unsigned parity = 0, part_parity = 0;
    for (unsigned turn = 0;; turn ^= 1) {
        const struct tile_place &p = places[turn];
        if (p.number >= tiles)
            break;
        /* load */
        const int64_t first = p.first, step = p.step;
        const bool inside = p.inside;
        if (inside) {
            if (works && lane == 0)
                ask_part<Scan::masked, kPart>(
                    in + first + warp * kPart, mask + first + warp * kPart,
                    tile + warp * kPart, tile_mask + warp * kPart,
                    &part_loaded[warp], evict_last_policy());
            bulk_wait(&part_loaded[works ? warp : kWarps / 2], part_parity);
            part_parity ^= 1;
        } else {
            __syncthreads(); /* all parts are free */
            if (threadIdx.x == Threads)
                stretch_ask_kept<Scan::masked>(p.part, in, mask, tile,
                                               tile_mask, &loaded);
            clear_outside<kTile>(p, tile);
            stretch_wait<Scan::masked>(p.part, in, mask, tile, tile_mask,
                                       &loaded, &parity);
            __syncthreads();
        }

        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        const bool speaks = threadIdx.x == 0 && step + 1 < t.line_tiles;
        const int at = threadIdx.x * Vecs * kVec<T>;
        rake<T, Scan, Vecs> mine(tile + at, tile_mask + at);
        Acc carry = 0, tile_total = 0;

        /* upsweep, spine */
        if (works) {
            Acc warp_total;
            carry = warp_prefix<Scan::reverse>(mine.sum(), &warp_total);
            carry += workers_prefix<Scan::reverse, Threads>(warp_total, totals,
                                                            &tile_total);
            if (speaks)
                publish(state, step ? TILE_AGGREGATE : TILE_PREFIX, tile_total);
        } else {
            const Acc before =
                step ? look_back<kScoutDepth>(state, step) : Acc(0);
            if (lane == 0)
                carries[turn] = before;
        }
        __syncthreads();
        if (speaks && step)
            publish(state, TILE_PREFIX, carries[turn] + tile_total);
        if (threadIdx.x == Threads) {
            take(&places[turn ^ 1]);
            bulk_expect(&told, 0);
        }

        /* downsweep, store */
        if (works)
            mine.scan(carries[turn] + carry);
        if (!inside) {
            stretch_store(p.part, out, tile);
            __syncthreads(); /* no part is asked for before that */
        } else if (works) {
            store_part<kPart>(out + first + warp * kPart, tile + warp * kPart);
        }
        bulk_wait(&told, turn);
    }
#endif
}

/* Vectors a thread, so that three tiles fill an SM, with their masks. */
template <int Threads>
constexpr int fitting(int bytes, bool masked)
{
    return kFlightBytes / 3 / Threads / (16 + (masked ? 16 / bytes : 0));
}

template <int Threads>
static size_t fitting_workspace(const struct problem *p)
{
    return look_back_workspace(
        p, Threads * fitting<Threads>((int)dtype_bytes(p->dtype),
                                      op_has_mask(p->op)));
}

/* rows: decoupled_lookback(); else a raking. */
constexpr int kRows = -1;
template <int Threads, int How>
static int launch_fitting(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        constexpr int kHeld = fitting<Threads>(sizeof(T), Scan::masked);
        constexpr int kBytes = kTileBytes<T, Scan::masked, Threads, kHeld>;
        const auto kernel = [] {
            if constexpr (How == kRows)
                return decoupled_lookback<T, Scan, Threads, kHeld>;
            else if constexpr (How == STAYING)
                return staying_lookback<T, Scan, Threads, kHeld>;
            else
                return raked_lookback<T, Scan, Threads, kHeld, How>;
        }();
        const struct tiling t = tiling_of(p, Threads * kHeld);
        const int error = bulk_room(kernel, kBytes);
        if (error != cudaSuccess)
            return error;
        const int64_t tiles = t.lines * t.line_tiles;
        const int64_t held = (int64_t)p->device->sm_count *
                             kBlocks<T, Scan::masked, Threads, kHeld>;
        return look_back_launch(
            kernel, grid_x(How == STAYING && held < tiles ? held : tiles),
            Threads + (How == SCOUTED || How == STAYING ? 32 : 0), kBytes, p,
            look_back_bytes(p, t.line_tiles), stream, (const T *)p->in, p->mask,
            (T *)p->out, t, (unsigned long long *)p->workspace,
            (tile_state<acc_t<T>> *)((char *)p->workspace + kTicketBytes));
    });
}

/* Vectors a thread, whatever the type: `Items` floats. */
template <int Items>
constexpr int kVecs = Items / 4;

template <int Threads, int Items>
static size_t workspace_bytes(const struct problem *p)
{
    return look_back_workspace(p, Threads * kVecs<Items>);
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    const struct tiling t = tiling_of(p, Threads * kVecs<Items>);
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const auto kernel =
            decoupled_lookback<T, decltype(scan), Threads, kVecs<Items>>;
        const int bytes =
            kTileBytes<T, decltype(scan)::masked, Threads, kVecs<Items>>;
        const int error = bulk_room(kernel, bytes);
        if (error != cudaSuccess)
            return error;
        return look_back_launch(
            kernel, grid_x(t.lines * t.line_tiles), Threads, bytes, p,
            look_back_bytes(p, t.line_tiles), stream, (const T *)p->in, p->mask,
            (T *)p->out, t, (unsigned long long *)p->workspace,
            (tile_state<acc_t<T>> *)((char *)p->workspace + kTicketBytes));
    });
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "decoupled_lookback_b" #threads "_i" #items,                   \
        .idea = "a block a tile, which looks back over its predecessors",      \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = false,             \
        .refuses = look_back_refuses,                                          \
        .workspace_bytes = workspace_bytes<threads, items>,                    \
        .launch = launch<threads, items>                                       \
    }

/* k72: KB of a tile and its mask. The shortest is one of doubles and mask. */
#define FITTING(threads, how, value, what)                                     \
    {                                                                          \
        .name = "decoupled_lookback_b" #threads "_k72" how, .idea = what,      \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 8192,          \
        .deterministic = false, .refuses = look_back_refuses,                  \
        .workspace_bytes = fitting_workspace<threads>,                         \
        .launch = launch_fitting<threads, value>                               \
    }

VARIANTS(scan__decoupled_lookback) = {
    POINT(256, 64),
    POINT(512, 32),
    POINT(512, 36),
    FITTING(256, "", kRows, "tiles with their masks, three of them fill an SM"),
    FITTING(256, "_rake", RAKED, "vectors in a row a thread, few shuffles"),
    FITTING(256, "_scout", SCOUTED, "and one warp that only looks back"),
    FITTING(256, "_stay", STAYING, "and blocks stay for many tiles"),
    {},
};
