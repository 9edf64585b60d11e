/* SPDX-License-Identifier: MIT
 *
 * Idea     Aligned 16-byte loads over rows of any length. V elements a vector
 *          and rows of `inner` fall into step every p = V / gcd(inner, V)
 *          rows: a period of rows is whole vectors, and vector v of every
 *          period holds the same columns. So a thread owns a place v in the
 *          period, walks from period to period with a vector of sums, and a
 *          second pass adds the p sums that a column then has.
 * Against  block_2d: a quarter (eighth) of the loads, and no sector that two
 *          warps share.
 * Traffic  N elements, and p partial sums a column and piece of the axis,
 *          twice (passes = 1).
 * Needs    nothing; falls back to single elements off 16-byte boundaries.
 * Source   none.
 * Lesson   The columns of a vector repeat after a few rows, so aligned loads
 *          serve any extent.
 */
#include "variants/reduce/split_axis/partials.cuh"

/* How a problem is laid out over blocks. */
struct layout {
    int64_t period; /* rows */
    int64_t vecs;   /* of a period */
    int columns;    /* threads side by side in it */
    int depth;      /* periods of a block side by side: threads / columns */
    int64_t strips; /* blocks side by side */
    int64_t pieces; /* of the axis */
};

template <class T, int Threads, int Loads, int Columns>
static struct layout layout_of(struct shape shape)
{
    int64_t common = 1; /* gcd(inner, V): V is a power of two */
    while (common < kVec<T> && shape.inner % (2 * common) == 0)
        common *= 2;
    struct layout l;
    l.period = kVec<T> / common;
    l.vecs = shape.inner / common;
    l.columns = (int)(l.vecs < Columns ? l.vecs : Columns);
    l.depth = Threads / l.columns;
    l.strips = ceil_div(l.vecs, l.columns);
    int64_t most = shape.axis / l.period / (l.depth * Loads * 2);
    if (most > 1024)
        most = 1024;
    l.pieces = axis_pieces(shape.outer * l.strips, (1 << 20) / Threads, most);
    return l;
}

/* Adds the vectors up, pairwise, item by item. */
template <class T, int Loads>
__device__ __forceinline__ void add_vecs(const vec<T> (&y)[Loads],
                                         acc_t<T> (&sums)[kVec<T>])
{
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        acc_t<T> terms[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            terms[j] = to_acc(y[j].item[k]);
        sums[k] += pairwise_sum(terms);
    }
}

/* partials is a tensor (outer, pieces * period, inner). Pieces take periods
 * in turn, Loads * depth at a time, so that the blocks in flight walk one
 * window of addresses. */
template <class T, int Threads, int Loads>
static /* (Left alone, the compiler spills to fit in more threads than it
          takes.) */
    __global__ void
    __launch_bounds__(
        Threads, kResident<Threads, (65536 / Threads / (Loads > 4 ? 64 : 48))>)
        period_vectors(const T *__restrict__ in,
                       acc_t<T> *__restrict__ partials, struct shape shape,
                       struct layout l, bool aligned)
{
    using Acc = acc_t<T>;
    __shared__ Acc shared[Threads];
    const int column = threadIdx.x % l.columns;
    const int row = threadIdx.x / l.columns;      /* beyond depth: idle */
    const int64_t elems = l.period * shape.inner; /* of a period */
    const int64_t jump = l.depth * elems;

    const int64_t tiles = shape.outer * l.pieces * l.strips;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t o = tile / l.strips / l.pieces;
        const int64_t piece = tile / l.strips % l.pieces;
        const int64_t v = tile % l.strips * l.columns + column;
        const bool mine = v < l.vecs && row < l.depth;

        /* Rows before the slab's first whole period, and after its last:
         * periods count from the tensor's start, which is aligned. */
        const int64_t early = o * shape.axis % l.period;
        int64_t head = early ? l.period - early : 0;
        head = head < shape.axis ? head : shape.axis;
        const int64_t periods = (shape.axis - head) / l.period;
        const T *slab = in + o * shape.axis * shape.inner;
        const T *x = slab + head * shape.inner + v * kVec<T>;

        /* load */
        Acc sums[kVec<T>] = {};
        int64_t q = mine ? piece * l.depth * Loads + row : periods;
        for (; q < periods; q += l.pieces * l.depth * Loads) {
            if (aligned && q + (Loads - 1) * l.depth < periods) {
                vec<T> y[Loads];
#pragma unroll
                for (int j = 0; j < Loads; ++j)
                    y[j] = *(const vec<T> *)(x + q * elems + j * jump);
                add_vecs(y, sums);
                continue;
            }
            Acc terms[kVec<T>] = {}; /* summed apart: short chains here too */
#pragma unroll 1
            for (int j = 0; j < Loads && q + j * l.depth < periods; ++j)
#pragma unroll
                for (int k = 0; k < kVec<T>; ++k)
                    terms[k] += to_acc(x[q * elems + j * jump + k]);
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k)
                sums[k] += terms[k];
        }
        if (mine && piece == 0 && row == 0) {
            const int64_t late = head + periods * l.period;
            const int64_t tail = (shape.axis - late) * shape.inner;
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k) {
                const int64_t e = v * kVec<T> + k; /* in its period */
                if (e < head * shape.inner)
                    sums[k] += to_acc(slab[e]);
                if (e < tail)
                    sums[k] += to_acc(slab[late * shape.inner + e]);
            }
        }

        /* upsweep */
        if (l.depth > 1) {
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k) {
                __syncthreads(); /* the one before has been read */
                shared[threadIdx.x] = sums[k];
                add_rows(shared, l.depth, l.columns);
                sums[k] = shared[threadIdx.x];
            }
        }

        /* store */
        if (mine && row == 0)
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k)
                partials[(o * l.pieces + piece) * elems + v * kVec<T> + k] =
                    sums[k];
    }
}

template <int Threads, int Loads, int Columns>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        const struct layout l = layout_of<T, Threads, Loads, Columns>(p->shape);
        period_vectors<T, Threads, Loads>
            <<<grid_x(p->shape.outer * l.pieces * l.strips), Threads, 0,
               (cudaStream_t)stream>>>((const T *)p->in,
                                       (acc_t<T> *)p->workspace, p->shape, l,
                                       (uintptr_t)p->in % 16 == 0);
        int error = cudaGetLastError();
        if (error)
            return error;
        return launch_add_partials<T>(p->workspace, p->out, p->shape.outer,
                                      l.pieces * l.period, p->shape.inner,
                                      (cudaStream_t)stream);
    });
}

template <int Threads, int Loads, int Columns>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        const struct layout l = layout_of<T, Threads, Loads, Columns>(p->shape);
        bytes = shape_lines(p->shape) * l.pieces * l.period * sizeof(acc_t<T>);
        return 0;
    });
    return bytes;
}

/* x: columns of vectors that a block works on side by side; with fewer, more of
 * its threads go along the axis, and the GPU's blocks work on fewer slabs at a
 * time. i: items in flight, as in f32, four a load. */
#define POINT(threads, items, columns)                                         \
    {                                                                          \
        .name = "period_vectors_x" #columns "_b" #threads "_i" #items,         \
        .idea = "aligned 16-byte loads over rows of any length",               \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = items / 4,     \
        .deterministic = true,                                                 \
        .workspace_bytes = workspace_bytes<threads, items / 4, columns>,       \
        .launch = launch<threads, items / 4, columns>                          \
    }

VARIANTS(reduce__period_vectors) = {
    POINT(256, 32, 32),
    {},
};
