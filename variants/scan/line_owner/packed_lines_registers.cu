/* SPDX-License-Identifier: MIT
 *
 * Idea     A block holds a window of memory in registers: one line, or as many
 *          whole short lines as fit. Its vectors lie on 16-byte boundaries
 *          wherever the lines begin, and it has as many warps as they need. A
 *          vector's place in its line tells whether one starts in it, and its
 *          lane's shuffles stop at the nearest start.
 * Against  block_per_line: one burst of loads and one of stores, with no carry
 *          between tiles, and a line a little longer than a tile costs one
 *          warp more, and short lines leave no lanes idle;
 *          row_tile_lookback: no shared tile, no look-back.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds. 16-byte
 *          accesses if in, out and mask are off their boundaries by the same.
 * Source   none.
 * Lesson   Vectors stay aligned wherever lines begin, if each has its position
 *          in its line.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/line_window.cuh"
#include "variants/common/near.cuh"

struct window : line_window {
    unsigned starts; /* bit k: a line starts at k, if one does at 0 */
    int bias;        /* a multiple of axis, at least a vector */
    int step;        /* 32 vectors, modulo axis */
};

/* Elements in walk order until a line starts, from the vector that begins `at`
 * elements after a line (or, if negative, less than a vector before). */
template <int Vec, bool Reverse>
__device__ __forceinline__ int until_start(const struct window &w, int at)
{
    const unsigned from = (unsigned)(at + w.bias + (Reverse ? Vec : 0));
    const int past = (int)(from - w.lines_in(from) * w.axis);
    return Reverse || past == 0 ? past : w.axis - past;
}

/* By a shuffle "up" or "down". */
#define ADD_EARLIER_FLOAT(direction)                                           \
    asm volatile("{ .reg .pred p; .reg .f32 x;\n"                              \
                 "shfl.sync." direction ".b32 x|p, %0, %1, %2, 0xffffffff;\n"  \
                 "@p add.f32 %0, %0, x; }"                                     \
                 : "+f"(sum)                                                   \
                 : "n"(Far), "r"(first))
#define ADD_EARLIER_DOUBLE(direction)                                          \
    asm volatile("{ .reg .pred p; .reg .b32 l, h; .reg .f64 x;\n"              \
                 "mov.b64 {l, h}, %0;\n"                                       \
                 "shfl.sync." direction ".b32 l|p, l, %1, %2, 0xffffffff;\n"   \
                 "shfl.sync." direction ".b32 h, h, %1, %2, 0xffffffff;\n"     \
                 "mov.b64 x, {l, h};\n"                                        \
                 "@p add.f64 %0, %0, x; }"                                     \
                 : "+d"(sum)                                                   \
                 : "n"(Far), "r"(first))

template <bool Reverse, int Far>
__device__ __forceinline__ void add_earlier(float &sum, int first)
{
    if constexpr (Reverse)
        ADD_EARLIER_FLOAT("down");
    else
        ADD_EARLIER_FLOAT("up");
}

template <bool Reverse, int Far>
__device__ __forceinline__ void add_earlier(double &sum, int first)
{
    if constexpr (Reverse)
        ADD_EARLIER_DOUBLE("down");
    else
        ADD_EARLIER_DOUBLE("up");
}

/* Combines *sum with that of the lane Far before this one in walk order, unless
 * that lies before lane `first`. The shuffle's own predicate selects the
 * lanes, which saves a comparison per step for sums. */
template <class Op, bool Reverse, int Far>
__device__ __forceinline__ void combine_earlier(typename Op::acc &sum,
                                                int first)
{
    if constexpr (is_addition<Op>) {
        add_earlier<Reverse, Far>(sum, first);
    } else {
        const int lane = threadIdx.x % 32;
        const auto earlier = shuffle_earlier<Reverse>(sum, Far);
        if (Reverse ? lane + Far <= first : lane - Far >= first)
            sum = Op::combine(earlier, sum);
    }
}

/* A window in its block: elements [low, high) from x on, which is aligned, and
 * the mask and the output from x on. */
template <class T>
struct view {
    const T *x;
    const uint8_t *m;
    T *y;
    int64_t begin; /* index in the tensor of element `low` */
    int64_t left;  /* elements of the tensor from its beginning on */
    int low, high;
    int count; /* its elements */
};

