/* SPDX-License-Identifier: MIT
 *
 * Idea     Every block has the same number of rows of the tensor, and streams
 *          them through a ring in shared memory as one span, whatever slabs
 *          (all lines of an outer index) end in it: the copy engine is ahead
 *          by the ring's length while the threads add a slab's columns up and
 *          store them. A second kernel, launched early, adds up what blocks
 *          have of the slabs that they share.
 * Against  row_tma_ring: there a ring is one slab's or a piece's, and runs dry
 *          at its end; and pieces are as many as lines allow, not as blocks
 *          want.
 * Traffic  N elements, and two partial sums a block and column (passes = 1).
 * Needs    compute capability 9.0; rows of at most 8192 elements.
 * Source   equal shares: M. Osama, D. Merrill and others, "Stream-K", PPoPP
 *          2023, of matrix products.
 * Lesson   If blocks share the memory instead of the slabs, all finish at the
 *          same time.
 */
#include "variants/common/access/bulk_copy.cuh"
#include "variants/reduce/spans/ring_columns.cuh"
#include "variants/reduce/spans/shares.cuh"

/* What a block does with elements in turn: adds them to their columns, and
 * stores the sums where a slab ends, or its share. */
template <class T, int Columns>
struct slab_walk {
    const struct shares &s;
    T *out;
    acc_t<T> *partials, *sums;
    struct columns<T, Columns> columns;
    int64_t o, at, end; /* slab; next element, last one of the block's */
    int64_t left;       /* of the slab, or the block's share of it */
    bool whole;

    __device__ __forceinline__ slab_walk(const struct shares &shares,
                                         int64_t begin, int64_t stop, T *y,
                                         acc_t<T> *parts, acc_t<T> *shared)
        : s(shares), out(y), partials(parts), sums(shared), at(begin), end(stop)
    {
        o = begin / (s.axis * s.inner);
        enter();
    }

    /* Begins the slab, or what this block has of it. */
    __device__ __forceinline__ void enter(void)
    {
        const int64_t slab = s.axis * s.inner, next = (o + 1) * slab;
        left = (next < end ? next : end) - at;
        whole = left == slab;
        columns.begin((int)s.inner);
    }

    __device__ __forceinline__ void leave(void)
    {
        const int inner = (int)s.inner;
        columns.end();
        if (inner < kThreads) { /* a column has several threads */
            sums[threadIdx.x] = columns.sums[0];
            add_rows(sums, columns.step / inner, inner);
            columns.sums[0] = sums[threadIdx.x];
            __syncthreads(); /* all have read before the next slab's */
        }
        T *const y = out + o * inner;
        acc_t<T> *part = partials;
        if (!whole)
            part += s.slot(blockIdx.x, o) * inner;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const int column = threadIdx.x + c * kThreads;
            if (column >= inner)
                continue;
            if (whole)
                y[column] = from_acc<T>(columns.sums[c]);
            else
                part[column] = columns.sums[c];
        }
    }

    /* The next n elements, which lie at x. */
    __device__ __forceinline__ void take(const T *x, int n)
    {
        while (n > 0) {
            const int many = left < n ? (int)left : n;
            columns.add(x, many, many / columns.step);
            x += many;
            n -= many;
            at += many;
            left -= many;
            if (left > 0)
                return;
            leave();
            ++o;
            if (at < end)
                enter();
        }
    }
};

/* The elements of a block that bulk copies bring, of a tensor at `in`: whole
 * lines of memory, by which the copy engine goes fastest. */
template <class T>
struct body {
    const T *from;
    int64_t head, count; /* elements before, and in it */

    __device__ __forceinline__ body(const T *in, int64_t begin, int64_t end)
    {
        constexpr int kLine = 128 / (int)sizeof(T);
        const int lead = (int)((uintptr_t)in % 128 / sizeof(T));
        int64_t first = (begin + lead + kLine - 1) / kLine * kLine - lead;
        first = first < end ? first : end;
        const int64_t last = (end + lead) / kLine * kLine - lead;
        from = in + first;
        head = first - begin;
        count = last > first ? last - first : 0;
    }
};

constexpr int kMostColumns = 16; /* of a thread */

