/* SPDX-License-Identifier: MIT
 *
 * The bulk copy engine of compute capability 9.0, in PTX: one thread requests
 * kilobytes, and neither loads nor stores queue behind the block's accesses to
 * shared memory. Addresses and sizes are multiples of 16 bytes.
 */
#ifndef VARIANTS_COMMON_ACCESS_BULK_COPY_CUH
#define VARIANTS_COMMON_ACCESS_BULK_COPY_CUH

#include "variants/common/launch/built_for.h"
#include "variants/common/launch/dispatch.cuh"

__device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* Allows a kernel all dynamic shared memory that a block may have, unless it
 * has `bytes` already, and requests the largest carveout: by default the driver
 * may reserve less than the blocks that fit on an SM need. Both belong to the
 * kernel, for its launches of all shapes in all threads. Returns 0 or the
 * error. */
template <class Kernel>
int bulk_room(Kernel kernel, int bytes)
{
    cudaFuncAttributes now;
    int device = 0, most = 0;
    cudaError_t error = cudaFuncGetAttributes(&now, kernel);
    if (error != cudaSuccess ||
        (now.preferredShmemCarveout == cudaSharedmemCarveoutMaxShared &&
         now.maxDynamicSharedSizeBytes >= bytes))
        return error;
    error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(
            &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
            most - (int)now.sharedSizeBytes);
    return error != cudaSuccess
               ? error
               : cudaFuncSetAttribute(
                     kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                     cudaSharedmemCarveoutMaxShared);
}

/* Queues a kernel whose blocks have `bytes` bytes of shared memory. */
template <class Kernel, class... Args>
int bulk_launch(Kernel kernel, int64_t blocks, int threads, int bytes,
                void *stream, Args... args)
{
    const int error = bulk_room(kernel, bytes);
    return error != cudaSuccess ? error
                                : launch_kernel(kernel, blocks, threads,
                                                (size_t)bytes, stream, args...);
}

/* Initialises a barrier whose phases end after `arrivals` threads have
 * announced bytes and these have arrived. One thread calls it, and a block's
 * barrier follows. Like bulk_fence(), does nothing without bulk copies. */
__device__ __forceinline__ void bulk_init(uint64_t *barrier, unsigned arrivals)
{
#if HAS_BULK_COPY
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], %1;\n\t"
        "fence.proxy.async.shared::cta;" ::"r"(shared_address(barrier)),
        "r"(arrivals)
        : "memory");
#endif
}

/* Announces the bytes of this thread's copies. */
__device__ __forceinline__ void bulk_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

__device__ __forceinline__ void bulk_load(void *to, const void *from,
                                          unsigned bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

/* Waits for the end of the phase of that parity. */
__device__ __forceinline__ void bulk_wait(uint64_t *barrier, unsigned parity)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
}

/* Makes this thread's writes to shared memory visible to bulk copies; a barrier
 * among the writers follows. */
__device__ __forceinline__ void bulk_fence(void)
{
#if HAS_BULK_COPY
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/* Waits until at most Left of this thread's latest stores have yet to read
 * their shared memory. */
template <int Left = 0>
__device__ __forceinline__ void bulk_wait_read(void)
{
#if HAS_BULK_COPY
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Left) : "memory");
#endif
}

/* ------------------------------------------- spans of a tensor */

/* Bulk copies begin and end at boundaries this many elements apart: 16 bytes of
 * a mask, a multiple of 16 of elements. */
constexpr int kAlignment = 16;

/* The boundaries of a problem's tensors. */
struct alignment {
    int lead;    /* elements from a boundary to the first element */
    bool common; /* in, mask and out have them at the same elements */
};

inline struct alignment alignment_of(const struct problem *p)
{
    const int bytes = (int)dtype_bytes(p->dtype);
    const int in_lead = (int)((uintptr_t)p->in % 16 / bytes);
    const int lead = p->mask ? (int)((uintptr_t)p->mask % kAlignment) : in_lead;
    const int out_bytes = out_elem_bytes(p), wide = 16 / out_bytes;
    const bool out_too =
        !op_is_scan(p->op) ||
        in_lead % wide == (int)((uintptr_t)p->out % 16 / out_bytes);
    return { lead, out_too && lead % (16 / bytes) == in_lead };
}

/* The last boundary at or before an element. */
__device__ __forceinline__ int64_t align_down(int64_t at, struct alignment a)
{
    return (at + a.lead) / kAlignment * kAlignment - a.lead;
}

/* Elements [begin, end), of which bulk copies reach [bulk_begin, bulk_end):
 * none if the tensors have no common boundaries. Element e lies at e - origin
 * in shared memory. */
struct span {
    int64_t begin, end, bulk_begin, bulk_end, origin;
};

__device__ __forceinline__ struct span
span_of(int64_t begin, int64_t end, int64_t origin, struct alignment a)
{
    struct span s = { begin, end, align_down(begin + kAlignment - 1, a),
                      align_down(end, a), origin };
    if (!a.common || s.bulk_end <= s.bulk_begin)
        s.bulk_begin = s.bulk_end = end;
    return s;
}

/* Calls visit(e) for the elements that bulk copies do not reach, spread over
 * the block. */
template <class Visit>
__device__ __forceinline__ void span_rest(const struct span &s, Visit visit)
{
    for (int64_t e = s.begin + threadIdx.x; e < s.bulk_begin; e += blockDim.x)
        visit(e);
    for (int64_t e = s.bulk_end + threadIdx.x; e < s.end; e += blockDim.x)
        visit(e);
}

/* Loads elements that bulk copies do not reach, and waits for the copies. Every
 * thread calls it; a barrier follows unless all are reached. */
template <bool Masked, class T>
__device__ __forceinline__ void span_wait(const struct span &s, const T *in,
                                          const uint8_t *mask, T *x, uint8_t *m,
                                          uint64_t *barrier, unsigned *parity)
{
    span_rest(s, [&](int64_t e) {
        x[e - s.origin] = in[e];
        if (Masked)
            m[e - s.origin] = mask[e];
    });
    if (s.bulk_begin < s.bulk_end) {
        bulk_wait(barrier, *parity);
        *parity ^= 1;
    }
}

/* refuses() of a variant that needs bulk copies. */
inline const char *bulk_lacking(const struct problem *p)
{
    if (built_for(p, 90))
        return NULL;
    return p->device->compute_capability < 90
               ? "needs compute capability 9.0 (bulk copies or clusters)"
               : "needs a build for compute capability 9.0 (bulk copies or "
                 "clusters)";
}

#endif
