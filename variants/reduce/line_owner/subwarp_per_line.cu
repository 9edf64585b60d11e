/* SPDX-License-Identifier: MIT
 *
 * Idea     A block copies whole short lines into shared memory unconverted;
 *          then a few lanes per line, depending on its length, read it, and a
 *          few shuffles combine them. An operator of two passes reads a lane's
 *          vectors into registers once, if they are eight at most. A warp's
 *          groups take lines in the order of the fewest bank conflicts. If
 *          lines are shorter than a vector, or have an even number of halves
 *          and less than three vectors, each thread takes as many as fill whole
 *          vectors.
 * Against  warp_per_line: several lines share a warp, and each block's loads
 *          are whole vectors, wherever its lines begin.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds.
 * Source   none.
 * Lesson   A cost per line is cheaper than every vector's search for its line.
 */
#include "variants/common/launch/empty_lines.cuh"
#include "variants/reduce/line_owner/two_passes.cuh"
#include "variants/reduce/spans/packed_tile.cuh"

constexpr int kMost = 256; /* threads */

/* Tiles of whole lines. */
struct subwarp_tiling {
    int64_t elems, tiles;
    int axis;
    int many, last; /* lines of a tile, and of the last tile */
    int lead;       /* elements from a 16-byte boundary to the first */
    int lanes_log;  /* log2 of the lanes per line */
    int stride; /* lines from a warp's group to its next, modulo its groups */
    int held; /* vectors of a line per lane; 0 if registers do not hold them */
    bool two_ends; /* a line may end in the last of these or the last but one */
    int side;      /* lines per thread, which fill whole vectors; 0: lanes share
                      lines */
};

/* Reduces kVec<T> lines of Axis elements, Axis vectors side by side. */
template <class Op, int Axis, class T = typename Op::element>
__device__ __forceinline__ void sum_tiny(const uint4 *__restrict__ from,
                                         output_of<Op> *out, bool aligned)
{
    constexpr int V = kVec<T>;
    typename Op::acc sums[V];
#pragma unroll
    for (int j = 0; j < Axis; ++j) {
        const auto x = __builtin_bit_cast(vec<T>, from[j]);
#pragma unroll
        for (int k = 0; k < V; ++k) {
            const int e = j * V + k, line = e / Axis, at = e % Axis;
            const auto v = Op::lift(x.item[k], at);
            sums[line] = at ? Op::combine(sums[line], v) : v;
        }
    }
    vec<output_of<Op>, V> y;
#pragma unroll
    for (int k = 0; k < V; ++k)
        y.item[k] = Op::lower(sums[k], Axis);
    if constexpr (kStoresElements<Op>)
        if (aligned) {
            __stcs((uint4 *)out, __builtin_bit_cast(uint4, y));
            return;
        }
#pragma unroll
    for (int k = 0; k < V; ++k)
        out[k] = y.item[k];
}

/* Reduces all groups of kVec<T> lines of a tile. */
template <class Op, int Axis, class T = typename Op::element>
__device__ __forceinline__ void sums_tiny(int axis, const uint4 *tile,
                                          output_of<Op> *out, int groups)
{
    if constexpr (Axis < kVec<T>) {
        if (axis != Axis) {
            sums_tiny<Op, Axis + 1>(axis, tile, out, groups);
            return;
        }
        const bool aligned = (uintptr_t)out % 16 == 0;
        for (int g = threadIdx.x; g < groups; g += blockDim.x)
            sum_tiny<Op, Axis>(tile + g * Axis, out + g * kVec<T>, aligned);
    }
}

/* True if a thread may reduce lines longer than a vector one after the other.
 * Of halves, lanes that share lines spend most instructions on masks. */
template <class Op>
constexpr bool
    kSideBySide = sizeof(typename Op::element) == 2 && kStoresElements<Op> &&
                  !kTwoPasses<Op> && !kAbsorbs<Op> && Op::commutative &&
                  requires(typename Op::element x)
{
    Op::lift(x);
};

