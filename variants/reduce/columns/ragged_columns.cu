/* SPDX-License-Identifier: MIT
 *
 * Idea     The scan of this name, in which a thread writes its sum where a
 *          segment ends and nothing elsewhere. The number of the segment lies
 *          beside the row in which it ends; the tile that has its offset writes
 *          the results of an empty one.
 * Against  column_vectors, in which a thread walks all of a column: of one
 *          segment that has everything, few threads would. Here only the sums
 *          of tiles depend on each other.
 * Traffic  N elements, the offsets once per strip of columns, and a word per
 *          column and tile (passes = 1).
 * Needs    a ragged shape, inner > 1.
 * Source   as in scan/spans/ragged_spans.cu.
 * Lesson   Blocks of rows need no owner of a segment: its end does.
 */
#include "variants/common/look_back/ragged_columns.cuh"

constexpr unsigned kNeeds = NEEDS_RAGGED;

template <class T, class Op>
static __global__ void
__launch_bounds__(kRaggedThreads,
                  kResident<kRaggedThreads, kRaggedColumnBlocks>)
    ragged_columns(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                   const struct ragged_strips t, unsigned long long *ticket,
                   tile_state<typename Op::acc> *states, const int64_t *starts)
{
    TAG(fast);
    extern __shared__ uint4 shared_tile[];
    __shared__ struct ragged_tile tiles[2];
    ragged_column<Op, false> column = { t,
                                        (int64_t *)shared_tile,
                                        { t.rows, t.strips, t.units, ticket,
                                          starts, tiles } };
    const auto store = [&](int64_t k, auto sum, int64_t count) {
        out[(k - 1) * t.inner + column.column] = Op::lower(sum, count);
    };
    if (threadIdx.x == 0)
        early_wait();
    auto &queue = column.queue;
    for (bool more = queue.begin(); more; more = queue.advance()) {
        column.load(in);
        column.walk(column.carry(states), [&](int r, int64_t, auto sum) {
            if (!(column.ended >> r & 1))
                return;
            const int64_t k = column.ends[column.row(r)];
            store(k, sum, column.length(k));
        });
        const struct ragged_tile &tile = queue.tile();
        int64_t k = max(tile.from, (int64_t)1) + column.chunk;
        for (; column.exists && k < tile.until; k += t.chunks)
            if (column.length(k) == 0)
                store(k, Op::identity(), 0);
        if (threadIdx.x == 0)
            queue.keep();
    }
}

/* ------------------------------------------------------------------ host */

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        return launch_ragged_columns<false>(
            p, ragged_columns<typename Op::element, Op>, stream);
    });
}

/* error_tile: rows of a tile of 32 columns of doubles. */
VARIANTS(reduce__ragged_columns) = {
    { .name = "ragged_columns",
      .idea = "a block per tile of columns by rows; segments' ends are "
              "written",
      .runs_on = DEVICE_CUDA,
      .ops = reductions<kNeeds>(),
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
