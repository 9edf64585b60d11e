/* SPDX-License-Identifier: MIT */
#include "src/model/grid.h"

#include "src/model/random_grid.h"

#include <stdlib.h>
#include <string.h>

const char *const grid_names[] = { "quick",   "headline", "default", "full",
                                   "awkward", "aa",       "huge",    "mgpu",
                                   "called",  NULL };

enum {
    OPS_LINES = OPS_SCAN | OP_BIT(OP_SUM) | OP_BIT(OP_FLIP),
    F32 = DTYPE_BIT(DTYPE_F32),
};

bool grid_add_item(struct grid *grid, struct grid_item item)
{
    for (size_t k = 0; k < grid->count; ++k) {
        struct grid_item *other = &grid->items[k];
        if (!shape_equal(other->shape, item.shape))
            continue;
        if ((item.ops & ~other->ops) == 0)
            item.dtypes &= ~other->dtypes;
    }
    if (!item.dtypes)
        return true;
    if ((grid->count & (grid->count - 1)) == 0) {
        size_t room = grid->count ? grid->count * 2 : 1;
        void *grown = realloc(grid->items, room * sizeof *grid->items);
        if (!grown)
            return false;
        grid->items = grown;
    }
    grid->items[grid->count++] = item;
    return true;
}

static bool add(struct grid *grid, int64_t outer, int64_t axis, int64_t inner,
                unsigned dtypes)
{
    struct grid_item item = { { outer, axis, inner }, OPS_LINES, dtypes };
    return grid_add_item(grid, item);
}

static bool add_all(struct grid *grid, const struct shape *shapes, size_t count,
                    unsigned ops)
{
    bool ok = true;
    for (size_t k = 0; k < count; ++k) {
        struct grid_item item = { shapes[k], ops, DTYPES_ALL };
        ok &= grid_add_item(grid, item);
    }
    return ok;
}

static bool add_quick(struct grid *grid, enum device_kind kind)
{
    (void)kind;
    static const struct shape shapes[] = {
        { 1, 4096, 1 },  { 1, 100000, 1 }, { 64, 1024, 1 }, { 300, 257, 1 },
        { 32, 4096, 1 }, { 1, 512, 512 },  { 8, 300, 33 },  { 4, 4095, 7 },
    };
    return add_all(grid, shapes, sizeof shapes / sizeof *shapes, OPS_LINES);
}

static bool add_headline(struct grid *grid, enum device_kind kind)
{
    (void)kind;
    struct grid_item sum = { { 128, 4096, 4095 }, OP_BIT(OP_SUM), DTYPES_ALL };
    return add(grid, 32768, 32768, 1, DTYPES_ALL) &&
           add(grid, 1, 32768, 32768, DTYPES_ALL) && grid_add_item(grid, sum);
}

/* Lines of 2^8 … 2^20 at a constant 2^bits elements. */
static bool add_lengths(struct grid *grid, int bits, int step, unsigned dtypes)
{
    bool ok = true;
    for (int length = 8; length <= 20 && length <= bits; length += step)
        ok &= add(grid, (int64_t)1 << (bits - length), (int64_t)1 << length, 1,
                  dtypes);
    return ok;
}

/* Few long lines: at 2^bits elements, and one line four times as long. */
static bool add_long(struct grid *grid, int bits, unsigned dtypes)
{
    return add(grid, 16, (int64_t)1 << (bits - 4), 1, dtypes) &&
           add(grid, 1, (int64_t)1 << bits, 1, dtypes) &&
           add(grid, 1, (int64_t)1 << (bits + 2), 1, dtypes);
}

/* Strided axes at 2^bits elements: wide inner extents, and narrow ones, and a
 * short axis. */
static bool add_strided(struct grid *grid, int bits, int step, unsigned dtypes)
{
    bool ok = true;
    for (int inner = 1; inner <= 15; inner += step) {
        int axis = (bits - inner) / 2 < 12 ? (bits - inner) / 2 : 12;
        ok &= add(grid, (int64_t)1 << (bits - inner - axis), (int64_t)1 << axis,
                  (int64_t)1 << inner, dtypes);
    }
    return ok && add(grid, 32, 8, (int64_t)1 << (bits - 8), dtypes);
}

static bool add_odd(struct grid *grid, int bits, unsigned dtypes)
{
    const int64_t lines = (int64_t)1 << (bits - 12);
    return add(grid, lines, 4095, 1, dtypes) &&
           add(grid, lines, 4097, 1, dtypes) &&
           add(grid, lines / 512, 512, 4095, dtypes);
}

/* Short lines, at nearly 2^bits elements: below a vector, below a warp, and
 * beside a power of two; all dtypes where none of a line's ends is one of a
 * vector. */
static bool add_short(struct grid *grid, int bits, unsigned dtypes)
{
    static const int lengths[] = { 257, 100, 31, 3 };
    bool ok = true;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        ok &= add(grid, ((int64_t)1 << bits) / lengths[k], lengths[k], 1,
                  lengths[k] == 31 ? DTYPES_ALL : dtypes);
    return ok;
}

