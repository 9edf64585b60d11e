/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread takes the columns of one 16-byte vector and walks down
 *          them, some rows in flight at a time. Blocks are small and go
 *          through memory in order.
 * Against  block_2d: a column a thread, so that accesses are as narrow as an
 *          element; but several threads share it.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    many columns, as there are no other threads. Where rows are not
 *          whole vectors: inner of at least 128.
 * Source   none; rows are realigned as in the scan column_lookback_realigned.
 * Lesson   As in the scan, this is fastest on short axes with enough columns;
 *          the headline shapes have too few.
 */
#include "variants/common/access/column_vectors.cuh"
#include "variants/common/access/realigned_rows.cuh"

/* Adds a row's elements to the columns' sums. */
template <class T>
__device__ __forceinline__ void add_row(const uint4 &x,
                                        acc_t<T> (&sums)[kVec<T>])
{
    const auto y = __builtin_bit_cast(vec<T>, x);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        sums[k] += to_acc(y.item[k]);
}

template <class T>
__device__ __forceinline__ uint4 rounded(const acc_t<T> (&sums)[kVec<T>])
{
    vec<T> y;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        y.item[k] = from_acc<T>(sums[k]);
    return __builtin_bit_cast(uint4, y);
}

/* Blocks an SM that registers shall suffice for. */
template <int Rows>
constexpr int kBlocks = kResident<kColumnThreads, (Rows <= 4 ? 12 : 6)>;
template <int Rows>
constexpr int kShiftedBlocks = Rows < kMostRows ? 8 : 7;

template <class T, int Rows>
static __global__ void __launch_bounds__(kColumnThreads, kBlocks<Rows>)
    column_vectors(const T *__restrict__ in, T *__restrict__ out,
                   int64_t across, int64_t vectors, struct shape shape)
{
    const uint64_t policy = evict_last_policy();

    for (int64_t n = (int64_t)blockIdx.x * kColumnThreads + threadIdx.x;
         n < vectors; n += (int64_t)gridDim.x * kColumnThreads) {
        const row_and_column v(n, across);
        const int64_t column = v.column * kVec<T>;
        const T *at = in + v.row * shape.axis * shape.inner + column;
        acc_t<T> sums[kVec<T>] = {};
        for (int64_t left = shape.axis; left > 0; left -= Rows) {
            uint4 x[Rows];
            load_column(x, at, shape.inner, left < Rows ? (int)left : Rows,
                        policy);
#pragma unroll
            for (int u = 0; u < Rows; ++u)
                add_row<T>(x[u], sums);
            at += Rows * shape.inner;
        }
        write_first(out + v.row * shape.inner + column, rounded<T>(sums));
    }
}

/* Adds `rows` rows, the first not shifted, and each by `turn` more than the
 * one before: they are moved to where the first has its columns. That takes
 * fewer shuffles than moving the sums, and none of them waits for another. */
template <class T, int Rows>
__device__ __forceinline__ void add_shifted(const uint4 (&x)[Rows], int rows,
                                            int turn, acc_t<T> (&sums)[kVec<T>])
{
    int shift = 0;
#pragma unroll
    for (int u = 0; u < Rows; ++u) {
        if (u < rows) /* for all lanes */
            add_row<T>(pull<T>(x[u], shift), sums);
        shift = next_shift<kVec<T>>(shift, turn);
    }
}

/* Strips side by side, `width` elements from one to the next: all inside, or a
 * single one. Rows below kMostRows are the whole axis, which is loaded at once:
 * several strips need that. Their sums go to the row at `out`. */
