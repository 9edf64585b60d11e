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

static void was_slow(int64_t outer, int64_t axis, double launch_us)
{
    const struct cell cell = cell_at(outer, axis, 1);
    slow_add(&slow, &cell, launch_us);
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

static bool hopeless_at(int64_t outer, int64_t axis)
{
    return hopeless(cell_at(outer, axis, 1));
}

/* Time per line: no conclusion for fewer, longer lines. */
static void check_costly_lines(void)
{
    slow.count = 0;
    was_slow(1 << 20, 1 << 8, 50e3);
    CHECK(!hopeless_at(1, 1 << 30));
    CHECK(!hopeless_at(1 << 18, 1 << 10));
    CHECK(!hopeless_at(1 << 16, 1 << 12));
    CHECK(!hopeless_at(1 << 20, 1 << 11)); /* the limit is higher there */
    CHECK(hopeless_at(1 << 20, 1 << 8));
    CHECK(hopeless_at(1 << 21, 1 << 7)); /* more of them, and shorter */
    CHECK(hopeless_at(11184810, 3));
    CHECK(!hopeless_at(1 << 12, 1 << 6)); /* few: any number is quick */
    was_slow(1 << 18, 1 << 10, 27e3);     /* it grows better */
    CHECK(!hopeless_at(1, 1 << 30));
    CHECK(!hopeless_at(1 << 16, 1 << 12));
}

/* Too slow even in the best case. */
static void check_beyond_hope(void)
{
    slow.count = 0;
    was_slow(1 << 20, 1 << 8, 240e3);
    CHECK(hopeless_at(1 << 18, 1 << 10));
    CHECK(!hopeless_at(1 << 16, 1 << 12));
}

/* Time along a line: no conclusion for more, shorter lines. */
static void check_costly_length(void)
{
    slow.count = 0;
    was_slow(1 << 10, 1 << 18, 90e3);
    CHECK(!hopeless_at(1 << 15, 1 << 15));
    CHECK(!hopeless_at(1 << 8, 1 << 20)); /* the cause is not known */
    was_slow(1 << 8, 1 << 20, 360e3);
    CHECK(hopeless_at(1 << 4, 1 << 24)); /* it grows worse */
    CHECK(hopeless_at(1, 1 << 28));
    CHECK(!hopeless_at(1 << 12, 1 << 16));
}

/* Fewer lines than multiprocessors. */
static void check_few_lines(void)
{
    slow.count = 0;
    was_slow(16, 1 << 24, 40e3);
    CHECK(hopeless_at(1, 1 << 28));
    CHECK(hopeless_at(8, 1 << 25));
    CHECK(!hopeless_at(32, 1 << 23));
    CHECK(!hopeless_at(256, 1 << 20));
}

/* A larger tensor takes longer, but not per element. */
static void check_larger_tensors(void)
{
    slow.count = 0;
    was_slow(1 << 3, 1 << 25, 40e3);
    was_slow(1 << 4, 1 << 25, 80e3);
    CHECK(!hopeless_at(1 << 11, 1 << 13));
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
    CHECK(!hopeless_at(3, 1 << 24));
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
    CHECK(!hopeless_at(0, 1 << 28) && !hopeless_at(1, 0));
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
    check_costly_lines();
    check_beyond_hope();
    check_costly_length();
    check_few_lines();
    check_larger_tensors();
    check_types();
    check_others();
    check_full();
    return test_end();
}
