/* SPDX-License-Identifier: MIT
 *
 * Idea     A block a tile, many tiles a line, one pass. A tile publishes its
 *          aggregate at once, then looks back over its predecessors, 32 at a
 *          time, adding aggregates until it meets a whole prefix.
 * Against  reduce_then_scan: the data is read once, not twice; and block_per_
 *          line: a long line keeps the whole GPU busy.
 * Traffic  2N elements and two words a tile (passes = 1).
 * Needs    inner == 1. Lines shorter than a tile leave most of it idle.
 * Source   D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with
 *          Decoupled Look-back", NVR-2016-002.
 */
#include <cuda/atomic>

#include "variants/device.cuh"

/* What a tile has published; nothing is what the reset leaves. */
enum tile_flag : unsigned { TILE_NOTHING, TILE_AGGREGATE, TILE_PREFIX };

template <class U>
using gpu_atomic = cuda::atomic_ref<U, cuda::thread_scope_device>;

/* Flag and float fill one 64-bit word: whoever sees the flag has the value,
 * and nothing need be ordered. Flag and double do not, so the flag is released
 * after the value; two values, since the first may still be being read. */
template <class Acc>
struct tile_state {
    uint64_t word;
};
template <>
struct tile_state<double> {
    unsigned flag;
    double value[2];
};

__device__ __forceinline__ void publish(tile_state<float> *tile, tile_flag flag,
                                        float value)
{
    gpu_atomic<uint64_t>(tile->word)
        .store((uint64_t)flag << 32 | __float_as_uint(value),
               cuda::memory_order_relaxed);
}

__device__ __forceinline__ unsigned peek(tile_state<float> *tile, float *value)
{
    const uint64_t word =
        gpu_atomic<uint64_t>(tile->word).load(cuda::memory_order_relaxed);
    *value = __uint_as_float((unsigned)word);
    return (unsigned)(word >> 32);
}

__device__ __forceinline__ void publish(tile_state<double> *tile,
                                        tile_flag flag, double value)
{
    tile->value[flag == TILE_PREFIX] = value;
    gpu_atomic<unsigned>(tile->flag).store(flag, cuda::memory_order_release);
}

__device__ __forceinline__ unsigned peek(tile_state<double> *tile,
                                         double *value)
{
    const unsigned flag =
        gpu_atomic<unsigned>(tile->flag).load(cuda::memory_order_acquire);
    if (flag != TILE_NOTHING)
        *value = tile->value[flag == TILE_PREFIX];
    return flag;
}

/* The sum of all that comes before tile number `step` of its line. A whole
 * warp looks: lane 0 at the nearest predecessor, lane 31 at the farthest. */
template <class Acc>
__device__ __forceinline__ Acc look_back(tile_state<Acc> *mine, int64_t step)
{
    const int lane = threadIdx.x % 32;
    Acc carry = 0;
    for (int64_t behind = lane + 1;; behind += 32) {
        Acc value = 0;
        unsigned prefixes, wanted;
        for (;; __nanosleep(50)) {
            unsigned flag = TILE_PREFIX; /* before the line: 0 */
            if (behind <= step)
                flag = peek(mine - behind, &value);
            prefixes = __ballot_sync(kWholeWarp, flag == TILE_PREFIX);
            /* The lanes up to the nearest prefix; all, if there is none. */
            wanted = prefixes ^ (prefixes - 1);
            if (!(__ballot_sync(kWholeWarp, flag == TILE_NOTHING) & wanted))
                break;
        }
        Acc sum = wanted >> lane & 1 ? value : Acc(0);
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2)
            sum += __shfl_xor_sync(kWholeWarp, sum, apart);
        carry += sum;
        if (prefixes)
            return carry;
    }
}

/* Tiles are taken by ticket: whatever order the blocks start in, every
 * predecessor of a tile is then done or resident, and publishes its aggregate
 * without waiting for anyone. */
