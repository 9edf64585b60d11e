/* SPDX-License-Identifier: MIT
 *
 * Elements held as they lie in the tensor, so that a half takes half of the
 * room and twice as many are in flight; sums and scans of them, and single
 * accesses for the ends of a line that share a vector with its neighbours.
 */
#ifndef VARIANTS_COMMON_RAW_TILE_CUH
#define VARIANTS_COMMON_RAW_TILE_CUH

#include "variants/common/device.cuh"
#include "variants/common/l2_hints.cuh"

/* Width elements that are moved by one access. */
template <class T, int Width>
struct alignas(Width * sizeof(T)) raw {
    T item[Width];
};
template <int Width>
struct alignas(Width) raw_mask {
    uint8_t item[Width];
};

/* The register that holds an access: a struct of halves would be copied half
 * by half. */
template <int Bytes>
struct raw_bits;
template <>
struct raw_bits<16> {
    using type = uint4;
};
template <>
struct raw_bits<8> {
    using type = uint2;
};
template <>
struct raw_bits<4> {
    using type = uint32_t;
};
template <>
struct raw_bits<2> {
    using type = uint16_t;
};
template <>
struct raw_bits<1> {
    using type = uint8_t;
};

template <class Raw>
__device__ __forceinline__ Raw raw_read(const void *from)
{
    return __builtin_bit_cast(
        Raw,
        *reinterpret_cast<const typename raw_bits<sizeof(Raw)>::type *>(from));
}

/* Writes an access to global memory, and to shared memory. In PTX, since the
 * compiler takes a store of joined elements apart again. */
