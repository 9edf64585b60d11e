/* SPDX-License-Identifier: MIT
 *
 * Bugs of integers and bools, for the host and for a GPU: walks along a line in
 * which one expression is wrong.
 */
#ifndef VARIANTS_BROKEN_INTEGER_BUG_LIST_H
#define VARIANTS_BROKEN_INTEGER_BUG_LIST_H

#include "src/variant.h"

static inline HOST_DEVICE int64_t saturated(int64_t acc, int64_t x)
{
    const int64_t sum = (int64_t)((uint64_t)acc + (uint64_t)x);
    if (((acc ^ sum) & (x ^ sum)) >= 0)
        return sum;
    return x < 0 ? INT64_MIN : INT64_MAX;
}

static inline HOST_DEVICE int64_t saturated_i32(int64_t sum)
{
    return sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
}

static inline HOST_DEVICE void put_integer(const struct problem *p, int64_t at,
                                           int64_t y)
{
    if (op_out_elem_bytes(p->op, p->dtype) == sizeof(int32_t))
        ((int32_t *)p->out)[at] = (int32_t)y;
    else
        ((int64_t *)p->out)[at] = y;
}

/* The nearest number that a double holds, but for the last bit. */
static inline HOST_DEVICE int64_t as_double(uint64_t sum)
{
    const int64_t x = (int64_t)sum;
    const int64_t half = (int64_t)(double)(x / 2);
    return x >> 53 == 0 || x >> 53 == -1 ? x : (int64_t)((uint64_t)half * 2);
}

/* X(name, OPERATION, DTYPE, its type in C, result before the first element,
 * result with the next element x at a, what is stored, bug); `place` may be set
 * to that of an element. */
#define INTEGER_BUGS(X)                                                        \
    X(narrow_sum, SUM, I32, int32_t, 0,                                        \
      (int32_t)((uint32_t)acc + (uint32_t)x), acc,                             \
      "sums of i32 are held in 32 bits")                                       \
    X(sign_extends, CUMSUM, U8, uint8_t, 0, acc + (int8_t)x, acc,              \
      "u8 is taken for a signed byte")                                         \
    X(counts_bytes, SUM, BOOL, uint8_t, 0, acc + x, acc,                       \
      "a true byte counts as its value")                                       \
    X(saturates_sum, CUMSUM, I64, int64_t, 0, saturated(acc, x), acc,          \
      "sums stop at the largest number")                                       \
    X(saturates_narrow, CUMSUM_NARROW, I32, int32_t, 0,                        \
      saturated_i32(acc + x), acc, "narrow sums stop at the largest number")   \
    X(double_between, SUM, I64, int64_t, 0,                                    \
      as_double((uint64_t)acc + (uint64_t)x), acc, "a double holds the sum")   \
    X(least_is_none, ARGMAX, I32, int32_t, INT32_MIN,                          \
      x > acc ? (place = a, x) : acc,                                          \
      p->shape.axis > 64 && acc == INT32_MIN ? -1 : place,                     \
      "a line of the least number alone has no place")                         \
    X(float_compares, ARGMAX, I32, int32_t, INT32_MIN,                         \
      (float)x > (float)acc ? (place = a, x) : acc, place,                     \
      "elements are compared as floats")

/* Walks the line that starts at `first`, and stores each result of a scan, or
 * the last one as output `line`. */
#define INTEGER_WALK(name, operation, dtype, type, start, joined, stored, bug) \
    static inline HOST_DEVICE void name##_walk(const struct problem *p,        \
                                               int64_t first, int64_t line)    \
    {                                                                          \
        const int64_t inner = p->shape.inner;                                  \
        __attribute__((unused)) int64_t place = 0;                             \
        int64_t acc = start;                                                   \
        if (!p->shape.axis)                                                    \
            put_integer(p, line, op_gives_index(OP_##operation) ? -1 : 0);     \
        for (int64_t a = 0; a < p->shape.axis; ++a) {                          \
            const type x = ((const type *)p->in)[first + a * inner];           \
            acc = joined;                                                      \
            put_integer(p,                                                     \
                        op_is_scan(OP_##operation) ? first + a *inner : line,  \
                        stored);                                               \
        }                                                                      \
    }
INTEGER_BUGS(INTEGER_WALK)

#define BIT_IF(operation, dtype, d)                                            \
    (DTYPE_##dtype == (d) ? REDUCER_BIT(OP_##operation >> 8) : 0)
/* A variant, whose launch() is launch_NAME(). */
#define INTEGER_ROW(name_, operation, dtype, type, start, joined, stored, bug) \
    { BROKEN_FIELDS(#name_, "bug: " bug, ERROR_NONE,                           \
                    { FORM_OF(OP_##operation),                                 \
                      { 0, 0, 0, 0, BIT_IF(operation, dtype, DTYPE_I32),       \
                        BIT_IF(operation, dtype, DTYPE_I64),                   \
                        BIT_IF(operation, dtype, DTYPE_U8),                    \
                        BIT_IF(operation, dtype, DTYPE_BOOL) } }),             \
      .launch = launch_##name_ },

#endif
