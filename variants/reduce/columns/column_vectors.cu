/* SPDX-License-Identifier: MIT
 *
 * Idea     Each thread owns the columns of one 16-byte vector and walks down
 *          them with several rows in flight. Blocks are small and go through
 *          memory in order.
 * Against  block_2d: one column per thread, so that accesses are as narrow as
 *          an element; but several threads share each column.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    many columns, as there are no other threads. Where rows are not
 *          whole vectors: inner of at least 128.
 * Source   none; rows are realigned as in the scan column_lookback_realigned.
 * Lesson   As for scans, short axes with enough columns suit it; the headline
 *          shapes have too few.
 */
#include "variants/common/access/column_vectors.cuh"
#include "variants/common/access/realigned_rows.cuh"
#include "variants/common/kernel.cuh"

/* Combines the elements of row `row` with the columns' results. */
template <class Op, int Width>
__device__ __forceinline__ void add_row(const uint4 &x, int64_t row,
                                        typename Op::acc (&sums)[Width])
{
    const auto y = __builtin_bit_cast(vec<typename Op::element>, x);
#pragma unroll
    for (int k = 0; k < Width; ++k)
        sums[k] = Op::combine(sums[k], Op::lift(y.item[k], row));
}

/* Combines the rows from row `first` on, pads among them. */
template <class Op, int Rows, int Width>
__device__ __forceinline__ void add_rows_of(const uint4 (&x)[Rows],
                                            int64_t first,
                                            typename Op::acc (&sums)[Width])
{
    if constexpr (kAbsorbs<Op>) {
        rows_in_words<vec<typename Op::element>, Rows> rows;
#pragma unroll
        for (int u = 0; u < Rows; ++u)
            rows.row[u] = x[u];
        add_columns<Op, Rows>(sums, rows,
                              [=](int u, int) { return first + u; });
    } else {
#pragma unroll
        for (int u = 0; u < Rows; ++u)
            add_row<Op>(x[u], first + u, sums);
    }
}

template <class Op, int Width>
__device__ __forceinline__ uint4 lowered(const typename Op::acc (&sums)[Width],
                                         int64_t axis)
{
    vec<typename Op::element> y;
#pragma unroll
    for (int k = 0; k < Width; ++k)
        y.item[k] = Op::lower(sums[k], axis);
    return __builtin_bit_cast(uint4, y);
}

/* Stores the results of a vector's columns: elements as one, others in pairs.
 */
template <class Op, int Width>
__device__ __forceinline__ void
store_lowered(output_of<Op> *to, const typename Op::acc (&sums)[Width],
              int64_t axis)
{
    if constexpr (kStoresElements<Op>) {
        write_first(to, lowered<Op>(sums, axis));
    } else {
#pragma unroll
        for (int k = 0; k < Width; k += 2)
            write_first(to + k,
                        vec<output_of<Op>, 2>{ Op::lower(sums[k], axis),
                                               Op::lower(sums[k + 1], axis) });
    }
}

/* Blocks per SM that the registers allow: fewer if the accs of a vector take
 * more than 32 bytes, or 32 bytes of integers. */
template <class Op>
constexpr bool kWide = sizeof(typename Op::acc) * kVec<typename Op::element> >
                       (is_float<typename Op::element> ? 32 : 31);
template <class Op, int Rows>
constexpr int kBlocks =
    kResident<kColumnThreads, (kVec<typename Op::element> > 8 ? 2
                               : kWide<Op>                    ? 4
                               : Rows <= 4 && !kAbsorbs<Op>   ? 12
                                                              : 6)>;
template <class Op, int Rows>
constexpr int kShiftedBlocks = kWide<Op>          ? 4
                               : Rows < kMostRows ? 8
                                                  : 7;

/* Calls load(x, rows) and then add(x, left, rows) for every Rows rows, `left`
 * being the rows from there on. Operators on halves that have absorb() take so
 * long that the next rows are loaded meanwhile. */
template <class Op, int Rows, class Load, class Add>
__device__ __forceinline__ void walk_rows(int64_t axis, Load load, Add add)
{
    constexpr bool kAhead = kAbsorbs<Op> && kWide<Op> && Rows == kMostRows;
    uint4 next[Rows];
    if constexpr (kAhead)
        load(next, axis < Rows ? (int)axis : Rows);
    for (int64_t left = axis; left > 0; left -= Rows) {
        const int rows = left < Rows ? (int)left : Rows;
        uint4 x[Rows];
        if constexpr (kAhead) {
#pragma unroll
            for (int u = 0; u < Rows; ++u)
                x[u] = next[u];
            load(next, left < 2 * Rows ? (int)left - Rows : Rows);
        } else {
            load(x, rows);
        }
        add(x, left, rows);
    }
}

