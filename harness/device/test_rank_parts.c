/* SPDX-License-Identifier: MIT
 *
 * A tensor is dealt out to 1 to 8 ranks: shares, and parts by shares.
 */
#include "harness/device/over_ranks.h"

#include <stdlib.h>

#include "src/base/test.h"

enum { GRAIN = 64 };

static int first_more(int rank, int count)
{
    (void)count;
    return rank == 0 ? 4 : 3;
}

static int grows(int rank, int count)
{
    (void)count;
    return rank + 1;
}

static const struct split splits[] = {
    { .along = SPLIT_LINES },
    { .along = SPLIT_FLAT },
    { .along = SPLIT_AXIS },
    { .along = SPLIT_AXIS, .takes_carry = true },
    { .along = SPLIT_AXIS, .weight = first_more },
    { .along = SPLIT_AXIS, .weight = grows, .takes_carry = true },
};
enum { SPLITS = sizeof splits / sizeof *splits };

/* The rank's part of all weights. */
static double wanted(const struct split *split, int rank, int count)
{
    double all = 0;
    for (int r = 0; r < count; ++r)
        all += split->weight ? split->weight(r, count) : 1;
    return (split->weight ? split->weight(rank, count) : 1) / all;
}

/* Shares follow each other from the first place to the last, each of its
 * length, except that a long one begins at a multiple of GRAIN. */
static void check_shares(const struct split *split, int count, int64_t extent)
{
    CHECK(share_begin(split, 0, count, extent) == 0);
    CHECK_FOR(share_begin(split, count, count, extent) == extent,
              "%d ranks of %lld", count, (long long)extent);
    for (int r = 0; r < count; ++r) {
        const int64_t begin = share_begin(split, r, count, extent);
        const int64_t places = share_begin(split, r + 1, count, extent) - begin;
        const double share = wanted(split, r, count) * (double)extent;
        const bool is_long = extent / count >= 4096;
        CHECK_FOR(places >= 0 && places > share - GRAIN - 1 &&
                      places < share + GRAIN + 1,
                  "rank %d of %d of %lld has %lld", r, count, (long long)extent,
                  (long long)places);
        CHECK_FOR(!is_long || begin % GRAIN == 0, "rank %d of %d of %lld", r,
                  count, (long long)extent);
        CHECK_FOR(is_long || (places > share - 1 && places < share + 1),
                  "rank %d of %d of %lld has %lld", r, count, (long long)extent,
                  (long long)places);
    }
}

/* A part's own places lie behind the room for the carry, or in front of it. */
static void check_room(const struct part_rows *p, const struct split *split,
                       int rank, int count, enum op op, enum dtype dtype,
                       struct shape shape)
{
    const bool precedes = op == OP_CUMSUM_REVERSE ? rank + 1 < count : rank > 0;
    const bool room =
        split->takes_carry && op_is_scan(op) && precedes && p->width > 0;
    CHECK_FOR(p->carry_rows == (room ? carry_rows(dtype, shape.inner) : 0),
              "rank %d of %d, %s", rank, count, op_name(op));
    CHECK(p->part_first ==
          (op == OP_CUMSUM_REVERSE ? 0 : p->carry_rows * shape.inner));
    if (p->rows > 0 && p->width > 0)
        CHECK(p->part_first + (p->rows - 1) * p->part_pitch + p->width <=
              shape_elems(p->shape));
    CHECK(p->rows * (p->width + p->carry_rows * shape.inner) ==
          shape_elems(p->shape));
}

/* Every element belongs to one rank; along the axis in the ranks' order. */
static void check_parts(const struct split *split, int count, enum op op,
                        enum dtype dtype, struct shape shape)
{
    const int64_t elems = shape_elems(shape);
    char *owners = calloc((size_t)elems + 1, 1), text[SHAPE_TEXT_BYTES];
    bool once = true, in_order = true;
    for (int r = 0; r < count; ++r) {
        const struct part_rows p =
            ranks_part(split, r, count, op, dtype, shape);
        check_room(&p, split, r, count, op, dtype, shape);
        for (int64_t row = 0; row < p.rows; ++row)
            for (int64_t k = 0; k < p.width; ++k) {
                const int64_t at = p.first + row * p.pitch + k;
                const bool inside = at >= 0 && at < elems;
                once &= inside && !owners[at];
                if (inside)
                    owners[at] = (char)(r + 1);
            }
    }
    for (int64_t k = 0; k < elems; ++k) {
        const int64_t line = shape.axis * shape.inner;
        once &= owners[k] != 0;
        if (split->along == SPLIT_AXIS && k % line >= shape.inner)
            in_order &= owners[k] >= owners[k - shape.inner];
        if (split->along == SPLIT_LINES && k % line >= shape.inner)
            in_order &= owners[k] == owners[k - shape.inner];
    }
    CHECK_FOR(once, "%d ranks, %s %s", count, op_name(op),
              shape_format(shape, text));
    CHECK_FOR(in_order, "%d ranks, %s %s", count, op_name(op),
              shape_format(shape, text));
    free(owners);
}

/* A sum's outputs lie where their lines do. */
static void check_sums(int count, struct shape shape)
{
    const struct split *lines = &splits[0];
    for (int r = 0; r < count; ++r) {
        const struct part_rows sums = ranks_sums(lines, r, count, shape);
        const struct part_rows part =
            ranks_part(lines, r, count, OP_SUM, DTYPE_F32, shape);
        CHECK(sums.rows * sums.width == shape_lines(part.shape));
        CHECK(part.first ==
              sums.first * (shape.outer >= count ? shape.axis : 1));
    }
}

int main(void)
{
    static const int64_t extents[] = {
        0,    1,     2,     7,     8,      9,       63,
        4095, 32767, 32768, 33279, 100007, 1 << 24, (1LL << 33) + 5,
    };
    static const struct shape shapes[] = {
        { 1, 1, 1 },  { 1, 5, 1 },     { 1, 40003, 1 }, { 3, 1000, 1 },
        { 9, 70, 3 }, { 2, 70, 300 },  { 1, 7, 4001 },  { 0, 3, 3 },
        { 1, 0, 2 },  { 2, 33000, 2 },
    };
    static const enum op ops[] = { OP_CUMSUM, OP_CUMSUM_REVERSE, OP_SUM,
                                   OP_COPY };
    static const enum dtype dtypes[] = { DTYPE_F32, DTYPE_F64, DTYPE_F16 };
    for (int count = 1; count <= RANKS_MOST; ++count) {
        for (size_t k = 0; k < sizeof extents / sizeof *extents; ++k)
            for (int s = 0; s < SPLITS; ++s)
                check_shares(&splits[s], count, extents[k]);
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
            check_sums(count, shapes[k]);
            for (int s = 0; s < SPLITS; ++s)
                for (size_t o = 0; o < sizeof ops / sizeof *ops; ++o)
                    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; ++d)
                        check_parts(&splits[s], count, ops[o], dtypes[d],
                                    shapes[k]);
        }
    }
    return test_end();
}
