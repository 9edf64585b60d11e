/* SPDX-License-Identifier: MIT
 *
 * The bulk copy engine of compute capability 9.0, in PTX: one thread asks for
 * kilobytes, and neither loads nor stores wait in line with what the block
 * does in shared memory. Addresses and sizes are multiples of 16 bytes.
 */
#ifndef VARIANTS_SCAN_BULK_COPY_CUH
#define VARIANTS_SCAN_BULK_COPY_CUH

#include "variants/device.cuh"

__device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* By one thread; a block's barrier then shows it to the others. */
__device__ __forceinline__ void bulk_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
                 "fence.proxy.async.shared::cta;" ::"r"(shared_address(barrier))
                 : "memory");
}

/* Announces bytes that copies will bring; once a phase. */
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

/* Shared memory that this thread has written becomes visible to copies; a
 * barrier among the writers comes next. */
__device__ __forceinline__ void bulk_fence(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void bulk_store(void *to, const void *from,
                                           unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 "\n\tcp.async.bulk.commit_group;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}

/* Until this thread's stores have read their shared memory. */
__device__ __forceinline__ void bulk_drain(void)
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

#endif
