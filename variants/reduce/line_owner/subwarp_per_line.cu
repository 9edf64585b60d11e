/* SPDX-License-Identifier: MIT
 *
 * Idea     A block copies whole short lines into shared memory as the bytes
 *          they are; then as many lanes take each line as it has work for, and
 *          a few shuffles end it. Of the shortest lines a thread takes as many
 *          as whole vectors hold, and writes a vector of sums.
 * Against  packed_lines_registers: no vector has to know how far back its line
 *          reaches, and lines are joined once each, not in every vector.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; axis at most what the tuning point holds.
 * Source   none.
 * Lesson   A cost per line is cheaper than every vector's search for its line.
 */
#include "variants/common/access/vector.cuh"
#include "variants/reduce/line_owner/packed_tile.cuh"

constexpr int kMost = 256; /* threads */

/* Tiles of whole lines. */
struct tiling {
    int64_t elems, tiles;
    int axis;
    int many, last; /* lines of a tile, of the last one */
    int lead;       /* elements from a 16-byte boundary to the first */
    int lanes_log;  /* of a line */
    bool tiny;      /* lines shorter than a vector, all from a boundary on */
};

/* The sums of kVec<T> lines of Axis elements, Axis vectors side by side. */
template <class T, int Axis>
__device__ __forceinline__ void sum_tiny(const uint4 *__restrict__ from, T *out,
                                         bool aligned)
{
    constexpr int kWide = kVec<T>;
    acc_t<T> sums[kWide];
#pragma unroll
    for (int j = 0; j < Axis; ++j) {
        acc_t<T> v[kWide];
        to_items<T>(from[j], v);
#pragma unroll
        for (int k = 0; k < kWide; ++k) {
            const int e = j * kWide + k;
            sums[e / Axis] = e % Axis ? sums[e / Axis] + v[k] : v[k];
        }
    }
    vec<T> y;
#pragma unroll
    for (int k = 0; k < kWide; ++k)
        y.item[k] = from_acc<T>(sums[k]);
    uint4 words;
    memcpy(&words, &y, sizeof y);
    if (aligned) {
        __stcs((uint4 *)out, words);
    } else {
#pragma unroll
        for (int k = 0; k < kWide; ++k)
            out[k] = y.item[k];
    }
}

/* All groups of kVec<T> lines in a tile. */
template <class T, int Axis>
__device__ __forceinline__ void sums_tiny(int axis, const uint4 *tile, T *out,
                                          int groups)
{
    if constexpr (Axis < kVec<T>) {
        if (axis != Axis) {
            sums_tiny<T, Axis + 1>(axis, tile, out, groups);
            return;
        }
        const bool aligned = (uintptr_t)out % 16 == 0;
        for (int g = threadIdx.x; g < groups; g += blockDim.x)
            sum_tiny<T, Axis>(tile + g * Axis, out + g * kVec<T>, aligned);
    }
}

template <class T>
static __global__ void __launch_bounds__(kMost)
    subwarp_per_line(const T *__restrict__ in, T *__restrict__ out,
                     const struct tiling t)
{
    using Acc = acc_t<T>;
    constexpr int kWide = kVec<T>;
    extern __shared__ uint4 tile[];
    const int stride = t.many * t.axis;

    for (int64_t n = blockIdx.x; n < t.tiles; n += gridDim.x) {
        const int64_t begin = n * stride;
        const int many = n + 1 < t.tiles ? t.many : t.last;
        const int low = ((int)begin + t.lead) & (kWide - 1);
        T *y = out + n * t.many;

        load_packed(in, t.elems, begin, many * t.axis, low, (T *)tile);
        int first = 0; /* line */
        if (t.tiny) {
            sums_tiny<T, 1>(t.axis, tile, y, many / kWide);
            first = many / kWide * kWide;
        }

        /* upsweep: a lane's vectors of a line lie t.lanes apart; all lanes of
         * a warp go round as often */
        const int lanes = 1 << t.lanes_log;
        const int lane = threadIdx.x & (lanes - 1);
        for (; first < many; first += blockDim.x >> t.lanes_log) {
            const int line = first + (threadIdx.x >> t.lanes_log);
            const int start = low + line * t.axis;
            /* 0: of a line that is not there nothing is read either */
            const int end = line < many ? start + t.axis : 0;
            Acc sum = 0;
            for (int e = (start / kWide + lane) * kWide; e < end;
                 e += lanes * kWide) {
                const int skip = start > e ? start - e : 0;
                const int over = e + kWide > end ? e + kWide - end : 0;
                const unsigned all = (1u << kWide) - 1;
                const unsigned mine = all << skip & all >> over;
                Acc v[kWide];
                to_items<T>(tile[e / kWide], v);
#pragma unroll
                for (int k = 0; k < kWide; ++k)
                    if (mine >> k & 1)
                        sum += v[k];
            }
            for (int step = lanes / 2; step > 0; step /= 2)
                sum += __shfl_xor_sync(kWholeWarp, sum, step);

            /* store */
            if (lane == 0 && line < many)
                y[line] = from_acc<T>(sum);
        }
        if (n + gridDim.x < t.tiles)
            __syncthreads(); /* the tile may be written again */
    }
}

