/* SPDX-License-Identifier: MIT
 *
 * A contiguous row-major tensor as three extents: before, along and after one
 * axis. Element (o, a, i) lies at (o * axis + a) * inner + i.
 *
 * A ragged shape has one outer, and an axis that offsets cut into segments: the
 * lines are inner columns of each segment. Line (g, i) has number g * inner + i
 * and the elements from offsets[g] to offsets[g + 1] - 1 along the axis.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "src/model/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of lengths of a ragged shape's segments: X(CONSTANT, name). */
#define LINE_KINDS(X)                                                          \
    X(UNIFORM, "uniform")     /* from 0 to twice the mean */                   \
    X(EQUAL, "equal")         /* the mean, or one more or less */              \
    X(ZIPF, "zipf")           /* a few long, many short, an eighth empty */    \
    X(GEOMETRIC, "geometric") /* as where each element may be the last */      \
    X(ONE, "one")             /* one has all elements */

enum line_kind {
    LINES_PLAIN, /* not ragged: every line has the whole axis */
#define LINE_KIND(constant, name) LINES_##constant,
    LINE_KINDS(LINE_KIND)
#undef LINE_KIND
        LINE_KIND_COUNT
};

/* The lengths of a ragged shape's segments, else zeros. */
struct ragged_lines {
    int64_t mean;         /* elements of a segment along the axis */
    uint32_t seed;        /* of the lengths and their order */
    uint8_t kind;         /* enum line_kind */
    uint8_t offset_bytes; /* 4 or 8 */
};

struct shape {
    int64_t outer, axis, inner;
    struct ragged_lines lines;
};

/* Enough for a ragged shape of 64-bit numbers, with the NUL. */
enum { SHAPE_TEXT_BYTES = 128 };

static inline HOST_DEVICE bool shape_is_ragged(struct shape shape)
{
    return shape.lines.kind != LINES_PLAIN;
}

/* Segments of a ragged shape, one at least: total / mean, rounded. */
static inline HOST_DEVICE int64_t shape_segments(struct shape shape)
{
    const int64_t mean = shape.lines.mean;
    const int64_t segments =
        shape.axis / mean + (shape.axis % mean > (mean - 1) / 2);
    return segments ? segments : 1;
}

/* Elements, and lines along the axis. Inline, for plugins. */
static inline int64_t shape_elems(struct shape shape)
{
    /* If inner is 0, the product of the other two may overflow. */
    return shape.inner ? shape.outer * shape.axis * shape.inner : 0;
}

static inline HOST_DEVICE int64_t shape_lines(struct shape shape)
{
    return (shape_is_ragged(shape) ? shape_segments(shape) : shape.outer) *
           shape.inner;
}

/* The most similar shape of equal lines. */
static inline HOST_DEVICE struct shape shape_evened(struct shape shape)
{
    const bool one = shape.lines.kind == LINES_ONE;
    if (shape_is_ragged(shape)) {
        shape.outer = one ? 1 : shape_segments(shape);
        shape.axis = one ? shape.axis : shape.lines.mean;
        shape.lines.kind = LINES_PLAIN;
    }
    return shape;
}

/* Bytes of the offsets; 0 unless it is ragged. */
static inline int64_t shape_offset_bytes(struct shape shape)
{
    return shape_is_ragged(shape)
               ? (shape_segments(shape) + 1) * shape.lines.offset_bytes
               : 0;
}

/* The whole part of log2(number); 0 for numbers below 2. */
static inline HOST_DEVICE int shape_octave(int64_t number)
{
    int log2 = 0;
    while (number >> log2 > 1)
        ++log2;
    return log2;
}

/* True if no extent is negative, and no function here overflows: at most 2^56
 * elements and lines (an empty line still has a sum); and if a ragged
 * shape's offsets fit into their bytes. */
bool shape_fits(struct shape shape);

/* Reads one shape of a list, and moves the text to the comma behind it or to
 * its end:
 *
 *   4x5x6:1   4,5,6:1   (4, 5, 6):1   a tensor and the dim of its axis, which
 *                                     counts from the end if it is negative
 *   (4, 5, 6)                         along the last dim
 *   4x5x6     4,5,6                   OUTER, AXIS, INNER
 *   ragged:TOTAL:MEAN:KIND[,inner=N][,seed=N][,offsets=i32]
 *                                     an axis of TOTAL elements, in segments
 *
 * A comma behind a bare number is thus inside a tensor, any other comma ends a
 * shape. Returns NULL, or the reason why this is no shape that fits; then
 * *shape is unchanged. */
enum { SHAPE_SAID_BYTES = 512 }; /* "dim 1 of 4 x 5 x 6, stride 6" */
const char *shape_read(const char **text, struct shape *shape,
                       char said[SHAPE_SAID_BYTES]);

/* Reads a text that is one shape. */
const char *shape_parse(const char *text, struct shape *shape);

/* Writes "OUTERxAXISxINNER", or a ragged shape as it is read, and returns its
 * argument. */
char *shape_format(struct shape shape, char text[SHAPE_TEXT_BYTES]);

/* Writes "MEAN:KIND:SEED:i64", or "" unless it is ragged, and returns its
 * argument; and reads such a text. */
char *lines_format(struct ragged_lines lines, char text[SHAPE_TEXT_BYTES]);
bool lines_parse(const char *text, struct ragged_lines *lines);

/* Writes the offsets of a ragged shape, segments + 1 integers of offset_bytes
 * each, in host memory: the same for a shape on every machine. */
void shape_offsets(struct shape shape, void *offsets);

/* Offset k of an array of them. */
static inline HOST_DEVICE int64_t offset_at(const void *offsets, int bytes,
                                            int64_t k)
{
    return bytes == 4 ? ((const int32_t *)offsets)[k]
                      : ((const int64_t *)offsets)[k];
}

/* The segment of a place along the axis. */
static inline HOST_DEVICE int64_t offset_find(const void *offsets, int bytes,
                                              int64_t segments, int64_t place)
{
    int64_t first = 0,
            end = segments; /* offset[first] <= place < offset[end] */
    while (end - first > 1) {
        const int64_t middle = first + (end - first) / 2;
        if (offset_at(offsets, bytes, middle) <= place)
            first = middle;
        else
            end = middle;
    }
    return first;
}

/* Ascending by extents, and then by the lines. Equal shapes compare as 0. */
int shape_order(struct shape left, struct shape right);
bool shape_equal(struct shape left, struct shape right);

/* Kinds of shapes that need different kernels, by which figures are grouped;
 * the first that fits counts, but a ragged shape is RAGGED alone.
 * X(constant, name, meaning) */
#define SHAPE_CLASSES(X)                                                       \
    X(SHORT_LINES, "short_lines", "contiguous, axis below 1024")               \
    X(FEW_LINES, "few_lines", "contiguous, fewer than 1024 lines")             \
    X(MANY_LINES, "many_lines", "contiguous, 1024 lines and more")             \
    X(SHORT_AXIS, "short_axis", "strided, axis below 32")                      \
    X(TINY_INNER, "tiny_inner", "strided, inner below 32")                     \
    X(NARROW_INNER, "narrow_inner", "strided, inner below 2048")               \
    X(WIDE_INNER, "wide_inner", "strided, inner from 2048")                    \
    X(RAGGED, "ragged", "lines of different lengths")

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