template <class Op, int Rows, class T = typename Op::element>
static __global__ void __launch_bounds__(kColumnThreads, kBlocks<Op, Rows>)
    column_vectors(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                   int64_t across, int64_t vectors, struct shape shape)
{
    TAG(fast);
    const uint64_t policy = evict_last_policy();

    const int64_t n = (int64_t)blockIdx.x * kColumnThreads + threadIdx.x;
    if (n >= vectors)
        return;
    const row_and_column v(n, across);
    const int64_t column = v.column * kVec<T>;
    const T *at = in + v.row * shape.axis * shape.inner + column;
    typename Op::acc sums[kVec<T>];
    set_identity<Op>(sums);
    walk_rows<Op, Rows>(
        shape.axis,
        [&](uint4(&x)[Rows], int rows) {
            load_column(x, at, shape.inner, rows, policy,
                        pad_words<Op, uint4>());
            at += Rows * shape.inner;
        },
        [&](const uint4(&x)[Rows], int64_t left, int) {
            add_rows_of<Op>(x, shape.axis - left, sums);
        });
    store_lowered<Op>(out + v.row * shape.inner + column, sums, shape.axis);
}

/* Combines `rows` rows from row `first` on, the first not shifted, and each by
 * `turn` more than the one before: they are moved to where the first has its
 * columns. That takes fewer shuffles than moving the sums, and the shuffles do
 * not depend on each other. */
template <class Op, int Rows, int Width>
__device__ __forceinline__ void add_shifted(const uint4 (&x)[Rows],
                                            int64_t first, int rows, int turn,
                                            typename Op::acc (&sums)[Width])
{
    using T = typename Op::element;
    int shift = 0;
    uint4 moved[Rows];
#pragma unroll
    for (int u = 0; u < Rows; ++u) {
        moved[u] = pad_words<Op, uint4>();
        if (u < rows) { /* for all lanes */
            moved[u] = pull<T>(x[u], shift);
            if constexpr (!kAbsorbs<Op>)
                add_row<Op>(moved[u], first + u, sums);
        }
        shift = next_shift<Width>(shift, turn);
    }
    if constexpr (kAbsorbs<Op>)
        add_rows_of<Op>(moved, first, sums);
}

/* Reduces neighbouring strips, each `own` vectors wide, that all lie inside of
 * the row; or a single strip. Rows below kMostRows are the whole axis, loaded
 * at once, which several strips require. The results go to the row at `out`. */
template <class Op, int Rows, int Abreast, class T>
__device__ __forceinline__ void
reduce_strips(const T *in, output_of<Op> *out, const shape &shape,
              const strip_lane<kVec<T>> &lane, int own)
{
    constexpr int V = kVec<T>;
    using Acc = typename Op::acc;
    const uint64_t policy = evict_last_policy();
    const int turn = (int)(shape.inner % V);
    const int64_t elems = shape.outer * shape.axis * shape.inner;
    /* The output row begins at another element, so its shift differs. */
    auto *const to = out + (lane.at - lane.line);
    const int wanted = (int)((uintptr_t)to / sizeof(T) % V);
    const auto store = [&](int j, const Acc(&sums)[V]) {
        if constexpr (kStoresElements<Op>) {
            const uint4 y = push<T>(lowered<Op>(sums, shape.axis), wanted);
            if (lane.writes)
                store_shifted<(Abreast > 1)>(to + j * own * V - wanted, y, lane,
                                             wanted);
        } else if (lane.writes) {
#pragma unroll
            for (int k = 0; k < V; ++k)
                if (Abreast > 1 || (lane.before + k >= 0 && k < lane.after))
                    to[j * own * V + k] = Op::lower(sums[k], shape.axis);
        }
    };
    if constexpr (Rows < kMostRows) {
        const int rows = (int)shape.axis;
        uint4 x[Abreast][Rows];
#pragma unroll
        for (int j = 0; j < Abreast; ++j)
            load_shifted(x[j], in, lane, lane.at + j * own * V, shape.inner, 0,
                         turn, rows, Abreast > 1 ? -1 : lane.partial, elems,
                         policy, pad_words<Op, uint4>());
#pragma unroll
        for (int j = 0; j < Abreast; ++j) {
            Acc sums[V];
            set_identity<Op>(sums);
            add_shifted<Op>(x[j], 0, rows, turn, sums);
            store(j, sums);
        }
    } else {
        static_assert(Abreast == 1 && Rows % V == 0);
        int64_t at = lane.at, partial = lane.partial;
        Acc sums[V];
        set_identity<Op>(sums);
        walk_rows<Op, Rows>(
            shape.axis,
            [&](uint4(&x)[Rows], int rows) {
                load_shifted(x, in, lane, at, shape.inner, 0, turn, rows,
                             partial, elems, policy, pad_words<Op, uint4>());
                at += Rows * shape.inner;
                partial -= Rows;
            },
            [&](const uint4(&x)[Rows], int64_t left, int rows) {
                add_shifted<Op>(x, shape.axis - left, rows, turn, sums);
            });
        store(0, sums);
    }
}

