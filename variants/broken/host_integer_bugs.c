/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: a walk along a line of integers or bools,
 *          where one expression is wrong.
 * Shows    any line whose results need more bits, or any element of that kind.
 */
#include "variants/broken/host_plain.h"

static int64_t saturated(int64_t acc, int64_t x)
{
    int64_t sum;
    if (!__builtin_add_overflow(acc, x, &sum))
        return sum;
    return x < 0 ? INT64_MIN : INT64_MAX;
}

/* The nearest number that a double holds, but for the last bit. */
static int64_t as_double(uint64_t sum)
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
    X(double_between, SUM, I64, int64_t, 0,                                    \
      as_double((uint64_t)acc + (uint64_t)x), acc, "a double holds the sum")   \
    X(float_compares, ARGMAX, I32, int32_t, INT32_MIN,                         \
      (float)x > (float)acc ? (place = a, x) : acc, place,                     \
      "elements are compared as floats")

#define LAUNCH(name, operation, dtype, type, start, joined, stored, bug)       \
    static int name(const struct problem *p, void *stream)                     \
    {                                                                          \
        int64_t *out = p->out;                                                 \
        (void)stream;                                                          \
        for (int64_t line = 0; line < shape_lines(p->shape); ++line) {         \
            int64_t acc = start, place = 0;                                    \
            (void)place;                                                       \
            for (int64_t a = 0; a < p->shape.axis; ++a) {                      \
                const int64_t at =                                             \
                    plain_start(p->shape, line) + a * p->shape.inner;          \
                const type x = ((const type *)p->in)[at];                      \
                acc = joined;                                                  \
                out[op_is_scan(OP_##operation) ? at : line] = stored;          \
            }                                                                  \
            if (!p->shape.axis)                                                \
                out[line] = op_gives_index(OP_##operation) ? -1 : 0;           \
        }                                                                      \
        return 0;                                                              \
    }
INTEGER_BUGS(LAUNCH)

#define VARIANT(name_, operation, dtype, type, start, joined, stored, bug)     \
    { .name = #name_,                                                          \
      .idea = "bug: " bug,                                                     \
      .runs_on = DEVICE_HOST,                                                  \
      .ops = { FORM_OF(OP_##operation),                                        \
               { [DTYPE_##dtype] = REDUCER_BIT(OP_##operation >> 8) } },       \
      .passes = 1,                                                             \
      .error_growth = ERROR_NONE,                                              \
      .deterministic = true,                                                   \
      .launch = name_ },
VARIANTS(broken__host_integer_bugs) = { INTEGER_BUGS(VARIANT){ 0 } };
