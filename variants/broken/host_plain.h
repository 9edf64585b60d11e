/* SPDX-License-Identifier: MIT
 *
 * The cumulative sum that the host's broken variants break: line after line,
 * element after element, so that each file has its bug and little else.
 */
#ifndef VARIANTS_BROKEN_HOST_PLAIN_H
#define VARIANTS_BROKEN_HOST_PLAIN_H

#include <stdlib.h>
#include <string.h>

#include "variants/broken/plain_line.h"

#define BROKEN_DEVICE DEVICE_HOST

/* Computes the right sums, which a bug changes afterwards. */
static inline void plain_run(const struct problem *p)
{
    for (int64_t line = 0; line < shape_lines(p->shape); ++line)
        plain_cumsum(p->in, p->out, p->shape, plain_start(p->shape, line),
                     plain_start(p->shape, line));
}

/* Computes the right sums, but copies the last result if the shape and these
 * bytes, by which the variant recognises its input, are those of the last call.
 */
static inline int plain_remember(const struct problem *p, const void *known,
                                 size_t bytes)
{
    static struct shape shape;
    static void *seen, *result;
    const size_t result_bytes = (size_t)shape_elems(p->shape) * sizeof(float);
    if (seen && result && shape_equal(shape, p->shape) &&
        memcmp(seen, known, bytes) == 0) {
        memcpy(p->out, result, result_bytes);
        return 0;
    }
    plain_run(p);
    free(seen);
    free(result);
    shape = p->shape;
    seen = malloc(bytes);
    result = malloc(result_bytes);
    if (!seen || !result)
        return 1;
    memcpy(seen, known, bytes);
    memcpy(result, p->out, result_bytes);
    return 0;
}

/* A launch() that computes the right sums, then executes these statements:
 * they may name s, in and out. */
#define PLAIN_THEN(...) PLAIN_THEN_OF(launch, __VA_ARGS__)
#define PLAIN_THEN_OF(name, ...)                                               \
    static int name(const struct problem *p, void *stream)                     \
    {                                                                          \
        const struct shape s = p->shape;                                       \
        const float *in = p->in;                                               \
        float *out = p->out;                                                   \
        (void)stream, (void)s, (void)in, (void)out;                            \
        plain_run(p);                                                          \
        __VA_ARGS__                                                            \
        return 0;                                                              \
    }

/* Defines launch_NAME() of a bug whose walk along a line, for the host and for
 * a GPU, is NAME_walk(p, start, line). */
#define WALK_LAUNCH(name, ...)                                                 \
    static int launch_##name(const struct problem *p, void *stream)            \
    {                                                                          \
        (void)stream;                                                          \
        for (int64_t line = 0; line < shape_lines(p->shape); ++line)           \
            name##_walk(p, plain_start(p->shape, line), line);                 \
        return 0;                                                              \
    }

/* The table of a file with one variant. Further fields come last. */
#define PLAIN_VARIANT(text, bug, ...)                                          \
    PLAIN_VARIANT_OF(text, OP_CUMSUM, DTYPE_F32, bug, ERROR_SERIAL,            \
                     ##__VA_ARGS__)
#define PLAIN_VARIANT_OF(text, op, dtype, bug, growth, ...)                    \
    VARIANTS(broken__host_##text) = {                                          \
        { BROKEN_FIELDS(#text, bug, growth,                                    \
                        OPS(FORM_OF(op), DTYPE_BIT(dtype))),                   \
          .launch = launch, ##__VA_ARGS__ },                                   \
        { 0 },                                                                 \
    }

#endif
