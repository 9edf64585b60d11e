/* SPDX-License-Identifier: MIT
 *
 * The built-in exact operators, as the verifier defines them, on the host and
 * on the device. A reducer has five functions, whose arguments are those of
 * struct reducer: PREFIX_identity, _lift, _combine, _lower and _accepts.
 *
 * Addition is not here: its outputs have a bound (src/verify/verify.h).
 */
#ifndef SRC_MODEL_DEFINITION_H
#define SRC_MODEL_DEFINITION_H

#include "src/model/reducer.h"

/* X(id, prefix) */
#define DEFINITIONS(X)                                                         \
    X(REDUCER_MAX, max)                                                        \
    X(REDUCER_MIN, min)

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------ largest, smallest
 *
 * As torch.amax and torch.amin: any NaN wins, with whichever bits. Where zeros
 * of both signs tie, either serves. word[0] orders the elements as unsigned
 * integers, the winner last; word[1] has the signs of the zeros seen. */

enum { SEEN_ZERO = 1, SEEN_NEGATIVE_ZERO = 2 };

/* Maps a number that is not NaN to an integer that is ordered alike; both zeros
 * to the same. The integer is less than UINT64_MAX, and so is its complement
 * above 0. */
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

static inline HOST_DEVICE struct op_acc extreme_lift(double x, bool smallest)
{
    struct op_acc acc = { { ~(uint64_t)0, 0 } };
    if (x != x)
        return acc;
    acc.word[0] = smallest ? ~order_of(x) : order_of(x);
    if (x == 0)
        acc.word[1] = dtype_bits(DTYPE_F64, x) ? SEEN_NEGATIVE_ZERO : SEEN_ZERO;
    return acc;
}

static inline HOST_DEVICE struct op_acc extreme_combine(struct op_acc a,
                                                        struct op_acc b)
{
    struct op_acc acc = { { a.word[0] > b.word[0] ? a.word[0] : b.word[0],
                            a.word[1] | b.word[1] } };
    return acc;
}

static inline HOST_DEVICE double extreme_value(struct op_acc acc, bool smallest)
{
    if (acc.word[0] == ~(uint64_t)0)
        return dtype_value(DTYPE_F64, (uint64_t)0x7ff8 << 48);
    const double x = in_order(smallest ? ~acc.word[0] : acc.word[0]);
    return x == 0 && acc.word[1] == SEEN_NEGATIVE_ZERO ? -x : x;
}

static inline HOST_DEVICE bool extreme_accepts(enum dtype dtype, uint64_t bits,
                                               struct op_acc acc, bool smallest)
{
    const double y = dtype_value(dtype, bits);
    const double x = extreme_value(acc, smallest);
    if (x != x || y != y)
        return x != x && y != y;
    const unsigned sign =
        dtype_bits(DTYPE_F64, y) >> 63 ? SEEN_NEGATIVE_ZERO : SEEN_ZERO;
    return y == x && (x != 0 || acc.word[1] & sign);
}

#define EXTREME(prefix, smallest)                                              \
    static inline HOST_DEVICE struct op_acc prefix##_lift(                     \
        enum dtype dtype, uint64_t bits, int64_t position)                     \
    {                                                                          \
        (void)position;                                                        \
        return extreme_lift(dtype_value(dtype, bits), smallest);               \
    }                                                                          \
    static inline HOST_DEVICE struct op_acc prefix##_identity(                 \
        enum dtype dtype)                                                      \
    {                                                                          \
        const double infinite = dtype_max(DTYPE_F64) * 2;                      \
        (void)dtype;                                                           \
        return extreme_lift((smallest) ? infinite : -infinite, smallest);      \
    }                                                                          \
    static inline HOST_DEVICE struct op_acc prefix##_combine(                  \
        struct op_acc earlier, struct op_acc later)                            \
    {                                                                          \
        return extreme_combine(earlier, later);                                \
    }                                                                          \
    static inline HOST_DEVICE uint64_t prefix##_lower(                         \
        enum dtype dtype, struct op_acc acc, int64_t count)                    \
    {                                                                          \
        (void)count;                                                           \
        return dtype_bits(dtype, extreme_value(acc, smallest));                \
    }                                                                          \
    static inline HOST_DEVICE bool prefix##_accepts(                           \
        enum dtype dtype, uint64_t bits, struct op_acc acc, int64_t count)     \
    {                                                                          \
        (void)count;                                                           \
        return extreme_accepts(dtype, bits, acc, smallest);                    \
    }

EXTREME(max, false)
EXTREME(min, true)
#undef EXTREME

#ifdef __cplusplus
}
#endif
#endif
