/* SPDX-License-Identifier: MIT
 *
 * Idea     A tile waits for its carry in registers; meanwhile the block's next
 *          tiles arrive in shared memory: their tickets are taken.
 * Against  decoupled_lookback: there a tile waits in the shared memory that
 *          the next one could use, and the start of a block and the way of
 *          its ticket come before every load.
 * Traffic  2N elements and one word per tile (passes = 1).
 * Needs    inner == 1, and lines that are not both short and many; bulk
 *          copies (compute capability 9.0).
 * Source   D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with
 *          Decoupled Look-back", NVR-2016-002.
 * Lesson   A tile that waits for its carry should leave room for the next
 *          loads.
 */
#include "variants/common/access/bulk_copy.cuh"
#include "variants/common/kernel.cuh"
#include "variants/common/look_back/look_back.cuh"

/* A lane reduces vectors of several rows. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

/* A tile in shared memory, behind it its mask. */
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kTileBytes = Threads *Vecs *(16 + (Masked ? kVec<T> : 0));

/* All that a block has: such tiles, and a sum for each vector of one. */
template <class T, class Acc, bool Masked, int Threads, int Vecs, int Slots>
constexpr int kSharedBytes = Slots *kTileBytes<T, Masked, Threads, Vecs> +
                             Threads *Vecs *(int)sizeof(Acc);

/* A vector of a tile that is not all inside, as far as it is. */
template <class T, class Raw>
__device__ __forceinline__ void store_part(const struct span &s, int64_t e,
                                           T *__restrict__ out, const Raw &x)
{
    if (e >= s.bulk_begin && e + kVec<T> <= s.bulk_end) {
        write_vec(out + e, x);
        return;
    }
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (e + k >= s.begin && e + k < s.end)
            out[e + k] = x.item[k];
}

/* Brings a tile that is not all inside, and those parts of it that bulk copies
 * do not reach. Every thread of the block. */
template <class Op, bool Masked, int Tile, class Meet, class T>
__device__ __forceinline__ void
bring_part(const struct tile_place &p, const T *__restrict__ in,
           const uint8_t *__restrict__ mask, T *tile, uint8_t *tile_mask,
           uint64_t *loaded, unsigned *parity)
{
    for (int e = threadIdx.x; e < Tile; e += blockDim.x)
        if (p.first + e < p.part.begin || p.first + e >= p.part.end)
            tile[e] = Op::pad();
    span_wait<Masked>(p.part, in, mask, tile, tile_mask, loaded, parity);
    bulk_fence(); /* the slot's next tile comes by bulk copies */
    Meet::wait();
}

/* What a block's warps share: tiles of turns, and the slots that they lie in.
 */
template <class T, class Scan, int Threads, int Vecs, int Slots>
struct ahead {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    /* One warp more than Threads. */
    using Meet = counting_barrier<Threads + 32>;
    static constexpr int kRow =
        32 * kVec<T>; /* elements a warp takes at once */
    static constexpr int kTile = Threads / 32 * Vecs * kRow;
    static constexpr int kBytes = kTileBytes<T, Scan::masked, Threads, Vecs>;

    const struct tiling &t;
    int64_t tiles;
    const T *__restrict__ in;
    const uint8_t *__restrict__ mask;
    uint8_t *slots;
    struct tile_place *places; /* of turns, Slots + 1 of them */
    uint64_t *loaded;
    Acc *totals, *carry;
    unsigned parities; /* one bit per slot */

    __device__ __forceinline__ T *tile(unsigned slot) const
    {
        return (T *)(slots + slot * kBytes);
    }
    __device__ __forceinline__ uint8_t *tile_mask(unsigned slot) const
    {
        return slots + slot * kBytes + Threads * Vecs * 16;
    }
    __device__ __forceinline__ bool over(const struct tile_place &p) const
    {
        return p.number >= tiles;
    }

    /* Brings what bulk copies do not, if anything. */
    __device__ __forceinline__ void bring(const struct tile_place &p,
                                          unsigned slot, bool waits)
    {
        unsigned parity = parities >> slot & 1;
        if (!p.inside)
            bring_part<Op, Scan::masked, kTile, Meet>(p, in, mask, tile(slot),
                                                      tile_mask(slot),
                                                      &loaded[slot], &parity);
        else if (waits)
            bulk_wait(&loaded[slot], parity);
        if (p.part.bulk_begin < p.part.bulk_end)
            parities ^= 1u << slot;
    }
};

/* Takes tickets and asks for their tiles; one thread has it. */
template <class Ahead>
struct asker {
    unsigned long long *ticket;
    unsigned long long next; /* ticket of the next tile asked for */
    unsigned asked;

