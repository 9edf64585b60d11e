/* SPDX-License-Identifier: MIT */
#include "src/model/grid.h"

#include <string.h>

#include "src/base/test.h"

static const enum device_kind kinds[] = { DEVICE_HOST, DEVICE_CUDA };

static struct grid grid; /* of the last given() */

static void given(const char *name, enum device_kind kind)
{
    grid_free(&grid);
    CHECK_FOR(grid_add(&grid, name, kind) && grid.count > 0, "%s", name);
}

/* The item that has all of these, or NULL. */
static const struct grid_item *find(int64_t outer, int64_t axis, int64_t inner,
                                    uint64_t ops, unsigned dtypes)
{
    const struct shape shape = { outer, axis, inner };
    for (size_t k = 0; k < grid.count; ++k)
        if (shape_equal(grid.items[k].shape, shape) &&
            (ops & ~grid.items[k].ops) == 0 &&
            (dtypes & ~grid.items[k].dtypes) == 0)
            return &grid.items[k];
    return NULL;
}

/* ------------------------------------------------------------------- all */

/* Only the grid of the tests has empty tensors. */
static void check_valid(const char *name)
{
    const bool may_be_empty = strcmp(name, "awkward") == 0;
    for (size_t k = 0; k < grid.count; ++k) {
        const struct grid_item *item = &grid.items[k];
        const struct shape s = item->shape;
        const int64_t least = may_be_empty ? 0 : 1;
        CHECK_FOR(s.outer >= least && s.axis >= least && s.inner >= least,
                  "%s %zu", name, k);
        const int more = strcmp(name, "huge") == 0 || strcmp(name, "mgpu") == 0;
        CHECK_FOR(shape_elems(s) <= (int64_t)1 << (32 + more), "%s %zu", name,
                  k);
        CHECK_FOR(item->ops, "%s %zu", name, k);
        CHECK_FOR(item->dtypes && !(item->dtypes & ~(unsigned)DTYPES_ALL),
                  "%s %zu", name, k);
    }
}

static void check_no_repeats(const char *name)
{
    for (size_t k = 0; k < grid.count; ++k)
        for (size_t j = 0; j < k; ++j) {
            const struct grid_item *l = &grid.items[j], *r = &grid.items[k];
            char shape[SHAPE_TEXT_BYTES];
            CHECK_FOR(!shape_equal(l->shape, r->shape) || !(l->ops & r->ops) ||
                          !(l->dtypes & r->dtypes),
                      "%s: %s twice", name, shape_format(r->shape, shape));
        }
}

static void check_all(void)
{
    for (int names = 0; grid_names[names]; ++names)
        for (int k = 0; k < 2; ++k) {
            given(grid_names[names], kinds[k]);
            check_valid(grid_names[names]);
            check_no_repeats(grid_names[names]);
            grid_free(&grid);
            CHECK(!grid.items && grid.count == 0);
        }
}

static void check_unknown(void)
{
    static const char *const names[] = { "", "defaul", "defaults", "Default",
                                         "quick,full" };
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        struct grid none = { 0 };
        CHECK_FOR(!grid_add(&none, names[k], DEVICE_CUDA), "%s", names[k]);
        CHECK_FOR(none.count == 0, "%s", names[k]);
        grid_free(&none);
    }
}

/* -------------------------------------------------------------- by name */

static uint64_t lines(void)
{
    return ops_where(op_is_along_lines);
}

static const unsigned f32 = DTYPE_BIT(DTYPE_F32);

/* Lines, strided axes, short lines and squares, and each dtype somewhere. */
static void check_default(void)
{
    const unsigned rest = DTYPES_ALL & ~f32;
    given("default", DEVICE_CUDA);
    for (int length = 8; length <= 20; length += 2)
        CHECK_FOR(find(1 << (28 - length), 1 << length, 1, lines(), f32),
                  "lines of 2^%d", length);
    CHECK(find(1, 1 << 30, 1, lines(), f32));
    CHECK(find(32, 8, 1 << 20, lines(), f32));
    CHECK(find(1 << 16, 4097, 1, lines(), f32));
    CHECK(find((1 << 25) / 31, 31, 1, lines(), DTYPES_ALL));
    CHECK(find(32768, 32768, 1, lines(), f32));
    CHECK(find(8192, 32768, 1, lines(), rest));
    CHECK(find(8, 32768, 1024, lines(), rest));
}

