/* SPDX-License-Identifier: MIT
 *
 * Idea     Rows that begin at any element stay in the aligned 16-byte vectors
 *          that hold them. From row to row the columns shift by the pitch
 *          modulo a vector, a constant; so the columns' sums move, in
 *          registers, and by shuffles across lanes. The data never do.
 * Against  column_lookback_realigned, which moves every row's elements into the
 *          lanes of their columns and back, by an offset known at run time.
 * Traffic  2N elements and a word per column and tile (passes = 1).
 * Needs    inner >= 128, not of whole vectors; in, out and mask that have their
 *          boundaries at the same elements.
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 * Lesson   If columns shift equally from row to row, a few sums can move
 *          instead of the rows.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/access/shifted_rows.cuh"
#include "variants/scan/columns/column_single_pass.cuh"

/* Sums of f64 have column_lookback or column_lookback_realigned. */
constexpr unsigned kNeeds = no_sums_of(DTYPE_F64);

constexpr int kLanes = kShiftLanes;
constexpr int kRows = 16; /* per thread */

template <class T>
using tile_of = tile_shape<T, kThreads, kLanes, kVec<T>, kRows>;

/* The elements of a tile's first vector of row u that precede its columns. */
template <class T, int Pitch>
__device__ __forceinline__ constexpr int shift_of(int u)
{
    return u * Pitch % kVec<T>;
}

/* Stores the scan of all rows with the carry-ins `before`: whole vectors, while
 * those across rows' ends are kept. */
template <class T, class Scan, int Pitch>
__device__ __forceinline__ void
scan_rows(uint4 (&x)[kRows], typename op_of<Scan, T>::acc (&before)[kVec<T>],
          T *out, int64_t inner, int rows, const strip_lane<kVec<T>> &lane,
          struct row_ends<kRows> &ends)
{
    constexpr int V = kVec<T>;
    const row_edge<V> edge(lane.before, lane.after);
    uint4 *const keep = ends.of(edge.side);
    const int64_t pitch = forget((inner - Pitch) * (int64_t)sizeof(T));
    int64_t to = forget((int64_t)(out + lane.at));
    if constexpr (Scan::reverse)
        to += (kRows - 1) * pitch;
    int shift = 0;
#pragma unroll
    for (int step = 0; step < kRows; ++step) {
        const int u = Scan::reverse ? kRows - 1 - step : step;
        move_on(before, shift - shift_of<T, Pitch>(u));
        shift = shift_of<T, Pitch>(u);
        forget(x[u]);
        const uint4 z = scan_row<Scan, op_of<Scan, T>, T>(x[u], before);
        T *const vector = (T *)to + u * Pitch / V * V;
        __builtin_assume(__isGlobal(vector));
        const int missing = edge.missing(shift);
        if (u < rows && missing <= 0)
            write_first(vector, z);
        if (u < rows && missing > 0 && missing < V)
            keep[u] = z;
        to += Scan::reverse ? -pitch : pitch;
    }
}

template <class T, class Scan, int Pitch>
struct shifted_rows {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using tile = tile_of<T>;
    using mask_words = words_t<mask_vec<T>>;
    using extra = struct strip_units;
    static constexpr int V = kVec<T>;
    static_assert(kRows % V == 0, "a thread's first row has no shift");
    static constexpr int kParts = kThreads / 32, kColumns = tile::columns;
    /* By then the previous tile is done or nearly so, and its state arrives
     * with the other rows. */
    static constexpr int kPeekAfter = 2;
    static constexpr bool overlap = true;

    const int part = threadIdx.x / 32;
    const int64_t inner, elems; /* a row's, the tensor's */
    const int own;
    strip_lane<V> here; /* in the warp's first row */
    int64_t first_column;
    int rows; /* this warp's */
    uint4 x[kRows];
    mask_words m[Scan::masked ? kRows : 1];

    __device__ __forceinline__ shifted_rows(const struct grid_of_tiles &t,
                                            const extra &units,
                                            const column_place &place)
        : inner(t.inner), elems(t.outer * t.axis * t.inner), own(units.own),
          here(units, (int)place.strip, 1, place.o,
               { t.outer, t.axis, t.inner })
    {
        const int64_t chunk =
            Scan::reverse ? t.chunks - 1 - place.step : place.step;
        const int64_t row = chunk * tile::rows + part * kRows;
        const int64_t left = t.axis - row;
        rows = left < 0 ? 0 : left < kRows ? (int)left : kRows;
        first_column = here.at - here.line - threadIdx.x % 32 * V;
        here.at += row * inner;
        here.line += row * inner;
        here.partial -= row;
    }
    __device__ __forceinline__ bool exists(int column) const
    {
        return column < (own + 1) * V && first_column + column >= 0 &&
               first_column + column < inner;
    }

