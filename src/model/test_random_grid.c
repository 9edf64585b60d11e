/* SPDX-License-Identifier: MIT */
#include "src/model/random_grid.h"

#include <string.h>

#include "src/base/test.h"
#include "src/model/split_mix.h"

enum { MANY = 2000, FEW = 8 };

/* A longer grid begins with a shorter one's shapes. The small grid of a seed
 * differs from the large one in more than size. */
static void check_seed(void)
{
    static struct shape few[FEW], many[MANY], small[FEW];
    const struct random_grid grid = { RANDOM_LARGE, 5, FEW },
                             longer = { RANDOM_LARGE, 5, MANY },
                             other = { RANDOM_SMALL, 5, FEW };
    int alike = 0;
    random_grid_shapes(grid, DEVICE_CUDA, few);
    random_grid_shapes(longer, DEVICE_CUDA, many);
    random_grid_shapes(other, DEVICE_CUDA, small);
    CHECK(memcmp(few, many, sizeof few) == 0);
    for (int k = 0; k < FEW; ++k)
        alike += small[k].inner == few[k].inner;
    CHECK_FOR(alike <= FEW / 2, "%d", alike);
}

/* In range, all different, and no axis of 1. */
static void check_shapes(struct random_grid grid, enum device_kind kind,
                         const struct shape *shapes)
{
    char text[SHAPE_TEXT_BYTES];
    for (int k = 0; k < grid.count; ++k) {
        const int64_t elems = shape_elems(shapes[k]);
        CHECK_FOR(elems >= random_grid_least(grid.kind, kind) &&
                      elems <= 64 * random_grid_least(grid.kind, kind) &&
                      shapes[k].axis > 1 && shapes[k].inner <= 1 << 17 &&
                      shape_fits(shapes[k]) &&
                      shape_is_ragged(shapes[k]) ==
                          (grid.kind == RANDOM_RAGGED),
                  "%s", shape_format(shapes[k], text));
        bool repeated = false;
        for (int j = 0; j < k; ++j)
            repeated |= shape_equal(shapes[j], shapes[k]);
        CHECK_FOR(!repeated, "%s", shape_format(shapes[k], text));
    }
}

/* Golden values: a seed's shapes never change. */
static void check_many(enum random_kind of, uint64_t seed,
                       enum device_kind kind, uint64_t golden_hash)
{
    const struct random_grid grid = { of, seed, MANY };
    static struct shape shapes[MANY];
    uint64_t hash = 0;
    random_grid_shapes(grid, kind, shapes);
    check_shapes(grid, kind, shapes);
    for (int k = 0; k < MANY; ++k)
        hash = split_mix_hash(
            hash ^ (uint64_t)shapes[k].outer << 40 ^
            (uint64_t)shapes[k].axis << 20 ^ (uint64_t)shapes[k].inner ^
            (uint64_t)shapes[k].lines.mean << 8 ^
            (uint64_t)shapes[k].lines.seed << 32 ^
            (uint64_t)shapes[k].lines.kind << 4 ^ shapes[k].lines.offset_bytes);
    CHECK_FOR(hash == golden_hash, "0x%llx", (unsigned long long)hash);
}

static void check_parse(void)
{
    char wrong[] = "random random: random:-1 random:1: random:1:0 random:1:2:3 "
                   "random:1:-5 random::5 random_small: random:1.5 "
                   "random:18446744073709551616";
    struct random_grid grid = { 0 };
    for (char *text = strtok(wrong, " "); text; text = strtok(NULL, " ")) {
        CHECK_FOR(random_grid_is(text), "%s", text);
        CHECK_FOR(random_grid_parse(text, &grid), "%s", text);
        CHECK_FOR(grid.count == 0, "%s", text);
    }
    CHECK(!random_grid_is("rando:1") && !random_grid_is("randoms:1") &&
          !random_grid_is("") && !random_grid_is("quick"));
    CHECK(!random_grid_parse("random:7", &grid));
    CHECK(grid.kind == RANDOM_LARGE && grid.seed == 7 &&
          grid.count == RANDOM_GRID_COUNT);
    CHECK(!random_grid_parse("random_small:18446744073709551615:10000", &grid));
    CHECK(grid.kind == RANDOM_SMALL && grid.seed == UINT64_MAX &&
          grid.count == RANDOM_GRID_MOST);
}

int main(void)
{
    check_seed();
    check_many(RANDOM_LARGE, 1, DEVICE_CUDA, 0x8987c6fdc8a76731);
    check_many(RANDOM_SMALL, 3, DEVICE_CUDA, 0xdf0566b4f17f7233);
    check_many(RANDOM_LARGE, 1, DEVICE_HOST, 0x2f520f5d74837b53);
    check_many(RANDOM_SMALL, 9, DEVICE_HOST, 0x4d0a611a10579fb2);
    check_many(RANDOM_RAGGED, 4, DEVICE_CUDA, 0x6090376fc4bbbe2);
    check_many(RANDOM_RAGGED, 4, DEVICE_HOST, 0xfbad41230a71c567);
    check_parse();
    return test_end();
}
