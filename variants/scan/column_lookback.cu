/* SPDX-License-Identifier: MIT
 *
 * Idea     A block a tile of some columns by many rows, in address order: all
 *          blocks together walk one small window of memory. A tile's carry is
 *          a vector, and every column looks back for its own.
 * Against  thread_per_column_prefetch: there a thread has a whole column, so
 *          the GPU reads as many distant rows as there are blocks, and few
 *          columns mean few threads; and decoupled_lookback, whose carry is
 *          one number.
 * Traffic  2N elements and a word a column and tile (passes = 1).
 * Needs    inner > 1. Fewer columns than a tile has leave lanes idle.
 * Source   D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with
 *          Decoupled Look-back", NVR-2016-002.
 * Lesson   Strips times rows in address order, a carry for every column: a
 *          strided axis need not be slow.
 */
#include "variants/common/device.cuh"
#include "variants/scan/column_tiles.cuh"

/* Where registers are so short that `rows` is to be kept, and not the several
 * values that the compiler would work it out from again. */
template <class T, class Scan, int Rows>
constexpr bool kShort = sizeof(T) == 8 && Scan::reverse &&Rows == 8;

template <class T, class Scan, int Threads, int Lanes, int Width, int Rows>
static __global__ void
__launch_bounds__(Threads, tile_shape<T, Threads, Lanes, Width, Rows>::blocks)
    column_lookback(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                    T *__restrict__ out, const struct grid_of_tiles t,
                    unsigned long long *ticket, column_state<T> *states)
{
    using Acc = acc_t<T>;
    using Tile = tile_shape<T, Threads, Lanes, Width, Rows>;
    using Raw = vec<T, Width>;
    using Mask = mask_vec<T, Width>;
    /* Threads that hold a column's rows tell each other by warps, or by whole
     * rows where these are longer. */
    constexpr int kSharing = Lanes < 32 ? 32 : Lanes;
    constexpr int kParts = Threads / kSharing, kColumns = Tile::columns;
    __shared__ alignas(16) Acc totals[kParts][kColumns];
    __shared__ int64_t shared_number;
    const int lane = threadIdx.x % Lanes, group = threadIdx.x / Lanes;
    const int part = threadIdx.x / kSharing;
    const uint64_t policy = evict_last_policy();
    early_wait();
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        const tile_place place(t, take_ticket(ticket, &shared_number));
        const int64_t step = place.step, o = place.o;
        const int64_t chunk = Scan::reverse ? t.chunks - 1 - step : step;
        const int64_t first_row = chunk * Tile::rows;
        const int64_t first_column = place.strip * kColumns;

        column_chain<column_state<T>> chain;
        chain.column = threadIdx.x % kColumns;
        chain.mine = states + (o * (t.chunks - 1) + step) * t.inner +
                     first_column + chain.column;
        chain.stride = t.inner;
        chain.step = step;
        chain.sharer = threadIdx.x / kColumns;
        chain.groups = t.groups;
        chain.exists = first_column + chain.column < t.inner;
        const bool asks = threadIdx.x < kColumns && chain.exists;
        chain.speaks = asks && step + 1 < t.chunks;

        /* A neighbour that is done already saves the look-back. */
        unsigned flag = TILE_PREFIX;
        Acc carry = 0;
        if (asks && step > 0)
            flag = peek(chain.mine - chain.stride, &carry);

        /* load */
        const int64_t c = first_column + lane * Width;
        const int64_t row = first_row + group * Rows;
        int rows = c >= t.inner          ? 0
                   : t.axis - row < Rows ? (int)(t.axis - row)
                                         : Rows;
        if constexpr (kShort<T, Scan, Rows>)
            forget(rows);
        const int64_t at = (o * t.axis + row) * t.inner + c;
        words_t<Raw> x[Rows];
        words_t<Mask> m[Scan::masked ? Rows : 1];
        int64_t here = at;
#pragma unroll
        for (int u = 0; u < Rows; ++u, here += t.inner) {
            x[u] = {};
            if (u < rows)
                x[u] = read_kept((const words_t<Raw> *)(in + here), policy);
            if constexpr (Scan::masked) {
                m[u] = {};
                if (u < rows)
                    m[u] = read_vec<words_t<Mask>>(mask + here);
            }
        }

        /* upsweep */
        Acc sums[Width] = {}, before[Width];
#pragma unroll
        for (int u = 0; u < Rows; ++u) {
            if constexpr (Scan::masked)
                x[u] = keep_where<T>(x[u], m[u]);
            const Raw y = __builtin_bit_cast(Raw, x[u]);
#pragma unroll
            for (int k = 0; k < Width; ++k)
                sums[k] += to_acc(y.item[k]);
        }
#pragma unroll
        for (int k = 0; k < Width; ++k)
            before[k] = group_prefix<Scan::reverse, Lanes>(&sums[k]);
        if (threadIdx.x % kSharing / Lanes ==
            (Scan::reverse ? 0 : kSharing / Lanes - 1))
            put_sums(&totals[part][lane * Width], sums);

        /* spine: over the rows of tiles before this one */
        column_spine<Scan, kDepth<Scan::masked>>(totals, chain, flag, carry);

        /* downsweep, store */
        add_sums(before, &totals[part][lane * Width]);
        const int64_t stride = forget(t.inner);
        here = at + (Scan::reverse ? (Rows - 1) * stride : 0);
#pragma unroll
        for (int turn = 0; turn < Rows; ++turn) {
            const int u = Scan::reverse ? Rows - 1 - turn : turn;
            forget(x[u]);
            Raw y = __builtin_bit_cast(Raw, x[u]);
#pragma unroll
            for (int k = 0; k < Width; ++k) {
                const Acc sum = before[k] + to_acc(y.item[k]);
                y.item[k] = from_acc<T>(Scan::exclusive ? before[k] : sum);
                before[k] = sum;
            }
            if (u < rows)
                write_first(out + here, __builtin_bit_cast(words_t<Raw>, y));
            here += Scan::reverse ? -stride : stride;
        }
        if (n + gridDim.x < t.tiles)
            __syncthreads(); /* totals may be written again */
    }
}

