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
 */
#include "variants/device.cuh"
#include "variants/scan/raw_tile.cuh"
#include "variants/scan/tile_state.cuh"

#ifndef FLIGHT
#define FLIGHT 196608
#endif
/* Predecessors that one thread looks at in one go. */
constexpr int kDepth = 8;

struct grid_of_tiles {
    int64_t chunks, strips, tiles; /* along the axis, along a row, in all */
    int64_t axis, inner;
    int groups; /* of threads that look back */
};

/* A tile is Threads / Lanes groups of Rows rows, by Lanes accesses of Width
 * elements. */
template <class T, bool Masked, int Threads, int Lanes, int Width, int Rows>
struct tile_shape {
    static constexpr int columns = Lanes * Width;
    static constexpr int rows = Threads / Lanes * Rows;
    static constexpr int bytes =
        columns * rows * ((int)sizeof(T) + (Masked ? 1 : 0));
    static constexpr int sharers = Threads / columns; /* threads a column */
};

/* What the `kDepth` tiles from number `behind` backward hold up to the first
 * prefix, and whether there is one. */
template <class Acc>
__device__ __forceinline__ Acc look_back(const tile_state<Acc> *mine,
                                         int64_t step, int64_t behind,
                                         int64_t inner, bool *found)
{
    for (;; __nanosleep(20)) {
        unsigned flag[kDepth];
        Acc value[kDepth], sum = 0;
        bool ready = true;
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            flag[k] = TILE_PREFIX; /* before the line: 0 */
            value[k] = 0;
            if (behind + k <= step)
                flag[k] = peek(mine - (behind + k) * inner, &value[k]);
        }
        *found = false;
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            if (!*found && flag[k] == TILE_NOTHING)
                ready = false;
            if (!*found)
                sum += value[k];
            *found = *found || flag[k] == TILE_PREFIX;
        }
        if (ready)
            return sum;
    }
}

/* The same for all columns of a tile and as far back as it takes: this
 * thread's column's carry. Every thread of the block calls it. */
template <int Columns, int Sharers, class Acc>
__device__ __forceinline__ Acc column_carry(const tile_state<Acc> *mine,
                                            int64_t step, int64_t inner,
                                            bool exists, int groups)
{
    __shared__ Acc parts[Sharers][Columns];
    __shared__ bool founds[Sharers][Columns];
    const int column = threadIdx.x % Columns, sharer = threadIdx.x / Columns;
    Acc carry = 0;
    bool whole = !exists;
    for (int64_t behind = 1;; behind += kDepth * groups) {
        bool found = false;
        Acc part = 0;
        if (!whole && sharer < groups)
            part =
                look_back(mine, step, behind + kDepth * sharer, inner, &found);
        parts[sharer][column] = part;
        founds[sharer][column] = found;
        __syncthreads();
        for (int k = 0; k < groups && !whole; ++k) {
            carry += parts[k][column];
            whole = founds[k][column];
        }
        if (__syncthreads_and(whole))
            return carry;
    }
}

/* The sums of v over the lanes of a warp that hold the same columns and come
 * before this one; v becomes the sum including this one. */
template <bool Reverse, int Lanes, class Acc>
__device__ __forceinline__ Acc group_prefix(Acc *v)
{
    if constexpr (Lanes >= 32)
        return Acc(0);
    const int group = threadIdx.x % 32 / Lanes;
    const int rank = Reverse ? 32 / Lanes - 1 - group : group;
#pragma unroll
    for (int step = 1; step < 32 / Lanes; step *= 2) {
        const Acc other = Reverse
                              ? __shfl_down_sync(kWholeWarp, *v, step * Lanes)
                              : __shfl_up_sync(kWholeWarp, *v, step * Lanes);
        if (rank >= step)
            *v += other;
    }
    const Acc before = Reverse ? __shfl_down_sync(kWholeWarp, *v, Lanes % 32)
                               : __shfl_up_sync(kWholeWarp, *v, Lanes % 32);
    return rank ? before : Acc(0);
}