/* Rows of any alignment: one warp per strip, or per group of strips. */
template <class Op, int Rows, class T = typename Op::element>
static __global__ void __launch_bounds__(kColumnThreads,
                                         kShiftedBlocks<Op, Rows>)
    column_vectors_shifted(const T *__restrict__ in,
                           output_of<Op> *__restrict__ out,
                           struct strip_units units, struct shape shape)
{
    TAG(fast);
    constexpr int V = kVec<T>, kGroup = kAbreast<Rows>;
    /* This loop never repeats; without it, kernels of halves spill. */
    for (int64_t n = (int64_t)blockIdx.x * kColumnWarps + threadIdx.x / 32;
         n < (int64_t)units.per_slab.d * shape.outer;
         n += (int64_t)gridDim.x * kColumnWarps) {
        uint32_t unit;
        const int64_t slab = units.per_slab.quotient((uint32_t)n, &unit);
        const int begin = units.first(unit);
        const int count = units.is_group(unit) ? kGroup : 1;
        output_of<Op> *const row = out + slab * shape.inner;
        strip_lane<V> lane(units, begin, count, slab, shape);
        if (kGroup > 1 && lane.inside && count == kGroup) {
            reduce_strips<Op, Rows, kGroup>(in, row, shape, lane, units.own);
            continue;
        }
#pragma unroll 1
        for (int s = begin; s < begin + count; ++s) {
            if (count > 1)
                lane = strip_lane<V>(units, s, 1, slab, shape);
            reduce_strips<Op, Rows, 1>(in, row, shape, lane, units.own);
        }
    }
}

template <class Op, int Rows>
static int launch_vectors(const struct problem *p, void *stream)
{
    const int64_t across = p->shape.inner / kVec<typename Op::element>;
    const int64_t vectors = p->shape.outer * across;
    return launch_kernel(column_vectors<Op, Rows>,
                         ceil_div(vectors, kColumnThreads), kColumnThreads, 0,
                         stream, p->in, p->out, across, vectors, p->shape);
}

template <class Op, int Rows>
static int launch_shifted(const struct problem *p, void *stream)
{
    const struct strip_units units =
        units_of<typename Op::element>(p, kAbreast<Rows>);
    return launch_kernel(
        column_vectors_shifted<Op, Rows>,
        ceil_div(units.per_slab.d * p->shape.outer, kColumnWarps),
        kColumnThreads, 0, stream, p->in, p->out, units, p->shape);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        const int64_t axis = p->shape.axis;
        if (rows_in_vectors(p))
            return with_rows<kLeastRows<Op>>(axis, [&](auto rows) -> int {
                return launch_vectors<Op, decltype(rows)::value>(p, stream);
            });
        if constexpr (kVec<typename Op::element> <= kMostRows)
            return with_rows<kLeastRows<Op>>(axis, [&](auto rows) -> int {
                return launch_shifted<Op, decltype(rows)::value>(p, stream);
            });
        return cudaErrorNotSupported;
    });
}

static const char *refuses(const struct problem *p)
{
    const bool whole = rows_in_vectors(p);
    if (dtype_bytes(p->dtype) == 1 && !whole)
        return "serves bytes in rows of whole 16-byte vectors; others have "
               "strip_registers";
    if (p->shape.inner < 128 && !whole)
        return "serves inner >= 128 or rows of whole 16-byte vectors; others "
               "have strip_registers";
    const int64_t width = 16 / (int64_t)dtype_bytes(p->dtype);
    const char *reason =
        whole ? too_many_vectors(p, width) : too_many_in_strips(p, width);
    return reason ? reason : index_refuses(p);
}

VARIANTS(reduce__column_vectors) = {
    {
        .name = "column_vectors_b128",
        .idea = "a thread reduces a vector of columns, its next rows in flight",
        ON_CUDA(reductions(), 1),
        .error_growth = ERROR_SERIAL,
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
