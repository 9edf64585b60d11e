/* SPDX-License-Identifier: MIT
 *
 * Idea     One thread takes the columns of one 16-byte vector and walks down
 *          them, some rows in flight at a time. Blocks are small and go
 *          through memory in order.
 * Against  column_unrolled: a column a thread, so that accesses are as narrow
 *          as an element; but it cuts the axis where columns are few.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    many columns, as there are no other threads. Where rows are not
 *          whole vectors: inner of at least 128.
 * Source   none; the shifted rows are the scan column_shifted_lookback's.
 */
#include "variants/column_vectors.cuh"

/* Adds a row's elements to the columns' sums. */
template <class T>
__device__ __forceinline__ void add_row(const uint4 &x,
                                        acc_t<T> (&sums)[kVec<T>])
{
    const auto y = __builtin_bit_cast(raw<T, kVec<T>>, x);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        sums[k] += to_acc(y.item[k]);
}

template <class T>
__device__ __forceinline__ uint4 rounded(const acc_t<T> (&sums)[kVec<T>])
{
    raw<T, kVec<T>> y;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        y.item[k] = from_acc<T>(sums[k]);
    return __builtin_bit_cast(uint4, y);
}

/* Blocks an SM that registers shall suffice for. */
template <int Rows>
constexpr int kBlocks = Rows <= 4 ? 12 : 6;

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
        raw_write_first(out + v.row * shape.inner + column, rounded<T>(sums));
    }
}

/* Strips side by side, `width` elements from one to the next: all inside, or a
 * single one. Their sums go to the row at `out`. */
template <bool Inside, class T, int Rows, int Abreast>
__device__ __forceinline__ void
sum_strips(const T *in, T *out, const shape &shape, int64_t slab,
           const strip_lane<kVec<T>> &lane, int width)
{
    constexpr int V = kVec<T>;
    const uint64_t policy = evict_last_policy();
    const int rest = (int)(shape.inner % V);
    int64_t at = lane.at;
    int shift = 0, last = 0;
    acc_t<T> sums[Abreast][V] = {};
    for (int64_t left = shape.axis; left > 0; left -= Rows) {
        const int rows = left < Rows ? (int)left : Rows;
        uint4 x[Abreast][Rows];
#pragma unroll
        for (int j = 0; j < Abreast; ++j)
            load_shifted<Inside>(x[j], in, lane, at + j * width, shape.inner,
                                 shift, rest, rows, policy);
#pragma unroll
        for (int u = 0; u < Rows; ++u) {
            if (u >= rows) /* for all lanes */
                break;
            move_by(sums, last - shift);
#pragma unroll
            for (int j = 0; j < Abreast; ++j)
                add_row<T>(x[j][u], sums[j]);
            last = shift;
            shift = next_shift<V>(shift, rest);
        }
        at += Rows * shape.inner;
    }
    /* As a row of out is shifted, which begins at another element. */
    T *const to = out + (lane.at - slab * shape.axis * shape.inner);
    const int wanted = (int)((uintptr_t)to / sizeof(T) % V);
    move_by(sums, last - wanted);
#pragma unroll
    for (int j = 0; j < Abreast; ++j)
        if (lane.writes && (Inside || lane.exists(wanted)))
            store_shifted<Inside>(to + j * width - wanted, rounded<T>(sums[j]),
                                  lane, wanted);
}

/* Rows of any alignment: a warp a group of strips. */
template <class T, int Rows>
static __global__ void __launch_bounds__(kColumnThreads, 5)
    column_vectors_shifted(const T *__restrict__ in, T *__restrict__ out,
                           int64_t strips, int64_t groups,
                           struct vectors_shared share, struct shape shape)
{
    constexpr int V = kVec<T>, kGroup = kAbreast<T, Rows>;
    for (int64_t n = (int64_t)blockIdx.x * kColumnWarps + threadIdx.x / 32;
         n < groups * shape.outer; n += (int64_t)gridDim.x * kColumnWarps) {
        const row_and_column group(n, groups);
        const int64_t slab = group.row, begin = group.column * kGroup;
        T *const row = out + slab * shape.inner;
        const strip_lane<V> first(share, begin, kGroup, slab, shape);
        if (first.inside) {
            sum_strips<true, T, Rows, kGroup>(in, row, shape, slab, first,
                                              share.own * V);
            continue;
        }
#pragma unroll 1
        for (int64_t s = begin; s < strips && s < begin + kGroup; ++s)
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
        const int64_t groups = ceil_div(strips, kAbreast<T, Rows>);
        column_vectors_shifted<T, Rows>
            <<<grid_x(ceil_div(groups * shape.outer, kColumnWarps)),
               kColumnThreads, 0, stream>>>((const T *)p->in, (T *)p->out,
                                            strips, groups, share, shape);
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

VARIANTS(sum__column_vectors) = {
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
