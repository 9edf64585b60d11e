/* SPDX-License-Identifier: MIT
 *
 * Idea     A block is 32 threads wide and 8 or more rows deep: every warp reads
 *          a contiguous span, the rows stride the axis, and a tree in shared
 *          memory combines them. A thread has one column, or four of bytes, as
 *          a word. One short kernel, eight or sixteen loads in flight per
 *          thread. Where these blocks are too few for the GPU, they are
 *          narrower, and a cluster of up to 16 divides the axis, whose first
 *          block combines what the others send into its shared memory. Where
 *          columns alone fill the GPU, or the axis has up to 16 rows, a block
 *          is up to 256 threads wide, and needs little of a tree, or none.
 * Against  smem_tree: the block's threads lie along inner first, so that no
 *          fetched sector is wasted; strip_registers, split_axis_atomics: no
 *          second kernel, nothing to clear, a third of the instructions.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner >= 2; columns for many blocks, or SMs idle.
 * Source   none.
 * Lesson   Launches, first instructions and round trips dominate up to a few
 *          megabytes: a kernel that loads its whole share at once beats kernels
 *          that reach the memory's speed.
 */
#include "variants/common/access/column_vectors.cuh"
#include "variants/common/collective/cluster_exchange.cuh"
#include "variants/reduce/split_axis/add_partials.cuh"

constexpr int kColumns = 32; /* threads side by side */
constexpr int kLeastThreads = 8 * kColumns, kMostParts = 16;
/* Columns per thread: those of a 4-byte word of bytes, if shared memory has
 * room for their sums. */
template <class Op>
constexpr int kWide = sizeof(typename Op::element) == 1 &&
                              sizeof(typename Op::acc) <= 8
                          ? 4
                          : 1;
template <class Op>
constexpr int kMostThreads = kWide<Op> > 1 ? 512 : 1024;
/* Blocks per SM that registers allow; 0: as the compiler chooses. */
template <class Op>
constexpr int kBlocks = kWide<Op> > 1 ? 2 : 0;
constexpr int kLoads = 16; /* per thread; half as many where sums are wide */
template <class Op>
constexpr int kItemsOf = sizeof(typename Op::acc) > 8 ? kLoads / 2 : kLoads;

struct block_tiling {
    struct shape shape;
    int64_t strips;
    int columns; /* threads side by side in a block, which cover a strip */
    int parts;   /* blocks of a cluster, each of which takes `each` rows */
    int64_t each;
    bool words; /* every thread's columns are an aligned word */
};

/* Sums that a cluster's blocks send to the first. */
template <class Acc, int V>
struct gathered {
    Acc sums[V * kMostParts * kColumns];
    uint64_t arrived;
};

template <class Acc, int V>
__device__ __forceinline__ void expect_all(const block_tiling &t,
                                           gathered<Acc, V> *all)
{
    bulk_expect(&all->arrived,
                (unsigned)(t.parts * t.columns * V * (int)sizeof(Acc)));
}

template <class Acc, int V>
__device__ __forceinline__ void start_gathering(const block_tiling &t,
                                                gathered<Acc, V> *all)
{
    if (cluster_rank() == 0 && threadIdx.x == 0) {
        bulk_init(&all->arrived, 1);
        expect_all(t, all);
        cluster_barriers_ready();
    }
    cluster_arrive();
}

/* Every thread of the cluster calls it when it has read a tile's sums: those of
 * the next may then be sent. */
template <class Acc, int V>
__device__ __forceinline__ void gather_again(const block_tiling &t,
                                             gathered<Acc, V> *all)
{
    if (cluster_rank() == 0 && threadIdx.x == 0)
        expect_all(t, all);
    cluster_sync();
}

/* Replaces the sums of the first threads of the first block by the whole
 * cluster's; of its tile `round`, from 0. */
