/* SPDX-License-Identifier: MIT */
#include "src/judge/comparison.h"

#include <math.h>

#include "src/judge/pair_limits.h"
#include "src/base/test.h"

static struct run_row row_of(int64_t axis, const char *variant, int64_t number,
                             enum status status, double us)
{
    return (struct run_row){ .op = OP_SUM,
                             .status = status,
                             .shape = { 1, axis, 1 },
                             .process = number,
                             .median_us = us,
                             .low_us = us * 0.999,
                             .high_us = us * 1.001,
                             .pct_ceiling = us / 10,
                             .passes = 1,
                             .variant = variant,
                             .reason = status == STATUS_OK ? "" : "why",
                             .marks = "" };
}

static void test_side(void)
{
    struct run_row rows[] = {
        row_of(1, "a", 0, STATUS_UNSTABLE, 100),
        row_of(1, "a", 1, STATUS_OK, 200),
        row_of(1, "a", 2, STATUS_SUSPECT, 800),
        row_of(1, "b", 0, STATUS_WRONG, NAN),
        row_of(1, "b", 1, STATUS_OK, 100),
    };
    rows[0].marks = "near_empty";
    rows[1].marks = "ungated+near_empty";
    rows[2].marks = "ungated+new";
    size_t count = 5;
    struct run_cell side = run_cell_of(rows, &count);
    CHECK(count == 3 && side.rows == 3 && side.timing.launches == 2);
    CHECK(run_cell_timed(&side) && side.status == STATUS_SUSPECT);
    CHECK(fabs(timing_us(&side.timing) - 400) < 1e-9);
    CHECK(side.pct_ceiling == 50);
    CHECK_FOR(!strcmp(side.marks, "near_empty+ungated+new"), "%s", side.marks);
    count = 2;
    side = run_cell_of(rows + 3, &count);
    CHECK(count == 2 && !run_cell_timed(&side) && side.status == STATUS_WRONG);
    CHECK(*side.reason == 'w' && !*side.marks);
}

/* Two suspects are alike, and may be judged. */
static void test_suspects(void)
{
    struct run_row before[] = { row_of(1, "v", 0, STATUS_SUSPECT, 100) };
    struct run_row after[] = { row_of(1, "v", 0, STATUS_SUSPECT, 50) };
    struct run_folder base = { .rows = { before, 1, 1 } };
    struct run_folder now = { .rows = { after, 1, 1 } };
    const struct limits limits = { 0.02, NAN, NAN, 0.5, NAN, NAN, NAN };
    struct comparison c = compare_runs(&base, &now, &limits, true);
    CHECK(c.counts[VERDICT_FASTER] == 1);
    compare_free(&c);
    before->status = STATUS_OK;
    c = compare_runs(&base, &now, &limits, true);
    CHECK(c.counts[VERDICT_UNCLEAR] == 1);
    compare_free(&c);
}

