/* SPDX-License-Identifier: MIT
 *
 * For reductions that stream spans of whole rows through a ring in shared
 * memory: the ring, and the columns that each thread combines.
 */
#ifndef VARIANTS_REDUCE_SPANS_ROW_RING_CUH
#define VARIANTS_REDUCE_SPANS_ROW_RING_CUH

#include "variants/common/access/bulk_copy.cuh"
#include "variants/reduce/split_axis/add_partials.cuh"

constexpr int kThreads = 512;
constexpr int kMostColumns = 16; /* per thread */

/* Elements [begin, end) of the tensor at `in`. The body is whole 128-byte lines
 * of memory, which bulk copies transfer fastest; the head and the tail are read
 * directly. */
template <class T>
struct line_span {
    const T *body;
    int64_t count; /* elements of the body */
    int head, tail;

    __device__ __forceinline__ line_span(const T *in, int64_t begin,
                                         int64_t end)
    {
        constexpr int kLineBytes = 128;
        constexpr int kLine = kLineBytes / (int)sizeof(T);
        const int lead = (int)((uintptr_t)in % kLineBytes / sizeof(T));
        int64_t first = (begin + lead + kLine - 1) / kLine * kLine - lead;
        first = first < end ? first : end;
        const int64_t last = (end + lead) / kLine * kLine - lead;
        body = in + first;
        count = last > first ? last - first : 0;
        head = (int)(first - begin);
        tail = (int)(end - first - count);
    }
};

/* A ring of chunks. Thread 0 calls init(), and request() for each span; the
 * block's barrier follows init(). */
template <class T, int ChunkBytes, int Stages>
struct row_ring {
    static constexpr int kChunk = ChunkBytes / (int)sizeof(T);
    T *chunks;
    uint64_t *full;
    unsigned stage = 0, parity = 0; /* the next chunk to read */

    __device__ __forceinline__ row_ring(void *memory, uint64_t *barriers)
        : chunks((T *)memory), full(barriers)
    {
    }
    __device__ __forceinline__ void init(void) const
    {
        for (int k = 0; k < Stages; ++k)
            bulk_init(full + k, 1);
    }
    /* Requests the chunk at element `at` of a body, if there is one. */
    __device__ __forceinline__ void request(const line_span<T> &s, int64_t at,
                                            unsigned into) const
    {
        const int64_t rest = s.count - at;
        const int n = (int)(rest < kChunk ? rest : kChunk);
        if (n <= 0)
            return;
        const unsigned bytes = n * (unsigned)sizeof(T);
        bulk_expect(full + into, bytes);
        bulk_load(chunks + into * kChunk, s.body + at, bytes, full + into);
    }
    __device__ __forceinline__ void request(const line_span<T> &s) const
    {
        for (unsigned k = 0; k < Stages; ++k)
            request(s, (int64_t)k * kChunk, (stage + k) % Stages);
    }

    /* Calls take(x, n) on the span's elements, chunk by chunk. */
    template <class Take>
    __device__ __forceinline__ void stream(const line_span<T> &s, Take take)
    {
        take(s.body - s.head, s.head);
        for (int64_t done = 0; done < s.count; done += kChunk) {
            const int64_t left = s.count - done;
            bulk_wait(full + stage, parity);
            take(chunks + stage * kChunk, (int)(left < kChunk ? left : kChunk));
            __syncthreads(); /* all have read before the stage is refilled */
            if (threadIdx.x == 0)
                request(s, done + (int64_t)Stages * kChunk, stage);
            if (++stage == Stages) {
                stage = 0;
                parity ^= 1;
            }
        }
        take(s.body + s.count, s.tail);
    }
};

/* A thread's columns: elements threadIdx.x + c * kThreads of whole rows, and
 * every step-th element after each. Rows shorter than the block lie side by
 * side in it: step is then the largest multiple of the row that fits. Threads
 * from `step` on compute results that are not used. */
template <class Op, int Columns>
struct columns {
    using T = typename Op::element;
    using Acc = typename Op::acc;
    Acc sums[Columns], chains[Columns];
    int at[Columns];      /* next element, from the start of the next chunk */
    int64_t row[Columns]; /* its place along the axis */
    int step, down; /* elements, and rows, to the next element of a column */
    int chain;      /* combinations in chains */

