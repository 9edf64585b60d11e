/* SPDX-License-Identifier: MIT
 *
 * Idea     As many lanes to a line as it has vectors, up to a warp, which read
 *          aligned vectors into registers, of several lines before they add.
 *          A group of lanes has every 8th line, or 16th and so on: these begin
 *          at the same place in a vector, so that what is another line's is
 *          masked off by the same words each time. Lines are joined by shuffles
 *          that halve the lines as they halve the lanes.
 * Against  subwarp_per_line: there lines go through shared memory, and every
 *          element is asked whose it is.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines of 32 bytes to about 4 KiB.
 * Source   none.
 * Lesson   Lines are out of step with vectors in only a few ways; a lane that
 *          keeps to one has constant masks.
 */
#include "variants/common/kernel.cuh"

constexpr int kThreads = 256;
constexpr int kMostVectors = 256; /* of a line */
constexpr int kLeastBytes = 32;

/* Lines that a group of lanes has in flight, of so many loads each. */
template <int Loads>
constexpr int kAbreast = Loads == 1   ? 8
                         : Loads == 2 ? 4
                         : Loads <= 4 ? 2
                                      : 1;

/* Lines [first, last) are of whole vectors; others, at the tensor's ends, are
 * read element by element. */
struct line_layout {
    int64_t lines, first, last, tiles;
    int axis, lead; /* elements from a 16-byte boundary to the tensor's first */
};

/* The lowest `bytes` bytes of a word. */
__device__ __forceinline__ uint32_t low_bytes(int bytes)
{
    return bytes <= 0 ? 0 : bytes >= 4 ? ~0u : (1u << 8 * bytes) - 1;
}

/* Masks the items of a vector that are the line's, if `at` is the place of its
 * first item in the line. */
template <class T>
__device__ __forceinline__ uint4 line_mask(int at, int axis)
{
    const int low = -at * (int)sizeof(T), high = (axis - at) * (int)sizeof(T);
    const auto word = [&](int w) {
        return low_bytes(high - 4 * w) & ~low_bytes(low - 4 * w);
    };
    return { word(0), word(1), word(2), word(3) };
}

/* The loads of a line that may have others' items: its first, and those that
 * its last may be, as lengths of lines have a kernel together. */
template <int Loads>
__device__ __forceinline__ constexpr bool on_edge(int j)
{
    return j == 0 || j >= Loads - (Loads <= 4 ? 2 : 3);
}

template <class T>
__device__ __forceinline__ acc_t<T> vector_sum(const uint4 &x)
{
    acc_t<T> v[kVec<T>];
    to_items<T>(x, v);
#pragma unroll
    for (int half = kVec<T> / 2; half > 0; half /= 2)
#pragma unroll
        for (int k = 0; k < half; ++k)
            v[k] += v[k + half];
    return v[0];
}

/* What a lane has of a line. */
template <class T, int Loads>
__device__ __forceinline__ acc_t<T> masked_sum(const uint4 (&y)[Loads],
                                               const uint4 (&mask)[Loads])
{
    acc_t<T> sum = 0;
#pragma unroll
    for (int j = 0; j < Loads; ++j) {
        uint4 x = y[j];
        if (on_edge<Loads>(j))
            x = { x.x & mask[j].x, x.y & mask[j].y, x.z & mask[j].z,
                  x.w & mask[j].w };
        sum += vector_sum<T>(x);
    }
    return sum;
}

/* The sums of Lines lines over Lanes lanes: each step halves both, until a lane
 * has one line; returned is which. */
template <int Lanes, int Lines, class Acc>
__device__ __forceinline__ int join_lanes(Acc (&sums)[Lines])
{
    const int lane = (int)threadIdx.x % Lanes;
    int line = 0, apart = Lanes / 2;
#pragma unroll
    for (int half = Lines / 2; half > 0; half /= 2, apart /= 2) {
        const bool upper = (lane & apart) != 0;
#pragma unroll
        for (int l = 0; l < half; ++l) {
            const Acc give = upper ? sums[l] : sums[l + half];
            const Acc keep = upper ? sums[l + half] : sums[l];
            sums[l] = keep + __shfl_xor_sync(kWholeWarp, give, apart);
        }
        line += upper ? half : 0;
    }
#pragma unroll
    for (; apart > 0; apart /= 2)
        sums[0] += __shfl_xor_sync(kWholeWarp, sums[0], apart);
    return line;
}

/* A line, element by element, by a warp. */
template <class T>
__device__ __forceinline__ void sum_singly(const T *x, int axis, T *out)
{
    acc_t<T> sum = 0;
#pragma unroll 8
    for (int at = (int)threadIdx.x % 32; at < axis; at += 32)
        sum += to_acc(x[at]);
    sum = warp_reduce<sum_op<acc_t<T>>>(sum);
    if (threadIdx.x % 32 == 0)
        *out = from_acc<T>(sum);
}

