/* SPDX-License-Identifier: MIT
 *
 * Idea     A block holds a window of whole short lines in registers, as aligned
 *          vectors wherever the lines begin. A segmented scan over the vectors
 *          combines the parts of each line: a vector's last part, after the
 *          last line end in it, is carried to the next vectors. Results are
 *          stored side by side by way of shared memory.
 * Against  warp_per_line: a warp per short line has few loads in flight or idle
 *          lanes, and shuffles for every line; thread_per_line: neighbouring
 *          threads' loads lie a line apart.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds.
 * Source   none.
 * Lesson   Short lines are one long array in memory; arithmetic finds their
 *          ends.
 */
#include "variants/common/launch/empty_lines.cuh"
#include "variants/common/line_window.cuh"

struct window : line_window {
    int skip; /* lines that together cover a vector */
};

/* A window in its block, of `lines` lines. */
template <class T>
struct view : line_view<T> {
    int lines;
};

/* The carry-in of a warp, which may be alone in its block. */
template <class Op>
__device__ __forceinline__ typename Op::acc carry_of(typename Op::acc sum,
                                                     bool ended)
{
    if (blockDim.x == 32)
        return Op::identity();
    return carry_in<Op>(sum, ended, threadIdx.x / 32);
}

/* Loads a thread's vectors, the first at `at`. Vectors that reach beyond the
 * tensor are loaded in single elements. */
template <class Op, int Vecs, class T>
__device__ __forceinline__ void load_vectors_of(const struct window &w,
                                                const view<T> &s, int at,
                                                uint4 (&r)[Vecs])
{
    constexpr int V = kVec<T>, kStep = 32 * V;
    const int from = s.begin < s.low ? s.low : 0;
    const int64_t rest = w.extent * w.axis - s.begin + s.low;
    const int to = rest < s.high + V ? (int)rest : s.high + V;
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const int e = at + j * kStep;
        r[j] = pad_words<Op, uint4>();
        if (e < s.high && e >= from && e + V <= to)
            r[j] = *(const uint4 *)(s.x + e);
    }
    load_edges<T>(s, at, from, to, true, r, [&](int at, int low, int high) {
        vec<T> x;
        load_between<Op, false>(s.x, NULL, at, low, high, x);
        return __builtin_bit_cast(uint4, x);
    });
}

/* A vector's place among the lines. */
struct place {
    int index; /* line of the vector's first element */
    int past;  /* elements of that line before the vector */
    int end;   /* index in the vector of that line's last element */
};

__device__ __forceinline__ struct place place_of(const struct window &w, int at)
{
    const unsigned from = (unsigned)(at + w.skip * w.axis);
    const int which = (int)w.lines_in(from);
    const int past = (int)from - which * w.axis;
    return { which - w.skip, past, w.axis - 1 - past };
}

/* A vector's partial results: of the elements of its first line, and of those
 * after the last line end in it (of all, if there is none). */
template <class Acc>
struct parts {
    Acc head, row;
};

/* Short: lines that lie wholly in the vector go to line_sums. */
template <bool Short, class Op, class T>
__device__ __forceinline__ parts<typename Op::acc>
sum_vector(const struct window &w, const view<T> &s, const struct place &p,
           const typename Op::acc (&v)[kVec<T>], typename Op::acc *line_sums)
{
    typename Op::acc row = Op::identity(), head = Op::identity();
    int next = p.end, index = p.index;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        if constexpr (!Short) {
            if (k <= p.end)
                head = Op::combine(head, v[k]);
            else
                row = Op::combine(row, v[k]);
            continue;
        }
        row = Op::combine(row, v[k]);
        if (k != next)
            continue;
        if (k == p.end)
            head = row;
        else if (index >= 0 && index < s.lines)
            line_sums[index] = row;
        row = Op::identity();
        next += w.axis;
        ++index;
    }
    return { head, p.end >= kVec<T> ? head : row };
}

/* A thread's results of the upsweep. */
template <class Acc, int Vecs>
struct upswept {
    /* per vector, for the line that ends first in it */
    Acc total[Vecs]; /* the line's reduction as far as the warp has it */
    int ends[Vecs];  /* its index, or -1 if no line ends in the vector */
    bool far[Vecs];  /* true if it starts before the warp's first vector */

    Acc sum;    /* the warp's reduction since the last line end */
    bool ended; /* true if a line ends in one of this thread's vectors */
};

template <bool Short, class Op, class T, int Vecs>
__device__ __forceinline__ void
sweep_lines(const struct window &w, const view<T> &s, int at,
            const uint4 (&r)[Vecs], upswept<typename Op::acc, Vecs> &up,
            typename Op::acc *line_sums)
{
    using Acc = typename Op::acc;
    constexpr int V = kVec<T>, kStep = 32 * V;
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const struct place p = place_of(w, at + j * kStep - s.low);
        const auto x = __builtin_bit_cast(vec<T>, r[j]);
        Acc v[V];
        int position = p.past;
#pragma unroll
        for (int k = 0; k < V; ++k) {
            v[k] = Op::lift(x.item[k], position);
            position = position + 1 < w.axis ? position + 1 : 0;
        }
        const auto part = sum_vector<Short, Op>(w, s, p, v, line_sums);
        Acc row = part.row;
        const bool ends_here = p.end < V;
        const int back = (p.past + V) / V;
        const int reach = ends_here ? 0 : back;
        const int near = reach < lane ? reach : lane;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const Acc other = shuffle_up(row, step);
            if (step <= near)
                row = Op::combine(other, row);
        }
        if (reach > lane)
            row = Op::combine(up.sum, row);
        const Acc other = shuffle_up(row, 1);
        up.total[j] = Op::combine(lane ? other : up.sum, part.head);
        up.sum = shuffle_from(row, 31);
        up.ended = up.ended || ends_here;
        up.ends[j] = ends_here && p.index < s.lines ? p.index : -1;
        up.far[j] = back > j * 32 + lane;
    }
}

