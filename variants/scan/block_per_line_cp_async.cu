/* SPDX-License-Identifier: MIT
 *
 * Idea     One block walks one line tile by tile; the tiles to come are in
 *          flight to a ring of stages in shared memory (cp.async). A thread
 *          reads back what it has asked for itself, so that the ring needs no
 *          barrier.
 * Against  block_per_line_prefetch: what is in flight takes no registers, so
 *          that more than one tile can be. Where lines are long this is no
 *          gain for f32: enough is in flight there already, and all of it goes
 *          through shared memory.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1. Tensors off 16-byte boundaries are loaded in single
 *          elements, without a pipeline.
 * Source   none.
 * Lesson   Shared memory holds more tiles in flight than registers can.
 */
#include "variants/common/async_copy.cuh"

/* As many mask bytes. There is no cp.async of two: lanes with even numbers ask
 * for their neighbours'. */
template <int Bytes>
__device__ __forceinline__ void copy_mask(uint8_t *to, const uint8_t *from,
                                          int64_t left)
{
    constexpr int kSize = Bytes < 4 ? 4 : Bytes;
    const int64_t inside = left < kSize ? left : kSize;
    if (Bytes >= 4 || threadIdx.x % 2 == 0)
        async_copy<kSize>(to, from, (int)(inside > 0 ? inside : 0));
}

/* A stage of the ring: a tile and its mask, if any. */
template <class T, bool Masked, int Elems>
struct stage {
    vec<T> x[Elems / kVec<T>];
    mask_vec<T> m[Masked ? Elems / kVec<T> : 1];
};

/* Starts the loads of a thread's vectors at `at`, at + kRow, …, and ends a
 * group of them, whether any lie before `end` or not. */
template <bool Masked, int Vecs, class T, class Stage>
__device__ __forceinline__ void ask(Stage &stage, int slot, const T *in,
                                    const uint8_t *mask, int64_t at,
                                    int64_t end, bool aligned)
{
#pragma unroll
    for (int j = 0; j < Vecs; ++j, at += 32 * kVec<T>, slot += 32) {
        const bool inside = at < end && at >= 0;
        if (aligned) {
            /* Never asked for an address outside of the tensor. */
            const int64_t from = inside ? at : 0;
            async_copy<16>(&stage.x[slot], in + from, inside ? 16 : 0);
            if (Masked)
                copy_mask<kVec<T>>(stage.m[slot].item, mask + from,
                                   inside ? end - at : 0);
            continue;
        }
#pragma unroll
        for (int k = 0; k < kVec<T>; ++k) {
            const bool take = inside && at + k < end;
            stage.x[slot].item[k] = take ? in[at + k] : from_acc<T>(0);
            if (Masked)
                stage.m[slot].item[k] = take ? mask[at + k] : 0;
        }
    }
    async_commit();
}

/* Waits for all but the latest Left groups, and takes the vectors over. */
template <bool Masked, int Left, int Vecs, class T, class Stage>
__device__ __forceinline__ void take(const Stage &stage, int slot,
                                     acc_t<T> (&v)[Vecs][kVec<T>], T)
{
    async_groups_left<Left>();
    if (Masked && kVec<T> < 4)
        __syncwarp(); /* a neighbour has waited for the mask */
#pragma unroll
    for (int j = 0; j < Vecs; ++j, slot += 32) {
        const uint4 words = *(const uint4 *)&stage.x[slot];
        mask_vec<T> m = {};
        if (Masked)
            m = stage.m[slot];
        vec<T> x;
        memcpy(&x, &words, sizeof x);
#pragma unroll
        for (int k = 0; k < kVec<T>; ++k)
            v[j][k] = !Masked || m.item[k] ? to_acc(x.item[k]) : acc_t<T>(0);
    }
    if (Masked && kVec<T> < 4)
        __syncwarp(); /* and may ask again, where the other reads */
}

/* store_items(), but as words: a struct of halves is stored one by one. */
template <class T>
__device__ __forceinline__ void store(T *out, int64_t at, int64_t end,
                                      bool aligned,
                                      const acc_t<T> (&v)[kVec<T>])
{
    if (!aligned) {
        store_items(out, at, end, false, v);
        return;
    }
    vec<T> y;
    uint4 words;
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        y.item[k] = from_acc<T>(v[k]);
    memcpy(&words, &y, sizeof words);
    if (at < end)
        *(uint4 *)(out + at) = words;
}

