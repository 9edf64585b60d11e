/* SPDX-License-Identifier: MIT
 *
 * Idea     One block holds a line of integers in registers and scans it in one
 *          burst, whose results are wider than its elements. Such sums have an
 *          inverse: a reverse scan is the total minus a prefix, so that one
 *          kernel serves all forms. A few lines get many threads of few
 *          elements, for short chains.
 * Against  decoupled_lookback_blocked: no shared tile, and no states to be
 *          cleared by another launch.
 * Traffic  An element read and a result written each (passes = 1).
 * Needs    inner == 1; axis at most what a block holds; integers or bools of
 *          fewer than 8 bytes. 16-byte stores if in, out and mask are off
 *          their boundaries by the same.
 * Source   none.
 * Lesson   Exact sums need no kernel per form.
 */
#include "variants/common/kernel.cuh"

constexpr unsigned kNeeds = NEEDS_WIDER_SUMS | ALLOWS_WIDENING;
constexpr int V = 4, kRows = 4; /* elements of a vector, vectors of a thread */
constexpr int kMostThreads = 1024;
constexpr int kMostElems = kMostThreads * kRows * V - (V - 1);

struct layout {
    int64_t lines;
    int axis, rows; /* vectors of a thread that the line needs */
    int lead;       /* elements from a boundary to the first, or 0 */
    bool vectors;   /* else single elements */
    bool reverse, exclusive;
};

/* A line in its block: elements [low, high) from x on, which is aligned. */
template <class T>
struct placed_line {
    const T *x;
    const uint8_t *m; /* or NULL */
    int64_t *y;
    int low, high;
    bool vectors;

    /* True if the vector at `at` is to be accessed as one. */
    __device__ __forceinline__ bool whole(int at) const
    {
        return vectors && at >= low && at + V <= high;
    }
    __device__ __forceinline__ bool has(int at) const
    {
        return at >= low && at < high;
    }
};

template <class T>
__device__ __forceinline__ placed_line<T>
place(const struct layout &l, int64_t line, const T *in, const uint8_t *mask,
      int64_t *out)
{
    const int low = l.vectors ? (int)((line * l.axis + l.lead) % V) : 0;
    const int64_t from = line * l.axis - low;
    return { in + from,    mask ? mask + from : NULL,
             out + from,   low,
             low + l.axis, l.vectors };
}

/* Loads a thread's vectors, the first at `at`, all before the first use. */
template <class T>
__device__ __forceinline__ void load_line(const placed_line<T> &s, int at,
                                          int rows, vec<T, V> (&r)[kRows])
{
    uint32_t keep[kRows]; /* a byte per element */
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
        const int e = at + j * 32 * V;
        keep[j] = 0x01010101;
        if (j < rows && s.whole(e)) {
            r[j] = read_vec<vec<T, V>>(s.x + e);
            if (s.m)
                keep[j] = *(const uint32_t *)(s.m + e);
        } else if (j < rows) {
#pragma unroll
            for (int k = 0; k < V; ++k)
                if (s.has(e + k) && (!s.m || s.m[e + k]))
                    r[j].item[k] = s.x[e + k];
        }
    }
#pragma unroll
    for (int j = 0; j < kRows; ++j)
#pragma unroll
        for (int k = 0; k < V; ++k)
            if (!(keep[j] >> 8 * k & 1))
                r[j].item[k] = {};
}

/* Stores a vector's results in two accesses, or singly. */
template <class T>
__device__ __forceinline__ void store_results(const placed_line<T> &s, int at,
                                              const vec<int64_t, V> &results)
{
    if (s.whole(at)) {
#pragma unroll
        for (int k = 0; k < V; k += 2)
            write_first(
                s.y + at + k,
                vec<int64_t, 2>{ { results.item[k], results.item[k + 1] } });
    } else {
#pragma unroll
        for (int k = 0; k < V; ++k)
            if (s.has(at + k))
                s.y[at + k] = results.item[k];
    }
}

template <class T>
static __global__ void __launch_bounds__(kMostThreads)
    block_per_line_widening(const T *__restrict__ in,
                            const uint8_t *__restrict__ mask,
                            int64_t *__restrict__ out, const struct layout l)
{
    using Op = wrapped_sum<T>;
    using Acc = typename Op::acc;
    constexpr int kStep = 32 * V;
    __shared__ Acc totals[kMostThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * l.rows * kStep + lane * V;

    for (int64_t line = blockIdx.x; line < l.lines; line += gridDim.x) {
        const auto s = place<T>(l, line, in, mask, out);
        vec<T, V> r[kRows] = {};
        load_line(s, at, l.rows, r);

        /* upsweep, spine */
        Acc before[kRows], sum = 0, total;
#pragma unroll
        for (int j = 0; j < kRows; ++j) {
            if (j >= l.rows)
                break;
            Acc row;
            before[j] =
                sum + warp_prefix<Op, false>(vec_reduce<Op, false>(r[j]), &row);
            sum += row;
        }
        if (lane == 0)
            totals[warp] = sum;
        __syncthreads();
        const Acc carries = warp_prefix<Op, false>(
            lane < (int)blockDim.x / 32 ? totals[lane] : 0, &total);
        const Acc carry = shuffle_from(carries, warp);

        /* downsweep, store */
#pragma unroll
        for (int j = 0; j < kRows; ++j) {
            if (j >= l.rows)
                break;
            vec<int64_t, V> results;
            Acc edge = carry + before[j];
#pragma unroll
            for (int k = 0; k < V; ++k) {
                const Acc past = edge + Op::lift(r[j].item[k]);
                const Acc upto = l.reverse == l.exclusive ? past : edge;
                results.item[k] = (int64_t)(l.reverse ? total - upto : upto);
                edge = past;
            }
            store_results(s, at + j * kStep, results);
        }
        if (line + gridDim.x < l.lines)
            __syncthreads(); /* totals may be written again */
    }
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(p, [&]<class T, class Scan>(tag<T>, Scan) {
        struct layout l = { .lines = shape_lines(p->shape),
                            .axis = (int)p->shape.axis,
                            .lead = (int)((uintptr_t)p->in / sizeof(T) % V),
                            .reverse = (op_flags(p->op) & OP_REVERSE) != 0,
                            .exclusive =
                                (op_flags(p->op) & OP_EXCLUSIVE) != 0 };
        l.vectors =
            (uintptr_t)p->out / sizeof(int64_t) % 2 == (unsigned)l.lead % 2 &&
            (!p->mask || (uintptr_t)p->mask % V == (unsigned)l.lead);
        const bool edges = l.vectors && (l.lead || l.axis % V);
        const int vectors = (int)ceil_div(l.axis + (edges ? V - 1 : 0), V);
        const bool few = l.lines <= p->device->sm_count;
        l.rows = few ? (int)ceil_div(vectors, kMostThreads / 2) : kRows;
        l.rows = l.rows < kRows ? l.rows : kRows;
        return launch_kernel(block_per_line_widening<T>, l.lines,
                             32 * (int)ceil_div(vectors, 32 * l.rows), 0,
                             stream, p->in, p->mask, p->out, l);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    return p->shape.axis > kMostElems
               ? "the line does not fit in the block's registers"
               : NULL;
}

VARIANTS(scan__block_per_line_widening) = {
    { .name = "block_per_line_widening",
      .idea = "one block holds a line of integers, in wider sums",
      ON_CUDA(scans<kNeeds>(), 1),
      ERROR_OF_TILES(1024),
      .deterministic = true,
      .refuses = refuses,
      .launch = launch },
    {},
};
