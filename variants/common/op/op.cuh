/* SPDX-License-Identifier: MIT
 *
 * The operators with which reductions and scans combine elements: one type per
 * reducer and element type. A kernel that takes an operator Op depends on
 * nothing else of the operation. Op has
 *
 *   element               what lies in memory
 *   acc                   what partial results are held, exchanged and
 *                         published in: trivially copyable; 4, 8 or 16 bytes
 *   identity()            the neutral element: combine(identity(), a) and
 *                         combine(a, identity()) are a
 *   pad()                 an element whose lift(), at any position, changes no
 *                         result: pads partial vectors and tiles, and replaces
 *                         masked-off elements
 *   lift(x, position)     an element as an acc; `position` is its place along
 *                         the axis
 *   combine(earlier, later)  associative, as far as rounding allows; `earlier`
 *                         precedes `later` in walk order, which is descending
 *                         in a reversed scan
 *   lower(acc, count)     what is stored for an acc of `count` elements: an
 *                         element, or of a reduction another type
 *                         (output_of<Op>)
 *   commutative           combine(a, b) equals combine(b, a)
 *   identity_is_zero_bits identity() and pad() are all zero bits
 *   lossless              lift(lower(a, n)) may stand for a, so that partial
 *                         results may be stored as elements
 *   absorb<Items, Batch>(sum, get, place)  combines sum with get(0) to
 *                         get(Items - 1), which are at ascending places,
 *                         place(k); only where several elements at once are
 *                         cheaper than by lift() and combine()
 *   absorb_pair<Items>(low, high, get, place)  the same of two columns of
 *                         halves: get(k) is a pair, at place(k, 0) and
 *                         place(k, 1)
 *   first_pass, second_pass  for a line that is read twice: the first is the
 *                         operator of its extreme, which best_in() combines for
 *                         several elements; the second is made of the extreme
 *   leader, follower      operators for the parts of an acc, over a warp:
 *                         leader_of(acc), follower_of(acc, whole leader),
 *                         joined()
 *   append(acc, x)        combine(acc, lift(x)) where is_near(acc, x), which
 *                         moved_to(acc, x) brings about; scan() of several
 *                         elements: see log_add_exp
 *   near                  an operator of less work, made of a reference, for
 *                         elements that are near it (near.cuh)
 *   step(a, b), apply(acc, h)  of an operator of two inputs (recurrence), which
 *                         no kernel of one input serves: their elements as
 *                         an acc, and an acc's result for what precedes it
 *   atomic(acc *to, acc)  *to = combine(*to, acc) as one access; only if the
 *                         hardware has it
 *
 * An operator that ignores positions has a lift() of one argument, too; one
 * that ignores counts, a lower() of one. A kernel that does not track them, as
 * no scan does, serves only these (NEEDS_NO_POSITION, NEEDS_NO_COUNT).
 */
#ifndef VARIANTS_COMMON_OP_OP_CUH
#define VARIANTS_COMMON_OP_OP_CUH

#include "src/variant.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <type_traits>
#include <utility>

/* -------------------------------------------------------------- elements */

/* An element of DTYPE_BOOL. */
struct truth {
    uint8_t byte; /* any but 0 is true */
};

template <class T>
constexpr bool is_half =
    std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
template <class T>
constexpr bool is_float = is_half<T> || std::is_floating_point_v<T>;

/* The type that elements of T are computed in, but for sums and products of
 * integers. */
template <class T>
using acc_t =
    std::conditional_t<is_float<T>,
                       std::conditional_t<sizeof(T) == 8, double, float>,
                       std::conditional_t<sizeof(T) == 8, int64_t, int32_t>>;

