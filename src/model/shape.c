/* SPDX-License-Identifier: MIT */
#include "src/model/shape.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = 16 };

/* Several tensors of float64 still have less than 2^63 bytes. */
static const int64_t max_elems = (int64_t)1 << 56;

bool shape_fits(struct shape shape)
{
    int64_t lines, elems;
    if (shape.outer < 0 || shape.axis < 0 || shape.inner < 0)
        return false;
    if (shape.outer == 0 || shape.inner == 0)
        return true;
    return !__builtin_mul_overflow(shape.outer, shape.inner, &lines) &&
           lines <= max_elems &&
           !__builtin_mul_overflow(lines, shape.axis, &elems) &&
           elems <= max_elems;
}

static bool read_integer(const char **text, int64_t *value)
{
    char *end;
    errno = 0;
    long long read = strtoll(*text, &end, 10);
    if (end == *text || errno)
        return false;
    *text = end;
    *value = read;
    return true;
}

/* Reads 4x5x6, 4,5,6 or (4, 5, 6) up to what is behind it. */
static const char *read_extents(const char **text, int64_t *extents, int *dims)
{
    const bool tuple = **text == '(';
    char between = tuple ? ',' : '\0';
    *text += tuple;
    for (*dims = 0;;
         *text += 1 + strspn(*text + 1, between == ',' ? " " : "")) {
        if (*dims == MAX_DIMS)
            return "more than 16 dims";
        if (tuple && *dims && **text == ')') /* (4,) */
            break;
        if (**text < '0' || **text > '9')
            return "an extent is not a number (say 32768x32768:1)";
        if (!read_integer(text, &extents[*dims]))
            return "an extent is too large: more than 2^56 elements";
        ++*dims;
        if (!between && (**text == 'x' || **text == ','))
            between = **text;
        if (!between || **text != between)
            break;
    }
    if (between == ',' && **text == 'x')
        return "extents have x or commas between them, not both";
    if (tuple && *(*text)++ != ')')
        return "no ) behind the extents (say \"(4, 5, 6):1\")";
    return NULL;
}

/* Saturates at INT64_MAX; a 0 makes the product 0. */
static int64_t product(const int64_t *extents, int64_t count)
{
    int64_t all = 1;
    for (int64_t d = 0; d < count; ++d)
        if (extents[d] == 0)
            return 0;
        else if (__builtin_mul_overflow(all, extents[d], &all))
            all = INT64_MAX;
    return all;
}

/* "dim 1 of 4 x 5 x 6, stride 6" */
static void say(const int64_t *extents, int dims, int64_t dim, int64_t stride,
                const char *note, char said[SHAPE_SAID_BYTES])
{
    int used = snprintf(said, SHAPE_SAID_BYTES, "dim %d of ", (int)dim);
    for (int d = 0; d < dims; ++d)
        used += snprintf(said + used, (size_t)(SHAPE_SAID_BYTES - used),
                         "%s%" PRId64, d ? " x " : "", extents[d]);
    snprintf(said + used, (size_t)(SHAPE_SAID_BYTES - used),
             ", stride %" PRId64 "%s", stride, note);
}

const char *shape_read(const char **text, struct shape *shape,
                       char said[SHAPE_SAID_BYTES])
{
    const bool tuple = **text == '(';
    int64_t extents[MAX_DIMS], dim = 1;
    int dims;
    const char *note = "", *problem = read_extents(text, extents, &dims);
    if (problem)
        return problem;
    const bool ends = **text == '\0' || **text == ',';
    if (ends && tuple) {
        dim = dims - 1;
        note = " (without :DIM the last)";
    } else if (ends && dims == 3) {
        note = " (three extents without :DIM are outer x axis x inner)";
    } else if (isalpha((unsigned char)**text) || **text == ' ' ||
               **text == '*') { /* 64X64:1, 1Kx1K:1, 64 x 64:1 */
        return "extents are plain numbers with x between (say 32768x32768:1)";
    } else if (**text != ':') {
        return "no :DIM after the extents (say 32768x32768:1)";
    } else {
        ++*text;
        if (!read_integer(text, &dim) || (**text && **text != ','))
            return "the dim is not a number (say 32768x32768:1)";
        if (dim < -dims || dim >= dims)
            return "the dim is outside the tensor";
        dim += dim < 0 ? dims : 0;
    }
    const struct shape folded = { product(extents, dim), extents[dim],
                                  product(extents + dim + 1, dims - dim - 1) };
    if (!shape_fits(folded))
        return "more than 2^56 elements";
    *shape = folded;
    say(extents, dims, dim, shape->inner, note, said);
    return NULL;
}

const char *shape_parse(const char *text, struct shape *shape)
{
    char said[SHAPE_SAID_BYTES];
    struct shape read;
    const char *problem = shape_read(&text, &read, said);
    if (!problem && *text)
        return "more than one shape";
    if (!problem)
        *shape = read;
    return problem;
}

char *shape_format(struct shape shape, char text[SHAPE_TEXT_BYTES])
{
    snprintf(text, SHAPE_TEXT_BYTES, "%" PRId64 "x%" PRId64 "x%" PRId64,
             shape.outer, shape.axis, shape.inner);
    return text;
}

bool shape_equal(struct shape left, struct shape right)
{
    return left.outer == right.outer && left.axis == right.axis &&
           left.inner == right.inner;
}

static const struct {
    const char *name, *meaning;
} classes[] = {
#define TEXTS(constant, name, meaning) { name, meaning },
    SHAPE_CLASSES(TEXTS)
#undef TEXTS
};

enum shape_class shape_class_of(struct shape shape)
{
    if (shape.inner <= 1)
        return shape.axis < 1024           ? SHAPE_CLASS_SHORT_LINES
               : shape_lines(shape) < 1024 ? SHAPE_CLASS_FEW_LINES
                                           : SHAPE_CLASS_MANY_LINES;
    return shape.axis < 32      ? SHAPE_CLASS_SHORT_AXIS
           : shape.inner < 32   ? SHAPE_CLASS_TINY_INNER
           : shape.inner < 2048 ? SHAPE_CLASS_NARROW_INNER
                                : SHAPE_CLASS_WIDE_INNER;
}

const char *shape_class_name(enum shape_class class)
{
    return classes[class].name;
}

const char *shape_class_meaning(enum shape_class class)
{
    return classes[class].meaning;
}