/* Squares from 2^12 elements upward, along the contiguous dim. */
static bool add_sizes(struct grid *grid, int bits, int step, unsigned dtypes)
{
    bool ok = true;
    for (int side = 6; 2 * side <= bits; side += step)
        ok &= add(grid, (int64_t)1 << side, (int64_t)1 << side, 1, dtypes);
    return ok &&
           add(grid, (int64_t)1 << bits / 2, (int64_t)1 << bits / 2, 1, dtypes);
}

static bool add_default(struct grid *grid, enum device_kind kind)
{
    const int bits = kind == DEVICE_CUDA ? 28 : 22;
    const unsigned rest = DTYPES_ALL & ~(unsigned)F32;
    return add_lengths(grid, bits, 2, F32) && add_long(grid, bits, F32) &&
           add_strided(grid, bits, kind == DEVICE_CUDA ? 2 : 5, F32) &&
           add_odd(grid, bits, F32) && add_short(grid, bits - 3, F32) &&
           add_sizes(grid, bits + 2, 2, F32) &&
           add(grid, (int64_t)1 << (bits - 15), (int64_t)1 << 15, 1, rest) &&
           add(grid, 1, (int64_t)1 << bits, 1, rest) &&
           add(grid, 8, (int64_t)1 << (bits - 13), 1024, rest);
}

static bool add_full(struct grid *grid, enum device_kind kind)
{
    const int bits = kind == DEVICE_CUDA ? 28 : 22;
    return add_lengths(grid, bits, 1, DTYPES_ALL) &&
           add_long(grid, bits, DTYPES_ALL) &&
           add(grid, 4, (int64_t)1 << (bits - 2), 1, DTYPES_ALL) &&
           add_strided(grid, bits, 1, DTYPES_ALL) &&
           add(grid, 1, (int64_t)1 << (bits - 8), 32, DTYPES_ALL) &&
           add_odd(grid, bits, DTYPES_ALL) &&
           add_short(grid, bits, DTYPES_ALL) &&
           add_sizes(grid, bits + 2, 1, DTYPES_ALL) &&
           (kind == DEVICE_HOST || add_headline(grid, kind));
}

static const struct shape awkward_shapes[] = {
    { 65537, 3, 1 },
    { 70000, 1, 1 },
    { 66000, 2, 3 },
    { 1, 33, 1023 },
    { 2, 129, 33 },
    { 2, 129, 128 }, /* rows of whole vectors, several of many steps */
    { 5, 1, 7 },
    { 1, 2, 32769 },
    { 3, 1025, 31 },
    { 1, 4097, 4 },
    { 133, 31, 64 },
    { 1, 300001, 1 },
    { 2, 40000, 1 },
    { 1, 262144, 1 }, /* a power of two, in many tiles */
    { 1, 65536, 2 },
    { 0, 5, 3 },
    { 4, 0, 5 },
    { 4, 5, 0 },
    { 7, 0, 1 },
    /* strips of columns that end a column or two beyond the row */
    { 1, 33, 3359 },
    { 2, 33, 1739 },
    { 1, 5, 6715 },
    /* axes that fit in a tile: slabs by the tile, and strips of one */
    { 5, 3, 1000 },
    { 2, 7, 4097 },
    /* rows of columns to copy, or to fill */
    { 3, 1, 1003 },
    { 3, 1, 1203 },
    { 2, 0, 1000 },
    { 2, 0, 1003 },
    /* strips side by side of which the last ends beyond the row: of
     * doubles, floats, halves */
    { 1, 2, 1740 },
    { 1, 2, 3476 },
    { 1, 2, 6949 },
    /* several lines in a vector, in many tiles or few */
    { 2, 30001, 2 },
    { 3, 9001, 4 },
    { 1, 20001, 8 },
    { 1000, 600, 2 },
    /* lines that nearly fill the last tile, in whole vectors and a few more */
    { 4090, 2, 1 },
    { 1918, 3, 1 },
    /* rows beyond 16 bits, and beyond a grid's y and z */
    { 1, 3, 65536 },
    { 2, 2, 65539 },
    { 1, 2, 140000 },
};

static bool add_awkward(struct grid *grid, enum device_kind kind)
{
    (void)kind;
    static const int extents[] = { 1,    2,    3,    31,    32,    33,
                                   127,  128,  129,  1023,  1024,  1025,
                                   4095, 4096, 4097, 32767, 32768, 32769 };
    /* Beside the sizes of blocks, along contiguous lines. */
    static const struct shape blocks[] = { { 2, 255, 1 }, { 2, 256, 1 },
                                           { 2, 257, 1 }, { 2, 511, 1 },
                                           { 2, 512, 1 }, { 2, 513, 1 } };
    /* Long rows, for sums that walk them side by side. */
    static const struct shape wide[] = { { 3, 100, 1025 },
                                         { 5, 257, 4095 },
                                         { 2, 63, 1032 } };
    /* One long line, a little below what the special input is for. */
    static const struct grid_item line = { { 1, 1048573, 1 },
                                           OPS_SCAN | OP_BIT(OP_SUM),
                                           F32 };
    bool ok =
        add_all(grid, awkward_shapes,
                sizeof awkward_shapes / sizeof *awkward_shapes, OPS_ALL) &&
        add_all(grid, blocks, sizeof blocks / sizeof *blocks, OPS_ALL) &&
        add_all(grid, wide, sizeof wide / sizeof *wide, OP_BIT(OP_SUM)) &&
        grid_add_item(grid, line);
    for (size_t k = 0; k < sizeof extents / sizeof *extents; ++k) {
        const struct shape around[] = { { 3, extents[k], 1 },
                                        { 1, extents[k], 1 },
                                        { 3, extents[k], 3 } };
        ok &= add_all(grid, around, extents[k] <= 4097 ? 3 : 2, OPS_ALL);
    }
    return ok;
}