/* Combines the first `count` elements of x, From to To, with *sum, and sets
 * *next to the reduction of the others. */
template <class Op, int From, int To, class T = typename Op::element>
__device__ __forceinline__ void split_vector(const vec<T> &x, int count,
                                             typename Op::acc *sum,
                                             typename Op::acc *next)
{
    constexpr int kMiddle = (From + To) / 2;
    if constexpr (From < To) {
        if (count <= kMiddle)
            split_vector<Op, From, kMiddle>(x, count, sum, next);
        else
            split_vector<Op, kMiddle + 1, To>(x, count, sum, next);
    } else {
        *next = Op::identity();
#pragma unroll
        for (int k = 0; k < kVec<T>; ++k) {
            auto *const to = k < From ? sum : next;
            *to = Op::combine(*to, Op::lift(x.item[k]));
        }
    }
}

/* Reduces t.side lines of kVec<T> elements or more, which fill whole vectors
 * side by side. Lines end at the same places in all threads. */
template <class Op, class T = typename Op::element>
__device__ __forceinline__ void sum_side_by_side(const struct subwarp_tiling &t,
                                                 const uint4 *from, T *out)
{
    constexpr int V = kVec<T>;
    typename Op::acc sum = Op::identity();
    const uint4 *const end = from + t.side * t.axis / V;
    for (int left = t.axis; from < end; ++from) {
        const auto x = __builtin_bit_cast(vec<T>, *from);
        typename Op::acc next;
        split_vector<Op, 1, V>(x, min(left, V), &sum, &next);
        left -= V;
        if (left > 0)
            continue;
        *out++ = Op::lower(sum, t.axis);
        sum = next;
        left += t.axis;
    }
}

/* Replaces a lane's elements *from to *to of a line, which ends at *to, by
 * consecutive ones, for an operator that does not commute. `first` is the
 * line's first vector. */
template <int V>
__device__ __forceinline__ void take_consecutive(int first, int lane, int lanes,
                                                 int *from, int *to)
{
    const int touched = (*to + V - 1) / V - first;
    const int each = (touched + lanes - 1) / lanes;
    *from = (first + lane * each) * V;
    *to = min(*to, *from + each * V);
}

/* Bit k: element k of the vector at element e lies in the line, which is
 * elements [start, end). */
template <int V>
__device__ __forceinline__ unsigned items_between(int e, int start, int end)
{
    const int skip = start > e ? start - e : 0;
    const int over = e + V > end ? e + V - end : 0;
    const unsigned all = (1u << V) - 1;
    return all << skip & all >> over;
}

/* Combines sum with those elements of a vector that lie in the line. */
template <class Op, class Acc>
__device__ __forceinline__ Acc add_between(const uint4 &words, int e, int start,
                                           int end, Acc sum)
{
    using T = typename Op::element;
    constexpr int V = kVec<T>;
    if constexpr (kAbsorbs<Op> && Op::commutative)
        return Op::template absorb<V, ADJACENT>(
            sum, padded<Op>(words, e, start, end),
            [=](int k) { return (int64_t)max(e + k - start, 0); });
    const unsigned mine = items_between<V>(e, start, end);
    const auto x = __builtin_bit_cast(vec<T>, words);
#pragma unroll
    for (int k = 0; k < V; ++k) {
        const Acc v = Op::lift(x.item[k], e + k - start);
        if (mine >> k & 1)
            sum = Op::combine(sum, v);
    }
    return sum;
}

/* The number in the block of the line that a thread's group takes: consecutive
 * groups of a warp take lines `stride` apart, to meet different banks. */
__device__ __forceinline__ int group_of(const struct subwarp_tiling &t)
{
    const int groups = 32 >> t.lanes_log; /* per warp */
    const int number = threadIdx.x >> t.lanes_log;
    return (number & -groups) | (number * t.stride & (groups - 1));
}

