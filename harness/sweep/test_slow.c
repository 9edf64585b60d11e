/* SPDX-License-Identifier: MIT */
#include "harness/sweep/sweep.h"

#include "src/base/test.h"

enum { SMS = 132 };
static const struct variant variant = { .name = "v" }, other = { .name = "o" };
static struct slow_cells slow;

static struct cell cell_at(int64_t outer, int64_t axis, int64_t inner)
{
    return (struct cell){ .variant = &variant,
                          .op = OP_SUM,
                          .dtype = DTYPE_F32,
                          .shape = { outer, axis, inner } };
}

/* A limit per element, as on a GPU. */
static bool hopeless(struct cell cell)
{
    const double us = (double)shape_elems(cell.shape) * 1e-4 *
                      (double)dtype_bytes(cell.dtype) / 4;
    return slow_find(&slow, &cell,
                     us < 1e3    ? 1e3
                     : us > 50e3 ? 50e3
                                 : us,
                     SMS) != NULL;
}

static void was_slow(int64_t outer, int64_t axis, double launch_us)
{
    const struct cell cell = cell_at(outer, axis, 1);
    slow_add(&slow, &cell, launch_us);
}

/* Slow launches, and whether other shapes (outer, axis) are hopeless then. */
static const struct {
    struct {
        int64_t outer, axis;
        double us;
    } slow[2];
    struct {
        int64_t outer, axis;
        bool hopeless;
    } others[7];
} cases[] = {
    /* Time per line: no conclusion for fewer, longer lines. */
    { { { 1 << 20, 1 << 8, 50e3 } },
      { { 1, 1 << 30, false },
        { 1 << 18, 1 << 10, false },
        { 1 << 20, 1 << 11, false }, /* the limit is higher there */
        { 1 << 20, 1 << 8, true },
        { 1 << 21, 1 << 7, true }, /* more of them, and shorter */
        { 11184810, 3, true },
        { 1 << 12, 1 << 6, false } } }, /* few: any number is quick */
    /* It grows better with the length. */
    { { { 1 << 20, 1 << 8, 50e3 }, { 1 << 18, 1 << 10, 27e3 } },
      { { 1, 1 << 30, false }, { 1 << 16, 1 << 12, false } } },
    /* Too slow even in the best case. */
    { { { 1 << 20, 1 << 8, 240e3 } },
      { { 1 << 18, 1 << 10, true }, { 1 << 16, 1 << 12, false } } },
    /* Time along a line: no conclusion for more, shorter lines, nor, without a
     * second launch, for longer ones. */
    { { { 1 << 10, 1 << 18, 90e3 } },
      { { 1 << 15, 1 << 15, false }, { 1 << 8, 1 << 20, false } } },
    { { { 1 << 10, 1 << 18, 90e3 }, { 1 << 8, 1 << 20, 360e3 } },
      { { 1 << 4, 1 << 24, true },
        { 1, 1 << 28, true },
        { 1 << 12, 1 << 16, false } } },
    /* Fewer lines than multiprocessors. */
    { { { 16, 1 << 24, 40e3 } },
      { { 1, 1 << 28, true },
        { 8, 1 << 25, true },
        { 32, 1 << 23, false },
        { 256, 1 << 20, false } } },
    /* A larger tensor takes longer, but not per element. */
    { { { 1 << 3, 1 << 25, 40e3 }, { 1 << 4, 1 << 25, 80e3 } },
      { { 1 << 11, 1 << 13, false } } },
};

static void check_shapes(void)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        slow.count = 0;
        for (int s = 0; s < 2 && cases[k].slow[s].outer; ++s)
            was_slow(cases[k].slow[s].outer, cases[k].slow[s].axis,
                     cases[k].slow[s].us);
        for (int o = 0; o < 7 && cases[k].others[o].outer; ++o)
            CHECK_FOR(hopeless(cell_at(cases[k].others[o].outer,
                                       cases[k].others[o].axis, 1)) ==
                          cases[k].others[o].hopeless,
                      "case %zu, shape %d", k, o);
    }
}

/* Latency is the same for all types: a larger time per byte of a narrow type
 * does not count as growth. */
static void check_types(void)
{
    struct cell wide = cell_at(38502662, 8, 1);
    struct cell narrow = cell_at(332729, 325, 1);
    slow.count = 0;
    wide.dtype = DTYPE_F64;
    slow_add(&slow, &wide, 33e3);
    narrow.dtype = DTYPE_F16;
    slow_add(&slow, &narrow, 11.6e3);
    CHECK(!hopeless(cell_at(3, 1 << 24, 1)));
    narrow.dtype = DTYPE_F64; /* no longer than in the narrow type, at least */
    CHECK(!hopeless(narrow));
}

static void check_others(void)
{
    struct cell cell = cell_at(1, 1 << 28, 1);
    slow.count = 0;
    was_slow(1, 1 << 28, 60e3);
    CHECK(hopeless(cell));
    cell.dtype = DTYPE_F64; /* takes as long at least, beyond the limit */
    CHECK(hopeless(cell));
    cell.dtype = DTYPE_F16;
    CHECK(hopeless(cell));
    cell.variant = &other;
    CHECK(!hopeless(cell));
    cell = cell_at(1, 1 << 28, 1);
    cell.op = OP_CUMSUM;
    CHECK(!hopeless(cell));
    cell = cell_at(1, 1 << 28, 4);
    CHECK(!hopeless(cell));
    CHECK(!hopeless(cell_at(0, 1 << 28, 1)) && !hopeless(cell_at(1, 0, 1)));
}

static void check_full(void)
{
    slow.count = 0;
    for (int k = 0; k < 5000; ++k)
        was_slow(1, 1 << 28, 1e6);
    CHECK(slow.count == 4096);
}

int main(void)
{
    check_shapes();
    check_types();
    check_others();
    check_full();
    return test_end();
}
