/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB's transform over the output's indices: each is mapped to the
 *          element that belongs there.
 * Against  element: the library chooses the grid and the items per thread.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    CUB 2.7 (CUDA 12.8); fewer than 2^31 elements before CUB 3.
 * Source   NVIDIA CUB, cub::DeviceTransform.
 * Lesson   Arithmetic on every index costs more than the move.
 */
#include "variants/common/kernel.cuh"

#if __has_include(<cub/device/device_transform.cuh>)
#include <cub/device/device_transform.cuh>
#include <cub/version.cuh>
#include <thrust/iterator/counting_iterator.h>

/* Internal linkage: CUB makes linker symbols of the type. */
namespace
{
template <class T>
struct mirrored {
    const T *in;
    int64_t axis, inner;
    __device__ T operator()(int64_t at) const
    {
        const int64_t a = (inner == 1 ? at : at / inner) % axis;
        return in[at + (axis - 1 - 2 * a) * inner];
    }
};
} // namespace

static int launch(const struct problem *p, void *stream)
{
    return dispatch_dtype(p->dtype, [&](auto type) -> int {
        /* Only the bits move: f16 and bf16 share one kernel. */
        using T = uint_of_bytes<sizeof(typename decltype(type)::type)>;
        return cub::DeviceTransform::Transform(
            thrust::make_counting_iterator((int64_t)0), (T *)p->out,
            shape_elems(p->shape),
            mirrored<T>{ (const T *)p->in, p->shape.axis, p->shape.inner },
            (cudaStream_t)stream);
    });
}

static const char *refuses(const struct problem *p)
{
    if (CUB_VERSION < 300000 && shape_elems(p->shape) > INT32_MAX)
        return "this CUB counts elements in 32 bits";
    return NULL;
}

VARIANTS(flip__cub_transform) = {
    { .name = "cub_transform",
      .idea = "CUB's transform over the output's indices",
      MOVES_ON_CUDA(FORM_OF(OP_FLIP), DTYPES_ALL),
      .deterministic = true,
      .refuses = refuses,
      .launch = launch },
    {},
};
#else
VARIANTS(flip__cub_transform) = { {} };
#endif
