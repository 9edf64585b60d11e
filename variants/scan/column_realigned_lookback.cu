/* SPDX-License-Identifier: MIT
 *
 * Idea     Rows that begin at any element are read and written in aligned
 *          16-byte vectors all the same: neighbouring lanes hand each other
 *          what lies across. Where two tiles meet inside a vector, both know
 *          its columns, and one of them writes it whole.
 * Against  column_lookback, which takes such rows element by element.
 * Traffic  2N elements and a word a column and tile (passes = 1).
 * Needs    inner >= 128.
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 * Lesson   Lanes hand each other what lies across a vector's edge: rows of any
 *          alignment, in and out apart, need no narrow accesses, only shuffles.
 */
#include "variants/common/device.cuh"
#include "variants/scan/column_tiles.cuh"
#include "variants/common/realigned_rows.cuh"

constexpr int kThreads = 256, kLanes = 32;

/* Rows a thread: halves and their masks fill the registers with fewer. */
template <class T, bool Masked>
constexpr int kRows = Masked && sizeof(T) == 2 ? 8 : 16;

template <class T, bool Masked>
using tile = tile_shape<T, kThreads, kLanes, kVec<T>, kRows<T, Masked>>;

/* A row of the tile before is asked for once so many of the own are here: it is
 * done by then, or nearly, and the answer comes with the other rows. */
constexpr int kRowsFirst = 2;

/* Tiles share a row: a strip's tile writes `own` columns, but up to the last
 * boundary of 16 bytes only, and begins so many columns early, as the strip
 * before may have left that many. */
template <class T>
constexpr int kOverlap = kVec<T> - 1;

template <class T, class Scan>
static __global__ void __launch_bounds__(kThreads,
                                         tile<T, Scan::masked>::blocks)
    column_realigned_lookback(const T *__restrict__ in,
                              const uint8_t *__restrict__ mask,
                              T *__restrict__ out, const struct grid_of_tiles t,
                              int own, unsigned long long *ticket,
                              column_state<T> *states)
{
    using Acc = acc_t<T>;
    constexpr int V = kVec<T>, kSize = (int)sizeof(T);
    constexpr int Rows = kRows<T, Scan::masked>;
    using Tile = tile<T, Scan::masked>;
    using Raw = vec<T, V>;
    using Mask = words_t<mask_vec<T, V>>;
    constexpr int kParts = kThreads / 32, kColumns = Tile::columns;
    __shared__ alignas(16) Acc totals[kParts][kColumns];
    __shared__ int64_t shared_number;
    const int lane = threadIdx.x % 32, part = threadIdx.x / 32;
    const int64_t elems = t.outer * t.axis * t.inner;
    const uint64_t policy = evict_last_policy();
    early_wait();
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        const tile_place place(t, take_ticket(ticket, &shared_number));
        const int64_t chunk =
            Scan::reverse ? t.chunks - 1 - place.step : place.step;
        const bool leftmost = place.strip == 0;
        const bool rightmost = place.strip == t.strips - 1;
        const int64_t first_column =
            place.strip * own - (leftmost ? 0 : kOverlap<T>);
        const int columns = rightmost ? (int)(t.inner - first_column)
                                      : own + (leftmost ? 0 : kOverlap<T>);

        column_chain<column_state<T>> chain;
        chain.step = place.step;
        chain.stride = t.strips * kColumns;
        chain.column = threadIdx.x % kColumns;
        chain.sharer = threadIdx.x / kColumns;
        chain.groups = t.groups;
        chain.mine =
            states +
            ((place.o * (t.chunks - 1) + place.step) * t.strips + place.strip) *
                kColumns +
            chain.column;
        chain.exists = chain.column < columns;
        const bool asks = threadIdx.x < kColumns && chain.exists;
        chain.speaks = asks && place.step + 1 < t.chunks;

        /* load */
        const int64_t row = chunk * Tile::rows + part * Rows;
        const int64_t left = t.axis - row;
        const int rows = lane * V >= columns + V - 1 || left < 0 ? 0
                         : left < Rows                           ? (int)left
                                                                 : Rows;
        const int64_t at = (place.o * t.axis + row) * t.inner + first_column;
        const row_accesses<T, uint4> from = { in + at, t.inner, lane, rows };
        const row_accesses<uint8_t, Mask> masks = { mask + at, t.inner, lane,
                                                    rows };
        uint4 x[Rows];
        Mask m[Scan::masked ? Rows : 1];
        from.load(x, in, in + elems, [&](const uint4 *vector) {
            return read_kept(vector, policy);
        });
        if constexpr (Scan::masked) {
            masks.load(m, mask, mask + elems,
                       [](const Mask *bytes) { return read_vec<Mask>(bytes); });
            masks.complete(m, mask, mask + elems);
        }
        from.complete(x, in, in + elems);

        /* upsweep */
        unsigned flag = TILE_PREFIX;
        Acc carry = 0, sums[V] = {};
#pragma unroll
        for (int u = 0; u < Rows; ++u) {
            x[u] = pull<T>(x[u], from.off(u));
            if constexpr (Scan::masked)
                x[u] = keep_where<T>(x[u], pull_mask(m[u], masks.off(u)));
            const Raw y = __builtin_bit_cast(Raw, x[u]);
#pragma unroll
            for (int k = 0; k < V; ++k)
                sums[k] += to_acc(y.item[k]);
            if (u + 1 == kRowsFirst && asks && place.step > 0)
                flag = peek(chain.mine - chain.stride, &carry);
        }
        put_sums(&totals[part][lane * V], sums);

        /* spine: over the rows of tiles before this one */
        column_spine<Scan, kDepth<Scan::masked>>(totals, chain, flag, carry);

        /* downsweep, store */
        Acc before[V] = {};
        add_sums(before, &totals[part][lane * V]);
        const unsigned left_grain = leftmost ? 1 : 16;
        const unsigned right_grain = rightmost ? 1 : 16;
        const int64_t pitch = forget(t.inner);
        T *to = out + at + (Scan::reverse ? (Rows - 1) * pitch : 0);
#pragma unroll
        for (int turn = 0; turn < Rows; ++turn) {
            const int u = Scan::reverse ? Rows - 1 - turn : turn;
            forget(x[u]);
            Raw y = __builtin_bit_cast(Raw, x[u]);
#pragma unroll
            for (int k = 0; k < V; ++k) {
                const Acc sum = before[k] + to_acc(y.item[k]);
                y.item[k] = from_acc<T>(Scan::exclusive ? before[k] : sum);
                before[k] = sum;
            }
            /* Bytes from the boundary before the row's piece: it begins at
             * low, this tile writes [begin, end) of it, this lane the 16 from
             * `mine` on. */
            const unsigned low = (unsigned)(uintptr_t)to % 16;
            const unsigned begin = (low + left_grain - 1) & -left_grain;
            const unsigned end = (low + columns * kSize) & -right_grain;
            const unsigned mine = lane * 16;
            const uint4 z = push<T>(__builtin_bit_cast(uint4, y), low / kSize);
            char *const vector = (char *)to - low + mine;
            if (u < rows && mine >= begin && mine + 16 <= end) {
                write_first(vector, z);
            } else if (u < rows && mine + 16 > begin && mine < end) {
                const Raw some = __builtin_bit_cast(Raw, z);
#pragma unroll
                for (int k = 0; k < V; ++k)
                    if (mine + k * kSize >= begin && mine + k * kSize < end)
                        ((T *)vector)[k] = some.item[k];
            }
            to += Scan::reverse ? -pitch : pitch;
        }
        if (n + gridDim.x < t.tiles)
            __syncthreads(); /* totals may be written again */
    }
}

