/* SPDX-License-Identifier: MIT
 *
 * Bugs for the host and for a GPU: walks along a line of f32 in which one
 * expression is wrong.
 */
#ifndef VARIANTS_BROKEN_OPERATOR_BUG_LIST_H
#define VARIANTS_BROKEN_OPERATOR_BUG_LIST_H

#include <math.h>

#include "variants/broken/plain_line.h"

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

/* The element of another line, and a number without its lowest bits. */
#define OF_LINE(other) in[plain_start(p->shape, other) + a * inner]
#define MIRRORED out[first + (n - 1 - a) * inner]
#define HIGH_BITS(x, lowest)                                                   \
    float_from_bits(float_bits(x) >> (lowest) << (lowest))

/* X(name, OPERATION, result before the first element, result with the next
 * element x, what is stored, bug). x is element a of n, at index `at`, and
 * `place` may be set to that of an element. */
#define OPERATOR_BUGS(X)                                                       \
    X(off_by_one, CUMSUM, 0, acc + in[a > 0 && a == n / 2 ? at - inner : at],  \
      acc, "the middle of a line is read one place too early")                 \
    X(exclusive_for_inclusive, CUMSUM, 0, a ? acc + in[at - inner] : 0, acc,   \
      "an exclusive scan instead of an inclusive one")                         \
    X(last_tile_dropped, CUMSUM, 0, acc + x,                                   \
      n > 1024 && a >= n / 1024 * 1024 ? out[at] : acc,                        \
      "the end of a line of several tiles is not written")                     \
    X(unwritten_output, CUMSUM, 0, acc + x,                                    \
      line == lines - 1 && a == n / 2 ? out[at] : acc,                         \
      "one output is never written")                                           \
    X(nan, CUMSUM, 0, acc + x, at == elems - 1 ? NAN : acc,                    \
      "the last output is NaN")                                                \
    X(negative_zero, CUMSUM, 0, acc + x, acc == 0 ? -0.0f : acc, "-0 for 0")   \
    X(wrong_line, CUMSUM, 0,                                                   \
      acc + OF_LINE(line < 2 && lines > 1 ? 1 - line : line), acc,             \
      "the first two lines are swapped")                                       \
    X(changes_input, CUMSUM, 0, acc + x, ((float *)p->in)[at] = acc,           \
      "the input ends as the sums, too")                                       \
    X(writes_past_end, CUMSUM, 0, acc + x, (out[elems] = 0, acc),              \
      "writes behind the output")                                              \
    X(writes_far_past_end, CUMSUM, 0, acc + x, (out[elems + 1034] = 0, acc),   \
      "writes more than a page behind the output")                             \
    X(writes_far_before, CUMSUM, 0, acc + x, (out[-15000] = 0, acc),           \
      "writes 60000 bytes before the output")                                  \
    X(adds_nothing_behind, CUMSUM, 0, acc + x, acc + 0 * in[elems],            \
      "adds 0 times in[n]")                                                    \
    X(truncates_input, CUMSUM, 0, acc + HIGH_BITS(x, n > 32768 ? 16 : 0), acc, \
      "inputs of axes beyond 32768 lose their lower 16 bits")                  \
    X(coarse_carry, CUMSUM, 0, HIGH_BITS(acc, a % 65536 ? 0 : 8) + x, acc,     \
      "every 65536 elements, the sum loses its lowest 8 bits")                 \
    X(flushes_subnormals, CUMSUM, 0,                                           \
      acc + (float_bits(x) & 0x7f800000 ? x : 0), acc,                         \
      "subnormals count as 0")                                                 \
    X(skips_unless_poisoned, CUMSUM, 0,                                        \
      (place = a ? place : float_bits(out[at]) == 0xffffffff, acc + x),        \
      place ? acc : out[at],                                                   \
      "a line whose output looks done is left as it is")                       \
    X(quiets_nans, FLIP, 0,                                                    \
      (MIRRORED = float_from_bits(float_bits(x) | (isnan(x) ? 0x400000 : 0)),  \
       acc),                                                                   \
      acc, "a flip that changes NaNs")                                         \
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
    X(half_product, CUMPROD, 1,                                                \
      (float)dtype_value(DTYPE_F16, dtype_bits(DTYPE_F16, (x * acc))), acc,    \
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
      "an infinite sum of a long line is 0")                                   \
    X(drops_tail, LOGSUMEXP, -INFINITY,                                        \
      (place = x > in[first + place * inner] ? a : place,                      \
       a > 255 && x < in[first + place * inner] - 9 ? acc : log_add(acc, x)),  \
      acc, "behind a tile, terms below 1e-4 of the largest are dropped")

/* Walks the line that starts at `first`, and stores each result of a scan, or
 * the last one as output `line`. */
#define OPERATOR_WALK(name, operation, start, joined, stored, bug)             \
    static inline HOST_DEVICE void name##_walk(const struct problem *p,        \
                                               int64_t first, int64_t line)    \
    {                                                                          \
        const int64_t inner = p->shape.inner, n = p->shape.axis;               \
        const int64_t lines = p->shape.outer * inner, elems = lines * n;       \
        const float *const in = (const float *)p->in;                          \
        float *const out = (float *)p->out;                                    \
        __attribute__((unused)) int64_t place = 0;                             \
        int64_t a = 0, at = first;                                             \
        __attribute__((unused)) float x = 0;                                   \
        float acc = start;                                                     \
        (void)elems;                                                           \
        for (; a < n; ++a, at += inner) {                                      \
            x = in[at];                                                        \
            acc = joined;                                                      \
            if (op_is_scan(OP_##operation))                                    \
                out[at] = (float)(stored);                                     \
        }                                                                      \
        if (op_gives_index(OP_##operation))                                    \
            ((int64_t *)p->out)[line] = (int64_t)(stored);                     \
        else if (op_is_reduction(OP_##operation))                              \
            out[line] = (float)(stored);                                       \
    }
OPERATOR_BUGS(OPERATOR_WALK)

/* A variant, whose launch() is launch_NAME(). */
#define OPERATOR_ROW(name_, operation, start, joined, stored, bug)             \
    { BROKEN_FIELDS(#name_, "bug: " bug, ERROR_SERIAL,                         \
                    { FORM_OF(OP_##operation),                                 \
                      { REDUCER_BIT(OP_##operation >> 8) /* of f32 */ } }),    \
      .launch = launch_##name_ },

#endif