template <class Op>
__device__ __forceinline__ uint4 keep_between(uint4 words, int low, int high)
{
    using T = typename Op::element;
    vec<T> x;
    memcpy(&x, &words, sizeof x);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (k < low || k >= high)
            x.item[k] = Op::pad();
    memcpy(&words, &x, sizeof x);
    return words;
}

/* The carry-in of a warp, which may be alone in its block: combines the `sum`
 * of the warps before it, from the last `fresh` one on, where a line begins.
 */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc carry_of(typename Op::acc sum,
                                                     bool fresh)
{
    __shared__ typename Op::acc sums[32];
    __shared__ uint8_t is_fresh[32];
    const int warps = blockDim.x / 32, warp = threadIdx.x / 32;
    if (warps == 1)
        return Op::identity();
    const int rank = Reverse ? warps - 1 - warp : warp;
    const int lane = threadIdx.x % 32;
    if (lane == 0) {
        sums[rank] = sum;
        is_fresh[rank] = fresh;
    }
    __syncthreads();
    const bool before = lane < rank;
    const unsigned all = __ballot_sync(kWholeWarp, before && is_fresh[lane]);
    const int from = all ? 31 - __clz((int)all) : 0;
    return warp_reduce<Op>(before && lane >= from ? sums[lane]
                                                  : Op::identity());
}

/* The most threads of a window of several lines: up to two warps more than the
 * vectors that it gathers (see window_of()). */
constexpr int kGathering = 256;

/* Halves, eight to a vector, are bound by instructions: fewer registers allow
 * more warps. */
template <class T, int Vecs, bool Many>
constexpr bool kBusy = is_half<T> &&Vecs == 4 && Many;

template <bool Masked, bool Vectors, class T>
__device__ __forceinline__ view<T> view_of(const struct window &w, int64_t n,
                                           const T *in, const uint8_t *mask,
                                           T *out)
{
    const int64_t begin = n * (w.many * w.axis), left = w.extent - begin;
    const int count = left < w.many * w.axis ? (int)left : w.many * w.axis;
    const int low = Vectors ? ((int)begin + w.lead) & (kVec<T> - 1) : 0;
    return { in + begin - low,
             Masked ? mask + begin - low : NULL,
             out + begin - low,
             begin,
             left,
             low,
             low + count,
             count };
}

/* Loads those of a thread's vectors, the first at `at`, that stick out of the
 * tensor: elements [from, to) from s.x on. `ends`: the tensor ends in the
 * window. */
template <class Op, bool Masked, class T, int Vecs>
__device__ __forceinline__ void load_edges(const view<T> &s, int at, int from,
                                           int to, bool ends, uint4 (&r)[Vecs])
{
    constexpr int V = kVec<T>, kStep = 32 * V;
    if (from > 0 && threadIdx.x == 0)
        r[0] = load_words<Op, Masked>(s.x, s.m, 0, to, from);
    const int last = to - to % V; /* whole, if before `to` */
    if (ends && last < s.high && last >= from && last < to && last >= at &&
        last < at + Vecs * kStep && (last - at) % kStep == 0) {
        const uint4 part = load_words<Op, Masked>(s.x, s.m, last, to, 0);
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            if (at + j * kStep == last)
                r[j] = part;
    }
}

/* Loads a thread's vectors, the first at `at`; one that sticks out of the
 * tensor in single elements. */
template <class Op, bool Masked, class T, int Vecs>
__device__ __forceinline__ void load_vectors_of(const view<T> &s, int at,
                                                uint4 (&r)[Vecs])
{
    constexpr int V = kVec<T>, kStep = 32 * V;
    const int from = s.begin < s.low ? s.low : 0;
    const bool ends = s.left + s.low < s.high + V;
    const int to = ends ? (int)s.left + s.low : s.high + V;
    const int first = from > 0 ? V : 0; /* [first, past): whole */
    const int past = ends && to - V + 1 < s.high ? to - V + 1 : s.high;
    const unsigned span = past > first ? past - first : 0;
    const uint64_t policy = evict_last_policy();
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const int e = at + j * kStep;
        r[j] = pad_words<Op, uint4>();
        if ((unsigned)(e - first) < span)
            r[j] = read_kept((const uint4 *)(s.x + e), policy);
    }
    if constexpr (Masked) {
        mask_word<T> bits[Vecs];
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            const int e = at + j * kStep;
            bits[j] = 0;
            if ((unsigned)(e - first) < span)
                bits[j] = *(const mask_word<T> *)(s.m + e);
        }
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            r[j] = select<Op>(r[j], bits[j]);
    }
    load_edges<Op, Masked>(s, at, from, to, ends, r);
}

