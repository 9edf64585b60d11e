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
#include "variants/scan/columns/plain_rows.cuh"

constexpr unsigned kNeeds = ALLOWS_WIDENING;

/* Unaligned rows are accessed element by element; where results are as wide as
 * elements, column_lookback_realigned takes them for operators other than
 * addition. */
template <class Op>
constexpr bool kServesSingles = is_addition<Op> || !kStoresElements<Op>;
template <class Op>
constexpr int kSingleRows = is_addition<Op> ? 32 : 16;

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

/* Enough for either way of loading rows. */
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
               "decoupled_lookback_blocked";
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
        ON_CUDA(scans<kNeeds>(), 1),                                           \
        ERROR_OF_TILES(column_error_tile(least_rows(lanes, rows))),            \
        .refuses = refuses,                                                    \
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
