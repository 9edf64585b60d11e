/* SPDX-License-Identifier: MIT
 *
 * What at least three kernel files share: loads and stores of a thread's items,
 * the directions of a scan, warp and block scans, and the step from a
 * problem's op and dtype to a template instance. A technique's own idea stays
 * in its own file.
 */
#ifndef VARIANTS_COMMON_DEVICE_CUH
#define VARIANTS_COMMON_DEVICE_CUH

#include "src/variant.h"
#include "variants/common/arch.cuh"
#include "variants/common/op.cuh"
#include "variants/common/vector.cuh"

/* ------------------------------------------------------- loads, stores */

/* Vectors a thread holds of a tile of Items elements a thread. Half as many of
 * doubles, which take two registers each. */
template <class T, int Items>
constexpr int kTileVectors = (sizeof(T) == 8 ? Items / 2 : Items) / kVec<T>;

/* True if lines of `axis` elements all start on a 16-byte boundary (and their
 * masks, if any, on kVec<T> bytes). */
template <class T>
__host__ __device__ __forceinline__ bool
lines_aligned(const void *in, const uint8_t *mask, const void *out,
              int64_t axis)
{
    return axis % kVec<T> == 0 && (uintptr_t)in % 16 == 0 &&
           (uintptr_t)out % 16 == 0 && (uintptr_t)mask % kVec<T> == 0;
}

/* True if in, out and mask have their 16-byte boundaries (kVec<T> bytes of
 * mask) at the same elements, so that lines off them can be in vectors too. */
template <class T>
bool same_boundaries(const struct problem *p)
{
    const uintptr_t off = (uintptr_t)p->in / sizeof(T) % kVec<T>;
    return (uintptr_t)p->out / sizeof(T) % kVec<T> == off &&
           (!p->mask || (uintptr_t)p->mask % kVec<T> == off);
}

/* One vector's worth of elements at `at`, single accesses, into v: 0 at and
 * past `end` and where masked off. */
template <class T, bool Masked>
__device__ __forceinline__ void
load_singly(const T *__restrict__ in, const uint8_t *__restrict__ mask,
            int64_t at, int64_t end, acc_t<T> (&v)[kVec<T>])
{
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k) {
        bool take = at + k < end;
        if constexpr (Masked)
            take = take && mask[at + k];
        v[k] = take ? to_acc(in[at + k]) : acc_t<T>(0);
    }
}

/* The same with one access, where in + at is aligned and end - at a multiple
 * of kVec<T> (see lines_aligned()). No branch, so that the loads of several
 * vectors can all be in flight. */
template <class T, bool Masked>
__device__ __forceinline__ void
load_vector(const T *__restrict__ in, const uint8_t *__restrict__ mask,
            int64_t at, int64_t end, acc_t<T> (&v)[kVec<T>])
{
    vec<T> x = {};
    mask_vec<T> m = {};
    if (at < end)
        x = *reinterpret_cast<const vec<T> *>(in + at);
    if (Masked && at < end)
        m = *reinterpret_cast<const mask_vec<T> *>(mask + at);
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        v[k] = !Masked || m.item[k] ? to_acc(x.item[k]) : acc_t<T>(0);
}

/* Vecs vectors at at, at + stride, …: `aligned` (uniform) chooses how. */
template <class T, bool Masked, int Vecs>
__device__ __forceinline__ void
load_items(const T *__restrict__ in, const uint8_t *__restrict__ mask,
           int64_t at, int stride, int64_t end, bool aligned,
           acc_t<T> (&v)[Vecs][kVec<T>])
{
    if (aligned) {
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            load_vector<T, Masked>(in, mask, at + j * stride, end, v[j]);
    } else {
#pragma unroll
        for (int j = 0; j < Vecs; ++j)
            load_singly<T, Masked>(in, mask, at + j * stride, end, v[j]);
    }
}

template <class T, bool Masked>
__device__ __forceinline__ void
load_items(const T *__restrict__ in, const uint8_t *__restrict__ mask,
           int64_t at, int64_t end, bool aligned, acc_t<T> (&v)[kVec<T>])
{
    if (aligned)
        load_vector<T, Masked>(in, mask, at, end, v);
    else
        load_singly<T, Masked>(in, mask, at, end, v);
}

/* Writes one vector to out + at, nothing at or past end. */
template <class T>
__device__ __forceinline__ void store_items(T *__restrict__ out, int64_t at,
                                            int64_t end, bool aligned,
                                            const acc_t<T> (&v)[kVec<T>])
{
    if (aligned) {
        vec<T> y;
#pragma unroll
        for (int k = 0; k < kVec<T>; ++k)
            y.item[k] = from_acc<T>(v[k]);
        if (at < end)
            *reinterpret_cast<vec<T> *>(out + at) = y;
        return;
    }
#pragma unroll
    for (int k = 0; k < kVec<T>; ++k)
        if (at + k < end)
            out[at + k] = from_acc<T>(v[k]);
}

