/* SPDX-License-Identifier: MIT
 *
 * Idea     One 16-byte vector per thread, in memory order, loaded with the
 *          evict-last hint: written lines then leave the L2 soon, and in
 *          order.
 * Against  copy: that has no eviction hint, and a thread moves several vectors.
 * Traffic  2N elements: the compulsory minimum (passes = 1).
 * Needs    nothing; off 16-byte boundaries it is the driver's copy.
 * Source   none.
 * Lesson   If read lines leave the L2 last, written lines leave soon and in
 *          order.
 */
#include "variants/common/access/l2_hints.cuh"
#include "variants/common/kernel.cuh"

/* `tail` bytes do not fill a vector. */
template <int Threads>
static __global__ void __launch_bounds__(Threads)
    copy_evict_last(const uint4 *__restrict__ in, uint4 *__restrict__ out,
                    int64_t vectors, int tail)
{
    TAG(fast);
    const int64_t at = (int64_t)blockIdx.x * Threads + threadIdx.x;
    if (at < vectors)
        __stcs(out + at, read_kept(in + at, evict_last_policy()));
    else if (at < vectors + tail)
        ((uint8_t *)(out + vectors))[at - vectors] =
            ((const uint8_t *)(in + vectors))[at - vectors];
}

template <int Threads>
static int launch(const struct problem *p, void *stream)
{
    const int64_t bytes = op_out_bytes(p->op, p->dtype, p->shape);
    if (((uintptr_t)p->in | (uintptr_t)p->out) % 16)
        return cudaMemcpyAsync(p->out, p->in, (size_t)bytes,
                               cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
    const int64_t vectors = bytes / 16;
    const int tail = (int)(bytes % 16);
    return launch_kernel(copy_evict_last<Threads>,
                         ceil_div(vectors + tail, Threads), Threads, 0, stream,
                         p->in, p->out, vectors, tail);
}

template <int Threads>
static const char *refuses(const struct problem *p)
{
    if (op_out_bytes(p->op, p->dtype, p->shape) / 16 / Threads > 1 << 30)
        return "more blocks than a grid can have";
    return NULL;
}

#define POINT(threads)                                                         \
    {                                                                          \
        .name = "copy_evict_last_b" #threads "_i4",                            \
        .idea = "a 16-byte vector per thread, reads evicted last",             \
        MOVES_ON_CUDA(FORM_OF(OP_COPY), DTYPES_ALL), .deterministic = true,    \
        .refuses = refuses<threads>, .launch = launch<threads>                 \
    }

VARIANTS(stream__copy_evict_last) = {
    POINT(128),
    {},
};
