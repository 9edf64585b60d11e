/* SPDX-License-Identifier: MIT
 *
 * Idea     A slab, all lines of an outer index, is axis * inner adjacent
 *          elements. A block copies whole slabs into shared memory, byte for
 *          byte, and its threads share out the elements. A part is every k-th
 *          row of a column, or of two columns of halves if every slab begins on
 *          a word; the host takes the k of the fewest estimated cycles. Places
 *          are searched: a part keeps the extreme of eight rows, and reads the
 *          best eight again. If parts of different slabs still conflict in the
 *          banks, sums of floats begin at different rows.
 * Against  subwarp_per_line: the same copy, of lines of any stride; elements
 *          are read singly, so that no thread checks for the end of a line.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    a slab that fits in the tile.
 * Source   none.
 * Lesson   Short axes, odd pitches and narrow rows are one case: a span, summed
 *          in shared memory.
 */
#include "variants/common/access/bulk_copy.cuh"
#include "variants/common/launch/empty_lines.cuh"
#include "variants/reduce/spans/packed_tile.cuh"
#include "variants/reduce/spans/place_search.cuh"

/* The rows of a column are dealt out to its threads. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

constexpr int kMost = 256; /* threads */

/* Op on Width adjacent elements at once. */
template <class Op, int Width>
struct side_by_side {
    using element = vec<typename Op::element, Width>;
    struct acc {
        typename Op::acc of[Width];
    };
    static constexpr bool commutative = Op::commutative;

    static __device__ __forceinline__ acc identity(void)
    {
        acc a;
        set_identity<Op>(a.of);
        return a;
    }
    static __device__ __forceinline__ auto pad(void)
    {
        return pad_words<Op, words_t<element>>();
    }
    /* place(w) is the place of item w along the axis. */
    template <class Place>
    static __device__ __forceinline__ acc lift(const element &x, Place place)
    {
        acc a;
#pragma unroll
        for (int w = 0; w < Width; ++w)
            a.of[w] = Op::lift(x.item[w], place(w));
        return a;
    }
    static constexpr bool searches = kSearches<Op>;
    /* The places among n rows; get(k) is row k. */
    template <class Get, class Place>
    static __device__ __forceinline__ acc search(int n, Get get, Place place)
    {
        acc sum;
        if constexpr (Width == 1)
            sum.of[0] = search_column<Op>(
                n, [&](int k) { return get(k).item[0]; },
                [&](int k) { return place(k, 0); });
        else
            search_pair<Op>(
                sum.of, n,
                [&](int k) { return pair_of(get(k).item[0], get(k).item[1]); },
                place);
        return sum;
    }
    static constexpr bool absorbs = kAbsorbs<Op>;
    /* place(k, w) is that of item w of x[k]. */
    template <int Items, class Place>
    static __device__ __forceinline__ acc absorb(acc sum,
                                                 const element (&x)[Items],
                                                 Place place)
    {
        add_columns<Op, Items>(
            sum.of, [&](int k, int w) { return x[k].item[w]; }, place);
        return sum;
    }
    static __device__ __forceinline__ acc combine(acc earlier, const acc &later)
    {
#pragma unroll
        for (int w = 0; w < Width; ++w)
            earlier.of[w] = Op::combine(earlier.of[w], later.of[w]);
        return earlier;
    }
    static __device__ __forceinline__ auto lower(const acc &a, int64_t count)
    {
        vec<output_of<Op>, Width> x;
#pragma unroll
        for (int w = 0; w < Width; ++w)
            x.item[w] = Op::lower(a.of[w], count);
        return x;
    }
};

/* Stores the results of adjacent columns, with one access if aligned. */
template <class T, int Width>
__device__ __forceinline__ void store_columns(T *y, const vec<T, Width> &x)
{
    if ((uintptr_t)y % sizeof x == 0) {
        write_vec(y, x);
        return;
    }
#pragma unroll
    for (int w = 0; w < Width; ++w)
        y[w] = x.item[w];
}

/* Tiles of whole slabs. A part is one thread's share of a slab: every `rows`-th
 * row of `wide` adjacent columns. */
