/* SPDX-License-Identifier: MIT
 *
 * Rows of any alignment in 16-byte accesses: a lane reads the vector that holds
 * its first element, and gets the rest of its elements from the next lane; to
 * write, it gets the missing ones from the lane before. The offset is the same
 * in all lanes of a row. Masks are realigned likewise, a byte per element.
 */
#ifndef VARIANTS_COMMON_ACCESS_REALIGNED_ROWS_CUH
#define VARIANTS_COMMON_ACCESS_REALIGNED_ROWS_CUH

#include "variants/common/access/shuffle.cuh"
#include "variants/common/access/l2_hints.cuh"

/* Words d, d + 1, … of w, for d up to 3. */
template <int Count>
__device__ __forceinline__ void words_from(const uint32_t (&w)[Count + 3],
                                           unsigned d, uint32_t (&to)[Count])
{
    uint32_t near[Count + 1];
#pragma unroll
    for (int k = 0; k < Count + 1; ++k)
        near[k] = d & 2 ? w[k + 2] : w[k];
#pragma unroll
    for (int k = 0; k < Count; ++k)
        to[k] = d & 1 ? near[k + 1] : near[k];
}

__device__ __forceinline__ uint32_t of_next(uint32_t x)
{
    return __shfl_down_sync(kWholeWarp, x, 1);
}
__device__ __forceinline__ uint32_t of_last(uint32_t x)
{
    return __shfl_up_sync(kWholeWarp, x, 1);
}

/* Elements `off` … of a vector of T and the next. */
template <class T>
__device__ __forceinline__ uint4 joined(const uint4 &x, const uint4 &next,
                                        unsigned off)
{
    if constexpr (sizeof(T) == 8)
        return off ? uint4{ x.z, x.w, next.x, next.y } : x;
    if constexpr (sizeof(T) == 4) {
        uint32_t to[4];
        words_from<4>({ x.x, x.y, x.z, x.w, next.x, next.y, next.z }, off, to);
        return { to[0], to[1], to[2], to[3] };
    } else {
        const uint32_t bits = off % 2 * 16;
        uint32_t to[5];
        words_from<5>({ x.x, x.y, x.z, x.w, next.x, next.y, next.z, next.w },
                      off / 2, to);
        return { __funnelshift_r(to[0], to[1], bits),
                 __funnelshift_r(to[1], to[2], bits),
                 __funnelshift_r(to[2], to[3], bits),
                 __funnelshift_r(to[3], to[4], bits) };
    }
}

/* With the next lane's vector. */
template <class T>
__device__ __forceinline__ uint4 pull(const uint4 &x, unsigned off)
{
    return joined<T>(x,
                     { of_next(x.x), of_next(x.y),
                       sizeof(T) < 8 ? of_next(x.z) : 0,
                       sizeof(T) < 4 ? of_next(x.w) : 0 },
                     off);
}

/* The last `off` elements of the lane before, then the first of x. */
template <class T>
__device__ __forceinline__ uint4 push(const uint4 &x, unsigned off)
{
    const uint32_t v = of_last(x.z), w = of_last(x.w);
    if constexpr (sizeof(T) == 8)
        return off ? uint4{ v, w, x.x, x.y } : x;
    const uint32_t u = of_last(x.y);
    if constexpr (sizeof(T) == 4) {
        uint32_t to[4];
        words_from<4>({ u, v, w, x.x, x.y, x.z, x.w }, 3 - off, to);
        return { to[0], to[1], to[2], to[3] };
    } else {
        const uint32_t t = of_last(x.x), bits = off % 2 * 16;
        uint32_t to[5];
        words_from<5>({ t, u, v, w, x.x, x.y, x.z, x.w }, 3 - off / 2, to);
        return { __funnelshift_l(to[0], to[1], bits),
                 __funnelshift_l(to[1], to[2], bits),
                 __funnelshift_l(to[2], to[3], bits),
                 __funnelshift_l(to[3], to[4], bits) };
    }
}

