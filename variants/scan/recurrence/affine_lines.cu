/* SPDX-License-Identifier: MIT
 *
 * Idea     One block walks one line tile by tile, from a 16-byte boundary on;
 *          the next tile of both inputs is in flight, raw in registers, while
 *          the maps of this one are scanned.
 * Against  affine_spans: a line's carry stays in its block, so nothing is
 *          published, and loads never wait for a tile to be free. But it needs
 *          lines enough for all multiprocessors, each as long as a tile.
 * Traffic  3N elements: the compulsory minimum (passes = 1).
 * Needs    inner = 1. Accesses are of 16 bytes if in, in2 and out lie equally
 *          far from 16-byte boundaries.
 * Source   none.
 * Lesson   A carry that stays in its block lets the loads run ahead.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/scan/recurrence/affine_steps.cuh"

constexpr unsigned kNeeds = NEEDS_TWO_INPUTS;

/* The unconverted vectors of both inputs: conversion would wait for them. */
struct words_of_two {
    uint4 a, b;
};

/* The vector at element `at` of a line, whose part outside of the line is not
 * read and has the identity's map. */
template <class T>
__device__ __forceinline__ words_of_two load_both(const T *__restrict__ in,
                                                  const T *__restrict__ in2,
                                                  int64_t at, int64_t axis,
                                                  bool vectors, uint64_t policy)
{
    if (vectors && at >= 0 && at + kVec<T> <= axis)
        return { read_kept((const uint4 *)(in + at), policy),
                 read_kept((const uint4 *)(in2 + at), policy) };
    vec<T> a, b;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        const bool inside = at + k >= 0 && at + k < axis;
        a.item[k] = inside ? in[at + k] : element_of<T>(acc_t<T>(1));
        b.item[k] = inside ? in2[at + k] : element_of<T>(acc_t<T>(0));
    }
    return { __builtin_bit_cast(uint4, a), __builtin_bit_cast(uint4, b) };
}

template <class Op, bool Reverse>
__device__ __forceinline__ vec_steps<Op, Reverse>
steps_of(const words_of_two &words)
{
    using Vec = vec<typename Op::element>;
    return { __builtin_bit_cast(Vec, words.a),
             __builtin_bit_cast(Vec, words.b) };
}

/* A line's vectors in a block: a warp owns Vecs rows of 32 consecutive ones. */
template <class T, class Scan, int Threads, int Vecs>
struct affine_line {
    using Op = op_of<Scan, T>;
    using Acc = typename Op::acc;
    static constexpr int kRow = 32 * kVec<T>; /* elements */
    static constexpr int kTile = Threads / 32 * Vecs * kRow;

    const T *in, *in2;
    T *out;
    int64_t axis;
    bool vectors;

    __device__ __forceinline__ void load(int64_t at, uint64_t policy,
                                         words_of_two (&words)[Vecs]) const
    {
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            words[j] = load_both(in, in2, at + j * kRow, axis, vectors, policy);
    }
    /* upsweep: the maps before the vectors in their warp. Returns the warp's.
     */
    static __device__ __forceinline__ Acc
    maps(const words_of_two (&words)[Vecs], Acc (&before)[Vecs])
    {
        return rows_prefix<Op, Scan::reverse>(before, [&](int j) {
            const auto step = steps_of<Op, Scan::reverse>(words[j]);
            Acc map = step(0);
#pragma unroll
            for (int k = 1; k < kVec<T>; ++k)
                map = Op::combine(map, step(k));
            return map;
        });
    }
    /* downsweep, store: `first` is the state before the warp's elements. */
    __device__ __forceinline__ void store(int64_t at,
                                          const words_of_two (&words)[Vecs],
                                          const Acc (&before)[Vecs],
                                          acc_t<T> first) const
    {
#pragma unroll
        for (int j = 0; j < Vecs; ++j) {
            const auto step = steps_of<Op, Scan::reverse>(words[j]);
            const int64_t e = at + j * kRow;
            auto h = Op::apply(before[j], first);
            vec<T> y;
#pragma unroll
            for (int k = 0; k < kVec<T>; ++k) {
                h = Op::apply(step(k), h);
                y.item[Scan::reverse ? kVec<T> - 1 - k : k] = element_of<T>(h);
            }
            if (vectors && e >= 0 && e + kVec<T> <= axis)
                write_first(out + e, y);
            else
#pragma unroll
                for (int k = 0; k < kVec<T>; ++k)
                    if (e + k >= 0 && e + k < axis)
                        out[e + k] = y.item[k];
        }
    }
};

