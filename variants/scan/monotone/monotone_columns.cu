/* SPDX-License-Identifier: MIT
 *
 * Idea     A block per tile of columns by rows, whose sums never fall along a
 *          column of elements >= 0: both sides of every boundary between
 *          threads and tiles use the same additions (ordered.cuh). A column's
 *          carry is the prefix that the tile before it publishes.
 * Against  column_lookback, which starts at the nearest published prefix, and
 *          combines what lies between in another order than the tiles there.
 * Traffic  2N elements and a word per column and tile (passes = 1).
 * Needs    inner > 1. With fewer columns than a tile, lanes idle.
 * Source   none.
 * Lesson   Where tiles of other columns lie between two of a line, the first is
 *          done before the second starts, and a chain is as good as look-back.
 */
#include "variants/scan/columns/plain_rows.cuh"

/* The rows of one thread are a part of its columns. */
template <class T, class Scan, int Lanes, int Width, int Count>
struct ordered_rows : plain_rows<T, Scan, Lanes, Width, Count> {
    using base = plain_rows<T, Scan, Lanes, Width, Count>;
    using base::base, base::x, base::lane;
    using Op = typename base::Op;
    using Acc = typename Op::acc;
    static constexpr int kColumns = base::kColumns;
    static constexpr int kParts = kThreads / Lanes;
    const int part = threadIdx.x / Lanes;

    /* Calls visit(u) for all rows in walk order. */
    template <class Visit>
    __device__ __forceinline__ void walk(Visit visit) const
    {
#pragma unroll
        for (int step = 0; step < Count; ++step)
            visit(Scan::reverse ? Count - 1 - step : step);
    }
    __device__ __forceinline__ vec<T, Width> row(int u) const
    {
        return __builtin_bit_cast(vec<T, Width>, x[u]);
    }

    __device__ __forceinline__ void upsweep(Acc (&totals)[kParts][kColumns])
    {
        Acc sums[Width];
        set_identity<Op>(sums);
        walk([&](int u) {
            if constexpr (Scan::masked)
                x[u] = keep_where<Op>(x[u], this->m[u]);
#pragma unroll
            for (int k = 0; k < Width; ++k)
                sums[k] = Op::combine(sums[k], Op::lift(row(u).item[k]));
        });
        put_sums(&totals[part][lane * Width], sums);
    }

    /* Carries: into this part from its tile, into the tile from its columns. */
    __device__ __forceinline__ void
    downsweep(const Acc (&totals)[kParts][kColumns],
              const Acc (&carries)[kColumns], T *__restrict__ out)
    {
        Acc s[Width], before[Width], carry[Width];
        set_identity<Op>(s);
        set_identity<Op>(before);
        set_identity<Op>(carry);
        add_sums<Op>(before, &totals[part][lane * Width]);
        add_sums<Op>(carry, &carries[lane * Width]);
        const int64_t pitch = forget(this->inner);
        int64_t here = this->at + (Scan::reverse ? (Count - 1) * pitch : 0);
        walk([&](int u) {
            const auto elements = row(u);
            vec<T, Width> y;
#pragma unroll
            for (int k = 0; k < Width; ++k) {
                const Acc sum = Op::combine(s[k], Op::lift(elements.item[k]));
                const Acc upto = Scan::exclusive ? s[k] : sum;
                y.item[k] = Op::lower(
                    Op::combine(carry[k], Op::combine(before[k], upto)));
                s[k] = sum;
            }
            if (u < this->rows)
                write_first(out + here, y);
            here += Scan::reverse ? -pitch : pitch;
        });
    }
};

