/* SPDX-License-Identifier: MIT
 *
 * A line and its cumulative sum, for the broken variants of both devices.
 */
#ifndef VARIANTS_BROKEN_PLAIN_LINE_H
#define VARIANTS_BROKEN_PLAIN_LINE_H

#include "src/variant.h"

/* Fields of a variant up to `deterministic`; its op_set comes last. */
#define BROKEN_FIELDS(text, idea_, growth, ...)                                \
    .name = text, .idea = idea_, .runs_on = BROKEN_DEVICE, .ops = __VA_ARGS__, \
    .passes = 1, .error_growth = growth, .deterministic = true

/* The launch and the variant of a bug whose NAME_walk() (see WALK_LAUNCH())
 * needs a number from the host: `segments` holds it, which only ragged shapes
 * use. */
#define NUMBERED_LAUNCH(name, number)                                          \
    WALK_LAUNCH(name)                                                          \
    static int numbered_##name(const struct problem *p, void *stream)          \
    {                                                                          \
        struct problem numbered = *p;                                          \
        numbered.segments = number;                                            \
        return launch_##name(&numbered, stream);                               \
    }
#define NUMBERED_VARIANT(name_, operation, bug, needs, ...)                    \
    {                                                                          \
        BROKEN_FIELDS(#name_, "bug: " bug, ERROR_SERIAL,                       \
                      OPS(FORM_OF(OP_##operation), DTYPE_BIT(DTYPE_F32))),     \
            .workspace_bytes = needs, .launch = numbered_##name_, __VA_ARGS__  \
    }

/* Returns the index of a line's first element; the others follow `inner` apart.
 */
static inline HOST_DEVICE int64_t plain_start(struct shape shape, int64_t line)
{
    return line / shape.inner * shape.axis * shape.inner + line % shape.inner;
}

/* Writes the sums of the line at `from` to the line at `to`. */
static inline HOST_DEVICE void plain_cumsum(const float *in, float *out,
                                            struct shape shape, int64_t from,
                                            int64_t to)
{
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        sum += in[from + a * shape.inner];
        out[to + a * shape.inner] = sum;
    }
}

#endif
