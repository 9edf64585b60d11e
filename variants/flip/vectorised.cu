/* SPDX-License-Identifier: MIT
 *
 * Idea     16-byte accesses. Along contiguous lines a vector goes to its
 *          mirror place with its items in reverse; where inner > 1 whole rows
 *          change places, and a row is a run of vectors.
 * Against  element: a quarter (eighth) of the accesses and of the divisions.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    nothing; falls back to single elements where lines (rows, if
 *          inner > 1) do not all start on 16-byte boundaries.
 * Source   none.
 */
#include "variants/device.cuh"

template <class T, int Width>
struct alignas(sizeof(T) * Width) items {
    T item[Width];
};

/* A flip of `units` of Width elements along `axis` units, in runs of `inner`
 * that keep their order; a unit's own items are reversed if Mirror. */
template <class T, int Width, bool Mirror, int Threads, int Loads>
static __global__ void __launch_bounds__(Threads)
    vectorised(const items<T, Width> *__restrict__ in,
               items<T, Width> *__restrict__ out, int64_t units, int64_t axis,
               int64_t inner)
{
    constexpr int kTile = Threads * Loads;
    for (int64_t tile = blockIdx.x; tile * kTile < units; tile += gridDim.x) {
        const int64_t first = tile * kTile + threadIdx.x;
        items<T, Width> x[Loads];
#pragma unroll
        for (int j = 0; j < Loads; ++j)
            if (first + j * Threads < units)
                x[j] = in[first + j * Threads];
#pragma unroll
        for (int j = 0; j < Loads; ++j) {
            const int64_t at = first + j * Threads;
            if (at >= units)
                break;
            items<T, Width> y;
#pragma unroll
            for (int k = 0; k < Width; ++k)
                y.item[k] = x[j].item[Mirror ? Width - 1 - k : k];
            const int64_t a = (inner == 1 ? at : at / inner) % axis;
            out[at + (axis - 1 - 2 * a) * inner] = y;
        }
    }
}

template <class T, int Width, bool Mirror, int Threads, int Loads>
static int launch_units(const struct problem *p, int64_t axis, int64_t inner,
                        void *stream)
{
    const int64_t units = p->shape.outer * axis * inner;
    vectorised<T, Width, Mirror, Threads, Loads>
        <<<grid_x(ceil_div(units, Threads * Loads)), Threads, 0,
           (cudaStream_t)stream>>>((const items<T, Width> *)p->in,
                                   (items<T, Width> *)p->out, units, axis,
                                   inner);
    return cudaGetLastError();
}

template <int Threads, int Items>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        using T = typename decltype(type)::type;
        constexpr int kLoads = Items / 4;
        const int64_t axis = p->shape.axis, inner = p->shape.inner;
        if (inner == 1 && lines_aligned<T>(p->in, p->mask, p->out, axis))
            return launch_units<T, kVec<T>, true, Threads, kLoads>(
                p, axis / kVec<T>, 1, stream);
        if (inner > 1 && lines_aligned<T>(p->in, p->mask, p->out, inner))
            return launch_units<T, kVec<T>, false, Threads, kLoads>(
                p, axis, inner / kVec<T>, stream);
        return launch_units<T, 1, false, Threads, kLoads>(p, axis, inner,
                                                          stream);
    });
}

/* Items as in f32, four a load. */
#define POINT(threads, items)                                                  \
    {                                                                          \
        .name = "vectorised_b" #threads "_i" #items,                           \
        .idea = "16-byte accesses, items mirrored or rows moved whole",        \
        .runs_on = DEVICE_CUDA, .ops = OP_BIT(OP_FLIP), .dtypes = DTYPES_ALL,  \
        .passes = 1, .error_growth = ERROR_NONE, .deterministic = true,        \
        .launch = launch<threads, items>                                       \
    }

VARIANTS(flip__vectorised) = {
    POINT(128, 4),
    POINT(128, 8),
    POINT(256, 16),
    {},
};
