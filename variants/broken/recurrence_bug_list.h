/* SPDX-License-Identifier: MIT
 *
 * Bugs of recurrences, for the host and for a GPU: walks along a line of f32,
 * tile by tile, in which one expression is wrong.
 */
#ifndef VARIANTS_BROKEN_RECURRENCE_BUG_LIST_H
#define VARIANTS_BROKEN_RECURRENCE_BUG_LIST_H

#include "src/variant.h"

enum { BUG_TILE = 16 };

/* X(name, OPERATION, a, b, start, carry to the next tile, bug). The place is
 * `at`, the step `k`, and `edge` is true of a tile's first step but the line's.
 * A tile makes factor * carry + sum of its carry, and the tiles before it have
 * the factor `past`. */
#define RECURRENCE_BUGS(X)                                                     \
    X(swaps_maps, RECURRENCE, A(at), B(at), initial, past *sum + carry,        \
      "the later tile is applied first")                                       \
    X(drops_factor, RECURRENCE, edge ? 1 : A(at), B(at), initial, STATE,       \
      "the first a of a tile counts as 1")                                     \
    X(neighbours_b, RECURRENCE, A(at), B(edge ? at - 1 : at), initial, STATE,  \
      "a tile begins with the last b of the tile before")                      \
    X(forgets_carry, RECURRENCE, A(at), B(at), initial, sum,                   \
      "a tile passes on its own sum alone")                                    \
    X(selects_reset, RECURRENCE,                                               \
      (A(at) == 0 ? (carry = 0, sum = 0) : 0, A(at)), B(at), initial, STATE,   \
      "an a of 0 forgets an infinity")                                         \
    X(starts_twice, RECURRENCE, A(at), B(at), initial,                         \
      STATE + (k == BUG_TILE ? initial : 0),                                   \
      "the second tile adds the initial element again")                        \
    X(ignores_start, RECURRENCE_REVERSE, A(at), B(at), 0, STATE,               \
      "the initial element is not used")                                       \
    X(reverses_a_alone, RECURRENCE_REVERSE, A(k), B(at), initial, STATE,       \
      "only b is walked in reverse")

#define A(place) ((const float *)p->in)[first + (place)*inner]
#define B(place) ((const float *)p->in2)[first + (place)*inner]
#define STATE (factor * carry + sum)

#define RECURRENCE_WALK(name, operation, a_, b_, start, next, bug)             \
    static inline HOST_DEVICE void name##_walk(const struct problem *p,        \
                                               int64_t first, int64_t line)    \
    {                                                                          \
        const int64_t inner = p->shape.inner, n = p->shape.axis;               \
        __attribute__((unused)) const float initial =                          \
            p->initial ? ((const float *)p->initial)[line] : 0;                \
        float carry = start, past = 1, factor = 1, sum = 0;                    \
        for (int64_t k = 0; k < n; ++k) {                                      \
            const int64_t at = op_is_reverse(p->op) ? n - 1 - k : k;           \
            const bool edge = k && k % BUG_TILE == 0;                          \
            carry = edge ? (next) : carry;                                     \
            past = edge ? past * factor : past;                                \
            factor = edge ? 1 : factor;                                        \
            sum = edge ? 0 : sum;                                              \
            const float a = a_, b = b_;                                        \
            factor *= a;                                                       \
            sum = a * sum + b;                                                 \
            ((float *)p->out)[first + at * inner] = STATE;                     \
        }                                                                      \
    }
RECURRENCE_BUGS(RECURRENCE_WALK)
#undef A
#undef B
#undef STATE

/* A variant, whose launch() is launch_NAME(). */
#define RECURRENCE_ROW(name_, operation, a, b, start, next, bug)               \
    { BROKEN_FIELDS(#name_, "bug: " bug, ERROR_SERIAL,                         \
                    { FORM_OF(OP_##operation),                                 \
                      { REDUCER_BIT(REDUCER_AFFINE) /* of f32 */ } }),         \
      .launch = launch_##name_ },

#endif
