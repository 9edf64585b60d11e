/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread takes the columns of one 16-byte vector and walks down
 *          them, some rows in flight at a time. Blocks are small and go
 *          through memory in order.
 * Against  thread_per_column: one column per thread, so that accesses are
 *          as narrow as an element. Here a short window of each row is in
 *          flight, which suits the DRAM better than deep tiles that lie far
 *          apart.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    many columns, as there are no other threads. Where rows are not
 *          whole vectors: inner of at least 128; and in, out and mask that
 *          have their boundaries at the same elements. Where results are wider
 *          than elements, threads take single columns of such rows.
 * Source   none; the shifted rows are column_lookback_shifted's.
 * Lesson   On short axes with enough columns, hardly anything beats a loop over
 *          whole vectors.
 */
#include "variants/common/access/column_vectors.cuh"
#include "variants/common/kernel.cuh"

constexpr unsigned kNeeds = ALLOWS_WIDENING;

/* V: columns per thread. */
template <class T, class Scan, int Rows, int V>
static __global__ void __launch_bounds__(kColumnThreads, 6)
    column_vectors(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                   output_of<op_of<Scan, T>> *__restrict__ out, int64_t across,
                   int64_t vectors, struct shape shape)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    using Words = words_t<vec<T, V>>;
    using Mask = words_t<mask_vec<T, V>>;
    const uint64_t policy = evict_last_policy();
    const int64_t step = Scan::reverse ? -shape.inner : shape.inner;

    for (int64_t n = (int64_t)blockIdx.x * kColumnThreads + threadIdx.x;
         n < vectors; n += (int64_t)gridDim.x * kColumnThreads) {
        const row_and_column v(n, across);
        const int64_t first = Scan::reverse ? shape.axis - 1 : 0;
        int64_t at = (v.row * shape.axis + first) * shape.inner + v.column * V;
        typename Op::acc before[V];
        set_identity<Op>(before);
        for (int64_t left = shape.axis; left > 0; left -= Rows) {
            const int rows = left < Rows ? (int)left : Rows;
            Words x[Rows];
            load_column(x, in + at, step, rows, policy, pad_words<Op, Words>());
            if constexpr (Scan::masked) {
                Mask m[Rows];
                load_column(m, mask + at, step, rows, policy, Mask{});
#pragma unroll
                for (int u = 0; u < Rows; ++u)
                    x[u] = keep_where<Op>(x[u], m[u]);
            }
#pragma unroll
            for (int u = 0; u < Rows; ++u, at += step)
                if (u < rows)
                    write_first(out + at, scan_row<Scan, Op, T>(x[u], before));
        }
    }
}

/* Shifts a lane's columns by a distance below Width that is equal in all lanes,
 * in steps of 1, 2, 4, …; Way is 1 or -1. */
template <int Way, int Step, int Width, class Acc>
__device__ __forceinline__ void move_steps(Acc (&v)[Width], int distance)
{
    if constexpr (Step < Width) {
        if (distance & Step)
            move_on(v, Way * Step);
        move_steps<Way, Step * 2>(v, distance);
    }
}
template <int Width, class Acc>
__device__ __forceinline__ void move_by(Acc (&v)[Width], int by)
{
    if (by > 0)
        move_steps<1, 1>(v, by);
    else if (by < 0)
        move_steps<-1, 1>(v, -by);
}

/* Halves keep the vectors across rows' ends and store them together. */
template <class T, int Rows>
constexpr bool kKeepsEnds = sizeof(T) == 2 && Rows == kMostRows;

/* Scans Abreast strips side by side, each `own` vectors wide; several strips
 * all lie inside of the row. Rows below kMostRows are the whole axis, which is
 * loaded at once: several strips need that. */