template <class T, class Scan, int Threads, int Vecs, int Stages>
static __global__ void __launch_bounds__(Threads, 1024 / Threads)
    block_per_line_cp_async(const T *__restrict__ in,
                            const uint8_t *__restrict__ mask,
                            T *__restrict__ out, int64_t lines, int64_t axis,
                            bool aligned)
{
    using Acc = acc_t<T>;
    constexpr int kRow = 32 * kVec<T>; /* elements in one access of a warp */
    constexpr int kTile = Threads / 32 * Vecs * kRow;
    constexpr int kNext = Scan::reverse ? -kTile : kTile;
    extern __shared__ uint4 room[];
    __shared__ Acc totals[2][Threads / 32];
    auto *ring = (stage<T, Scan::masked, kTile> *)room;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int slot = warp * Vecs * 32 + lane;
    const int64_t tiles = ceil_div(axis, kTile);
    int side = 0; /* of totals */

    for (int64_t line = blockIdx.x; line < lines; line += gridDim.x) {
        const T *x = in + line * axis;
        const uint8_t *m = mask + line * axis;
        int64_t at = (Scan::reverse ? tiles - 1 : 0) * kTile +
                     slot / 32 * kRow + lane * kVec<T>;
        Acc carry = 0;
        int now = 0, later = Stages - 1; /* stages */
#pragma unroll
        for (int k = 0; k < Stages - 1; ++k)
            ask<Scan::masked, Vecs>(ring[k], slot, x, m, at + k * kNext, axis,
                                    aligned);

        for (int64_t left = tiles; left > 0; --left, at += kNext) {
            /* load: take this tile, ask for a later one */
            Acc v[Vecs][kVec<T>];
            take<Scan::masked, Stages - 2>(ring[now], slot, v, T());
            ask<Scan::masked, Vecs>(ring[later], slot, x, m,
                                    at + (Stages - 1) * kNext, axis, aligned);
            later = now;
            now = now + 1 < Stages ? now + 1 : 0;

            /* upsweep: where each vector stands in its warp, in walk order */
            Acc before[Vecs];
            const Acc warp_total = rows_prefix<Scan::reverse>(v, before);

            /* spine: two sides, hence one barrier a tile */
            Acc tile_total;
            const Acc base = carry + warps_prefix<Scan::reverse, Threads>(
                                         warp_total, totals[side], &tile_total);
            side ^= 1;
            carry += tile_total;

            /* downsweep, store */
#pragma unroll
            for (int j = 0; j < Vecs; ++j) {
                items_scan<Scan>(v[j], base + before[j]);
                store(out + line * axis, at + j * kRow, axis, aligned, v[j]);
            }
        }
    }
}

template <int Threads, int Items, int Stages>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        using T = typename decltype(type)::type;
        using Scan = decltype(scan);
        constexpr int kVecs = Items / 4; /* 16 bytes, whatever the type */
        const auto kernel =
            block_per_line_cp_async<T, Scan, Threads, kVecs, Stages>;
        constexpr int kTile = Threads * kVecs * kVec<T>;
        const int bytes = Stages * sizeof(stage<T, Scan::masked, kTile>);
        const cudaError_t error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess)
            return error;
        const int64_t axis = p->shape.axis, lines = shape_lines(p->shape);
        /* Masks are copied in four bytes at least. */
        const bool aligned =
            lines_aligned<T>(p->in, p->mask, p->out, axis) &&
            (!p->mask || (axis % 4 == 0 && (uintptr_t)p->mask % 4 == 0));
        kernel<<<grid_x(lines), Threads, bytes, (cudaStream_t)stream>>>(
            (const T *)p->in, p->mask, (T *)p->out, lines, axis, aligned);
        return cudaGetLastError();
    });
}

template <int Threads, int Items, int Stages>
static const char *refuses(const struct problem *p)
{
    const int vec = 16 / (int)dtype_bytes(p->dtype);
    const char *reason = contiguous_only(p);
    return reason ? reason
                  : tile_refuses(p, Stages * Threads * Items / 4 *
                                        (16 + (op_has_mask(p->op) ? vec : 0)));
}

/* A tile of doubles is half as long, and the bound must hold for it too. */
#define POINT(threads, items, stages)                                          \
    {                                                                          \
        .name = "block_per_line_cp_async_s" #stages "_b" #threads "_i" #items, \
        .idea = "one block walks a line, tiles in flight to shared memory",    \
        .runs_on = DEVICE_CUDA, .ops = OPS_SCAN, .dtypes = DTYPES_ALL,         \
        .passes = 1, .error_growth = ERROR_TILED,                              \
        .error_tile = threads * items / 2, .deterministic = true,              \
        .refuses = refuses<threads, items, stages>,                            \
        .launch = launch<threads, items, stages>                               \
    }

VARIANTS(scan__block_per_line_cp_async) = {
    POINT(256, 16, 3),
    POINT(256, 8, 3),
    {},
};
