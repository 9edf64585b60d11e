/* SPDX-License-Identifier: MIT
 *
 * The operators other than addition of floats (op.cuh). Their definitions for
 * the verifier are in src/model/definition.h.
 */
#ifndef VARIANTS_COMMON_OP_OTHERS_CUH
#define VARIANTS_COMMON_OP_OTHERS_CUH

/* The layout of a batch in registers: halves of adjacent columns or rows share
 * a word. */
enum batch { APART, ADJACENT };

/* The reduction of x(0) to x(Items - 1), in four chains. */
template <int Items, class Get, class Combine>
__device__ __forceinline__ auto in_chains(Get x, Combine combine)
{
    constexpr int kChains = Items < 4 ? Items : 4;
    decltype(x(0)) chain[kChains];
#pragma unroll
    for (int k = 0; k < Items; ++k)
        chain[k % kChains] =
            k < kChains ? x(k) : combine(chain[k % kChains], x(k));
#pragma unroll
    for (int k = 1; k < kChains; ++k)
        chain[0] = combine(chain[0], chain[k]);
    return chain[0];
}

/* get(at) to get(at + 3), bytes, as a word. */
template <class Get>
__device__ __forceinline__ unsigned four_bytes(Get get, int at)
{
    if constexpr (requires { get.bytes_at(at); })
        return get.bytes_at(at);
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        word |= (unsigned)__builtin_bit_cast(uint8_t, get(at + k)) << 8 * k;
    return word;
}
/* The same to be added; of bools, 128 for each that is true: its top bit is
 * set, or adding 127 to the others sets it. */