/* Writes the lines' results, in vectors where y is aligned. */
template <class Op, class T>
__device__ __forceinline__ void store_sums(const typename Op::acc *line_sums,
                                           T *y, int lines, int axis)
{
    constexpr int V = kVec<T>;
    const int whole = (uintptr_t)y % 16 ? 0 : lines - lines % V;
    for (int k = threadIdx.x * V; k < whole; k += blockDim.x * V) {
        typename Op::acc v[V];
#pragma unroll
        for (int i = 0; i < V; ++i)
            v[i] = line_sums[k + i];
        vec<T> x;
#pragma unroll
        for (int i = 0; i < V; ++i)
            x.item[i] = Op::lower(v[i], axis);
        __stcs((uint4 *)(y + k), __builtin_bit_cast(uint4, x));
    }
    for (int k = whole + threadIdx.x; k < lines; k += blockDim.x)
        y[k] = Op::lower(line_sums[k], axis);
}

/* Blocks per SM, or 0 for the compiler's choice, with which short doubles would
 * spill. */
template <class T, int Threads, bool Short>
constexpr int kBlocks = Short && sizeof(T) == 8 ? 1024 / Threads : 0;

/* Short: a vector may touch more than two lines. */
template <class Op, int Threads, int Vecs, bool Short,
          class T = typename Op::element>
static __global__ void __launch_bounds__(Threads, kBlocks<T, Threads, Short>)
    packed_lines_registers(const T *__restrict__ in, T *__restrict__ out,
                           const struct window w)
{
    TAG(fast, Vecs <= 8);
    using Acc = typename Op::acc;
    constexpr int V = kVec<T>;
    extern __shared__ __align__(16) char memory[];
    Acc *line_sums = (Acc *)memory;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * 32 * V + lane * V;

    for (int64_t n = blockIdx.x; n < w.windows; n += gridDim.x) {
        const int64_t line = n * w.many, begin = line * w.axis;
        const int lines =
            w.extent - line < w.many ? (int)(w.extent - line) : w.many;
        const int low = (int)((begin + w.lead) % V);
        const view<T> s = {
            { in + begin - low, begin, low, low + lines * w.axis }, lines
        };

        /* load */
        uint4 r[Vecs];
        load_vectors_of<Op>(w, s, at, r);

        /* upsweep */
        upswept<Acc, Vecs> up;
        up.sum = Op::identity();
        up.ended = false;
        sweep_lines<Short, Op>(w, s, at, r, up, line_sums);

        /* spine, downsweep */
        const Acc carry =
            carry_of<Op>(up.sum, __any_sync(kWholeWarp, up.ended) != 0);
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            if (up.ends[j] >= 0)
                line_sums[up.ends[j]] = Op::combine(
                    up.far[j] ? carry : Op::identity(), up.total[j]);
        __syncthreads();

        /* store */
        store_sums<Op>(line_sums, out + line, lines, w.axis);
        if (n + gridDim.x < w.windows)
            __syncthreads(); /* line_sums may be written again */
    }
}

/* Vectors of a window, and bytes of its lines' results. */
template <int Threads, int Vecs>
constexpr int kHeld = Threads *Vecs;
constexpr int kMostBytes = 32 << 10;

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        constexpr int kVecs = Items / 4, V = kVec<T>;
        constexpr int kVectors = kHeld<Threads, kVecs>;
        constexpr int64_t kMostLines = kMostBytes / sizeof(typename Op::acc);
        const int64_t axis = p->shape.axis;
        if (axis == 0)
            return launch_empty_lines<Op>(p, stream);
        struct window w = { line_window_of<T>(p, shape_lines(p->shape)),
                            (int)ceil_div(V, axis) };
        /* Windows start on vector boundaries of in and of out if possible. */
        int64_t many = (int64_t)kVectors * V / axis;
        if (many >= V && w.lead == 0)
            many -= many % V;
        else
            many = (int64_t)(kVectors - 1) * V / axis;
        many = many < kMostLines ? many : kMostLines;
        w.many = (int)(many < w.extent ? many : w.extent);
        w.windows = ceil_div(w.extent, w.many);
        const int64_t elems = w.many * axis;
        const int64_t vectors =
            ceil_div(elems + (w.lead || elems % V ? V - 1 : 0), V);
        const int threads = 32 * (int)ceil_div(vectors, 32 * kVecs);
        const size_t bytes = w.many * sizeof(typename Op::acc);
        const auto kernel =
            axis < V ? packed_lines_registers<Op, Threads, kVecs, true>
                     : packed_lines_registers<Op, Threads, kVecs, false>;
        return launch_kernel(kernel, w.windows, threads, bytes, stream, p->in,
                             p->out, w);
    });
}

template <int Threads, int Items>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    const int wide = 16 / (int)dtype_bytes(p->dtype);
    if (p->shape.axis > (kHeld<Threads, Items / 4> - 1) * wide)
        return "the line does not fit in the block's registers";
    return NULL;
}

/* b, i: maximum of threads, and f32 items per thread, four in each vector. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "packed_lines_registers_b" #threads "_i" #items,               \
        .idea = "a block holds a window of whole short lines",                 \
        .runs_on = DEVICE_CUDA, .ops = reductions(), .passes = 1,              \
        .error_growth = ERROR_TILED, .error_tile = 1024,                       \
        .deterministic = true, .refuses = refuses<threads, items>,             \
        .launch = launch<threads, items>, .portable_bits = true                \
    }

VARIANTS(reduce__packed_lines_registers) = {
    POINT(128, 32),
    {},
};