template <class Op, int V>
__device__ __forceinline__ void
gather(const block_tiling &t, typename Op::acc (&sums)[V],
       gathered<typename Op::acc, V> *all, int round)
{
    constexpr int kApart = kMostParts * kColumns;
    const int part = (int)cluster_rank(), thread = (int)threadIdx.x;
    if (round == 0)
        cluster_wait(); /* `arrived` is initialised */
    if (thread < t.columns)
#pragma unroll
        for (int k = 0; k < V; ++k)
            send_sum(0, &all->sums[k * kApart + part * t.columns + thread],
                     sums[k], &all->arrived);
    if (part != 0)
        return;
    bulk_wait(&all->arrived, round % 2);
    add_rows<Op, V, kApart>(all->sums, t.parts, t.columns);
    if (thread < t.columns)
#pragma unroll
        for (int k = 0; k < V; ++k)
            sums[k] = all->sums[k * kApart + thread];
}

/* Loads the words of `columns` columns at x + j * step, where exists(j): two
 * aligned words share each. Their other bytes are those behind, and no word is
 * read that has none of the columns. */
template <class Op, int Items, class T, class Exists>
__device__ __forceinline__ void load_across(uint32_t (&v)[Items], const T *x,
                                            int64_t step, int columns,
                                            Exists exists)
{
    const auto lead = [begin = (unsigned)(uintptr_t)x, by = (unsigned)step](
                          int j) { return (begin + j * by) % 4; };
    uint32_t high[Items];
#pragma unroll
    for (int j = 0; j < Items; ++j, x += step) {
        const auto *const word = (const uint32_t *)(x - lead(j));
        v[j] = high[j] = 0;
        if (exists(j))
            v[j] = word[0];
        if (exists(j) && (int)lead(j) + columns > 4)
            high[j] = word[1];
    }
#pragma unroll
    for (int j = 0; j < Items; ++j) {
        const auto both = __funnelshift_r(v[j], high[j], 8 * lead(j));
        v[j] = exists(j) ? both : pad_words<Op, uint32_t>();
    }
}

/* Combines every `by`-th row from `row` to `end` of a thread's columns, x being
 * those of the first. Across: a row's words are not aligned. */
template <class Op, bool Across, int V, class T>
__device__ __forceinline__ void add_share(const T *x, int64_t row, int64_t end,
                                          int by, int64_t inner, int columns,
                                          typename Op::acc (&sums)[V])
{
    constexpr int kItems = kItemsOf<Op> / (Across ? 2 : 1);
    using words = words_t<vec<T, V>>;
    const int64_t step = by * inner; /* elements */
    for (; row < end; row += kItems * by) {
        rows_in_words<vec<T, V>, kItems> v;
        if constexpr (Across) {
            const int near = (int)min(end - row, (int64_t)kItems * by);
            load_across<Op>(v.row, x, step, columns,
                            [=](int j) { return j * by < near; });
            x += kItems * step;
        } else {
#pragma unroll
            for (int j = 0; j < kItems; ++j, x += step)
                v.row[j] = row + j * by < end ? *(const words *)x
                                              : pad_words<Op, words>();
        }
        add_columns<Op, kItems>(sums, v,
                                [=](int j, int) { return row + j * by; });
    }
}

/* The last rows of a thread's columns, from `line` on, whose words could end
 * past the tensor: 0 for most. */
template <class T>
__device__ __forceinline__ int rows_at_end(const block_tiling &t, const T *in,
                                           const T *line, int columns)
{
    const auto &shape = t.shape;
    const T *const end = in + shape.outer * shape.axis * shape.inner;
    const T *const last = line + (shape.axis - 1) * shape.inner + columns - 1;
    if (((uintptr_t)last | 3) < (uintptr_t)end)
        return 0;
    return (int)min(shape.axis, (int64_t)(shape.inner < 3 ? 2 : 1));
}

/* A thread's rows: every `step`-th from `begin` to `end`. */
struct thread_rows {
    int64_t begin, end;
    int step;
    bool last; /* the thread takes the rows of rows_at_end() */
};

/* Rows of thread `row` of `rows` in part `part` of the axis. */
template <class Op>
__device__ __forceinline__ thread_rows rows_of(const block_tiling &t, int part,
                                               int row, int rows)
{
    const int64_t first = part * t.each; /* this block's first row */
    const auto share =
        share_of<Op>(min(t.shape.axis - first, t.each), row, rows);
    return { first + share.begin, first + share.end, share.step,
             part == t.parts - 1 && row == rows - 1 };
}

