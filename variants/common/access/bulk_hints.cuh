/* SPDX-License-Identifier: MIT
 *
 * Bulk copies with the hints of l2_hints.cuh: read lines leave the L2 last,
 * written lines first.
 */
#ifndef VARIANTS_COMMON_ACCESS_BULK_HINTS_CUH
#define VARIANTS_COMMON_ACCESS_BULK_HINTS_CUH

#include "variants/common/access/bulk_copy.cuh"
#include "variants/common/access/l2_hints.cuh"

__device__ __forceinline__ uint64_t evict_first_policy(void)
{
    uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

__device__ __forceinline__ void bulk_load_kept(void *to, const void *from,
                                               unsigned bytes,
                                               uint64_t *barrier,
                                               uint64_t policy)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(barrier)), "l"(policy)
        : "memory");
}

/* Prefetches to the L2; nothing waits for it. */
__device__ __forceinline__ void bulk_prefetch(const void *from, unsigned bytes,
                                              uint64_t policy)
{
    asm volatile(
        "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(
            from),
        "r"(bytes), "l"(policy)
        : "memory");
}

/* Starts a span's loads, with the hint to be evicted from the L2 last. One
 * thread calls it; span_wait() ends them. */
template <bool Masked, class T>
__device__ __forceinline__ void
span_load_kept(const struct span &s, const T *in, const uint8_t *mask, T *x,
               uint8_t *m, uint64_t *barrier)
{
    const unsigned count = (unsigned)(s.bulk_end - s.bulk_begin);
    if (!count)
        return;
    const uint64_t policy = evict_last_policy();
    bulk_expect(barrier, count * (unsigned)(sizeof(T) + Masked));
    bulk_load_kept(x + (s.bulk_begin - s.origin), in + s.bulk_begin,
                   count * (unsigned)sizeof(T), barrier, policy);
    if (Masked)
        bulk_load_kept(m + (s.bulk_begin - s.origin), mask + s.bulk_begin,
                       count, barrier, policy);
}

/* Prefetches a tile that a later block will load to the L2. */
template <bool Masked, class T>
__device__ __forceinline__ void span_prefetch(const struct span &s, const T *in,
                                              const uint8_t *mask)
{
    const unsigned count = (unsigned)(s.bulk_end - s.bulk_begin);
    if (!count)
        return;
    const uint64_t policy = evict_last_policy();
    bulk_prefetch(in + s.bulk_begin, count * (unsigned)sizeof(T), policy);
    if (Masked)
        bulk_prefetch(mask + s.bulk_begin, count, policy);
}

/* The store joins the group that this thread's next bulk_commit() ends. */
__device__ __forceinline__ void
bulk_store_first(void *to, const void *from, unsigned bytes, uint64_t policy)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint "
                 "[%0], [%1], %2, %3;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes), "l"(policy)
                 : "memory");
}
__device__ __forceinline__ void bulk_commit(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* ----------------------------------- tiles of a tensor, by its CUtensorMap */

__device__ __forceinline__ void tensor_load(void *to, const void *map,
                                            int column, int row, int outer,
                                            uint64_t *barrier, uint64_t policy)
{
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile"
        ".mbarrier::complete_tx::bytes.L2::cache_hint"
        " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(to)),
        "l"(map), "r"(column), "r"(row), "r"(outer),
        "r"(shared_address(barrier)), "l"(policy)
        : "memory");
}

/* The store joins the group that this thread's next bulk_commit() ends. */
__device__ __forceinline__ void tensor_store(const void *map, int column,
                                             int row, int outer,
                                             const void *from, uint64_t policy)
{
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group"
                 ".L2::cache_hint [%0, {%1, %2, %3}], [%4], %5;" ::"l"(map),
                 "r"(column), "r"(row), "r"(outer), "r"(shared_address(from)),
                 "l"(policy)
                 : "memory");
}

#endif
