/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB scans the whole tensor as one segmented scan: the key of an
 *          element is the number of its line, made on the fly, never stored.
 * Against  decoupled_lookback: the same method from the library; here tiles
 *          straddle lines, so lines of any length fill them.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1. CUB.
 * Source   CUB, cub::DeviceScan::InclusiveSumByKey and ExclusiveSumByKey.
 * Lesson   A general tool computes what the shape already tells: the keys.
 */
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "variants/common/kernel.cuh"

/* The types below end up in linker symbols, through CUB: hence long names.
 *
 * The scan's item i is element i, or, backwards, the i-th from the end of the
 * whole tensor: the lines then come in reverse order too, which no one sees. */
struct by_key_place {
    int64_t last; /* -1: forwards */
    __host__ __device__ int64_t operator()(int64_t i) const
    {
        return last < 0 ? i : last - i;
    }
};

struct by_key_line {
    int64_t axis;
    __host__ __device__ int64_t operator()(int64_t i) const
    {
        return i / axis;
    }
};

/* Input in the type that it is summed in. */
template <class T, bool Masked>
struct by_key_load {
    const T *in;
    const uint8_t *mask;
    by_key_place at;
    __device__ acc_t<T> operator()(int64_t i) const
    {
        const int64_t j = at(i);
        const acc_t<T> x = to_acc(in[j]);
        if constexpr (Masked)
            return mask[j] ? x : acc_t<T>(0);
        return x;
    }
};

template <class T>
struct by_key_round {
    __device__ T operator()(acc_t<T> value) const
    {
        return from_acc<T>(value);
    }
};

/* Scans, or with temp == NULL sets *bytes to the room that takes. The
 * direction is looked up as it runs, so that it costs no kernel of its own:
 * CUB is slow to compile. */
template <class T, class Scan>
static int scan_by_key(const struct problem *p, void *temp, size_t *bytes,
                       cudaStream_t stream)
{
    const int64_t n = shape_elems(p->shape);
    const by_key_place at = { Scan::reverse ? n - 1 : -1 };
    const thrust::counting_iterator<int64_t> items(0);
    const auto keys =
        thrust::make_transform_iterator(items, by_key_line{ p->shape.axis });
    const auto in = thrust::make_transform_iterator(
        items, by_key_load<T, Scan::masked>{ (const T *)p->in, p->mask, at });
    const auto out = thrust::make_transform_output_iterator(
        thrust::make_permutation_iterator(
            (T *)p->out, thrust::make_transform_iterator(items, at)),
        by_key_round<T>{});
    const cuda::std::equal_to<> same_line;
    if constexpr (Scan::exclusive)
        return cub::DeviceScan::ExclusiveSumByKey(temp, *bytes, keys, in, out,
                                                  n, same_line, stream);
    else
        return cub::DeviceScan::InclusiveSumByKey(temp, *bytes, keys, in, out,
                                                  n, same_line, stream);
}

static int launch(const struct problem *p, void *stream)
{
    return dispatch_scan(p, [&](auto type, auto scan) -> int {
        size_t bytes = SIZE_MAX; /* at least workspace_bytes() */
        return scan_by_key<typename decltype(type)::type, decltype(scan)>(
            p, p->workspace, &bytes, (cudaStream_t)stream);
    });
}

static size_t workspace_bytes(const struct problem *p)
{
    size_t bytes = 0;
    dispatch_scan(p, [&](auto type, auto scan) -> int {
        return scan_by_key<typename decltype(type)::type, decltype(scan)>(
            p, NULL, &bytes, NULL);
    });
    return bytes;
}

/* error_tile: shorter than any tile that CUB picks. */
VARIANTS(scan__cub_scan_by_key) = {
    { .name = "cub_scan_by_key",
      .idea = "CUB scans all lines at once, their numbers as keys",
      .runs_on = DEVICE_CUDA,
      .ops = OPS_SCAN,
      .dtypes = DTYPES_ALL,
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = 512,
      .deterministic = false,
      .refuses = contiguous_only,
      .workspace_bytes = workspace_bytes,
      .launch = launch },
    {},
};
