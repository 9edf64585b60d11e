/* SPDX-License-Identifier: MIT
 *
 * Idea     Rows are read in aligned 16-byte vectors, in which the columns
 *          repeat after a few rows: a period. Eight periods are whole 128-byte
 *          lines, whatever the row's length, so each load of a warp is four
 *          lines that no other warp shares. The price: a thread's place belongs
 *          to other columns in each of the eight periods, so it has eight
 *          vectors of partial results, which are combined at the end, shifted,
 *          in shared memory. Blocks side by side cover a period and have an
 *          equal share of the tensor; a barrier per step keeps a block's warps
 *          on neighbouring addresses.
 * Against  split_axis_atomics: there warps of a row share lines, and fetch them
 *          twice once they have drifted apart.
 * Traffic  N elements, and a few partial results per column (passes = 1).
 * Needs    inner of 2^10 to 2^28. Off 16-byte boundaries, one thread per line
 *          reads it in single elements.
 * Source   none.
 * Lesson   No line of memory is fetched by two warps that are far apart in
 *          time.
 */
#include "variants/reduce/split_axis/axis_split.cuh"

/* Rows are interleaved; results of a strip lie in static shared memory. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE | NEEDS_SMALL_ACC;

constexpr int kThreads = 512;
constexpr int kAddThreads = 256; /* of add_slots */
constexpr int kPeriods = 8;      /* vectors in a line */
/* Places shift by less than a line per period. */
constexpr int kSpill = kPeriods * kPeriods;

/* Accumulators of a strip: its places, and those shifted past its end. */
template <class T>
constexpr int kStripAccs = (kThreads + kSpill) * kVec<T>;

/* The layout of a problem. A step is kPeriods periods, counted from the
 * tensor's start; the second pass reads the rows of steps that two slabs
 * share. */
struct step_layout {
    int64_t rows;   /* of a step */
    int64_t vecs;   /* of a period */
    int64_t pitch;  /* vecs, rounded up to whole lines */
    int64_t steps;  /* of the tensor; 0 if it is not aligned */
    int64_t strips; /* blocks side by side in a period */
    int64_t groups; /* of `strips` blocks: each has its share of steps */
    int64_t outer, axis, inner;
};

/* The group that step k belongs to; the first step of group g is
 * steps * g / groups. */
__device__ __forceinline__ int64_t group_of(const struct step_layout &l,
                                            int64_t k)
{
    return ((k + 1) * l.groups - 1) / l.steps;
}

/* Slab o's whole steps are [first_step(o), last_step(o)). */
__device__ __forceinline__ int64_t first_step(const struct step_layout &l,
                                              int64_t o)
{
    return (o * l.axis + l.rows - 1) / l.rows;
}

__device__ __forceinline__ int64_t last_step(const struct step_layout &l,
                                             int64_t o)
{
    return (o + 1) * l.axis / l.rows;
}

/* Partial results of slab o and a group lie in slot o + group, strip by
 * strip. */
template <class T, class Acc>
__device__ __forceinline__ Acc *slot_of(Acc *partials,
                                        const struct step_layout &l, int64_t o,
                                        int64_t group, int64_t strip)
{
    return partials + ((o + group) * l.strips + strip) * kStripAccs<T>;
}

/* Combines `steps` steps with the sums of the thread's place; x is its vector
 * of the first step, whose first row is `row` of the slab. Full: all places of
 * the strip exist, except perhaps in the last period. */
template <class Op, int Loads, bool Full, class T>
__device__ __forceinline__ void
add_steps(const T *__restrict__ x, int64_t steps, const struct step_layout &l,
          int64_t row, int64_t place, bool mine, bool last,
          typename Op::acc (&sums)[kPeriods][kVec<T>])
{
    for (; steps > 0; --steps, x += l.rows * l.inner, row += l.rows) {
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
                    y[j] = pad_vec<Op>();
                    if (r < kPeriods - 1 ? mine : last)
                        y[j] = *from;
                }
            }
#pragma unroll
            for (int j = 0; j < Loads; ++j)
#pragma unroll
                for (int k = 0; k < kVec<T>; ++k) {
                    const int r = first + j;
                    const int64_t e = (r * l.pitch + place) * kVec<T> + k;
                    sums[r][k] = Op::combine(
                        sums[r][k], Op::lift(y[j].item[k], row + e / l.inner));
                }
            __syncthreads(); /* only keeps the warps together */
        }
    }
}

