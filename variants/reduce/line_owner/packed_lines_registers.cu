/* SPDX-License-Identifier: MIT
 *
 * Idea     A block holds a window of whole short lines in registers, on 16-byte
 *          boundaries wherever the lines begin. A segmented scan of what each
 *          vector has left over after the last line's end joins the lines, and
 *          their sums leave by way of shared memory, side by side.
 * Against  warp_per_line: a warp to a short line has few loads in flight, or
 *          idle lanes, and shuffles for every line; thread_per_line: its
 *          neighbours' loads lie a line apart.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds.
 * Source   none.
 * Lesson   To the memory, short lines are one long array; arithmetic finds
 *          where they end.
 */
#include "variants/common/access/l2_hints.cuh"

/* Windows of whole lines. */
struct window {
    int64_t lines, windows;
    int axis, many;   /* elements of a line, lines of a window */
    int lead;         /* elements from a 16-byte boundary to the first */
    unsigned inverse; /* 2^31 / axis, rounded up */
    int skip;         /* as many lines as a vector may touch */
};

/* Elements [low, high) of the vector at `at`, singly. */
template <class T>
__device__ __forceinline__ uint4 load_between(const T *__restrict__ in, int at,
                                              int low, int high)
{
    vec<T> x;
    uint4 words;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        x.item[k] =
            at + k >= low && at + k < high ? in[at + k] : from_acc<T>(0);
    memcpy(&words, &x, sizeof x);
    return words;
}

/* What the warps before this one hand on: `sum` of each since the last line's
 * end in it, if there is one. */
template <class Acc>
__device__ __forceinline__ Acc carry_in(Acc sum, bool ended)
{
    __shared__ Acc sums[32];
    __shared__ uint8_t ends[32];
    if (blockDim.x == 32)
        return 0;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) {
        sums[warp] = sum;
        ends[warp] = ended;
    }
    __syncthreads();
    const bool before = lane < warp;
    const unsigned fresh = __ballot_sync(kWholeWarp, before && ends[lane]);
    const int from = fresh ? 31 - __clz((int)fresh) : 0;
    Acc carry = before && lane >= from ? sums[lane] : Acc(0);
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        carry += __shfl_xor_sync(kWholeWarp, carry, step);
    return carry;
}

/* A window as its block sees it: elements [low, high) behind x, the first
 * vector of which is aligned. */
template <class T>
struct view {
    const T *x;
    int64_t begin; /* its place in the tensor */
    int low, high;
    int lines;
};

/* Loads a thread's vectors, the first at `at`; one that sticks out of the
 * tensor in single elements. */
template <class T, int Vecs>
__device__ __forceinline__ void load_vectors_of(const struct window &w,
                                                const view<T> &s, int at,
                                                uint4 (&r)[Vecs])
{
    constexpr int kWide = kVec<T>, kStep = 32 * kWide;
    const int from = s.begin < s.low ? s.low : 0;
    const int64_t rest = w.lines * w.axis - s.begin + s.low;
    const int to = rest < s.high + kWide ? (int)rest : s.high + kWide;
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const int e = at + j * kStep;
        r[j] = {};
        if (e < s.high && e >= from && e + kWide <= to)
            r[j] = *(const uint4 *)(s.x + e);
    }
    if (from > 0 && threadIdx.x == 0)
        r[0] = load_between<T>(s.x, 0, from, to);
    const int last = to - to % kWide; /* whole, if before `to` */
    if (last < s.high && last >= from && last < to && last >= at &&
        last < at + Vecs * kStep && (last - at) % kStep == 0) {
        const uint4 part = load_between<T>(s.x, last, 0, to);
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            if (at + j * kStep == last)
                r[j] = part;
    }
}

/* Where a vector lies: `index` is the line of its first element, `past` how
 * many of that line come before it, `end` where that line ends in it. */
struct place {
    int index, past, end;
};