template <class Op>
__device__ __forceinline__ output_of<Op>
line_of_two_passes(const uint4 *tile, int lane, int start,
                   const struct subwarp_tiling &t)
{
    const int lanes = 1 << t.lanes_log;
    if (t.held)
        return in_registers<Op>(tile, lane, lanes, t.held, t.two_ends, start,
                                t.axis);
    constexpr int V = kVec<typename Op::element>;
    return in_two_passes<Op>(tile, (start / V + lane) * V, lanes, start,
                             start + t.axis, t.axis);
}

template <class Op, bool Side, class T = typename Op::element>
static __global__ void __launch_bounds__(kMost)
    subwarp_per_line(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                     const struct subwarp_tiling t)
{
    TAG(fast);
    using Acc = typename Op::acc;
    constexpr int V = kVec<T>;
    extern __shared__ uint4 tile[];
    const int stride = t.many * t.axis;
    const int lanes = 1 << t.lanes_log;
    const int lane = threadIdx.x & (lanes - 1);
    const int group = group_of(t);

    const int64_t n = blockIdx.x;
    const int64_t begin = n * stride;
    const int many = n + 1 < t.tiles ? t.many : t.last;
    const int low = ((int)begin + t.lead) & (V - 1);
    output_of<Op> *y = out + n * t.many;

    load_packed(in, t.elems, begin, many * t.axis, low, (T *)tile);
    int first = 0; /* line */
    if (t.side) {
        first = many / t.side * t.side;
        if constexpr (Side)
            for (int k = threadIdx.x * t.side; k < first;
                 k += blockDim.x * t.side)
                sum_side_by_side<Op>(t, tile + k * t.axis / V, y + k);
        else
            sums_tiny<Op, 1>(t.axis, tile, y, many / V);
    }

    /* upsweep: a lane's vectors of a line lie `lanes` apart. Past the last
     * line the loop goes on, as whole warps shuffle. */
    for (; first < many; first += blockDim.x >> t.lanes_log) {
        const int line = first + group;
        if constexpr (kTwoPasses<Op>) {
            const auto result = line_of_two_passes<Op>(
                tile, lane, low + min(line, many - 1) * t.axis, t);
            if (lane == 0 && line < many)
                y[line] = result;
            continue;
        }
        const int start = low + line * t.axis;
        const int end = line < many ? start + t.axis : 0;
        int e = (start / V + lane) * V, stop = end;
        if constexpr (!Op::commutative)
            take_consecutive<V>(start / V, lane, lanes, &e, &stop);
        Acc sum = Op::identity();
        for (; e < stop; e += (Op::commutative ? lanes : 1) * V)
            sum = add_between<Op>(tile[e / V], e, start, end, sum);
        sum = join_lanes<Op>(sum, lanes);

        /* store */
        if (lane == 0 && line < many)
            y[line] = Op::lower(sum, t.axis);
    }
}

/* ------------------------------------------------------------------ host */

/* The most vectors that eight lanes of a warp, which shared memory serves
 * together, load from the same banks. */
template <int V>
static int conflict(const struct subwarp_tiling &t)
{
    const int groups = 32 >> t.lanes_log;
    int most = 0;
    for (int eight = 0; eight < 32; eight += 8) {
        int loads[8] = {};
        for (int k = eight; k < eight + 8; ++k) {
            const int line = (k >> t.lanes_log) * t.stride & (groups - 1);
            const int lane = k & ((1 << t.lanes_log) - 1);
            const int n = ++loads[(line * t.axis / V + lane) % 8];
            most = n > most ? n : most;
        }
    }
    return most;
}

/* Sets the stride of the least conflict. */
template <int V>
static void spread_lines(struct subwarp_tiling *t)
{
    int best = 1, least = 8;
    for (t->stride = 1; t->stride < 32 && least > 1; t->stride += 2) {
        const int most = conflict<V>(*t);
        if (most < least) {
            least = most;
            best = t->stride;
        }
    }
    t->stride = best;
}