struct slab_packing {
    int64_t slabs, tiles;
    int axis, inner, slab; /* elements of a slab */
    int many;              /* slabs of a tile */
    int lead; /* elements from a 16-byte boundary to the tensor's first */
    int wide; /* columns of a part */
    int rows, across; /* parts of a column, of a slab */
    int least, more;  /* rows of a part; parts that have one more */
    int pitch, room;  /* results of a row of parts in shared memory, of all */
    int inverse;      /* 2^20 / inner, rounded up; 0 if `rows` is 1 */
    int steps, rest;  /* slabs and parts from a thread's part to its next */
    int stagger_log,
        stagger; /* slab k begins at row (k >> stagger_log) & stagger */
};

/* A thread's part `at` of the slab, of `across` parts. */
struct place {
    int slab, at;

    __device__ __forceinline__ place(int across)
        : slab((int)threadIdx.x / across), at((int)threadIdx.x - slab * across)
    {
    }
    __device__ __forceinline__ void next(int across, int steps, int rest)
    {
        slab += steps;
        at += rest;
        if (at >= across) {
            at -= across;
            ++slab;
        }
    }
};

/* Reduces n vectors of Wide, `step` elements apart, in batches; place(k, w) is
 * the place of item w of vector k along the axis. */
template <class Wide, class T, class Place>
__device__ __forceinline__ typename Wide::acc absorbed(const T *x, int n,
                                                       int step, Place place)
{
    using element = typename Wide::element;
    constexpr int kMany = sizeof(T) == 8 ? 8 : 16; /* in registers */
    auto sum = Wide::identity();
    int k = 0;
    const auto read = [&](int j) {
        return *(const words_t<element> *)(x + (k + j) * step);
    };
    const auto absorb = [&]<int Rows>(std::integral_constant<int, Rows>,
                                      auto words_of) {
        element v[Rows];
#pragma unroll
        for (int j = 0; j < Rows; ++j)
            v[j] = __builtin_bit_cast(element, words_of(j));
        sum =
            Wide::absorb(sum, v, [&](int j, int w) { return place(k + j, w); });
        k += Rows;
    };
    while (k + kMany <= n)
        absorb(std::integral_constant<int, kMany>(), read);
    while (k < n)
        absorb(std::integral_constant<int, 8>(),
               [&](int j) { return k + j < n ? read(j) : Wide::pad(); });
    return sum;
}

/* The same in short chains. If Staggered, begins at vector `first` and wraps
 * around. */
