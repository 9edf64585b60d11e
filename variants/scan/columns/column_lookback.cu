/* SPDX-License-Identifier: MIT
 *
 * Idea     One block per tile of some columns by many rows, in address order:
 *          all blocks together walk one small window of memory. A tile's carry
 *          is a vector, and each column looks back for its own.
 * Against  thread_per_column: there a thread owns a whole column, so
 *          that the GPU reads as many distant rows as there are blocks, and
 *          few columns mean few threads; and decoupled_lookback, whose carry
 *          is a scalar.
 * Traffic  2N elements and a word per column and tile (passes = 1).
 * Needs    inner > 1. With fewer columns than a tile, lanes idle.
 * Source   D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with
 *          Decoupled Look-back", NVR-2016-002.
 * Lesson   Tiles in address order, with a carry per column, make a strided axis
 *          fast.
 */
#include "variants/common/kernel.cuh"
#include "variants/common/access/l2_hints.cuh"
#include "variants/scan/columns/column_single_pass.cuh"

constexpr unsigned kNeeds = ALLOWS_WIDENING;

/* Rows off boundaries are taken in single elements; where results are as wide
 * as elements, column_lookback_realigned has them for operators other than
 * addition. */
template <class Op>
constexpr bool kServesSingles = is_addition<Op> || !kStoresElements<Op>;
template <class Op>
constexpr int kSingleRows = is_addition<Op> ? 32 : 16;

/* A lane has Width elements of each of its Count rows, one access per row. */
template <class T, class Scan, int Lanes, int Width, int Count>
struct plain_rows {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using tile = tile_shape<T, kThreads, Lanes, Width, Count>;
    using words = words_t<vec<T, Width>>;
    using mask_words = words_t<mask_vec<T, Width>>;
    struct extra {
    };
    /* Threads of a column exchange its reductions by warps, or by whole rows
     * where these are longer. */
    static constexpr int kSharing = Lanes < 32 ? 32 : Lanes;
    static constexpr int kParts = kThreads / kSharing;
    static constexpr int kColumns = tile::columns;
    static constexpr int kPeekAfter = 0;
    static constexpr bool overlap = false;
    /* Registers are so short that `rows` is kept, and not the several values
     * that the compiler would recompute it from. */
    static constexpr bool kShort =
        (sizeof(T) == 8 && Count == 8) || !kStoresElements<Op>;

    const int lane = threadIdx.x % Lanes, part = threadIdx.x / kSharing;
    const uint64_t policy = evict_last_policy();
    const int64_t inner, first_column;
    int64_t at; /* of this thread's first row */
    int rows;   /* that exist */
    words x[Count];
    mask_words m[Scan::masked ? Count : 1];
    Acc before[Width];

    __device__ __forceinline__ plain_rows(const struct grid_of_tiles &t, extra,
                                          const column_place &place)
        : inner(t.inner), first_column(place.strip * kColumns)
    {
        const int64_t chunk =
            Scan::reverse ? t.chunks - 1 - place.step : place.step;
        const int64_t row =
            chunk * tile::rows + (int)(threadIdx.x / Lanes) * Count;
        const int64_t column = first_column + lane * Width;
        rows = column >= t.inner      ? 0
               : t.axis - row < Count ? (int)(t.axis - row)
                                      : Count;
        if constexpr (kShort)
            forget(rows);
        at = (place.o * t.axis + row) * t.inner + column;
    }
    __device__ __forceinline__ bool exists(int column) const
    {
        return first_column + column < inner;
    }

    __device__ __forceinline__ void load(const T *__restrict__ in,
                                         const uint8_t *__restrict__ mask)
    {
        int64_t here = at;
#pragma unroll
        for (int u = 0; u < Count; ++u, here += inner) {
            x[u] = pad_words<Op, words>();
            if (u < rows)
                x[u] = read_kept((const words *)(in + here), policy);
            if constexpr (Scan::masked) {
                m[u] = {};
                if (u < rows)
                    m[u] = read_vec<mask_words>(mask + here);
            }
        }
    }

    template <class Peek>
    __device__ __forceinline__ void upsweep(Acc (&totals)[kParts][kColumns],
                                            Peek peek_after)
    {
        Acc sums[Width];
        set_identity<Op>(sums);
#pragma unroll
        for (int u = 0; u < Count; ++u) {
            if constexpr (Scan::masked)
                x[u] = keep_where<Op>(x[u], m[u]);
            if constexpr (!kAbsorbs<Op>)
                add_row<Op, Scan::reverse, T>(x[u], sums);
            peek_after(u + 1);
        }
        if constexpr (kAbsorbs<Op>)
            absorb_rows<Op, T>(x, sums);
#pragma unroll
        for (int k = 0; k < Width; ++k)
            before[k] = group_prefix<Op, Scan::reverse, Lanes>(&sums[k]);
        if (threadIdx.x % kSharing / Lanes ==
            (Scan::reverse ? 0 : kSharing / Lanes - 1))
            put_sums(&totals[part][lane * Width], sums);
    }

