/* SPDX-License-Identifier: MIT */
#include "src/analyse/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/test.h"
#include "src/runs/test_made.h"

enum { ROOM = 400 };

/* Two runs, built cell by cell in their order. */
static struct row before[ROOM], after[ROOM];
static struct run_folder base, now;
static const struct floors floors = { 0.02, 0.5 };

static void start(void)
{
    base = now = (struct run_folder){ .path = "made" };
    base.rows.row = before;
    now.rows.row = after;
}

/* Adds a cell to both runs whose last process takes `apart` times as long. */
static void cell(const char *variant, double us, int processes, double apart)
{
    const int64_t outer = (int64_t)base.rows.count + 1;
    for (int p = 0; p < processes; ++p) {
        struct row row =
            made_row(variant, STATUS_OK, p == processes - 1 ? us * apart : us);
        row.process = p;
        row.shape.outer = outer;
        before[base.rows.count++] = after[now.rows.count++] = row;
    }
}

/* Adds short cells, by which the launch latency moved. */
static void shorts(int cells, double moved_us)
{
    for (int c = 0; c < cells; ++c) {
        cell("short", 3, 3, 1);
        for (int p = 1; p <= 3; ++p) {
            before[base.rows.count - (size_t)p].marks = MARK_NEAR_EMPTY;
            after[now.rows.count - (size_t)p].marks =
                MARK_UNGATED | MARK_NEAR_EMPTY;
            after[now.rows.count - (size_t)p].us.median += moved_us;
        }
    }
}

static struct noise noise; /* of the last limits_of() */

static struct limits limits_of(size_t p)
{
    struct pairs pairs = pairs_of(&base.rows, &now.rows, false);
    noise = noise_of(&pairs, &base, &floors);
    const struct limits limits = noise_limits(&noise, &pairs, p);
    free(noise.same_variant_sd);
    free(pairs.pair);
    return limits;
}

static void test_floors(void)
{
    start();
    cell("a", 100, 3, 1);
    cell("a", 10, 3, 1);
    cell("b", 100, 2, 1);
    CHECK(is_near(limits_of(0).change, 0.02));
    CHECK(is_near(limits_of(1).change, 0.05)); /* 0.5 us */
    CHECK(is_near(limits_of(2).change, NOISE_FEW_LIMIT));
    CHECK(is_near(limits_of(2).same, 0.02));
}

/* Cells of the same variant that take half to twice as long share their
 * scatter, wherever they are in the run. */
static void test_same_variant(void)
{
    start();
    cell("calm", 100, 3, 1);
    cell("wild", 45, 3, 1.1);  /* too short */
    cell("wild", 100, 3, 1);   /* calm itself */
    cell("wild", 201, 3, 1.2); /* too long */
    cell("wild", 180, 3, 1.1);
    const double log_apart = log(1.1);
    /* Squares of three values, one of which lies apart: 2/3 of its square, on
     * either side; two cells have 8 degrees. */
    const double sd = sqrt(2 * log_apart * log_apart * 2 / 3 / 8);
    const double error = sd * sqrt(2. / 3);
    CHECK(is_near(limits_of(0).change, 0.02));
    CHECK_FOR(is_near(limits_of(2).change, 4 * error), "%g and %g",
              limits_of(2).change, 4 * error);
    CHECK(is_near(limits_of(2).same, 0.02));
    /* The one in the middle sees all three of 100 to 201 us. */
    CHECK(limits_of(4).change > limits_of(2).change);
}

/* Each pair's window, against a sum over all pairs. */
static void test_windows(void)
{
    static const char *const names[] = { "u", "v", "w" };
    start();
    for (int c = 0; c < 100; ++c)
        cell(names[c % 3], 5 + (c * 37) % 101, 3, 1 + (c * 29 % 17) / 100.);
    struct pairs pairs = pairs_of(&base.rows, &now.rows, false);
    noise = noise_of(&pairs, &base, &floors);
    for (size_t p = 0; p < pairs.count; ++p) {
        double squares = 0, degrees = 0;
        for (size_t q = 0; q < pairs.count; ++q) {
            const struct pair *one = &pairs.pair[p], *other = &pairs.pair[q];
            const double ratio = pair_us(other) / pair_us(one);
            if (strcmp(one->base.row->variant, other->base.row->variant) ||
                ratio < 0.5 || ratio > 2)
                continue;
            squares += other->base.timing.log_squares * 2;
            degrees += 4;
        }
        CHECK_FOR(is_near(noise.same_variant_sd[p], sqrt(squares / degrees)),
                  "%zu: %g", p, noise.same_variant_sd[p]);
    }
    free(noise.same_variant_sd);
    free(pairs.pair);
}

/* The shift of the launch latency counts once per kernel, up to its cap, and
 * only with twenty short cells. */
static void test_moved(void)
{
    start();
    cell("long", 20, 3, 1);
    shorts(20, -0.2);
    CHECK(is_near(limits_of(0).change, 0.5 / 20));
    before[0].passes = 4;
    CHECK(is_near(limits_of(0).change, 5 * 0.2 / 20));
    CHECK(is_near(noise.moved_us[CACHE_COLD], -0.2));
    CHECK(isnan(noise.moved_us[CACHE_HOT]));
    after[0].passes = 1000; /* NEW's passes do not count */
    CHECK(is_near(limits_of(0).change, 5 * 0.2 / 20));
    start();
    cell("long", 20, 3, 1);
    before[0].passes = 4;
    shorts(20, 3);
    CHECK(is_near(limits_of(0).change, 5 * NOISE_MOST_MOVED_US / 20));
    start();
    cell("long", 20, 3, 1);
    before[0].passes = 4;
    shorts(19, 0.2);
    CHECK(is_near(limits_of(0).change, 0.5 / 20) &&
          isnan(noise.moved_us[CACHE_COLD]));
}

/* The limit of short cells holds a third of BASE's empty kernel, not NEW's. */
static void test_empty(void)
{
    start();
    cell("long", 20, 3, 1);
    shorts(1, 0);
    manifest_set(&now.manifest, "empty_us", "1e9");
    CHECK(is_near(limits_of(1).change, 0.5 / 3));
    manifest_set(&base.manifest, "empty_us", "3.6");
    CHECK(is_near(limits_of(1).change, 1.2 / 3));
    CHECK(is_near(limits_of(1).same, 1.2 / 3));
    CHECK(is_near(limits_of(0).change, 0.5 / 20));
}

int main(void)
{
    test_floors();
    test_same_variant();
    test_windows();
    test_moved();
    test_empty();
    return test_end();
}