static void test_pairs(void)
{
    struct run_row before[] = {
        row_of(1, "breaks", 0, STATUS_OK, 100),
        row_of(1, "fails", 0, STATUS_SKIP, NAN),
        row_of(1, "gone", 0, STATUS_OK, 100),
        row_of(1, "hangs", 0, STATUS_WRONG, NAN),
        row_of(1, "same", 0, STATUS_OK, 100),
        row_of(1, "skips", 0, STATUS_OK, 100),
        row_of(1, "slow", 0, STATUS_OK, 100),
        row_of(1, "slower", 0, STATUS_OK, 100),
        row_of(1, "swift", 0, STATUS_OK, 100),
        row_of(1, "swifter", 0, STATUS_OK, 100),
        row_of(1, "unreal", 0, STATUS_OK, 100),
    };
    struct run_row after[] = {
        row_of(1, "breaks", 0, STATUS_WRONG, NAN),
        row_of(1, "fails", 0, STATUS_ERROR, NAN),
        row_of(1, "hangs", 0, STATUS_TIMEOUT, NAN),
        row_of(1, "same", 0, STATUS_OK, 100),
        row_of(1, "skips", 0, STATUS_SKIP, NAN),
        row_of(1, "slow", 0, STATUS_OK, 110),
        row_of(1, "slower", 0, STATUS_SUSPECT, 120),
        row_of(1, "swift", 0, STATUS_OK, 50),
        row_of(1, "swifter", 0, STATUS_OK, 40),
        row_of(1, "unreal", 0, STATUS_SUSPECT, 50),
        row_of(1, "zero", 0, STATUS_OK, 50),
        row_of(2, "same", 0, STATUS_OK, 50),
    };
    struct run_folder base = { .rows = { before, 11, 11 } };
    struct run_folder now = { .rows = { after, 12, 12 } };
    const struct limits limits = { 0.02, NAN, NAN, 0.5, NAN, NAN, NAN };
    struct comparison c = compare_runs(&base, &now, &limits, true);
    CHECK(c.count == 10 && c.only_base == 1 && c.only_now == 2);
    CHECK(c.first_only_base == before + 2 && c.first_only_now == after + 10);
    CHECK(c.neither == 2 && c.counts[VERDICT_UNMEASURED] == 3);
    CHECK(c.counts[VERDICT_BROKEN] == 1 && c.counts[VERDICT_SLOWER] == 2);
    compare_sort(&c);
    static const char *const order[] = { "breaks",  "slower", "slow",  "unreal",
                                         "swifter", "swift",  "fails", "hangs",
                                         "skips",   "same" };
    for (int p = 0; p < 10; ++p)
        CHECK_FOR(!strcmp(c.pairs[p].base.row->variant, order[p]), "%s",
                  order[p]);
    size_t cells;
    double mean = compare_geomean(&c, OP_SUM, &cells);
    CHECK(cells == 6 &&
          fabs(mean - pow(1.1 * 1.2 * 0.5 * 0.5 * 0.4, 1 / 6.)) < 1e-9);
    CHECK(isnan(compare_geomean(&c, OP_FLIP, &cells)) && cells == 0);
    compare_free(&c);

    c = compare_runs(&base, &now, &limits, false);
    CHECK(c.counts[VERDICT_NONE] == 6 && c.counts[VERDICT_UNMEASURED] == 4);
    compare_free(&c);
}

/* Short cells scatter more, and must not speak for the others. */
static void test_drift(void)
{
    struct run_row rows[30];
    for (int r = 0; r < 30; ++r) {
        double us = r < 20 ? 5 + r % 2 : 500 + r % 2;
        rows[r] = row_of(1 + r / 2, "v", r % 2, STATUS_OK, us);
    }
    struct run_folder run = { .rows = { rows, 30, 30 } };
    struct run_folder shorts = { .rows = { rows, 20, 20 } };
    const struct limits limits = { 0.02, NAN, NAN, 0.5, NAN, NAN, NAN };
    struct comparison c = compare_runs(&run, &run, &limits, true);
    CHECK_FOR(c.limits.drift < 0.002, "%g", c.limits.drift);
    compare_free(&c);
    c = compare_runs(&shorts, &shorts, &limits, true);
    CHECK_FOR(c.limits.drift > 0.1, "%g", c.limits.drift);
    compare_free(&c);
}

