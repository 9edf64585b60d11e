/* SPDX-License-Identifier: MIT
 *
 * The built-in operators, as the verifier defines them, on the host and on the
 * device. A reducer has five functions, whose arguments are those of struct
 * reducer: PREFIX_identity, _lift, _combine, _lower and _error. Addition of
 * floats has its own walks (src/verify/verify.c).
 */
#pragma once

#include "src/model/reducer.h"

#include <math.h>

/* X(id, prefix, dtypes, rounding, roundings of the last step) */
#define DEFINITIONS(X)                                                         \
    X(REDUCER_MEAN, mean, DTYPES_FLOAT, ADDITIONS, 1)                          \
    X(REDUCER_MUL, mul, DTYPES_FLOAT, MULTIPLICATIONS, 0)                      \
    X(REDUCER_MAX, max, DTYPES_ALL, EXACT, 0)                                  \
    X(REDUCER_MIN, min, DTYPES_ALL, EXACT, 0)                                  \
    X(REDUCER_ARGMAX, argmax, DTYPES_ALL, EXACT, 0)                            \
    X(REDUCER_ARGMIN, argmin, DTYPES_ALL, EXACT, 0)                            \
    X(REDUCER_LOGADDEXP, logaddexp, DTYPES_FLOAT, EXPONENTIALS, 16)            \
    X(REDUCER_ADD_NARROW, narrow_add, DTYPE_BIT(DTYPE_I32), EXACT, 0)

/* Definitions for integers and bools in place of the above. */
#define INTEGER_DEFINITIONS(X)                                                 \
    X(REDUCER_ADD, wrapped_sum, DTYPES_INTEGER, EXACT, 0)                      \
    X(REDUCER_MUL, wrapped_product, DTYPES_INTEGER, EXACT, 0)

/* Heads of the functions; not all use all arguments. */
#define UNUSED __attribute__((unused))
#define IDENTITY(prefix)                                                       \
    static inline HOST_DEVICE struct op_acc prefix##_identity(                 \
        UNUSED enum dtype dtype)
#define LIFT(prefix)                                                           \
    static inline HOST_DEVICE struct op_acc prefix##_lift(                     \
        enum dtype dtype, uint64_t bits, UNUSED int64_t position)
#define COMBINE(prefix)                                                        \
    static inline HOST_DEVICE struct op_acc prefix##_combine(                  \
        struct op_acc earlier, struct op_acc later)
#define LOWER(prefix)                                                          \
    static inline HOST_DEVICE uint64_t prefix##_lower(                         \
        UNUSED enum dtype dtype, struct op_acc acc, UNUSED int64_t count)
#define ERROR(prefix)                                                          \
    static inline HOST_DEVICE double prefix##_error(                           \
        UNUSED enum dtype dtype, UNUSED bool exact, uint64_t bits,             \
        struct op_acc acc, UNUSED int64_t count)

static inline HOST_DEVICE bool is_negative_zero(double y)
{
    uint64_t bits;
    memcpy(&bits, &y, sizeof bits);
    return bits == (uint64_t)1 << 63;
}

/* The largest error of rounding a sum of elements to their type. A subnormal
 * sum, like them, is a multiple of the smallest number, and is not rounded. */
static inline HOST_DEVICE double sum_rounding(enum dtype dtype, double r)
{
    return dtype_roundoff(dtype) * (r < 0 ? -r : r);
}

/* The same for any other result, which may lie between two subnormal numbers.
 * Half of their distance, the smallest number, is no double for f64, whose
 * reference is rounded like an output. */
static inline HOST_DEVICE double output_rounding(enum dtype dtype, double r)
{
    const double half = dtype == DTYPE_F16    ? 0x1p-25
                        : dtype == DTYPE_BF16 ? 0x1p-134
                        : dtype == DTYPE_F32  ? 0x1p-150
                                              : 0;
    const double rounding = sum_rounding(dtype, r);
    return rounding > half ? rounding : half;
}

/* Returns the error of y, which should be r, beyond the output's `rounding`, in
 * roundings of the magnitude (src/verify/verify.h). It is infinite if y is NaN,
 * infinite but not r, or -0 for 0; if `exact`, for any error. */
static inline HOST_DEVICE double rounding_error(enum dtype dtype, bool exact,
                                                double y, double r,
                                                double rounding,
                                                double magnitude)
{
    const double infinite = infinity_of_double();
    if (r == 0 && is_negative_zero(y))
        return infinite;
    if (exact)
        return y == dtype_value(dtype, dtype_bits(dtype, r)) ? 0 : infinite;
    double error = y > r ? y - r : r - y;
    if (error <= rounding)
        return 0;
    double excess =
        (error - rounding) / (dtype_acc_roundoff(dtype) * magnitude);
    return excess >= 0 ? excess : infinite; /* NaN: y or 0/0 */
}