    template <class T, class Scan, int Threads, int Vecs, int Slots>
    __device__ __forceinline__ void
    ask(const ahead<T, Scan, Threads, Vecs, Slots> &a)
    {
        const unsigned slot = asked % Slots;
        struct tile_place p;
        p.number = (int64_t)next;
        if (!a.over(p)) {
            next = atomicAdd(ticket, 1ull);
            p = place_of<Scan::reverse, Ahead::kTile>(a.t, p.number);
            span_ask_kept<Scan::masked>(p.part, a.in, a.mask, a.tile(slot),
                                        a.tile_mask(slot), &a.loaded[slot]);
        }
        a.places[asked % (Slots + 1)] = p;
        ++asked;
    }
};

/* The last warp asks for tiles and looks back. */
template <class T, class Scan, int Threads, int Vecs, int Slots>
__device__ __forceinline__ void
look_ahead(ahead<T, Scan, Threads, Vecs, Slots> &a, unsigned long long *ticket,
           tile_state<acc_of<Scan, T>> *states)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Ahead = ahead<T, Scan, Threads, Vecs, Slots>;
    using Meet = typename Ahead::Meet;
    const int lane = threadIdx.x % 32;
    asker<Ahead> asker = { ticket, 0, 0 };
    if (lane == 0) {
        for (int s = 0; s < Slots; ++s)
            bulk_init(&a.loaded[s], 1);
        early_wait();
        asker.next = atomicAdd(ticket, 1ull);
        asker.ask(a);
    }
    __syncwarp();
    Meet::wait();

    for (unsigned turn = 0;; ++turn) {
        const struct tile_place &p = a.places[turn % (Slots + 1)];
        if (a.over(p))
            break;
        a.bring(p, turn % Slots, false);
        Acc tile_total;
        warps_prefix<Op, Scan::reverse, Threads, Meet>(Op::identity(), a.totals,
                                                       &tile_total);

        /* spine. A line's last tile publishes nothing. */
        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        const int64_t step = p.step;
        const bool publishes = lane == 0 && step + 1 < a.t.line_tiles;
        if (publishes)
            publish(state, step ? TILE_AGGREGATE : TILE_PREFIX, tile_total);
        /* load. The slot is free; the first time, all are: not sooner, as
         * a block's tiles should not be neighbours. */
        if (lane == 0)
            while (asker.asked <= turn + Slots)
                asker.ask(a);
        __syncwarp();
        const Acc past = step ? look_back<Op>(state, step) : Op::identity();
        if (publishes && step)
            publish(state, TILE_PREFIX, Op::combine(past, tile_total));
        if (lane == 0)
            *a.carry = past;
        Meet::wait();
    }
}

/* A thread's vectors of a tile, which wait for the carry in registers. */
template <class T, class Scan, int Threads, int Vecs>
struct waiting {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    static constexpr int kRow = 32 * kVec<T>;
    uint4 r[Vecs];

    /* upsweep: the warp's sum. */
    __device__ __forceinline__ Acc read(const T *tile, const uint8_t *mask)
    {
        Acc mine = Op::identity();
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            r[j] = *(const uint4 *)(tile + j * kRow);
            if (Scan::masked) {
                r[j] = keep_where<Op>(
                    r[j], read_vec<words_t<mask_vec<T>>>(mask + j * kRow));
                forget(r[j]);
            }
            mine = Op::combine(mine, vec_reduce<Op, Scan::reverse>(
                                         __builtin_bit_cast(vec<T>, r[j])));
            forget(r[j]);
        }
        return warp_reduce<Op>(mine);
    }

    /* downsweep in the warp: of each vector, what comes before it there, to
     * `before`. */
    __device__ __forceinline__ void sweep(unsigned zero, Acc *before)
    {
        Acc warp_total = Op::identity();
#pragma unroll
        for (int order = 0; order < Vecs; ++order) {
            const int j = Scan::reverse ? Vecs - 1 - order : order;
            if (sizeof(T) == 2)
                forget(r[j], zero);
            const Acc sum =
                vec_reduce<Op, Scan::reverse>(__builtin_bit_cast(vec<T>, r[j]));
            forget(r[j]);
            Acc row_total;
            const Acc in_row = warp_prefix<Op, Scan::reverse>(sum, &row_total);
            before[j * Threads] = Op::combine(warp_total, in_row);
            warp_total = Op::combine(warp_total, row_total);
        }
    }

    /* Calls put(j, vector) for the scanned vectors. */
    template <class Put>
    __device__ __forceinline__ void write(unsigned zero, const Acc *before,
                                          Acc carry, Put put)
    {
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            forget(r[j]);
            if (sizeof(T) == 2)
                forget(r[j], zero);
            vec<T> x = __builtin_bit_cast(vec<T>, r[j]);
            vec_scan<Scan, Op>(x, Op::combine(carry, before[j * Threads]));
            put(j, x);
        }
    }
};