template <bool Inside, class T, int Rows, int Abreast>
__device__ __forceinline__ void
sum_strips(const T *in, T *out, const shape &shape, int64_t slab,
           const strip_lane<kVec<T>> &lane, int width)
{
    constexpr int V = kVec<T>;
    const uint64_t policy = evict_last_policy();
    const int turn = (int)(shape.inner % V);
    /* As a row of out is shifted, which begins at another element. */
    T *const to = out + (lane.at - slab * shape.axis * shape.inner);
    const int wanted = (int)((uintptr_t)to / sizeof(T) % V);
    const auto store = [&](int j, const acc_t<T>(&sums)[V]) {
        const uint4 y = push<T>(rounded<T>(sums), wanted);
        if (lane.writes)
            store_shifted<Inside>(to + j * width - wanted, y, lane, wanted);
    };
    if constexpr (Rows < kMostRows) {
        const int rows = (int)shape.axis;
        uint4 x[Abreast][Rows];
#pragma unroll
        for (int j = 0; j < Abreast; ++j)
            load_shifted<Inside>(x[j], in, lane, lane.at + j * width,
                                 shape.inner, 0, turn, rows, policy);
#pragma unroll
        for (int j = 0; j < Abreast; ++j) {
            acc_t<T> sums[V] = {};
            add_shifted<T>(x[j], rows, turn, sums);
            store(j, sums);
        }
    } else {
        static_assert(Abreast == 1 && Rows % V == 0);
        int64_t at = lane.at;
        acc_t<T> sums[V] = {};
        for (int64_t left = shape.axis; left > 0; left -= Rows) {
            const int rows = left < Rows ? (int)left : Rows;
            uint4 x[Rows];
            load_shifted<Inside>(x, in, lane, at, shape.inner, 0, turn, rows,
                                 policy);
            add_shifted<T>(x, rows, turn, sums);
            at += Rows * shape.inner;
        }
        store(0, sums);
    }
}

/* Rows of any alignment: a warp a strip, or a group of strips. */
template <class T, int Rows>
static __global__ void __launch_bounds__(kColumnThreads, kShiftedBlocks<Rows>)
    column_vectors_shifted(const T *__restrict__ in, T *__restrict__ out,
                           struct strip_units units,
                           struct vectors_shared share, struct shape shape)
{
    constexpr int V = kVec<T>, kGroup = kAbreast<Rows>;
    for (int64_t n = (int64_t)blockIdx.x * kColumnWarps + threadIdx.x / 32;
         n < units.units * shape.outer;
         n += (int64_t)gridDim.x * kColumnWarps) {
        const row_and_column unit(n, units.units);
        const int64_t slab = unit.row, begin = units.first(unit.column);
        const int count = units.is_group(unit.column) ? kGroup : 1;
        T *const row = out + slab * shape.inner;
        const strip_lane<V> lane(share, begin, count, slab, shape);
        if (lane.inside && count == kGroup) {
            sum_strips<true, T, Rows, kGroup>(in, row, shape, slab, lane,
                                              share.own * V);
            continue;
        }
#pragma unroll 1
        for (int64_t s = begin; s < begin + count; ++s)
            sum_strips<false, T, Rows, 1>(
                in, row, shape, slab, strip_lane<V>(share, s, 1, slab, shape),
                0);
    }
}

template <class T, int Rows>
static int launch_rows(const struct problem *p, cudaStream_t stream)
{
    const struct shape shape = p->shape;
    if (rows_in_vectors<T>(p)) {
        const int64_t across = shape.inner / kVec<T>;
        const int64_t vectors = shape.outer * across;
        column_vectors<T, Rows>
            <<<grid_x(ceil_div(vectors, kColumnThreads)), kColumnThreads, 0,
               stream>>>((const T *)p->in, (T *)p->out, across, vectors, shape);
    } else {
        int64_t strips;
        const struct vectors_shared share = share_of<T>(p, &strips);
        const struct strip_units units = units_of(strips, kAbreast<Rows>);
        column_vectors_shifted<T, Rows>
            <<<grid_x(ceil_div(units.units * shape.outer, kColumnWarps)),
               kColumnThreads, 0, stream>>>((const T *)p->in, (T *)p->out,
                                            units, share, shape);
    }
    return cudaGetLastError();
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        return with_rows(p->shape.axis, [&](auto rows) -> int {
            return launch_rows<typename decltype(type)::type,
                               decltype(rows)::value>(p, (cudaStream_t)stream);
        });
    });
}

static const char *refuses(const struct problem *p)
{
    bool whole = false;
    dispatch_dtype(p->dtype, [&](auto type) {
        whole = rows_in_vectors<typename decltype(type)::type>(p);
        return 0;
    });
    if (p->shape.inner < 128 && !whole)
        return "serves inner >= 128 or rows of whole 16-byte vectors; others "
               "have period_vectors";
    return too_many_vectors(p);
}

VARIANTS(reduce__column_vectors) = {
    {
        .name = "column_vectors_b128",
        .idea = "one thread adds up a vector of columns, its next rows in "
                "flight",
        .runs_on = DEVICE_CUDA,
        .ops = OP_BIT(OP_SUM),
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_SERIAL,
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
    },
    {},
};
