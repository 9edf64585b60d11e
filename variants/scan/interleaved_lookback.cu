/* SPDX-License-Identifier: MIT
 *
 * Idea     Where a row is part of a 16-byte vector, lines lie interleaved in
 *          contiguous memory. So this is a scan along memory whose sums are
 *          small vectors, one column each; a column is known by its place in
 *          the 16 bytes, and never mixes with others. In a tile in shared
 *          memory each lane has consecutive vectors, an odd number, so that
 *          eight lanes never meet in a bank. One warp a column adds up what the
 *          warps have, and looks back: columns wait at the same time (eight of
 *          them in four warps: by turns). The first tiles are asked for in
 *          turns (start_in_turns.cuh), as decoupled_lookback_blocked's.
 * Against  decoupled_lookback_blocked, the same walk with one sum; and
 * row_tile_lookback, whose threads take rows of a column element by element.
 * Traffic  2N elements and a word a column and tile (passes = 1).
 * Needs    inner of 2, 4 or 8 that divides a 16-byte vector, lines that are not
 *          both short and many; bulk copies (compute capability 9.0).
 * Source   none; the look-back is decoupled_lookback's.
 * Lesson   Lines that share a vector are one line of small vectors; that pays
 *          most in halves, whose elements are too many to take one by one.
 */
#include "variants/scan/single_pass.cuh"

/* A vector's sum by columns. */
template <class Acc, int Columns, class T, int Width>
__device__ __forceinline__ void column_sums(const vec<T, Width> &x,
                                            Acc (&sums)[Columns])
{
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        const Acc value = to_acc(x.item[k]);
        sums[k % Columns] = k < Columns ? value : sums[k % Columns] + value;
    }
}

/* Replaces a vector's elements by their scans, which `before` came before. */
template <class Scan, class Acc, int Columns, class T, int Width>
__device__ __forceinline__ void column_scans(vec<T, Width> &x,
                                             const Acc (&before)[Columns])
{
    Acc carry[Columns];
#pragma unroll
    for (int step = 0; step < Width; ++step) {
        const int k = Scan::reverse ? Width - 1 - step : step;
        const Acc first =
            step < Columns ? before[k % Columns] : carry[k % Columns];
        carry[k % Columns] = first + to_acc(x.item[k]);
        x.item[k] = from_acc<T>(Scan::exclusive ? first : carry[k % Columns]);
    }
}

/* What of a tile in shared memory lies outside of its line is zeroed: a few
 * elements before it, and those after it, up to the end of the warp's part that
 * they begin in. Every thread of the block. */
template <int Part, int Tile, class T>
__device__ __forceinline__ void clear_around(const struct tile_place &p,
                                             T *tile)
{
    const int begin = (int)(p.part.begin - p.first);
    const int end = (int)max(p.part.end - p.first, (int64_t)0);
    const int parts = min((end + Part - 1) / Part * Part, Tile);
    const int vectors = min((end + kVec<T> - 1) / kVec<T> * kVec<T>, parts);
#pragma unroll 1
    for (int e = threadIdx.x; e < min(begin, parts); e += blockDim.x)
        tile[e] = from_acc<T>(0);
#pragma unroll 1
    for (int e = end + threadIdx.x; e < vectors; e += blockDim.x)
        tile[e] = from_acc<T>(0);
#pragma unroll 1
    for (int e = vectors + threadIdx.x * kVec<T>; e < parts;
         e += blockDim.x * kVec<T>)
        *(uint4 *)(tile + e) = {};
}