template <class T, int Lanes, int Loads>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, 4>)
    subwarp_registers(const T *__restrict__ in, T *__restrict__ out,
                      const struct line_layout l)
{
    constexpr int V = kVec<T>, kLines = kAbreast<Loads>;
    constexpr int kGroups = kThreads / Lanes;
    static_assert(kGroups % V == 0 && kLines <= Lanes);
    const int warp = (int)threadIdx.x / 32;
    const int group = (int)threadIdx.x / Lanes;
    const int lane = (int)threadIdx.x % Lanes;

    /* what is constant */
    const int shift = (l.lead + group * l.axis) % V;
    const int vectors = (shift + l.axis + V - 1) / V;
    uint4 mask[Loads];
#pragma unroll
    for (int j = 0; j < Loads; ++j)
        if (on_edge<Loads>(j))
            mask[j] = line_mask<T>((j * Lanes + lane) * V - shift, l.axis);

    if (blockIdx.x == 0 && warp < 2) {
        const int64_t line = warp == 0 ? 0 : l.lines - 1;
        if (line < l.first || line >= l.last)
            sum_singly(in + line * l.axis, l.axis, out + line);
    }
    for (int64_t tile = blockIdx.x; tile < l.tiles; tile += gridDim.x) {
        /* load */
        const int64_t first = tile * (kGroups * kLines) + group;
        const T *x = in + first * l.axis - shift + lane * V;
        uint4 y[kLines][Loads];
#pragma unroll
        for (int n = 0; n < kLines; ++n) {
            const int64_t line = first + n * kGroups;
            const bool there = line >= l.first && line < l.last;
#pragma unroll
            for (int j = 0; j < Loads; ++j) {
                y[n][j] = {};
                if (there && j * Lanes + lane < vectors)
                    y[n][j] = *(const uint4 *)(x + n * kGroups * l.axis +
                                               j * Lanes * V);
            }
        }

        /* upsweep */
        acc_t<T> sums[kLines];
#pragma unroll
        for (int n = 0; n < kLines; ++n)
            sums[n] = masked_sum<T>(y[n], mask);

        /* store */
        const int64_t line = first + join_lanes<Lanes>(sums) * kGroups;
        if (lane % (Lanes / kLines) == 0 && line >= l.first && line < l.last)
            out[line] = from_acc<T>(sums[0]);
    }
}

/* ------------------------------------------------------------------ host */

template <class T, int Lanes, int Loads>
static int launch_lanes(const struct problem *p, struct line_layout l,
                        cudaStream_t stream)
{
    constexpr int kTile = kThreads / Lanes * kAbreast<Loads>;
    l.tiles = ceil_div(l.lines, kTile);
    subwarp_registers<T, Lanes, Loads>
        <<<grid_x(l.tiles), kThreads, 0, stream>>>((const T *)p->in,
                                                   (T *)p->out, l);
    return cudaGetLastError();
}

/* As few vectors as the lanes can hold. */
template <class T>
static int launch_vectors(const struct problem *p, const struct line_layout &l,
                          int vectors, cudaStream_t s)
{
    return vectors <= 8     ? launch_lanes<T, 8, 1>(p, l, s)
           : vectors <= 16  ? launch_lanes<T, 8, 2>(p, l, s)
           : vectors <= 24  ? launch_lanes<T, 8, 3>(p, l, s)
           : vectors <= 32  ? launch_lanes<T, 16, 2>(p, l, s)
           : vectors <= 48  ? launch_lanes<T, 16, 3>(p, l, s)
           : vectors <= 64  ? launch_lanes<T, 32, 2>(p, l, s)
           : vectors <= 96  ? launch_lanes<T, 32, 3>(p, l, s)
           : vectors <= 128 ? launch_lanes<T, 32, 4>(p, l, s)
           : vectors <= 192 ? launch_lanes<T, 32, 6>(p, l, s)
                            : launch_lanes<T, 32, 8>(p, l, s);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        constexpr int V = kVec<T>;
        const int64_t axis = p->shape.axis, lines = p->shape.outer;
        if (axis == 0)
            return cudaMemsetAsync(p->out, 0, lines * sizeof(T),
                                   (cudaStream_t)stream);
        struct line_layout l = { .lines = lines, .axis = (int)axis };
        l.lead = (int)((uintptr_t)p->in % 16 / sizeof(T));
        l.first = l.lead > 0 ? 1 : 0;
        l.last = lines - ((l.lead + lines * axis) % V ? 1 : 0);
        const int odd = l.lead == 0 && axis % V == 0 ? 0 : V - 1;
        return launch_vectors<T>(p, l, (int)ceil_div(axis + odd, V),
                                 (cudaStream_t)stream);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    const int64_t bytes = dtype_bytes(p->dtype), line = p->shape.axis * bytes;
    if (p->shape.axis > 0 &&
        (line < kLeastBytes || line > (kMostVectors - 1) * 16))
        return "serves lines of 32 to 4080 bytes";
    return NULL;
}

VARIANTS(reduce__subwarp_registers) = {
    {
        .name = "subwarp_registers_b256_i64",
        .idea = "a few lanes to each of many short lines, in registers",
        .runs_on = DEVICE_CUDA,
        .ops = OP_BIT(OP_SUM),
        .dtypes = DTYPES_ALL,
        .passes = 1,
        .error_growth = ERROR_TILED,
        .error_tile = 1024,
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
    },
    {},
};
