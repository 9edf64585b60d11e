/* SPDX-License-Identifier: MIT
 *
 * Idea     A slab, all lines of an outer index, is axis * inner elements side
 *          by side. A block copies whole slabs into shared memory as the bytes
 *          they are, and threads take its elements in turn: as many threads as
 *          whole rows hold, so that a thread stays in its column; of halves, in
 *          two, a word, where every slab begins with one. Where slabs would
 *          meet in the same banks, each begins at another row.
 * Against  subwarp_per_line: the same copy, of lines of any stride; elements
 *          are read singly, so that no thread asks where a line ends.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    a slab that fits in the tile.
 * Source   none.
 * Lesson   Short axes, odd pitches and narrow rows are one case: a span of
 *          memory, added up in shared memory.
 */
#include "variants/reduce/line_owner/packed_tile.cuh"
#include "variants/reduce/split_axis/partials.cuh"

constexpr int kMost = 256; /* threads */

/* Elements side by side that a thread reads and adds up together. */
template <class T, int Wide>
struct few_sums {
    acc_t<T> of[Wide];

    __device__ __forceinline__ few_sums &operator+=(const few_sums &more)
    {
#pragma unroll
        for (int w = 0; w < Wide; ++w)
            of[w] += more.of[w];
        return *this;
    }
    /* Stores them at y, by one access if they are aligned. */
    __device__ __forceinline__ void store(T *y) const
    {
        vec<T, Wide> x;
#pragma unroll
        for (int w = 0; w < Wide; ++w)
            x.item[w] = from_acc<T>(of[w]);
        if ((uintptr_t)y % sizeof x == 0) {
            write_vec(y, x);
            return;
        }
#pragma unroll
        for (int w = 0; w < Wide; ++w)
            y[w] = x.item[w];
    }
};

template <int Wide, class T>
__device__ __forceinline__ few_sums<T, Wide> read_few(const T *x)
{
    const auto y = read_vec<vec<T, Wide>>(x);
    few_sums<T, Wide> sums;
#pragma unroll
    for (int w = 0; w < Wide; ++w)
        sums.of[w] = to_acc(y.item[w]);
    return sums;
}

/* Tiles of whole slabs. A part is what a thread adds up at once: every
 * `rows`-th row of a column of a slab, or of `wide` columns. */
struct tiling {
    int64_t slabs, tiles;
    int axis, inner, slab; /* elements of a slab */
    int many;              /* slabs of a tile */
    int lead;              /* elements from a 16-byte boundary to the first */
    int wide;
    int rows, across;    /* parts of a column, of a slab */
    int least, more;     /* rows of a part; parts that have one more */
    int pitch, room;     /* sums of a row in shared memory, of all rows */
    int inverse;         /* 2^20 / inner, rounded up */
    int steps, rest;     /* slabs and parts to a thread's next part */
    int turn_log, turns; /* the row that slab k begins at: k >> turn_log,
                            & turns */
};

/* Where a thread is among places 0 to across - 1 of slabs. */
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

/* The sums of n elements (words), `step` apart, in short chains; from the
 * `first`-th on and round if Turned. */