    __device__ __forceinline__ void load(const T *__restrict__ in,
                                         const uint8_t *__restrict__ mask)
    {
        const uint64_t policy = evict_last_policy();
        load_shifted(x, in, here, here.at, inner, 0, Pitch, rows, here.partial,
                     elems, policy, pad_words<Op, uint4>());
        if constexpr (Scan::masked)
            load_shifted(m, mask, here, here.at, inner, 0, Pitch, rows,
                         here.partial, elems, policy, mask_words{});
    }

    template <class Peek>
    __device__ __forceinline__ void upsweep(Acc (&totals)[kParts][kColumns],
                                            Peek peek_after)
    {
        Acc sums[V];
        set_identity<Op>(sums);
#pragma unroll
        for (int u = 0; u < kRows; ++u) {
            if (u > 0)
                move_on(sums,
                        shift_of<T, Pitch>(u - 1) - shift_of<T, Pitch>(u));
            if constexpr (Scan::masked)
                x[u] = keep_where<Op>(x[u], m[u]);
            add_row<Op, Scan::reverse, T>(x[u], sums);
            peek_after(u + 1);
        }
        move_on(sums, shift_of<T, Pitch>(kRows - 1));
        put_sums(&totals[part][threadIdx.x % 32 * V], sums);
    }

    __device__ __forceinline__ void
    downsweep(const Acc (&totals)[kParts][kColumns], T *__restrict__ out)
    {
        Acc before[V];
        set_identity<Op>(before);
        add_sums<Op>(before, &totals[part][threadIdx.x % 32 * V]);
        __shared__ struct row_ends<kRows> ends[kParts];
        scan_rows<T, Scan, Pitch>(x, before, out, inner, here.writes ? rows : 0,
                                  here, ends[part]);
        if (here.inside)
            return;
        walked_rows<T, 1>{ .row = out + here.line,
                           .lane = out + here.at - threadIdx.x % 32 * V,
                           .step = inner,
                           .inner = inner,
                           .shift = 0,
                           .turn = Pitch,
                           .rows = rows,
                           .own = own }
            .store_ends(ends[part]);
    }
};

/* ------------------------------------------------------------------ host */

template <class T>
static struct grid_of_tiles
tiles_of(const struct problem *p, const struct strip_units &units, int halves)
{
    return tiles_in<tile_of<T>>(p, units.per_slab.d, halves);
}

template <int Halves>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        bytes = column_workspace<shifted_rows<T, Scan, 1>>(
            tiles_of<T>(p, units_of<T>(p, 1), Halves));
        return 0;
    });
    return bytes;
}

/* Calls run(pitch) with the pitch modulo a vector, from Pitch on, as a
 * constant. */
template <int Pitch, int Width, class Run>
static void with_pitch(int pitch, Run run)
{
    if constexpr (Pitch < Width) {
        if (pitch == Pitch)
            run(std::integral_constant<int, Pitch>{});
        else
            with_pitch<Pitch + 1, Width>(pitch, run);
    }
}

template <int Halves>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const struct strip_units units = units_of<T>(p, 1);
            int status = cudaErrorInvalidValue;
            with_pitch<1, kVec<T>>(
                (int)(p->shape.inner % kVec<T>), [&](auto rest) {
                    constexpr int Pitch = decltype(rest)::value;
                    status =
                        column_launch<T, Scan, shifted_rows<T, Scan, Pitch>>(
                            p, stream, tiles_of<T>(p, units, Halves), units);
                });
            return status;
        });
}

static const char *refuses(const struct problem *p)
{
    const int bytes = (int)dtype_bytes(p->dtype), width = 16 / bytes;
    if (p->shape.inner < 128)
        return "serves inner >= 128 only; narrow rows have row_tile_lookback";
    if (p->shape.inner % width == 0)
        return "serves rows of no whole number of vectors only; others have "
               "column_lookback";
    if (!same_boundaries(p))
        return "in, out and mask have their boundaries at other elements; "
               "column_lookback serves them";
    return too_long_in_strips(p, width);
}

/* Half-waves of tiles interleaved. */
#define POINT(suffix, halves)                                                  \
    {                                                                          \
        .name = "column_lookback_shifted_" #suffix,                            \
        .idea = "rows of any pitch in whole vectors; only the sums move",      \
        ON_CUDA(scans<kNeeds>(), 1),                                           \
        ERROR_OF_TILES(column_error_tile(tile_of<float>::rows)),               \
        .refuses = refuses, .workspace_bytes = workspace_bytes<halves>,        \
        .launch = launch<halves>                                               \
    }

VARIANTS(scan__column_lookback_shifted) = {
    POINT(i16, 1),
    POINT(i16_w2, 2),
    {},
};