    /* The first row is `first` along the axis. */
    __device__ __forceinline__ void begin(int inner, int64_t first)
    {
        step = inner < kThreads ? kThreads / inner * inner : inner;
        chain = 0;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const int place = threadIdx.x + c * kThreads;
            sums[c] = chains[c] = Op::identity();
            at[c] = place < step ? place : 0;
            row[c] = first + at[c] / inner;
        }
        down = step / inner;
    }

    __device__ __forceinline__ void add_next(const T *x, int c)
    {
        chains[c] = Op::combine(chains[c], Op::lift(x[at[c]], row[c]));
        row[c] += down;
    }

    static constexpr int kBatch = 8;

    __device__ __forceinline__ void add_batch(const T *x, int c)
    {
        T batch[kBatch];
#pragma unroll
        for (int j = 0; j < kBatch; ++j)
            batch[j] = x[at[c] + j * step];
        const int64_t first = row[c];
        chains[c] = add_items<Op>(
            chains[c], batch, [&](int j) { return first + j * (int64_t)down; });
        row[c] += kBatch * (int64_t)down;
    }

    /* Combines n elements of a line, in vectors where they are aligned, as all
     * chunks are; the head and the tail may not be. */
    __device__ __forceinline__ void add_line(const T *x, int n)
    {
        constexpr int V = kVec<T>;
        const int64_t first = row[0] - at[0];
        const int whole = (uintptr_t)x % 16 == 0 ? n / V * V : 0;
        for (int e = threadIdx.x * V; e < whole; e += kThreads * V)
            chains[0] =
                add_vector<Op>(chains[0], *(const uint4 *)(x + e), first + e);
        for (int e = whole + threadIdx.x; e < n; e += kThreads)
            chains[0] = Op::combine(chains[0], Op::lift(x[e], first + e));
        row[0] += n;
        extend_chains(n / (kThreads * V));
    }

    /* Combines a chunk of n elements; rows = n / step. */
    __device__ __forceinline__ void add(const T *x, int n, int rows)
    {
        if constexpr (kAbsorbs<Op>)
            if (down == kThreads) /* rows of one element */
                return add_line(x, n);
        int row = 0;
        if constexpr (kAbsorbs<Op>)
            for (; row + kBatch <= rows; row += kBatch, x += kBatch * step)
#pragma unroll
                for (int c = 0; c < Columns; ++c)
                    if (c * kThreads < step)
                        add_batch(x, c);
#pragma unroll(Columns > 2 ? 16 / Columns : 8)
        for (; row < rows; ++row, x += step)
#pragma unroll
            for (int c = 0; c < Columns; ++c)
                if (c * kThreads < step)
                    add_next(x, c);
        const int rest = n - rows * step;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const bool more = at[c] < rest;
            if (more)
                add_next(x, c);
            at[c] += (more ? step : 0) - rest;
        }
        extend_chains(rows);
    }

    __device__ __forceinline__ void extend_chains(int by)
    {
        constexpr int kChain = 64; /* short chains keep the error small */
        chain += by + 1;
        if (chain >= kChain)
            end_chains();
    }

    __device__ __forceinline__ void end_chains(void)
    {
        chain = 0;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            sums[c] = Op::combine(sums[c], chains[c]);
            chains[c] = Op::identity();
        }
    }

    /* Combines threads of the same column through `shared`, which has kThreads
     * elements, and calls store(column, result). */
    template <class Store>
    __device__ __forceinline__ void end(int inner, Acc *shared, Store store)
    {
        end_chains();
        if (inner < kThreads) {
            shared[threadIdx.x] = sums[0];
            add_rows<Op>(shared, step / inner, inner);
            sums[0] = shared[threadIdx.x];
            __syncthreads(); /* all have read before it is written again */
        }
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const int column = threadIdx.x + c * kThreads;
            if (column < inner)
                store(column, sums[c]);
        }
    }
};

/* ------------------------------------------------------------------ host */

/* Calls run() with the fewest of the listed columns per thread that hold a
 * row. */
template <int Columns, int... More, class Run>
int with_columns(const struct problem *p, Run run)
{
    if constexpr (sizeof...(More) > 0)
        if (p->shape.inner > kThreads * Columns)
            return with_columns<More...>(p, run);
    return run(std::integral_constant<int, Columns>{});
}

template <int RingBytes>
const char *ring_refuses(const struct problem *p)
{
    if (p->shape.inner > kThreads * kMostColumns)
        return "a row has more columns than the block's threads can own";
    if (index_refuses(p))
        return index_refuses(p);
    const char *reason = tile_refuses(p, RingBytes + kThreads * acc_bytes(p));
    return reason ? reason : bulk_lacking(p);
}

#endif