/* Squares of 2^12 elements and upward, to several times the cache, and one
 * strided shape at a size that they have too, so that no ceiling is measured
 * for it alone. */
static bool add_aa(struct grid *grid, enum device_kind kind)
{
    static const int sizes[] = { 12, 16, 20, 24, 26 };
    const int count = kind == DEVICE_CUDA ? 5 : 3;
    bool ok = add(grid, 4, 256, 1024, F32);
    for (int k = 0; k < count; ++k) {
        /* The largest has many lines, else a few variants take all the time. */
        const int axis = sizes[k] / 2 < 12 ? sizes[k] / 2 : 12;
        ok &= add(grid, (int64_t)1 << (sizes[k] - axis), (int64_t)1 << axis, 1,
                  F32);
    }
    return ok;
}

/* Every count and every extent past what 32 bits hold, in the type that takes
 * the least memory. 2147483659 is 2^31 + 11. */
static bool add_huge(struct grid *grid, enum device_kind kind)
{
    (void)kind;
    static const struct shape shapes[] = {
        { 65537, 65537, 1 },  /* elements > 2^32, of contiguous lines */
        { 1, 65537, 65537 },  /* and of strided ones */
        { 46349, 46349, 1 },  /* elements > 2^31, < 2^32 */
        { 3, 1431655777, 1 }, /* few long lines, over 2^32 */
        { 2147483659, 2, 1 }, /* outer > 2^31 */
        { 1, 4294967311, 1 }, /* axis > 2^32 */
        { 1, 2147483659, 2 }, /* axis > 2^31, strided */
        { 1, 2, 2147483659 }, /* inner > 2^31 */
    };
    bool ok = true;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
        ok &= add(grid, shapes[k].outer, shapes[k].axis, shapes[k].inner,
                  DTYPE_BIT(DTYPE_F16));
    return ok;
}

/* What several GPUs have between them, from too little for one to too much: one
 * line, some lines, and columns, of every size. The same sizes over 1, 2 and 4
 * ranks are strong scaling along a size, and weak along size over ranks. */
static bool add_mgpu(struct grid *grid, enum device_kind kind)
{
    const int least = kind == DEVICE_CUDA ? 24 : 14;
    const int most = kind == DEVICE_CUDA ? 33 : 20;
    const unsigned dtypes = F32 | DTYPE_BIT(DTYPE_F16);
    bool ok = true;
    for (int bits = least; bits <= most; ++bits)
        ok &= add(grid, 1, (int64_t)1 << bits, 1, dtypes) &&
              add(grid, 64, (int64_t)1 << (bits - 6), 1, dtypes) &&
              add(grid, 1, (int64_t)1 << (bits - 12), 4096, dtypes);
    return ok;
}

/* What people call from frameworks, where `best` was behind once: along the
 * last dim, the first, or of all elements. */
static bool add_called(struct grid *grid, enum device_kind kind)
{
    (void)kind;
    static const struct shape shapes[] = {
        { 4096, 5120, 1 }, { 100003, 12, 1 },  { 12, 100003, 1 },
        { 1, 12, 100003 }, { 500009, 301, 1 }, { 1, 300, 90000 },
        { 1, 6553600, 1 }, { 1, 26214400, 1 },
    };
    return add_all(grid, shapes, sizeof shapes / sizeof *shapes, OPS_LINES);
}

static bool add_random(struct grid *grid, const char *name,
                       enum device_kind kind)
{
    struct random_grid random;
    if (random_grid_parse(name, &random))
        return false;
    struct shape *shapes = calloc((size_t)random.count, sizeof *shapes);
    if (!shapes)
        return false;
    random_grid_shapes(random, kind, shapes);
    const bool ok = add_all(grid, shapes, (size_t)random.count, OPS_LINES);
    free(shapes);
    return ok;
}

bool grid_add(struct grid *grid, const char *name, enum device_kind kind)
{
    static bool (*const adders[])(struct grid *, enum device_kind) = {
        add_quick, add_headline, add_default, add_full,  add_awkward,
        add_aa,    add_huge,     add_mgpu,    add_called
    };
    for (int k = 0; grid_names[k]; ++k)
        if (strcmp(name, grid_names[k]) == 0)
            return adders[k](grid, kind);
    return random_grid_is(name) && add_random(grid, name, kind);
}

void grid_free(struct grid *grid)
{
    free(grid->items);
    *grid = (struct grid){ 0 };
}
