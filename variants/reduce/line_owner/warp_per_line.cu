/* SPDX-License-Identifier: MIT
 *
 * Idea     A warp, or a whole block, per line: 16-byte loads, several in
 *          flight a thread, and a tree of shuffles. The points of one warp a
 *          line need no barrier; those of more join their warps in shared
 *          memory. The wide point has 32-byte loads (compute capability 10.0).
 * Against  smem_tree: four to eight elements a load, and five shuffles where
 *          it has a barrier a step.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines that so few threads can walk in about a second.
 * Source   none.
 * Lesson   Wide loads and shuffles reach the ceiling if there are many lines;
 *          one long line leaves the GPU empty.
 */
#include "variants/common/access/wide.cuh"

/* LineThreads share a line. Its first and last few elements, off the vectors'
 * boundaries, are one thread's each: order is free in a sum. */
template <class T, int Bytes, int Threads, int LineThreads, int Loads>
static __global__ void __launch_bounds__(Threads)
    warp_per_line(const T *__restrict__ in, T *__restrict__ out, int64_t lines,
                  int64_t axis)
{
    using Acc = acc_t<T>;
    constexpr int kWidth = Bytes / (int)sizeof(T); /* of a vector */
    constexpr int kLines = Threads / LineThreads;  /* of a block at once */
    constexpr int kTile = LineThreads * Loads;     /* vectors */
    __shared__ Acc warp_sums[Threads / 32];
    const int rank = threadIdx.x % LineThreads;

    for (int64_t first = blockIdx.x * (int64_t)kLines; first < lines;
         first += gridDim.x * (int64_t)kLines) {
        const int64_t line = first + threadIdx.x / LineThreads;
        if (LineThreads == 32 && line >= lines)
            return; /* the whole warp; no barrier follows */

        /* load */
        const T *x = in + line * axis;
        int64_t head = (Bytes - (uintptr_t)x % Bytes) % Bytes / sizeof(T);
        head = head < axis ? head : axis;
        const auto *body = reinterpret_cast<const vec<T, kWidth> *>(x + head);
        const int64_t vecs = (axis - head) / kWidth;
        Acc sums[kWidth] = {};
        int64_t at = rank;
        for (; at + (kTile - LineThreads) < vecs; at += kTile) {
            vec<T, kWidth> v[Loads];
#pragma unroll
            for (int j = 0; j < Loads; ++j)
                v[j] = load_unit(body + at + j * LineThreads);
#pragma unroll
            for (int j = 0; j < Loads; ++j)
#pragma unroll
                for (int k = 0; k < kWidth; ++k)
                    sums[k] += to_acc(v[j].item[k]);
        }
        for (; at < vecs; at += LineThreads) {
            const vec<T, kWidth> v = load_unit(body + at);
#pragma unroll
            for (int k = 0; k < kWidth; ++k)
                sums[k] += to_acc(v.item[k]);
        }
        const int64_t tail = head + vecs * kWidth + rank;
        if (rank < head)
            sums[0] += to_acc(x[rank]);
        if (tail < axis)
            sums[1] += to_acc(x[tail]);

        /* upsweep */
        Acc sum = items_reduce<sum_op<T>>(sums);
        __syncwarp();
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(kWholeWarp, sum, step);
        if constexpr (LineThreads > 32) {
            if (threadIdx.x % 32 == 0)
                warp_sums[threadIdx.x / 32] = sum;
            __syncthreads();
            sum = 0;
            if (rank == 0)
                for (int warp = 0; warp < LineThreads / 32; ++warp)
                    sum += warp_sums[warp];
        }

        /* store */
        if (rank == 0)
            out[line] = from_acc<T>(sum);
        if (LineThreads > 32 && first + gridDim.x * (int64_t)kLines < lines)
            __syncthreads(); /* warp_sums are read before the next line's */
    }
}

template <int LineThreads, int Items, int Bytes>
static int launch(const struct problem *p, void *stream)
{
    constexpr int kThreads = LineThreads == 32 ? 256 : LineThreads;
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        const int64_t lines = shape_lines(p->shape);
        const int64_t blocks = ceil_div(lines, kThreads / LineThreads);
        warp_per_line<T, Bytes, kThreads, LineThreads, Items * 4 / Bytes>
            <<<grid_x(blocks), kThreads, 0, (cudaStream_t)stream>>>(
                (const T *)p->in, (T *)p->out, lines, p->shape.axis);
        return cudaGetLastError();
    });
}

template <int LineThreads>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis > (int64_t)LineThreads << 23)
        return "so few threads would walk the line for seconds";
    return NULL;
}

static const char *refuses_wide(const struct problem *p)
{
    const char *why = wide_refuses(p);
    return why ? why : refuses<256>(p);
}

/* Threads of a line, and f32 items of a thread in flight. The tile is that of
 * doubles, whose vectors are the shortest. */
#define POINT(text, threads, items, bytes, refused)                            \
    {                                                                          \
        .name = "warp_per_line" text "_b" #threads "_i" #items,                \
        .idea = #bytes "-byte loads and a tree of shuffles",                   \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * bytes / 8, .deterministic = true,              \
        .refuses = refused, .launch = launch<threads, items, bytes>            \
    }

VARIANTS(reduce__warp_per_line) = {
    POINT("", 32, 16, 16, refuses<32>),
    POINT("", 256, 16, 16, refuses<256>),
    POINT("", 512, 32, 16, refuses<512>),
    POINT("_wide", 256, 32, 32, refuses_wide),
    {},
};
