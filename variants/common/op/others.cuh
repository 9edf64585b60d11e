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

/* An element as an unsigned integer that is ordered alike: zeros
 * are equal, NaNs the largest. No element is 0, nor, reversed, all ones. */
template <class T, bool Smaller>
__device__ __forceinline__ auto order_key(T x)
{
    using bits_t = std::conditional_t<
        sizeof(T) == 8, unsigned long long,
        std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;
    constexpr bits_t kSign = (bits_t)1 << (8 * sizeof(T) - 1);
    const bits_t bits = __builtin_bit_cast(bits_t, x);
    bits_t key = bits & kSign ? ~bits : bits | kSign;
    if ((bits_t)(bits << 1) == 0)
        key = kSign;
    if constexpr (Smaller)
        key = ~key;
    const auto y = add<T>::lift(x);
    return y != y ? (bits_t) ~(bits_t)0 : key;
}

/* The reduction of x(0) to x(Items - 1), in four chains. */
template <class Op, int Items, class Get>
__device__ __forceinline__ typename Op::acc in_chains(Get x)
{
    constexpr int kChains = Items < 4 ? Items : 4;
    typename Op::acc chain[kChains];
#pragma unroll
    for (int k = 0; k < Items; ++k)
        chain[k % kChains] =
            k < kChains ? x(k) : Op::combine(chain[k % kChains], x(k));
#pragma unroll
    for (int k = 1; k < kChains; ++k)
        chain[0] = Op::combine(chain[0], chain[k]);
    return chain[0];
}

/* The lowest k below Items for which holds(k), or Items. */
template <int Items, class Holds>
__device__ __forceinline__ int first_of(Holds holds)
{
    constexpr int kChains = Items < 4 ? Items : 4;
    int chain[kChains];
#pragma unroll
    for (int k = Items - 1; k >= 0; --k) {
        int &at = chain[k % kChains];
        at = holds(k) ? k : k + kChains < Items ? at : Items;
    }
#pragma unroll
    for (int k = 1; k < kChains; ++k)
        chain[0] = min(chain[0], chain[k]);
    return chain[0];
}

/* The acc of the place of the first extreme, or of the first NaN. */
template <class Op, bool Smaller, int Items, class Get, class Place>
__device__ __forceinline__ typename Op::acc place_in(Get get, Place place)
{
    using T = typename Op::element;
    const auto x = [&](int k) { return add<T>::lift(get(k)); };
    const auto best = in_chains<extreme<T, Smaller>, Items>(x);
    int at = first_of<Items>([&](int k) { return x(k) == best; });
    if (best != best)
        at = first_of<Items>([&](int k) { return x(k) != x(k); });
    return Op::lift(add<T>::lower(best), place(at));
}

/* The place of the largest or the smallest element, the first of equals or of
 * NaNs: an acc is its key above the complement of its place, so that the larger
 * acc wins. Keys of floats leave 32 bits for the place, doubles take a second
 * word. */
template <class T, bool Smaller>
struct place_of_extreme {
    using element = T;
    using acc = unsigned long long;
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = false;
    static constexpr int kPlaceBits = 64 - 8 * (int)sizeof(T);
    static constexpr acc kPlaces = ((acc)1 << kPlaceBits) - 1;

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return 0;
    }
    static __device__ __forceinline__ T pad(void)
    {
        return add<T>::lower(extreme<T, Smaller>::identity());
    }
    static __device__ __forceinline__ acc lift(T x, int64_t position)
    {
        return (acc)order_key<T, Smaller>(x) << kPlaceBits |
               (~(acc)position & kPlaces);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier > later ? earlier : later;
    }
    template <int Items, class Get, class Place>
    static __device__ __forceinline__ acc reduce(Get get, Place place)
    {
        return place_in<place_of_extreme, Smaller, Items>(get, place);
    }
    static __device__ __forceinline__ int64_t lower(acc a, int64_t count)
    {
        return count ? (int64_t)(~a & kPlaces) : -1;
    }
};