constexpr int kThreads = 256;

template <class Tile>
static struct grid_of_tiles tiles_of(const struct problem *p, int halves)
{
    return tiles_in<Tile>(p, ceil_div(p->shape.inner, Tile::columns), halves);
}

template <class T>
static size_t bytes_of(const struct grid_of_tiles &t)
{
    return column_bytes<T>((t.chunks - 1) * t.outer * t.inner);
}

/* Rows that are not aligned are taken element by element. */
template <class T, int Lanes, int Rows>
using vector_tile = tile_shape<T, kThreads, Lanes, kVec<T>, Rows>;
template <class T>
using single_tile = tile_shape<T, kThreads, 32, 1, 32>;

template <int Lanes, int Rows>
constexpr int kRowsLeast =
    vector_tile<float, Lanes, Rows>::rows < single_tile<float>::rows
        ? vector_tile<float, Lanes, Rows>::rows
        : single_tile<float>::rows;

template <int Lanes, int Rows, int Halves>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_dtype(p->dtype, [&](auto type) {
        using T = typename decltype(type)::type;
        const size_t vectors =
            bytes_of<T>(tiles_of<vector_tile<T, Lanes, Rows>>(p, Halves));
        bytes = bytes_of<T>(tiles_of<single_tile<T>>(p, Halves));
        bytes = bytes < vectors ? vectors : bytes;
        return 0;
    });
    return bytes;
}

template <class T, class Scan, int Lanes, int Width, int Rows>
static int start(const struct problem *p, cudaStream_t stream, int halves)
{
    const struct grid_of_tiles t =
        tiles_of<tile_shape<T, kThreads, Lanes, Width, Rows>>(p, halves);
    return launch_columns(
        column_lookback<T, Scan, kThreads, Lanes, Width, Rows>, t.tiles,
        kThreads, p, bytes_of<T>(t), stream, (const T *)p->in, p->mask,
        (T *)p->out, t, (unsigned long long *)p->workspace,
        (column_state<T> *)((char *)p->workspace + kTicketBytes));
}

template <int Lanes, int Rows, int Halves>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        return lines_aligned<T>(p->in, p->mask, p->out, p->shape.inner)
                   ? start<T, Scan, Lanes, kVec<T>, Rows>(
                         p, (cudaStream_t)stream, Halves)
                   : start<T, Scan, 32, 1, 32>(p, (cudaStream_t)stream, Halves);
    });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner == 1
               ? "serves strided lines only (inner > 1); contiguous ones have "
                 "decoupled_lookback"
               : NULL;
}

/* Lanes along a row, rows a thread, half waves of tiles abreast. */
#define POINT(suffix, lanes, rows, halves)                                     \
    {                                                                          \
        .name = "column_lookback_" #suffix,                                    \
        .idea = "a block a tile of columns by rows, each column looks back",   \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = column_error_tile(kRowsLeast<lanes, rows>),              \
        .deterministic = false, .refuses = refuses,                            \
        .workspace_bytes = workspace_bytes<lanes, rows, halves>,               \
        .launch = launch<lanes, rows, halves>                                  \
    }

VARIANTS(scan__column_lookback) = {
    POINT(l8, 8, 16, 1),
    POINT(l16_w2, 16, 16, 2),
    POINT(l16_i8_w2, 16, 8, 2),
    POINT(l32, 32, 16, 1),
    {},
};