/* A thread's results of the upsweep. before[j]: the exclusive prefix of vector
 * j in its warp and line; starts[j]: the elements of vector j that start lines,
 * and bit 31 if its first line starts before the warp; sum: the warp's
 * reduction since the last start; seen: the lanes in which lines start. */
template <class Acc, int Vecs>
struct upswept {
    Acc before[Vecs], sum;
    unsigned starts[Vecs], seen;
};

/* One line: a plain scan of the vectors' sums. */
template <bool Reverse, class Op, int Vecs>
__device__ __forceinline__ void sweep_line(const Op &op, const uint4 (&r)[Vecs],
                                           upswept<typename Op::acc, Vecs> &up)
{
    up.sum = rows_prefix<Op, Reverse>(up.before, [&](int j) {
        const auto x = __builtin_bit_cast(vec<typename Op::element>, r[j]);
        return vec_reduce<Op, Reverse>(x, op);
    });
}

/* A vector's sum since the last start in it, and (`first`: the lane of the
 * nearest start) in the lanes before. */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc
sum_since_start(const uint4 &words, unsigned starts, int first)
{
    using Acc = typename Op::acc;
    constexpr int V = kVec<typename Op::element>;
    Acc row = Op::identity();
    if constexpr (kAbsorbs<Op>) {
        auto x = __builtin_bit_cast(vec<typename Op::element>, words);
#pragma unroll
        for (int k = 0; k < V - 1; ++k)
            if (starts >> (k + 1)) /* another line's */
                x.item[Reverse ? V - 1 - k : k] = Op::pad();
        row = vec_reduce<Op, Reverse>(x);
    } else {
        Acc v[V];
        to_items<Op>(words, v);
#pragma unroll
        for (int k = 0; k < V; ++k) {
            const Acc item = v[Reverse ? V - 1 - k : k];
            row = starts >> k & 1 ? item : Op::combine(row, item);
        }
    }
    combine_earlier<Op, Reverse, 1>(row, first);
    combine_earlier<Op, Reverse, 2>(row, first);
    combine_earlier<Op, Reverse, 4>(row, first);
    combine_earlier<Op, Reverse, 8>(row, first);
    combine_earlier<Op, Reverse, 16>(row, first);
    return row;
}

/* Several lines: a segmented scan. */
template <class T, class Scan, int Vecs>
__device__ __forceinline__ void
sweep_lines(const struct window &w, const view<T> &s, int at, int warp_at,
            const uint4 (&r)[Vecs], upswept<acc_of<Scan, T>, Vecs> &up)
{
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr bool kReverse = Scan::reverse;
    constexpr int V = kVec<T>, kStep = 32 * V;
    const int lane = threadIdx.x % 32, rank = kReverse ? 31 - lane : lane;
    const unsigned earlier = /* lanes, in walk order */
        kReverse ? ~1u << lane : (1u << lane) - 1;
    int next = until_start<V, kReverse>(
        w, at - s.low + (kReverse ? (Vecs - 1) * kStep : 0));
#pragma unroll
    for (int step = 0; step < Vecs; ++step) {
        const int j = kReverse ? Vecs - 1 - step : step;
        up.starts[j] = __funnelshift_lc(0, w.starts, next) & ((1u << V) - 1);
        next -= w.step;
        next = next < 0 ? next + w.axis : next;
        up.before[j] = Op::identity();
        if (warp_at + j * kStep >= s.high)
            continue;
        const unsigned heads = __ballot_sync(kWholeWarp, up.starts[j] != 0);
        const unsigned upto = heads & (earlier | 1u << lane);
        const int first =
            kReverse ? __ffs(upto | 1u << 31) - 1 : 31 - __clz(upto | 1);
        Acc row = sum_since_start<Op, kReverse>(r[j], up.starts[j], first);
        if (upto == 0)
            row = Op::combine(up.sum, row);
        const Acc other = shuffle_earlier<kReverse>(row, 1);
        up.before[j] = rank ? other : up.sum;
        up.sum = shuffle_from(row, kReverse ? 0 : 31);
        if ((heads & earlier | up.seen) == 0)
            up.starts[j] |= 1u << 31;
        up.seen |= heads;
    }
}

