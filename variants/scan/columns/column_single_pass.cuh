/* SPDX-License-Identifier: MIT
 *
 * A single-pass scan of strided lines: a block loads a tile of some columns by
 * many rows into registers, in address order; a tile's carry is a vector, and
 * each column looks back for its own. A policy, the idea of the file that has
 * it, loads and stores a tile's rows. Rows describes one tile:
 *   Rows(t, extra, place)        where it lies
 *   exists(column)               true if the problem has that column
 *   load(in, mask)               issues the loads
 *   upsweep(totals, peek_after)  writes the columns' reductions to shared
 *                                memory; peek_after(u + 1) follows each row u
 *   downsweep(totals, out)       scans with the carries, and stores
 * and has, for all tiles: tile, its tile_shape; kParts, the parts of a column
 * that meet in shared memory; kPeekAfter, the rows that precede the first read
 * of the previous tile's state; overlap, true if neighbouring tiles have common
 * columns, and so states of their own.
 */
#ifndef VARIANTS_SCAN_COLUMNS_COLUMN_SINGLE_PASS_CUH
#define VARIANTS_SCAN_COLUMNS_COLUMN_SINGLE_PASS_CUH

#include "variants/scan/columns/column_tiles.cuh"

constexpr int kThreads = 256;

/* States of the tiles along a row. */
template <class Rows>
__host__ __device__ __forceinline__ int64_t
row_states(const struct grid_of_tiles &t)
{
    return Rows::overlap ? t.strips * Rows::tile::columns : t.inner;
}

template <class T, class Scan, class Rows>
static __global__ void __launch_bounds__(kThreads, Rows::tile::blocks)
    column_single_pass(const T *__restrict__ in,
                       const uint8_t *__restrict__ mask,
                       output_of<op_of<Scan, T>> *__restrict__ out,
                       const struct grid_of_tiles t,
                       const typename Rows::extra extra,
                       unsigned long long *ticket,
                       column_state<op_of<Scan, T>> *states)
{
    TAG(fast);
    TAG(single, Rows::tile::width == 1);
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr int kColumns = Rows::tile::columns;
    __shared__ alignas(16) Acc totals[Rows::kParts][kColumns];
    __shared__ column_place shared_place;
    early_wait();
    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        if (threadIdx.x == 0) /* one thread divides */
            shared_place = column_place(t, (int64_t)atomicAdd(ticket, 1ull));
        __syncthreads();
        const column_place place = shared_place;
        Rows rows(t, extra, place);

        column_chain<column_state<Op>> chain;
        chain.groups = kColumns;
        chain.group = threadIdx.x % kColumns;
        chain.sharer = threadIdx.x / kColumns;
        chain.sharers = t.groups;
        chain.step = place.step;
        chain.stride = row_states<Rows>(t);
        chain.mine = states +
                     (place.o * (t.chunks - 1) + place.step) * chain.stride +
                     place.strip * kColumns + chain.group;
        chain.exists = rows.exists(chain.group);
        const bool leads = threadIdx.x < kColumns && chain.exists;
        const bool publishes = leads && place.step + 1 < t.chunks;

        /* If the previous tile is done, there is nothing to look back for. */
        unsigned flag = TILE_PREFIX;
        Acc carry = Op::identity();
        const auto peek_after = [&](int rows_done) {
            if (rows_done == Rows::kPeekAfter && leads && place.step > 0)
                flag = peek(chain.mine - chain.stride, &carry);
        };

        peek_after(0);
        rows.load(in, mask);
        rows.upsweep(totals, peek_after);
        column_spine<Scan, Op, kDepth<Scan::masked>>(totals, chain, publishes,
                                                     flag, carry);
        rows.downsweep(totals, out);
        if (n + gridDim.x < t.tiles)
            __syncthreads(); /* totals may be written again */
    }
}

/* ------------------------------------------------------------------ host */

template <class Rows>
size_t column_workspace(const struct grid_of_tiles &t)
{
    return column_bytes<typename Rows::Op>((t.chunks - 1) * t.outer *
                                           row_states<Rows>(t));
}

template <class T, class Scan, class Rows>
int column_launch(const struct problem *p, void *stream,
                  const struct grid_of_tiles &t, typename Rows::extra extra)
{
    return launch_cleared(p, p->workspace, column_workspace<Rows>(t),
                          column_single_pass<T, Scan, Rows>, t.tiles, kThreads,
                          0, stream, p->in, p->mask, p->out, t, extra,
                          p->workspace, (char *)p->workspace + kTicketBytes);
}

#endif
