/* SPDX-License-Identifier: MIT
 *
 * The cumulative sum that the host's broken variants break: line after line,
 * element after element. So each file shows its bug and little else.
 */
#ifndef VARIANTS_BROKEN_HOST_PLAIN_H
#define VARIANTS_BROKEN_HOST_PLAIN_H

#include "src/variant.h"

/* Where a line starts; its elements lie `inner` apart. */
static inline int64_t plain_start(struct shape shape, int64_t line)
{
    return line / shape.inner * shape.axis * shape.inner + line % shape.inner;
}

/* Writes the sums of the line at `from` to the line at `to`. */
static inline void plain_cumsum(const float *in, float *out, struct shape shape,
                                int64_t from, int64_t to)
{
    float sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        sum += in[from + a * shape.inner];
        out[to + a * shape.inner] = sum;
    }
}

/* Right, for the bugs that come after. */
static inline void plain_run(const struct problem *p)
{
    for (int64_t line = 0; line < shape_lines(p->shape); ++line)
        plain_cumsum(p->in, p->out, p->shape, plain_start(p->shape, line),
                     plain_start(p->shape, line));
}

#define PLAIN_VARIANT(text, bug)                                               \
    {                                                                          \
        .name = text, .idea = bug, .runs_on = DEVICE_HOST,                     \
        .ops = OP_BIT(OP_CUMSUM), .dtypes = DTYPE_BIT(DTYPE_F32), .passes = 1, \
        .error_growth = ERROR_SERIAL, .deterministic = true, .launch = launch  \
    }

#endif