/* 64 registers per thread. */
template <class T, class Scan, int Threads, int Vecs>
static __global__ void __launch_bounds__(Threads, 1024 / Threads)
    affine_lines(const T *__restrict__ in, const T *__restrict__ in2,
                 const T *__restrict__ initial, T *__restrict__ out,
                 int64_t lines, int64_t axis, bool vectors)
{
    TAG(fast);
    using Line = affine_line<T, Scan, Threads, Vecs>;
    using Op = typename Line::Op;
    using Acc = typename Line::Acc;
    constexpr int kNext = Scan::reverse ? -Line::kTile : Line::kTile;
    __shared__ Acc totals[2][Threads / 32];
    const uint64_t policy = evict_last_policy();
    const int place = (int)(threadIdx.x / 32 * Vecs * Line::kRow +
                            threadIdx.x % 32 * kVec<T>);
    int side = 0; /* totals[side] */

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const int64_t start = line * axis;
        const Line own = { in + start, in2 + start, out + start, axis,
                           vectors };
        const int lead =
            vectors ? (int)((uintptr_t)own.in / sizeof(T) % kVec<T>) : 0;
        const int64_t tiles = ceil_div(axis + lead, Line::kTile);
        int64_t at =
            (Scan::reverse ? tiles - 1 : 0) * Line::kTile + place - lead;
        auto carry = initial ? value_of(initial[line]) : acc_t<T>(0);
        words_of_two next[Vecs];
        own.load(at, policy, next);

        for (int64_t left = tiles - 1; left >= 0; --left, at += kNext) {
            /* load: take this tile, request the next */
            words_of_two now[Vecs];
#pragma unroll
            for (int j = 0; j < Vecs; ++j)
                now[j] = next[j];
            if (left > 0)
                own.load(at + kNext, policy, next);

            /* upsweep; spine: two sides, hence one barrier per tile */
            Acc before[Vecs], tile_map;
            const Acc warp_map = Line::maps(now, before);
            const Acc base = warps_prefix<Op, Scan::reverse, Threads>(
                warp_map, totals[side], &tile_map);
            side ^= 1;
            const auto first = Op::apply(base, carry);
            carry = Op::apply(tile_map, carry);
            own.store(at, now, before, first);
        }
    }
}

template <int Threads, int Vecs>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan<kNeeds>(
        p, [&]<class T, class Scan>(tag<T>, Scan) -> int {
            const int64_t lines = shape_lines(p->shape);
            const uintptr_t apart = ((uintptr_t)p->in ^ (uintptr_t)p->in2) |
                                    ((uintptr_t)p->in ^ (uintptr_t)p->out);
            return launch_kernel(affine_lines<T, Scan, Threads, Vecs>, lines,
                                 Threads, 0, stream, p->in, p->in2, p->initial,
                                 p->out, lines, p->shape.axis, apart % 16 == 0);
        });
}

/* True with fewer lines than multiprocessors, or with lines that occupy less
 * than a quarter of the block. */
template <int Threads>
static bool idles(const struct problem *p)
{
    const int64_t bytes = p->shape.axis * (int64_t)dtype_bytes(p->dtype);
    return p->device &&
           (shape_lines(p->shape) < p->device->sm_count || bytes < Threads * 4);
}

/* error_tile: the shortest tile, one of doubles. */
#define POINT(threads, vecs)                                                   \
    {                                                                          \
        .name = "affine_lines_b" #threads "_v" #vecs,                          \
        .idea = "a block walks a line, the next tile of both inputs in "       \
                "flight",                                                      \
        ON_CUDA(scans<kNeeds>(), 1), ERROR_OF_TILES(2 * (threads) * (vecs)),   \
        .deterministic = true, .refuses = contiguous_only,                     \
        .launch = launch<threads, vecs>, .idles = idles<threads>               \
    }

VARIANTS(scan__affine_lines) = {
    POINT(256, 2),
    POINT(128, 2),
    {},
};
