/* SPDX-License-Identifier: MIT
 *
 * Four exact operators for tests alone, on the bits of the elements:
 *
 *   xor     exclusive or; commutative, its identity is zero bits
 *   affine  x -> a x + b modulo a power of two: a in the element's lower half,
 *           made odd and so invertible: no element erases those before it; b in
 *           the upper half. It does not commute. Its accumulator has 8 bytes
 *           for f64 and f16, and 16 for f32
 *   most    the larger of the elements' bits with the sign bit set, as negative
 *           integers; its identity, the least integer, is not zero bits
 *   placed  the sum of the elements, each times an odd number that is unique to
 *           its position; it is stored combined with the line's length. It only
 *           reduces
 *
 * They exist for f32; xor and placed for f16, affine for f64 and f16, most for
 * f64. The functions here are those that the verifier (planted.c) and the
 * kernels (operators.cuh) share.
 */
#ifndef TESTS_OPERATORS_REDUCERS_H
#define TESTS_OPERATORS_REDUCERS_H

#include "src/model/reducer.h"

enum {
    REDUCER_XOR = REDUCER_PLUGIN,
    REDUCER_MODULAR,
    REDUCER_MOST,
    REDUCER_PLACED
};

static inline HOST_DEVICE struct op_acc
affine_lift(enum dtype dtype, uint64_t bits, int64_t position)
{
    (void)position;
    const int half = 4 * (int)dtype_bytes(dtype);
    const uint64_t low = ((uint64_t)1 << half) - 1;
    const struct op_acc acc = { { (bits & low) | 1, bits >> half } };
    return acc;
}

/* later(earlier(x)) */
static inline HOST_DEVICE struct op_acc affine_combine(struct op_acc earlier,
                                                       struct op_acc later)
{
    const struct op_acc acc = { { later.word[0] * earlier.word[0],
                                  later.word[0] * earlier.word[1] +
                                      later.word[1] } };
    return acc;
}

static inline HOST_DEVICE uint64_t affine_lower(enum dtype dtype,
                                                struct op_acc acc,
                                                int64_t count)
{
    (void)count;
    const int half = 4 * (int)dtype_bytes(dtype);
    const uint64_t low = ((uint64_t)1 << half) - 1;
    return (acc.word[0] & low) | (acc.word[1] & low) << half;
}

static inline HOST_DEVICE uint64_t placed_lift(uint64_t bits, int64_t position)
{
    return bits * (2 * (uint64_t)position + 1);
}

static inline HOST_DEVICE uint64_t placed_lower(uint64_t sum, int64_t count)
{
    return sum ^ (uint64_t)count;
}

#endif
