/* SPDX-License-Identifier: MIT
 *
 * Idea     Eight periods of period_vectors are whole 128-byte lines, whatever
 *          the row's length, so every load of a warp is four lines and shares
 *          none. The price: a thread's place stands for other columns in each
 *          of the eight, so it has eight vectors of sums, which are joined at
 *          the end, shifted, in shared memory. Blocks side by side cover a
 *          period and are given an equal share of the tensor; a barrier a
 *          step keeps a block's warps on neighbouring addresses.
 * Against  period_vectors: there a row's warps share lines, and fetch them
 *          twice once they have drifted apart; and its last wave is thin.
 * Traffic  N elements, and a few sums a column (passes = 1).
 * Needs    inner of 2^10 to 2^28. Off 16-byte boundaries a thread walks a line.
 * Source   none.
 * Lesson   No line of memory is fetched by two warps that are far apart in
 *          time.
 */
#include "variants/reduce/split_axis/partials.cuh"

constexpr int kPeriods = 8; /* vectors in a line */
/* (A place is shifted by less than a line in each period.) */
constexpr int kSpill = kPeriods * kPeriods;

/* How a problem is laid out. A step is kPeriods periods, counted from the
 * tensor's start; steps that two slabs share are left to the second pass. */
struct layout {
    int64_t rows;   /* of a step */
    int64_t vecs;   /* of a period */
    int64_t pitch;  /* vecs, in whole lines */
    int64_t steps;  /* of the tensor */
    int64_t strips; /* blocks side by side in a period */
    int64_t groups; /* of `strips` blocks: each has its share of steps */
    int64_t outer, axis, inner;
};

/* The group that step k belongs to; it starts with step steps * g / groups. */
__device__ __forceinline__ int64_t group_of(const struct layout &l, int64_t k)
{
    return ((k + 1) * l.groups - 1) / l.steps;
}

/* Slab o's whole steps are [first_step(o), last_step(o)). */
__device__ __forceinline__ int64_t first_step(const struct layout &l, int64_t o)
{
    return (o * l.axis + l.rows - 1) / l.rows;
}

__device__ __forceinline__ int64_t last_step(const struct layout &l, int64_t o)
{
    return (o + 1) * l.axis / l.rows;
}

/* Group and slab have a slot of partial sums: that of slab + group. A strip of
 * it is Threads places and what is shifted out of them. */
template <class T, int Threads>
__device__ __forceinline__ acc_t<T> *slot_of(acc_t<T> *partials,
                                             const struct layout &l, int64_t o,
                                             int64_t group, int64_t strip)
{
    return partials +
           ((o + group) * l.strips + strip) * (Threads + kSpill) * kVec<T>;
}

/* Adds `steps` steps from x on to the thread's sums. Full: its place is in
 * every period but perhaps the last. */
template <class T, int Loads, bool Full>
__device__ __forceinline__ void
add_steps(const T *__restrict__ x, int64_t steps, const struct layout &l,
          bool mine, bool last, acc_t<T> (&sums)[kPeriods][kVec<T>])
{
    for (; steps > 0; --steps, x += l.rows * l.inner) {
#pragma unroll
        for (int first = 0; first < kPeriods; first += Loads) {
            vec<T> y[Loads];
#pragma unroll
            for (int j = 0; j < Loads; ++j) {
                const int r = first + j;
                const auto *from = (const vec<T> *)(x + r * l.pitch * kVec<T>);
                if (Full && r < kPeriods - 1) {
                    y[j] = *from;
                } else {
                    y[j] = {};
                    if (r < kPeriods - 1 ? mine : last)
                        y[j] = *from;
                }
            }
#pragma unroll
            for (int j = 0; j < Loads; ++j)
#pragma unroll
                for (int k = 0; k < kVec<T>; ++k)
                    sums[first + j][k] += to_acc(y[j].item[k]);
            __syncthreads(); /* only to stay together */
        }
    }
}

template <class T, int Threads>
static __global__ void __launch_bounds__(Threads, 1)
    period_lines(const T *__restrict__ in, acc_t<T> *__restrict__ partials,
                 struct layout l)
{
    using Acc = acc_t<T>;
    __shared__ Acc joined[(Threads + kSpill) * kVec<T>];
    const int64_t strip = blockIdx.x % l.strips, group = blockIdx.x / l.strips;
    const int64_t place = strip * Threads + threadIdx.x;
    const bool mine = place < l.pitch;
    /* The last period is shorter by what the others' pitch was longer. */
    const bool last = place < kPeriods * l.vecs - (kPeriods - 1) * l.pitch;