/* A host's tensors are smaller. */
static void check_host(void)
{
    static const char *const names[] = { "quick", "default", "full", "aa" };
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        given(names[n], DEVICE_HOST);
        for (size_t k = 0; k < grid.count; ++k)
            CHECK_FOR(shape_elems(grid.items[k].shape) <= 1 << 24, "%s %zu",
                      names[n], k);
    }
}

/* All are above 31 bits and some above 32, and fit into 100 GB with two
 * outputs. */
static void check_huge(void)
{
    given("huge", DEVICE_CUDA);
    struct shape most = { 0 };
    int64_t elems = 0;
    for (size_t k = 0; k < grid.count; ++k) {
        const struct shape s = grid.items[k].shape;
        most.outer = s.outer > most.outer ? s.outer : most.outer;
        most.axis = s.axis > most.axis ? s.axis : most.axis;
        most.inner = s.inner > most.inner ? s.inner : most.inner;
        elems = shape_elems(s) > elems ? shape_elems(s) : elems;
        CHECK_FOR(shape_elems(s) > INT32_MAX, "%zu", k);
        CHECK_FOR(shape_elems(s) <= (int64_t)1 << 33, "%zu", k);
        CHECK((shape_is_ragged(s) || grid.items[k].ops == lines()) &&
              grid.items[k].dtypes == DTYPE_BIT(DTYPE_F16));
    }
    CHECK(elems > UINT32_MAX && most.outer > INT32_MAX &&
          most.axis > UINT32_MAX && most.inner > INT32_MAX);
    CHECK(grid.count <= 9);
}

static void check_awkward(void)
{
    given("awkward", DEVICE_CUDA);
    static const int extents[] = { 1,    31,   32,   33,   255,   256,
                                   257,  511,  512,  513,  1023,  1024,
                                   1025, 4095, 4096, 4097, 32767, 32769 };
    for (size_t k = 0; k < sizeof extents / sizeof *extents; ++k)
        CHECK_FOR(find(2, extents[k], 1, lines(), DTYPES_ALL) ||
                      find(3, extents[k], 1, lines(), DTYPES_ALL),
                  "%d", extents[k]);
    CHECK(find(70000, 1, 1, lines(), DTYPES_ALL));
    CHECK(find(0, 5, 3, lines(), DTYPES_ALL));
    CHECK(find(4, 0, 5, lines(), DTYPES_ALL));
    CHECK(find(4, 5, 0, lines(), DTYPES_ALL));
}

/* Single lines of 4096 and 8192 are ids and hidden states, but one item. */
static void check_models(void)
{
    given("models", DEVICE_CUDA);
    CHECK_FOR(grid.count == 20 + 20 + 5 + 30 - 2, "%zu", grid.count);
    CHECK(find(1, 32000, 1, lines(), DTYPES_ALL));
    CHECK(find(512, 202048, 1, lines(), DTYPES_ALL));
    CHECK(find(1, 512, 64, lines(), DTYPES_ALL));
    CHECK(find(1, 65536, 1024, lines(), DTYPES_ALL));
    CHECK(find(1, 640, 1, lines(), DTYPES_ALL));
    CHECK(find(8192, 5120, 1, lines(), DTYPES_ALL));
    CHECK(find(1, 8192, 5120, lines(), DTYPES_ALL));
}

static void check_random(void)
{
    given("random:1:20", DEVICE_CUDA);
    CHECK_FOR(grid.count == 20, "%zu", grid.count);
    check_valid("random");
    CHECK(grid_add(&grid, "random:1:30", DEVICE_CUDA)); /* each shape once */
    CHECK_FOR(grid.count == 30, "%zu", grid.count);
    CHECK(grid_add(&grid, "full", DEVICE_CUDA));
    CHECK(grid_add(&grid, "default", DEVICE_CUDA));
    check_no_repeats("joined");
    CHECK(!grid_add(&grid, "random", DEVICE_CUDA));
    for (size_t k = 0; k < 30; ++k)
        CHECK(grid.items[k].ops == lines() &&
              grid.items[k].dtypes == DTYPES_ALL);
}

int main(void)
{
    check_all();
    check_unknown();
    check_default();
    check_host();
    check_awkward();
    check_huge();
    check_models();
    check_random();
    grid_free(&grid);
    return test_end();
}