__device__ __forceinline__ struct place place_of(const struct window &w, int at)
{
    const unsigned from = (unsigned)(at + w.skip * w.axis);
    const int which = (int)__umulhi(2 * from, w.inverse);
    const int past = (int)from - which * w.axis;
    return { which - w.skip, past, w.axis - 1 - past };
}

/* A vector's sums: of what belongs to its first line, and of what is left over
 * after the last line that ends in it. */
template <class Acc>
struct parts {
    Acc head, row;
};

/* Short: lines that lie in the vector whole go to line_sums. */
template <bool Short, class T>
__device__ __forceinline__ parts<acc_t<T>>
sum_vector(const struct window &w, const view<T> &s, const struct place &p,
           const acc_t<T> (&v)[kVec<T>], acc_t<T> *line_sums)
{
    acc_t<T> row = 0, head = 0;
    int next = p.end, index = p.index;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        if constexpr (!Short) {
            if (k <= p.end)
                head += v[k];
            else
                row += v[k];
            continue;
        }
        row += v[k];
        if (k != next)
            continue;
        if (k == p.end)
            head = row;
        else if (index >= 0 && index < s.lines)
            line_sums[index] = row;
        row = 0;
        next += w.axis;
        ++index;
    }
    return { head, p.end >= kVec<T> ? head : row };
}

/* Of each vector: the sum of the line that ends first in it, as far as the
 * warp has it; the line, or -1; and whether it reaches further back. Of the
 * warp: its sum since the last line's end, and whether this thread saw one. */
template <class Acc, int Vecs>
struct upswept {
    Acc total[Vecs], sum;
    int ends[Vecs];
    bool far[Vecs], ended;
};

template <bool Short, class T, int Vecs>
__device__ __forceinline__ void
sweep_lines(const struct window &w, const view<T> &s, int at,
            const uint4 (&r)[Vecs], upswept<acc_t<T>, Vecs> &up,
            acc_t<T> *line_sums)
{
    using Acc = acc_t<T>;
    constexpr int kWide = kVec<T>, kStep = 32 * kWide;
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        Acc v[kWide];
        to_items<T>(r[j], v);
        const struct place p = place_of(w, at + j * kStep - s.low);
        const auto part = sum_vector<Short>(w, s, p, v, line_sums);
        Acc row = part.row;
        const bool ends_here = p.end < kWide;
        const int back = (p.past + kWide) / kWide;
        const int reach = ends_here ? 0 : back;
        const int near = reach < lane ? reach : lane;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const Acc other = __shfl_up_sync(kWholeWarp, row, step);
            if (step <= near)
                row += other;
        }
        if (reach > lane)
            row += up.sum;
        const Acc other = __shfl_up_sync(kWholeWarp, row, 1);
        up.total[j] = part.head + (lane ? other : up.sum);
        up.sum = __shfl_sync(kWholeWarp, row, 31);
        up.ended = up.ended || ends_here;
        up.ends[j] = ends_here && p.index < s.lines ? p.index : -1;
        up.far[j] = back > j * 32 + lane;
    }
}

/* Writes the lines' sums, in vectors where y is aligned. */
template <class T>
__device__ __forceinline__ void store_sums(const acc_t<T> *line_sums, T *y,
                                           int lines)
{
    constexpr int kWide = kVec<T>;
    const int whole = (uintptr_t)y % 16 ? 0 : lines - lines % kWide;
    for (int k = threadIdx.x * kWide; k < whole; k += blockDim.x * kWide) {
        acc_t<T> v[kWide];
#pragma unroll
        for (int i = 0; i < kWide; ++i)
            v[i] = line_sums[k + i];
        __stcs((uint4 *)(y + k), to_words<T>(v));
    }
    for (int k = whole + threadIdx.x; k < lines; k += blockDim.x)
        y[k] = from_acc<T>(line_sums[k]);
}

/* Blocks an SM; 0: as the compiler likes, which of short doubles would spill
 * for one block more. */
template <class T, int Threads, bool Short>
constexpr int kBlocks = Short && sizeof(T) == 8 ? 1024 / Threads : 0;

