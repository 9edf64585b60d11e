/* SPDX-License-Identifier: MIT
 *
 * Idea     16 bytes of elements and their mask bytes in one access each; all
 *          of a thread's loads before its stores. Tiles in memory order, or
 *          one wave of persistent blocks that strides on.
 * Against  copy: a third stream, of one byte per element.
 * Traffic  2N elements and N mask bytes: the compulsory minimum (passes = 1).
 * Needs    nothing; falls back to single elements off 16-byte boundaries.
 * Source   none.
 * Lesson   A third, narrower stream costs its bytes and little more.
 */
#include "src/model/reducer.h"
#include "variants/common/kernel.cuh"

using words = vec<uint32_t>;

/* All ones in the bits of `word` that belong to elements taken. */
template <class T>
__device__ __forceinline__ uint32_t taken(const mask_vec<T> &mask, int word)
{
    if constexpr (sizeof(T) == 1)
        return __vcmpne4(reinterpret_cast<const uint32_t *>(&mask)[word], 0);
    else if constexpr (sizeof(T) == 2)
        return (mask.item[2 * word] ? 0x0000ffffu : 0) |
               (mask.item[2 * word + 1] ? 0xffff0000u : 0);
    else
        return mask.item[word * 4 / sizeof(T)] ? 0xffffffffu : 0;
}

/* A word of the fill, which repeats through the 16 bytes. */
template <class T>
__device__ __forceinline__ uint32_t word_of(T fill, int word)
{
    if constexpr (sizeof(T) == 8)
        return (uint32_t)(fill >> word % 2 * 32);
    else
        return sizeof(T) == 1   ? fill * 0x1010101u
               : sizeof(T) == 2 ? fill * 0x10001u
                                : fill;
}

/* Copies 16-byte units, and the partial tile by the element: everything off
 * 16-byte boundaries, where units is 0. Bytes have masks as wide as they, and
 * would take more than 32 registers. */
template <class T, int Threads, int Loads>
static __global__ void
__launch_bounds__(Threads,
                  sizeof(T) == 1 ? kResident<Threads, 2048 / Threads> : 0)
    masked_copy(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                T *__restrict__ out, T fill, int64_t units, int64_t elems)
{
    TAG(fast);
    constexpr int kTile = Threads * Loads;
    const auto *from = reinterpret_cast<const words *>(in);
    const auto *take = reinterpret_cast<const mask_vec<T> *>(mask);
    auto *to = reinterpret_cast<words *>(out);
    const int64_t tiles = units / kTile;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t at = tile * kTile + threadIdx.x;
        words x[Loads];
        mask_vec<T> m[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            x[j] = from[at + j * Threads];
            m[j] = take[at + j * Threads];
        }
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
#pragma unroll
            for (int w = 0; w < 4; ++w) {
                const uint32_t kept = taken<T>(m[j], w);
                x[j].item[w] =
                    (x[j].item[w] & kept) | (word_of(fill, w) & ~kept);
            }
            to[at + j * Threads] = x[j];
        }
    }

    /* the partial tile */
    for (int64_t at = tiles * kTile * kVec<T> + blockIdx.x * (int64_t)Threads +
                      threadIdx.x;
         at < elems; at += gridDim.x * (int64_t)Threads)
        out[at] = mask[at] ? in[at] : fill;
}

template <int Threads, int Items, bool Persistent>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        /* Only the bits move: f16 and bf16 share one kernel. */
        using T = uint_of_bytes<sizeof(typename decltype(type)::type)>;
        const int64_t elems = shape_elems(p->shape);
        const bool aligned = ((uintptr_t)p->in | (uintptr_t)p->out) % 16 == 0 &&
                             (uintptr_t)p->mask % kVec<T> == 0;
        int64_t blocks = ceil_div(elems, kVec<T> * Threads * (Items / 4));
        const int64_t wave = blocks_in_a_wave(p->device, Threads);
        if (Persistent && blocks > wave)
            blocks = wave;
        return launch_kernel(masked_copy<T, Threads, Items / 4>, blocks,
                             Threads, 0, stream, p->in, p->mask, p->out,
                             op_identity_bits(p->op, p->dtype),
                             aligned ? elems / kVec<T> : 0, elems);
    });
}

/* The twin fills with 0; libscanbench masks other reducers' inputs with their
 * identities. */
#define ANY ~UINT64_C(0)

/* Items as in f32, four a load. */
#define POINT(text, threads, items, persistent)                                \
    {                                                                          \
        .name = "masked_copy" text "_b" #threads "_i" #items,                  \
        .idea = "16-byte accesses and their mask bytes in one access each",    \
        .runs_on = DEVICE_CUDA,                                                \
        .ops = { FORM_OF(OP_MASKED_COPY),                                      \
                 { ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY } },                 \
        .passes = 1, .error_growth = ERROR_NONE, .deterministic = true,        \
        .launch = launch<threads, items, persistent>                           \
    }

VARIANTS(stream__masked_copy) = {
    POINT("", 128, 4, false),
    POINT("", 256, 8, false),
    POINT("", 256, 16, false),
    POINT("_persistent", 512, 16, true),
    {},
};