template <class T, class Scan, int Rows, int Abreast>
__device__ __forceinline__ void
scan_strips(const T *in, const uint8_t *mask, T *out, const shape &shape,
            const strip_lane<kVec<T>> &lane, int own,
            struct row_ends<kMostRows> &ends)
{
    constexpr int V = kVec<T>;
    constexpr bool kAtOnce = Rows < kMostRows;
    static_assert(kAtOnce || (Abreast == 1 && Rows % V == 0));
    using Op = op_of<Scan, T>;
    using Mask = words_t<mask_vec<T, V>>;
    const uint64_t policy = evict_last_policy();
    const int rest = (int)(shape.inner % V);
    const int turn = Scan::reverse ? V - rest : rest;
    const int64_t step = Scan::reverse ? -shape.inner : shape.inner;
    const int64_t first = Scan::reverse ? shape.axis - 1 : 0;
    const int64_t elems = shape.outer * shape.axis * shape.inner;
    int64_t at = lane.at + first * shape.inner;
    int64_t partial = lane.partial < 0 || !Scan::reverse ? lane.partial
                                                         : first - lane.partial;
    const int shift = (int)(first % V) * rest % V;
    int last = shift; /* the sums' shift */
    const row_edge<V> edge(lane.before, lane.after);
    uint4 *const keep = ends.of(edge.side);
    typename Op::acc before[V];
    set_identity<Op>(before);
    for (int64_t left = shape.axis; left > 0; left -= Rows) {
        const int rows = left < Rows ? (int)left : Rows;
        uint4 x[Abreast][Rows];
#pragma unroll
        for (int j = 0; j < Abreast; ++j)
            load_shifted(x[j], in, lane, at + j * own * V, step, shift, turn,
                         rows, Abreast == 1 ? partial : -1, elems, policy,
                         pad_words<Op, uint4>());
        if constexpr (Scan::masked) {
            Mask m[Abreast][Rows];
#pragma unroll
            for (int j = 0; j < Abreast; ++j)
                load_shifted(m[j], mask, lane, at + j * own * V, step, shift,
                             turn, rows, Abreast == 1 ? partial : -1, elems,
                             policy, Mask{});
#pragma unroll
            for (int j = 0; j < Abreast; ++j)
#pragma unroll
                for (int u = 0; u < Rows; ++u)
                    x[j][u] = keep_where<Op>(x[j][u], m[j][u]);
        }
#pragma unroll
        for (int j = 0; j < Abreast; ++j) {
            T *to = out + at + j * own * V;
            int next = shift;
            if constexpr (kAtOnce) {
                last = shift;
                set_identity<Op>(before);
            }
#pragma unroll
            for (int u = 0; u < Rows; ++u, to += step) {
                if (u >= rows) /* for all lanes */
                    break;
                move_by(before, last - next);
                const uint4 y = scan_row<Scan, Op, T>(x[j][u], before);
                if constexpr (kKeepsEnds<T, Rows>) {
                    const int missing = edge.missing(next);
                    if (lane.writes && missing <= 0)
                        write_first(to - next, y);
                    if (lane.writes && missing > 0 && missing < V)
                        keep[u] = y;
                } else if (lane.writes) {
                    store_shifted<(Abreast > 1)>(to - next, y, lane, next);
                }
                last = next;
                next = next_shift<V>(next, turn);
            }
        }
        if (kKeepsEnds<T, Rows> && !lane.inside) {
            const walked_rows<T, Scan::reverse ? -1 : 1> walked = {
                .row = out + lane.line + (at - lane.at),
                .lane = out + at - threadIdx.x % 32 * V,
                .step = step,
                .inner = shape.inner,
                .shift = shift,
                .turn = turn,
                .rows = rows,
                .own = own
            };
            walked.store_ends(ends);
        }
        at += Rows * step;
        partial -= Rows;
    }
}

/* Blocks per SM that the registers allow: masks take some. */
template <class Scan, int Rows>
constexpr int kShiftedBlocks = Rows < kMostRows ? 6
                               : Scan::masked   ? 4
                                                : 5;