/* ------------------------------------------------------------------ host */

template <class T, int Vectors>
static struct tiling tiling_of(const struct problem *p, int *threads)
{
    constexpr int kWide = kVec<T>;
    const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
    struct tiling t = { .elems = lines * axis, .axis = (int)axis };
    t.lead = (int)((uintptr_t)p->in / sizeof(T) % kWide);
    t.tiny = axis < kWide && t.lead == 0;
    /* A lane has at most six vectors of a line, where the warp is enough:
     * fewer lines at once, and fewer banks of shared memory meet. */
    const bool aligned = t.lead == 0 && axis % kWide == 0;
    const int64_t touched = ceil_div(axis + (aligned ? 0 : kWide - 1), kWide);
    while (t.lanes_log < 5 && touched > 6 << t.lanes_log)
        ++t.lanes_log;
    /* Parts of work, whole warps or blocks of them: a lane's vectors, or a
     * thread's lines. Tiny tiles begin on boundaries. */
    const int64_t parts = t.tiny ? Vectors / axis
                                 : ((int64_t)(Vectors - 1) * kWide / axis)
                                       << t.lanes_log;
    const int64_t unit = parts >= kMost ? kMost : 32;
    const int64_t whole = parts < unit ? parts : parts / unit * unit;
    const int64_t many = t.tiny ? whole * kWide : whole >> t.lanes_log;
    t.many = (int)(many < lines ? many : lines);
    t.tiles = ceil_div(lines, t.many);
    t.last = (int)(lines - (t.tiles - 1) * t.many);
    *threads = (int)(whole < kMost ? ceil_div(whole, 32) * 32 : kMost);
    return t;
}

template <int Vectors>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        auto s = (cudaStream_t)stream;
        if (p->shape.axis == 0)
            return cudaMemsetAsync(p->out, 0, shape_lines(p->shape) * sizeof(T),
                                   s);
        int threads;
        const struct tiling t = tiling_of<T, Vectors>(p, &threads);
        subwarp_per_line<T><<<grid_x(t.tiles), threads, 16 * Vectors, s>>>(
            (const T *)p->in, (T *)p->out, t);
        return cudaGetLastError();
    });
}

template <int Vectors>
static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    const int wide = 16 / (int)dtype_bytes(p->dtype);
    if (p->shape.axis > (Vectors - 1) * wide)
        return "the line does not fit in the tile";
    return NULL;
}

/* KiB of a tile. */
#define POINT(kib)                                                             \
    {                                                                          \
        .name = "subwarp_per_line_k" #kib,                                     \
        .idea = "a few lanes to each of many short lines in shared memory",    \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_SUM), .dtypes = DTYPES_ALL,   \
        .passes = 1, .error_growth = ERROR_TILED, .error_tile = 1024,          \
        .deterministic = true, .refuses = refuses<kib * 64>,                   \
        .launch = launch<kib * 64>                                             \
    }

VARIANTS(reduce__subwarp_per_line) = {
    POINT(8),
    POINT(16),
    {},
};