/* The others scan. */
template <class T, class Scan, int Threads, int Vecs, int Slots>
__device__ __forceinline__ void
scan_tiles(ahead<T, Scan, Threads, Vecs, Slots> &a, T *__restrict__ out)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using Ahead = ahead<T, Scan, Threads, Vecs, Slots>;
    using Meet = typename Ahead::Meet;
    constexpr int kRow = Ahead::kRow;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * kRow + lane * kVec<T>; /* in the tile */
    const unsigned zero = hidden_zero();
    /* In shared memory, as the registers are full. No other thread looks
     * there. */
    Acc *before = (Acc *)(a.slots + Slots * Ahead::kBytes) + threadIdx.x;
    Meet::wait();
    for (unsigned turn = 0;; ++turn) {
        const struct tile_place &p = a.places[turn % (Slots + 1)];
        if (a.over(p))
            break;
        const unsigned slot = turn % Slots;
        a.bring(p, slot, true);
        waiting<T, Scan, Threads, Vecs> tile;
        const Acc mine = tile.read(a.tile(slot) + at, a.tile_mask(slot) + at);
        Acc tile_total;
        Acc carry = warps_prefix<Op, Scan::reverse, Threads, Meet>(
            mine, a.totals, &tile_total);
        /* while the tiles before this one get done */
        tile.sweep(zero, before);
        Meet::wait();
        carry = Op::combine(*a.carry, carry);

        /* store */
        if (p.inside) {
            T *to = out + p.first + at;
            tile.write(zero, before, carry, [&](int j, const vec<T> &x) {
                __stcs((uint4 *)(to + j * kRow), __builtin_bit_cast(uint4, x));
            });
        } else {
            tile.write(zero, before, carry, [&](int j, const vec<T> &x) {
                store_part<T>(p.part, p.first + at + j * kRow, out, x);
            });
        }
    }
}

/* A block's tickets rise, and it works on its tiles in their order: whatever
 * blocks run, the first tile that is not done has all before it done, and is
 * the next that its block works on. */
template <class T, class Scan, int Threads, int Vecs, int Slots>
static __global__ void
__launch_bounds__(Threads + 32, kResident<Threads + 32, 1024 / Threads>)
    decoupled_lookahead(const T *__restrict__ in,
                        const uint8_t *__restrict__ mask, T *__restrict__ out,
                        const struct tiling t, unsigned long long *ticket,
                        tile_state<acc_of<Scan, T>> *states)
{
#if HAS_BULK_COPY
    extern __shared__ uint4 slots[];
    __shared__ acc_of<Scan, T> totals[Threads / 32 + 1], shared_carry;
    __shared__ struct tile_place places[Slots + 1];
    __shared__ uint64_t loaded[Slots];
    ahead<T, Scan, Threads, Vecs, Slots> a = { t,
                                               t.lines * t.line_tiles,
                                               in,
                                               mask,
                                               (uint8_t *)slots,
                                               places,
                                               loaded,
                                               totals,
                                               &shared_carry,
                                               0 };
    if (threadIdx.x / 32 == Threads / 32)
        look_ahead(a, ticket, states);
    else
        scan_tiles(a, out);
#endif
}

/* i: vectors per thread, times four: floats. s: slots. */
template <int Items>
constexpr int kVecs = Items / 4;

template <int Threads, int Items, int Slots>
static size_t workspace_bytes(const struct problem *p)
{
    return look_back_workspace(p, Threads * kVecs<Items>);
}

template <int Threads, int Items, int Slots>
static int launch(const struct problem *p, void *stream)
{
    const struct tiling t = tiling_of(p, Threads * kVecs<Items>);
    return dispatch_scan<kNeeds>(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const auto kernel = decoupled_lookahead<T, decltype(scan), Threads,
                                                kVecs<Items>, Slots>;
        const int bytes =
            kSharedBytes<T, acc_of<decltype(scan), T>, decltype(scan)::masked,
                         Threads, kVecs<Items>, Slots>;
        int error = bulk_room(kernel, bytes), blocks = 0;
        if (error == cudaSuccess)
            error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &blocks, kernel, Threads + 32, (size_t)bytes);
        if (error != cudaSuccess)
            return error;
        const int64_t tiles = t.lines * t.line_tiles;
        const int64_t held = (int64_t)p->device->sm_count * blocks;
        return look_back_launch(
            kernel, (unsigned)(tiles < held ? tiles : held), Threads + 32,
            bytes, p, look_back_bytes(p, t.line_tiles), stream,
            (const T *)p->in, p->mask, (T *)p->out, t,
            (unsigned long long *)p->workspace,
            (tile_state<acc_of<decltype(scan), T>> *)((char *)p->workspace +
                                                      kTicketBytes));
    });
}

static const char *refuses(const struct problem *p)
{
    const char *reason = look_back_refuses(p);
    return reason ? reason : bulk_lacking(p);
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items, slots)                                           \
    {                                                                          \
        .name = "decoupled_lookahead_b" #threads "_i" #items "_s" #slots,      \
        .idea = "a tile waits for its carry in registers, the next ones land", \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = false,             \
        .refuses = refuses,                                                    \
        .workspace_bytes = workspace_bytes<threads, items, slots>,             \
        .launch = launch<threads, items, slots>                                \
    }

VARIANTS(scan__decoupled_lookahead) = {
    POINT(512, 28, 1),
    {},
};