/* ---------------------------------------------------------------- scans */

/* A scan operation as types: Reverse walks every line from its end; op<T> is
 * what it combines elements with. */
template <enum op Op>
struct scan {
    template <class T>
    using op = sum_op<T>;
    static constexpr bool reverse = Op == OP_CUMSUM_REVERSE;
    static constexpr bool exclusive = Op == OP_CUMSUM_EXCLUSIVE;
    static constexpr bool masked = Op == OP_MASKED_CUMSUM;
};

template <class Scan, class T>
using op_of = typename Scan::template op<T>;

constexpr unsigned kWholeWarp = 0xffffffffu;

/* The reduction of `value` over the lanes before this one in walk order (after
 * it, if Reverse), and in *total over all lanes. */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc warp_prefix(typename Op::acc value,
                                                        typename Op::acc *total)
{
    using Acc = typename Op::acc;
    const int lane = threadIdx.x % 32;
    const int rank = Reverse ? 31 - lane : lane; /* place in walk order */
    Acc sum = value;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const Acc other = Reverse ? __shfl_down_sync(kWholeWarp, sum, step)
                                  : __shfl_up_sync(kWholeWarp, sum, step);
        if (rank >= step)
            sum = Op::combine(other, sum);
    }
    *total = __shfl_sync(kWholeWarp, sum, Reverse ? 0 : 31);
    const Acc before = Reverse ? __shfl_down_sync(kWholeWarp, sum, 1)
                               : __shfl_up_sync(kWholeWarp, sum, 1);
    return rank ? before : Op::identity();
}

/* The reduction over all lanes, in every lane. */
template <class Op>
__device__ __forceinline__ typename Op::acc warp_reduce(typename Op::acc value)
{
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        value = Op::combine(value, __shfl_xor_sync(kWholeWarp, value, apart));
    return value;
}

/* A barrier of the whole block, which every thread meets at the same place. */
struct block_barrier {
    static __device__ __forceinline__ void wait(void)
    {
        __syncthreads();
    }
};

/* One that counts threads: warps with roles may meet it at different places,
 * and a warp's lanes one by one. */
template <int Threads>
struct counting_barrier {
    static __device__ __forceinline__ void wait(void)
    {
        asm volatile("barrier.sync 1, %0;" ::"n"(Threads) : "memory");
    }
};

/* The same over a block of Threads, given every warp's total: the reduction
 * over the warps before this one, and in *total over all. `totals` is shared
 * memory for Threads / 32 values; it may be used again after one more
 * barrier. */
template <class Op, bool Reverse, int Threads, class Barrier = block_barrier>
__device__ __forceinline__ typename Op::acc
warps_prefix(typename Op::acc warp_total, typename Op::acc *totals,
             typename Op::acc *total)
{
    using Acc = typename Op::acc;
    constexpr int kWarps = Threads / 32;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if constexpr (kWarps == 1) {
        *total = warp_total;
        return Op::identity();
    }
    if (lane == 0)
        totals[warp] = warp_total;
    Barrier::wait();
    /* Every warp scans all totals: one barrier less than a spine warp. */
    const Acc mine = lane < kWarps ? totals[lane] : Op::identity();
    const Acc before = warp_prefix<Op, Reverse>(mine, total);
    return __shfl_sync(kWholeWarp, before, warp);
}

/* The reduction over a thread's items. */
template <class Op, int Items>
__device__ __forceinline__ typename Op::acc
items_reduce(const typename Op::acc (&v)[Items])
{
    typename Op::acc sum = v[0];
#pragma unroll
    for (int k = 1; k < Items; ++k)
        sum = Op::combine(sum, v[k]);
    return sum;
}

/* A warp's elements as rows, row j being vector j of every lane: in before[j]
 * the reduction of what comes before this lane's vector in walk order, and
 * returned that of all. */
template <class Op, bool Reverse, int Rows, int Items>
__device__ __forceinline__ typename Op::acc
rows_prefix(const typename Op::acc (&v)[Rows][Items],
            typename Op::acc (&before)[Rows])
{
    using Acc = typename Op::acc;
    Acc total = Op::identity();
#pragma unroll
    for (int step = 0; step < Rows; ++step) {
        const int j = Reverse ? Rows - 1 - step : step;
        Acc row_total;
        before[j] = Op::combine(total, warp_prefix<Op, Reverse>(
                                           items_reduce<Op>(v[j]), &row_total));
        total = Op::combine(total, row_total);
    }
    return total;
}