/* A mask's bytes `off` …, as many as a vector has elements. */
__device__ __forceinline__ uint16_t pull_mask(uint16_t m, unsigned off)
{
    return (uint16_t)((m | of_next(m) << 16) >> 8 * off);
}
__device__ __forceinline__ uint32_t pull_mask(uint32_t m, unsigned off)
{
    return __funnelshift_r(m, of_next(m), 8 * off);
}
__device__ __forceinline__ uint2 pull_mask(const uint2 &m, unsigned off)
{
    const uint32_t y = of_next(m.x), z = of_next(m.y);
    const uint32_t a = off & 4 ? m.y : m.x, b = off & 4 ? y : m.y,
                   c = off & 4 ? z : y;
    return { __funnelshift_r(a, b, off % 4 * 8),
             __funnelshift_r(b, c, off % 4 * 8) };
}

/* A lane's share of neighbouring rows, `pitch` elements of E apart: in each,
 * the access of type Bits that holds its first element. Only the tensor's first
 * and last accesses may lie partly outside, if rows are longer than two. */
template <class E, class Bits>
struct row_accesses {
    const E *row; /* start of the first row's piece */
    int64_t pitch;
    int lane, rows; /* rows that exist */

    __device__ __forceinline__ uintptr_t at(int64_t u) const
    {
        return (uintptr_t)(row + u * pitch) / sizeof(Bits) * sizeof(Bits) +
               lane * sizeof(Bits);
    }
    /* The number of the access's elements before the lane's first. */
    __device__ __forceinline__ unsigned off(int u) const
    {
        const unsigned low = (unsigned)(uintptr_t)row +
                             (unsigned)u * (unsigned)(pitch * sizeof(E));
        return low % sizeof(Bits) / sizeof(E);
    }
    __device__ __forceinline__ bool early(const E *begin) const
    {
        return rows > 0 && at(0) < (uintptr_t)begin;
    }
    __device__ __forceinline__ bool late(const E *end) const
    {
        return rows > 0 && at(rows - 1) + sizeof(Bits) > (uintptr_t)end;
    }
    /* Elements [begin, end) of the access at `from`, else those of `pad`. */
    static __device__ __forceinline__ Bits part(uintptr_t from, const E *begin,
                                                const E *end, const Bits &pad)
    {
        auto x = __builtin_bit_cast(vec<E, sizeof(Bits) / sizeof(E)>, pad);
        const E *const at = (const E *)from;
#pragma unroll
        for (int k = 0; k < (int)(sizeof(Bits) / sizeof(E)); ++k)
            if (at + k >= begin && at + k < end)
                x.item[k] = at[k];
        return __builtin_bit_cast(Bits, x);
    }
    /* x[u] = read(address) for all rows, `pad` past the last; the tensor is
     * [begin, end). */
    template <int Rows, class Read>
    __device__ __forceinline__ void load(Bits (&x)[Rows], const E *begin,
                                         const E *end, const Bits &pad,
                                         Read read) const
    {
        const bool first = early(begin), last = late(end);
        const int whole = rows - last;
        const E *here = row;
#pragma unroll
        for (int u = 0; u < Rows; ++u, here += pitch) {
            x[u] = pad;
            if (u < whole && !(u == 0 && first))
                x[u] = read((const Bits *)((uintptr_t)here / sizeof(Bits) *
                                           sizeof(Bits)) +
                            lane);
        }
    }
    /* After load(): the accesses that it left out. */
    template <int Rows>
    __device__ __forceinline__ void complete(Bits (&x)[Rows], const E *begin,
                                             const E *end,
                                             const Bits &pad) const
    {
        const bool first = early(begin);
        if (!first && !late(end))
            return;
        const int row_of = first ? 0 : rows - 1;
        const Bits rest = part(at(row_of), begin, end, pad);
#pragma unroll
        for (int u = 0; u < Rows; ++u)
            if (u == row_of)
                x[u] = rest;
    }
};

#endif
