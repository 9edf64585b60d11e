/* SPDX-License-Identifier: MIT
 *
 * Idea     As many lanes per line as it has vectors, up to a warp, read aligned
 *          vectors of several lines into registers before they combine any. A
 *          group of lanes takes every 8th line, or 16th and so on: these start
 *          at the same place in a vector, so that constant masks remove other
 *          lines' elements. Shuffles combine several lines at once: each step
 *          halves the lanes of a line and the lines of a lane.
 * Against  subwarp_per_line: there lines go through shared memory, and each
 *          element is tested for its line.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1; lines of 32 bytes to about 4 KiB.
 * Source   none.
 * Lesson   Lines meet vectors in few alignments; a lane that keeps to one has
 *          constant masks.
 */
#include "variants/reduce/line_owner/line_edges.cuh"

/* Vectors of a line are strided across lanes. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE;

constexpr int kThreads = 256;
constexpr int kMostVectors = 256; /* per line */
constexpr int kLeastBytes = 32;

/* Lines that a group of lanes has in flight, if each line takes `Loads` loads
 * per lane. */
template <int Loads>
constexpr int kAbreast = Loads == 1   ? 8
                         : Loads == 2 ? 4
                         : Loads <= 4 ? 2
                                      : 1;

/* Lines [first, last) are read as vectors. The vectors of the others reach
 * beyond the tensor's ends: they are read element by element. */
struct line_layout {
    int64_t lines, first, last;
    int axis, lead; /* elements from a 16-byte boundary to the tensor's first */
};

/* The lowest `bytes` bytes of a word. */
__device__ __forceinline__ uint32_t low_bytes(int bytes)
{
    return bytes <= 0 ? 0 : bytes >= 4 ? ~0u : (1u << 8 * bytes) - 1;
}

/* Masks the items of a vector that belong to the line, where `at` is the place
 * of its first item in the line. */
template <class T>
__device__ __forceinline__ uint4 line_mask(int at, int axis)
{
    const int low = -at * (int)sizeof(T), high = (axis - at) * (int)sizeof(T);
    const auto word = [&](int w) {
        return low_bytes(high - 4 * w) & ~low_bytes(low - 4 * w);
    };
    return { word(0), word(1), word(2), word(3) };
}

/* True for loads that may have other lines' items: the first, and those that
 * may be the last, since lines of different lengths share a kernel. */
template <int Loads>
__device__ __forceinline__ constexpr bool on_edge(int j)
{
    return j == 0 || j >= Loads - (Loads <= 4 ? 2 : 3);
}

/* A vector's items where the mask is set, else pads. */
template <class Op>
__device__ __forceinline__ uint4 keep_bits(const uint4 &x, const uint4 &m)
{
    if constexpr (Op::identity_is_zero_bits)
        return { x.x & m.x, x.y & m.y, x.z & m.z, x.w & m.w };
    const auto pad = pad_words<Op, uint4>();
    return { (x.x & m.x) | (pad.x & ~m.x), (x.y & m.y) | (pad.y & ~m.y),
             (x.z & m.z) | (pad.z & ~m.z), (x.w & m.w) | (pad.w & ~m.w) };
}

/* A lane's share of a line, from place `at` of it on. */
template <class Op, int Lanes, int Loads>
__device__ __forceinline__ typename Op::acc
masked_sum(const uint4 (&y)[Loads], const uint4 (&mask)[Loads], int at)
{
    constexpr int kStride = Lanes * kVec<typename Op::element>;
    typename Op::acc sum = Op::identity();
#pragma unroll
    for (int j = 0; j < Loads; ++j) {
        uint4 x = y[j];
        if (on_edge<Loads>(j))
            x = keep_bits<Op>(x, mask[j]);
        sum = add_vector<Op>(sum, x, at + j * kStride);
    }
    return sum;
}

/* Combines Lines lines over Lanes lanes. Each step halves both, until a lane
 * has one line, in sums[0]; returns which. */
template <class Op, int Lanes, int Lines>
__device__ __forceinline__ int join_lanes(typename Op::acc (&sums)[Lines])
{
    using Acc = typename Op::acc;
    const int lane = (int)threadIdx.x % Lanes;
    int line = 0, apart = Lanes / 2;
#pragma unroll
    for (int half = Lines / 2; half > 0; half /= 2, apart /= 2) {
        const bool upper = (lane & apart) != 0;
#pragma unroll
        for (int l = 0; l < half; ++l) {
            const Acc give = upper ? sums[l] : sums[l + half];
            const Acc keep = upper ? sums[l + half] : sums[l];
            sums[l] = Op::combine(keep, shuffle_xor(give, apart));
        }
        line += upper ? half : 0;
    }
    sums[0] = warp_reduce<Op, false, Lanes / Lines>(sums[0]);
    return line;
}