template <class T>
__device__ __forceinline__ unsigned bytes_to_add(unsigned word)
{
    if constexpr (std::is_same_v<T, truth>)
        return (((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080;
    else
        return word;
}
/* Byte w of a word. */
__device__ __forceinline__ int byte_of(unsigned word, int w)
{
    return (int)(word >> 8 * w & 0xff);
}
/* The extremes of words get(0) to get(Words - 1), each byte for itself; of
 * bools, 128 for true. Others are compared in pairs of 16 bits. */
template <class T, bool Smaller, int Words, class Get>
__device__ __forceinline__ unsigned extreme_bytes(Get get)
{
    if constexpr (std::is_same_v<T, truth>) {
        const unsigned word = in_chains<Words>(
            [&](int k) { return Smaller ? bytes_to_add<T>(get(k)) : get(k); },
            [](unsigned a, unsigned b) { return Smaller ? a & b : a | b; });
        return Smaller ? word : bytes_to_add<T>(word);
    } else {
        const auto best = [](unsigned a, unsigned b) {
            return Smaller ? __vminu2(a, b) : __vmaxu2(a, b);
        };
        const unsigned even = in_chains<Words>(
                           [&](int k) { return get(k) & 0xff00ff; }, best),
                       odd = in_chains<Words>(
                           [&](int k) { return get(k) >> 8 & 0xff00ff; }, best);
        return even | odd << 8;
    }
}

/* The extreme of get(0) to get(Items - 1), as an acc of `extreme`. */
template <class T, bool Smaller, int Items, batch Batch, class Get>
__device__ __forceinline__ acc_t<T> extreme_in(Get get);

/* The larger or the smaller; any NaN wins, as in torch. Halves compare as
 * floats, which is exact. Except in doubles, NaNs that meet become one and
 * -0 is below 0, so the order of elements does not matter. */
template <class T, bool Smaller>
struct extreme : of_values<T, extreme<T, Smaller>> {
    using acc = acc_t<T>;

    static __device__ __forceinline__ acc identity(void)
    {
        constexpr int kTop = 8 * (int)sizeof(T) - 1;
        if constexpr (std::is_same_v<T, truth>)
            return Smaller;
        else if constexpr (sizeof(T) == 1)
            return Smaller ? 0xff : 0;
        else if constexpr (!is_float<T>)
            return (acc)1 << kTop ^ -(acc)Smaller;
        else if constexpr (sizeof(acc) == 8)
            return __longlong_as_double(Smaller ? 0x7ffll << 52
                                                : 0xfffll << 52);
        else
            return __int_as_float(Smaller ? 0x7f800000 : 0xff800000);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        if constexpr (!is_float<T>)
            return Smaller ? min(earlier, later) : max(earlier, later);
#if __CUDA_ARCH__ >= 800
        if constexpr (std::is_same_v<acc, float>) {
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
        if constexpr (std::is_same_v<acc, float>) {
            if (earlier == later) { /* zeros may differ */
                const int a = __float_as_int(earlier),
                          b = __float_as_int(later);
                return __int_as_float(Smaller ? a | b : a & b);
            }
            if (earlier != earlier || later != later)
                return __int_as_float(0x7fffffff);
        }
        const bool wins = Smaller ? earlier < later : earlier > later;
        return wins || earlier != earlier ? earlier : later;
    }
    /* Bytes of a word are compared at once. */
    template <int Items, batch Batch, class Get, class Place>
    static __device__ __forceinline__ acc absorb(acc sum, Get get,
                                                 Place) requires(sizeof(T) == 1)
    {
        return combine(sum, extreme_in<T, Smaller, Items, Batch>(get));
    }
    /* Combines four sums with rows of four bytes, row(0) to row(Rows - 1). */
    template <int Rows, class Row, class Place>
    static __device__ __forceinline__ void
    absorb_words(acc *sums, Row row, Place) requires(sizeof(T) == 1)
    {
        const unsigned best = extreme_bytes<T, Smaller, Rows>(row);
#pragma unroll
        for (int w = 0; w < 4; ++w)
            sums[w] =
                combine(sums[w], std::is_same_v<T, truth> ? byte_of(best, w) > 0
                                                          : byte_of(best, w));
    }
};

/* The sum, divided by the number of elements. */
template <class T>
struct average;
template <class T>
requires is_float<T>
struct average<T> : add<T> {
    static __device__ __forceinline__ T lower(acc_t<T> a, int64_t count)
    {
        return element_of<T>(a / (acc_t<T>)count);
    }
};

/* The sum or the product of integers or bools, modulo 2^64, or as Out wraps. */
template <class T, bool Product, class Out = int64_t>
struct modular {
    using element = T;
    using acc =
        std::conditional_t<sizeof(Out) == 8, unsigned long long, uint32_t>;
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = !Product;
    static constexpr bool lossless = sizeof(T) == sizeof(Out);

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return Product;
    }
    static __device__ __forceinline__ T pad(void)
    {
        return element_of<T>(Product);
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        return (acc)value_of(x);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return Product ? earlier * later : earlier + later;
    }
    /* Sums of a batch of bytes fit in 32 bits. Of four in a word, one
     * instruction adds all. */
    template <int Items, batch Batch, class Get, class Place>
    static __device__ __forceinline__ acc
    absorb(acc sum, Get get, Place) requires(sizeof(T) == 1 && !Product)
    {
        if constexpr (Items % 4 == 0) {
            unsigned part = 0;
#pragma unroll
            for (int k = 0; k < Items; k += 4)
                part = __dp4a(bytes_to_add<T>(four_bytes(get, k)), 0x01010101u,
                              part);
            return sum + (std::is_same_v<T, truth> ? part >> 7 : part);
        }
        return sum +
               (acc)in_chains<Items>([&](int k) { return value_of(get(k)); },
                                     [](int a, int b) { return a + b; });
    }
    /* As of `extreme`. Truths are added as bytes, others as 16 bits. */
    template <int Rows, class Row, class Place>
    static __device__ __forceinline__ void
    absorb_words(acc *sums, Row row, Place) requires(sizeof(T) == 1 && !Product)
    {
        static_assert(Rows < 256);
        unsigned even = 0, odd = 0;
#pragma unroll
        for (int k = 0; k < Rows; ++k)
            if constexpr (std::is_same_v<T, truth>) {
                even += bytes_to_add<T>(row(k)) >> 7;
            } else {
                even += row(k) & 0xff00ff;
                odd += row(k) >> 8 & 0xff00ff;
            }
#pragma unroll
        for (int w = 0; w < 4; ++w)
            sums[w] += std::is_same_v<T, truth>
                           ? (unsigned)byte_of(even, w)
                           : (w % 2 ? odd : even) >> 8 * (w & 2) & 0xffff;
    }
    static __device__ __forceinline__ Out lower(acc a, int64_t = 1)
    {
        return (Out)a;
    }
};

template <class T>
struct wrapped_sum;
template <class T>
requires(!is_float<T>) struct wrapped_sum<T> : modular<T, false> {
};

/* The sum in the elements' own type. */
template <class T>
struct narrow_add;
template <>
struct narrow_add<int32_t> : modular<int32_t, false, int32_t> {
};

/* The product. */
template <class T>
struct times : modular<T, true> {
};
template <class T>
requires is_float<T>
struct times<T> : of_values<T, times<T>> {
    using acc = acc_t<T>;

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return acc(1);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier * later;
    }
};

/* Two halves in a word, which one instruction combines or compares. */
__device__ __forceinline__ __half2 pair_of(__half low, __half high)
{
    return __halves2half2(low, high);
}
__device__ __forceinline__ __nv_bfloat162 pair_of(__nv_bfloat16 low,
                                                  __nv_bfloat16 high)
{
    return __halves2bfloat162(low, high);
}

/* -0 becomes 0, and a NaN of less than 8 bytes the canonical, positive one. */
template <class T>
__device__ __forceinline__ T plus_zero(T x)
{
    if constexpr (is_half<T>)
        return __hadd(x, T(0.f));
    else
        return x + T(0);
}

/* An element as an unsigned integer that is ordered alike: zeros are equal,
 * NaNs the largest. No float is 0. */
template <class T, bool Smaller>
__device__ __forceinline__ auto order_key(T x)
{
    using bits_t = std::conditional_t<
        sizeof(T) == 8, unsigned long long,
        std::conditional_t<sizeof(T) == 4, uint32_t,
                           std::conditional_t<is_half<T>, uint16_t, uint8_t>>>;
    constexpr int kTop = 8 * (int)sizeof(T) - 1;
    if constexpr (!is_float<T>) {
        const bits_t key =
            value_of(x) ^ (sizeof(T) > 1 ? (bits_t)1 << kTop : 0);
        return (bits_t)(Smaller ? ~key : key);
    } else {
        const auto bits =
            __builtin_bit_cast(bits_t, plus_zero(Smaller ? T(-x) : x));
        const auto flipped = (std::make_signed_t<bits_t>)bits >> kTop;
        const bits_t key = bits ^ ((bits_t)flipped | (bits_t)1 << kTop);
        if constexpr (sizeof(T) == 8)
            return x != x ? ~(bits_t)0 : key;
        else
            return key;
    }
}
/* The keys of a pair, 16 bits each. */
template <bool Smaller, class Pair>
__device__ __forceinline__ uint32_t order_keys(Pair x)
{
    using T = decltype(x.x);
    const T zero(0.f);
    const auto y = __hadd2(Smaller ? __hneg2(x) : x, pair_of(zero, zero));
    const auto bits = reinterpret_cast<const uint32_t &>(y);
    const uint32_t sign = bits & 0x80008000;
    return bits ^ ((sign - (sign >> 15)) | 0x80008000);
}

/* Halves of a batch that lie in pairs. */
template <class T, int Items, batch Batch>
constexpr bool kInPairs = Batch == ADJACENT &&is_half<T> &&Items % 2 == 0;

/* The extreme of pairs, each half for itself. */
template <bool Smaller, int Items, class Get>
__device__ __forceinline__ auto extremes_in(Get get)
{
    return in_chains<Items>(get, [](auto a, auto b) {
        return Smaller ? __hmin2_nan(a, b) : __hmax2_nan(a, b);
    });
}
/* The extreme of adjacent bytes: of bools, whether any or all are true. */
template <class T, bool Smaller, int Items, class Get>
__device__ __forceinline__ int extreme_byte(Get get)
{
    const unsigned word = extreme_bytes<T, Smaller, Items / 4>(
        [&](int k) { return four_bytes(get, 4 * k); });
    if constexpr (std::is_same_v<T, truth>)
        return Smaller ? word == 0x80808080 : word != 0;
    return byte_of(extreme_bytes<T, Smaller, 4>(
                       [&](int k) { return (unsigned)byte_of(word, k); }),
                   0);
}
/* The extreme of get(0) to get(Items - 1), as an acc of `extreme`. */
template <class T, bool Smaller, int Items, batch Batch, class Get>
__device__ __forceinline__ acc_t<T> extreme_in(Get get)
{
    if constexpr (kInPairs<T, Items, Batch>) {
        const auto pair = extremes_in<Smaller, Items / 2>(
            [&](int k) { return pair_of(get(2 * k), get(2 * k + 1)); });
        return extreme<T, Smaller>::combine(value_of(pair.x), value_of(pair.y));
    } else if constexpr (sizeof(T) == 1 && Batch == ADJACENT &&
                         Items % 4 == 0) {
        return extreme_byte<T, Smaller, Items>(get);
    } else {
        return in_chains<Items>(
            [&](int k) { return value_of(get(k)); },
            [](auto a, auto b) { return extreme<T, Smaller>::combine(a, b); });
    }
}

/* True if `later`, the extreme of later elements, beats `best`, that of earlier
 * ones. Ties and a NaN in `best` keep the earlier. */
template <bool Smaller, class Value>
__device__ __forceinline__ bool leads(Value later, Value best)
{
    return !(Smaller ? later >= best : later <= best) && best == best;
}
/* The same of pairs: a mask of each half. */
template <bool Smaller, class Pair>
__device__ __forceinline__ uint32_t leads_pair(Pair later, Pair best)
{
    const uint32_t not_later =
        Smaller ? __hge2_mask(later, best) : __hle2_mask(later, best);
    return __heq2_mask(best, best) & ~not_later;
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

/* The lowest k below Items whose pair get(k) has x, or Items: 16 bits for each
 * half. */
template <int Items, class Pair, class Get>
__device__ __forceinline__ uint32_t firsts_equal(Get get, Pair x)
{
    uint32_t at = Items | Items << 16;
#pragma unroll
    for (int k = Items - 1; k >= 0; --k) {
        const uint32_t equal = __heq2_mask(get(k), x);
        at = (equal & (k | k << 16)) | (~equal & at);
    }
    return at;
}
/* The lowest k below Items for which get(k) is x, or Items. */
template <int Items, batch Batch, class T, class Get>
__device__ __forceinline__ int first_equal(Get get, T x)
{
    if constexpr (kInPairs<T, Items, Batch>) {
        const uint32_t half_of_place = firsts_equal<Items / 2>(
            [&](int k) { return pair_of(get(2 * k), get(2 * k + 1)); },
            pair_of(x, x));
        const int even = 2 * (half_of_place & 0xffff);
        return min(min(even, 2 * (int)(half_of_place >> 16) + 1), Items);
    } else {
        return first_of<Items>(
            [&](int k) { return value_of(get(k)) == value_of(x); });
    }
}

/* The lowest k below Items for which get(k) is the extreme x, or both are NaN;
 * or Items. */
template <int Items, batch Batch, class T, class Get>
__device__ __forceinline__ int first_extreme(Get get, T x)
{
    int at = first_equal<Items, Batch>(get, x);
    if (value_of(x) != value_of(x))
        at = first_of<Items>(
            [&](int k) { return value_of(get(k)) != value_of(get(k)); });
    return at;
}
/* The acc of the place of the extreme x, the first of equals or of NaNs. */
template <class Op, int Items, batch Batch, class Get, class Place, class T>
__device__ __forceinline__ typename Op::acc place_in(Get get, Place place, T x)
{
    return Op::lift(x, place(first_extreme<Items, Batch>(get, x)));
}

/* The larger of two words. */
struct larger_word {
    using acc = uint32_t;
    static constexpr bool commutative = true;

    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return max(earlier, later);
    }
#if __CUDA_ARCH__ >= 800
    static __device__ __forceinline__ acc over_warp(acc a)
    {
        return __reduce_max_sync(0xffffffff, a);
    }
#endif
};

/* The first place, in a line of less than 2^31 elements, of their extreme, or
 * of a NaN. */
template <class T>
struct first_place {
    using acc = uint32_t;
    static constexpr bool commutative = true;
    acc_t<T> best;

    static __device__ __forceinline__ acc identity(void)
    {
        return ~0u;
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return min(earlier, later);
    }
    /* Combines sum with get(0) to get(Items - 1), at ascending places. Pads
     * before and after the line are the extreme only of a line of pads. */
    template <int Items, class Get, class Place>
    __device__ __forceinline__ acc absorb(acc sum, Get get, Place place) const
    {
        const int at = first_extreme<Items, ADJACENT>(get, element_of<T>(best));
        return at < Items ? combine(sum, (acc)max(place(at), 0)) : sum;
    }
    static __device__ __forceinline__ int64_t lower(acc a, int64_t count)
    {
        return count ? (int64_t)a : -1;
    }
};

/* From this many items on, a batch first tests whether it can skip work: most
 * can. */
constexpr int kLongBatch = 16;

/* The part of place_of_extreme that does not depend on the elements' size. */
template <class T, bool Smaller>
struct place_at_extreme {
    using element = T;
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = false;
    static constexpr bool smaller = Smaller;
    using first_pass = extreme<T, Smaller>;
    using second_pass = first_place<T>;

    static __device__ __forceinline__ T pad(void)
    {
        return element_of<T>(extreme<T, Smaller>::identity());
    }
    template <int Items, batch Batch, class Get>
    static __device__ __forceinline__ auto best_in(Get get)
    {
        return extreme_in<T, Smaller, Items, Batch>(get);
    }
};

/* The place of the largest or the smallest element, the first of equals or of
 * NaNs: an acc is its key above the complement of its place, so that the larger
 * acc wins. Keys of floats leave 32 bits for the place, doubles take a second
 * word. */
template <class T, bool Smaller>
struct place_of_extreme : place_at_extreme<T, Smaller> {
    using acc = unsigned long long;
    static constexpr int kPlaceBits = 64 - 8 * (int)sizeof(T);
    static constexpr acc kPlaces = ((acc)1 << kPlaceBits) - 1;
    using leader = larger_word;
    using follower = larger_word;

    static __device__ __forceinline__ uint32_t leader_of(acc a)
    {
        return (uint32_t)(a >> 32);
    }
    static __device__ __forceinline__ uint32_t follower_of(acc a,
                                                           uint32_t leads)
    {
        return leader_of(a) == leads ? (uint32_t)a : 0;
    }
    static __device__ __forceinline__ acc joined(uint32_t leads,
                                                 uint32_t follows)
    {
        return (acc)leads << 32 | follows;
    }

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return 0;
    }
    static __device__ __forceinline__ acc at_place(acc key, int64_t position)
    {
        return key << kPlaceBits | (~(acc)position & kPlaces);
    }
    static __device__ __forceinline__ acc lift(T x, int64_t position)
    {
        return at_place(order_key<T, Smaller>(x), position);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier > later ? earlier : later;
    }
    template <int Items, batch Batch, class Get, class Place>
    static __device__ __forceinline__ acc absorb(acc sum, Get get, Place place)
    {
        const T best = element_of<T>(extreme_in<T, Smaller, Items, Batch>(get));
        if (Items >= kLongBatch && sum > lift(best, 0)) /* wherever it is */
            return sum;
        return combine(
            sum, place_in<place_of_extreme, Items, Batch>(get, place, best));
    }
    template <int Items, class Get, class Place>
    static __device__ __forceinline__ void
    absorb_pair(acc &low, acc &high, Get get, Place place) requires is_half<T>
    {
        constexpr uint32_t kNone = Items | Items << 16;
        static_assert((Items & (Items - 1)) == 0);
        const auto best = extremes_in<Smaller, Items>(get);
        uint32_t at = firsts_equal<Items>(get, best);
        if (at & kNone) { /* a NaN equals none */
#pragma unroll
            for (int k = Items - 1; k >= 0; --k) {
                const uint32_t number = __heq2_mask(get(k), get(k));
                at = (number & at) | (~number & (k | k << 16));
            }
        }
        const uint32_t keys = order_keys<Smaller>(best);
        low = combine(low, at_place(keys & 0xffff, place(at & 0xffff, 0)));
        high = combine(high, at_place(keys >> 16, place(at >> 16, 1)));
    }
    /* As of `extreme`: counts the rows before each column's first hit. */
    template <int Rows, class Row, class Place>
    static __device__ __forceinline__ void
    absorb_words(acc *sums, Row row,
                 Place place) requires std::is_same_v<T, truth>
    {
        const auto at = [&](bool hit, int k, int w) {
            return lift(element_of<T>(hit != Smaller), place(k, w));
        };
        bool better = false; /* than sums whose hit is earlier */
#pragma unroll
        for (int w = 0; w < 4; ++w)
            better |= sums[w] < at(true, 0, w);
        if (!better)
            return;
        unsigned missed = 0x80808080, before = 0;
#pragma unroll
        for (int k = 0; k < Rows; ++k) {
            const unsigned hits = bytes_to_add<T>(row(k));
            missed &= Smaller ? hits : ~hits;
            before += missed >> 7;
        }
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            const int k = byte_of(before, w);
            sums[w] =
                combine(sums[w], k < Rows ? at(true, k, w) : at(false, 0, w));
        }
    }
    static __device__ __forceinline__ int64_t lower(acc a, int64_t count)
    {
        return count ? (int64_t)(~a & kPlaces) : -1;
    }
};

