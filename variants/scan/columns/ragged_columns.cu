/* SPDX-License-Identifier: MIT
 *
 * Idea     A block per tile of some columns by many rows, whatever segments
 *          these hold. The rows in which segments end are found once for all
 *          columns; each thread scans some rows of a column in registers, and
 *          begins anew behind such a row. Each column looks back for its carry.
 * Against  column_lookback, whose lines have one length, so that no tile has
 *          rows of several.
 * Traffic  2N elements, the offsets once per strip of columns, and a word per
 *          column and tile (passes = 1).
 * Needs    a ragged shape, inner > 1. Lanes idle or share lines of memory where
 *          inner is small.
 * Source   as in scan/spans/ragged_spans.cu.
 * Lesson   Offsets of rows cost nothing beside the rows.
 */
#include "variants/common/look_back/ragged_columns.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;

template <class T, class Scan>
static __global__ void
__launch_bounds__(kRaggedThreads,
                  kResident<kRaggedThreads, kRaggedColumnBlocks>)
    ragged_columns(const T *__restrict__ in, T *__restrict__ out,
                   const struct ragged_strips t, unsigned long long *ticket,
                   tile_state<acc_of<Scan, T>> *states, const int64_t *starts)
{
    TAG(fast);
    using Op = op_of<Scan, T>;
    extern __shared__ uint4 shared_tile[];
    __shared__ int64_t taken;
    ragged_tickets tickets = { ticket, &taken };
    if (threadIdx.x == 0) {
        early_wait();
        tickets.take();
    }
    for (;;) {
        const int64_t unit = tickets.next();
        if (unit >= t.units)
            return;
        const struct ragged_tile tile =
            tile_of<Scan::reverse>(t.rows, t.strips, unit, starts);
        ragged_column<Op, Scan::reverse> column = { t, (int64_t *)shared_tile,
                                                    tile };
        column.load(in);
        const auto carry = column.carry(states);
        if (threadIdx.x == 0)
            tickets.take();
        column.walk(carry, [&](int r, int64_t at, auto sum) {
            if (column.has(r))
                out[at] = Op::lower(sum);
        });
    }
}

/* ------------------------------------------------------------------ host */

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            if constexpr (!Scan::exclusive && !Scan::masked)
                return launch_ragged_columns<Scan::reverse>(
                    p, ragged_columns<T, Scan>, stream);
            return cudaErrorNotSupported;
        });
}

/* error_tile: rows of a tile of 32 columns of doubles. */
VARIANTS(scan__ragged_columns) = {
    { .name = "ragged_columns",
      .idea = "a block per tile of columns by rows, whatever segments they "
              "hold",
      .runs_on = DEVICE_CUDA,
      .ops = scans<kNeeds>(FORM(KIND_SCAN, 0) | FORM(KIND_SCAN, OP_REVERSE)),
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = kRaggedThreads / kMostWidth * kRaggedRows<double>,
      .deterministic = false,
      .refuses = ragged_column_refuses,
      .workspace_bytes = ragged_column_bytes,
      .launch = launch,
      .ragged = true },
    {},
};