template <class T>
__device__ __forceinline__ acc_t<T> value_of(T x)
{
    if constexpr (std::is_same_v<T, __half>)
        return __half2float(x);
    else if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return __bfloat162float(x);
    else if constexpr (std::is_same_v<T, truth>)
        return x.byte != 0;
    else
        return x;
}
template <class T>
__device__ __forceinline__ T element_of(acc_t<T> value)
{
    if constexpr (std::is_same_v<T, __half>)
        return __float2half_rn(value);
    else if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return __float2bfloat16_rn(value);
    else if constexpr (std::is_same_v<T, truth>)
        return { (uint8_t)value };
    else
        return (T)value;
}

/* ------------------------------------------------------------- reducers */

/* The part of a commutative Op whose accs are values of elements. */
template <class T, class Op>
struct of_values {
    using element = T;
    using acc = acc_t<T>;
    static constexpr bool commutative = true;
    static constexpr bool identity_is_zero_bits = false;
    static constexpr bool lossless = std::is_same_v<T, acc>;

    static __device__ __forceinline__ T pad(void)
    {
        return lower(Op::identity());
    }
    static __device__ __forceinline__ acc lift(T x, int64_t = 0)
    {
        return value_of(x);
    }
    static __device__ __forceinline__ T lower(acc a, int64_t = 1)
    {
        return element_of<T>(a);
    }
};

/* Addition of floats; of integers, others.cuh has it. */
template <class T>
struct add;
template <class T>
requires is_float<T>
struct add<T> : of_values<T, add<T>> {
    using acc = acc_t<T>;
    static constexpr bool identity_is_zero_bits = true;

    static __host__ __device__ __forceinline__ constexpr acc identity(void)
    {
        return acc(0);
    }
    static __device__ __forceinline__ acc combine(acc earlier, acc later)
    {
        return earlier + later;
    }
    static __device__ __forceinline__ void atomic(acc *to, acc later)
    {
        atomicAdd(to, later);
    }
};

/* The operators that are compiled: X(reducer's id, template). Addition and, of
 * two inputs, recurrences are compiled for every file that takes them, the
 * others for those with trait every_operator. A
 * plugin of kernels with operators of its own names a header that defines both
 * in SCANBENCH_OPERATORS. An operator exists for the element types that its
 * template is defined for. */
#include "variants/common/op/others.cuh"
#if defined SCANBENCH_OPERATORS
#include SCANBENCH_OPERATORS
#elif defined OTHER_OPERATORS
#define OPERATORS(X) OTHERS(X)
#else
#define OPERATORS(X) X(REDUCER_ADD, add) X(REDUCER_AFFINE, recurrence)
#endif

template <class Op>
constexpr bool is_defined = requires
{
    typename Op::acc;
};

template <class Op>
constexpr bool kTwoInputs = requires(typename Op::element x)
{
    Op::step(x, x);
};

/* True if Op has append(). */
template <class Op>
constexpr bool kAppends = requires(typename Op::acc a, typename Op::element x)
{
    Op::append(a, x);
};
/* Prepares `before` for append() of an element each: one branch for all. */
template <class Op, int Width>
__device__ __forceinline__ void
move_near(typename Op::acc (&before)[Width],
          const typename Op::element (&x)[Width])
{
    if constexpr (kAppends<Op>) {
        bool near = true;
#pragma unroll
        for (int k = 0; k < Width; ++k)
            near &= Op::is_near(before[k], x[k]);
        if (near)
            return;
#pragma unroll
        for (int k = 0; k < Width; ++k) /* no line depends on another */
            if (!Op::is_near(before[k], x[k]))
                before[k] = Op::moved_to(before[k], x[k]);
    }
}
/* combine(before, lift(x)) of prepared accs. */
template <class Op>
__device__ __forceinline__ typename Op::acc append(typename Op::acc before,
                                                   typename Op::element x)
{
    if constexpr (kAppends<Op>)
        return Op::append(before, x);
    else
        return Op::combine(before, Op::lift(x));
}

/* True if Op has absorb(). */
template <class Op>
constexpr bool kAbsorbs = requires(typename Op::acc sum,
                                   typename Op::element (*get)(int),
                                   int64_t (*place)(int))
{
    Op::template absorb<2, APART>(sum, get, place);
};