/* Replaces a vector's elements by their scan with the carry-in c. */
template <class Scan, class Op, int V>
__device__ __forceinline__ void scan_lines(typename Op::acc (&v)[V],
                                           typename Op::acc c, unsigned starts)
{
    using Acc = typename Op::acc;
#pragma unroll
    for (int k = 0; k < V; ++k) {
        Acc &item = v[Scan::reverse ? V - 1 - k : k];
        const bool start = starts >> k & 1;
        if constexpr (Scan::exclusive && is_half<typename Op::element>) {
            /* One selection per element: predicates are few. */
            const Acc sum = start ? Op::identity() : c;
            c = Op::combine(sum, item);
            item = sum;
            continue;
        }
        const Acc sum = start ? item : Op::combine(c, item);
        item = !Scan::exclusive ? sum : start ? Op::identity() : c;
        c = sum;
    }
}

/* The same for the elements of a vector. No starts if lines are long. */
template <class Scan, bool Many, class Op>
__device__ __forceinline__ uint4 scan_words(const Op &op, const uint4 &words,
                                            typename Op::acc c, unsigned starts)
{
    constexpr int V = kVec<typename Op::element>;
    if constexpr (kAppends<Op> && !Scan::exclusive) {
        auto x = __builtin_bit_cast(vec<typename Op::element>, words);
        const unsigned first = (1u << V) - 1; /* the elements' bits */
        if (Op::template scan<Scan::reverse>(x.item, c,
                                             Many ? starts & first : 0))
            return __builtin_bit_cast(uint4, x);
    }
    typename Op::acc v[V];
    to_items(words, v, op);
    if constexpr (Many)
        scan_lines<Scan, Op>(v, c, starts);
    else
        items_scan<Scan, Op>(v, c);
    return to_words(v, op);
}
/* The same out of line, where it is rare (near.cuh). */
template <class Scan, class Op>
__device__ __noinline__ uint4 rare_scan_words(uint4 words, typename Op::acc c)
{
    return scan_words<Scan, false>(Op(), words, c, 0);
}

/* Stores the scan of a thread's vectors; a vector shared with other lines
 * singly. */
template <class Scan, bool Many, bool Vectors, class Op, class T, int Vecs>
__device__ __forceinline__ void
downsweep(const Op &op, const view<T> &s, int at, int warp_at,
          const uint4 (&r)[Vecs], const upswept<typename Op::acc, Vecs> &up,
          typename Op::acc carry, unsigned zero)
{
    constexpr int V = kVec<T>, kStep = 32 * V;
    const unsigned whole = s.count >= V ? s.count - V + 1 : 0;
#pragma unroll
    for (int j = 0; j < Vecs; ++j) {
        const int e = at + j * kStep;
        if (Many && warp_at + j * kStep >= s.high)
            continue;
        uint4 words = r[j];
        if constexpr (is_half<T>)
            forget(words, zero);
        const bool far = !Many || (int)up.starts[j] < 0;
        const auto c = far ? Op::combine(carry, up.before[j]) : up.before[j];
        if constexpr (kHasNear<Op> && !Many)
            words = rare_scan_words<Scan, Op>(words, c);
        else
            words = scan_words<Scan, Many>(op, words, c, up.starts[j]);
        if (Vectors && (unsigned)(e - s.low) < whole)
            __stcs((uint4 *)(s.y + e), words);
        else if (e < s.high)
            store_words(s.y, e, s.high, words, s.low);
    }
}

/* Many: a window may hold several lines. Without Vectors, single elements. */
template <class T, class Scan, int Vecs, int Most, int Blocks, bool Many,
          bool Vectors>
