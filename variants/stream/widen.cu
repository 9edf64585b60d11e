/* SPDX-License-Identifier: MIT
 *
 * Idea     Copies integers and bools to int64. Each access takes the two
 *          elements of a 16-byte store, or one off 16-byte boundaries, with
 *          several loads in flight per thread. The shared point loads 16 bytes
 *          of elements per thread, whatever their type, keeps them in the L2,
 *          and passes them through shared memory to threads that store 16 bytes
 *          each.
 * Against  copy: the stores are two to eight times as wide as the loads.
 * Traffic  N elements, N mask bytes and N words of 8 bytes: the compulsory
 *          minimum (passes = 1).
 * Needs    nothing.
 * Source   none.
 * Lesson   Wide stores alone gain nothing: pairs of i32 take no less time than
 *          single elements.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/kernel.cuh"

constexpr int kPair = 2; /* results of a 16-byte store */

template <class T>
__device__ __forceinline__ int64_t widened(T x, bool take)
{
    return take ? (int64_t)value_of(x) : 0;
}

/* Elements from `first` on, one by one. */
template <class T, bool Masked>
__device__ __forceinline__ void widen_singly(const T *in, const uint8_t *mask,
                                             int64_t *out, int64_t first,
                                             int64_t elems)
{
    const int64_t step = gridDim.x * (int64_t)blockDim.x;
    int64_t at = first + blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    for (; at < elems; at += step)
        out[at] = widened(in[at], !Masked || mask[at]);
}

/* Whole tiles of accesses of Width elements; the rest, one by one. */
template <class T, bool Masked, int Width, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    widen(const T *__restrict__ in, const uint8_t *__restrict__ mask,
          int64_t *__restrict__ out, int64_t elems)
{
    constexpr int kTile = Threads * Loads * Width;
    const int64_t tiles = elems / kTile;
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t at = tile * kTile + threadIdx.x * Width;
        vec<T, Width> x[Loads];
        mask_vec<T, Width> m[Loads] = {};
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int64_t e = at + j * Threads * Width;
            x[j] = read_vec<vec<T, Width>>(in + e);
            if constexpr (Masked)
                m[j] = read_vec<mask_vec<T, Width>>(mask + e);
        }
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            vec<int64_t, Width> y;
#pragma unroll
            for (int k = 0; k < Width; ++k)
                y.item[k] = widened(x[j].item[k], !Masked || m[j].item[k]);
            write_first(out + at + j * Threads * Width, y);
        }
    }
    widen_singly<T, Masked>(in, mask, out, tiles * kTile, elems);
}

/* The same by way of shared memory, where in and mask have 16-byte
 * boundaries. */
template <class T, bool Masked, int Threads>
static __global__ void __launch_bounds__(Threads)
    widen_shared(const T *__restrict__ in, const uint8_t *__restrict__ mask,
                 int64_t *__restrict__ out, int64_t elems)
{
    constexpr int V = kVec<T>, kTile = Threads * V;
    __shared__ __align__(16) T tile_of[kTile];
    __shared__ __align__(16) uint8_t mask_of[Masked ? kTile : 16];
    const int64_t tiles = elems / kTile;
    const uint64_t policy = evict_last_policy();
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int64_t first = tile * kTile;
        const int mine = threadIdx.x * V;
        write_shared(tile_of + mine,
                     read_kept((const uint4 *)(in + first + mine), policy));
        if constexpr (Masked)
            *(words_t<mask_vec<T>> *)(mask_of + mine) =
                *(const words_t<mask_vec<T>> *)(mask + first + mine);
        __syncthreads();
#pragma unroll
        for (int j = 0; j < V / kPair; ++j) {
            const int e = (j * Threads + threadIdx.x) * kPair;
            const auto x = read_vec<vec<T, kPair>>(tile_of + e);
            mask_vec<T, kPair> m = {};
            if constexpr (Masked)
                m = read_vec<mask_vec<T, kPair>>(mask_of + e);
            vec<int64_t> y;
#pragma unroll
            for (int k = 0; k < kPair; ++k)
                y.item[k] = widened(x.item[k], !Masked || m.item[k]);
            write_first(out + first + e, y);
        }
        __syncthreads();
    }
    widen_singly<T, Masked>(in, mask, out, tiles * kTile, elems);
}

/* Calls run(tag<T>, masked). */
template <class Run>
static int dispatch_narrow(const struct problem *p, Run run)
{
    return dispatch_dtype(p->dtype, [&]<class T>(tag<T> type) -> int {
        if constexpr (!is_float<T> && sizeof(T) < 8)
            return op_has_mask(p->op) ? run(type, std::true_type{})
                                      : run(type, std::false_type{});
        return cudaErrorNotSupported;
    });
}

template <int Width, int Threads, int Loads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_narrow(p, [&]<class T, class Masked>(tag<T>, Masked) {
        const int64_t elems = shape_elems(p->shape);
        if ((uintptr_t)p->in % (Width * sizeof(T)) ||
            (uintptr_t)p->out % (Width * 8) || (uintptr_t)p->mask % Width)
            return launch_kernel(widen<T, Masked::value, 1, Threads, Loads>,
                                 ceil_div(elems, Threads * Loads), Threads, 0,
                                 stream, p->in, p->mask, p->out, elems);
        return launch_kernel(widen<T, Masked::value, Width, Threads, Loads>,
                             ceil_div(elems, Threads * Loads * Width), Threads,
                             0, stream, p->in, p->mask, p->out, elems);
    });
}

template <int Threads>
static int launch_shared(const struct problem *p, void *stream)
{
    return dispatch_narrow(p, [&]<class T, class Masked>(tag<T>, Masked) {
        const int64_t elems = shape_elems(p->shape);
        return launch_kernel(widen_shared<T, Masked::value, Threads>,
                             ceil_div(elems, Threads * kVec<T>), Threads, 0,
                             stream, p->in, p->mask, p->out, elems);
    });
}

static const char *refuses_shared(const struct problem *p)
{
    const int64_t wide = 16 / (int64_t)dtype_bytes(p->dtype);
    return ((uintptr_t)p->in | (uintptr_t)p->out) % 16 ||
                   (uintptr_t)p->mask % (uintptr_t)wide
               ? "serves inputs and outputs on 16-byte boundaries"
               : NULL;
}

#define POINT(text, launch_, ...)                                              \
    {                                                                          \
        .name = "widen" text,                                                  \
        .idea = "elements to int64, in stores as wide as they can be",         \
        MOVES_ON_CUDA(FORM_OF(OP_WIDEN) | FORM_OF(OP_MASKED_WIDEN),            \
                      DTYPES_INTEGER & ~DTYPE_BIT(DTYPE_I64)),                 \
        .deterministic = true, __VA_OPT__(__VA_ARGS__, ).launch = launch_      \
    }

VARIANTS(stream__widen) = {
    POINT("_element_b1024_i4", (launch<1, 1024, 4>)),
    POINT("_b128_i4", (launch<kPair, 128, 4>)),
    POINT("_shared_b128", launch_shared<128>, .refuses = refuses_shared),
    {},
};
