/* SPDX-License-Identifier: MIT
 *
 * A contiguous row-major tensor as three extents: before, along and after one
 * axis.
 * Element (o, a, i) lies at (o * axis + a) * inner + i.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shape {
    int64_t outer, axis, inner;
};

/* Enough for three 64-bit extents, two 'x' and the NUL. */
enum { SHAPE_TEXT_BYTES = 64 };

/* Elements, and lines along the axis. Inline, for plugins. */
static inline int64_t shape_elems(struct shape shape)
{
    /* If inner is 0, the product of the other two may overflow. */
    return shape.inner ? shape.outer * shape.axis * shape.inner : 0;
}

static inline int64_t shape_lines(struct shape shape)
{
    return shape.outer * shape.inner;
}

/* The whole part of log2(number); 0 for numbers below 2. */
static inline int shape_octave(int64_t number)
{
    int log2 = 0;
    while (number >> log2 > 1)
        ++log2;
    return log2;
}

/* True if no extent is negative, and no function here overflows: at most 2^56
 * elements and lines, even without elements, as each has a sum. */
bool shape_fits(struct shape shape);

/* Reads one shape of a list, and moves the text to the comma behind it or to
 * its end:
 *
 *   4x5x6:1   4,5,6:1   (4, 5, 6):1   a tensor and the dim of its axis, which
 *                                     counts from the end if it is negative
 *   (4, 5, 6)                         along the last dim
 *   4x5x6     4,5,6                   OUTER, AXIS, INNER
 *
 * A comma behind a bare number is thus inside a tensor, any other comma ends a
 * shape. Returns NULL, or the reason why this is no shape that fits; then
 * *shape is unchanged. */
enum { SHAPE_SAID_BYTES = 512 }; /* "dim 1 of 4 x 5 x 6, stride 6" */
const char *shape_read(const char **text, struct shape *shape,
                       char said[SHAPE_SAID_BYTES]);

/* The same for a text that is one shape. */
const char *shape_parse(const char *text, struct shape *shape);

/* Writes "OUTERxAXISxINNER" and returns its argument. */
char *shape_format(struct shape shape, char text[SHAPE_TEXT_BYTES]);

bool shape_equal(struct shape left, struct shape right);

/* Kinds of shapes that need different kernels, by which figures are grouped;
 * the first that fits counts. X(constant, name, meaning) */
#define SHAPE_CLASSES(X)                                                       \
    X(SHORT_LINES, "short_lines", "contiguous, axis below 1024")               \
    X(FEW_LINES, "few_lines", "contiguous, fewer than 1024 lines")             \
    X(MANY_LINES, "many_lines", "contiguous, 1024 lines and more")             \
    X(SHORT_AXIS, "short_axis", "strided, axis below 32")                      \
    X(TINY_INNER, "tiny_inner", "strided, inner below 32")                     \
    X(NARROW_INNER, "narrow_inner", "strided, inner below 2048")               \
    X(WIDE_INNER, "wide_inner", "strided, inner from 2048")

enum shape_class {
#define SHAPE_CLASS(constant, name, meaning) SHAPE_CLASS_##constant,
    SHAPE_CLASSES(SHAPE_CLASS)
#undef SHAPE_CLASS
        SHAPE_CLASS_COUNT
};

enum shape_class shape_class_of(struct shape shape);
const char *shape_class_name(enum shape_class kind);
const char *shape_class_meaning(enum shape_class kind);

#ifdef __cplusplus
}
#endif
