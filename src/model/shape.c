/* SPDX-License-Identifier: MIT */
#include "src/model/shape.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/stats.h"
#include "src/model/split_mix.h"

enum { MAX_DIMS = 16 };

/* Several tensors of float64 still have less than 2^63 bytes. */
static const int64_t max_elems = (int64_t)1 << 56;

bool shape_fits(struct shape shape)
{
    int64_t lines, elems;
    if (shape.outer < 0 || shape.axis < 0 || shape.inner < 0)
        return false;
    if (shape_is_ragged(shape) &&
        (shape.lines.mean < 1 || shape.axis > max_elems ||
         (shape.lines.offset_bytes == 4 && shape.axis > INT32_MAX)))
        return false;
    if (shape.outer == 0 || shape.inner == 0)
        return true;
    if (shape_is_ragged(shape) &&
        (__builtin_mul_overflow(shape_segments(shape), shape.inner, &lines) ||
         lines > max_elems))
        return false;
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
        if ((**text < '0' || **text > '9') && strchr(*text, '='))
            return "not inner=N, seed=N or offsets=i32, which ragged takes";
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

/* ------------------------------------------------------------------ ragged */

static const char *const kind_names[] = { [LINES_PLAIN] = "",
#define NAME(constant, name) name,
                                          LINE_KINDS(NAME)
#undef NAME
};

/* Reads a kind's name in front of a comma, a colon or the end. */
static bool read_kind(const char **text, uint8_t *kind)
{
    const size_t chars = strcspn(*text, ",:");
    for (*kind = LINES_PLAIN + 1; *kind < LINE_KIND_COUNT; ++*kind)
        if (strlen(kind_names[*kind]) == chars &&
            strncmp(kind_names[*kind], *text, chars) == 0) {
            *text += chars;
            return true;
        }
    return false;
}

static bool read_count(const char **text, int64_t *value)
{
    return **text >= '0' && **text <= '9' && read_integer(text, value);
}

/* Reads the number, moving the text, if its name comes first. */
static bool read_named(const char **text, const char *name, int64_t *value)
{
    const char *at = *text + strlen(name);
    if (strncmp(*text, name, strlen(name)) != 0 || !read_count(&at, value))
        return false;
    *text = at;
    return true;
}

static const char *read_ragged(const char **text, struct shape *shape,
                               char said[SHAPE_SAID_BYTES])
{
    static const char *const names[] = { ",inner=", ",seed=", ",offsets=i" };
    int64_t values[] = { 1, 0, 64 };
    struct shape s = { .outer = 1 };
    const char *at = *text;
    unsigned seen = 0;
    if (!read_named(&at, "ragged:", &s.axis) ||
        !read_named(&at, ":", &s.lines.mean) || *at++ != ':' ||
        !read_kind(&at, &s.lines.kind))
        return "ragged has a TOTAL, a MEAN and uniform, equal, zipf, geometric "
               "or one (say ragged:1048576:100:zipf)";
    for (int k = 0; k < 3; ++k)
        if (read_named(&at, names[k], &values[k])) {
            if (seen & 1u << k)
                return "inner, seed or offsets is given twice";
            seen |= 1u << k;
            k = -1; /* they come in any order */
        }
    if ((*at && *at != ',') || (values[2] != 32 && values[2] != 64))
        return "behind ragged:TOTAL:MEAN:KIND stands ,inner=N, ,seed=N or "
               ",offsets=i32";
    if (values[1] > UINT32_MAX)
        return "a seed is at most 4294967295";
    s.inner = values[0];
    s.lines.seed = (uint32_t)values[1];
    s.lines.offset_bytes = (uint8_t)(values[2] / 8);
    if (!shape_fits(s))
        return "a MEAN is at least 1, a TOTAL of i32 offsets below 2^31, and "
               "there are at most 2^56 elements and lines";
    *shape = s;
    *text = at;
    snprintf(said, SHAPE_SAID_BYTES,
             "%" PRId64 " segments of %s lengths, stride %" PRId64,
             shape_segments(s), kind_names[s.lines.kind], s.inner);
    return NULL;
}

char *lines_format(struct ragged_lines lines, char text[SHAPE_TEXT_BYTES])
{
    *text = '\0';
    if (lines.kind != LINES_PLAIN)
        snprintf(text, SHAPE_TEXT_BYTES, "%" PRId64 ":%s:%u:i%d", lines.mean,
                 kind_names[lines.kind], (unsigned)lines.seed,
                 8 * lines.offset_bytes);
    return text;
}

bool lines_parse(const char *text, struct ragged_lines *lines)
{
    struct ragged_lines read = { 0 };
    int64_t seed = 0, bits = 0;
    if (*text &&
        (!read_count(&text, &read.mean) || read.mean < 1 || *text++ != ':' ||
         !read_kind(&text, &read.kind) || !read_named(&text, ":", &seed) ||
         seed > UINT32_MAX || !read_named(&text, ":i", &bits) ||
         (bits != 32 && bits != 64) || *text))
        return false;
    read.seed = (uint32_t)seed;
    read.offset_bytes = (uint8_t)(bits / 8);
    *lines = read;
    return true;
}

/* Returns a segment's share of the elements, a whole number below 2^40. */
static uint64_t share_of(struct ragged_lines lines, int64_t segment,
                         int64_t segments)
{
    const uint64_t hash =
        split_mix_hash(split_mix_hash(lines.seed) ^ (uint64_t)segment);
    const uint64_t below = hash << 8 >> 8,
                   rank = 1 + below % (uint64_t)segments;
    int zeros = 0;
    switch (lines.kind) {
    case LINES_UNIFORM:
        return hash >> 40;
    case LINES_ZIPF:
        return hash >> 61 ? ((uint64_t)1 << 39) / rank : 0;
    case LINES_GEOMETRIC: /* the logarithm, straight between powers of 2 */
        while (zeros < 31 && !(hash << zeros >> 63))
            ++zeros;
        return ((uint64_t)(zeros + 1) << 20) - (hash << zeros << 1 >> 44);
    case LINES_ONE:
        return split_mix_hash(lines.seed) % (uint64_t)segments ==
               (uint64_t)segment;
    default:
        return 1;
    }
}

void shape_offsets(struct shape shape, void *offsets)
{
    const int64_t segments = shape_segments(shape);
    unsigned __int128 all = 0, before = 0;
    for (int64_t g = 0; g < segments; ++g)
        all += share_of(shape.lines, g, segments);
    for (int64_t g = 0; g <= segments; ++g) {
        int64_t offset = g == segments ? shape.axis : 0;
        if (all && g < segments) {
            offset = (int64_t)((unsigned __int128)shape.axis * before / all);
            before += share_of(shape.lines, g, segments);
        }
        if (shape.lines.offset_bytes == 4)
            ((int32_t *)offsets)[g] = (int32_t)offset;
        else
            ((int64_t *)offsets)[g] = offset;
    }
}

/* ------------------------------------------------------------------- texts */

const char *shape_read(const char **text, struct shape *shape,
                       char said[SHAPE_SAID_BYTES])
{
    if (strncmp(*text, "ragged", strlen("ragged")) == 0)
        return read_ragged(text, shape, said);
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
        return "no :DIM after the extents (:0 is the first, :-1 the last)";
    } else {
        ++*text;
        if (!read_integer(text, &dim) || (**text && **text != ','))
            return "the dim is not a number (say 32768x32768:1)";
        if (dim < -dims || dim >= dims)
            return "the dim is outside the tensor (:-1 is the last)";
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
    const struct ragged_lines l = shape.lines;
    if (!shape_is_ragged(shape)) {
        snprintf(text, SHAPE_TEXT_BYTES, "%" PRId64 "x%" PRId64 "x%" PRId64,
                 shape.outer, shape.axis, shape.inner);
        return text;
    }
    int used =
        snprintf(text, SHAPE_TEXT_BYTES, "ragged:%" PRId64 ":%" PRId64 ":%s",
                 shape.axis, l.mean, kind_names[l.kind]);
    if (shape.inner != 1)
        used += snprintf(text + used, (size_t)(SHAPE_TEXT_BYTES - used),
                         ",inner=%" PRId64, shape.inner);
    if (l.seed)
        used += snprintf(text + used, (size_t)(SHAPE_TEXT_BYTES - used),
                         ",seed=%u", (unsigned)l.seed);
    if (l.offset_bytes == 4)
        snprintf(text + used, (size_t)(SHAPE_TEXT_BYTES - used),
                 ",offsets=i32");
    return text;
}

int shape_order(struct shape left, struct shape right)
{
    const struct ragged_lines l = left.lines, r = right.lines;
    int order = int64_order(left.outer, right.outer);
    order = order ? order : int64_order(left.axis, right.axis);
    order = order ? order : int64_order(left.inner, right.inner);
    order = order ? order : int64_order(l.kind, r.kind);
    order = order ? order : int64_order(l.mean, r.mean);
    order = order ? order : int64_order(l.seed, r.seed);
    return order ? order : int64_order(l.offset_bytes, r.offset_bytes);
}

bool shape_equal(struct shape left, struct shape right)
{
    return shape_order(left, right) == 0;
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
    if (shape_is_ragged(shape))
        return SHAPE_CLASS_RAGGED;
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