template <bool Turned, int Wide, class T>
__device__ __forceinline__ few_sums<T, Wide> part_sum(const T *x, int n,
                                                      int step, int first)
{
    using Acc = few_sums<T, Wide>;
    int at = Turned ? first * step : 0;
    const int end = n * step;
    auto next = [&]() {
        const Acc value = read_few<Wide>(x + at);
        at += step;
        if (Turned && at == end)
            at = 0;
        return value;
    };
    Acc sum = {};
#pragma unroll 1
    for (int k = n >> 3; k > 0; --k) {
        Acc v[8];
#pragma unroll
        for (int j = 0; j < 8; ++j)
            v[j] = next();
        sum += pairwise_sum(v);
    }
    if (n & 4) {
        Acc v[4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            v[j] = next();
        sum += pairwise_sum(v);
    }
    if (n & 2) {
        Acc v = next();
        v += next();
        sum += v;
    }
    if (n & 1)
        sum += next();
    return sum;
}

/* Sums the parts of `slabs` slabs at x; to y if a column is one part. */
template <bool Turned, int Wide, class T>
__device__ __forceinline__ void add_parts(const struct tiling &t, const T *x,
                                          int slabs, acc_t<T> *parts, T *y)
{
    struct place p(t.across);
    for (; p.slab < slabs; p.next(t.across, t.steps, t.rest)) {
        const int at = p.at * Wide;
        const auto sums = part_sum<Turned, Wide>(
            x + p.slab * t.slab + at, t.least + (p.at < t.more ? 1 : 0),
            t.across * Wide, p.slab >> t.turn_log & t.turns);
        if (t.rows == 1) {
            sums.store(y + p.slab * t.inner + at);
            continue;
        }
#pragma unroll
        for (int w = 0; w < Wide; ++w) {
            const int row = (at + w) * t.inverse >> 20;
            parts[row * (t.pitch - t.inner) + p.slab * t.inner + at + w] =
                sums.of[w];
        }
    }
}

/* The same of an axis of Axis rows, if that is what it has: outputs in turn,
 * without a loop over the rows. */
template <int Axis, int Wide, class T>
__device__ __forceinline__ bool add_short(const struct tiling &t, const T *x,
                                          int slabs, T *y)
{
    if (t.axis != Axis)
        return false;
    const struct place p(t.across);
    int at = p.at, from = p.slab * t.slab + p.at * Wide;
    for (int k = threadIdx.x; k < slabs * t.across; k += blockDim.x) {
        few_sums<T, Wide> v[Axis];
#pragma unroll
        for (int j = 0; j < Axis; ++j)
            v[j] = read_few<Wide>(x + from + j * t.inner);
#pragma unroll
        for (int j = 1; j < Axis; ++j)
            v[0] += v[j];
        v[0].store(y + k * Wide);
        at += t.rest;
        from += t.steps * t.slab + t.rest * Wide;
        if (at >= t.across) {
            at -= t.across;
            from += t.slab - t.inner;
        }
    }
    return true;
}

template <class T, bool Turned, int Wide>
static __global__ void __launch_bounds__(kMost)
    packed_slabs(const T *__restrict__ in, T *__restrict__ out,
                 const struct tiling t)
{
    using Acc = acc_t<T>;
    extern __shared__ uint4 memory[];
    Acc *parts = (Acc *)memory;
    T *tile = (T *)(parts + t.room);

    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        const int64_t first = n * t.many, begin = first * t.slab;
        const int slabs =
            t.slabs - first < t.many ? (int)(t.slabs - first) : t.many;
        const int low = ((int)begin + t.lead) & (kVec<T> - 1);
        T *y = out + first * t.inner;

        load_packed(in, t.slabs * t.slab, begin, slabs * t.slab, low, tile);
        const T *x = tile + low;
        if (Turned || !(add_short<2, Wide>(t, x, slabs, y) ||
                        add_short<3, Wide>(t, x, slabs, y) ||
                        add_short<4, Wide>(t, x, slabs, y) ||
                        add_short<5, Wide>(t, x, slabs, y) ||
                        add_short<6, Wide>(t, x, slabs, y) ||
                        add_short<7, Wide>(t, x, slabs, y) ||
                        add_short<8, Wide>(t, x, slabs, y)))
            add_parts<Turned, Wide>(t, x, slabs, parts, y);

        if (t.rows > 1) {
            __syncthreads();
            for (int k = threadIdx.x; k < slabs * t.inner; k += blockDim.x) {
                Acc sum = 0;
#pragma unroll 4
                for (int row = 0; row < t.rows; ++row)
                    sum += parts[row * t.pitch + k];
                y[k] = from_acc<T>(sum);
            }
        }
        if (n + gridDim.x < t.tiles)
            __syncthreads(); /* the tile may be written again */
    }
}

/* ------------------------------------------------------------------ host */

/* The most of 32 threads that read the same bank, each another word. */
static int bank_conflict(const struct tiling &t, int bytes)
{
    int count[32] = {}, last[32], most = 0;
    for (int k = 0; k < 32; ++k) {
        const int word =
            (k / t.across * t.slab + k % t.across * t.wide) * bytes / 4;
        const int bank = word % 32;
        if (count[bank] > 0 && last[bank] == word)
            continue;
        last[bank] = word;
        ++count[bank];
        most = count[bank] > most ? count[bank] : most;
    }
    return most;
}

/* Slabs that lie in the same banks begin at rows of their own. */
static bool turn_slabs(struct tiling *t, int bytes)
{
    if (bank_conflict(*t, bytes) <= 2)
        return false;
    int words = t->slab * bytes / 4;
    for (t->turn_log = 5; t->turn_log > 0 && words % 2 == 0; words /= 2)
        --t->turn_log;
    while (t->turns * 2 + 1 < t->least)
        t->turns = t->turns * 2 + 1;
    return t->turns > 0;
}

/* Cuts columns into `rows` parts, one more where a row of them has to be whole
 * words. False: its reads would meet in the banks. */
static bool cut(struct tiling *t, int wide, int64_t rows, int bytes)
{
    t->wide = wide;
    t->rows = (int)(rows > 1 ? rows : 1);
    if (t->rows * t->inner % wide)
        ++t->rows;
    t->across = t->rows * t->inner / wide;
    t->least = t->axis / t->rows;
    t->more = (t->axis - t->least * t->rows) * t->inner / wide;
    return bank_conflict(*t, bytes) <= 2;
}