template <bool Staggered, class Wide, class T, class Place>
__device__ __forceinline__ typename Wide::acc
in_short_chains(const T *x, int n, int step, int first, Place place)
{
    using Acc = typename Wide::acc;
    int k = Staggered ? first : 0, at = k * step;
    const int end = n * step;
    auto next = [&]() {
        const Acc value = Wide::lift(read_vec<typename Wide::element>(x + at),
                                     [&](int w) { return place(k, w); });
        at += step;
        ++k;
        if (Staggered && at == end)
            k = at = 0;
        return value;
    };
    Acc sum = Wide::identity();
#pragma unroll 1
    for (int left = n >> 3; left > 0; --left) {
        Acc v[8];
#pragma unroll
        for (int j = 0; j < 8; ++j)
            v[j] = next();
        sum = Wide::combine(sum, pairwise_sum<Wide>(v));
    }
    if (n & 4) {
        Acc v[4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            v[j] = next();
        sum = Wide::combine(sum, pairwise_sum<Wide>(v));
    }
    if (n & 2) {
        const Acc v = next();
        sum = Wide::combine(sum, Wide::combine(v, next()));
    }
    if (n & 1)
        sum = Wide::combine(sum, next());
    return sum;
}

/* Reduces a part: by search, in batches or in short chains. */
template <bool Staggered, class Wide, class T, class Place>
__device__ __forceinline__ typename Wide::acc
part_sum(const T *x, int n, int step, int first, Place place)
{
    if constexpr (Wide::searches)
        return Wide::search(
            n,
            [&](int k) {
                return read_vec<typename Wide::element>(x + k * step);
            },
            place);
    else if constexpr (Wide::absorbs)
        return absorbed<Wide>(x, n, step, place);
    else
        return in_short_chains<Staggered, Wide>(x, n, step, first, place);
}

/* Reduces the parts of `slabs` slabs at x. The results go to y if a column is
 * one part, else to `parts`. */
template <bool Staggered, class Op, int Width, class T>
__device__ __forceinline__ void
add_parts(const struct slab_packing &t, const T *x, int slabs,
          typename Op::acc *parts, output_of<Op> *y)
{
    using Wide = side_by_side<Op, Width>;
    struct place p(t.across);
    for (; p.slab < slabs; p.next(t.across, t.steps, t.rest)) {
        const int at = p.at * Width;
        auto row = [&](int w) { return (at + w) * t.inverse >> 20; };
        const auto sums = part_sum<Staggered, Wide>(
            x + p.slab * t.slab + at, t.least + (p.at < t.more ? 1 : 0),
            t.across * Width, p.slab >> t.stagger_log & t.stagger,
            [&](int k, int w) { return row(w) + k * t.rows; });
        if (t.rows == 1) {
            store_columns(y + p.slab * t.inner + at, Wide::lower(sums, t.axis));
            continue;
        }
#pragma unroll
        for (int w = 0; w < Width; ++w)
            parts[row(w) * (t.pitch - t.inner) + p.slab * t.inner + at + w] =
                sums.of[w];
    }
}

/* As above, for an axis of exactly Axis rows, without a loop over the rows;
 * returns false for other axes. */
template <int Axis, class Op, int Width, class T>
__device__ __forceinline__ bool
add_short(const struct slab_packing &t, const T *x, int slabs, output_of<Op> *y)
{
    using Wide = side_by_side<Op, Width>;
    if (t.axis != Axis)
        return false;
    const struct place p(t.across);
    int at = p.at, from = p.slab * t.slab + p.at * Width;
    for (int k = threadIdx.x; k < slabs * t.across; k += blockDim.x) {
        typename Wide::acc v[Axis];
#pragma unroll
        for (int j = 0; j < Axis; ++j)
            v[j] = Wide::lift(
                read_vec<typename Wide::element>(x + from + j * t.inner),
                [j](int) { return j; });
#pragma unroll
        for (int j = 1; j < Axis; ++j)
            v[0] = Wide::combine(v[0], v[j]);
        store_columns(y + k * Width, Wide::lower(v[0], Axis));
        at += t.rest;
        from += t.steps * t.slab + t.rest * Width;
        if (at >= t.across) {
            at -= t.across;
            from += t.slab - t.inner;
        }
    }
    return true;
}

template <class Op, bool Staggered, int Width, class T = typename Op::element>
static __global__ void __launch_bounds__(kMost)
    packed_slabs(const T *__restrict__ in, output_of<Op> *__restrict__ out,
                 const struct slab_packing t)
{
    TAG(fast);
    using Acc = typename Op::acc;
    extern __shared__ uint4 memory[];
    Acc *parts = (Acc *)memory;
    T *tile = (T *)(parts + t.room);

    const int64_t n = blockIdx.x;
    const int64_t first = n * t.many, begin = first * t.slab;
    const int slabs =
        t.slabs - first < t.many ? (int)(t.slabs - first) : t.many;
    const int low = ((int)begin + t.lead) & (kVec<T> - 1);
    output_of<Op> *y = out + first * t.inner;
    if constexpr (!is_addition<Op>)
        if (t.axis == 0) {
            for (int k = threadIdx.x; k < slabs; k += blockDim.x)
                y[k] = Op::lower(Op::identity(), 0);
            return;
        }

    load_packed(in, t.slabs * t.slab, begin, slabs * t.slab, low, tile);
    const T *x = tile + low;
    if (Staggered || !(add_short<2, Op, Width>(t, x, slabs, y) ||
                       add_short<3, Op, Width>(t, x, slabs, y) ||
                       add_short<4, Op, Width>(t, x, slabs, y) ||
                       add_short<5, Op, Width>(t, x, slabs, y) ||
                       add_short<6, Op, Width>(t, x, slabs, y) ||
                       add_short<7, Op, Width>(t, x, slabs, y) ||
                       add_short<8, Op, Width>(t, x, slabs, y)))
        add_parts<Staggered, Op, Width>(t, x, slabs, parts, y);

    if (t.rows > 1) {
        __syncthreads();
        for (int k = threadIdx.x; k < slabs * t.inner; k += blockDim.x) {
            Acc sum = Op::identity();
#pragma unroll 4
            for (int row = 0; row < t.rows; ++row)
                sum = Op::combine(sum, parts[row * t.pitch + k]);
            y[k] = Op::lower(sum, t.axis);
        }
    }
}

/* ------------------------------------------------------------------ host */

/* Ways of the bank conflict when a warp reads its parts: threads that read
 * different words of the same bank. */
static int bank_conflict(const struct slab_packing &t, int bytes)
{
    int count[32] = {}, last[32], most = 0, slab = 0, at = 0;
    for (int k = 0; k < 32; ++k, at += t.wide) {
        if (at == t.across * t.wide) {
            at = 0;
            slab += t.slab;
        }
        const int word = (slab + at) * bytes / 4, bank = word % 32;
        if (count[bank] > 0 && last[bank] == word)
            continue;
        last[bank] = word;
        ++count[bank];
        most = count[bank] > most ? count[bank] : most;
    }
    return most;
}

/* Staggers the first rows of slabs that share banks. Returns true if that is
 * needed. */
[[maybe_unused]] static bool stagger_slabs(struct slab_packing *t, int bytes)
{
    if (bank_conflict(*t, bytes) <= 2)
        return false;
    int words = t->slab * bytes / 4;
    for (t->stagger_log = 5; t->stagger_log > 0 && words % 2 == 0; words /= 2)
        --t->stagger_log;
    while (t->stagger * 2 + 1 < t->least)
        t->stagger = t->stagger * 2 + 1;
    return t->stagger > 0;
}

constexpr int kLeastEnds = 16;

/* Estimates the cycles that a multiprocessor takes for 32 parts: kLeastEnds or
 * more for their ends, and one per row for each of the `ways` of a bank
 * conflict. Absorbed rows take at least the cycles of their arithmetic. */
template <class Op>
static int cycles_of(const struct slab_packing &t, int ways)
{
    const int longest = t.least + (t.more > 0 ? 1 : 0);
    const int eights = (longest + 7) / 8 * 8;
    if (kSearches<Op>)
        return 30 * t.wide + eights * ways;
    const int ends = kLeastEnds + 8 * (t.wide - 1);
    if (!kAbsorbs<Op>) /* a warp takes the steps of all its parts */
        return ends + ((longest & ~7) | ((longest | t.least) & 7)) * ways;
    const int least = sizeof(typename Op::element) > 1 ? 2 * t.wide : 1;
    return ends + eights * (ways > least ? ways : least);
}

/* Cuts columns into `rows` parts of `wide` columns. Returns false if a slab's
 * row of parts is not whole, if parts have fewer than five rows, or if the
 * inverse would not be exact (from 2^20 on). */
static bool cut(struct slab_packing *t, int rows, int wide)
{
    t->wide = wide;
    t->rows = rows;
    t->across = rows * t->inner / wide;
    t->least = t->axis / rows;
    t->more = (t->axis - t->least * rows) * t->inner / wide;
    return rows * t->inner % wide == 0 &&
           (rows == 1 ||
            (t->least >= 5 && (int64_t)rows * t->inner * t->inner < 1 << 20));
}

/* Cuts columns into the parts that take the fewest cycles. Fewer than kParts
 * parts take as long as kParts. The results of more than one row of parts are
 * at most kRoom accumulators, without the pitch's pads. A part may have two
 * columns if halves are aligned to words. */
template <class Op>
static void cut_slabs(struct slab_packing *t)
{
    constexpr int kParts = 160, kMostRows = 32;
    constexpr int64_t kRoom = (16 << 10) / sizeof(typename Op::acc);
    constexpr int kBytes = sizeof(typename Op::element);
    const int widest = kBytes == 2 && (t->slab | t->lead) % 2 == 0 ? 2 : 1;
    struct slab_packing next = *t;
    const int64_t columns = (int64_t)t->many * t->inner;
    int64_t best = INT64_MAX;
    for (int rows = 1; rows <= kMostRows; ++rows) {
        if (columns * (rows * kLeastEnds + t->axis) / widest >= best)
            break; /* more parts take longer */
        for (int wide = 1; wide <= widest; ++wide) {
            const int64_t many = columns * rows / wide;
            if (!cut(&next, rows, wide) || (rows > 1 && columns * rows > kRoom))
                continue;
            const int64_t parts = many > kParts ? many : kParts;
            if (parts * cycles_of<Op>(next, 1) >= best)
                continue;
            const int64_t cycles =
                parts * cycles_of<Op>(next, bank_conflict(next, kBytes));
            if (cycles < best) {
                best = cycles;
                *t = next;
            }
        }
    }
}

/* The packing of slabs into tiles of `bytes` bytes. */
template <class Op, class T = typename Op::element>
static struct slab_packing tiling_of(const struct problem *p, int bytes,
                                     int *threads)
{
    const int64_t inner = p->shape.inner, axis = p->shape.axis;
    struct slab_packing t = { .slabs = p->shape.outer,
                              .axis = (int)axis,
                              .inner = (int)inner,
                              .slab = (int)(axis * inner) };
    t.lead = (int)((uintptr_t)p->in / sizeof(T) % kVec<T>);
    const int64_t many = (bytes / (int)sizeof(T) - kVec<T>) / t.slab;
    t.many = (int)(many < t.slabs ? many : t.slabs);
    t.tiles = ceil_div(t.slabs, t.many);
    cut_slabs<Op>(&t);
    /* The pitch avoids bank conflicts between rows of parts. */
    t.inverse = t.rows > 1 ? (1 << 20) / t.inner + 1 : 0;
    t.pitch = t.many * t.inner;
    t.pitch += (t.inner - t.pitch) & 31;
    t.room = t.rows > 1 ? (t.rows * t.pitch + 3) / 4 * 4 : 0;
    /* The fewest threads that do not add a round. */
    const int64_t parts = (int64_t)t.many * t.across;
    const int64_t rounds = ceil_div(parts, kMost);
    *threads = (int)ceil_div(ceil_div(parts, rounds), 32) * 32;
    t.steps = *threads / t.across;
    t.rest = *threads % t.across;
    return t;
}

/* Lines without elements: to the kernel, slabs of one line each. */
template <class Op>
static int launch_empty(const struct problem *p, void *stream)
{
    const int64_t lines = shape_lines(p->shape);
    const struct slab_packing t = { .slabs = lines,
                                    .tiles = ceil_div(lines, kMost),
                                    .inner = 1,
                                    .many = kMost };
    if constexpr (is_addition<Op>)
        return launch_empty_lines<Op>(p, stream);
    else
        return launch_kernel(packed_slabs<Op, false, 1>, t.tiles, kMost, 0,
                             stream, p->in, p->out, t);
}

/* The kernel for a packing, which it staggers if needed. Only short chains can
 * begin at another row; of their operators only addition does, as conflicts are
 * rare. */
template <class Op, int Width>
static auto kernel_for(struct slab_packing *t)
{
    if constexpr (is_addition<Op>)
        if (stagger_slabs(t, (int)sizeof(typename Op::element)))
            return packed_slabs<Op, true, Width>;
    return packed_slabs<Op, false, Width>;
}

template <int Kib>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        if (p->shape.axis == 0)
            return launch_empty<Op>(p, stream);
        int threads;
        struct slab_packing t = tiling_of<Op>(p, Kib << 10, &threads);
        auto kernel = packed_slabs<Op, false, 1>;
        if constexpr (is_half<T>)
            kernel =
                t.wide == 2 ? kernel_for<Op, 2>(&t) : kernel_for<Op, 1>(&t);
        else
            kernel = kernel_for<Op, 1>(&t);
        const int64_t held = t.many * t.slab + 2 * kVec<T>;
        const int bytes =
            (int)(t.room * sizeof(typename Op::acc) + held * sizeof(T));
        return bulk_launch(kernel, t.tiles, threads, bytes, stream, p->in,
                           p->out, t);
    });
}

template <int Kib>
static const char *refuses(const struct problem *p)
{
    const int64_t most = ((Kib << 10) - 16) / (int64_t)dtype_bytes(p->dtype);
    return p->shape.axis > 0 && p->shape.axis * p->shape.inner > most
               ? "a slab (axis times inner) does not fit in the tile"
               : NULL;
}

#define POINT(kib)                                                             \
    {                                                                          \
        .name = "packed_slabs_k" #kib,                                         \
        .idea = "a block holds whole slabs, whatever their rows",              \
        ON_CUDA(reductions<kNeeds>(), 1), ERROR_OF_TILES(1024),                \
        .deterministic = true, .refuses = refuses<kib>, .launch = launch<kib>, \
        .portable_bits = true                                                  \
    }

VARIANTS(reduce__packed_slabs) = {
#ifndef OTHER_OPERATORS
    POINT(16),
#endif
    POINT(32),
    {},
};
