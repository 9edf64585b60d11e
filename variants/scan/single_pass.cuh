/* SPDX-License-Identifier: MIT
 *
 * A single-pass scan of contiguous lines: a block takes a tile at a time, into
 * shared memory; many tiles a line. How a tile learns what comes before it is
 * a Spine, and the idea of the file that has it:
 *   at_once(state, step, total)   publishes what a tile knows by itself,
 *   before(state, step)           waits for the sum of all before it,
 *   in_the_end(state, step, sum)  publishes what it knows then: the sum of all
 *                                 up to its end.
 * A whole warp calls before(), one thread the others. `step` is the tile's
 * number in its line; the first tile calls at_once() only, the last before()
 * only.
 */
#ifndef VARIANTS_SCAN_SINGLE_PASS_CUH
#define VARIANTS_SCAN_SINGLE_PASS_CUH

#include "variants/common/device.cuh"
#include "variants/common/look_back.cuh"

/* Asks a tile again and again, until it has published something. */
template <class Acc>
__device__ __forceinline__ void await_tile(const tile_state<Acc> *tile,
                                           unsigned flag, Acc *value)
{
    while (flag == TILE_NOTHING) {
        __nanosleep(20);
        flag = peek(tile, value);
    }
}

/* A tile in shared memory, behind it its mask. */
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kTileBytes = Threads *Vecs *(16 + (Masked ? kVec<T> : 0));

/* Blocks an SM holds: so many bytes are in flight. */
constexpr int kFlightBytes = 216 << 10;
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kBlocks = kFlightBytes / kTileBytes<T, Masked, Threads, Vecs>;

/* Of these, as many as have registers enough, for so many threads. */
constexpr int kMostThreads = 1536;
template <class T, bool Masked, int Threads, int Vecs>
constexpr int kHeld = kBlocks<T, Masked, Threads, Vecs> < kMostThreads / Threads
                          ? kBlocks<T, Masked, Threads, Vecs>
                          : kMostThreads / Threads;

/* Stores a warp's part of a tile in shared memory, which is the warp's own and
 * begins at index `from`, in vectors. Bulk copies would write as much, but it
 * reaches the DRAM less in order. */
template <int Vecs, class T>
__device__ __forceinline__ void store_part(const struct tile_place &p,
                                           int64_t from, T *__restrict__ out,
                                           const T *tile)
{
    constexpr int kRow = 32 * kVec<T>;
    const int lane = threadIdx.x % 32;
    const T *x = tile + (from - p.first);
    __syncwarp();
    if (p.inside) {
        const int at = lane * kVec<T>;
#pragma unroll 6
        for (int k = 0; k < Vecs; ++k)
            write_first(out + from + at + k * kRow,
                        *(const uint4 *)(x + at + k * kRow));
        return;
    }
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

template <class T, class Scan, class Spine, int Threads, int Vecs>
static __global__ void
__launch_bounds__(Threads, kBlocks<T, Scan::masked, Threads, Vecs>)
    single_pass(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                T *__restrict__ out, const struct tiling t,
                unsigned long long *ticket, tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    using Raw = vec<T>;
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
    const int64_t tiles = t.lines * t.line_tiles;
    for (int64_t n = blockIdx.x; n < tiles; n += gridDim.x) {
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
            Raw x = read_vec<Raw>(tile + at + j * kRow);
            if (Scan::masked) {
                x = __builtin_bit_cast(
                    Raw, keep_where<T>(__builtin_bit_cast(uint4, x),
                                       read_vec<words_t<mask_vec<T>>>(
                                           shared_mask + at + j * kRow)));
                write_shared(tile + at + j * kRow, x);
            }
            sums[j] = vec_reduce<op_of<Scan, T>>(x);
            mine += sums[j];
        }
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2)
            mine += __shfl_xor_sync(kWholeWarp, mine, apart);

        /* spine: in the block, then over the tiles before it */
        Acc tile_total;
        Acc carry =
            warps_prefix<Scan::reverse, Threads>(mine, totals, &tile_total);
        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        /* A line's last tile tells nothing: a lone one needs no state. */
        const bool speaks = threadIdx.x == 0 && p.step + 1 < t.line_tiles;
        if (speaks)
            Spine::at_once(state, p.step, tile_total);

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
            const Acc before = p.step ? Spine::before(state, p.step) : Acc(0);
            if (speaks && p.step)
                Spine::in_the_end(state, p.step, before + tile_total);
            if (lane == 0)
                shared_carry = before;
        }
        __syncthreads();

        /* downsweep with the carry, store: of a whole tile each vector at once;
         * bulk copies' stores reach the DRAM less in order */
        carry += shared_carry;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            Raw x = read_vec<Raw>(tile + at + j * kRow);
            vec_scan<Scan, op_of<Scan, T>>(x, carry + sums[j]);
            if (p.inside)
                write_first(out + p.first + at + j * kRow,
                            __builtin_bit_cast(uint4, x));
            else
                write_shared(tile + at + j * kRow, x);
        }
        if (!p.inside)
            stretch_store(p.part, out, tile);
        if (n + gridDim.x < tiles) {
            bulk_fence();
            __syncthreads(); /* the tile is free again */
        }
    }
#endif
}

/* Vectors a thread: as `Items` floats take, whatever the type; or so many that
 * three tiles with their masks fill an SM (k72: KB of each); or an odd number
 * with which so many tiles just fit. */
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
        p, Threads * vectors_held<Threads, Items>((int)dtype_bytes(p->dtype),
                                                  op_has_mask(p->op)));
}

template <class Spine>
struct spined {
    template <class T, class Scan, int Threads, int Vecs>
    static constexpr auto kernel = single_pass<T, Scan, Spine, Threads, Vecs>;
};

/* Of a kernel with single_pass()'s parameters. */
template <class Kernels, int Threads, int Items>
static int tiles_launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        constexpr int kVecs =
            vectors_held<Threads, Items>(sizeof(T), Scan::masked);
        const auto kernel = Kernels::template kernel<T, Scan, Threads, kVecs>;
        const int bytes = kTileBytes<T, Scan::masked, Threads, kVecs>;
        const struct tiling t = tiling_of(p, Threads * kVecs);
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

template <class Spine, int Threads, int Items>
static int single_pass_launch(const struct problem *p, void *stream)
{
    return tiles_launch<spined<Spine>, Threads, Items>(p, stream);
}

#endif
