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
 */
#include "variants/device.cuh"
#include "variants/scan/column_tiles.cuh"
#include "variants/scan/realigned.cuh"

constexpr int kThreads = 256;

template <bool Masked>
constexpr int kDepth = Masked ? 2 : 4;

/* A row of the tile before is asked for once so many of the own are here: it is
 * done by then, or nearly, and the answer comes with the other rows. */
constexpr int kRowsFirst = 2;

/* How tiles share a row: a strip's tile writes `own` columns, but up to the
 * last boundary of `grain` bytes only, and begins `overlap` columns early. */
struct row_share {
    int own, overlap;
    unsigned grain;
};

template <class T, class Scan, int Lanes, int Rows>
static __global__ void
__launch_bounds__(kThreads,
                  tile_shape<T, kThreads, Lanes, kVec<T>, Rows>::blocks)
    column_realigned_lookback(const T *__restrict__ in,
                              const uint8_t *__restrict__ mask,
                              T *__restrict__ out, const struct grid_of_tiles t,
                              const struct row_share share,
                              unsigned long long *ticket,
                              column_state<T> *states)
{
    using Acc = acc_t<T>;
    constexpr int V = kVec<T>, kSize = (int)sizeof(T);
    using Tile = tile_shape<T, kThreads, Lanes, V, Rows>;
    using Raw = raw<T, V>;
    using Mask = raw_bits_t<raw_mask<V>>;
    constexpr int kParts = kThreads / 32, kColumns = Tile::columns;
    __shared__ alignas(16) Acc totals[kParts][kColumns];
    __shared__ int64_t shared_number;
    const int lane = threadIdx.x % Lanes, group = threadIdx.x / Lanes;
    const int part = threadIdx.x / 32;
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
            place.strip * share.own - (leftmost ? 0 : share.overlap);
        const int columns = rightmost
                                ? (int)(t.inner - first_column)
                                : share.own + (leftmost ? 0 : share.overlap);

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
        const int64_t row = chunk * Tile::rows + group * Rows;
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
            return raw_read_kept(vector, policy);
        });
        if constexpr (Scan::masked) {
            masks.load(m, mask, mask + elems,
                       [](const Mask *bytes) { return raw_read<Mask>(bytes); });
            masks.complete(m, mask, mask + elems);
        }
        from.complete(x, in, in + elems);

        /* upsweep */
        unsigned flag = TILE_PREFIX;
        Acc carry = 0, sums[V] = {}, before[V];
#pragma unroll
        for (int u = 0; u < Rows; ++u) {
            x[u] = pull<T, Lanes>(x[u], from.off(u));
            if constexpr (Scan::masked)
                x[u] = raw_where<T>(x[u], pull_mask<Lanes>(m[u], masks.off(u)));
            const Raw y = __builtin_bit_cast(Raw, x[u]);
#pragma unroll
            for (int k = 0; k < V; ++k)
                sums[k] += to_acc(y.item[k]);
            if (u + 1 == kRowsFirst && asks && place.step > 0)
                flag = peek(chain.mine - chain.stride, &carry);
        }
#pragma unroll
        for (int k = 0; k < V; ++k)
            before[k] = group_prefix<Scan::reverse, Lanes>(&sums[k]);
        if (threadIdx.x % 32 / Lanes == (Scan::reverse ? 0 : 32 / Lanes - 1))
            put_sums(&totals[part][lane * V], sums);

        /* spine: over the rows of tiles before this one */
        column_spine<Scan, kDepth<Scan::masked>>(totals, chain, flag, carry);

        /* downsweep, store */
        add_sums(before, &totals[part][lane * V]);
        const unsigned left_grain = leftmost ? 1 : share.grain;
        const unsigned right_grain = rightmost ? 1 : share.grain;
        const int64_t pitch = raw_forget(t.inner);
        T *to = out + at + (Scan::reverse ? (Rows - 1) * pitch : 0);