template <bool Smaller>
struct place_of_extreme<double, Smaller> {
    using element = double;
    struct alignas(16) acc {
        unsigned long long key;
        int64_t place;
    };
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = false;

    static __device__ __forceinline__ acc identity(void)
    {
        return { 0, -1 };
    }
    static __device__ __forceinline__ double pad(void)
    {
        return extreme<double, Smaller>::identity();
    }
    static __device__ __forceinline__ acc lift(double x, int64_t position)
    {
        return { order_key<double, Smaller>(x), position };
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        const bool first = earlier.key == later.key
                               ? earlier.place < later.place
                               : earlier.key > later.key;
        return first ? earlier : later;
    }
    template <int Items, class Get, class Place>
    static __device__ __forceinline__ acc reduce(Get get, Place place)
    {
        return place_in<place_of_extreme, Smaller, Items>(get, place);
    }
    static __device__ __forceinline__ int64_t lower(acc a, int64_t count)
    {
        return count ? a.place : -1;
    }
};

/* ex2.approx serves floats; one function serves all calls with doubles, as it
 * is long. */
__device__ __forceinline__ float exp_of(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x * 1.44269504f));
    return y;
}
static __device__ __noinline__ double exp_of(double x)
{
    return exp(x);
}
__device__ __forceinline__ float log_of(float x)
{
    return __logf(x);
}
static __device__ __noinline__ double log_of(double x)
{
    return log(x);
}

/* log(sum of exp(x)): an acc is the largest x and the sum of exp(x - largest),
 * which neither overflows nor loses the largest. Where it is infinite or NaN,
 * it is the result. */
template <class T>
struct log_add_exp {
    using element = T;
    using value = acc_t<T>;
    struct alignas(2 * sizeof(value)) acc {
        value most, sum;
    };
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = false;

    static __device__ __forceinline__ acc identity(void)
    {
        return { extreme<T, false>::identity(), 0 };
    }
    static __device__ __forceinline__ T pad(void)
    {
        return add<T>::lower(identity().most);
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        return { add<T>::lift(x), 1 };
    }
    static __device__ __forceinline__ value larger_of(value a, value b)
    {
        return extreme<T, false>::combine(a, b);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        /* The minimum is 0 where the difference of infinities is NaN. */
        const value apart = earlier.most - later.most;
        const bool first = apart > 0;
        const value by = exp_of(min(-abs(apart), value(0)));
        return { larger_of(earlier.most, later.most),
                 (first ? earlier.sum : later.sum) +
                     (first ? later.sum : earlier.sum) * by };
    }
    /* All exponentials are relative to one maximum, or to 0 if that is -inf. */
    template <int Items, class Get, class Place>
    static __device__ __forceinline__ acc reduce(Get get, Place)
    {
        const auto x = [&](int k) { return add<T>::lift(get(k)); };
        const value most = in_chains<extreme<T, false>, Items>(x);
        const value shift = most == extreme<T, false>::identity() ? 0 : most;
        return { most, in_chains<add<value>, Items>(
                           [&](int k) { return exp_of(x(k) - shift); }) };
    }
    static __device__ __forceinline__ T lower(acc a, int64_t = 1)
    {
        const value sum = a.most + log_of(a.sum);
        return add<T>::lower(a.most - a.most == 0 ? sum : a.most);
    }
};

template <class T>
using larger = extreme<T, false>;
template <class T>
using smaller = extreme<T, true>;
template <class T>
using place_of_larger = place_of_extreme<T, false>;
template <class T>
using place_of_smaller = place_of_extreme<T, true>;

#define OTHERS(X)                                                              \
    X(REDUCER_MEAN, average)                                                   \
    X(REDUCER_MUL, times)                                                      \
    X(REDUCER_MAX, larger)                                                     \
    X(REDUCER_MIN, smaller)                                                    \
    X(REDUCER_ARGMAX, place_of_larger)                                         \
    X(REDUCER_ARGMIN, place_of_smaller)                                        \
    X(REDUCER_LOGADDEXP, log_add_exp)

#endif
