/* SPDX-License-Identifier: MIT */
#include "src/model/random_grid.h"

#include "src/model/split_mix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const random_grid_names[] = {
#define NAME(constant, name, text) #name,
    RANDOM_GRIDS(NAME)
#undef NAME
        NULL
};

/* The kind that the text names before a colon or its end, or the count. */
static enum random_kind kind_of(const char *text)
{
    const size_t chars = strcspn(text, ":");
    int k = 0;
    while (random_grid_names[k] && (strlen(random_grid_names[k]) != chars ||
                                    strncmp(text, random_grid_names[k], chars)))
        ++k;
    return (enum random_kind)k;
}

bool random_grid_is(const char *text)
{
    return kind_of(text) < RANDOM_KIND_COUNT;
}

/* Reads the digits up to a colon or the end, and moves *text behind them. */
static bool take_number(const char **text, uint64_t most, uint64_t *number)
{
    const char *from = *text;
    char *end;
    errno = 0;
    *number = strtoull(from, &end, 10);
    *text = end;
    return *from >= '0' && *from <= '9' && !errno && *number <= most &&
           (*end == ':' || *end == '\0');
}

const char *random_grid_parse(const char *text, struct random_grid *grid)
{
    const enum random_kind kind = kind_of(text);
    uint64_t seed, count = RANDOM_GRID_COUNT;
    text += strlen(random_grid_names[kind]);
    if (*text == '\0' || *++text == '\0')
        return "it needs a seed, as in random:1";
    if (!take_number(&text, UINT64_MAX, &seed))
        return "the seed is no whole number from 0 to 2^64 - 1, as in random:1";
    if (*text == ':' &&
        (++text,
         !take_number(&text, RANDOM_GRID_MOST, &count) || count == 0 || *text))
        return "the count is no whole number from 1 to 10000, as in "
               "random:1:60";
    *grid = (struct random_grid){ kind, seed, (int)count };
    return NULL;
}

/* ------------------------------------------------------------- numbers */

/* A whole number from 0 to n - 1; n is at most 2^31. */
static int64_t below(uint64_t *state, int64_t n)
{
    return (int64_t)((split_mix_draw(state) >> 32) * (uint64_t)n >> 32);
}

/* A number m from least to most, with a probability in proportion to 1 / m. */
static int64_t log_uniform(uint64_t *state, int64_t least, int64_t most)
{
    const int first = shape_octave(least),
              count = shape_octave(most) - first + 1;
    for (;;) {
        const int64_t from = (int64_t)1 << (first + below(state, count));
        const int64_t number = from + below(state, from);
        if (number >= least && number <= most && below(state, number) < from)
            return number;
    }
}

/* In one case of three, the power of two with the nearest logarithm. */
static int64_t maybe_power(uint64_t *state, int64_t number)
{
    const int log2 = shape_octave(number);
    if (below(state, 3) > 0)
        return number;
    return (int64_t)1 << (log2 + (number * number >> (2 * log2 + 1) > 0));
}

/* -------------------------------------------------------------- shapes */

enum { HOST_SHIFT = 12, WIDEST = 1 << 17 };

int64_t random_grid_least(enum random_kind grid, enum device_kind kind)
{
    static const int octaves[] = { 24, 18, 21 };
    return (int64_t)1 << (octaves[grid] -
                          (kind == DEVICE_HOST ? HOST_SHIFT : 0));
}

/* A shape of about that many elements. */
static struct shape draw(uint64_t *state, bool ragged, int64_t elems)
{
    struct shape shape = { .outer = 1, .inner = 1 };
    const int64_t widest = elems / 4 < WIDEST ? elems / 4 : WIDEST;
    if (below(state, 5) >= 2)
        shape.inner = maybe_power(state, log_uniform(state, 2, widest));
    const int64_t rest = elems / shape.inner;
    if (ragged) {
        shape.axis = rest;
        shape.lines.mean = maybe_power(state, log_uniform(state, 1, rest));
        shape.lines.seed = (uint32_t)below(state, 1 << 16);
        shape.lines.kind = (uint8_t)(1 + below(state, LINE_KIND_COUNT - 1));
        shape.lines.offset_bytes = below(state, 2) ? 8 : 4;
        return shape;
    }
    shape.axis = log_uniform(state, 2, rest);
    shape.outer = rest / shape.axis;
    if (shape.axis > shape.outer) {
        shape.outer = maybe_power(state, shape.outer);
        shape.axis = maybe_power(state, rest / shape.outer);
    } else {
        shape.axis = maybe_power(state, shape.axis);
        shape.outer = maybe_power(state, rest / shape.axis);
    }
    return shape;
}

void random_grid_shapes(struct random_grid grid, enum device_kind kind,
                        struct shape *shapes)
{
    const int64_t least = random_grid_least(grid.kind, kind);
    const int64_t most = 64 * least;
    uint64_t state = grid.seed ^ (0 - (uint64_t)grid.kind);
    for (int count = 0; count < grid.count;) {
        const struct shape shape = draw(&state, grid.kind == RANDOM_RAGGED,
                                        log_uniform(&state, least, most));
        const int64_t elems = shape_elems(shape);
        int other = 0;
        while (other < count && !shape_equal(shapes[other], shape))
            ++other;
        if (other == count && shape.axis > 1 && elems >= least && elems <= most)
            shapes[count++] = shape;
    }
}
