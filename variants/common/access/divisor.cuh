/* SPDX-License-Identifier: MIT
 *
 * Division by a number that all threads share: a multiplication by its
 * inverse, which the host computes.
 */
#ifndef VARIANTS_COMMON_ACCESS_DIVISOR_CUH
#define VARIANTS_COMMON_ACCESS_DIVISOR_CUH

#include "variants/common/access/vector.cuh"

__device__ __forceinline__ uint32_t high_product(uint32_t a, uint32_t b)
{
    return __umulhi(a, b);
}
__device__ __forceinline__ uint64_t high_product(uint64_t a, uint64_t b)
{
    return __umul64hi(a, b);
}

/* n / d and n % d. */
template <class Index>
struct divisor {
    Index d, inverse; /* the largest Index / d: quotients by it are at most one
                         too low */

    __device__ __forceinline__ Index quotient(Index n, Index *rest) const
    {
        Index q = high_product(n, inverse), r = n - q * d;
        if (r >= d) {
            ++q;
            r -= d;
        }
        *rest = r;
        return q;
    }
};

/* Of 0, which divides nothing, too. */
template <class Index>
inline divisor<Index> divisor_of(int64_t d)
{
    return { (Index)d, d ? (Index)((Index)-1 / (Index)d) : 0 };
}

#endif
