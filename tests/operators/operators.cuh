/* SPDX-License-Identifier: MIT
 *
 * The planted operators as types for kernels (variants/common/op/op.cuh), in
 * place of addition.
 */
#ifndef TESTS_OPERATORS_OPERATORS_CUH
#define TESTS_OPERATORS_OPERATORS_CUH

#include "tests/operators/reducers.h"

template <class T>
struct bits_of {
    static constexpr enum dtype dtype = sizeof(T) == 8   ? DTYPE_F64
                                        : sizeof(T) == 4 ? DTYPE_F32
                                                         : DTYPE_F16;
    static __host__ __device__ __forceinline__ uint64_t get(T x)
    {
        uint64_t bits = 0;
        memcpy(&bits, &x, sizeof x);
        return bits;
    }
    static __host__ __device__ __forceinline__ T set(uint64_t bits)
    {
        T x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
};

template <class T>
struct xor_op;
template <class T, class Integer = uint32_t>
struct xor_of {
    using element = T;
    using acc = Integer;
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = true;
    static constexpr bool lossless = true;

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return 0;
    }
    static __device__ __forceinline__ T pad(void)
    {
        return lower(0);
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        return (acc)bits_of<T>::get(x);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier ^ later;
    }
    static __device__ __forceinline__ T lower(acc a, int64_t = 1)
    {
        return bits_of<T>::set(a);
    }
};
template <>
struct xor_op<float> : xor_of<float> {
};
template <>
struct xor_op<__half> : xor_of<__half> {
};

/* Word has half of the accumulator, at least the bits of half an element. */
template <class Word>
struct alignas(2 * sizeof(Word)) affine_map {
    Word a, b;
};

template <class T, class Word>
struct affine_of {
    using element = T;
    using acc = affine_map<Word>;
    static constexpr bool commutative = false;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = true;

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return acc{ 1, 0 };
    }
    static __device__ __forceinline__ T pad(void)
    {
        return lower(identity());
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        const struct op_acc wide =
            affine_lift(bits_of<T>::dtype, bits_of<T>::get(x), 0);
        return acc{ (Word)wide.word[0], (Word)wide.word[1] };
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return acc{ (Word)(later.a * earlier.a),
                    (Word)(later.a * earlier.b + later.b) };
    }
    static __device__ __forceinline__ T lower(acc a, int64_t = 1)
    {
        const struct op_acc wide = { { a.a, a.b } };
        return bits_of<T>::set(affine_lower(bits_of<T>::dtype, wide, 1));
    }
};
template <class T>
struct affine;
template <>
struct affine<double> : affine_of<double, uint32_t> {
};
template <>
struct affine<float> : affine_of<float, uint64_t> {
};
template <>
struct affine<__half> : affine_of<__half, uint32_t> {
};

/* As xor_of, except for these. */
template <class T, class Integer>
struct most_of : xor_of<T, Integer> {
    using acc = Integer;
    static constexpr bool identity_is_zero_bits = false;

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return (acc)1 << (8 * sizeof(acc) - 1);
    }
    static __device__ __forceinline__ T pad(void)
    {
        return bits_of<T>::set(identity());
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        return (acc)bits_of<T>::get(x) | identity();
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier > later ? earlier : later;
    }
};
template <class T>
struct most;
template <>
struct most<float> : most_of<float, uint32_t> {
};
template <>
struct most<double> : most_of<double, uint64_t> {
};

/* As xor_of, except for these. */
template <class T>
struct placed_of : xor_of<T> {
    using acc = uint32_t;
    static constexpr bool lossless = false;

    static __device__ __forceinline__ acc lift(T x, int64_t position)
    {
        return (acc)placed_lift(bits_of<T>::get(x), position);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier + later;
    }
    static __device__ __forceinline__ void atomic(acc *to, acc later)
    {
        atomicAdd(to, later);
    }
    static __device__ __forceinline__ T lower(acc a, int64_t count)
    {
        return bits_of<T>::set(placed_lower(a, count));
    }
};
template <class T>
struct placed;
template <>
struct placed<float> : placed_of<float> {
};
template <>
struct placed<__half> : placed_of<__half> {
};

/* Delays matter to the order, and to what reductions commute for. */
#ifdef SCANBENCH_DELAYS
#define OPERATORS(X)                                                           \
    X(REDUCER_XOR, xor_op)                                                     \
    X(REDUCER_MODULAR, affine)
#else
#define OPERATORS(X)                                                           \
    X(REDUCER_XOR, xor_op)                                                     \
    X(REDUCER_MODULAR, affine)                                                 \
    X(REDUCER_MOST, most)                                                      \
    X(REDUCER_PLACED, placed)
#endif

#endif