/* ------------------------------------------------------------------ host */

/* Columns of a strip: all of equal width, and the lanes' vectors reach over
 * them however a row lies. */
template <class T>
static int own_of(const struct problem *p)
{
    constexpr int kPiece = kLanes * kVec<T> - kOverlap<T>;
    const int64_t strips = ceil_div(p->shape.inner, kPiece - kOverlap<T>);
    return (int)ceil_div(p->shape.inner, strips);
}

/* A wave of tiles takes turns. */
template <class T, class Tile>
static struct grid_of_tiles tiles_of(const struct problem *p)
{
    return tiles_in<Tile>(p, ceil_div(p->shape.inner, own_of<T>(p)), 2);
}

template <class T, class Tile>
static size_t bytes_of(const struct grid_of_tiles &t)
{
    return column_bytes<T>((t.chunks - 1) * t.outer * t.strips * Tile::columns);
}

static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_dtype(p->dtype, [&](auto type) {
        using T = typename decltype(type)::type;
        using Masked = tile<T, true>;
        using Plain = tile<T, false>;
        bytes = op_has_mask(p->op) ? bytes_of<T, Masked>(tiles_of<T, Masked>(p))
                                   : bytes_of<T, Plain>(tiles_of<T, Plain>(p));
        return 0;
    });
    return bytes;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        using Tile = tile<T, Scan::masked>;
        const struct grid_of_tiles t = tiles_of<T, Tile>(p);
        return launch_columns(
            column_realigned_lookback<T, Scan>, t.tiles, kThreads, p,
            bytes_of<T, Tile>(t), (cudaStream_t)stream, (const T *)p->in,
            p->mask, (T *)p->out, t, own_of<T>(p),
            (unsigned long long *)p->workspace,
            (column_state<T> *)((char *)p->workspace + kTicketBytes));
    });
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner < 128 ? "serves inner >= 128 only; narrow rows have "
                                  "row_tile_lookback"
                                : NULL;
}

VARIANTS(scan__column_realigned_lookback) = {
    {
        .name = "column_realigned_lookback_l32_w2",
        .idea = "rows of any alignment in whole vectors, by shuffles",
        .runs_on = DEVICE_CUDA,
        .ops = OPS_SCAN,
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = column_error_tile(tile<__half, true>::rows),
        .deterministic = false,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
    },
    {},
};
