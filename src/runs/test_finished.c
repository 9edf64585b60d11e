/* SPDX-License-Identifier: MIT */
#include "src/runs/finished.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/test.h"

static struct row row_named(int number)
{
    struct row row = row_unknown();
    row.op = OP_FLIP;
    row.dtype = DTYPE_F16;
    row.outer = 3;
    row.axis = 5;
    row.inner = 7;
    row.cache = CACHE_COLD;
    row.process = 1;
    row.status = STATUS_OK;
    row.gbps = number;
    row.launch_us = number + 0.5;
    snprintf(row.variant, sizeof row.variant, "variant_%d", number);
    return row;
}

static struct finished_key key_of(const struct row *row)
{
    return (
        struct finished_key){ row->op,    row->variant,
                              row->dtype, { row->outer, row->axis, row->inner },
                              row->cache, row->process };
}

static void check_empty(void)
{
    struct finished_table table = { 0 };
    const struct row row = row_named(1);
    const struct finished_key key = key_of(&row);
    CHECK(!finished_find(&table, &key));
    finished_free(&table);
}

/* Every part of the key tells cells apart. */
static void check_parts(void)
{
    struct finished_table table = { 0 };
    struct row row = row_named(1);
    const struct finished_key key = key_of(&row);
    row.status = STATUS_SKIP;
    strcpy(row.reason, "too slow");
    CHECK(finished_add(&table, &row));
    const struct finished *found = finished_find(&table, &key);
    CHECK(found && found->status == STATUS_SKIP && found->gbps == 1 &&
          found->launch_us == 1.5);
    CHECK(found && isnan(found->median_us));
    CHECK(found && strcmp(found->reason, "too slow") == 0);
    struct finished_key other[8];
    for (int k = 0; k < 8; ++k)
        other[k] = key;
    other[0].op = OP_SUM;
    other[1].dtype = DTYPE_F32;
    other[2].cache = CACHE_HOT;
    other[3].process = 0;
    other[4].shape.outer = 4;
    other[5].shape.axis = 6;
    other[6].shape.inner = 8;
    other[7].variant = "variant_2";
    for (int k = 0; k < 8; ++k)
        CHECK_FOR(!finished_find(&table, &other[k]), "part %d", k);
    finished_free(&table);
}

static void check_many(void)
{
    enum { MANY = 20000 };
    struct finished_table table = { 0 };
    for (int k = 0; k < MANY; ++k) {
        const struct row row = row_named(k);
        CHECK(finished_add(&table, &row));
    }
    CHECK_FOR(table.count == MANY, "%zu", table.count);
    for (int k = 0; k < 2 * MANY; ++k) {
        const struct row row = row_named(k);
        const struct finished_key key = key_of(&row);
        const struct finished *found = finished_find(&table, &key);
        CHECK_FOR(k < MANY ? found && found->gbps == k : !found, "%d", k);
    }
    finished_free(&table);
}

/* The caller's row may change, and a second one does not replace the first. */
static void check_copies(void)
{
    struct finished_table table = { 0 };
    struct row row = row_named(1);
    const struct row same = row;
    const struct finished_key key = key_of(&same);
    CHECK(finished_add(&table, &row));
    row.gbps = 2;
    CHECK(finished_add(&table, &row));
    CHECK(table.count == 1);
    memset(&row, 'x', sizeof row);
    const struct finished *found = finished_find(&table, &key);
    CHECK(found && found->gbps == 1);
    finished_free(&table);
}

int main(void)
{
    check_empty();
    check_parts();
    check_many();
    check_copies();
    return test_end();
}
