/* SPDX-License-Identifier: MIT
 *
 * Idea     Rows that begin at any element stay in the aligned 16-byte vectors
 *          that hold them. From a row to the next the columns move on by as
 *          many elements as the pitch is off, the same all over the tensor; so
 *          the columns' sums move, in registers, and what crosses a lane's edge
 *          by a shuffle. The data never do.
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

/* A lane's vector of every row: that of row u begins `shift_of(u)` elements
 * before column `column`, which may be none of this row's. */
struct lane_place {
    int64_t at; /* of column `column` in the first row */
    int64_t column, inner, elems;
    int rows; /* that exist for this lane */

    /* Elements of a row before column and from it on, as far as they count. */
    __device__ __forceinline__ int before() const
    {
        return column < 64 ? (int)column : 64;
    }
    __device__ __forceinline__ int after() const
    {
        return inner - column < 64 ? (int)(inner - column) : 64;
    }
};

/* x[u] = read(vector) for all rows; in single elements where the vector reaches
 * beyond the tensor, which only its first and last rows can. */
template <class T, int Pitch, class E, class Bits, class Read>
__device__ __forceinline__ void load_rows(Bits (&x)[kRows], const E *from,
                                          const lane_place &p, const Bits &pad,
                                          Read read)
{
    constexpr int V = kVec<T>;
    const bool early = p.rows > 0 && p.at < 0;
    const int64_t last =
        p.at + (p.rows - 1) * p.inner - (unsigned)(p.rows - 1) % V * Pitch % V;
    const bool late = p.rows > 0 && last + V > p.elems;
    const int whole = p.rows - late;
    const char *here = (const char *)(from + p.at);
    const int64_t pitch = forget((p.inner - Pitch) * (int64_t)sizeof(E));
#pragma unroll
    for (int u = 0; u < kRows; ++u, here += pitch) {
        x[u] = pad;
        if (u < whole && !(u == 0 && early))
            x[u] = read((const Bits *)here + u * Pitch / V);
    }
    if (!early && !late)
        return;
    const Bits part =
        load_inside<E, Bits>(from, early ? p.at : last, p.elems, pad);
    const int row = early ? 0 : p.rows - 1;
#pragma unroll
    for (int u = 0; u < kRows; ++u)
        x[u] = either(u == row, part, x[u]);
}

/* Stores the scan of all rows with the carry-ins `before`: whole vectors, while
 * those across rows' ends are kept. */
