/* SPDX-License-Identifier: MIT
 *
 * The rows of a tile of columns by rows, of which a lane has some elements
 * each, in registers: a policy of column_single_pass.cuh.
 */
#ifndef VARIANTS_SCAN_COLUMNS_PLAIN_ROWS_CUH
#define VARIANTS_SCAN_COLUMNS_PLAIN_ROWS_CUH

#include "variants/common/access/l2_hints.cuh"
#include "variants/scan/columns/column_single_pass.cuh"

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
    /* Registers are so short that `rows` is kept instead of the values that the
     * compiler would recompute it from. */
    static constexpr bool kShort =
        (sizeof(T) == 8 && Count == 8) || !kStoresElements<Op>;

    const int lane = threadIdx.x % Lanes, part = threadIdx.x / kSharing;
    const uint64_t policy = evict_last_policy();
    const int64_t inner, first_column;
    int64_t at; /* this thread's first row */
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

#endif