/* A part has eight rows or more (five, where there is one part more), and is a
 * word wide where halves lie so that it can be. Few parts are best, as long as
 * the tile has kMost; if their reads would meet, or columns would be too many
 * parts, there are enough for a slab to have 32 sums, and the tile half of
 * kMost parts, or eight of a column. */
template <class T>
static void cut_slabs(struct tiling *t)
{
    constexpr int kMostOdd = 256; /* its pairs of rows have an inverse */
    const bool even = sizeof(T) == 2 && (t->slab | t->lead) % 2 == 0;
    const bool odd = t->inner % 2 != 0;
    const int64_t columns = (int64_t)t->many * t->inner;
    const int64_t most = t->axis / 8, warp = ceil_div(32, t->inner);
    const int wide =
        even && (!odd || (most > 1 && t->inner < kMostOdd)) ? 2 : 1;
    const int64_t least = ceil_div(kMost * wide, columns);
    if (odd && columns >= kMost && cut(t, 1, 1, sizeof(T)))
        return;
    if (least <= most && least <= 8 * wide && cut(t, wide, least, sizeof(T)))
        return;
    int64_t rows = kMost / 2 * wide / columns;
    rows = rows < 8 * wide ? rows : 8 * wide;
    rows = rows > warp ? rows : warp;
    cut(t, wide, rows < most ? rows : most, sizeof(T));
}

/* `bytes` is those of the tile. */
template <class T>
static struct tiling tiling_of(const struct problem *p, int bytes, int *threads)
{
    const int64_t inner = p->shape.inner, axis = p->shape.axis;
    struct tiling t = { .slabs = p->shape.outer,
                        .axis = (int)axis,
                        .inner = (int)inner,
                        .slab = (int)(axis * inner) };
    t.lead = (int)((uintptr_t)p->in / sizeof(T) % kVec<T>);
    const int64_t many = (bytes / (int)sizeof(T) - kVec<T>) / t.slab;
    t.many = (int)(many < t.slabs ? many : t.slabs);
    t.tiles = ceil_div(t.slabs, t.many);
    cut_slabs<T>(&t);
    /* Rows of parts lie side by side in the banks. */
    t.inverse = (1 << 20) / t.inner + 1;
    t.pitch = t.many * t.inner;
    t.pitch += (t.inner - t.pitch) & 31;
    t.room = t.rows > 1 ? (t.rows * t.pitch + 3) / 4 * 4 : 0;
    /* As many threads as have something to do in the last round, too. */
    const int64_t parts = (int64_t)t.many * t.across;
    const int64_t rounds = ceil_div(parts, kMost);
    *threads = (int)ceil_div(ceil_div(parts, rounds), 32) * 32;
    t.steps = *threads / t.across;
    t.rest = *threads % t.across;
    return t;
}

template <int Kib>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto s = (cudaStream_t)stream;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, shape_lines(p->shape) * sizeof(T),
                                   s);
        int threads;
        struct tiling t = tiling_of<T>(p, Kib << 10, &threads);
        const bool turned = turn_slabs(&t, (int)sizeof(T));
        auto kernel =
            turned ? packed_slabs<T, true, 1> : packed_slabs<T, false, 1>;
        if constexpr (sizeof(T) == 2)
            if (t.wide == 2)
                kernel = turned ? packed_slabs<T, true, 2>
                                : packed_slabs<T, false, 2>;
        const int64_t held = t.many * t.slab + 2 * kVec<T>;
        const size_t bytes = t.room * sizeof(acc_t<T>) + held * sizeof(T);
        /* Left to itself, the driver may set aside too little. */
        const int error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
            cudaSharedmemCarveoutMaxShared);
        if (error != cudaSuccess)
            return error;
        kernel<<<grid_x(t.tiles), threads, bytes, s>>>((const T *)p->in,
                                                       (T *)p->out, t);
        return cudaGetLastError();
    });
}

template <int Kib>
static const char *refuses(const struct problem *p)
{
    const int64_t most = (Kib << 10) / (int64_t)dtype_bytes(p->dtype) -
                         16 / (int64_t)dtype_bytes(p->dtype);
    return p->shape.axis > 0 && p->shape.axis * p->shape.inner > most
               ? "a slab (axis times inner) does not fit in the tile; longer "
                 "ones have row_tiles"
               : NULL;
}

#define POINT(kib)                                                             \
    {                                                                          \
        .name = "packed_slabs_k" #kib,                                         \
        .idea = "a block holds whole slabs, whatever their rows",              \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1024,          \
        .deterministic = true, .refuses = refuses<kib>, .launch = launch<kib>  \
    }

VARIANTS(reduce__packed_slabs) = {
    POINT(16),
    POINT(32),
    {},
};