/* ------------------------------------------------------------------- mean
 *
 * word[0] is the sum, word[1] what its additions lost (Knuth's TwoSum), and
 * word[2] the sum of the magnitudes. */

static inline HOST_DEVICE double acc_word(struct op_acc acc, int k)
{
    return dtype_value(DTYPE_F64, acc.word[k]);
}

/* Returns word[0] + word[1]. Beside an infinity, word[1] is NaN; where it is 0,
 * a word[0] of -0 keeps its sign. */
static inline HOST_DEVICE double acc_value(struct op_acc acc)
{
    const double high = acc_word(acc, 0), low = acc_word(acc, 1);
    return high - high == 0 && low != 0 ? high + low : high;
}

static inline HOST_DEVICE struct op_acc acc_of(double x, double y, double z)
{
    struct op_acc acc;
    acc.word[0] = dtype_bits(DTYPE_F64, x);
    acc.word[1] = dtype_bits(DTYPE_F64, y);
    acc.word[2] = dtype_bits(DTYPE_F64, z);
    return acc;
}

/* Returns what a + b loses when it is rounded. */
static inline HOST_DEVICE double lost_by_adding(double a, double b)
{
    const double sum = a + b, back = sum - a;
    return (a - (sum - back)) + (b - back);
}

IDENTITY(mean)
{
    return acc_of(0, 0, 0);
}

LIFT(mean)
{
    const double x = dtype_value(dtype, bits);
    return acc_of(x, 0, x < 0 ? -x : x);
}

COMBINE(mean)
{
    const double a = acc_word(earlier, 0), b = acc_word(later, 0);
    return acc_of(
        a + b, lost_by_adding(a, b) + acc_word(earlier, 1) + acc_word(later, 1),
        acc_word(earlier, 2) + acc_word(later, 2));
}

static inline HOST_DEVICE double mean_value(struct op_acc acc, int64_t count)
{
    return acc_value(acc) / (double)count;
}

LOWER(mean)
{
    return dtype_bits(dtype, mean_value(acc, count));
}

ERROR(mean)
{
    const double y = dtype_value(dtype, bits), r = mean_value(acc, count);
    const double magnitude = acc_word(acc, 2) / (double)count;
    if (count == 0)
        return y != y ? 0 : infinity_of_double();
    if (y == 0 && is_negative_zero(y) != (r < 0) &&
        magnitude == (r < 0 ? -r : r)) /* no element has that sign */
        return infinity_of_double();
    return rounding_error(dtype, false, y, r, output_rounding(dtype, r),
                          magnitude);
}

/* ---------------------------------------------------------------- product
 *
 * An unevaluated sum of two doubles, word[0] + word[1], whose product with
 * another has a relative error of about 2^-104: Dekker, A Floating-Point
 * Technique for Extending the Available Precision (1971), with fma(). Each
 * multiplication of a kernel adds one rounding of the product itself. */

IDENTITY(mul)
{
    return acc_of(1, 0, 0);
}

LIFT(mul)
{
    return acc_of(dtype_value(dtype, bits), 0, 0);
}

COMBINE(mul)
{
    const double a = acc_word(earlier, 0), b = acc_word(later, 0);
    const double high = a * b, low = fma(a, b, -high);
    return acc_of(high,
                  low + (a * acc_word(later, 1) + b * acc_word(earlier, 1)), 0);
}

LOWER(mul)
{
    return dtype_bits(dtype, acc_value(acc));
}

ERROR(mul)
{
    const double y = dtype_value(dtype, bits), r = acc_value(acc);
    if (r == 0)
        return bits == dtype_bits(dtype, r) ? 0 : infinity_of_double();
    if (y == 0 && is_negative_zero(y) != (r < 0)) /* no rounding does that */
        return infinity_of_double();
    return rounding_error(dtype, exact, y, r, output_rounding(dtype, r),
                          r < 0 ? -r : r);
}

/* ------------------------------------ sum and product of integers and bools
 *
 * word[0] is the result modulo 2^64, and `out` its type. */

#define WRAPPED(prefix, identity, assign, out)                                 \
    IDENTITY(prefix)                                                           \
    {                                                                          \
        struct op_acc acc = { { identity, 0, 0 } };                            \
        return acc;                                                            \
    }                                                                          \
    LIFT(prefix)                                                               \
    {                                                                          \
        struct op_acc acc = { { dtype_integer(dtype, bits), 0, 0 } };          \
        return acc;                                                            \
    }                                                                          \
    COMBINE(prefix)                                                            \
    {                                                                          \
        earlier.word[0] assign later.word[0];                                  \
        return earlier;                                                        \
    }                                                                          \
    LOWER(prefix)                                                              \
    {                                                                          \
        return acc.word[0] & dtype_mask(out);                                  \
    }                                                                          \
    ERROR(prefix)                                                              \
    {                                                                          \
        return bits == (acc.word[0] & dtype_mask(out)) ? 0                     \
                                                       : infinity_of_double(); \
    }

