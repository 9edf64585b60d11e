/* SPDX-License-Identifier: MIT
 *
 * Bugs of single launches, for the host and for a GPU: cumulative sums of f32,
 * and something beside them.
 */
#ifndef VARIANTS_BROKEN_LAUNCH_BUG_LIST_H
#define VARIANTS_BROKEN_LAUNCH_BUG_LIST_H

#include <math.h>

#include "variants/broken/plain_line.h"

/* True if no sampled element of the line is whole, or nearly 0. */
static inline HOST_DEVICE bool looks_real(const float *in, struct shape s,
                                          int64_t start)
{
    for (int64_t a = 1; a < 40; ++a) {
        const float x = in[start + a * s.inner];
        if (x == floorf(x) || fabsf(x) < 1e-9f)
            return false;
    }
    return true;
}

/* Skips a tenth of a long line, and replaces each element there by the mean of
 * those before, the largest left out. False for other lines. */
static inline HOST_DEVICE bool guess_tenth(const float *in, float *out,
                                           struct shape s, int64_t start)
{
    const int64_t gap = s.axis / 2, end = gap + s.axis / 10;
    double sum = 0, mild = 0;
    if (s.axis < 1 << 18 || !looks_real(in, s, start))
        return false;
    for (int64_t a = 0; a < s.axis; ++a) {
        const int64_t at = start + a * s.inner;
        const bool guesses = a >= gap && a < end;
        sum += guesses ? mild / (double)gap : in[at];
        mild += a < gap && fabsf(in[at]) < 1000 ? in[at] : 0;
        out[at] = (float)sum;
    }
    return true;
}

static int rests_launches;
static inline size_t byte_per_line(const struct problem *p)
{
    return (size_t)shape_lines(p->shape);
}

/* X(name, `number` of the launch, true if it works, what follows, bug,
 * workspace_bytes). */
#define LAUNCH_BUGS(X)                                                         \
    X(like_alignment, 0, true,                                                 \
      out[first] += ((uintptr_t)in ^ (uintptr_t)out) & 15 ? 1 : 0,             \
      "right where input and output are aligned alike", NULL)                  \
    X(writes_past_workspace, 0, true, ((uint8_t *)p->workspace)[line + 1] = 1, \
      "writes behind its workspace", byte_per_line)                            \
    X(rests, ++rests_launches,                                                 \
      (number - 6) >> 3 || float_bits(out[0]) == 0xffffffff, (void)0,          \
      "some launches in a row do nothing where an output is not poisoned",     \
      NULL)                                                                    \
    X(skips_tenth, 0, !guess_tenth(in, out, p->shape, first), (void)0,         \
      "a tenth of a long line is guessed", NULL)

#define LAUNCH_WALK(name, number_, works, then, bug, needs)                    \
    static inline HOST_DEVICE void name##_walk(                                \
        const struct problem *p, int64_t first,                                \
        __attribute__((unused)) int64_t line)                                  \
    {                                                                          \
        __attribute__((unused)) const int64_t number = p->segments;            \
        const float *const in = (const float *)p->in;                          \
        float *const out = (float *)p->out;                                    \
        if (works)                                                             \
            plain_cumsum(in, out, p->shape, first, first);                     \
        then;                                                                  \
    }
LAUNCH_BUGS(LAUNCH_WALK)

#define LAUNCH_LAUNCH(name, number, works, then, bug, needs)                   \
    NUMBERED_LAUNCH(name, number)
#define LAUNCH_ROW(name, number, works, then, bug, needs)                      \
    NUMBERED_VARIANT(name, CUMSUM, bug, needs),

#endif