/* Combines a thread's rows of `columns` columns, which begin at `line`. */
template <class Op, int V, class T>
__device__ __forceinline__ void
add_columns_of(const block_tiling &t, const thread_rows &mine, const T *in,
               const T *line, int columns, typename Op::acc (&sums)[V])
{
    const int64_t axis = t.shape.axis, inner = t.shape.inner;
    const T *const x = line + mine.begin * inner;
    set_identity<Op>(sums);
    if (columns <= 0)
        return;
    if (V == 1 || t.words) {
        add_share<Op, false>(x, mine.begin, mine.end, mine.step, inner, columns,
                             sums);
    } else if constexpr (V > 1) {
        const int singly = rows_at_end(t, in, line, columns);
        add_share<Op, true>(x, mine.begin, min(mine.end, axis - singly),
                            mine.step, inner, columns, sums);
        for (int64_t row = axis - singly; mine.last && row < axis; ++row) {
#pragma unroll
            for (int k = 0; k < V; ++k)
                if (k < columns)
                    sums[k] = Op::combine(sums[k],
                                          Op::lift(line[row * inner + k], row));
        }
    }
}

/* No 64-bit division, which is a call. */
template <class Op, class T = typename Op::element>
static __global__ void __launch_bounds__(kMostThreads<Op>, kBlocks<Op>)
    block_2d(const T *__restrict__ in, output_of<Op> *__restrict__ out,
             const struct block_tiling t)
{
    using Acc = typename Op::acc;
    constexpr int V = kWide<Op>, kApart = kMostThreads<Op>;
    __shared__ Acc shared[V * kApart];
    const int column = threadIdx.x % t.columns, row = threadIdx.x / t.columns;
    const int rows = (int)blockDim.x / t.columns; /* threads beyond them idle */
    const int part = (int)(blockIdx.x % (unsigned)t.parts);
    const auto mine = rows_of<Op>(t, part, row, rows);
#if HAS_BULK_COPY
    __shared__ gathered<Acc, V> all;
    if (t.parts > 1)
        start_gathering(t, &all);
#endif

    const int64_t tiles = t.shape.outer * t.strips;
    const int64_t apart = gridDim.x / (unsigned)t.parts;
    [[maybe_unused]] int round = 0;
    for (int64_t tile = blockIdx.x / (unsigned)t.parts; tile < tiles;
         tile += apart, ++round) {
        const row_and_column at(tile, t.strips);
        const int64_t i = (at.column * t.columns + column) * V;
        const int columns =
            row < rows ? (int)min(t.shape.inner - i, (int64_t)V) : 0;
        const int64_t result = at.row * t.shape.inner + i;
        const T *const line =
            in + result + at.row * (t.shape.axis - 1) * t.shape.inner;

        /* load */
        Acc sums[V];
        add_columns_of<Op>(t, mine, in, line, columns, sums);

        /* upsweep */
#pragma unroll
        for (int k = 0; k < V; ++k)
            shared[k * kApart + threadIdx.x] = sums[k];
        add_rows<Op, V, kApart>(shared, rows, t.columns);
#pragma unroll
        for (int k = 0; k < V; ++k)
            sums[k] = shared[k * kApart + threadIdx.x];
#if HAS_BULK_COPY
        if (t.parts > 1)
            gather<Op>(t, sums, &all, round);
#endif
        const bool writes = part == 0 && row == 0;
#pragma unroll
        for (int k = 0; k < V; ++k)
            if (writes && k < columns)
                out[result + k] = Op::lower(sums[k], t.shape.axis);
        __syncthreads(); /* all have read before the next tile is loaded */
#if HAS_BULK_COPY
        if (t.parts > 1 && tile + apart < tiles)
            gather_again(t, &all);
#endif
    }
}

/* True if the GPU has threads for `times` as many: clusters leave some idle. */
static bool has_threads(const struct problem *p, int64_t threads, int times)
{
    return times * threads <= (int64_t)p->device->sm_count * 896;
}

/* A longer axis has more rows of threads, whose shorter sums keep the record's
 * error bound. */
