/* SPDX-License-Identifier: MIT
 *
 * Idea     The copy engine streams whole rows through a ring in shared memory,
 *          one span of memory after another; the threads only add. Chunks
 *          end where lines of memory do, not where rows do: a thread owns
 *          columns, and remembers how far into the next chunk its next element
 *          lies. So rows of any length need no division and no special case.
 * Against  period_vectors: one thread asks for kilobytes at once, registers
 *          hold sums only, and a column lies in one thread whatever its rows'
 *          alignment. The copy engine likes whole 128-byte lines: copies that
 *          begin elsewhere run well below its speed.
 * Traffic  N elements, and a partial sum a piece of the axis (passes = 1).
 * Needs    compute capability 9.0; rows of at most 8192 elements.
 * Source   none.
 * Lesson   The copy engine fetches whole rows from any address, and the threads
 *          only add.
 */
#include "variants/common/access/bulk_copy.cuh"
#include "variants/reduce/spans/ring_columns.cuh"

constexpr int kMostColumns = 16; /* of a thread */

/* The next chunk of the ring to be read, and its phase. */
struct turn {
    unsigned stage, parity;
};

/* Streams elements [begin, end) through the ring: those before the first line
 * of memory and after the last are read where they lie. */
template <class T, int ChunkBytes, int Stages, int Columns>
__device__ __forceinline__ void
add_span(const T *in, int64_t begin, int64_t end, T *ring, uint64_t *full,
         struct turn *turn, struct columns<T, Columns> *columns)
{
    constexpr int kLineBytes = 128; /* of memory; copies begin and end there */
    constexpr int kChunk = ChunkBytes / (int)sizeof(T);
    constexpr int kLine = kLineBytes / (int)sizeof(T);
    const int lead = (int)((uintptr_t)in % kLineBytes / sizeof(T));
    const int step = columns->step, chunk_rows = kChunk / step;
    const int64_t body_end = (end + lead) / kLine * kLine - lead;
    int64_t body = (begin + lead + kLine - 1) / kLine * kLine - lead;
    body = body < end ? body : end;
    int64_t left = body_end > body ? body_end - body : 0; /* to be read, */
    int64_t asked = 0;                                    /* and asked for */
    const T *tail = in + body + left;
    auto ask = [&](unsigned stage) {
        const int64_t rest = tail - (in + body + asked);
        const int n = (int)(rest < kChunk ? rest : kChunk);
        if (n > 0) {
            const unsigned bytes = n * (unsigned)sizeof(T);
            bulk_expect(full + stage, bytes);
            bulk_load(ring + stage * kChunk, in + body + asked, bytes,
                      full + stage);
        }
        asked += n;
    };

    if (threadIdx.x == 0)
        for (unsigned k = 0; k < Stages; ++k)
            ask((turn->stage + k) % Stages);
    const int head = (int)(body - begin);
    columns->add(in + begin, head, head / step);
    for (; left > 0; left -= kChunk) {
        const int n = (int)(left < kChunk ? left : kChunk);
        bulk_wait(full + turn->stage, turn->parity);
        columns->add(ring + turn->stage * kChunk, n,
                     n == kChunk ? chunk_rows : n / step);
        __syncthreads(); /* all have read before the stage is filled again */
        if (threadIdx.x == 0)
            ask(turn->stage);
        if (++turn->stage == Stages)
            *turn = { 0, turn->parity ^ 1 };
    }
    const int rest = (int)(in + end - tail);
    columns->add(tail, rest, rest / step);
    columns->end();
}

/* Piece `piece` of a slab is a span of whole rows. One piece is the output
 * itself, more are partial sums, a tensor (outer, pieces, inner). */
