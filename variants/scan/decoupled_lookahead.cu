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
 * Lesson   A tile that waits for its carry should not hold what the next loads
 *          need.
 */
#include "variants/common/bulk_copy.cuh"
#include "variants/common/look_back.cuh"

/* A tile in shared memory, behind it its mask. */
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kTileBytes = Threads *Vecs *(16 + (Masked ? kVec<T> : 0));

/* All that a block has: such tiles, and a sum for each vector of one. */
template <class T, bool Masked, int Threads, int Vecs, int Slots>
constexpr int kSharedBytes = Slots *kTileBytes<T, Masked, Threads, Vecs> +
                             Threads *Vecs *(int)sizeof(acc_t<T>);

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
template <bool Masked, int Tile, class Meet, class T>
__device__ __forceinline__ void
bring_part(const struct tile_place &p, const T *__restrict__ in,
           const uint8_t *__restrict__ mask, T *tile, uint8_t *tile_mask,
           uint64_t *loaded, unsigned *parity)
{
    for (int e = threadIdx.x; e < Tile; e += blockDim.x)
        if (p.first + e < p.part.begin || p.first + e >= p.part.end)
            tile[e] = from_acc<T>(0);
    span_wait<Masked>(p.part, in, mask, tile, tile_mask, loaded, parity);
    bulk_fence(); /* the slot's next tile comes by bulk copies */
    Meet::wait();
}

/* One warp more than Threads: it takes tickets, asks for tiles and looks back.
 * A block's tickets rise, and it works on its tiles in their order: whatever
 * blocks run, the first tile that is not done has all before it done, and is
 * the next that its block works on. */
template <class T, class Scan, int Threads, int Vecs, int Slots>
static __global__ void
__launch_bounds__(Threads + 32, kResident<Threads + 32, 1024 / Threads>)
    decoupled_lookahead(const T *__restrict__ in,
                        const uint8_t *__restrict__ mask, T *__restrict__ out,
                        const struct tiling t, unsigned long long *ticket,
                        tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    using Raw = vec<T>;
    using Meet = counting_barrier<Threads + 32>;
    constexpr int kRow = 32 * kVec<T>; /* elements a warp takes at a time */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    constexpr int kBytes = kTileBytes<T, Scan::masked, Threads, Vecs>;
    extern __shared__ uint4 slots[];
    __shared__ Acc totals[Threads / 32 + 1], shared_carry;
    __shared__ struct tile_place places[Slots + 1]; /* of turns */
    __shared__ uint64_t loaded[Slots];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = t.lines * t.line_tiles;
    unsigned parities = 0; /* one bit per slot */

    if (warp == Threads / 32) {
        unsigned long long ahead =
            0; /* the ticket of the next tile asked for */
        unsigned asked = 0;
        const auto ask = [&]() {
            const unsigned slot = asked % Slots;
            uint8_t *tile = (uint8_t *)slots + slot * kBytes;
            struct tile_place p;
            p.number = (int64_t)ahead;
            if (p.number < tiles) {
                ahead = atomicAdd(ticket, 1ull);
                p = place_of<Scan::reverse, kTile>(t, p.number);
                span_ask_kept<Scan::masked>(p.part, in, mask, (T *)tile,
                                            tile + Threads * Vecs * 16,
                                            &loaded[slot]);
            }
            places[asked % (Slots + 1)] = p;
            ++asked;
        };
        if (lane == 0) {
            for (int s = 0; s < Slots; ++s)
                bulk_init(&loaded[s], 1);
            early_wait();
            ahead = atomicAdd(ticket, 1ull);
            ask();
        }
        __syncwarp();
        Meet::wait();

        for (unsigned turn = 0;; ++turn) {
            const struct tile_place &p = places[turn % (Slots + 1)];
            if (p.number >= tiles)
                break;
            const unsigned slot = turn % Slots;
            if (!p.inside) {
                T *tile = (T *)((uint8_t *)slots + slot * kBytes);
                unsigned parity = parities >> slot & 1;
                bring_part<Scan::masked, kTile, Meet>(
                    p, in, mask, tile, (uint8_t *)tile + Threads * Vecs * 16,
                    &loaded[slot], &parity);
            }
            if (p.part.bulk_begin < p.part.bulk_end)
                parities ^= 1u << slot;
            Acc tile_total;
            warps_prefix<Scan::reverse, Threads, Meet>(Acc(0), totals,
                                                       &tile_total);

            /* spine. A line's last tile publishes nothing. */
            tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
            const int64_t step = p.step;
            const bool publishes = lane == 0 && step + 1 < t.line_tiles;
            if (publishes)
                publish(state, step ? TILE_AGGREGATE : TILE_PREFIX, tile_total);
            /* load. The slot is free; the first time, all are: not sooner, as
             * a block's tiles should not be neighbours. */
            if (lane == 0)
                while (asked <= turn + Slots)
                    ask();
            __syncwarp();
            const Acc past =
                step ? look_back<op_of<Scan, T>>(state, step) : Acc(0);
            if (publishes && step)
                publish(state, TILE_PREFIX, past + tile_total);
            if (lane == 0)
                shared_carry = past;
            Meet::wait();
        }
        return;
    }

    const int at = warp * Vecs * kRow + lane * kVec<T>; /* in the tile */
    const unsigned zero = hidden_zero();
    /* Of each vector, what comes before it in its warp: in shared memory, as
     * the registers are full. No other thread looks there. */
    Acc *before = (Acc *)((uint8_t *)slots + Slots * kBytes) + threadIdx.x;
    Meet::wait();
    for (unsigned turn = 0;; ++turn) {
        const struct tile_place &p = places[turn % (Slots + 1)];
        if (p.number >= tiles)
            break;
        const unsigned slot = turn % Slots;
        T *tile = (T *)((uint8_t *)slots + slot * kBytes);
        uint8_t *tile_mask = (uint8_t *)tile + Threads * Vecs * 16;
        unsigned parity = parities >> slot & 1;
        if (p.inside)
            bulk_wait(&loaded[slot], parity);
        else
            bring_part<Scan::masked, kTile, Meet>(p, in, mask, tile, tile_mask,
                                                  &loaded[slot], &parity);
        if (p.part.bulk_begin < p.part.bulk_end)
            parities ^= 1u << slot;

        /* upsweep */
        uint4 r[Vecs];
        Acc mine = 0;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            r[j] = *(const uint4 *)(tile + at + j * kRow);
            if (Scan::masked) {
                r[j] = keep_where<T>(r[j], read_vec<words_t<mask_vec<T>>>(
                                               tile_mask + at + j * kRow));
                forget(r[j]);
            }
            mine += vec_reduce<op_of<Scan, T>>(__builtin_bit_cast(Raw, r[j]));
            forget(r[j]);
        }
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2)
            mine += __shfl_xor_sync(kWholeWarp, mine, apart);
        Acc tile_total;
        Acc carry = warps_prefix<Scan::reverse, Threads, Meet>(mine, totals,
                                                               &tile_total);

        /* downsweep in the warp, while the tiles before this one get done */
        Acc warp_total = 0;