template <class T, class Scan, class Rows>
static __global__ void __launch_bounds__(kThreads, Rows::tile::blocks)
    monotone_columns(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                     T *__restrict__ out, const struct grid_of_tiles t,
                     unsigned long long *ticket,
                     tile_state<acc_of<Scan, T>> *states)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr int kColumns = Rows::kColumns, kParts = Rows::kParts;
    __shared__ alignas(16) Acc totals[kParts][kColumns], carries[kColumns];
    __shared__ int64_t shared_number;
    early_wait();
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        const column_place place(t, take_ticket(ticket, &shared_number));
        Rows rows(t, {}, place);
        const int column = threadIdx.x;
        const bool leads = column < kColumns && rows.exists(column);
        tile_state<Acc> *state =
            states + (place.o * (t.chunks - 1) + place.step) * t.inner +
            place.strip * kColumns + column;
        unsigned flag = TILE_PREFIX;
        Acc carry = Op::identity();
        if (leads && place.step > 0)
            flag = peek(state - t.inner, &carry);
        rows.load(in, mask);
        rows.upsweep(totals);
        __syncthreads();
        if (column < kColumns) {
            Acc sum = Op::identity();
#pragma unroll
            for (int step = 0; step < kParts; ++step) {
                const int w = Scan::reverse ? kParts - 1 - step : step;
                const Acc next = totals[w][column];
                totals[w][column] = sum;
                sum = Op::combine(sum, next);
            }
            await_published(state - t.inner, flag, &carry);
            if (leads && place.step + 1 < t.chunks)
                publish(state, TILE_PREFIX, Op::combine(carry, sum));
            carries[column] = carry;
        }
        __syncthreads();
        rows.downsweep(totals, carries, out);
        if (n + gridDim.x < t.tiles)
            __syncthreads(); /* totals may be written again */
    }
}

/* ------------------------------------------------------------------ host */

/* Rows per thread: the sums of halves take twice the registers. */
template <class T>
constexpr int kRows = is_half<T> ? 8 : 16;
constexpr int least_rows(int lanes)
{
    return kThreads / lanes * kRows<__half>;
}

template <class T, class Scan, int Lanes>
using vector_rows = ordered_rows<T, Scan, Lanes, kVec<T>, kRows<T>>;
/* Unaligned rows are accessed element by element. */
template <class T, class Scan>
using single_rows = ordered_rows<T, Scan, 32, 1, 32>;

/* Calls run<Rows>(tiles) with the rows that serve the problem. */
template <int Lanes, int Halves, class Run>
static int with_rows(const struct problem *p, Run run)
{
    return dispatch_scan<NEEDS_ADDITION>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const auto with = [&]<class Rows>(tag<Rows>) {
                return run.template operator()<T, Scan, Rows>(
                    tiles_in<typename Rows::tile>(
                        p, ceil_div(p->shape.inner, Rows::kColumns), Halves));
            };
            if (rows_aligned<op_of<Scan, T>>(p, p->shape.inner))
                return with(tag<vector_rows<T, Scan, Lanes>>{});
            return with(tag<single_rows<T, Scan>>{});
        });
}

/* Bytes of the ticket and the states. */
template <class Acc>
static size_t state_bytes(const struct grid_of_tiles &t)
{
    return kTicketBytes + (size_t)((t.chunks - 1) * t.outer * t.inner) *
                              sizeof(tile_state<Acc>);
}

/* Enough for either way of loading rows: pointers may be NULL. */
template <int Lanes, int Halves>
static size_t workspace_bytes(const struct problem *p)
{
    struct grid_of_tiles t = { .outer = p->shape.outer,
                               .inner = p->shape.inner };
    t.chunks = ceil_div(p->shape.axis, least_rows(Lanes));
    return bytes_for(
        p, [&]<class Op>(Op) { return state_bytes<typename Op::acc>(t); });
}

template <int Lanes, int Halves>
static int launch(const struct problem *p, void *stream)
{
    return with_rows<Lanes, Halves>(p, [&]<class T, class Scan, class Rows>(
                                           const grid_of_tiles &t) {
        return launch_cleared(p, p->workspace, state_bytes<acc_of<Scan, T>>(t),
                              monotone_columns<T, Scan, Rows>, t.tiles,
                              kThreads, 0, stream, p->in, p->mask, p->out, t,
                              p->workspace,
                              (char *)p->workspace + kTicketBytes);
    });
}

/* Lanes along a row, half-waves of tiles interleaved. */
#define POINT(suffix, lanes, halves)                                           \
    {                                                                          \
        .name = "monotone_columns_" #suffix,                                   \
        .idea = "a block per tile of columns by rows, in a chain of sums "     \
                "that never fall",                                             \
        ON_CUDA(scans<NEEDS_ADDITION>(), 1),                                   \
        ERROR_OF_TILES(column_error_tile(least_rows(lanes))),                  \
        .deterministic = true, .refuses = strided_only,                        \
        .workspace_bytes = workspace_bytes<lanes, halves>,                     \
        .launch = launch<lanes, halves>, .monotone = true                      \
    }

VARIANTS(scan__monotone_columns) = {
    POINT(l16_w2, 16, 2),
    POINT(l32, 32, 1),
    {},
};
