/* SPDX-License-Identifier: MIT
 *
 * What elements are combined with, as one type: an operator has the type that
 * is carried (acc), its identity, and combine(). A kernel that takes one knows
 * nothing else of the operation; scan<Op>::op in device.cuh says which it is.
 *
 * Operators are associative as far as rounding allows, and commutative: a
 * warp's lanes are reduced as a butterfly. combine() takes what comes earlier
 * in walk order first all the same.
 */
#ifndef VARIANTS_COMMON_OP_CUH
#define VARIANTS_COMMON_OP_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <type_traits>

/* What a T is combined and carried in. */
template <class T>
using acc_t = std::conditional_t<sizeof(T) == 8, double, float>;

template <class T>
__device__ __forceinline__ acc_t<T> to_acc(T value)
{
    if constexpr (std::is_same_v<T, __half>)
        return __half2float(value);
    else if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return __bfloat162float(value);
    else
        return value;
}

template <class T>
__device__ __forceinline__ T from_acc(acc_t<T> value)
{
    if constexpr (std::is_same_v<T, __half>)
        return __float2half_rn(value);
    else if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return __float2bfloat16_rn(value);
    else
        return value;
}

/* Addition of elements of type T. */
template <class T>
struct sum_op {
    using acc = acc_t<T>;
    /* The identity is what a memset of 0 leaves: kernels that fill in words
     * of 0, or mask with them, require it. */
    static constexpr bool identity_is_zero_bits = true;

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return acc(0);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier + later;
    }
};

#endif