/* Rows of any alignment: one warp per strip, or per group of strips. */
template <class T, class Scan, int Rows>
static __global__ void __launch_bounds__(kColumnThreads,
                                         kShiftedBlocks<Scan, Rows>)
    column_vectors_shifted(const T *__restrict__ in,
                           const uint8_t *__restrict__ mask,
                           T *__restrict__ out, struct strip_units units,
                           struct shape shape)
{
    TAG(fast);
    constexpr int V = kVec<T>, kGroup = kAbreast<Rows>;
    __shared__ struct row_ends<kMostRows> ends[kColumnWarps];
    for (int64_t n = (int64_t)blockIdx.x * kColumnWarps + threadIdx.x / 32;
         n < (int64_t)units.per_slab.d * shape.outer;
         n += (int64_t)gridDim.x * kColumnWarps) {
        uint32_t unit;
        const int64_t slab = units.per_slab.quotient((uint32_t)n, &unit);
        const int begin = units.first(unit);
        const int count = units.is_group(unit) ? kGroup : 1;
        strip_lane<V> lane(units, begin, count, slab, shape);
        if (kGroup > 1 && lane.inside && count == kGroup) {
            scan_strips<T, Scan, Rows, kGroup>(
                in, mask, out, shape, lane, units.own, ends[threadIdx.x / 32]);
            continue;
        }
#pragma unroll 1
        for (int s = begin; s < begin + count; ++s) {
            if (count > 1)
                lane = strip_lane<V>(units, s, 1, slab, shape);
            scan_strips<T, Scan, Rows, 1>(in, mask, out, shape, lane, units.own,
                                          ends[threadIdx.x / 32]);
        }
    }
}

template <class T, class Scan, int Rows, int V>
static int launch_vectors(const struct problem *p, void *stream)
{
    const int64_t across = p->shape.inner / V;
    const int64_t vectors = p->shape.outer * across;
    return launch_kernel(column_vectors<T, Scan, Rows, V>,
                         ceil_div(vectors, kColumnThreads), kColumnThreads, 0,
                         stream, p->in, p->mask, p->out, across, vectors,
                         p->shape);
}

template <class T, class Scan, int Rows>
static int launch_shifted(const struct problem *p, void *stream)
{
    const struct strip_units units = units_of<T>(p, kAbreast<Rows>);
    return launch_kernel(
        column_vectors_shifted<T, Scan, Rows>,
        ceil_div(units.per_slab.d * p->shape.outer, kColumnWarps),
        kColumnThreads, 0, stream, p->in, p->mask, p->out, units, p->shape);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            using Op = op_of<Scan, T>;
            const int64_t axis = p->shape.axis;
            if (rows_aligned<Op>(p, p->shape.inner))
                return with_rows<kLeastRows<Op>>(axis, [&](auto rows) -> int {
                    return launch_vectors<T, Scan, decltype(rows)::value,
                                          kVecOf<Op>>(p, stream);
                });
            if constexpr (kStoresElements<Op>)
                return with_rows<kLeastRows<Op>>(axis, [&](auto rows) -> int {
                    return launch_shifted<T, Scan, decltype(rows)::value>(
                        p, stream);
                });
            else
                return launch_vectors<T, Scan, kMostRows, 1>(p, stream);
        });
}

static const char *refuses(const struct problem *p)
{
    bool whole = false, widens = false;
    dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        using Op = op_of<Scan, T>;
        whole = rows_aligned<Op>(p, p->shape.inner);
        widens = !kStoresElements<Op>;
        return 0;
    });
    if (!whole && p->shape.inner < 128)
        return "serves inner >= 128 or rows of whole 16-byte vectors; others "
               "have row_tile_lookback";
    if (!whole && !widens && !same_boundaries(p))
        return "in, out and mask have their boundaries at other elements; "
               "column_lookback_realigned or column_lookback serves them";
    const int64_t width = whole || !widens ? 16 / out_elem_bytes(p) : 1;
    return whole || widens ? too_many_vectors(p, width)
                           : too_many_in_strips(p, width);
}

VARIANTS(scan__column_vectors) = {
    {
        .name = "column_vectors_b128",
        .idea = "one thread walks a vector of columns, its next rows in flight",
        ON_CUDA(scans<kNeeds>(), 1),
        .error_growth = ERROR_SERIAL,
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .idles = column_walk_idles,
        .monotone = true,
    },
    {},
};
