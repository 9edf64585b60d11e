/* SPDX-License-Identifier: MIT
 *
 * The operators other than addition (op.cuh). Their definitions for the
 * verifier are in src/model/definition.h.
 */
#ifndef VARIANTS_COMMON_OP_OTHERS_CUH
#define VARIANTS_COMMON_OP_OTHERS_CUH

/* The larger or the smaller; any NaN wins, as in torch. Halves compare as
 * floats, which is exact. */
template <class T, bool Smaller>
struct extreme {
    using element = T;
    using acc = acc_t<T>;
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = std::is_same_v<T, acc>;

    static __device__ __forceinline__ acc identity(void)
    {
        if constexpr (sizeof(acc) == 8)
            return __longlong_as_double(Smaller ? 0x7ffll << 52
                                                : 0xfffll << 52);
        else
            return __int_as_float(Smaller ? 0x7f800000 : 0xff800000);
    }
    static __device__ __forceinline__ T pad(void)
    {
        return lower(identity());
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        return add<T>::lift(x);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
#if __CUDA_ARCH__ >= 800
        if constexpr (sizeof(acc) == 4) {
            float x;
            if constexpr (Smaller)
                asm("min.NaN.f32 %0, %1, %2;"
                    : "=f"(x)
                    : "f"(earlier), "f"(later));
            else
                asm("max.NaN.f32 %0, %1, %2;"
                    : "=f"(x)
                    : "f"(earlier), "f"(later));
            return x;
        }
#endif
        const bool wins = Smaller ? earlier < later : earlier > later;
        return wins || earlier != earlier ? earlier : later;
    }
    static __device__ __forceinline__ T lower(acc a, int64_t = 1)
    {
        return add<T>::lower(a);
    }
};

/* The sum, divided by the number of elements. */
template <class T>
struct average : add<T> {
    static __device__ __forceinline__ T lower(acc_t<T> a, int64_t count)
    {
        return add<T>::lower(a / (acc_t<T>)count);
    }
};

/* The product. */
template <class T>
struct times {
    using element = T;
    using acc = acc_t<T>;
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = std::is_same_v<T, acc>;

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return acc(1);
    }
    static __device__ __forceinline__ T pad(void)
    {
        return lower(identity());
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        return add<T>::lift(x);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier * later;
    }
    static __device__ __forceinline__ T lower(acc a, int64_t = 1)
    {
        return add<T>::lower(a);
    }
};

template <class T>
using larger = extreme<T, false>;
template <class T>
using smaller = extreme<T, true>;

#define OTHERS(X)                                                              \
    X(REDUCER_MEAN, average)                                                   \
    X(REDUCER_MUL, times)                                                      \
    X(REDUCER_MAX, larger)                                                     \
    X(REDUCER_MIN, smaller)

#endif