constexpr int kLongestAlone = 1024;

/* Threads side by side in a block: a whole block's where these fill the GPU or
 * load the axis at once; else 32; or fewer, down to 64 bytes, where two rounds
 * of loads suffice or clusters cannot fill the GPU. */
template <class Op>
static int columns_of(const struct problem *p)
{
    constexpr int kLeast = 64 / (kWide<Op> * (int)sizeof(typename Op::element));
    const int64_t all = ceil_div(p->shape.inner, kWide<Op>);
    const int64_t words = p->shape.outer * all * p->shape.axis;
    int most = kLeastThreads;
    if (p->shape.axis > kLoads && (p->shape.axis > kLongestAlone ||
                                   has_threads(p, p->shape.outer * all, 1)))
        most = kColumns;
    while (most <= kColumns && most > kLeast && all >= most) {
        const int64_t blocks = p->shape.outer * ceil_div(all, most);
        const bool few =
            has_threads(p, words / (2 * kLoads), 1) ||
            has_threads(p, blocks * kMostParts * kMostThreads<Op>, 1);
        if (!few || kLeastThreads / most * kLoads >= p->shape.axis ||
            !has_threads(p, blocks * kLeastThreads, 2))
            break;
        most /= 2;
    }
    return (int)(all < most ? all : most);
}

/* Doubles *count up to `most` while as many rows do not load the axis at once
 * and the GPU has threads for twice as many. */
static void deepen(const struct problem *p, int *count, int most, int rows,
                   int64_t threads)
{
    while (*count < most && (int64_t)*count * rows * kLoads < p->shape.axis &&
           has_threads(p, *count * threads, 2))
        *count *= 2;
}

template <class Op>
static struct block_tiling tiling_of(const struct problem *p, int *threads)
{
    constexpr int V = kWide<Op>;
    struct block_tiling t = { .shape = p->shape,
                              .columns = columns_of<Op>(p),
                              .parts = 1 };
    t.strips = ceil_div(p->shape.inner, t.columns * V);
    t.words = p->shape.inner % V == 0 && (uintptr_t)p->in % V == 0;
    const int64_t blocks = p->shape.outer * t.strips;
    const int rows = kLeastThreads / t.columns;
    int deeper = 1;
    if (built_for(p, 90))
        deepen(p, &t.parts, cluster_most(p), rows, blocks * kLeastThreads);
    deepen(p, &deeper, kMostThreads<Op> / kLeastThreads, t.parts * rows,
           blocks * t.parts * kLeastThreads);
    t.each = ceil_div(p->shape.axis, t.parts);
    *threads = kLeastThreads * deeper;
    return t;
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        int threads;
        struct block_tiling t = tiling_of<Op>(p, &threads);
        const int64_t blocks = p->shape.outer * t.strips;
        if (!Op::commutative) { /* the parts could outnumber the rows */
            t.parts = 1;
            t.each = p->shape.axis;
        }
        if (t.parts == 1)
            return launch_kernel(block_2d<Op>, blocks, threads, 0, stream,
                                 p->in, p->out, t);
        return cluster_launch(block_2d<Op>, blocks, (unsigned)t.parts, threads,
                              0, stream, (const T *)p->in,
                              (output_of<Op> *)p->out, t);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner < 2)
        return "serves strided lines only (inner >= 2)";
    return too_many_vectors(p, kColumns);
}

/* With more than so many rounds of loads, kernels that cut the axis finer are
 * faster. */
static bool idles(const struct problem *p)
{
    constexpr int kMostRounds = 32;
    return p->device && dispatch_reduce(p, [&]<class Op>(Op) -> int {
               int threads;
               const struct block_tiling t = tiling_of<Op>(p, &threads);
               return t.each > kMostRounds * kLoads * (threads / t.columns);
           });
}

VARIANTS(reduce__block_2d) = {
    {
        .name = "block_2d_i16",
        .idea = "a block of columns by rows, combined in shared memory",
        ON_CUDA(reductions(), 1),
        ERROR_OF_TILES(128),
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .idles = idles,
        .portable_bits = true,
    },
    {},
};
