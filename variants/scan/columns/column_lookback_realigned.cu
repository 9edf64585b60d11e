/* SPDX-License-Identifier: MIT
 *
 * Idea     Rows that begin at any element are still accessed in aligned 16-byte
 *          vectors: neighbouring lanes exchange the elements that cross their
 *          edges. Where two tiles meet inside a vector, both compute its
 *          columns, and one writes it whole.
 * Against  column_lookback, which takes such rows element by element.
 * Traffic  2N elements and a word per column and tile (passes = 1).
 * Needs    inner >= 128; of halves, not rows of whole aligned vectors.
 * Source   the look-back: D. Merrill and M. Garland, "Single-pass Parallel
 *          Prefix Scan with Decoupled Look-back", NVR-2016-002.
 * Lesson   Shuffles across vector edges replace narrow accesses at any
 *          alignment.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/access/realigned_rows.cuh"
#include "variants/scan/columns/column_single_pass.cuh"

/* Sums of f32 and bf16 have column_lookback_shifted or column_lookback. */
constexpr unsigned kNeeds = no_sums_of(DTYPE_F32) | no_sums_of(DTYPE_BF16);

constexpr int kLanes = 32;

/* Rows per thread: fewer of halves with masks, which need more registers. */
template <class T, bool Masked>
constexpr int kRows = Masked &&is_half<T> ? 8 : 16;

template <class T, bool Masked>
using tile_of = tile_shape<T, kThreads, kLanes, kVec<T>, kRows<T, Masked>>;

/* Tiles share a row: a strip's tile writes `own` columns, but up to the last
 * boundary of 16 bytes only, and begins kOverlap columns early, as the
 * strip before may have left that many. */
template <class T>
constexpr int kOverlap = kVec<T> - 1;

template <class T, class Scan>
struct realigned_rows {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    using tile = tile_of<T, Scan::masked>;
    using mask_words = words_t<mask_vec<T>>;
    using extra = int; /* columns that a strip owns */
    static constexpr int V = kVec<T>, kSize = (int)sizeof(T);
    static constexpr int Count = kRows<T, Scan::masked>;
    static constexpr int kParts = kThreads / 32, kColumns = tile::columns;
    /* By then the previous tile is done or nearly so, and its state arrives
     * with the other rows. */
    static constexpr int kPeekAfter = 2;
    static constexpr bool overlap = true;

    const int lane = threadIdx.x % 32, part = threadIdx.x / 32;
    const uint64_t policy = evict_last_policy();
    const bool leftmost, rightmost; /* among strips */
    const int64_t inner, elems;
    int64_t at;  /* the first column in this thread's first row */
    int columns; /* this tile's */
    int rows;    /* that exist for this lane */
    row_accesses<T, uint4> from;
    row_accesses<uint8_t, mask_words> masks;
    uint4 x[Count];
    mask_words m[Scan::masked ? Count : 1];

    __device__ __forceinline__ realigned_rows(const struct grid_of_tiles &t,
                                              int own,
                                              const column_place &place)
        : leftmost(place.strip == 0), rightmost(place.strip == t.strips - 1),
          inner(t.inner), elems(t.outer * t.axis * t.inner)
    {
        const int64_t chunk =
            Scan::reverse ? t.chunks - 1 - place.step : place.step;
        const int64_t first_column =
            place.strip * own - (leftmost ? 0 : kOverlap<T>);
        columns = rightmost ? (int)(t.inner - first_column)
                            : own + (leftmost ? 0 : kOverlap<T>);
        const int64_t row = chunk * tile::rows + part * Count;
        const int64_t left = t.axis - row;
        rows = lane * V >= columns + V - 1 || left < 0 ? 0
               : left < Count                          ? (int)left
                                                       : Count;
        at = (place.o * t.axis + row) * t.inner + first_column;
    }
    __device__ __forceinline__ bool exists(int column) const
    {
        return column < columns;
    }

    __device__ __forceinline__ void load(const T *__restrict__ in,
                                         const uint8_t *__restrict__ mask)
    {
        from = { in + at, inner, lane, rows };
        masks = { mask + at, inner, lane, rows };
        const auto pad = pad_words<Op, uint4>();
        from.load(x, in, in + elems, pad, [&](const uint4 *vector) {
            return read_kept(vector, policy);
        });
        if constexpr (Scan::masked) {
            masks.load(m, mask, mask + elems, {}, [](const mask_words *bytes) {
                return read_vec<mask_words>(bytes);
            });
            masks.complete(m, mask, mask + elems, {});
        }
        from.complete(x, in, in + elems, pad);
    }