template <class T, int ChunkBytes, int Stages, int Columns>
static __global__ void __launch_bounds__(kThreads, 1)
    row_tma_ring(const T *__restrict__ in, T *__restrict__ out,
                 acc_t<T> *__restrict__ partials, struct shape shape,
                 int64_t pieces)
{
#if HAS_BULK_COPY
    extern __shared__ __align__(128) char memory[];
    __shared__ acc_t<T> sums[kThreads];
    __shared__ uint64_t full[Stages];
    const int inner = (int)shape.inner;
    const int64_t rows = ceil_div(shape.axis, pieces);
    struct turn turn = { 0, 0 };
    early_allow();
    if (threadIdx.x == 0)
        for (int stage = 0; stage < Stages; ++stage)
            bulk_init(full + stage, 1);
    __syncthreads();

    for (int64_t tile = blockIdx.x; tile < shape.outer * pieces;
         tile += gridDim.x) {
        /* load */
        const int64_t o = tile / pieces, first = tile % pieces * rows;
        const int64_t stop =
            first + rows < shape.axis ? first + rows : shape.axis;
        const int64_t slab = o * shape.axis * inner;
        struct columns<T, Columns> columns;
        columns.begin(inner);
        if (first < stop)
            add_span<T, ChunkBytes, Stages, Columns>(
                in, slab + first * inner, slab + stop * inner, (T *)memory,
                full, &turn, &columns);

        /* upsweep, where a column has several threads */
        if (inner < kThreads) {
            sums[threadIdx.x] = columns.sums[0];
            add_rows(sums, columns.step / inner, inner);
            columns.sums[0] = sums[threadIdx.x];
            __syncthreads(); /* all have read before the next tile's */
        }

        /* store */
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const int column = threadIdx.x + c * kThreads;
            if (column >= inner)
                continue;
            if (pieces == 1)
                out[tile * inner + column] = from_acc<T>(columns.sums[c]);
            else
                partials[tile * inner + column] = columns.sums[c];
        }
    }
#endif
}

/* A block an SM, since its ring fills it; but no piece shorter than a ring. */
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

template <class T, int ChunkBytes, int Stages, int Columns>
static int launch_columns(const struct problem *p, cudaStream_t stream)
{
    auto kernel = row_tma_ring<T, ChunkBytes, Stages, Columns>;
    const int64_t pieces = pieces_of(p);
    cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        ChunkBytes * Stages);
    if (error != cudaSuccess)
        return error;
    kernel<<<grid_x(p->shape.outer * pieces), kThreads, ChunkBytes * Stages,
             stream>>>((const T *)p->in, (T *)p->out, (acc_t<T> *)p->workspace,
                       p->shape, pieces);
    error = cudaGetLastError();
    if (error != cudaSuccess || pieces == 1)
        return error;
    return launch_add_partials_early<T>(p, pieces, stream);
}

template <int ChunkBytes, int Stages>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto s = (cudaStream_t)stream;
        if (p->shape.inner <= kThreads)
            return launch_columns<T, ChunkBytes, Stages, 1>(p, s);
        if (p->shape.inner <= kThreads * 2)
            return launch_columns<T, ChunkBytes, Stages, 2>(p, s);
        if (p->shape.inner <= kThreads * 8)
            return launch_columns<T, ChunkBytes, Stages, 8>(p, s);
        return launch_columns<T, ChunkBytes, Stages, kMostColumns>(p, s);
    });
}

template <int ChunkBytes, int Stages>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner > kThreads * kMostColumns)
        return "a row has more columns than the block's threads can own";
    if (p->device->shared_optin_bytes <
        ChunkBytes * Stages + (int64_t)sizeof(double) * (kThreads + Stages))
        return "the ring does not fit in shared memory";
    return bulk_lacking(p);
}

static size_t workspace_bytes(const struct problem *p)
{
    const int64_t pieces = pieces_of(p);
    const size_t acc_bytes = p->dtype == DTYPE_F64 ? 8 : 4;
    return pieces == 1 ? 0 : shape_lines(p->shape) * pieces * acc_bytes;
}

/* Kilobytes a chunk, chunks in the ring. */
#define POINT(kilobytes, stages)                                               \
    {                                                                          \
        .name = "row_tma_ring_" #kilobytes "kx" #stages,                       \
        .idea = "bulk copies of whole rows, threads that only add",            \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_SERIAL, .deterministic = true,      \
        .refuses = refuses<kilobytes * 1024, stages>,                          \
        .workspace_bytes = workspace_bytes,                                    \
        .launch = launch<kilobytes * 1024, stages>                             \
    }

VARIANTS(reduce__row_tma_ring) = {
    POINT(64, 3),
    {},
};