static __global__ void
__launch_bounds__(kBusy<T, Vecs, Many && Vectors> ? kGathering : Most,
                  kBusy<T, Vecs, Many && Vectors> ? kResident<kGathering, 5>
                                                  : kResident<Most, Blocks>)
    packed_lines_registers(const T *__restrict__ in,
                           const uint8_t *__restrict__ mask,
                           T *__restrict__ out, const struct window w)
{
    TAG(fast, (Vecs == 2 || Vecs == 4) && Blocks > 1 && Vectors);
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    constexpr bool kReverse = Scan::reverse;
    constexpr int V = kVec<T>;
    constexpr int kStep = 32 * V;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int at = warp * Vecs * kStep + lane * V;
    const int warp_at = __shfl_sync(kWholeWarp, warp, 0) * Vecs * kStep;
    const unsigned zero = hidden_zero();

    for (int64_t n = blockIdx.x; n < w.windows; n += gridDim.x) {
        const view<T> s = view_of<Scan::masked, Vectors>(w, n, in, mask, out);

        uint4 r[Vecs];
        const auto load = [&] {
            if constexpr (Vectors)
                load_vectors_of<Op, Scan::masked>(s, at, r);
#pragma unroll
            for (int j = 0; j < Vecs && !Vectors; ++j)
                r[j] = load_words<Op, Scan::masked>(s.x, s.m, at + j * kStep,
                                                    s.high, 0);
            if constexpr (!Many) { /* without other lines' elements */
                if (!kReverse && s.low > 0 && threadIdx.x == 0)
                    r[0] = keep_between<Op>(r[0], s.low, V);
#pragma unroll
                for (int j = 0; j < Vecs; ++j)
                    if (kReverse && at + j * kStep + V > s.high)
                        r[j] =
                            keep_between<Op>(r[j], 0, s.high - at - j * kStep);
            }
        };
        load();

        /* upsweep, spine, downsweep */
        upswept<Acc, Vecs> up;
        up.sum = Op::identity();
        up.seen = 0;
        if constexpr (kHasNear<Op> && !Many) {
            using Near = near_in_place<typename Op::near>;
            upswept<typename Near::acc, Vecs> sums;
            float most;
            const bool near = are_near<Op, Vecs, true>(
                [&](int j) { return __builtin_bit_cast(vec<T>, r[j]); }, &most);
            const Near op = { most };
            if (near) {
#pragma unroll
                for (int j = 0; j < Vecs; ++j)
                    r[j] = keep_lifted(op, r[j]);
                sweep_line<kReverse>(op, r, sums);
                up.sum = Op::joined_if(most, sums.sum);
            } else {
                sweep_line<kReverse>(Op(), r, up);
            }
            const Acc carry = carry_of<Op, kReverse>(up.sum, false);
            if (near && is_near<Op>(carry, most)) {
                downsweep<Scan, Many, Vectors>(op, s, at, warp_at, r, sums,
                                               Op::follower_of(carry, op.most),
                                               zero);
            } else {
                if (near) { /* but for the carry */
                    load();
#pragma unroll
                    for (int j = 0; j < Vecs; ++j)
                        up.before[j] = Op::joined_if(most, sums.before[j]);
                }
                downsweep<Scan, Many, Vectors>(Op(), s, at, warp_at, r, up,
                                               carry, zero);
            }
        } else {
            if constexpr (Many)
                sweep_lines<T, Scan>(w, s, at, warp_at, r, up);
            else
                sweep_line<kReverse>(Op(), r, up);
            const Acc carry = carry_of<Op, kReverse>(up.sum, up.seen != 0);
            downsweep<Scan, Many, Vectors>(Op(), s, at, warp_at, r, up, carry,
                                           zero);
        }
        if (n + gridDim.x < w.windows)
            __syncthreads(); /* the shared sums may be written again */
    }
}

/* ------------------------------------------------------------------ host */

/* A thread's vectors (many doubles are fewer, as their sums take twice the
 * registers), the most threads, blocks per SM, and into how many vectors short
 * lines are gathered (0: one line a window). */
template <int Vecs_, int Most_, int Blocks_, int Gather_>
struct point {
    static constexpr int Most = Most_, Blocks = Blocks_, Gather = Gather_;
    static constexpr int vecs(int bytes)
    {
        return bytes == 8 && Vecs_ > 4 ? Vecs_ * 3 / 4 : Vecs_;
    }
};

/* Vectors that a window of `elems` elements may touch. */
static int64_t vectors_of(int64_t elems, int wide, bool edges)
{
    return ceil_div(elems + (edges ? wide - 1 : 0), wide);
}