__device__ __forceinline__ void raw_store(void *to, uint4 x)
{
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(x.x),
                 "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}
__device__ __forceinline__ void raw_put(void *to, uint4 x)
{
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}

/* All other widths are single elements. */
template <class Bits>
__device__ __forceinline__ void raw_store(void *to, Bits x)
{
    *reinterpret_cast<Bits *>(to) = x;
}

template <class Raw>
__device__ __forceinline__ void raw_write(void *to, const Raw &x)
{
    using bits = typename raw_bits<sizeof(Raw)>::type;
    raw_store(to, __builtin_bit_cast(bits, x));
}
template <class Raw>
__device__ __forceinline__ void raw_write_shared(void *to, const Raw &x)
{
    raw_put(to, __builtin_bit_cast(uint4, x));
}

template <class Raw>
using raw_bits_t = typename raw_bits<sizeof(Raw)>::type;

/* The same accesses with words.cuh's hints: what is read leaves the L2 last,
 * what is written leaves it first. */
__device__ __forceinline__ uint4 raw_read_kept(const uint4 *from,
                                               uint64_t policy)
{
    return load_kept(from, policy);
}
template <class Bits>
__device__ __forceinline__ Bits raw_read_kept(const Bits *from, uint64_t)
{
    return *from;
}
__device__ __forceinline__ uint32_t raw_read_kept(const uint32_t *from,
                                                  uint64_t policy)
{
#if __CUDA_ARCH__ >= 800
    uint32_t x;
    asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;"
                 : "=r"(x)
                 : "l"(from), "l"(policy));
    return x;
#else
    return *from;
#endif
}
__device__ __forceinline__ void raw_write_first(void *to, uint4 x)
{
    asm volatile("st.global.cs.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to),
                 "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}
template <class Bits>
__device__ __forceinline__ void raw_write_first(void *to, Bits x)
{
    __stcs((Bits *)to, x);
}
__device__ __forceinline__ void raw_write_first(void *to, uint16_t x)
{
    __stcs((unsigned short *)to, x);
}

/* Nothing; but what was computed from x so far is not kept for later, as the
 * compiler would do at the price of registers. */
__device__ __forceinline__ void raw_forget(uint4 &x)
{
    asm volatile("" : "+r"(x.x), "+r"(x.y), "+r"(x.z), "+r"(x.w));
}
__device__ __forceinline__ void raw_forget(uint2 &x)
{
    asm volatile("" : "+r"(x.x), "+r"(x.y));
}
__device__ __forceinline__ void raw_forget(uint32_t &x)
{
    asm volatile("" : "+r"(x));
}
__device__ __forceinline__ void raw_forget(uint16_t &x)
{
    asm volatile("" : "+h"(x));
}
__device__ __forceinline__ void raw_forget(int &x)
{
    asm volatile("" : "+r"(x));
}
__device__ __forceinline__ int64_t raw_forget(int64_t x)
{
    asm volatile("" : "+l"(x));
    return x;
}

template <class T, int Width>
__device__ __forceinline__ void raw_select(raw<T, Width> &x,
                                           const raw_mask<Width> &m)
{
#pragma unroll
    for (int k = 0; k < Width; ++k)
        if (!m.item[k])
            x.item[k] = from_acc<T>(0);
}

/* The same in words: of a mask's bytes, 0 or 1, the sign of each is made a
 * whole element. Bytes are numbered in `bytes`, 8 and more for the sign. */
__device__ __forceinline__ uint32_t raw_spread(uint32_t mask, unsigned bytes)
{
    uint32_t all;
    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(all) : "r"(mask << 7), "r"(bytes));
    return all;
}
template <class T>
__device__ __forceinline__ uint4 raw_where(uint4 x, uint32_t m) /* floats */
{
    return { x.x & raw_spread(m, 0x8888), x.y & raw_spread(m, 0x9999),
             x.z & raw_spread(m, 0xaaaa), x.w & raw_spread(m, 0xbbbb) };
}
template <class T>
__device__ __forceinline__ uint4 raw_where(uint4 x, uint2 m) /* halves */
{
    return { x.x & raw_spread(m.x, 0x9988), x.y & raw_spread(m.x, 0xbbaa),
             x.z & raw_spread(m.y, 0x9988), x.w & raw_spread(m.y, 0xbbaa) };
}
template <class T>
__device__ __forceinline__ uint4 raw_where(uint4 x, uint16_t m) /* doubles */
{
    const uint32_t first = raw_spread(m, 0x8888),
                   second = raw_spread(m, 0x9999);
    return { x.x & first, x.y & first, x.z & second, x.w & second };
}
template <class T, class Bits>
__device__ __forceinline__ Bits raw_where(Bits x, uint8_t m) /* one element */
{
    return m ? x : Bits{};
}

template <class T, int Width>
__device__ __forceinline__ acc_t<T> raw_sum(const raw<T, Width> &x)
{
    acc_t<T> sum = to_acc(x.item[0]);
#pragma unroll
    for (int k = 1; k < Width; ++k)
        sum += to_acc(x.item[k]);
    return sum;
}

/* Replaces the elements by their scan, `carry` having come before. */
template <class Scan, class T, int Width>
__device__ __forceinline__ void raw_scan(raw<T, Width> &x, acc_t<T> carry)
{
#pragma unroll
    for (int step = 0; step < Width; ++step) {
        const int k = Scan::reverse ? Width - 1 - step : step;
        const acc_t<T> sum = carry + to_acc(x.item[k]);
        x.item[k] = from_acc<T>(Scan::exclusive ? carry : sum);
        carry = sum;
    }
}

/* Elements [begin, end) of a tensor. */
template <class T>
struct raw_span {
    const T *in;
    const uint8_t *mask;
    T *out;
    int64_t begin, end;
};

/* One access at index `at`, singly: 0 outside of the span and where masked
 * off. */
template <bool Masked, class T, int Width>
__device__ __forceinline__ void raw_load_part(const raw_span<T> &s, int64_t at,
                                              raw<T, Width> *x)
{
#pragma unroll
    for (int k = 0; k < Width; ++k) {
        bool take = at + k >= s.begin && at + k < s.end;
        if constexpr (Masked)
            take = take && s.mask[at + k];
        x->item[k] = take ? s.in[at + k] : from_acc<T>(0);
    }
}

template <class T, int Width>
__device__ __forceinline__ void raw_store_part(const raw_span<T> &s, int64_t at,
                                               const raw<T, Width> &x)
{
#pragma unroll
    for (int k = 0; k < Width; ++k)
        if (at + k >= s.begin && at + k < s.end)
            s.out[at + k] = x.item[k];
}

#endif