    int64_t k = l.steps * group / l.groups;
    const int64_t end = l.steps * (group + 1) / l.groups;
    while (k < end) {
        const int64_t o = k * l.rows / l.axis;
        const int64_t stop = last_step(l, o) < end ? last_step(l, o) : end;
        if (k >= stop) { /* it ends in the next slab */
            ++k;
            continue;
        }

        /* load */
        Acc sums[kPeriods][kVec<T>] = {};
        const T *x = in + k * l.rows * l.inner + place * kVec<T>;
        if ((strip + 1) * Threads <= l.pitch)
            add_steps<T, kPeriods, true>(x, stop - k, l, true, last, sums);
        else
            add_steps<T, kPeriods, false>(x, stop - k, l, mine, last, sums);
        k = stop;

        /* upsweep: each period's places are shifted by what the pitch adds */
        for (int i = threadIdx.x; i < (Threads + kSpill) * kVec<T>;
             i += Threads)
            joined[i] = 0;
#pragma unroll
        for (int r = 0; r < kPeriods; ++r) {
            const int at = threadIdx.x + r * (int)(l.pitch - l.vecs);
            __syncthreads();
#pragma unroll
            for (int i = 0; i < kVec<T>; ++i)
                joined[at * kVec<T> + i] += sums[r][i];
        }
        __syncthreads();

        /* store */
        Acc *slot = slot_of<T, Threads>(partials, l, o, group, strip);
        for (int i = threadIdx.x; i < (Threads + kSpill) * kVec<T>;
             i += Threads)
            slot[i] = joined[i];
        __syncthreads(); /* joined is set to 0 again */
    }
}

/* What a slot has of element e of a period beside its own place: what the
 * strip before shifted there, and those shifted past the period's end. */
template <class T, int Threads>
__device__ __forceinline__ acc_t<T>
shifted_sum(const acc_t<T> *slot, const struct layout &l, int64_t e)
{
    constexpr int kStrip = (Threads + kSpill) * kVec<T>;
    const int64_t item = e % kVec<T>;
    acc_t<T> sum = 0;
    int64_t v = e / kVec<T>;
    if (v >= Threads && v % Threads < kSpill)
        sum += slot[(v / Threads - 1) * kStrip +
                    (v % Threads + Threads) * kVec<T> + item];
    for (v += l.vecs; v < l.pitch + kSpill; v += l.vecs) {
        if (v / Threads < l.strips)
            sum += slot[v / Threads * kStrip + v % Threads * kVec<T> + item];
        if (v >= Threads && v % Threads < kSpill)
            sum += slot[(v / Threads - 1) * kStrip +
                        (v % Threads + Threads) * kVec<T> + item];
    }
    return sum;
}

/* A slot's sum of column i. The loads that every column needs come first, all
 * at once. */
template <class T, int Threads>
__device__ __forceinline__ acc_t<T> slot_sum(const acc_t<T> *slot,
                                             const struct layout &l, int64_t i)
{
    constexpr int kStrip = (Threads + kSpill) * kVec<T>;
    const int rows = (int)(l.rows / kPeriods); /* of a period */
    acc_t<T> sums[kVec<T>];
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        const unsigned e = (unsigned)(i + k * l.inner); /* (l.vecs fits) */
        const unsigned v = e / kVec<T>;
        sums[k] = k < rows ? slot[(int64_t)(v / Threads) * kStrip +
                                  v % Threads * kVec<T> + e % kVec<T>]
                           : acc_t<T>(0);
    }
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        const int64_t v = (i + k * l.inner) / kVec<T>;
        if (k < rows && (v % Threads < kSpill || v < 2 * kSpill))
            sums[k] += shifted_sum<T, Threads>(slot, l, i + k * l.inner);
    }
    return pairwise_sum(sums);
}

/* Rows [row, end) of a column, in four chains. */
template <class T>
__device__ __forceinline__ acc_t<T> add_rows_of(const T *__restrict__ column,
                                                int64_t row, int64_t end,
                                                int64_t inner)
{
    acc_t<T> sums[4] = {};
    for (; row + 4 <= end; row += 4)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            sums[j] += to_acc(column[(row + j) * inner]);
    for (; row < end; ++row)
        sums[0] += to_acc(column[row * inner]);
    return pairwise_sum(sums);
}