/* One warp reads a line element by element. */
template <class Op, class T>
__device__ __forceinline__ void sum_singly(const T *x, int axis, T *out)
{
    typename Op::acc sum = Op::identity();
#pragma unroll 8
    for (int at = (int)threadIdx.x % 32; at < axis; at += 32)
        sum = Op::combine(sum, Op::lift(x[at], at));
    sum = warp_reduce<Op>(sum);
    if (threadIdx.x % 32 == 0)
        *out = Op::lower(sum, axis);
}

template <class Op, int Lanes, int Loads, class T = typename Op::element>
static __global__ void __launch_bounds__(kThreads, kResident<kThreads, 4>)
    subwarp_registers(const T *__restrict__ in, T *__restrict__ out,
                      const struct line_layout l)
{
    TAG(fast);
    constexpr int V = kVec<T>, kLines = kAbreast<Loads>;
    constexpr int kGroups = kThreads / Lanes;
    static_assert(kGroups % V == 0 && kLines <= Lanes);
    const int warp = (int)threadIdx.x / 32;
    const int group = (int)threadIdx.x / Lanes;
    const int lane = (int)threadIdx.x % Lanes;

    /* the same for all lines of the group */
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
            sum_singly<Op>(in + line * l.axis, l.axis, out + line);
    }

    /* load */
    const int64_t first = blockIdx.x * (int64_t)(kGroups * kLines) + group;
    const T *x = in + first * l.axis - shift + lane * V;
    uint4 y[kLines][Loads];
#pragma unroll
    for (int n = 0; n < kLines; ++n) {
        const int64_t line = first + n * kGroups;
        const bool there = line >= l.first && line < l.last;
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            y[n][j] = pad_words<Op, uint4>();
            if (there && j * Lanes + lane < vectors)
                y[n][j] =
                    *(const uint4 *)(x + n * kGroups * l.axis + j * Lanes * V);
        }
    }

    /* upsweep */
    typename Op::acc sums[kLines];
#pragma unroll
    for (int n = 0; n < kLines; ++n)
        sums[n] = masked_sum<Op, Lanes>(y[n], mask, lane * V - shift);

    /* store */
    const int64_t line = first + join_lanes<Op, Lanes>(sums) * kGroups;
    if (lane % (Lanes / kLines) == 0 && line >= l.first && line < l.last)
        out[line] = Op::lower(sums[0], l.axis);
}

/* ------------------------------------------------------------------ host */

template <class Op, int Lanes, int Loads>
static int launch_lanes(const struct problem *p, struct line_layout l,
                        void *stream)
{
    constexpr int kTile = kThreads / Lanes * kAbreast<Loads>;
    return launch_kernel(subwarp_registers<Op, Lanes, Loads>,
                         ceil_div(l.lines, kTile), kThreads, 0, stream, p->in,
                         p->out, l);
}

/* Picks the smallest kernel that holds a line's vectors. */
template <class Op>
static int launch_vectors(const struct problem *p, const struct line_layout &l,
                          int vectors, void *s)
{
    return vectors <= 8     ? launch_lanes<Op, 8, 1>(p, l, s)
           : vectors <= 16  ? launch_lanes<Op, 8, 2>(p, l, s)
           : vectors <= 24  ? launch_lanes<Op, 8, 3>(p, l, s)
           : vectors <= 32  ? launch_lanes<Op, 16, 2>(p, l, s)
           : vectors <= 48  ? launch_lanes<Op, 16, 3>(p, l, s)
           : vectors <= 64  ? launch_lanes<Op, 32, 2>(p, l, s)
           : vectors <= 96  ? launch_lanes<Op, 32, 3>(p, l, s)
           : vectors <= 128 ? launch_lanes<Op, 32, 4>(p, l, s)
           : vectors <= 192 ? launch_lanes<Op, 32, 6>(p, l, s)
                            : launch_lanes<Op, 32, 8>(p, l, s);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        using T = typename Op::element;
        constexpr int V = kVec<T>;
        const int64_t axis = p->shape.axis, lines = p->shape.outer;
        struct line_layout l = { .lines = lines, .axis = (int)axis };
        if (axis > 0) /* else nothing is read */
            l.lead = line_lead<T>(p);
        l.first = l.lead > 0 ? 1 : 0;
        l.last = lines - ((l.lead + lines * axis) % V ? 1 : 0);
        const int odd = l.lead == 0 && axis % V == 0 ? 0 : V - 1;
        return launch_vectors<Op>(p, l, (int)ceil_div(axis + odd, V), stream);
    });
}

static const char *refuses(const struct problem *p)
{
    return line_bytes_refuse(p, kLeastBytes, (kMostVectors - 1) * 16,
                             "serves lines of 32 to 4080 bytes");
}

VARIANTS(reduce__subwarp_registers) = {
    {
        .name = "subwarp_registers_b256_i64",
        .idea = "a few lanes for each of many short lines, in registers",
        ON_CUDA(reductions<kNeeds>(), 1),
        ERROR_OF_TILES(1024),
        .deterministic = true,
        .refuses = refuses,
        .launch = launch,
        .portable_bits = true,
    },
    {},
};
