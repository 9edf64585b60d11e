/* SPDX-License-Identifier: MIT
 *
 * Idea     The copy engine streams whole rows through a ring in shared memory,
 *          one span of memory after another; the threads only add. Chunks end
 *          at lines of memory, not at ends of rows: a thread owns columns, and
 *          keeps the offset of its next element in the next chunk. So rows of
 *          any length need no division and no special case.
 * Against  strip_registers: one thread requests kilobytes at once, registers
 *          hold sums only, and a column is in one thread whatever the rows'
 *          alignment. Bulk copies that do not begin on 128-byte lines run well
 *          below the copy engine's speed.
 * Traffic  N elements, and one partial sum per piece and line (passes = 1).
 * Needs    compute capability 9.0; rows of at most 8192 elements.
 * Source   none.
 * Lesson   The copy engine fetches whole rows from any address, and the threads
 *          only add.
 */
#include "variants/reduce/spans/row_ring.cuh"

/* Threads of a column have every n-th row. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

/* A piece is a span of a slab's rows. If a slab is one piece, the results go to
 * the output; otherwise they are partials, of shape (outer, pieces, inner). */
template <class Op, int ChunkBytes, int Stages, int Columns,
          class T = typename Op::element>
static __global__ void __launch_bounds__(kThreads, 1)
    row_tma_ring(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                 typename Op::acc *__restrict__ partials, struct shape shape,
                 int64_t pieces)
{
    TAG(fast);
#if HAS_BULK_COPY
    using Acc = typename Op::acc;
    extern __shared__ __align__(128) char memory[];
    __shared__ Acc sums[kThreads];
    __shared__ uint64_t full[Stages];
    const int inner = (int)shape.inner;
    const int64_t rows = ceil_div(shape.axis, pieces);
    row_ring<T, ChunkBytes, Stages> ring(memory, full);
    early_allow();
    if (threadIdx.x == 0)
        ring.init();
    __syncthreads();

    for (int64_t tile = blockIdx.x; tile < shape.outer * pieces;
         tile += gridDim.x) {
        const int64_t o = tile / pieces, first = tile % pieces * rows;
        const int64_t stop =
            first + rows < shape.axis ? first + rows : shape.axis;
        const int64_t slab = o * shape.axis * inner;
        struct columns<Op, Columns> columns;
        columns.begin(inner, first);

        /* load, upsweep */
        if (first < stop) {
            const line_span<T> span(in, slab + first * inner,
                                    slab + stop * inner);
            const int chunk_rows = ring.kChunk / columns.step;
            if (threadIdx.x == 0)
                ring.request(span);
            ring.stream(span, [&](const T *x, int n) {
                columns.add(x, n,
                            n == ring.kChunk ? chunk_rows : n / columns.step);
            });
        }

        /* store */
        columns.end(inner, sums, [&](int column, const Acc &sum) {
            if (pieces == 1)
                out[tile * inner + column] = Op::lower(sum, shape.axis);
            else
                partials[tile * inner + column] = sum;
        });
    }
#endif
}

/* ------------------------------------------------------------------ host */

/* One block per SM, whose shared memory the ring fills; but no piece shorter
 * than a ring. */
static int64_t pieces_of(const struct problem *p)
{
    const int64_t bytes =
        p->shape.axis * p->shape.inner * (int64_t)dtype_bytes(p->dtype);
    int64_t pieces = p->device->sm_count / p->shape.outer;
    const int64_t most = bytes >> 18;
    pieces = pieces < most ? pieces : most;
    pieces = pieces < p->shape.axis ? pieces : p->shape.axis;
    return pieces > 1 ? pieces : 1;
}

template <int ChunkBytes, int Stages>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        const auto run = [&](auto columns) -> int {
            constexpr int kColumns = decltype(columns)::value;
            const int64_t pieces = pieces_of(p);
            const int error = bulk_launch(
                row_tma_ring<Op, ChunkBytes, Stages, kColumns>,
                p->shape.outer * pieces, kThreads, ChunkBytes * Stages, stream,
                p->in, p->out, p->workspace, p->shape, pieces);
            return error != cudaSuccess || pieces == 1
                       ? error
                       : launch_add_partials<Op>(p, pieces, stream);
        };
        if constexpr (is_addition<Op>)
            return with_columns<1, 2, 8, kMostColumns>(p, run);
        else
            return with_columns<1>(p, run);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    const int64_t pieces = pieces_of(p);
    return pieces == 1 ? 0 : shape_lines(p->shape) * pieces * acc_bytes(p);
}

template <int RingBytes>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner > kThreads && !adds_floats(p))
        return "serves sums of floats, or rows of at most 512 elements; wider "
               "ones have strip_registers";
    return ring_refuses<RingBytes>(p);
}

/* Kilobytes per chunk, chunks in the ring. */
#define POINT(kilobytes, stages)                                               \
    {                                                                          \
        .name = "row_tma_ring_" #kilobytes "kx" #stages,                       \
        .idea = "bulk copies of whole rows, threads that only add",            \
        ON_CUDA(reductions<kNeeds>(), 1), .error_growth = ERROR_SERIAL,        \
        .deterministic = true, .refuses = refuses<kilobytes * 1024 * stages>,  \
        .workspace_bytes = workspace_bytes,                                    \
        .launch = launch<kilobytes * 1024, stages>, .portable_bits = true      \
    }

VARIANTS(reduce__row_tma_ring) = {
    POINT(64, 3),
    {},
};
