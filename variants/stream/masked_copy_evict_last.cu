/* SPDX-License-Identifier: MIT
 *
 * Idea     One 16-byte vector and its mask per thread, in memory order, loaded
 *          with the evict-last hint.
 * Against  masked_copy: that has no eviction hint, and a thread moves several
 *          vectors.
 * Traffic  2N elements and N mask bytes (passes = 1).
 * Needs    nothing; off 16-byte boundaries it copies single elements.
 * Source   none.
 * Lesson   The order in which data leaves the L2 matters with three streams,
 *          too.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/kernel.cuh"

template <class T, int Threads>
static __global__ void __launch_bounds__(Threads)
    masked_copy_evict_last(const T *__restrict__ in,
                           const uint8_t *__restrict__ mask,
                           T *__restrict__ out, int64_t vectors, int64_t elems)
{
    const int64_t v = (int64_t)blockIdx.x * Threads + threadIdx.x;
    if (v < vectors) {
        const mask_word<T> m = ((const mask_word<T> *)mask)[v];
        const uint4 x = read_kept((const uint4 *)in + v, evict_last_policy());
        __stcs((uint4 *)out + v, select<add<T>>(x, m));
        return;
    }
    const int64_t at = vectors * kVec<T> + (v - vectors);
    if (at < elems)
        out[at] = mask[at] ? in[at] : add<T>::pad();
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    return dispatch_moved(p->dtype, [&](auto type) -> int {
        /* Only the bits move: f16 and bf16 share one kernel. */
        using E = typename decltype(type)::type;
        using T = std::conditional_t<sizeof(E) <= 2, __half, E>;
        const int64_t elems = shape_elems(p->shape);
        const int64_t vectors =
            lines_aligned<T>(p->in, p->mask, p->out, kVec<T>) ? elems / kVec<T>
                                                              : 0;
        const int64_t threads = vectors + elems - vectors * kVec<T>;
        return launch_kernel(masked_copy_evict_last<T, Threads>,
                             ceil_div(threads, Threads), Threads, 0, stream,
                             p->in, p->mask, p->out, vectors, elems);
    });
}

template <int Threads>
static const char *refuses(const struct problem *p)
{
    return shape_elems(p->shape) / Threads > 1 << 30
               ? "more blocks than a grid can have"
               : NULL;
}

/* Scans of bytes have wider outputs, and so another twin. */
#define DTYPES_NOT_BYTES                                                       \
    (DTYPES_ALL & ~(DTYPE_BIT(DTYPE_U8) | DTYPE_BIT(DTYPE_BOOL)))
#define POINT(threads)                                                         \
    {                                                                          \
        .name = "masked_copy_evict_last_b" #threads "_i4",                     \
        .idea = "a vector and its mask per thread, reads evicted last",        \
        MOVES_ON_CUDA(FORM_OF(OP_MASKED_COPY), DTYPES_NOT_BYTES),              \
        .deterministic = true, .refuses = refuses<threads>,                    \
        .launch = launch<threads>                                              \
    }

VARIANTS(stream__masked_copy_evict_last) = {
    POINT(128),
    {},
};
