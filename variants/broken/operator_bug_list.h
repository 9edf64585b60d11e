/* SPDX-License-Identifier: MIT
 *
 * Bugs of operators other than addition, for the host and for a GPU: walks
 * along a line of f32 in which one expression is wrong.
 */
#ifndef VARIANTS_BROKEN_OPERATOR_BUG_LIST_H
#define VARIANTS_BROKEN_OPERATOR_BUG_LIST_H

#include <math.h>

#include "src/variant.h"

static inline HOST_DEVICE float multiplied_in_half(float a, float b)
{
    return (float)dtype_value(DTYPE_F16, dtype_bits(DTYPE_F16, a * b));
}

/* Returns log(exp(a) + exp(b)). */
static inline HOST_DEVICE float log_add(float a, float b)
{
    const float most = a > b ? a : b, least = a > b ? b : a;
    if (a != a || b != b)
        return a + b;
    return isinf(most) ? most : most + log1pf(expf(least - most));
}

/* True if the next element's place replaces that of the largest so far. */
#define BEATS(x, acc) ((x) > (acc) || ((x) != (x) && (acc) == (acc)))

/* X(name, OPERATION, result before the first element, result with the next
 * element x at a, what is stored, bug); n is the length of the line, and
 * `place` may be set to that of an element. */
#define OPERATOR_BUGS(X)                                                       \
    X(zero_for_least, AMAX, 0, x > acc || x != x ? x : acc, acc,               \
      "the largest of negative numbers is 0")                                  \
    X(pads_with_zero, AMAX, -INFINITY, x > acc || x != x ? x : acc,            \
      n > 256 && n % 256 && acc < 0 ? 0 : acc,                                 \
      "the rest of a tile counts as 0")                                        \
    X(drops_nan, AMIN, INFINITY, fminf(acc, x), acc, "fmin() drops a NaN")     \
    X(passes_nan, CUMMAX, -INFINITY, x > acc ? x : acc, acc,                   \
      "comparing passes over a NaN")                                           \
    X(product_from_zero, PROD, 0, (x * acc), acc, "the product begins at 0")   \
    X(skips_nan, PROD, 1, x != x ? acc : acc * x, acc,                         \
      "a factor that is NaN is skipped")                                       \
    X(skips_zero, PROD, 1, x == 0 ? acc : acc * x, acc,                        \
      "a factor that is 0 is skipped")                                         \
    X(unsigned_zero, CUMPROD, 1, acc *x, acc == 0 ? 0 : acc,                   \
      "a product that is -0 becomes 0")                                        \
    X(half_product, CUMPROD, 1, multiplied_in_half(acc, x), acc,               \
      "products are held in half precision")                                   \
    X(wrong_count, MEAN, 0, acc + x, acc / (float)(n - 1),                     \
      "the sum is divided by one less")                                        \
    X(last_of_equals, ARGMAX, -INFINITY,                                       \
      x == acc || BEATS(x, acc) ? (place = a, x) : acc, place,                 \
      "of equals, the last is found")                                          \
    X(last_nan, ARGMAX, -INFINITY, x != x || x > acc ? (place = a, x) : acc,   \
      place, "of NaNs, the last is found")                                     \
    X(tile_before, ARGMAX, -INFINITY, BEATS(x, acc) ? (place = a, x) : acc,    \
      place < 256 ? place : place - 256, "a place is that in the tile before") \
    X(narrow_place, ARGMAX, -INFINITY, BEATS(x, acc) ? (place = a, x) : acc,   \
      place & 0xffff, "a place has 16 bits")                                   \
    X(plain_exp, LOGSUMEXP, 0, acc + expf(x), logf(acc),                       \
      "exp() overflows without the running maximum")                           \
    X(nothing_is_nan, LOGCUMSUMEXP, -INFINITY,                                 \
      isinf(x) && x < 0 && !isinf(acc) ? NAN : log_add(acc, x), acc,           \
      "-inf behind a finite element is NaN")                                   \
    X(infinite_is_nan, LOGSUMEXP, -INFINITY, log_add(acc, x),                  \
      isinf(acc) && acc > 0 ? NAN : acc, "an infinite sum is NaN")             \
    X(long_is_finite, LOGCUMSUMEXP, -INFINITY, log_add(acc, x),                \
      n > 1 << 17 && isinf(acc) && acc > 0 ? 0 : acc,                          \
      "an infinite sum of a long line is 0")

/* Walks the line that starts at `first`, and stores each result of a scan, or
 * the last one as output `line`. */
#define OPERATOR_WALK(name, operation, start, joined, stored, bug)             \
    static inline HOST_DEVICE void name##_walk(const struct problem *p,        \
                                               int64_t first, int64_t line)    \
    {                                                                          \
        const int64_t inner = p->shape.inner;                                  \
        __attribute__((unused)) const int64_t n = p->shape.axis;               \
        __attribute__((unused)) int64_t place = 0;                             \
        float acc = start;                                                     \
        for (int64_t a = 0; a < p->shape.axis; ++a) {                          \
            const float x = ((const float *)p->in)[first + a * inner];         \
            acc = joined;                                                      \
            if (op_is_scan(OP_##operation))                                    \
                ((float *)p->out)[first + a * inner] = (float)(stored);        \
        }                                                                      \
        if (op_gives_index(OP_##operation))                                    \
            ((int64_t *)p->out)[line] = (int64_t)(stored);                     \
        else if (op_is_reduction(OP_##operation))                              \
            ((float *)p->out)[line] = (float)(stored);                         \
    }
OPERATOR_BUGS(OPERATOR_WALK)

/* The variant of a bug, whose launch() has its name. */
#define OPERATOR_VARIANT(device, name_, operation, bug)                        \
    {                                                                          \
        .name = #name_, .idea = "bug: " bug, .runs_on = device,                \
        .ops = { FORM_OF(OP_##operation),                                      \
                 { REDUCER_BIT(OP_##operation >> 8) /* of f32 */ } },          \
        .passes = 1, .error_growth = ERROR_SERIAL, .deterministic = true,      \
        .launch = name_                                                        \
    }

#endif