/* What launching may cost more or less is no change of a short cell. */
static void test_near_empty(void)
{
    struct run_row before[] = { row_of(1, "v", 0, STATUS_OK, 7.0),
                                row_of(2, "v", 0, STATUS_OK, 7.0) };
    struct run_row after[] = { row_of(1, "v", 0, STATUS_OK, 7.9),
                               row_of(2, "v", 0, STATUS_OK, 8.1) };
    struct manifest_entry facts[] = { { "empty_us", "3" },
                                      { "empty_hot_us", "9" } };
    struct run_folder base = { .rows = { before, 2, 2 } };
    struct run_folder now = { .rows = { after, 2, 2 } };
    const struct limits limits = { 0.02, NAN, NAN, 0.5, NAN, NAN, NAN };
    struct comparison c = compare_runs(&base, &now, &limits, true);
    CHECK(c.counts[VERDICT_SLOWER] == 2);
    compare_free(&c);
    after[0].marks = "ungated+near_empty";
    after[1].marks = "near_empty";
    c = compare_runs(&base, &now, &limits, true); /* of unknown length */
    CHECK(c.counts[VERDICT_SLOWER] == 2);
    compare_free(&c);
    base.manifest.entries = facts;
    base.manifest.count = 2;
    c = compare_runs(&base, &now, &limits, true);
    CHECK(c.counts[VERDICT_SLOWER] == 1 && c.counts[VERDICT_UNCHANGED] == 1);
    size_t cells;
    CHECK(isnan(compare_geomean(&c, OP_SUM, &cells)) && cells == 0);
    CHECK(c.launch_us[CACHE_COLD] == 1 && c.launch_us[CACHE_HOT] == 3);
    compare_free(&c);
}

/* A cell a line: its axis, its variant, and its launches on either side. */
struct six {
    int64_t axis;
    const char *variant;
    double base[3], now[3];
};

static struct comparison compare_sixes(const struct six *six, int cells,
                                       struct manifest_entry *empty)
{
    static struct run_row before[30], after[30];
    struct run_folder base = { .rows = { before, 0, 30 } };
    struct run_folder now = { .rows = { after, 0, 30 } };
    base.manifest.entries = empty;
    base.manifest.count = empty ? 1 : 0;
    const struct limits limits = { 0.02, NAN, NAN, 0.5, NAN, NAN, NAN };
    for (int c = 0; c < cells; ++c)
        for (int l = 0; l < 3; ++l) {
            before[base.rows.count++] = row_of(six[c].axis, six[c].variant, l,
                                               STATUS_OK, six[c].base[l]);
            after[now.rows.count++] = row_of(six[c].axis, six[c].variant, l,
                                             STATUS_OK, six[c].now[l]);
        }
    return compare_runs(&base, &now, &limits, true);
}

/* What jumps in cells like it may have jumped in this one, though its own
 * launches stood still; not so in calm variants, or in cells of other sizes. */
static void test_kin(void)
{
    static const struct six jumps[] = {
        { 1, "calm", { 100, 100, 100 }, { 106, 106, 106 } },
        { 1, "jumps", { 100, 100, 100 }, { 106, 106, 106 } },
        { 2, "calm", { 100, 100, 100 }, { 100, 100, 100 } },
        { 2, "jumps", { 106, 100, 106 }, { 100, 106, 100 } },
        { 3, "jumps", { 100, 106, 100 }, { 106, 100, 106 } },
        { 4, "jumps", { 500, 500, 500 }, { 530, 530, 530 } },
        { 5, "calm", { 500, 500, 500 }, { 500, 500, 500 } },
        { 6, "calm", { 500, 500, 500 }, { 500, 500, 500 } },
        { 7, "calm", { 500, 500, 500 }, { 500, 500, 500 } },
    };
    struct comparison c = compare_sixes(jumps, 9, NULL);
    CHECK_FOR(c.pairs[0].kin < 0.001 && c.pairs[1].kin > 0.02, "%g, %g",
              c.pairs[0].kin, c.pairs[1].kin);
    CHECK(c.pairs[0].change.verdict == VERDICT_SLOWER);
    CHECK(c.pairs[1].change.verdict == VERDICT_UNCLEAR);
    CHECK(c.pairs[5].change.verdict == VERDICT_SLOWER);
    compare_free(&c);
}

/* What starts later in some processes may do so here, though no other cell of
 * this variant is as long; but it is no more than what launching takes, and
 * long cells cannot blame it. */