template <class Op, int Vectors>
static struct subwarp_tiling tiling_of(const struct problem *p, int *threads)
{
    using T = typename Op::element;
    constexpr int V = kVec<T>;
    const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
    struct subwarp_tiling t = { .elems = lines * axis, .axis = (int)axis };
    t.lead = (int)((uintptr_t)p->in / sizeof(T) % V);
    if (t.lead == 0 &&
        (axis < V || (kSideBySide<Op> && axis < 3 * V && axis % 2 == 0)))
        t.side = axis < V ? V : V / min(V, (int)(axis & -axis));
    const bool aligned = t.lead == 0 && axis % V == 0;
    const int64_t touched = ceil_div(axis + (aligned ? 0 : V - 1), V);
    /* A lane has at most six vectors of a line, up to a warp per line: fewer
     * lines side by side meet fewer bank conflicts. From four lanes on there
     * are hardly any, and two passes take as many as registers hold. */
    constexpr int kHeld = kTwoPasses<Op> ? kMostHeld : 6;
    while (t.lanes_log < 5 && touched > (t.lanes_log < 2 ? 6 : kHeld)
                                            << t.lanes_log)
        ++t.lanes_log;
    spread_lines<V>(&t);
    const int64_t held = ceil_div(touched, 1 << t.lanes_log);
    t.held = held > kMostHeld ? 0 : (int)held;
    t.two_ends =
        held == 1 || (touched - 1) >> t.lanes_log << t.lanes_log == touched - 1;
    /* A part is the work of one thread: its vectors of one line, or its lines
     * side by side. A tile has parts for whole warps or blocks. */
    const int64_t parts = t.side ? Vectors * V / (t.side * axis)
                                 : ((int64_t)(Vectors - 1) * V / axis)
                                       << t.lanes_log;
    const int64_t unit = parts >= kMost ? kMost : 32;
    const int64_t whole = parts < unit ? parts : parts / unit * unit;
    const int64_t many = t.side ? whole * t.side : whole >> t.lanes_log;
    t.many = (int)(many < lines ? many : lines);
    t.tiles = ceil_div(lines, t.many);
    t.last = (int)(lines - (t.tiles - 1) * t.many);
    *threads = (int)(whole < kMost ? ceil_div(whole, 32) * 32 : kMost);
    return t;
}

template <int Vectors>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        if constexpr (kServesEmpty)
            if (p->shape.axis == 0)
                return launch_empty_lines<Op>(p, stream);
        int threads;
        const struct subwarp_tiling t = tiling_of<Op, Vectors>(p, &threads);
        auto *kernel = subwarp_per_line<Op, false>;
        if constexpr (kSideBySide<Op>)
            if (t.side && t.axis >= kVec<typename Op::element>)
                kernel = subwarp_per_line<Op, true>;
        return launch_kernel(kernel, t.tiles, threads, 16 * Vectors, stream,
                             p->in, p->out, t);
    });
}

template <int Vectors>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (p->shape.axis == 0 && !kServesEmpty)
        return kHasEmpty;
    const int wide = 16 / (int)dtype_bytes(p->dtype);
    if (p->shape.axis > (Vectors - 1) * wide)
        return "the line does not fit in the tile";
    return NULL;
}

/* k: KiB of a tile. */
#define POINT(kib)                                                             \
    {                                                                          \
        .name = "subwarp_per_line_k" #kib,                                     \
        .idea = "a few lanes for each of many short lines in shared memory",   \
        ON_CUDA(reductions(), 1), ERROR_OF_TILES(1024), .deterministic = true, \
        .refuses = refuses<kib * 64>, .launch = launch<kib * 64>,              \
        .portable_bits = true                                                  \
    }

VARIANTS(reduce__subwarp_per_line) = {
#ifndef OTHER_OPERATORS
    POINT(8),
#endif
    POINT(16),
    {},
};