    template <class Peek>
    __device__ __forceinline__ void upsweep(Acc (&totals)[kParts][kColumns],
                                            Peek peek_after)
    {
        Acc sums[V];
        set_identity<Op>(sums);
#pragma unroll
        for (int u = 0; u < Count; ++u) {
            x[u] = pull<T>(x[u], from.off(u));
            if constexpr (Scan::masked)
                x[u] = keep_where<Op>(x[u], pull_mask(m[u], masks.off(u)));
            if constexpr (!kAbsorbs<Op>)
                add_row<Op, Scan::reverse, T>(x[u], sums);
            peek_after(u + 1);
        }
        if constexpr (kAbsorbs<Op>)
            absorb_rows<Op, T>(x, sums);
        put_sums(&totals[part][lane * V], sums);
    }

    /* Stores this lane's vector of a row, whose piece begins at `to`, `low`
     * bytes after a boundary; this tile writes bytes [begin, end) from that
     * boundary on, this lane the 16 from `mine` on. */
    __device__ __forceinline__ void store(T *to, const uint4 &y, bool row) const
    {
        const unsigned left = leftmost ? 1 : 16, right = rightmost ? 1 : 16;
        const unsigned low = (unsigned)(uintptr_t)to % 16;
        const unsigned begin = (low + left - 1) & -left;
        const unsigned end = (low + columns * kSize) & -right;
        const unsigned mine = lane * 16;
        const uint4 z = push<T>(y, low / kSize);
        char *const vector = (char *)to - low + mine;
        if (row && mine >= begin && mine + 16 <= end) {
            write_first(vector, z);
        } else if (row && mine + 16 > begin && mine < end) {
            const auto some = __builtin_bit_cast(vec<T>, z);
#pragma unroll
            for (int k = 0; k < V; ++k)
                if (mine + k * kSize >= begin && mine + k * kSize < end)
                    ((T *)vector)[k] = some.item[k];
        }
    }

    __device__ __forceinline__ void
    downsweep(const Acc (&totals)[kParts][kColumns], T *__restrict__ out)
    {
        Acc before[V];
        set_identity<Op>(before);
        add_sums<Op>(before, &totals[part][lane * V]);
        const int64_t pitch = forget(inner);
        T *to = out + at + (Scan::reverse ? (Count - 1) * pitch : 0);
#pragma unroll
        for (int step = 0; step < Count; ++step) {
            const int u = Scan::reverse ? Count - 1 - step : step;
            forget(x[u]);
            store(to, scan_row<Scan, Op, T>(x[u], before), u < rows);
            to += Scan::reverse ? -pitch : pitch;
        }
    }
};

/* ------------------------------------------------------------------ host */

/* Columns of a strip: strips are equally wide, and the lanes' vectors cover one
 * at any alignment. */
template <class T>
static int own_of(const struct problem *p)
{
    constexpr int kPiece = kLanes * kVec<T> - kOverlap<T>;
    const int64_t strips = ceil_div(p->shape.inner, kPiece - kOverlap<T>);
    return (int)ceil_div(p->shape.inner, strips);
}

/* A whole wave of tiles is interleaved. */
template <class T, class Scan>
static struct grid_of_tiles tiles_of(const struct problem *p)
{
    return tiles_in<tile_of<T, Scan::masked>>(
        p, ceil_div(p->shape.inner, own_of<T>(p)), 2);
}

static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        bytes = column_workspace<realigned_rows<T, Scan>>(tiles_of<T, Scan>(p));
        return 0;
    });
    return bytes;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            return column_launch<T, Scan, realigned_rows<T, Scan>>(
                p, stream, tiles_of<T, Scan>(p), own_of<T>(p));
        });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner < 128)
        return "serves inner >= 128 only; narrow rows have row_tile_lookback";
    if (dtype_bytes(p->dtype) == 2 &&
        lines_aligned<__half>(p->in, p->mask, p->out, p->shape.inner))
        return "rows of whole aligned vectors of halves have column_lookback";
    return NULL;
}

VARIANTS(scan__column_lookback_realigned) = {
    {
        .name = "column_lookback_realigned_l32_w2",
        .idea = "rows of any alignment in whole vectors, by shuffles",
        ON_CUDA(scans<kNeeds>(), 1),
        ERROR_OF_TILES(column_error_tile(tile_of<__half, true>::rows)),
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
    },
    {},
};