template <class T, int ChunkBytes, int Stages, int Columns>
static __global__ void __launch_bounds__(kThreads, 1)
    span_tma_ring(const T *__restrict__ in, T *__restrict__ out,
                  acc_t<T> *__restrict__ partials, const struct shares s)
{
#if HAS_BULK_COPY
    constexpr int kChunk = ChunkBytes / (int)sizeof(T);
    extern __shared__ __align__(128) char memory[];
    __shared__ acc_t<T> sums[kThreads];
    __shared__ uint64_t full[Stages];
    T *const ring = (T *)memory;
    early_allow();

    const int64_t begin = s.first_row(blockIdx.x) * s.inner;
    const int64_t end = s.first_row(blockIdx.x + 1) * s.inner;
    const body<T> body(in, begin, end);
    auto ask = [&](int64_t asked, unsigned stage) {
        const int64_t rest = body.count - asked;
        const int n = (int)(rest < kChunk ? rest : kChunk);
        if (n <= 0)
            return;
        const unsigned bytes = n * (unsigned)sizeof(T);
        bulk_expect(full + stage, bytes);
        bulk_load(ring + stage * kChunk, body.from + asked, bytes,
                  full + stage);
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < Stages; ++stage)
            bulk_init(full + stage, 1);
        for (int stage = 0; stage < Stages; ++stage)
            ask((int64_t)stage * kChunk, stage);
    }
    __syncthreads();

    slab_walk<T, Columns> walk(s, begin, end, out, partials, sums);
    walk.take(in + begin, (int)body.head);
    unsigned stage = 0, parity = 0;
    for (int64_t done = 0; done < body.count; done += kChunk) {
        const int64_t left = body.count - done;
        bulk_wait(full + stage, parity);
        walk.take(ring + stage * kChunk, (int)(left < kChunk ? left : kChunk));
        __syncthreads(); /* all have read before the stage is filled again */
        if (threadIdx.x == 0)
            ask(done + (int64_t)Stages * kChunk, stage);
        if (++stage == Stages) {
            stage = 0;
            parity ^= 1;
        }
    }
    walk.take(body.from + body.count,
              (int)(end - begin - body.head - body.count));
#endif
}

/* ------------------------------------------------------------------ host */

template <class T, int ChunkBytes, int Stages, int Columns>
static int launch_columns(const struct problem *p, cudaStream_t stream)
{
    const auto kernel = span_tma_ring<T, ChunkBytes, Stages, Columns>;
    const struct shares s = shares_of(p);
    int error = bulk_room(kernel, ChunkBytes * Stages);
    if (error != cudaSuccess)
        return error;
    auto *partials = (acc_t<T> *)p->workspace;
    kernel<<<(unsigned)s.blocks, kThreads, ChunkBytes * Stages, stream>>>(
        (const T *)p->in, (T *)p->out, partials, s);
    error = cudaGetLastError();
    return error != cudaSuccess ? error : launch_add_shares<T>(p, s, stream);
}

template <int ChunkBytes, int Stages>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto s = (cudaStream_t)stream;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, shape_lines(p->shape) * sizeof(T),
                                   s);
        if (p->shape.inner <= kThreads)
            return launch_columns<T, ChunkBytes, Stages, 1>(p, s);
        if (p->shape.inner <= kThreads * 2)
            return launch_columns<T, ChunkBytes, Stages, 2>(p, s);
        if (p->shape.inner <= kThreads * 4)
            return launch_columns<T, ChunkBytes, Stages, 4>(p, s);
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
    return shares_bytes(p, shares_of(p));
}

/* Kilobytes a chunk, chunks in the ring; one block an SM. */
#define POINT(kilobytes, stages)                                               \
    {                                                                          \
        .name = "span_tma_ring_" #kilobytes "kx" #stages "x1",                 \
        .idea = "equal shares of memory, streamed through rings",              \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_SERIAL, .deterministic = true,      \
        .refuses = refuses<kilobytes * 1024, stages>,                          \
        .workspace_bytes = workspace_bytes,                                    \
        .launch = launch<kilobytes * 1024, stages>                             \
    }

VARIANTS(reduce__span_tma_ring) = {
    POINT(64, 3),
    {},
};