template <class Op>
constexpr bool kTwoPasses = requires
{
    typename Op::second_pass;
};
template <class Op>
constexpr bool kInParts = requires
{
    typename Op::leader;
};
template <class Op>
constexpr bool kAbsorbsPairs = kAbsorbs<Op> &&is_half<typename Op::element>;
template <class Op>
constexpr bool kAbsorbsWords = requires(typename Op::acc *sums,
                                        uint32_t (*row)(int),
                                        int64_t (*place)(int, int))
{
    Op::template absorb_words<2>(sums, row, place);
};

/* The type of the results. */
template <class Op>
using output_of =
    decltype(Op::lower(std::declval<typename Op::acc>(), int64_t()));
template <class Op>
constexpr bool kStoresElements =
    std::is_same_v<output_of<Op>, typename Op::element>;
/* Elements of a 16-byte access to whichever is wider, elements or results. */
template <class Op>
constexpr int kVecOf = 16 / (int)(sizeof(output_of<Op>) >
                                          sizeof(typename Op::element)
                                      ? sizeof(output_of<Op>)
                                      : sizeof(typename Op::element));

/* ------------------------------------------------------------------ scans */

/* The form of a scan. Reverse walks each line from its end. */
template <bool Reverse, bool Exclusive, bool Masked>
struct scan_form {
    static constexpr bool reverse = Reverse;
    static constexpr bool exclusive = Exclusive;
    static constexpr bool masked = Masked;
};

/* A scan as a type: op_of<Scan, T> is its operator for elements of T. */
template <template <class> class Reducer, bool Reverse, bool Exclusive,
          bool Masked>
struct scan : scan_form<Reverse, Exclusive, Masked> {
    template <class T>
    using op = Reducer<T>;
};

template <class Form, class T>
using op_of = typename Form::template op<T>;
template <class Form, class T>
using acc_of = typename op_of<Form, T>::acc;

/* Op over elements that are accs already. */
template <class Op>
struct on_accs : Op {
    using element = typename Op::acc;
    using acc = typename Op::acc;
    static constexpr bool lossless = true;
    static __device__ __forceinline__ acc pad(void)
    {
        return Op::identity();
    }
    static __device__ __forceinline__ acc lift(acc x, int64_t = 0)
    {
        return x;
    }
    static __device__ __forceinline__ acc lower(acc x, int64_t = 1)
    {
        return x;
    }
};
template <class Op>
struct over_accs_of {
    using type = on_accs<Op>;
};
template <class T>
struct over_accs_of<add<T>> { /* one instance for all T */
    using type = add<acc_t<T>>;
};
template <class Op>
using over_accs = typename over_accs_of<Op>::type;

/* A step of a scan, whose carry becomes `sum`: returns its result. */
template <class Scan, class Acc>
__device__ __forceinline__ Acc scan_step(Acc &carry, Acc sum)
{
    const Acc result = Scan::exclusive ? carry : sum;
    carry = sum;
    return result;
}

/* Sets an acc, or an array of accs of any rank, to the identity. */
template <class Op, class Accs>
__device__ __forceinline__ void set_identity(Accs &accs)
{
    /* Indexed, as range loops change how the compiler unrolls loops around. */
    if constexpr (std::is_array_v<Accs>)
#pragma unroll
        for (int k = 0; k < (int)std::extent_v<Accs>; ++k)
            set_identity<Op>(accs[k]);
    else
        accs = Op::identity();
}

/* Combines neighbours in memory order, b after a: swapped for a reversed scan
 * of an operator that does not commute. */
template <class Op, bool Reverse>
__device__ __forceinline__ typename Op::acc
combine_in_memory(typename Op::acc a, typename Op::acc b)
{
    if constexpr (Reverse && !Op::commutative)
        return Op::combine(b, a);
    return Op::combine(a, b);
}

#endif