template <class T, bool Smaller>
requires(sizeof(T) == 8) struct place_of_extreme<T, Smaller>
    : place_at_extreme<T, Smaller> {
    struct alignas(16) acc {
        unsigned long long key;
        int64_t place;
    };

    static __device__ __forceinline__ acc identity(void)
    {
        return { 0, is_float<T> ? -1 : INT64_MAX }; /* loses to any place */
    }
    static __device__ __forceinline__ acc lift(T x, int64_t position)
    {
        return { order_key<T, Smaller>(x), position };
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        const bool first = earlier.key == later.key
                               ? earlier.place < later.place
                               : earlier.key > later.key;
        return first ? earlier : later;
    }
    template <int Items, batch Batch, class Get, class Place>
    static __device__ __forceinline__ acc absorb(acc sum, Get get, Place place)
    {
        const T best = extreme_in<T, Smaller, Items, Batch>(get);
        if (Items >= kLongBatch && sum.key > order_key<T, Smaller>(best))
            return sum;
        return combine(
            sum, place_in<place_of_extreme, Items, Batch>(get, place, best));
    }
    static __device__ __forceinline__ int64_t lower(acc a, int64_t count)
    {
        return count ? a.place : -1;
    }
};

constexpr float kLog2E = 1.44269504f;

__device__ __forceinline__ float exp2_of(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
/* exp(x) of x up to kNear (below), or -inf. */
__device__ __forceinline__ float exp_of(float x)
{
    return exp2_of(x * kLog2E);
}
/* 2^n exp(r) of -708 <= x <= 708: n = x / log(2), rounded, from the low bits of
 * a sum with 2^52; exp(r), |r| <= log(2) / 2, by the polynomial whose largest
 * relative error, 2^-58, is the least (by Remez): a third of the instructions
 * of the library's function. */
__device__ __forceinline__ double exp_of_finite(double x)
{
    constexpr double kShift = 0x1.8p52;
    constexpr double kTerms[] = { 0x1.ad65f559599d5p-26, 0x1.28b346a5a9327p-22,
                                  0x1.71df4596dbd3fp-19, 0x1.a019929825107p-16,
                                  0x1.a01a010ff2995p-13, 0x1.6c16c187962bap-10,
                                  0x1.1111111130fb9p-7,  0x1.555555554f30bp-5,
                                  0x1.55555555554a1p-3,  0x1.0000000000010p-1,
                                  0x1.0000000000000p+0,  0x1.0000000000000p+0 };
    const double shifted = fma(x, 0x1.71547652b82fep0, kShift);
    const double n = shifted - kShift;
    double r = fma(n, -0x1.62e42fefa39efp-1, x);
    r = fma(n, -0x1.abc9e3b39803fp-56, r);
    double y = kTerms[0];
#pragma unroll
    for (int k = 1; k < 12; ++k)
        y = fma(y, r, kTerms[k]);
    return __hiloint2double(__double2hiint(y) + (__double2loint(shifted) << 20),
                            __double2loint(y));
}
__device__ __forceinline__ double exp_of(double x)
{
    /* As unsigned words, those below -708 are the largest. */
    const unsigned limit = 0xc0862000;
    const double y = exp_of_finite(x);
    return (unsigned)__double2hiint(x) < limit ? y : 0;
}
/* The same where it is rare: registers matter more than time. */
__device__ __forceinline__ float rare_exp_of(float x)
{
    return exp_of(x);
}
static __device__ __noinline__ double rare_exp_of(double x)
{
    return exp_of(x);
}
/* log(x) of 0 or x >= exp(-kSpread). */
__device__ __forceinline__ float log_of(float x)
{
    float y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y * 0.693147181f;
}
/* y, the log in float, and log(x exp(-y)) by three terms of its series: as the
 * error of y is below 2^-16, the next is below 2^-66. */
__device__ __forceinline__ double log_of(double x)
{
    const double y = log_of((float)x);
    const double z = fma(x, exp_of_finite(-y), -1.0);
    const double log = fma(z, fma(z, fma(z, 1 / 3.0, -0.5), 1.0), y);
    return __double2hiint(x) > 0 ? log : y;
}

/* The sum of exp(x - most), and its logarithm. */
template <class T>
struct sum_of_exp {
    using acc = acc_t<T>;
    static constexpr bool commutative = true;
    acc most;

    static __device__ __forceinline__ acc identity(void)
    {
        return 0;
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier + later;
    }
    /* exp(x - most) of |most| < kLargest. In float, a product that is rounded
     * once for all x replaces the difference: it shifts the logarithm of the
     * sum by up to u |most|. */
    static constexpr float kLargest = 1 << 24;
    static constexpr float kUnit = sizeof(acc) == 4 ? kLog2E : 1;
    __device__ __forceinline__ acc exponent(T x) const /* in units of kUnit */
    {
        if constexpr (sizeof(acc) == 4)
            return fmaf(value_of(x), kUnit, -most * kUnit);
        else
            return x - most;
    }
    __device__ __forceinline__ acc near_term(T x) const
    {
        if constexpr (sizeof(acc) == 4)
            return exp2_of(exponent(x));
        else
            return exp_of(exponent(x));
    }
    template <int Items, class Get, class Place = int>
    __device__ __forceinline__ acc absorb(acc sum, Get get, Place = {}) const
    {
        const auto term = [&](int k) {
            if constexpr (std::is_same_v<T, __half>) /* never larger */
                return near_term(get(k));
            else
                return exp_of(value_of(get(k)) - most);
        };
        return sum + in_chains<Items>(term, combine);
    }
    /* An infinite or NaN `most` is the result, whatever the sum. */
    __device__ __forceinline__ T lower(acc a, int64_t = 1) const
    {
        return element_of<T>(most - most == 0 ? most + log_of(a) : most);
    }
};

/* The same of elements that are near `most`. */
template <class T>
struct near_sum_of_exp : sum_of_exp<T> {
    using element = T;
    using acc = acc_t<T>;

    __device__ __forceinline__ acc lift(T x) const
    {
        return this->near_term(x);
    }
    __device__ __forceinline__ T lower(acc a) const
    {
        return element_of<T>(this->most + log_of(a));
    }
};

/* log(sum of exp(x)): an acc is a reference and the sum of exp(x - reference),
 * which neither overflows nor vanishes: the sum is at least 1 (within scan(),
 * exp(-kSpread)), and no x exceeds the reference by more than kNear. An element
 * that is near takes append(), one exponential and no choices; moved_to()
 * raises the reference for others, which are rare. A reference that is infinite
 * or NaN is the result, whatever the sum. */
template <class T>
struct log_add_exp;
template <class T>
requires is_float<T>
struct log_add_exp<T> {
    using element = T;
    using value = acc_t<T>;
    struct alignas(2 * sizeof(value)) acc {
        value reference, sum;
    };
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = false;
    static constexpr int kNear = 2, kSpread = 16;
    using near = near_sum_of_exp<T>;
    using first_pass = extreme<T, false>;
    using second_pass = sum_of_exp<T>;
    using leader = extreme<value, false>;
    using follower = add<value>;

    static __device__ __forceinline__ value leader_of(acc a)
    {
        return a.reference;
    }
    static __device__ __forceinline__ value follower_of(acc a, value leads)
    {
        return a.sum * exp_of(a.reference - leads);
    }
    static __device__ __forceinline__ acc joined(value leads, value follows)
    {
        return { leads, is_finite(leads) ? follows : 1 };
    }
    /* For sums that may be empty. */
    static __device__ __forceinline__ acc joined_if(value leads, value follows)
    {
        return follows > 0 ? acc{ leads, follows } : identity();
    }
    static __device__ __forceinline__ acc identity(void)
    {
        return { extreme<T, false>::identity(), 1 };
    }
    static __device__ __forceinline__ T pad(void)
    {
        return element_of<T>(identity().reference);
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        return { value_of(x), 1 };
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        /* The minimum is 0 where the difference of infinities is NaN. */
        const value apart = earlier.reference - later.reference;
        const bool first = apart > 0;
        const value by = exp_of(min(-abs(apart), value(0)));
        return { extreme<T, false>::combine(earlier.reference, later.reference),
                 (first ? earlier.sum : later.sum) +
                     (first ? later.sum : earlier.sum) * by };
    }
    /* False for a NaN, and with a reference of -inf. */
    static __device__ __forceinline__ bool is_near(acc a, T x)
    {
        return value_of(x) - a.reference <= kNear;
    }
    static __device__ __forceinline__ bool is_finite(value x)
    {
        return x - x == 0;
    }
    /* a, without x, but x is near. */
    static __device__ __forceinline__ acc moved_to(acc a, T x)
    {
        const value to =
            extreme<T, false>::combine(a.reference, lift(x).reference);
        if (!is_finite(to))
            return { to, 1 };
        return { to, a.sum * rare_exp_of(a.reference - to) };
    }
    static __device__ __forceinline__ acc append(acc a, T x)
    {
        /* NaN, the difference of infinities, becomes kNear. */
        value apart = value_of(x) - a.reference;
        if constexpr (sizeof(value) == 4)
            apart = fminf(apart, kNear);
        else
            apart = apart <= kNear ? apart : kNear;
        a.sum += exp_of(apart);
        return a;
    }
    /* absorb() of elements whose largest is known. */
    template <int Items, class Get>
    static __device__ __forceinline__ acc absorb_below(value most, acc sum,
                                                       Get get)
    {
        const auto sum_from = [&](value reference) {
            return sum_of_exp<T>{ reference }.template absorb<Items>(0, get);
        };
        if constexpr (Items >= kLongBatch) {
            const T x = element_of<T>(most);
            if (!is_near(sum, x)) {
                sum = moved_to(sum, x);
                if (!is_finite(sum.reference))
                    return sum;
            }
            sum.sum += sum_from(sum.reference);
            return sum;
        }
        return combine(sum, { most, is_finite(most) ? sum_from(most) : 1 });
    }
    template <int Items, batch Batch, class Get>
    static __device__ __forceinline__ value best_in(Get get)
    {
        return extreme_in<T, false, Items, Batch>(get);
    }
    template <int Items, batch Batch, class Get, class Place>
    static __device__ __forceinline__ acc absorb(acc sum, Get get, Place)
    {
        return absorb_below<Items>(best_in<Items, Batch>(get), sum, get);
    }
    template <int Items, class Get, class Place>
    static __device__ __forceinline__ void
    absorb_pair(acc &low, acc &high, Get get, Place) requires is_half<T>
    {
        const auto most = extremes_in<false, Items>(get);
        low = absorb_below<Items>(value_of(most.x), low,
                                  [&](int k) { return get(k).x; });
        high = absorb_below<Items>(value_of(most.y), high,
                                   [&](int k) { return get(k).y; });
    }
    /* Replaces a thread's consecutive elements by their scan, and the carry-in
     * by the carry-out, if all lie within kSpread of the largest, which is then
     * the reference of all. Bit k of `starts`: a line starts at the k-th in
     * walk order; two lines are not scanned, as no line depends on another. */
    template <bool Reverse, int Items>
    static __device__ __forceinline__ bool scan(T (&x)[Items], acc &carry,
                                                unsigned starts)
    {
        if (starts >> 1)
            return false;
        const auto get = [&](int k) { return x[k]; };
        value most = extreme_in<T, false, Items, ADJACENT>(get);
        value least = extreme_in<T, true, Items, ADJACENT>(get);
        const value before = starts & 1 ? most : carry.reference;
        most = extreme<T, false>::combine(most, before);
        least = extreme<T, true>::combine(least, before);
        if (!(most - least <= kSpread))
            return false;
        value sum = carry.sum * exp_of(before - most);
#pragma unroll
        for (int step = 0; step < Items; ++step) {
            T &item = x[Reverse ? Items - 1 - step : step];
            const value term = exp_of(value_of(item) - most);
            sum = step == 0 && starts & 1 ? term : sum + term;
            item = lower({ most, sum });
        }
        carry = { most, sum };
        return true;
    }
    static __device__ __forceinline__ T lower(acc a, int64_t = 1)
    {
        return element_of<T>(a.reference + log_of(a.sum));
    }
};

/* The maps h -> a h + b of a recurrence. An earlier map that has a constant h
 * must not be multiplied by an `a` of 0 in its place: kernels select. */
template <class F>
struct linear_map {
    F a, b;
};
static_assert(sizeof(linear_map<float>) == 8); /* as of vectors (vector.cuh) */

template <class T>
struct recurrence;
template <class T>
requires is_float<T>
struct recurrence<T> {
    using element = T;
    using acc = linear_map<acc_t<T>>;
    static constexpr bool commutative = false;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = false;

    static __device__ __forceinline__ acc identity(void)
    {
        return { 1, 0 };
    }
    static __device__ __forceinline__ acc step(T a, T b)
    {
        return { value_of(a), value_of(b) };
    }
    static __device__ __forceinline__ acc_t<T> apply(acc map, acc_t<T> h)
    {
        return fma(map.a, h, map.b);
    }
    /* The constant h, of an initial element. */
    static __device__ __forceinline__ acc lift(T h, int64_t = 0)
    {
        return { 0, value_of(h) };
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return { earlier.a * later.a, apply(later, earlier.b) };
    }
    static __device__ __forceinline__ T lower(acc map, int64_t = 1)
    {
        return element_of<T>(map.b);
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
    X(REDUCER_ADD, wrapped_sum)                                                \
    X(REDUCER_MEAN, average)                                                   \
    X(REDUCER_MUL, times)                                                      \
    X(REDUCER_MAX, larger)                                                     \
    X(REDUCER_MIN, smaller)                                                    \
    X(REDUCER_ARGMAX, place_of_larger)                                         \
    X(REDUCER_ARGMIN, place_of_smaller)                                        \
    X(REDUCER_LOGADDEXP, log_add_exp)                                          \
    X(REDUCER_ADD_NARROW, narrow_add)

#endif