template <class T, class Scan, int Threads, int Lanes, int Width, int Rows>
static __global__ void __launch_bounds__(
    Threads,
    FLIGHT / tile_shape<T, Scan::masked, Threads, Lanes, Width, Rows>::bytes)
    column_lookback(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                    T *__restrict__ out, const struct grid_of_tiles t,
                    unsigned long long *ticket, tile_state<acc_t<T>> *states)
{
    using Acc = acc_t<T>;
    using Tile = tile_shape<T, Scan::masked, Threads, Lanes, Width, Rows>;
    /* Threads that hold a column's rows tell each other by warps, or by whole
     * rows where these are longer. */
    constexpr int kSharing = Lanes < 32 ? 32 : Lanes;
    constexpr int kParts = Threads / kSharing, kColumns = Tile::columns;
    extern __shared__ uint4 shared_tile[];
    __shared__ Acc totals[kParts][kColumns], carries[kColumns];
    __shared__ int64_t shared_number;
    const int lane = threadIdx.x % Lanes, group = threadIdx.x / Lanes;
    const int part = threadIdx.x / kSharing;
    const int rank = Scan::reverse ? kParts - 1 - part : part;
    const int column = threadIdx.x % kColumns;
    const raw_slots<T, Width> slots = {
        (raw<T, Width> *)shared_tile + threadIdx.x,
        (raw_mask<Width> *)((T *)shared_tile + Tile::rows * kColumns) +
            threadIdx.x,
        Threads
    };

    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        const int64_t number = take_ticket(ticket, &shared_number);
        const int64_t row_of_tiles = number / t.strips;
        const int64_t strip = number - row_of_tiles * t.strips;
        const int64_t o = row_of_tiles / t.chunks;
        const int64_t step = row_of_tiles - o * t.chunks;
        const int64_t chunk = Scan::reverse ? t.chunks - 1 - step : step;
        const int64_t first_row = chunk * Tile::rows;
        const int64_t first_column = strip * kColumns;

        /* A neighbour that is done already saves the look-back. */
        const bool asks =
            threadIdx.x < kColumns && first_column + column < t.inner;
        tile_state<Acc> *mine = states + (o * (t.chunks - 1) + step) * t.inner +
                                first_column + column;
        unsigned flag = TILE_PREFIX;
        Acc carry = 0;
        if (asks && step > 0)
            flag = peek(mine - t.inner, &carry);

        /* load */
        const int64_t end = (o + 1) * t.axis * t.inner;
        const int64_t c = first_column + lane * Width;
        const raw_span<T> span = {
            in, mask, out, 0, c < t.inner ? end : 0, true
        };
        const bool inside = first_row + Tile::rows <= t.axis &&
                            first_column + kColumns <= t.inner;
        const int64_t at =
            (o * t.axis + first_row + group * Rows) * t.inner + c;
        raw_load<Scan::masked, Rows>(span, at, t.inner, inside, slots);

        /* upsweep */
        Acc sums[Width] = {}, before[Width];
#pragma unroll(Rows < 16 ? Rows : 8)
        for (int u = 0; u < Rows; ++u) {
            const auto x = raw_take<Scan::masked>(slots, u);
#pragma unroll
            for (int k = 0; k < Width; ++k)
                sums[k] += to_acc(x.item[k]);
        }
#pragma unroll
        for (int k = 0; k < Width; ++k) {
            before[k] = group_prefix<Scan::reverse, Lanes>(&sums[k]);
            if (threadIdx.x % kSharing / Lanes ==
                (Scan::reverse ? 0 : kSharing / Lanes - 1))
                totals[part][lane * Width + k] = sums[k];
        }

        /* spine: over the rows of tiles before this one */
        const bool known = __syncthreads_and(flag == TILE_PREFIX);
        const bool speaks = asks && step + 1 < t.chunks;
        Acc total = 0;
        if (speaks)
#pragma unroll
            for (int w = 0; w < kParts; ++w)
                total += totals[w][column];
        if (!known) {
            if (speaks && flag != TILE_PREFIX)
                publish(mine, TILE_AGGREGATE, total);
            carry = column_carry<kColumns, Tile::sharers>(
                mine, step, t.inner, first_column + column < t.inner, t.groups);
        }
        if (speaks)
            publish(mine, TILE_PREFIX, carry + total);
        if (threadIdx.x < kColumns)
            carries[column] = carry;
#pragma unroll
        for (int k = 0; k < Width; ++k)
            for (int w = 0; w < rank; ++w)
                before[k] += totals[Scan::reverse ? kParts - 1 - w : w]
                                   [lane * Width + k];
        __syncthreads();

        /* downsweep, store */
#pragma unroll
        for (int k = 0; k < Width; ++k)
            before[k] += carries[lane * Width + k];
        int64_t here = at + (Scan::reverse ? Rows - 1 : 0) * t.inner;
#pragma unroll(Rows < 16 ? Rows : 8)
        for (int turn = 0; turn < Rows; ++turn) {
            const int u = Scan::reverse ? Rows - 1 - turn : turn;
            auto x = raw_take<false>(slots, u);
#pragma unroll
            for (int k = 0; k < Width; ++k) {
                const Acc sum = before[k] + to_acc(x.item[k]);
                x.item[k] = from_acc<T>(Scan::exclusive ? before[k] : sum);
                before[k] = sum;
            }
            raw_store(span, here, inside, x);
            here += Scan::reverse ? -t.inner : t.inner;
        }
    }
}

