/* SPDX-License-Identifier: MIT */
#include "src/base/shape.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DIMS = 16 };

/* Some tensors of float64 then still fit in 64 bits of bytes. */
static const int64_t max_elems = (int64_t)1 << 56;

/* Multiplies with the cap that keeps every later product inside 64 bits. */
static bool multiply(int64_t *product, int64_t factor)
{
    if (factor != 0 && *product > max_elems / factor)
        return false;
    *product *= factor;
    return true;
}

bool shape_fits(struct shape shape)
{
    const int64_t extents[] = { shape.outer, shape.axis, shape.inner };
    int64_t all = 1;
    for (int d = 0; d < 3; ++d)
        if (extents[d] < 0 || !multiply(&all, extents[d] ? extents[d] : 1))
            return false;
    return true;
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

static const char *read_extents(const char **text, int64_t *extents, int *dims)
{
    for (*dims = 0;; ++*text) {
        if (*dims == MAX_DIMS)
            return "more than 16 dims";
        if (**text < '0' || **text > '9')
            return "an extent is not a number (say 32768x32768:1)";
        if (!read_integer(text, &extents[*dims]))
            return "an extent is too large: more than 2^56 elements";
        ++*dims;
        if (**text != 'x')
            return NULL;
    }
}

static const char *fold(const int64_t *extents, int dims, int64_t dim,
                        struct shape *shape)
{
    /* The non-zero product is capped too: 0x2^62x2^62 has no elements, but
     * its lines would still overflow. */
    int64_t all = 1;
    struct shape folded = { 1, 1, 1 };
    for (int d = 0; d < dims; ++d) {
        if (!multiply(&all, extents[d] ? extents[d] : 1))
            return "more than 2^56 elements";
        int64_t *into = d < dim    ? &folded.outer
                        : d == dim ? &folded.axis
                                   : &folded.inner;
        *into *= extents[d];
    }
    *shape = folded;
    return NULL;
}

const char *shape_parse(const char *text, struct shape *shape)
{
    int64_t extents[MAX_DIMS], dim = 1;
    int dims;
    const char *problem = read_extents(&text, extents, &dims);
    if (problem)
        return problem;
    if (*text == '\0' && dims == 3)
        return fold(extents, dims, 1, shape);
    if (isalpha((unsigned char)*text)) /* 64X64:1, 1Kx1K:1 */
        return "extents are plain numbers with x between (say 32768x32768:1)";
    if (*text != ':')
        return "no :DIM after the extents (say 32768x32768:1)";
    ++text;
    if (!read_integer(&text, &dim) || *text)
        return "the dim is not a number (say 32768x32768:1)";
    if (dim < -dims || dim >= dims)
        return "the dim is outside the tensor";
    return fold(extents, dims, dim < 0 ? dim + dims : dim, shape);
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