#pragma unroll
        for (int order = 0; order < Vecs; ++order) {
            const int j = Scan::reverse ? Vecs - 1 - order : order;
            if (sizeof(T) == 2)
                forget(r[j], zero);
            const Acc sum =
                vec_reduce<op_of<Scan, T>>(__builtin_bit_cast(Raw, r[j]));
            forget(r[j]);
            Acc row_total;
            const Acc in_row = warp_prefix<Scan::reverse>(sum, &row_total);
            before[j * Threads] = warp_total + in_row;
            warp_total += row_total;
        }
        Meet::wait();
        carry += shared_carry;

        /* store */
        if (p.inside) {
            T *to = out + p.first + at;
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                forget(r[j]);
                if (sizeof(T) == 2)
                    forget(r[j], zero);
                Raw x = __builtin_bit_cast(Raw, r[j]);
                vec_scan<Scan, op_of<Scan, T>>(x, carry + before[j * Threads]);
                __stcs((uint4 *)(to + j * kRow), __builtin_bit_cast(uint4, x));
            }
        } else {
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                forget(r[j]);
                if (sizeof(T) == 2)
                    forget(r[j], zero);
                Raw x = __builtin_bit_cast(Raw, r[j]);
                vec_scan<Scan, op_of<Scan, T>>(x, carry + before[j * Threads]);
                store_part<T>(p.part, p.first + at + j * kRow, out, x);
            }
        }
    }
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
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const auto kernel = decoupled_lookahead<T, decltype(scan), Threads,
                                                kVecs<Items>, Slots>;
        const int bytes = kSharedBytes<T, decltype(scan)::masked, Threads,
                                       kVecs<Items>, Slots>;
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
            (tile_state<acc_t<T>> *)((char *)p->workspace + kTicketBytes));
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