/* A thread's share of a tile: whole 16-byte accesses, or single elements where
 * rows are not aligned. */
template <class T, int Columns, int Rows, bool Vector>
struct access {
    static constexpr int width = Vector ? kVec<T> : 1;
    static constexpr int lanes = Columns / width;
    static constexpr int rows = Rows;
};

template <int Columns, int Rows>
static struct grid_of_tiles tiles_of(const struct problem *p)
{
    struct grid_of_tiles t = { .axis = p->shape.axis, .inner = p->shape.inner };
    t.chunks = ceil_div(t.axis, Rows);
    t.strips = ceil_div(t.inner, Columns);
    t.tiles = p->shape.outer * t.chunks * t.strips;
    return t;
}

/* Rows of a tile: it takes 64 KB, whatever the type. */
template <int Columns>
constexpr int rows_of(int bytes)
{
    return 65536 / Columns / bytes;
}

template <int Columns>
static struct grid_of_tiles tiling_of(const struct problem *p)
{
    switch (dtype_bytes(p->dtype)) {
    case 2:
        return tiles_of<Columns, rows_of<Columns>(2)>(p);
    case 4:
        return tiles_of<Columns, rows_of<Columns>(4)>(p);
    default:
        return tiles_of<Columns, rows_of<Columns>(8)>(p);
    }
}

template <int Columns>
static size_t workspace_bytes(const struct problem *p)
{
    const struct grid_of_tiles t = tiling_of<Columns>(p);
    return kTicketBytes + (size_t)(t.chunks - 1) * p->shape.outer * t.inner *
                              tile_state_bytes(p->dtype);
}

template <class T, class Scan, int Threads, int Columns, bool Vector>
static int start(const struct problem *p, cudaStream_t stream)
{
    constexpr int kWidth = Vector ? kVec<T> : 1, kLanes = Columns / kWidth;
    constexpr int kRows = rows_of<Columns>((int)sizeof(T)) / (Threads / kLanes);
    using Tile = tile_shape<T, Scan::masked, Threads, kLanes, kWidth, kRows>;
    const auto kernel =
        column_lookback<T, Scan, Threads, kLanes, kWidth, kRows>;
    cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::bytes);
    if (error != cudaSuccess)
        return error;
    struct grid_of_tiles t = tiling_of<Columns>(p);
    /* As many tiles of a strip are under way as the SMs hold. */
    const int64_t deep = ceil_div(3 * p->device->sm_count, t.strips);
    t.groups = deep < kDepth * Tile::sharers ? (int)ceil_div(deep, kDepth)
                                             : Tile::sharers;
    kernel<<<grid_x(t.tiles), Threads, Tile::bytes, stream>>>(
        (const T *)p->in, p->mask, (T *)p->out, t,
        (unsigned long long *)p->workspace,
        (tile_state<acc_t<T>> *)((char *)p->workspace + kTicketBytes));
    return cudaGetLastError();
}

template <int Threads, int Columns>
static int launch(const struct problem *p, void *stream)
{
    cudaError_t reset = cudaMemsetAsync(
        p->workspace, 0, workspace_bytes<Columns>(p), (cudaStream_t)stream);
    if (reset != cudaSuccess)
        return reset;
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        return lines_aligned<T>(p->in, p->mask, p->out, p->shape.inner)
                   ? start<T, Scan, Threads, Columns, true>(
                         p, (cudaStream_t)stream)
                   : start<T, Scan, Threads, Columns, false>(
                         p, (cudaStream_t)stream);
    });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner == 1
               ? "serves strided lines only (inner > 1); contiguous ones have "
                 "decoupled_lookback"
               : NULL;
}

#define POINT(threads, columns)                                                \
    {                                                                          \
        .name = "column_lookback_b" #threads "_c" #columns,                    \
        .idea = "a block a tile of columns by rows, each column looks back",   \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 64,            \
        .deterministic = false, .refuses = refuses,                            \
        .workspace_bytes = workspace_bytes<columns>,                           \
        .launch = launch<threads, columns>                                     \
    }

VARIANTS(scan__column_lookback) = {
    POINT(256, 32),
    POINT(256, 64),
#ifdef SCRATCH
    POINT(512, 32),
    POINT(512, 64),
    POINT(256, 128),
#endif
    {},
};