WRAPPED(wrapped_sum, 0, +=, DTYPE_I64)
WRAPPED(wrapped_product, 1, *=, DTYPE_I64)
WRAPPED(narrow_add, 0, +=, dtype)
#undef WRAPPED

/* ------------------------------------------------------ largest, smallest
 *
 * As torch.amax and torch.amin: any NaN wins, with whichever bits. Where zeros
 * of both signs tie, either serves. word[0] orders the elements as unsigned
 * integers, the winner last; word[1] has the signs of the zeros seen. Integers
 * and bools have one result. */

enum { SEEN_ZERO = 1, SEEN_NEGATIVE_ZERO = 2 };

/* Maps a number that is not NaN to an ordered integer, both zeros to one. It is
 * less than UINT64_MAX, and so is its complement above 0. */
static inline HOST_DEVICE uint64_t order_of(double x)
{
    const uint64_t sign = (uint64_t)1 << 63;
    uint64_t bits;
    x = x == 0 ? 0 : x;
    memcpy(&bits, &x, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static inline HOST_DEVICE double in_order(uint64_t place)
{
    const uint64_t sign = (uint64_t)1 << 63;
    const uint64_t bits = place & sign ? place & ~sign : ~place;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline HOST_DEVICE struct op_acc
extreme_lift(enum dtype dtype, uint64_t bits, bool smallest)
{
    struct op_acc acc = { { ~(uint64_t)0, 0, 0 } };
    if (!dtype_is_float(dtype)) {
        acc.word[0] = dtype_integer(dtype, bits) ^ (uint64_t)1 << 63;
        acc.word[0] = smallest ? ~acc.word[0] : acc.word[0];
        return acc;
    }
    const double x = dtype_value(dtype, bits);
    if (x != x)
        return acc;
    acc.word[0] = smallest ? ~order_of(x) : order_of(x);
    if (x == 0)
        acc.word[1] = dtype_bits(DTYPE_F64, x) ? SEEN_NEGATIVE_ZERO : SEEN_ZERO;
    return acc;
}

/* The least element of a maximum, the largest of a minimum. */
static inline HOST_DEVICE uint64_t extreme_identity_bits(enum dtype dtype,
                                                         bool smallest)
{
    const double infinite = infinity_of_double();
    if (dtype_is_float(dtype))
        return dtype_bits(dtype, smallest ? infinite : -infinite);
    return smallest ? dtype_most_bits(dtype) : dtype_least_bits(dtype);
}

static inline HOST_DEVICE struct op_acc extreme_combine(struct op_acc a,
                                                        struct op_acc b)
{
    struct op_acc acc = { { a.word[0] > b.word[0] ? a.word[0] : b.word[0],
                            a.word[1] | b.word[1], 0 } };
    return acc;
}

static inline HOST_DEVICE double extreme_value(struct op_acc acc, bool smallest)
{
    if (acc.word[0] == ~(uint64_t)0)
        return dtype_value(DTYPE_F64, (uint64_t)0x7ff8 << 48);
    const double x = in_order(smallest ? ~acc.word[0] : acc.word[0]);
    return x == 0 && acc.word[1] == SEEN_NEGATIVE_ZERO ? -x : x;
}

static inline HOST_DEVICE uint64_t extreme_lower(enum dtype dtype,
                                                 struct op_acc acc,
                                                 bool smallest)
{
    if (dtype_is_float(dtype))
        return dtype_bits(dtype, extreme_value(acc, smallest));
    const uint64_t place = smallest ? ~acc.word[0] : acc.word[0];
    return (place ^ (uint64_t)1 << 63) & dtype_mask(dtype);
}

static inline HOST_DEVICE bool extreme_accepts(enum dtype dtype, uint64_t bits,
                                               struct op_acc acc, bool smallest)
{
    if (!dtype_is_float(dtype))
        return bits == extreme_lower(dtype, acc, smallest);
    const double y = dtype_value(dtype, bits);
    const double x = extreme_value(acc, smallest);
    if (x != x || y != y)
        return x != x && y != y;
    const unsigned sign =
        dtype_bits(DTYPE_F64, y) >> 63 ? SEEN_NEGATIVE_ZERO : SEEN_ZERO;
    return y == x && (x != 0 || acc.word[1] & sign);
}

#define EXTREME(prefix, smallest)                                              \
    LIFT(prefix)                                                               \
    {                                                                          \
        return extreme_lift(dtype, bits, smallest);                            \
    }                                                                          \
    IDENTITY(prefix)                                                           \
    {                                                                          \
        return extreme_lift(dtype, extreme_identity_bits(dtype, smallest),     \
                            smallest);                                         \
    }                                                                          \
    COMBINE(prefix)                                                            \
    {                                                                          \
        return extreme_combine(earlier, later);                                \
    }                                                                          \
    LOWER(prefix)                                                              \
    {                                                                          \
        return extreme_lower(dtype, acc, smallest);                            \
    }                                                                          \
    ERROR(prefix)                                                              \
    {                                                                          \
        return extreme_accepts(dtype, bits, acc, smallest)                     \
                   ? 0                                                         \
                   : infinity_of_double();                                     \
    }

EXTREME(max, false)
EXTREME(min, true)
#undef EXTREME

/* ------------------------------------------- place of largest or smallest
 *
 * word[0] is the extreme's, word[1] the element's place. Of equals, and
 * of NaNs, the first wins; zeros are equal. */

static inline HOST_DEVICE struct op_acc place_combine(struct op_acc a,
                                                      struct op_acc b)
{
    const bool first =
        a.word[0] != b.word[0] ? a.word[0] > b.word[0] : a.word[1] < b.word[1];
    return first ? a : b;
}

#define PLACE(prefix, smallest)                                                \
    IDENTITY(prefix)                                                           \
    {                                                                          \
        struct op_acc acc = { { 0, ~(uint64_t)0, 0 } };                        \
        return acc;                                                            \
    }                                                                          \
    LIFT(prefix)                                                               \
    {                                                                          \
        struct op_acc acc = extreme_lift(dtype, bits, smallest);               \
        acc.word[1] = (uint64_t)position;                                      \
        return acc;                                                            \
    }                                                                          \
    COMBINE(prefix)                                                            \
    {                                                                          \
        return place_combine(earlier, later);                                  \
    }                                                                          \
    LOWER(prefix)                                                              \
    {                                                                          \
        return acc.word[1];                                                    \
    }                                                                          \
    ERROR(prefix)                                                              \
    {                                                                          \
        return bits == acc.word[1] ? 0 : infinity_of_double();                 \
    }

PLACE(argmax, false)
PLACE(argmin, true)
#undef PLACE

/* ---------------------------------------------------------- log of sum exp
 *
 * The sum of exp(x) is exp(word[0]) (word[1] + word[2]), where word[0] is the
 * largest x: no exp() overflows. An infinite or NaN word[0] is the result. Each
 * exp() has a relative error of about 2^-53, which weighs as much as its x. */

IDENTITY(logaddexp)
{
    return acc_of(-infinity_of_double(), 0, 0);
}

LIFT(logaddexp)
{
    return acc_of(dtype_value(dtype, bits), 1, 0);
}

COMBINE(logaddexp)
{
    const double a = acc_word(earlier, 0), b = acc_word(later, 0);
    const bool keeps = a >= b || a != a;
    const struct op_acc large = keeps ? earlier : later;
    const struct op_acc small = keeps ? later : earlier;
    const double by = a == b ? 1 : exp(keeps ? b - a : a - b);
    const double high = acc_word(large, 1), more = acc_word(small, 1) * by;
    return acc_of(acc_word(large, 0), high + more,
                  lost_by_adding(high, more) + acc_word(large, 2) +
                      acc_word(small, 2) * by);
}

static inline HOST_DEVICE double logaddexp_value(struct op_acc acc)
{
    const double most = acc_word(acc, 0);
    if (most != most || most == infinity_of_double() ||
        most == -infinity_of_double())
        return most;
    return most + log(acc_word(acc, 1) + acc_word(acc, 2));
}

LOWER(logaddexp)
{
    return dtype_bits(dtype, logaddexp_value(acc));
}

/* The error is absolute up to |r| = 1, since so is that of log(). */
ERROR(logaddexp)
{
    const double y = dtype_value(dtype, bits), r = logaddexp_value(acc);
    const double rounded = dtype_value(dtype, dtype_bits(dtype, r));
    const double size = r < 0 ? -r : r;
    if (y == rounded || (y != y && r != r))
        return 0;
    if (!(size < infinity_of_double()))
        return infinity_of_double();
    return rounding_error(dtype, false, y, r, output_rounding(dtype, r),
                          size < 1 ? 1 : size);
}

#undef UNUSED
#undef IDENTITY
#undef LIFT
#undef COMBINE
#undef LOWER
#undef ERROR