template <class T, class Scan, int Pitch>
__device__ __forceinline__ void
scan_rows(uint4 (&x)[kRows], typename op_of<Scan, T>::acc (&before)[kVec<T>],
          T *out, const lane_place &p, struct row_ends<kRows> &ends)
{
    constexpr int V = kVec<T>;
    const row_edge<V> edge(p.before(), p.after());
    uint4 *const keep = ends.of(edge.side);
    const int64_t pitch = forget((p.inner - Pitch) * (int64_t)sizeof(T));
    int64_t to = forget((int64_t)(out + p.at));
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
        if (u < p.rows && missing <= 0)
            write_first(vector, z);
        if (u < p.rows && missing > 0 && missing < V)
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
    using extra = struct vectors_shared;
    static constexpr int V = kVec<T>;
    static_assert(kRows % V == 0, "a thread's first row has no shift");
    static constexpr int kParts = kThreads / 32, kColumns = tile::columns;
    /* By then the previous tile is done or nearly so, and its state arrives
     * with the other rows. */
    static constexpr int kPeekAfter = 2;
    static constexpr bool overlap = true;

    const int lane = threadIdx.x % 32, part = threadIdx.x / 32;
    const int own; /* vectors of a row that a strip writes */
    int64_t first_column;
    lane_place here;
    int rows;    /* of this warp */
    bool inside; /* all vectors are the rows' own */
    uint4 x[kRows];
    mask_words m[Scan::masked ? kRows : 1];

    __device__ __forceinline__ shifted_rows(const struct grid_of_tiles &t,
                                            const extra &share,
                                            const column_place &place)
        : own(share.own)
    {
        const int64_t chunk =
            Scan::reverse ? t.chunks - 1 - place.step : place.step;
        /* Vectors are numbered from the boundary before the first column. */
        const int64_t line = place.o * t.axis * t.inner;
        const int lead = (int)((share.lead + line) % V);
        first_column = (place.strip * own - 1) * V - lead;
        const int64_t row = chunk * tile::rows + part * kRows;
        const int64_t left = t.axis - row;
        rows = left < 0 ? 0 : left < kRows ? (int)left : kRows;
        here.column = first_column + lane * V;
        here.inner = t.inner;
        here.elems = t.outer * t.axis * t.inner;
        here.at = line + row * t.inner + here.column;
        here.rows = lane < own + 2 && here.column + V > 0 &&
                            here.column < t.inner + V - 1
                        ? rows
                        : 0;
        /* The last strip but one may end beyond the row, too: strips are
         * rounded up to share the columns evenly. */
        inside =
            place.strip > 0 && first_column + (int64_t)(own + 1) * V <= t.inner;
    }
    __device__ __forceinline__ bool exists(int column) const
    {
        return column < (own + 1) * V && first_column + column >= 0 &&
               first_column + column < here.inner;
    }

    __device__ __forceinline__ void load(const T *__restrict__ in,
                                         const uint8_t *__restrict__ mask)
    {
        const uint64_t policy = evict_last_policy();
        load_rows<T, Pitch>(
            x, in, here, pad_words<Op, uint4>(),
            [&](const uint4 *vector) { return read_kept(vector, policy); });
        if constexpr (Scan::masked)
            load_rows<T, Pitch>(m, mask, here, mask_words{},
                                [](const mask_words *bytes) {
                                    return read_vec<mask_words>(bytes);
                                });
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
        put_sums(&totals[part][lane * V], sums);
    }

    __device__ __forceinline__ void
    downsweep(const Acc (&totals)[kParts][kColumns], T *__restrict__ out)
    {
        Acc before[V];
        set_identity<Op>(before);
        add_sums<Op>(before, &totals[part][lane * V]);
        __shared__ struct row_ends<kRows> ends[kParts];
        struct lane_place writer = here;
        writer.rows = lane > 0 && lane <= own ? here.rows : 0;
        scan_rows<T, Scan, Pitch>(x, before, out, writer, ends[part]);
        if (inside)
            return;
        T *const first = out + here.at - lane * V;
        walked_rows<T, 1>{ .row = first - first_column,
                           .lane = first,
                           .step = here.inner,
                           .inner = here.inner,
                           .shift = 0,
                           .turn = Pitch,
                           .rows = rows,
                           .own = own }
            .store_ends(ends[part]);
    }
};

/* ------------------------------------------------------------------ host */

template <class T>
static struct grid_of_tiles tiles_of(const struct problem *p, int halves)
{
    int64_t strips;
    vectors_shared_of<T>(p, &strips);
    return tiles_in<tile_of<T>>(p, strips, halves);
}

template <int Halves>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        bytes =
            column_workspace<shifted_rows<T, Scan, 1>>(tiles_of<T>(p, Halves));
        return 0;
    });
    return bytes;
}

/* Calls run(pitch) with the pitch's rest, from Pitch on, as a constant. */
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
            int64_t strips;
            const struct vectors_shared share =
                vectors_shared_of<T>(p, &strips);
            int status = cudaErrorInvalidValue;
            with_pitch<1, kVec<T>>(
                (int)(p->shape.inner % kVec<T>), [&](auto rest) {
                    constexpr int Pitch = decltype(rest)::value;
                    status =
                        column_launch<T, Scan, shifted_rows<T, Scan, Pitch>>(
                            p, stream, tiles_of<T>(p, Halves), share);
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
    return NULL;
}

/* Half-waves of tiles interleaved. */
#define POINT(suffix, halves)                                                  \
    {                                                                          \
        .name = "column_lookback_shifted_" #suffix,                            \
        .idea = "rows of any pitch in whole vectors; only the sums move",      \
        ON_CUDA(scans<kNeeds>(), 1),                                           \
        ERROR_OF_TILES(column_error_tile(tile_of<float>::rows)),               \
        .deterministic = false, .refuses = refuses,                            \
        .workspace_bytes = workspace_bytes<halves>, .launch = launch<halves>   \
    }

VARIANTS(scan__column_lookback_shifted) = {
    POINT(i16, 1),
    POINT(i16_w2, 2),
    {},
};