/* The second pass: a thread a line adds up its slots, and the rows that are in
 * no whole step of its slab. */
template <class T, int Threads>
static __global__ void __launch_bounds__(256)
    add_slots(const T *__restrict__ in, acc_t<T> *__restrict__ partials,
              T *__restrict__ out, struct layout l)
{
    const int64_t lines = l.outer * l.inner;
    for (int64_t line = blockIdx.x * 256ll + threadIdx.x; line < lines;
         line += gridDim.x * 256ll) {
        const int64_t o = line / l.inner, i = line % l.inner;
        const int64_t first = first_step(l, o), last = last_step(l, o);
        const T *column = in + o * l.axis * l.inner + i;
        acc_t<T> sum = 0;
        if (l.steps == 0 || first >= last) {
            sum = add_rows_of(column, 0, l.axis, l.inner);
        } else {
            sum = add_rows_of(column, 0, first * l.rows - o * l.axis, l.inner) +
                  add_rows_of(column, last * l.rows - o * l.axis, l.axis,
                              l.inner);
            for (int64_t g = group_of(l, first); g <= group_of(l, last - 1);
                 ++g)
                sum += slot_sum<T, Threads>(
                    slot_of<T, Threads>(partials, l, o, g, 0), l, i);
        }
        out[line] = from_acc<T>(sum);
    }
}

/* The groups that keep a GPU with `wave` blocks at once busiest to the end. */
static int64_t best_groups(int64_t strips, int64_t wave)
{
    int64_t best = 1;
    double best_share = 0;
    for (int64_t waves = 1; waves <= 4; ++waves) {
        const int64_t groups = wave * waves / strips;
        const double used = (double)groups * strips / wave / waves;
        if (groups > 0 && used > best_share + 0.02) {
            best = groups;
            best_share = used;
        }
    }
    return best;
}

template <class T, int Threads>
static struct layout layout_of(const struct problem *p)
{
    const struct shape shape = p->shape;
    int64_t common = 1; /* gcd(inner, V): V is a power of two */
    while (common < kVec<T> && shape.inner % (2 * common) == 0)
        common *= 2;
    struct layout l;
    l.outer = shape.outer, l.axis = shape.axis, l.inner = shape.inner;
    l.rows = kPeriods * kVec<T> / common;
    l.vecs = shape.inner / common;
    l.pitch = ceil_div(l.vecs, kPeriods) * kPeriods;
    l.strips = ceil_div(l.pitch, Threads);
    l.steps = (uintptr_t)p->in % 16 ? 0 : shape.outer * shape.axis / l.rows;
    l.groups = best_groups(l.strips, p->device->sm_count);
    if (l.groups > l.steps) /* each has a step: its slots are read */
        l.groups = l.steps > 0 ? l.steps : 1;
    return l;
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        const struct layout l = layout_of<T, Threads>(p);
        auto *partials = (acc_t<T> *)p->workspace;
        auto s = (cudaStream_t)stream;
        if (l.steps > 0)
            period_lines<T, Threads>
                <<<(unsigned)(l.strips * l.groups), Threads, 0, s>>>(
                    (const T *)p->in, partials, l);
        int error = cudaGetLastError();
        if (error)
            return error;
        add_slots<T, Threads>
            <<<grid_x(ceil_div(l.outer * l.inner, 256)), 256, 0, s>>>(
                (const T *)p->in, partials, (T *)p->out, l);
        return cudaGetLastError();
    });
}

template <int Threads>
static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        const struct layout l = layout_of<T, Threads>(p);
        bytes = (l.outer + l.groups) * l.strips * (Threads + kSpill) * kVec<T> *
                sizeof(acc_t<T>);
        return 0;
    });
    return bytes;
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner < 1024 || p->shape.inner > 1 << 28)
        return "serves strided lines with an inner extent of 2^10 to 2^28";
    return NULL;
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "period_lines_b" #threads,                                     \
        .idea = "whole 128-byte lines over rows of any length",                \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 8,             \
        .deterministic = true, .refuses = refuses,                             \
        .workspace_bytes = workspace_bytes<threads>, .launch = launch<threads> \
    }

VARIANTS(reduce__period_lines) = {
    POINT(512),
    {},
};
