/* SPDX-License-Identifier: MIT
 *
 * Idea     CUB's segmented reduction with computed segment boundaries, or those
 *          of ragged lines. Iterators lift elements as they are read and lower
 *          results as they are written.
 * Against  warp_per_line: a library call instead of a kernel of one's own.
 * Traffic  N elements: the compulsory minimum (passes = 1).
 * Needs    inner == 1, fewer than 2^31 lines.
 * Source   NVIDIA CUB, cub::DeviceSegmentedReduce.
 * Lesson   The library reaches the ceiling for the segments that it was made
 *          for.
 */
#include <cub/device/device_segmented_reduce.cuh>

#include "variants/common/cub_functors.cuh"

/* CUB strides segments across a block's threads. */
constexpr unsigned kNeeds = NEEDS_COMMUTATIVE | NEEDS_NO_POSITION;

/* CUB makes linker symbols of these types: they are of this file alone. */
namespace
{
struct line_start {
    int64_t axis;
    const void *offsets;
    int offset_bytes;
    __host__ __device__ int64_t operator()(int64_t line) const
    {
        return offsets ? offset_at(offsets, offset_bytes, line) : line * axis;
    }
};

template <class Op>
struct lift {
    __device__ typename Op::acc operator()(typename Op::element value) const
    {
        return Op::lift(value);
    }
};

/* An output iterator that lowers what is assigned to it. Its value_type is the
 * type that CUB accumulates in. */
template <class Op>
struct lowered {
    using value_type = typename Op::acc;
    using difference_type = ptrdiff_t;
    using pointer = void;
    using reference = lowered;
    using iterator_category = std::random_access_iterator_tag;

    typename Op::element *out;
    line_start start;
    int64_t line;
    __host__ __device__ lowered operator+(difference_type n) const
    {
        return { out, start, line + n };
    }
    __host__ __device__ lowered &operator+=(difference_type n)
    {
        line += n;
        return *this;
    }
    __device__ lowered operator[](difference_type n) const
    {
        return *this + n;
    }
    __device__ lowered operator*(void) const
    {
        return *this;
    }
    __device__ void operator=(value_type value) const
    {
        out[line] = Op::lower(value, start(line + 1) - start(line));
    }
};
} // namespace

static int64_t lines_of(const struct problem *p)
{
    return shape_is_ragged(p->shape) ? p->segments : shape_lines(p->shape);
}

template <class Op>
static cudaError_t reduce(const struct problem *p, void *temp, size_t *bytes,
                          cudaStream_t stream)
{
    using T = typename Op::element;
    const line_start start = { p->shape.axis, p->offsets, p->offset_bytes };
    const auto starts = cub_items(start);
    auto reduce_lines = [&](auto in, auto out) {
        return cub::DeviceSegmentedReduce::Reduce(
            temp, *bytes, in, out, lines_of(p), starts, starts + 1,
            cub_combine_carried<Op>{}, Op::identity(), stream);
    };
    const T *in = (const T *)p->in;
    T *out = (T *)p->out;
    if constexpr (is_addition<Op> && std::is_same_v<T, typename Op::acc>)
        return reduce_lines(in, out);
    else
        return reduce_lines(thrust::make_transform_iterator(in, lift<Op>{}),
                            lowered<Op>{ out, start, 0 });
}

static int run(const struct problem *p, void *temp, size_t *bytes,
               cudaStream_t stream)
{
    return dispatch_reduce<kNeeds>(p, [&]<class Op>(Op) -> int {
        return reduce<Op>(p, temp, bytes, stream);
    });
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "serves contiguous lines only (inner = 1)";
    if (lines_of(p) > INT32_MAX)
        return "older CUB counts segments in 32 bits";
    return NULL;
}

/* CUB's blocks have at least 128 threads, whose results a tree combines. */
VARIANTS(reduce__cub_segmented_reduce) = {
    { .name = "cub_segmented_reduce",
      .idea = "CUB's segmented reduction over computed offsets",
      ON_CUDA(reductions<kNeeds>(), 1),
      ERROR_OF_TILES(128),
      .deterministic = true,
      .refuses = refuses,
      BY_CUB(run),
      .ragged = true },
    {},
};