    __device__ __forceinline__ void
    downsweep(const Acc (&totals)[kParts][kColumns],
              output_of<Op> *__restrict__ out)
    {
        add_sums<Op>(before, &totals[part][lane * Width]);
        const int64_t pitch = forget(inner);
        int64_t here = at + (Scan::reverse ? (Count - 1) * pitch : 0);
#pragma unroll
        for (int step = 0; step < Count; ++step) {
            const int u = Scan::reverse ? Count - 1 - step : step;
            forget(x[u]);
            const auto y = scan_row<Scan, Op, T>(x[u], before);
            if (u < rows)
                write_first(out + here, y);
            here += Scan::reverse ? -pitch : pitch;
        }
    }
};

/* ------------------------------------------------------------------ host */

template <class T, class Scan, int Lanes, int Rows>
using vector_rows = plain_rows<T, Scan, Lanes, kVecOf<op_of<Scan, T>>, Rows>;
/* Unaligned rows are accessed element by element. */
template <class T, class Scan>
using single_rows = plain_rows<T, Scan, 32, 1, kSingleRows<op_of<Scan, T>>>;

template <class Rows>
static struct grid_of_tiles tiles_of(const struct problem *p, int halves)
{
    return tiles_in<typename Rows::tile>(
        p, ceil_div(p->shape.inner, Rows::kColumns), halves);
}

/* As much as either way of taking the rows needs. */
template <int Lanes, int Rows, int Halves>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        using vectors = vector_rows<T, Scan, Lanes, Rows>;
        using singles = single_rows<T, Scan>;
        const size_t wide =
            column_workspace<vectors>(tiles_of<vectors>(p, Halves));
        const size_t narrow =
            column_workspace<singles>(tiles_of<singles>(p, Halves));
        bytes = narrow < wide ? wide : narrow;
        return 0;
    });
    return bytes;
}

template <int Lanes, int Rows, int Halves>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            using Op = op_of<Scan, T>;
            using vectors = vector_rows<T, Scan, Lanes, Rows>;
            using singles = single_rows<T, Scan>;
            if constexpr (kServesSingles<Op>)
                if (!rows_aligned<Op>(p, p->shape.inner))
                    return column_launch<T, Scan, singles>(
                        p, stream, tiles_of<singles>(p, Halves), {});
            return column_launch<T, Scan, vectors>(
                p, stream, tiles_of<vectors>(p, Halves), {});
        });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner == 1)
        return "serves strided lines only (inner > 1); contiguous ones have "
               "decoupled_lookback";
    bool serves = true;
    dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        using Op = op_of<Scan, T>;
        serves = kServesSingles<Op> || rows_aligned<Op>(p, p->shape.inner);
        return 0;
    });
    if (!serves)
        return "serves sums of floats, results wider than elements, or rows of "
               "whole vectors; others have "
               "column_lookback_realigned or row_tile_lookback";
    return NULL;
}

/* Rows of the shortest tile; single elements make one of 256. */
constexpr int least_rows(int lanes, int rows)
{
    return rows < lanes ? kThreads / lanes * rows : kThreads;
}

/* Lanes along a row, rows per thread, half-waves of tiles interleaved. */
#define POINT(suffix, lanes, rows, halves)                                     \
    {                                                                          \
        .name = "column_lookback_" #suffix,                                    \
        .idea = "a block per tile of columns by rows, each column looks back", \
        .runs_on = DEVICE_CUDA, .ops = scans<kNeeds>(), .passes = 1,           \
        .error_growth = ERROR_TILED,                                           \
        .error_tile = column_error_tile(least_rows(lanes, rows)),              \
        .deterministic = false, .refuses = refuses,                            \
        .workspace_bytes = workspace_bytes<lanes, rows, halves>,               \
        .launch = launch<lanes, rows, halves>                                  \
    }

VARIANTS(scan__column_lookback) = {
#ifndef OTHER_OPERATORS
    POINT(l8, 8, 16, 1),
#endif
    POINT(l16_w2, 16, 16, 2),
#ifndef OTHER_OPERATORS
    POINT(l16_i8_w2, 16, 8, 2),
#endif
    {},
};