template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kThreads, 1)
    period_lines(const T *__restrict__ in,
                 typename Op::acc *__restrict__ partials, struct step_layout l)
{
    TAG(fast);
    using Acc = typename Op::acc;
    __shared__ Acc joined[kStripAccs<T>];
    const int64_t strip = blockIdx.x % l.strips, group = blockIdx.x / l.strips;
    const int64_t place = strip * kThreads + threadIdx.x;
    const bool mine = place < l.pitch;
    /* The last period is shorter by what the pitch adds to the others. */
    const bool last = place < kPeriods * l.vecs - (kPeriods - 1) * l.pitch;

    int64_t k = l.steps * group / l.groups;
    const int64_t end = l.steps * (group + 1) / l.groups;
    while (k < end) {
        const int64_t o = k * l.rows / l.axis;
        const int64_t stop = last_step(l, o) < end ? last_step(l, o) : end;
        if (k >= stop) { /* the step ends in the next slab */
            ++k;
            continue;
        }

        /* load */
        Acc sums[kPeriods][kVec<T>];
        set_identity<Op>(sums);
        const T *x = in + k * l.rows * l.inner + place * kVec<T>;
        const int64_t row = k * l.rows - o * l.axis;
        if ((strip + 1) * kThreads <= l.pitch)
            add_steps<Op, kPeriods, true>(x, stop - k, l, row, place, true,
                                          last, sums);
        else
            add_steps<Op, kPeriods, false>(x, stop - k, l, row, place, mine,
                                           last, sums);
        k = stop;

        /* upsweep: each period's places are shifted by what the pitch adds */
        for (int i = threadIdx.x; i < kStripAccs<T>; i += kThreads)
            joined[i] = Op::identity();
#pragma unroll
        for (int r = 0; r < kPeriods; ++r) {
            const int at = threadIdx.x + r * (int)(l.pitch - l.vecs);
            __syncthreads();
#pragma unroll
            for (int i = 0; i < kVec<T>; ++i)
                joined[at * kVec<T> + i] =
                    Op::combine(joined[at * kVec<T> + i], sums[r][i]);
        }
        __syncthreads();

        /* store */
        Acc *slot = slot_of<T>(partials, l, o, group, strip);
        for (int i = threadIdx.x; i < kStripAccs<T>; i += kThreads)
            slot[i] = joined[i];
        __syncthreads(); /* joined may be written again */
    }
}

/* The partial results that a slot has for element e of a period beside those
 * at its own place: shifted there by the strip before, or shifted past the
 * period's end. */
template <class Op, class T = typename Op::element>
__device__ __forceinline__ typename Op::acc
shifted_sum(const typename Op::acc *slot, const struct step_layout &l,
            int64_t e)
{
    const int64_t item = e % kVec<T>;
    typename Op::acc sum = Op::identity();
    const auto add_spilt = [&](int64_t v) {
        if (v >= kThreads && v % kThreads < kSpill)
            sum = Op::combine(sum,
                              slot[(v / kThreads - 1) * kStripAccs<T> +
                                   (v % kThreads + kThreads) * kVec<T> + item]);
    };
    int64_t v = e / kVec<T>;
    add_spilt(v);
    for (v += l.vecs; v < l.pitch + kSpill; v += l.vecs) {
        if (v / kThreads < l.strips)
            sum = Op::combine(sum, slot[v / kThreads * kStripAccs<T> +
                                        v % kThreads * kVec<T> + item]);
        add_spilt(v);
    }
    return sum;
}

/* A slot's result for column i. The loads that every column needs come first,
 * all in flight together. */
template <class Op, class T = typename Op::element>
__device__ __forceinline__ typename Op::acc
slot_sum(const typename Op::acc *slot, const struct step_layout &l, int64_t i)
{
    const int rows = (int)(l.rows / kPeriods); /* of a period */
    typename Op::acc sums[kVec<T>];
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        const unsigned e = (unsigned)(i + k * l.inner); /* (l.vecs fits) */
        const unsigned v = e / kVec<T>;
        sums[k] = k < rows ? slot[(int64_t)(v / kThreads) * kStripAccs<T> +
                                  v % kThreads * kVec<T> + e % kVec<T>]
                           : Op::identity();
    }
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        const int64_t v = (i + k * l.inner) / kVec<T>;
        if (k < rows && (v % kThreads < kSpill || v < 2 * kSpill))
            sums[k] =
                Op::combine(sums[k], shifted_sum<Op>(slot, l, i + k * l.inner));
    }
    return pairwise_sum<Op>(sums);
}

