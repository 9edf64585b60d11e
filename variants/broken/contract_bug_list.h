/* SPDX-License-Identifier: MIT
 *
 * Broken contracts, for the host and for a GPU: walks along a line of f32 whose
 * results are a carry and the sum of a tile so far. Right within their bounds.
 */
#ifndef VARIANTS_BROKEN_CONTRACT_BUG_LIST_H
#define VARIANTS_BROKEN_CONTRACT_BUG_LIST_H

#include <math.h>

#include "variants/broken/plain_line.h"

static inline HOST_DEVICE float rounded_down(double x)
{
    const float nearest = (float)x;
    return isfinite(nearest) && (double)nearest > x
               ? nextafterf(nearest, -INFINITY)
               : nearest;
}

/* On a GPU, portable bits fix the first fact, and not the second. */
#define DEVICE_TILE                                                            \
    (1 + p->device->sm_count % 8 + (p->device->memory_bytes >> 31))

/* X(name, OPERATION, type of `sum` over all elements before a tile and of
 * `tile`, elements of a tile, its carry, what is declared, bug). */
#define CONTRACT_BUGS(X)                                                       \
    X(follows_device, SUM, float, DEVICE_TILE, carry + tile,                   \
      .portable_bits = true, "tiles follow the device")                        \
    X(carry_down, CUMSUM, double, 8, rounded_down(sum), .monotone = false,     \
      "sums fall where a carry is rounded down")                               \
    X(falls_rarely, CUMSUM, float, 1 << 20, sum, .monotone = true,             \
      "sums fall at the starts of few tiles, whose carries lose small "        \
      "numbers")                                                               \
    X(rounded_twice, CUMSUM, double, 8, carry + (float)tile, .monotone = true, \
      "sums fall where a tile's sum is rounded to a tie before it is added")

/* Walks the line that starts at `first`, in tiles of `segments` elements
 * (NUMBERED_LAUNCH()), as a GPU cannot read the host's facts. */
#define CONTRACT_WALK(name, operation, type, elems, next, declared, bug)       \
    static inline HOST_DEVICE void name##_walk(const struct problem *p,        \
                                               int64_t first, int64_t line)    \
    {                                                                          \
        const float *const in = (const float *)p->in;                          \
        float *const out = (float *)p->out;                                    \
        type sum = 0, tile = 0;                                                \
        float carry = 0;                                                       \
        for (int64_t a = 0, at = first; a < p->shape.axis; ++a) {              \
            if (a % p->segments == 0) {                                        \
                carry = (float)(next);                                         \
                tile = 0;                                                      \
            }                                                                  \
            sum += in[at];                                                     \
            tile += in[at];                                                    \
            if (op_is_scan(OP_##operation))                                    \
                out[at] = (float)(carry + tile);                               \
            at += p->shape.inner;                                              \
        }                                                                      \
        if (op_is_reduction(OP_##operation))                                   \
            out[line] = (float)(carry + tile);                                 \
    }
CONTRACT_BUGS(CONTRACT_WALK)

#define CONTRACT_LAUNCH(name, operation, type, elems, next, declared, bug)     \
    NUMBERED_LAUNCH(name, elems)
#define CONTRACT_ROW(name, operation, type, elems, next, declared, bug)        \
    NUMBERED_VARIANT(name, operation, bug, NULL, declared),

#endif