template <class T, class Scan, int Columns, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads,
                                         kHeld<T, Scan::masked, Threads, Vecs>)
    interleaved_lookback(const T *__restrict__ in,
                         const uint8_t *__restrict__ mask, T *__restrict__ out,
                         const struct tiling t, unsigned long long *ticket,
                         tile_state<acc_t<T>> *states)
{
#if HAS_BULK_COPY
    using Acc = acc_t<T>;
    using Raw = vec<T>;
    constexpr int kWarps = Threads / 32;
    constexpr int kPart = Vecs * 32 * kVec<T>; /* elements of a warp */
    constexpr int kTile = kWarps * kPart;
    constexpr int kMine = (Columns + kWarps - 1) / kWarps; /* of a warp */
    static_assert(Columns <= kStateStride<Acc>);
    extern __shared__ uint4 shared_tile[];
    uint8_t *shared_mask = (uint8_t *)(shared_tile + Threads * Vecs);
    __shared__ Acc totals[Columns][kWarps], carries[kWarps][Columns];
    __shared__ struct tile_place shared_place;
    __shared__ uint64_t loaded;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t tiles = t.lines * t.line_tiles;
    T *tile = (T *)shared_tile;

    const int at = threadIdx.x * Vecs * kVec<T>;
    const auto place = [&](int k) {
        return at + (Scan::reverse ? Vecs - 1 - k : k) * kVec<T>;
    };
    const auto read = [&](int at) {
        uint4 x = *(const uint4 *)(tile + at);
        if constexpr (Scan::masked)
            x = keep_where<T>(
                x, *(const words_t<mask_vec<T>> *)(shared_mask + at));
        return __builtin_bit_cast(Raw, x);
    };

    int64_t number = 0;
    if (threadIdx.x == 0) {
        bulk_init(&loaded, 1);
        early_wait();
        number = (int64_t)atomicAdd(ticket, 1ull);
    }
    unsigned parity = 0;
    for (int64_t n = blockIdx.x; n < tiles; n += gridDim.x) {
        /* load */
        if (threadIdx.x == 0) {
            const struct tile_place p =
                place_of<Scan::reverse, kTile>(t, number);
            start_in_turns<kHeld<T, Scan::masked, Threads, Vecs>>(states, t,
                                                                  number);
            stretch_ask_kept<Scan::masked>(p.part, in, mask, tile, shared_mask,
                                           &loaded);
            shared_place = p;
        }
        __syncthreads();
        const struct tile_place &p = shared_place;
        const int64_t from = p.first + warp * kPart;
        /* Lines may be shorter than tiles: then some warps have nothing. */
        const bool busy = from < p.part.end;
        if (p.inside) {
            bulk_wait(&loaded, parity);
            parity ^= 1;
        } else {
            clear_around<kPart, kTile>(p, tile);
            stretch_wait<Scan::masked>(p.part, in, mask, tile, shared_mask,
                                       &loaded, &parity);
            __syncthreads();
        }

        /* upsweep */
        Acc before[Columns] = {};
        if (busy) {
#pragma unroll
            for (int k = 0; k < Vecs; ++k) {
                Acc sums[Columns];
                column_sums(read(place(k)), sums);
#pragma unroll
                for (int c = 0; c < Columns; ++c)
                    before[c] += sums[c];
            }
        }
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            Acc total;
            before[c] = warp_prefix<Scan::reverse>(before[c], &total);
            if (lane == 0)
                totals[c][warp] = total;
        }
        __syncthreads();

        /* spine: a warp a column or two, in the block and over the tiles before
         * it; all columns' sums are told before any is waited for */
        const int64_t step = p.step;
        tile_state<Acc> *state = states + p.number * kStateStride<Acc>;
        /* A line's last tile tells nothing: a lone one needs no state. */
        const bool speaks = lane == 0 && step + 1 < t.line_tiles;
        Acc earlier[kMine], total[kMine];
#pragma unroll
        for (int mine = 0; mine < kMine; ++mine) {
            const int c = warp + mine * kWarps;
            if (c >= Columns)
                continue;
            earlier[mine] = warp_prefix<Scan::reverse>(
                lane < kWarps ? totals[c][lane] : Acc(0), &total[mine]);
            if (speaks)
                publish(state + c, step ? TILE_AGGREGATE : TILE_PREFIX,
                        total[mine]);
        }
#pragma unroll
        for (int mine = 0; mine < kMine; ++mine) {
            const int c = warp + mine * kWarps;
            if (c >= Columns)
                continue;
            const Acc carry = step ? look_back(state + c, step) : Acc(0);
            if (speaks && step)
                publish(state + c, TILE_PREFIX, carry + total[mine]);
            if (lane < kWarps)
                carries[lane][c] = carry + earlier[mine];
        }
        __syncthreads();

        /* downsweep */
        if (busy) {
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                before[c] += carries[warp][c];
#pragma unroll
            for (int k = 0; k < Vecs; ++k) {
                Raw x = read(place(k));
                Acc sums[Columns];
                column_sums(x, sums);
                column_scans<Scan>(x, before);
                write_shared(tile + place(k), x);
#pragma unroll
                for (int c = 0; c < Columns; ++c)
                    before[c] += sums[c];
            }
        }

        store_part<Vecs>(p, from, out, tile);
        if (n + gridDim.x < tiles) {
            bulk_fence();
            __syncthreads(); /* the tile is free again */
            if (threadIdx.x == 0)
                number = (int64_t)atomicAdd(ticket, 1ull);
        }
    }
#endif
}

/* What is refused is not compiled. */
template <class T, int Columns>
constexpr int kServed = Columns < kVec<T> ? Columns : kVec<T>;

template <int Columns>
struct interleaved {
    template <class T, class Scan, int Threads, int Vecs>
    static constexpr auto kernel =
        interleaved_lookback<T, Scan, kServed<T, Columns>, Threads, Vecs>;
};

/* The problem as one of contiguous lines, of all columns each. */
static struct problem joined(const struct problem *p)
{
    struct problem q = *p;
    q.shape.axis *= q.shape.inner;
    q.shape.inner = 1;
    return q;
}

template <int Threads, int Items>
static size_t workspace_bytes(const struct problem *p)
{
    const struct problem q = joined(p);
    return single_pass_workspace<Threads, Items>(&q);
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    const struct problem q = joined(p);
    if (p->shape.inner == 2)
        return tiles_launch<interleaved<2>, Threads, Items>(&q, stream);
    if (p->shape.inner == 4)
        return tiles_launch<interleaved<4>, Threads, Items>(&q, stream);
    return tiles_launch<interleaved<8>, Threads, Items>(&q, stream);
}

static const char *refuses(const struct problem *p)
{
    const int64_t inner = p->shape.inner;
    if (inner == 1 || 16 / (int64_t)dtype_bytes(p->dtype) % inner != 0)
        return "serves inner = 2, 4 or 8 that divides a 16-byte vector; "
               "row_tile_lookback serves others";
    const struct problem q = joined(p);
    return look_back_refuses(&q);
}

/* So many tiles about fill an SM, each with its mask; k: KB. Of all types and
 * columns a tile of halves with their mask has the fewest rows, one a thread
 * and vector: so many vectors are its own. */
#define POINT(threads, tiles, vecs, suffix)                                    \
    {                                                                          \
        .name = "interleaved_lookback_b" #threads suffix,                      \
        .idea = "a block a tile of interleaved lines; each looks back",        \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * vecs, .deterministic = false,                  \
        .refuses = refuses,                                                    \
        .workspace_bytes = workspace_bytes<threads, fitting_odd(tiles)>,       \
        .launch = launch<threads, fitting_odd(tiles)>                          \
    }

VARIANTS(scan__interleaved_lookback) = {
    POINT(256, 3, 11, "_k72"),
    POINT(256, 6, 5, "_k36"),
    POINT(128, 12, 5, "_k18"),
    {},
};