#pragma unroll
        for (int turn = 0; turn < Rows; ++turn) {
            const int u = Scan::reverse ? Rows - 1 - turn : turn;
            raw_forget(x[u]);
            Raw y = __builtin_bit_cast(Raw, x[u]);
#pragma unroll
            for (int k = 0; k < V; ++k) {
                const Acc sum = before[k] + to_acc(y.item[k]);
                y.item[k] = from_acc<T>(Scan::exclusive ? before[k] : sum);
                before[k] = sum;
            }
            /* Bytes from the 32-byte boundary before the row's piece: it
             * begins at low, this tile writes [begin, end) of it, this lane
             * the 16 from `mine` on. */
            const unsigned low = (unsigned)(uintptr_t)to % 32;
            const unsigned begin = (low + left_grain - 1) & -left_grain;
            const unsigned end = (low + columns * kSize) & -right_grain;
            const unsigned mine = low / 16 * 16 + lane * 16;
            const uint4 z =
                push<T, Lanes>(__builtin_bit_cast(uint4, y), low % 16 / kSize);
            char *const vector = (char *)to - low + mine;
            if (u < rows && mine >= begin && mine + 16 <= end) {
                raw_write_first(vector, z);
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

/* Grain: bytes that one tile writes whole, 16 or 32. */
template <class T, int Lanes>
static struct row_share share_of(const struct problem *p, int grain)
{
    constexpr int kPiece = Lanes * kVec<T> - (kVec<T> - 1);
    struct row_share share = { .overlap = (grain - 1) / (int)sizeof(T),
                               .grain = (unsigned)grain };
    const int64_t strips = ceil_div(p->shape.inner, kPiece - share.overlap);
    share.own = (int)ceil_div(p->shape.inner, strips);
    return share;
}

/* Waves: of tiles that take turns before the next tile of a strip; half a one
 * or a whole one. */
template <class T, class Tile>
static struct grid_of_tiles tiles_of(const struct problem *p,
                                     const struct row_share &share, int halves)
{
    struct grid_of_tiles t = { .outer = p->shape.outer,
                               .axis = p->shape.axis,
                               .inner = p->shape.inner };
    t.chunks = ceil_div(t.axis, Tile::rows);
    t.strips = ceil_div(t.inner, share.own);
    t.tiles = t.outer * t.chunks * t.strips;
    const int64_t wide =
        p->device ? ceil_div(Tile::blocks * p->device->sm_count, t.strips) : 1;
    t.abreast = abreast_of(t, ceil_div(wide * halves, 2));
    const int64_t deep = ceil_div(wide, t.abreast);
    const int depth = op_has_mask(p->op) ? kDepth<true> : kDepth<false>;
    t.groups = deep < depth * Tile::sharers ? (int)ceil_div(deep, depth)
                                            : Tile::sharers;
    return t;
}

/* Halves and their masks fill the registers with fewer rows. */
template <class T, bool Masked, int Rows>
constexpr int kRows = Masked && sizeof(T) == 2 && Rows > 8 ? 8 : Rows;

template <class T, bool Masked, int Lanes, int Rows>
using tile = tile_shape<T, kThreads, Lanes, kVec<T>, kRows<T, Masked, Rows>>;

template <class T, class Tile>
static size_t bytes_of(const struct grid_of_tiles &t)
{
    return column_bytes<T>((t.chunks - 1) * t.outer * t.strips * Tile::columns);
}

template <int Lanes, int Rows, int Grain, int Halves>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_dtype(p->dtype, [&](auto type) {
        using T = typename decltype(type)::type;
        const struct row_share share = share_of<T, Lanes>(p, Grain);
        using Masked = tile<T, true, Lanes, Rows>;
        using Plain = tile<T, false, Lanes, Rows>;
        bytes = op_has_mask(p->op)
                    ? bytes_of<T, Masked>(tiles_of<T, Masked>(p, share, Halves))
                    : bytes_of<T, Plain>(tiles_of<T, Plain>(p, share, Halves));
        return 0;
    });
    return bytes;
}

template <int Lanes, int Rows>
static int start(const struct problem *p, cudaStream_t stream, int grain,
                 int halves)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        using Tile = tile<T, Scan::masked, Lanes, Rows>;
        const struct row_share share = share_of<T, Lanes>(p, grain);
        const struct grid_of_tiles t = tiles_of<T, Tile>(p, share, halves);
        return launch_columns(
            column_realigned_lookback<T, Scan, Lanes,
                                      kRows<T, Scan::masked, Rows>>,
            t.tiles, kThreads, p, bytes_of<T, Tile>(t), stream,
            (const T *)p->in, p->mask, (T *)p->out, t, share,
            (unsigned long long *)p->workspace,
            (column_state<T> *)((char *)p->workspace + kTicketBytes));
    });
}

template <int Lanes, int Rows, int Grain, int Halves>
static int launch(const struct problem *p, void *stream)
{
    return start<Lanes, Rows>(p, (cudaStream_t)stream, Grain, Halves);
}

static const char *refuses(const struct problem *p)
{
    return p->shape.inner < 128 ? "serves inner >= 128 only; narrow rows have "
                                  "row_tile_lookback"
                                : NULL;
}

/* Lanes along a row, rows a thread, bytes that one tile writes whole, half
 * waves of tiles abreast. */
#define POINT(suffix, lanes, rows, grain, halves)                              \
    {                                                                          \
        .name = "column_realigned_lookback_" #suffix,                          \
        .idea = "rows of any alignment in whole vectors, by shuffles",         \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 16,            \
        .deterministic = false, .refuses = refuses,                            \
        .workspace_bytes = workspace_bytes<lanes, rows, grain, halves>,        \
        .launch = launch<lanes, rows, grain, halves>                           \
    }

VARIANTS(scan__column_realigned_lookback) = {
    POINT(l32, 32, 16, 16, 1),
    POINT(l32_w2, 32, 16, 16, 2),
    POINT(l32_g32, 32, 16, 32, 1),
    POINT(l16, 16, 16, 16, 1),
    {},
};