/* Reduces rows [row, end) of a column, in four chains. */
template <class Op, class T>
__device__ __forceinline__ typename Op::acc
add_rows_of(const T *__restrict__ column, int64_t row, int64_t end,
            int64_t inner)
{
    typename Op::acc sums[4];
    set_identity<Op>(sums);
    for (; row + 4 <= end; row += 4)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            sums[j] = Op::combine(sums[j],
                                  Op::lift(column[(row + j) * inner], row + j));
    for (; row < end; ++row)
        sums[0] = Op::combine(sums[0], Op::lift(column[row * inner], row));
    return pairwise_sum<Op>(sums);
}

/* The second pass, one thread per line: combines the line's slots, and the
 * rows that are in no whole step of its slab. */
template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kAddThreads)
    add_slots(const T *__restrict__ in, typename Op::acc *__restrict__ partials,
              T *__restrict__ out, struct step_layout l)
{
    const int64_t lines = l.outer * l.inner;
    for (int64_t line = blockIdx.x * (int64_t)kAddThreads + threadIdx.x;
         line < lines; line += gridDim.x * (int64_t)kAddThreads) {
        const int64_t o = line / l.inner, i = line % l.inner;
        const int64_t first = first_step(l, o), last = last_step(l, o);
        const T *column = in + o * l.axis * l.inner + i;
        typename Op::acc sum;
        if (l.steps == 0 || first >= last) {
            sum = add_rows_of<Op>(column, 0, l.axis, l.inner);
        } else {
            const int64_t head = first * l.rows - o * l.axis;
            const int64_t tail = last * l.rows - o * l.axis;
            sum = Op::combine(add_rows_of<Op>(column, 0, head, l.inner),
                              add_rows_of<Op>(column, tail, l.axis, l.inner));
            for (int64_t g = group_of(l, first); g <= group_of(l, last - 1);
                 ++g)
                sum = Op::combine(
                    sum, slot_sum<Op>(slot_of<T>(partials, l, o, g, 0), l, i));
        }
        out[line] = Op::lower(sum, l.axis);
    }
}

/* ------------------------------------------------------------------ host */

/* The number of groups that leaves the fewest of the GPU's SMs idle over one
 * to four waves; a block fills an SM. */
static int64_t best_groups(int64_t strips, int64_t sms)
{
    int64_t best = 1;
    double best_share = 0;
    for (int64_t waves = 1; waves <= 4; ++waves) {
        const int64_t groups = sms * waves / strips;
        const double used = (double)groups * strips / sms / waves;
        if (groups > 0 && used > best_share + 0.02) {
            best = groups;
            best_share = used;
        }
    }
    return best;
}

static struct step_layout layout_of(const struct problem *p)
{
    const struct shape shape = p->shape;
    const struct row_period period =
        row_period_of(shape.inner, 16 / (int64_t)dtype_bytes(p->dtype));
    struct step_layout l;
    l.outer = shape.outer, l.axis = shape.axis, l.inner = shape.inner;
    l.rows = kPeriods * period.rows;
    l.vecs = period.vecs;
    l.pitch = ceil_div(l.vecs, kPeriods) * kPeriods;
    l.strips = ceil_div(l.pitch, kThreads);
    l.steps = (uintptr_t)p->in % 16 ? 0 : shape.outer * shape.axis / l.rows;
    l.groups = best_groups(l.strips, p->device->sm_count);
    if (l.groups > l.steps) /* each has a step: its slots are read */
        l.groups = l.steps > 0 ? l.steps : 1;
    return l;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        const struct step_layout l = layout_of(p);
        const int error =
            l.steps > 0
                ? launch_kernel(period_lines<Op>, l.strips * l.groups, kThreads,
                                0, stream, p->in, p->workspace, l)
                : 0;
        if (error != cudaSuccess)
            return error;
        return launch_kernel(
            add_slots<Op>, ceil_div(l.outer * l.inner, kAddThreads),
            kAddThreads, 0, stream, p->in, p->workspace, p->out, l);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    const struct step_layout l = layout_of(p);
    const int64_t strip_bytes = (kThreads + kSpill) * 16 /
                                (int64_t)dtype_bytes(p->dtype) * acc_bytes(p);
    return (l.outer + l.groups) * l.strips * strip_bytes;
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner < 1024 || p->shape.inner > 1 << 28)
        return "serves strided lines with an inner extent of 2^10 to 2^28";
    return NULL;
}

VARIANTS(reduce__period_lines) = {
    {
        .name = "period_lines_b512",
        .idea = "whole 128-byte lines over rows of any length",
        .runs_on = DEVICE_CUDA,
        .ops = reductions<kNeeds>(),
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = 8,
        .deterministic = true,
        .refuses = refuses,
        .workspace_bytes = workspace_bytes,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
