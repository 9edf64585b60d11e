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
 * Lesson   Short lines are one long array to the memory; where they end is
 *          arithmetic.
 */
#include "variants/common/l2_hints.cuh"

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

/* Short: a vector may touch more than two lines. */
template <class T, int Threads, int Vecs, bool Short>
static __global__ void __launch_bounds__(Threads)
    packed_lines_registers(const T *__restrict__ in, T *__restrict__ out,
                           const struct window w)
{
    using Acc = acc_t<T>;
    constexpr int kWide = kVec<T>;
    constexpr int kStep = 32 * kWide;
    extern __shared__ __align__(16) char memory[];
    Acc *line_sums = (Acc *)memory;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * kStep + lane * kWide;

    for (int64_t n = blockIdx.x; n < w.windows; n += gridDim.x) {
        const int64_t line = n * w.many, begin = line * w.axis;
        const int many =
            w.lines - line < w.many ? (int)(w.lines - line) : w.many;
        const int low = (int)((begin + w.lead) % kWide);
        const int high = low + many * w.axis;
        const T *x = in + begin - low;

        /* load; a vector that sticks out of the tensor in single elements */
        uint4 r[Vecs];
        const int from = begin < low ? low : 0;
        const int64_t rest = w.lines * w.axis - begin + low;
        const int to = rest < high + kWide ? (int)rest : high + kWide;
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            const int e = at + j * kStep;
            r[j] = {};
            if (e < high && e >= from && e + kWide <= to)
                r[j] = *(const uint4 *)(x + e);
        }
        if (from > 0 && threadIdx.x == 0)
            r[0] = load_between<T>(x, 0, from, to);
        const int last = to - to % kWide; /* whole, if before `to` */
        if (last < high && last >= from && last < to && last >= at &&
            last < at + Vecs * kStep && (last - at) % kStep == 0) {
            const uint4 part = load_between<T>(x, last, 0, to);
#pragma unroll
            for (int j = 0; j < Vecs; ++j)
                if (at + j * kStep == last)
                    r[j] = part;
        }

        /* upsweep: in total[j] the sum of the line that ends first in vector
         * j, as far as the warp has it; it is line ends[j], or none (-1), and
         * far[j] tells whether it reaches further back */
        Acc total[Vecs], sum = 0;
        int ends[Vecs];
        bool ended = false, far[Vecs];
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            Acc v[kWide];
            to_items<T>(r[j], v);
            const unsigned place =
                (unsigned)(at + j * kStep - low + w.skip * w.axis);
            const int which = (int)__umulhi(2 * place, w.inverse);
            const int past = (int)place - which * w.axis;
            const int end = w.axis - 1 - past; /* the first line's last */
            int index = which - w.skip;
            Acc row = 0, head = 0;
            if constexpr (Short) {
                int next = end;
#pragma unroll
                for (int k = 0; k < kWide; ++k) {
                    row += v[k];
                    if (k != next)
                        continue;
                    if (k == end)
                        head = row;
                    else if (index >= 0 && index < many)
                        line_sums[index] = row;
                    row = 0;
                    next += w.axis;
                    ++index;
                }
                index = which - w.skip;
            } else {
#pragma unroll
                for (int k = 0; k < kWide; ++k) {
                    if (k <= end)
                        head += v[k];
                    else
                        row += v[k];
                }
            }
            const bool ends_here = end < kWide;
            if (!ends_here)
                row = head;
            const int back = (past + kWide) / kWide;
            const int reach = ends_here ? 0 : back;
            const int near = reach < lane ? reach : lane;
#pragma unroll
            for (int step = 1; step < 32; step *= 2) {
                const Acc other = __shfl_up_sync(kWholeWarp, row, step);
                if (step <= near)
                    row += other;
            }
            if (reach > lane)
                row += sum;
            const Acc other = __shfl_up_sync(kWholeWarp, row, 1);
            total[j] = head + (lane ? other : sum);
            sum = __shfl_sync(kWholeWarp, row, 31);
            ended = ended || ends_here;
            ends[j] = ends_here && index < many ? index : -1;
            far[j] = back > j * 32 + lane;
        }

        /* spine, downsweep */
        const Acc carry = carry_in(sum, __any_sync(kWholeWarp, ended) != 0);
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            if (ends[j] >= 0)
                line_sums[ends[j]] = total[j] + (far[j] ? carry : Acc(0));
        __syncthreads();

        /* store */
        T *y = out + line;
        const int whole = (uintptr_t)y % 16 ? 0 : many - many % kWide;
        for (int k = threadIdx.x * kWide; k < whole; k += blockDim.x * kWide) {
            vec<T> z;
            uint4 words;
#pragma unroll
            for (int i = 0; i < kWide; ++i)
                z.item[i] = from_acc<T>(line_sums[k + i]);
            memcpy(&words, &z, sizeof z);
            __stcs((uint4 *)(y + k), words);
        }
        for (int k = whole + threadIdx.x; k < many; k += blockDim.x)
            y[k] = from_acc<T>(line_sums[k]);
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

VARIANTS(sum__packed_lines_registers) = {
    POINT(128, 32),
    {},
};
