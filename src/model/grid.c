/* SPDX-License-Identifier: MIT */
#include "src/model/grid.h"

#include "src/model/random_grid.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"

const char *const grid_names[] = {
#define NAME(name, text) #name,
    GRIDS(NAME)
#undef NAME
        NULL
};

enum { F32 = DTYPE_BIT(DTYPE_F32) };

void grid_add_item(struct grid *grid, struct grid_item item)
{
    for (size_t k = 0; k < grid->count; ++k) {
        const struct grid_item *other = &grid->items[k];
        if (shape_equal(other->shape, item.shape) &&
            (item.ops & ~other->ops) == 0)
            item.dtypes &= ~other->dtypes;
    }
    if (!item.dtypes)
        return;
    grid->items = memory_more(grid->items, grid->count, sizeof *grid->items);
    grid->items[grid->count++] = item;
}

static void add(struct grid *grid, int64_t outer, int64_t axis, int64_t inner,
                unsigned dtypes)
{
    grid_add_item(grid, (struct grid_item){ { outer, axis, inner },
                                            ops_where(op_is_along_lines),
                                            dtypes });
}

static void add_all(struct grid *grid, const struct shape *shapes, size_t count,
                    uint64_t ops)
{
    for (size_t k = 0; k < count; ++k)
        grid_add_item(grid, (struct grid_item){ shapes[k], ops, DTYPES_ALL });
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void add_quick(struct grid *grid)
{
    static const struct shape shapes[] = {
        { 1, 4096, 1 },  { 1, 100000, 1 }, { 64, 1024, 1 }, { 300, 257, 1 },
        { 32, 4096, 1 }, { 1, 512, 512 },  { 8, 300, 33 },  { 4, 4095, 7 },
    };
    add_all(grid, shapes, COUNT(shapes), ops_where(op_is_along_lines));
}

static void add_headline(struct grid *grid)
{
    add(grid, 32768, 32768, 1, DTYPES_ALL);
    add(grid, 1, 32768, 32768, DTYPES_ALL);
    grid_add_item(grid, (struct grid_item){
                            { 128, 4096, 4095 }, op_bit(OP_SUM), DTYPES_ALL });
}

static int64_t power(int log2)
{
    return (int64_t)1 << log2;
}

/* Lines of 2^8 … 2^20 elements, in tensors of 2^bits. */
static void add_lengths(struct grid *grid, int bits, int step, unsigned dtypes)
{
    for (int length = 8; length <= 20 && length <= bits; length += step)
        add(grid, power(bits - length), power(length), 1, dtypes);
}

/* 2^bits elements in 16 lines and in one, and a line four times as long. */
static void add_long(struct grid *grid, int bits, unsigned dtypes)
{
    add(grid, 16, power(bits - 4), 1, dtypes);
    add(grid, 1, power(bits), 1, dtypes);
    add(grid, 1, power(bits + 2), 1, dtypes);
}

/* Strided axes of 2^bits elements: inner from 2 to 2^15, and a short axis. */
static void add_strided(struct grid *grid, int bits, int step, unsigned dtypes)
{
    for (int inner = 1; inner <= 15; inner += step) {
        const int axis = (bits - inner) / 2 < 12 ? (bits - inner) / 2 : 12;
        add(grid, power(bits - inner - axis), power(axis), power(inner),
            dtypes);
    }
    add(grid, 32, 8, power(bits - 8), dtypes);
}

static void add_odd(struct grid *grid, int bits, unsigned dtypes)
{
    const int64_t lines = power(bits - 12);
    add(grid, lines, 4095, 1, dtypes);
    add(grid, lines, 4097, 1, dtypes);
    add(grid, lines / 512, 512, 4095, dtypes);
}

/* Short lines in tensors of nearly 2^bits elements: just above and below a
 * power of two, shorter than a warp and than a vector. Lines of 31 elements,
 * which are never whole vectors, have all dtypes. */
static void add_short(struct grid *grid, int bits, unsigned dtypes)
{
    static const int lengths[] = { 257, 100, 31, 3 };
    for (size_t k = 0; k < COUNT(lengths); ++k)
        add(grid, power(bits) / lengths[k], lengths[k], 1,
            lengths[k] == 31 ? DTYPES_ALL : dtypes);
}

/* Squares of 2^12 to 2^bits elements, along the contiguous dim. */
static void add_sizes(struct grid *grid, int bits, int step, unsigned dtypes)
{
    for (int side = 6; 2 * side <= bits; side += step)
        add(grid, power(side), power(side), 1, dtypes);
    add(grid, power(bits / 2), power(bits / 2), 1, dtypes);
}

static void add_default(struct grid *grid)
{
    const int bits = grid->kind == DEVICE_CUDA ? 28 : 22;
    const unsigned rest = DTYPES_ALL & ~(unsigned)F32;
    add_lengths(grid, bits, 2, F32);
    add_long(grid, bits, F32);
    add_strided(grid, bits, grid->kind == DEVICE_CUDA ? 2 : 5, F32);
    add_odd(grid, bits, F32);
    add_short(grid, bits - 3, F32);
    add_sizes(grid, bits + 2, 2, F32);
    add(grid, power(bits - 15), power(15), 1, rest);
    add(grid, 1, power(bits), 1, rest);
    add(grid, 8, power(bits - 13), 1024, rest);
}

static void add_full(struct grid *grid)
{
    const int bits = grid->kind == DEVICE_CUDA ? 28 : 22;
    add_lengths(grid, bits, 1, DTYPES_ALL);
    add_long(grid, bits, DTYPES_ALL);
    add(grid, 4, power(bits - 2), 1, DTYPES_ALL);
    add_strided(grid, bits, 1, DTYPES_ALL);
    add(grid, 1, power(bits - 8), 32, DTYPES_ALL);
    add_odd(grid, bits, DTYPES_ALL);
    add_short(grid, bits, DTYPES_ALL);
    add_sizes(grid, bits + 2, 1, DTYPES_ALL);
    if (grid->kind == DEVICE_CUDA)
        add_headline(grid);
}

static const struct shape awkward_shapes[] = {
    { 65537, 3, 1 },
    { 70000, 1, 1 },
    { 66000, 2, 3 },
    { 1, 33, 1023 },
    { 2, 129, 33 },
    { 2, 129, 128 }, /* rows of whole vectors, over many steps */
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
    /* rows that end one or two columns before a strip does */
    { 1, 33, 3359 },
    { 2, 33, 1739 },
    { 1, 5, 6715 },
    /* slabs and strips whose axis fits in a tile */
    { 5, 3, 1000 },
    { 2, 7, 4097 },
    /* a slab of more than 1024 columns, reduced by one row of threads */
    { 7, 9, 1800 },
    /* rows of columns to copy, or to fill */
    { 3, 1, 1003 },
    { 3, 1, 1203 },
    { 2, 0, 1000 },
    { 2, 0, 1003 },
    /* rows that end within a strip, of doubles, floats, halves */
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

static const struct shape awkward_ragged[] = {
    { 1, 5000, 1, { 16, 0, LINES_ZIPF, 8 } },
    { 1, 100003, 1, { 3, 2, LINES_ZIPF, 4 } },
    { 1, 5000, 3, { 16, 1, LINES_UNIFORM, 4 } },
    { 1, 70001, 1, { 2048, 0, LINES_UNIFORM, 8 } },
    { 1, 9000, 128, { 64, 0, LINES_UNIFORM, 8 } },
    { 1, 4099, 1, { 1, 0, LINES_UNIFORM, 8 } },
    { 1, 40000, 1, { 100, 0, LINES_ONE, 8 } },
    { 1, 300, 130, { 9, 0, LINES_GEOMETRIC, 8 } },
    { 1, 65536, 1, { 32, 0, LINES_EQUAL, 8 } }, /* a warp each */
    { 1, 33, 1, { 40, 0, LINES_EQUAL, 8 } },    /* one segment */
    { 1, 0, 5, { 4, 0, LINES_EQUAL, 8 } },
};

static void add_awkward(struct grid *grid)
{
    static const int extents[] = { 1,    2,    3,    31,    32,    33,
                                   127,  128,  129,  1023,  1024,  1025,
                                   4095, 4096, 4097, 32767, 32768, 32769 };
    /* Contiguous lines as long as blocks. */
    static const struct shape blocks[] = { { 2, 255, 1 }, { 2, 256, 1 },
                                           { 2, 257, 1 }, { 2, 511, 1 },
                                           { 2, 512, 1 }, { 2, 513, 1 } };
    /* Long rows, for sums over adjacent columns. */
    static const struct shape wide[] = { { 3, 100, 1025 },
                                         { 5, 257, 4095 },
                                         { 2, 63, 1032 } };
    /* One long line, slightly shorter than those of the special input. */
    const struct grid_item line = { { 1, 1048573, 1 },
                                    ops_where(op_combines),
                                    F32 };
    add_all(grid, awkward_shapes, COUNT(awkward_shapes), OPS_ALL);
    add_all(grid, awkward_ragged, COUNT(awkward_ragged),
            ops_where(op_may_be_ragged));
    add_all(grid, blocks, COUNT(blocks), OPS_ALL);
    add_all(grid, wide, COUNT(wide), ops_where(op_is_reduction));
    grid_add_item(grid, line);
    for (size_t k = 0; k < COUNT(extents); ++k) {
        const struct shape around[] = { { 3, extents[k], 1 },
                                        { 1, extents[k], 1 },
                                        { 3, extents[k], 3 } };
        add_all(grid, around, extents[k] <= 4097 ? 3 : 2, OPS_ALL);
    }
}

/* Squares from 2^12 elements to several times the cache, and a strided shape as
 * large as one of them, so that it shares its ceiling. */
static void add_aa(struct grid *grid)
{
    static const int sizes[] = { 12, 16, 20, 24, 26 };
    const int count = grid->kind == DEVICE_CUDA ? 5 : 3;
    add(grid, 4, 256, 1024, F32);
    for (int k = 0; k < count; ++k) {
        /* Long lines would leave the time to a few slow variants. */
        const int axis = sizes[k] / 2 < 12 ? sizes[k] / 2 : 12;
        add(grid, power(sizes[k] - axis), power(axis), 1, F32);
    }
}

/* All counts and extents above 32 bits, in a type that takes little memory. */
static void add_huge(struct grid *grid)
{
    static const struct shape shapes[] = {
        { 65537, 65537, 1 },  /* elements > 2^32, contiguous */
        { 1, 65537, 65537 },  /* elements > 2^32, strided */
        { 46349, 46349, 1 },  /* elements > 2^31, < 2^32 */
        { 3, 1431655777, 1 }, /* few long lines, over 2^32 */
        { 2147483659, 2, 1 }, /* outer > 2^31 */
        { 1, 4294967311, 1 }, /* axis > 2^32 */
        { 1, 2147483659, 2 }, /* axis > 2^31, strided */
        { 1, 2, 2147483659 }, /* inner > 2^31 */
    };
    /* offsets > 2^31 */
    const struct grid_item ragged = {
        { 1, 2147483713, 1, { 2048, 0, LINES_UNIFORM, 8 } },
        ops_where(op_may_be_ragged),
        DTYPE_BIT(DTYPE_F16)
    };
    for (size_t k = 0; k < COUNT(shapes); ++k)
        add(grid, shapes[k].outer, shapes[k].axis, shapes[k].inner,
            DTYPE_BIT(DTYPE_F16));
    grid_add_item(grid, ragged);
}

/* One line, some lines and columns, from too small for one GPU to large enough
 * for several. Over 1, 2 and 4 ranks, one size shows strong scaling, and a size
 * in proportion to the ranks weak scaling. */
static void add_mgpu(struct grid *grid)
{
    const int least = grid->kind == DEVICE_CUDA ? 24 : 14;
    const int most = grid->kind == DEVICE_CUDA ? 33 : 20;
    const unsigned dtypes = F32 | DTYPE_BIT(DTYPE_F16);
    for (int bits = least; bits <= most; ++bits) {
        add(grid, 1, power(bits), 1, dtypes);
        add(grid, 64, power(bits - 6), 1, dtypes);
        add(grid, 1, power(bits - 12), 4096, dtypes);
    }
}

/* Shapes of calls from frameworks: along the last dim, the first, or all. */
static void add_called(struct grid *grid)
{
    static const struct shape shapes[] = {
        { 4096, 5120, 1 }, { 100003, 12, 1 },  { 12, 100003, 1 },
        { 1, 12, 100003 }, { 500009, 301, 1 }, { 1, 300, 90000 },
        { 1, 6553600, 1 }, { 1, 26214400, 1 },
    };
    add_all(grid, shapes, COUNT(shapes), ops_where(op_is_along_lines));
}

/* Sizes that language models have: a batch of vocabularies, tokens of experts,
 * position ids, and tokens by hidden states along both dims. */
static void add_models(struct grid *grid)
{
    static const int vocabularies[] = { 32000, 50257, 128256, 151936, 202048 };
    static const int routed[] = { 512, 4096, 16384, 65536 };
    static const int ids[] = { 640, 1024, 2048, 4096, 8192 };
    static const int hidden[] = { 4096, 5120, 8192 };
    static const int tokens[] = { 1, 16, 128, 1024, 8192 };
    for (size_t k = 0; k < COUNT(vocabularies); ++k)
        for (int batch = 1; batch <= 512; batch *= 8)
            add(grid, batch, vocabularies[k], 1, DTYPES_ALL);
    for (size_t k = 0; k < COUNT(routed); ++k)
        for (int experts = 64; experts <= 1024; experts *= 2)
            add(grid, 1, routed[k], experts, DTYPES_ALL);
    for (size_t k = 0; k < COUNT(ids); ++k)
        add(grid, 1, ids[k], 1, DTYPES_ALL);
    for (size_t k = 0; k < COUNT(hidden); ++k)
        for (size_t t = 0; t < COUNT(tokens); ++t) {
            add(grid, tokens[t], hidden[k], 1, DTYPES_ALL);
            add(grid, 1, tokens[t], hidden[k], DTYPES_ALL);
        }
}

/* Lengths from embedding bags to documents, in a line, and rows of 128. */
static void add_ragged(struct grid *grid)
{
    static const int cuts[][2] = { { 1, 4 },    { 1, 16 },     { 1, 128 },
                                   { 1, 2048 }, { 1, 100000 }, { 128, 64 } };
    static const uint8_t kinds[] = { LINES_UNIFORM, LINES_ZIPF };
    const int64_t elems = power(grid->kind == DEVICE_CUDA ? 27 : 22);
    const uint64_t ops = op_bit(OP_CUMSUM) | op_bit(OP_CUMSUM_REVERSE) |
                         op_bit(OP_SUM) | op_bit(OP_MEAN) | op_bit(OP_AMAX);
    for (int k = 0; k < 2; ++k)
        for (size_t c = 0; c < COUNT(cuts); ++c) {
            const int inner = cuts[c][0];
            const struct shape shape = {
                1, elems / inner, inner, { cuts[c][1], 0, kinds[k], 8 }
            };
            grid_add_item(grid, (struct grid_item){ shape, ops, DTYPES_FLOAT });
        }
}

static bool add_random(struct grid *grid, const char *name)
{
    struct random_grid random;
    if (random_grid_parse(name, &random))
        return false;
    struct shape *shapes = memory_for((size_t)random.count, sizeof *shapes);
    random_grid_shapes(random, grid->kind, shapes);
    add_all(grid, shapes, (size_t)random.count,
            random.kind == RANDOM_RAGGED ? ops_where(op_may_be_ragged)
                                         : ops_where(op_is_along_lines));
    free(shapes);
    return true;
}

bool grid_add(struct grid *grid, const char *name, enum device_kind kind)
{
    static void (*const adders[])(struct grid *) = {
#define ADDER(name, text) add_##name,
        GRIDS(ADDER)
#undef ADDER
    };
    grid->kind = kind;
    for (int k = 0; grid_names[k]; ++k)
        if (strcmp(name, grid_names[k]) == 0) {
            adders[k](grid);
            return true;
        }
    return random_grid_is(name) && add_random(grid, name);
}

void grid_free(struct grid *grid)
{
    free(grid->items);
    *grid = (struct grid){ 0 };
}