template <class T, class Point>
static struct window window_of(const struct problem *p, bool vectors,
                               int *threads)
{
    constexpr int V = kVec<T>, kWarp = 32 * Point::vecs(sizeof(T));
    const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
    struct window w = { line_window_of<T>(p, lines * axis), 1,
                        (int)(ceil_div(V, axis) * axis), (int)(32 * V % axis) };
    if (!vectors)
        w.lead = 0;
    for (int64_t k = axis; k < V; k += axis)
        w.starts |= 1u << k;
    int unit = V; /* lines that make whole vectors */
    while (unit > 1 && unit / 2 * axis % V == 0)
        unit /= 2;
    /* Gather's number of warps, or one more, or fewer: whichever takes the
     * fewest rows of 32 vectors per line. A warp itself costs about a row. */
    constexpr int kWarps = Point::Gather / kWarp;
    static_assert((kWarps + 2) * 32 <= kGathering);
    int64_t least = 0;
    for (int k = 0; k <= kWarps; ++k) {
        const int most =
            (k == 1 ? kWarps + 1 : kWarps - (k ? k - 1 : 0)) * kWarp;
        int64_t many = (int64_t)most * V / axis;
        if (many >= unit && w.lead == 0)
            many = many / unit * unit;
        else
            many = (int64_t)(most - 1) * V / axis;
        many = many > lines ? lines : many > 1 ? many : 1;
        const bool edges = vectors && (w.lead || many * axis % V);
        const int64_t vecs = vectors_of(many * axis, V, edges);
        const int64_t cost = ceil_div(vecs, 32) + ceil_div(vecs, kWarp);
        if (k > 0 && cost * w.many >= least * many)
            continue;
        least = cost;
        w.many = (int)many;
        *threads = 32 * (int)ceil_div(vecs, kWarp);
    }
    w.windows = ceil_div(lines, w.many);
    return w;
}

/* in and out may have their boundaries at different elements: one point's
 * kernels for one operator suffice then. */
template <class Point>
static bool any_boundaries(const struct problem *p)
{
    return Point::Gather > 0 && adds_floats(p);
}

template <class Point>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
        constexpr int kVecs = Point::vecs(sizeof(T)), kMost = Point::Most,
                      kBlocks = Point::Blocks;
        constexpr bool kMany = Point::Gather > 0;
        const bool vectors = same_boundaries(p);
        int threads;
        const struct window w = window_of<T, Point>(p, vectors, &threads);
        auto kernel = !kMany || w.many == 1
                          ? packed_lines_registers<T, Scan, kVecs, kMost,
                                                   kBlocks, false, true>
                          : packed_lines_registers<T, Scan, kVecs, kMost,
                                                   kBlocks, kMany, true>;
        if constexpr (kMany && is_addition<op_of<Scan, T>>)
            if (!vectors)
                kernel = packed_lines_registers<T, Scan, kVecs, kMost, kBlocks,
                                                kMany, false>;
        return launch_kernel(kernel, w.windows, threads, 0, stream, p->in,
                             p->mask, p->out, w);
    });
}

template <class Point>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    const int bytes = (int)dtype_bytes(p->dtype), wide = 16 / bytes;
    if (vectors_of(p->shape.axis, wide, true) >
        (int64_t)Point::Most * Point::vecs(bytes))
        return "the line does not fit in the block's registers";
    if (Point::Gather == 0 && p->shape.axis < 512)
        return "a block to so short a line; narrower points gather lines";
    if (!same_boundaries(p) && !any_boundaries<Point>(p))
        return "in, out and mask have their boundaries at other elements; "
               "decoupled_lookback_blocked serves them";
    return NULL;
}

/* Items as in f32, four a vector. */
#define POINT(items, most, blocks, gather)                                     \
    {                                                                          \
        .name = "packed_lines_registers_i" #items,                             \
        .idea =                                                                \
            "a block holds a window of whole lines, on 16-byte boundaries",    \
        ON_CUDA(scans(), 1), ERROR_OF_TILES(1024), .deterministic = true,      \
        .refuses = refuses<point<items / 4, most, blocks, gather>>,            \
        .launch = launch<point<items / 4, most, blocks, gather>>               \
    }

VARIANTS(scan__packed_lines_registers) = {
    POINT(16, 512, 2, 512),
#ifndef OTHER_OPERATORS
    POINT(72, 512, 1, 0),
#endif
    {},
};