/* Short: a vector may touch more than two lines. */
template <class T, int Threads, int Vecs, bool Short>
static __global__ void __launch_bounds__(Threads, kBlocks<T, Threads, Short>)
    packed_lines_registers(const T *__restrict__ in, T *__restrict__ out,
                           const struct window w)
{
    using Acc = acc_t<T>;
    constexpr int kWide = kVec<T>;
    extern __shared__ __align__(16) char memory[];
    Acc *line_sums = (Acc *)memory;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * 32 * kWide + lane * kWide;

    for (int64_t n = blockIdx.x; n < w.windows; n += gridDim.x) {
        const int64_t line = n * w.many, begin = line * w.axis;
        const int lines =
            w.lines - line < w.many ? (int)(w.lines - line) : w.many;
        const int low = (int)((begin + w.lead) % kWide);
        const view<T> s = { in + begin - low, begin, low, low + lines * w.axis,
                            lines };

        /* load */
        uint4 r[Vecs];
        load_vectors_of(w, s, at, r);

        /* upsweep */
        upswept<Acc, Vecs> up;
        up.sum = 0;
        up.ended = false;
        sweep_lines<Short>(w, s, at, r, up, line_sums);

        /* spine, downsweep */
        const Acc carry =
            carry_in(up.sum, __any_sync(kWholeWarp, up.ended) != 0);
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            if (up.ends[j] >= 0)
                line_sums[up.ends[j]] =
                    up.total[j] + (up.far[j] ? carry : Acc(0));
        __syncthreads();

        /* store */
        store_sums(line_sums, out + line, lines);
        if (n + gridDim.x < w.windows)
            __syncthreads(); /* sums may be written again */
    }
}

/* Vectors that a window holds. */
template <int Threads, int Vecs>
constexpr int kHeld = Threads *Vecs;

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        constexpr int kVecs = Items / 4, kWide = kVec<T>;
        constexpr int kVectors = kHeld<Threads, kVecs>;
        const int64_t axis = p->shape.axis;
        if (axis == 0)
            return cudaMemsetAsync(p->out, 0, shape_lines(p->shape) * sizeof(T),
                                   (cudaStream_t)stream);
        struct window w = { .lines = shape_lines(p->shape), .axis = (int)axis };
        w.lead = (int)((uintptr_t)p->in / sizeof(T) % kWide);
        w.inverse = (unsigned)((1ll << 31) / axis + 1);
        w.skip = (int)ceil_div(kWide, axis);
        /* Windows that begin where vectors of in and of out do. */
        int64_t many = (int64_t)kVectors * kWide / axis;
        if (many >= kWide && w.lead == 0)
            many -= many % kWide;
        else
            many = (int64_t)(kVectors - 1) * kWide / axis;
        w.many = (int)(many < w.lines ? many : w.lines);
        w.windows = ceil_div(w.lines, w.many);
        const int64_t elems = w.many * axis;
        const int64_t vectors =
            ceil_div(elems + (w.lead || elems % kWide ? kWide - 1 : 0), kWide);
        const int threads = 32 * (int)ceil_div(vectors, 32 * kVecs);
        const size_t bytes = w.many * sizeof(acc_t<T>);
        auto s = (cudaStream_t)stream;
        const unsigned grid = grid_x(w.windows);
        if (axis < kWide)
            packed_lines_registers<T, Threads, kVecs, true>
                <<<grid, threads, bytes, s>>>((const T *)p->in, (T *)p->out, w);
        else
            packed_lines_registers<T, Threads, kVecs, false>
                <<<grid, threads, bytes, s>>>((const T *)p->in, (T *)p->out, w);
        return cudaGetLastError();
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

/* Most threads, and f32 items of a thread, four a vector. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "packed_lines_registers_b" #threads "_i" #items,               \
        .idea = "a block holds a window of whole short lines",                 \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1024,          \
        .deterministic = true, .refuses = refuses<threads, items>,             \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(reduce__packed_lines_registers) = {
    POINT(128, 32),
    {},
};