template <class T, class Scan, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads, 1024 / Threads)
    decoupled_lookback(const T *__restrict__ in,
                       const uint8_t *__restrict__ mask, T *__restrict__ out,
                       int64_t lines, int64_t line_tiles, int64_t axis,
                       bool aligned, unsigned long long *ticket,
                       tile_state<acc_t<T>> *states)
{
    using Acc = acc_t<T>;
    constexpr int kRow = 32 * kVec<T>; /* elements in one access of a warp */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    __shared__ Acc totals[Threads / 32], shared_carry;
    __shared__ int64_t shared_line, shared_step;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (int64_t n = blockIdx.x; n < lines * line_tiles; n += gridDim.x) {
        if (threadIdx.x == 0) {
            const int64_t number = (int64_t)atomicAdd(ticket, 1ull);
            shared_line = number / line_tiles;
            shared_step = number % line_tiles;
        }
        __syncthreads();
        const int64_t line = shared_line, step = shared_step;
        const int64_t start = line * axis;
        const int64_t tile = Scan::reverse ? line_tiles - 1 - step : step;
        const int64_t at = tile * kTile + warp * Vecs * kRow + lane * kVec<T>;

        /* load */
        Acc v[Vecs][kVec<T>];
        load_items<T, Scan::masked>(in + start, mask + start, at, kRow, axis,
                                    aligned, v);

        /* upsweep: where each vector stands in its warp, in walk order */
        Acc before[Vecs], warp_total = 0;
#pragma unroll
        for (int turn = 0; turn < Vecs; ++turn) {
            const int j = Scan::reverse ? Vecs - 1 - turn : turn;
            Acc row_total;
            before[j] = warp_total +
                        warp_prefix<Scan::reverse>(items_sum(v[j]), &row_total);
            warp_total += row_total;
        }

        /* spine: in the block, then over the tiles before it. A line's last
         * tile publishes nothing, so lines of one tile need no states. */
        Acc tile_total;
        const Acc base = warps_prefix<Scan::reverse, Threads>(
            warp_total, totals, &tile_total);
        if (warp == 0) {
            tile_state<Acc> *mine = states + line * line_tiles + step;
            const bool speaks = lane == 0 && step + 1 < line_tiles;
            Acc carry = 0;
            if (step > 0) {
                if (speaks)
                    publish(mine, TILE_AGGREGATE, tile_total);
                carry = look_back(mine, step);
            }
            if (speaks)
                publish(mine, TILE_PREFIX, carry + tile_total);
            if (lane == 0)
                shared_carry = carry;
        }
        __syncthreads();
        const Acc carry = shared_carry + base;

        /* downsweep, store */
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            items_scan<Scan>(v[j], carry + before[j]);
            store_items(out + start, at + j * kRow, axis, aligned, v[j]);
        }
    }
}

/* Items of an f32 or half line a thread; a double takes two registers. */
template <class T, int Items>
constexpr int kVecs = (sizeof(T) == 8 ? Items / 2 : Items) / kVec<T>;

/* The ticket has the first bytes of the workspace to itself. */
constexpr size_t kTicketBytes = 256;

template <int Threads, int Items>
static int64_t tiles_per_line(const struct problem *p)
{
    return ceil_div(p->shape.axis,
                    Threads * Items / (p->dtype == DTYPE_F64 ? 2 : 1));
}

template <int Threads, int Items>
static size_t workspace_bytes(const struct problem *p)
{
    const int64_t line_tiles = tiles_per_line<Threads, Items>(p);
    const int64_t states =
        line_tiles > 1 ? shape_lines(p->shape) * line_tiles : 0;
    return kTicketBytes + (size_t)states * (p->dtype == DTYPE_F64
                                                ? sizeof(tile_state<double>)
                                                : sizeof(tile_state<float>));
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    cudaError_t reset =
        cudaMemsetAsync(p->workspace, 0, workspace_bytes<Threads, Items>(p),
                        (cudaStream_t)stream);
    if (reset != cudaSuccess)
        return reset;
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        const int64_t line_tiles = tiles_per_line<Threads, Items>(p);
        decoupled_lookback<T, decltype(scan), Threads, kVecs<T, Items>>
            <<<grid_x(lines * line_tiles), Threads, 0, (cudaStream_t)stream>>>(
                (const T *)p->in, p->mask, (T *)p->out, lines, line_tiles, axis,
                lines_aligned<T>(p->in, p->mask, p->out, axis),
                (unsigned long long *)p->workspace,
                (tile_state<acc_t<T>> *)((char *)p->workspace + kTicketBytes));
        return cudaGetLastError();
    });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner != 1 ? "serves contiguous lines only (inner = 1)"
                               : NULL;
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "decoupled_lookback_b" #threads "_i" #items,                   \
        .idea = "a block a tile, which looks back over its predecessors",      \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = false,             \
        .refuses = refuses,                                                    \
        .workspace_bytes = workspace_bytes<threads, items>,                    \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(scan__decoupled_lookback) = {
    POINT(256, 16),
    POINT(512, 16),
    {},
};