/* Replaces a thread's items by their scan, `carry` having come before. */
template <class Scan, class Op, int Items>
__device__ __forceinline__ void items_scan(typename Op::acc (&v)[Items],
                                           typename Op::acc carry)
{
#pragma unroll
    for (int step = 0; step < Items; ++step) {
        const int k = Scan::reverse ? Items - 1 - step : step;
        const typename Op::acc sum = Op::combine(carry, v[k]);
        v[k] = Scan::exclusive ? carry : sum;
        carry = sum;
    }
}

/* ------------------------------------------------------------- dispatch */

#ifndef SCANBENCH_OPS
#define SCANBENCH_OPS OPS_ALL /* what option `ops` builds */
#endif
#ifndef SCANBENCH_DTYPES
#define SCANBENCH_DTYPES DTYPES_ALL /* and option `dtypes` */
#endif

/* A runtime dtype as a compile-time type, handed to a generic lambda. */
template <class T>
struct type_tag {
    using type = T;
};

template <enum dtype Dtype, class T, class Run>
int dispatch_if_built(Run run)
{
    if constexpr ((SCANBENCH_DTYPES & DTYPE_BIT(Dtype)) != 0)
        return run(type_tag<T>{});
    return cudaErrorNotSupported;
}

/* Calls run(type_tag<T>) for the dtype. */
template <class Run>
int dispatch_dtype(enum dtype dtype, Run run)
{
    switch (dtype) {
    case DTYPE_F32:
        return dispatch_if_built<DTYPE_F32, float>(run);
    case DTYPE_F64:
        return dispatch_if_built<DTYPE_F64, double>(run);
    case DTYPE_F16:
        return dispatch_if_built<DTYPE_F16, __half>(run);
    case DTYPE_BF16:
        return dispatch_if_built<DTYPE_BF16, __nv_bfloat16>(run);
    default:
        return cudaErrorInvalidValue;
    }
}

template <enum op Op, class Run>
int dispatch_if_built(enum dtype dtype, Run run)
{
    if constexpr ((SCANBENCH_OPS & OP_BIT(Op)) != 0)
        return dispatch_dtype(dtype,
                              [&](auto type) { return run(type, scan<Op>{}); });
    return cudaErrorNotSupported;
}

/* Calls run(type_tag<T>, scan<Op>) for a scan problem and returns its result,
 * a cudaError_t. */
template <class Run>
int dispatch_scan(const struct problem *p, Run run)
{
    switch (p->op) {
    case OP_CUMSUM:
        return dispatch_if_built<OP_CUMSUM>(p->dtype, run);
    case OP_CUMSUM_EXCLUSIVE:
        return dispatch_if_built<OP_CUMSUM_EXCLUSIVE>(p->dtype, run);
    case OP_CUMSUM_REVERSE:
        return dispatch_if_built<OP_CUMSUM_REVERSE>(p->dtype, run);
    case OP_MASKED_CUMSUM:
        return dispatch_if_built<OP_MASKED_CUMSUM>(p->dtype, run);
    default:
        return cudaErrorInvalidValue;
    }
}

/* ceil(n / d) */
__host__ __device__ __forceinline__ int64_t ceil_div(int64_t n, int64_t d)
{
    return (n + d - 1) / d;
}

/* Blocks of `threads` that the device holds at once, as far as their threads
 * decide. */
inline int64_t blocks_in_a_wave(const struct device_facts *device, int threads)
{
    return (int64_t)device->sm_count * (device->max_threads_per_sm / threads);
}

/* A variant's refuses(), where it walks along memory. */
inline const char *contiguous_only(const struct problem *p)
{
    return p->shape.inner != 1 ? "serves contiguous lines only (inner = 1)"
                               : NULL;
}

/* A variant's refuses(), whose blocks have `bytes` of dynamic shared memory
 * and, for their sums, less than 1 KB that is static. */
inline const char *tile_refuses(const struct problem *p, int64_t bytes)
{
    constexpr int64_t kStaticBytes = 1024;
    return p->device && bytes + kStaticBytes > p->device->shared_optin_bytes
               ? "a tile does not fit into a block's shared memory"
               : NULL;
}

/* A grid's x extent ends at 2^31 - 1: kernels stride on by gridDim.x. */
inline unsigned grid_x(int64_t blocks)
{
    return (unsigned)(blocks < 0x7fffffff ? blocks : 0x7fffffff);
}

#endif
