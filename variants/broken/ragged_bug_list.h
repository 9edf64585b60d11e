/* SPDX-License-Identifier: MIT
 *
 * Bugs of ragged shapes, for the host and for a GPU: walks of f32 along a
 * column of a segment, in which one expression is wrong.
 */
#ifndef VARIANTS_BROKEN_RAGGED_BUG_LIST_H
#define VARIANTS_BROKEN_RAGGED_BUG_LIST_H

#include "src/variant.h"

static inline HOST_DEVICE int64_t offset_of(const struct problem *p, int64_t k)
{
    return offset_at(p->offsets, p->offset_bytes, k);
}

/* X(name, OPERATION, offset k, sum before the first element, true if the sum
 * begins anew at place `at`, segment whose output is the sum of segment g or
 * -1, bug). `first` and `end` are the segment's offsets. */
#define RAGGED_BUGS(X)                                                         \
    X(head_missed, CUMSUM, offset_of(p, k),                                    \
      first > 0 && first % 256 == 0 ? in[(first - 1) * inner] : 0, false, g,   \
      "a segment that begins with a tile goes on from the one before")         \
    X(head_of_tile, CUMSUM, offset_of(p, k), 0, at % 256 == 0, g,              \
      "the sum begins anew with a tile")                                       \
    X(empty_unwritten, SUM, offset_of(p, k), 0, false, first < end ? g : -1,   \
      "the sum of an empty segment stays unwritten")                           \
    X(empty_left_out, SUM, offset_of(p, k), 0, false, first < end ? g : g - 1, \
      "an empty segment's sum is written to the one before")                   \
    X(last_dropped, SUM, offset_of(p, k), 0, false,                            \
      g < p->segments - 1 ? g : -1, "the last segment is dropped")             \
    X(short_offsets, SUM, offset_of(p, k) & 0xffff, 0, false, g,               \
      "an offset has 16 bits")                                                 \
    X(offset_words, SUM, offset_at(p->offsets, 4, k), 0, false, g,             \
      "offsets of 64 bits are read as 32")                                     \
    X(changes_offsets, SUM, offset_of(p, k), 0,                                \
      (((char *)p->offsets)[0] = 1, false), g, "the first offset becomes 1")

/* Walks line `line`: column i of segment g. */
#define RAGGED_WALK(name, operation, offset, start, restarts, to, bug)         \
    static inline HOST_DEVICE int64_t name##_offset(const struct problem *p,   \
                                                    int64_t k)                 \
    {                                                                          \
        return offset;                                                         \
    }                                                                          \
    static inline HOST_DEVICE void name##_walk(                                \
        const struct problem *p, __attribute__((unused)) int64_t from,         \
        int64_t line)                                                          \
    {                                                                          \
        const int64_t inner = p->shape.inner, i = line % inner;                \
        const int64_t g = line / inner;                                        \
        const int64_t first = name##_offset(p, g);                             \
        const int64_t end = name##_offset(p, g + 1);                           \
        const float *const in = (const float *)p->in + i;                      \
        float *const out = (float *)p->out + i;                                \
        float sum = start;                                                     \
        for (int64_t at = first; at < end; ++at) {                             \
            sum = (restarts) ? 0 : sum;                                        \
            sum += in[at * inner];                                             \
            if (op_is_scan(OP_##operation))                                    \
                out[at * inner] = sum;                                         \
        }                                                                      \
        if (op_is_reduction(OP_##operation) && (to) >= 0)                      \
            out[(to)*inner] = sum;                                             \
    }
RAGGED_BUGS(RAGGED_WALK)

/* A variant, whose launch() is launch_NAME(). */
#define RAGGED_ROW(name_, operation, offset, start, restarts, to, bug)         \
    { BROKEN_FIELDS(#name_, "bug: " bug, ERROR_SERIAL,                         \
                    OPS(FORM_OF(OP_##operation), DTYPE_BIT(DTYPE_F32))),       \
      .refuses = unless_ragged, .launch = launch_##name_, .ragged = true },

static inline const char *unless_ragged(const struct problem *p)
{
    return p->offsets ? NULL : "its bug is one of ragged shapes";
}

#endif