static void test_near(void)
{
    static const struct six starts[] = {
        { 1, "calm", { 13, 13, 13 }, { 13.9, 13.9, 13.9 } },
        { 2, "far", { 13, 13, 13 }, { 14.2, 14.2, 14.2 } },
        { 3, "starts", { 12, 13, 12 }, { 13, 12, 13 } },
        { 4, "begins", { 13, 12, 13 }, { 12, 13, 12 } },
        { 5, "starts", { 22, 23, 22 }, { 23, 22, 23 } },
        { 6, "calm", { 500, 500, 500 }, { 515, 515, 515 } },
        { 7, "calm", { 900, 900, 900 }, { 900, 900, 900 } },
        { 8, "calm", { 900, 900, 900 }, { 900, 900, 900 } },
        { 9, "long", { 23, 23, 23 }, { 23.9, 23.9, 23.9 } },
    };
    struct manifest_entry empty = { "empty_us", "3" };
    struct comparison c = compare_sixes(starts, 9, &empty);
    CHECK_FOR(c.pairs[0].near > 0.02 && c.pairs[0].kin < 0.001, "%g, %g",
              c.pairs[0].near, c.pairs[0].kin);
    CHECK(c.pairs[0].change.verdict == VERDICT_UNCLEAR);
    CHECK(c.pairs[1].change.verdict == VERDICT_SLOWER);
    CHECK(c.pairs[5].change.verdict == VERDICT_SLOWER);
    CHECK(c.pairs[8].near > 0.02 &&
          c.pairs[8].change.verdict == VERDICT_SLOWER);
    /* Nothing is cold in hot cells. */
    struct run_row hot = *c.pairs[0].base.row;
    struct pair pair = c.pairs[0];
    hot.cache = CACHE_HOT;
    pair.base.row = &hot;
    c.launch_us[CACHE_HOT] = 1;
    CHECK(isnan(pair_limits(&c, &pair).near_us));
    compare_free(&c);
    c = compare_sixes(starts, 9, NULL); /* who knows what launching takes */
    CHECK(c.pairs[0].change.verdict == VERDICT_SLOWER);
    compare_free(&c);
}

/* Forty short cells say that launching costs 0.1 us less: what launches ten
 * kernels may take 1 us less, and what launches one may not. */
static void test_moved(void)
{
    static struct run_row before[43], after[43];
    struct run_folder base = { .rows = { before, 43, 43 } };
    struct run_folder now = { .rows = { after, 43, 43 } };
    const struct limits limits = { 0.02, NAN, NAN, 0.5, NAN, NAN, NAN };
    for (int c = 0; c < 43; ++c) {
        const double us = c < 40 ? 3 : 20;
        const double less = c < 40 ? 0.1 : c < 42 ? 1 : 1.5;
        before[c] = row_of(c + 1, "v", 0, STATUS_OK, us);
        after[c] = row_of(c + 1, "v", 0, STATUS_OK, us - less);
        before[c].marks = after[c].marks = c < 40 ? "near_empty" : "";
        before[c].passes = after[c].passes = c > 40 ? 10 : 1;
    }
    struct comparison c = compare_runs(&base, &now, &limits, true);
    CHECK_FOR(fabs(c.moved_us[CACHE_COLD] + 0.1) < 1e-9, "%g",
              c.moved_us[CACHE_COLD]);
    CHECK(isnan(c.moved_us[CACHE_HOT]));
    CHECK(c.pairs[40].change.verdict == VERDICT_FASTER);
    CHECK(c.pairs[41].change.verdict == VERDICT_UNCHANGED);
    CHECK(c.pairs[42].change.verdict == VERDICT_FASTER);
    compare_free(&c);
    base.rows.count = now.rows.count = 19; /* too few */
    c = compare_runs(&base, &now, &limits, true);
    CHECK(isnan(c.moved_us[CACHE_COLD]));
    compare_free(&c);
}

int main(void)
{
    test_kin();
    test_near();
    test_moved();
    test_near_empty();
    test_side();
    test_pairs();
    test_suspects();
    test_drift();
    return test_end();
}
