/* SPDX-License-Identifier: MIT */
#include "src/analyse/comparison.h"

#include <math.h>
#include <string.h>

#include "src/base/test.h"
#include "src/model/split_mix.h"
#include "src/runs/test_made.h"

/* ------------------------------------------------------------------ change */

/* Processes with these medians, each known to half_pct; NaN if unknown. */
static struct timing processes(const double *us, size_t count, double half_pct)
{
    struct timing timing = { 0 };
    for (size_t k = 0; k < count; ++k)
        timing_add(&timing, us[k], us[k] * (1 - half_pct / 100),
                   us[k] * (1 + half_pct / 100));
    return timing;
}

static struct timing one(double us, double half_pct)
{
    return processes(&us, 1, half_pct);
}

static struct change change(struct timing base, struct timing now)
{
    return change_of(&base, &now);
}

/* Three a side, 100 +- 1 and 110 +- 1: the logarithms have a standard deviation
 * of about 0.0096, their difference 0.8165 of that. */
static void test_change(void)
{
    const double low[] = { 100, 101, 99 }, high[] = { 110, 111, 109 };
    const struct timing base = processes(low, 3, 0.01);
    const struct timing now = processes(high, 3, 0.01);
    const struct change c = change(base, now), back = change(now, base);
    CHECK(is_near_to(c.ratio, 1.1, 1e-3));
    CHECK(is_near_to(log(c.high / c.ratio), 2.776 * 0.00955 * 0.8165, .01));
    CHECK(is_near_to(c.high / c.ratio, c.ratio / c.low, 1e-12));
    /* t is 12.2 with 4 degrees. */
    CHECK_FOR(is_near_to(c.p, 2.6e-4, 0.05), "%g", c.p);
    CHECK(is_near_to(back.ratio, 1 / c.ratio, 1e-12) &&
          is_near_to(back.p, c.p, 1e-9));
    CHECK(is_near_to(back.low, 1 / c.high, 1e-12));
    const struct change same = change(base, base);
    CHECK(same.ratio == 1 && same.p == 1);
    const struct timing two = processes(low, 2, 1);
    CHECK(is_near_to(change_per_process(&two, &now), 1. / 2 + 1. / 3, 1e-12));
}

/* The processes' own intervals count if their medians happen to agree. */
static void test_own(void)
{
    const double same[] = { 100, 100, 100 };
    const struct timing three = processes(same, 3, 3);
    /* An arm of 0.03046 is 0.01554 a process; sqrt(2 / 3) of it, times t. */
    CHECK(is_near_to(log(change(three, three).high), 2.776 * 0.01554 * 0.8165,
                     0.01));
    const struct change c = change(one(100, 1), one(104, 1));
    CHECK(is_near_to(log(c.high / c.ratio), 0.01 * sqrt(2), 0.02));
    const struct change blind = change(one(100, NAN), one(104, NAN));
    CHECK(is_near_to(blind.ratio, 1.04, 1e-12) && blind.p == 1);
    CHECK(blind.low == 0 && isinf(blind.high));
}

/* ---------------------------------------------------------------- verdicts */

enum { ROOM = 400 };

/* Two runs, built row by row in the order of cells. */
static struct row before[ROOM], after[ROOM];
static struct run_folder base, now;
static struct comparison c;

static void start(void)
{
    base = now = (struct run_folder){ .path = "made" };
    base.rows.row = before;
    now.rows.row = after;
}

static void compare(enum comparison_mode mode)
{
    static const struct floors floors = { 0.02, 0.5 };
    comparison_free(&c);
    c = compare_runs(&base, &now, &floors, mode);
}

static struct row *add(struct run_folder *run, int64_t axis,
                       const char *variant, enum status status, double us)
{
    struct row *row = &run->rows.row[run->rows.count++];
    const struct row *last = row - 1;
    const bool next = row > run->rows.row && last->shape.axis == axis &&
                      strcmp(last->variant, variant) == 0;
    *row = made_row(variant, status, us);
    row->shape.axis = axis;
    row->process = next ? last->process + 1 : 0;
    return row;
}

/* Adds a cell whose processes are 0.1 % apart. */
static void cell(struct run_folder *run, int64_t axis, const char *variant,
                 enum status status, double us, int processes)
{
    for (int p = 0; p < processes; ++p)
        add(run, axis, variant, status, us * (1 + 0.001 * (p % 3 - 1)));
}

/* Adds such a cell, of three processes, to both runs. */
static void both(const char *variant, enum status base_status, double base_us,
                 enum status now_status, double now_us)
{
    cell(&base, 1, variant, base_status, base_us, 3);
    cell(&now, 1, variant, now_status, now_us, 3);
}

static enum verdict verdict_of(const char *variant)
{
    for (size_t k = 0; k < c.pairs.count; ++k)
        if (strcmp(c.cells[k].pair->base.row->variant, variant) == 0)
            return c.cells[k].verdict;
    return VERDICT_COUNT;
}

static void test_pairs(void)
{
    start();
    cell(&base, 1, "breaks", STATUS_OK, 100, 3);
    cell(&now, 1, "breaks", STATUS_OK, 100, 2);
    add(&now, 1, "breaks", STATUS_WRONG, NAN); /* one process is enough */
    both("fails", STATUS_SKIP, NAN, STATUS_ERROR, NAN);
    cell(&base, 1, "gone", STATUS_OK, 100, 3);
    both("hangs", STATUS_WRONG, NAN, STATUS_TIMEOUT, NAN);
    both("same", STATUS_OK, 100, STATUS_OK, 100);
    both("skips", STATUS_OK, 100, STATUS_SKIP, NAN);
    both("slow", STATUS_OK, 100, STATUS_OK, 110);
    both("slower", STATUS_OK, 100, STATUS_SUSPECT, 120);
    both("swift", STATUS_OK, 100, STATUS_OK, 50);
    both("swifter", STATUS_OK, 100, STATUS_OK, 40);
    both("unreal", STATUS_OK, 100, STATUS_SUSPECT, 50);
    cell(&now, 1, "zero", STATUS_OK, 50, 3);
    cell(&now, 2, "same", STATUS_OK, 50, 3);
    compare(COMPARE_TIMES);
    CHECK(c.pairs.count == 10 && c.pairs.only_base == 1 &&
          c.pairs.only_now == 2);
    CHECK(!strcmp(c.pairs.first_only_base->variant, "gone"));
    CHECK(!strcmp(c.pairs.first_only_now->variant, "zero"));
    CHECK(c.neither == 2 && c.counts[VERDICT_UNMEASURED] == 3);
    CHECK(c.counts[VERDICT_BROKEN] == 1 && c.counts[VERDICT_SLOWER] == 2);
    CHECK(c.alarms == 3 && c.single == 0 && c.dropped == 0);
    comparison_sort(&c);
    static const char *const order[] = { "breaks",  "slower", "slow",  "unreal",
                                         "swifter", "swift",  "fails", "hangs",
                                         "skips",   "same" };
    for (int p = 0; p < 10; ++p)
        CHECK_FOR(!strcmp(c.cells[p].pair->base.row->variant, order[p]), "%s",
                  c.cells[p].pair->base.row->variant);
    const struct mean mean = comparison_mean(&c, OP_SUM);
    CHECK(mean.cells == 6 && mean.clear == 5);
    CHECK(fabs(mean.ratio - pow(1.1 * 1.2 * .5 * .4 * .5, 1. / 6)) < 1e-9);
    CHECK(isnan(comparison_mean(&c, OP_COPY).ratio));
    compare(COMPARE_RATIOS);
    CHECK(c.counts[VERDICT_NONE] == 6 && c.counts[VERDICT_UNMEASURED] == 4);
    CHECK(c.alarms == 0 && comparison_mean(&c, OP_SUM).clear == 6);
}

/* Two suspect cells may be judged; a suspect NEW cell is not faster. */
static void test_suspects(void)
{
    start();
    both("v", STATUS_SUSPECT, 100, STATUS_SUSPECT, 50);
    compare(COMPARE_TIMES);
    CHECK(verdict_of("v") == VERDICT_FASTER);
    before[1].status = STATUS_OK; /* one suspect makes the cell suspect */
    compare(COMPARE_TIMES);
    CHECK(verdict_of("v") == VERDICT_FASTER);
    before[0].status = before[2].status = STATUS_OK;
    compare(COMPARE_TIMES);
    CHECK(verdict_of("v") == VERDICT_UNCLEAR);
}

/* One process on a side leaves the cell unclear; two show a change above 5 %,
 * but raise no alarm; three raise one. */
static void test_processes(void)
{
    static const struct {
        int base, now;
        double us;
        enum verdict verdict;
    } cases[] = {
        { 1, 1, 200, VERDICT_UNCLEAR },   { 1, 1, 100, VERDICT_UNCLEAR },
        { 5, 1, 200, VERDICT_UNCLEAR },   { 1, 5, 100, VERDICT_UNCLEAR },
        { 2, 2, 104, VERDICT_UNCLEAR },   { 2, 2, 110, VERDICT_SLOWER },
        { 3, 2, 104, VERDICT_UNCLEAR },   { 3, 3, 104, VERDICT_SLOWER },
        { 3, 3, 100, VERDICT_UNCHANGED }, { 5, 3, 96, VERDICT_FASTER },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        start();
        cell(&base, 1, "v", STATUS_OK, 100, cases[k].base);
        cell(&now, 1, "v", STATUS_OK, cases[k].us, cases[k].now);
        compare(COMPARE_TIMES);
        const bool single = cases[k].base == 1 || cases[k].now == 1;
        CHECK_FOR(verdict_of("v") == cases[k].verdict, "case %zu: %s", k,
                  verdict_name(verdict_of("v")));
        CHECK(isfinite(c.cells[0].change.high) == !single);
        CHECK(c.single == single && c.few == (single || cases[k].now < 3));
        CHECK_FOR(c.alarms ==
                      (cases[k].verdict == VERDICT_SLOWER && cases[k].now == 3),
                  "case %zu", k);
    }
    CHECK(comparison_mean(&c, OP_SUM).clear == 1);
}

/* A cell whose limit exceeds 5 % is too short to be unchanged; one that lost a
 * process is unclear. */
static void test_unchanged(void)
{
    start();
    both("brief", STATUS_OK, 9, STATUS_OK, 9.1);
    both("fine", STATUS_OK, 11, STATUS_OK, 11.1);
    both("lost", STATUS_OK, 100, STATUS_OK, 100);
    compare(COMPARE_TIMES);
    CHECK(verdict_of("brief") == VERDICT_TOO_SHORT);
    CHECK(fabs(c.cells[0].limit - 0.5 / 9) < 1e-4);
    CHECK(verdict_of("fine") == VERDICT_UNCHANGED);
    CHECK(fabs(c.cells[1].limit - 0.5 / 11) < 1e-4);
    CHECK(verdict_of("lost") == VERDICT_UNCHANGED && c.dropped == 0);
    after[7].status = STATUS_UNSTABLE;
    after[7].us.median = 300;
    compare(COMPARE_TIMES);
    CHECK(verdict_of("lost") == VERDICT_UNCLEAR && c.dropped == 1);
    CHECK(c.cells[2].pair->now.dropped == 1);
    after[8].status =
        STATUS_UNSTABLE; /* two of three at three times the time */
    compare(COMPARE_TIMES);
    CHECK(verdict_of("lost") == VERDICT_UNCLEAR && c.single == 1);
}

/* t = 4.6 with 4 degrees has p = 0.01: enough for a lone cell, not for one
 * among forty that did not change. */
static void test_discoveries(void)
{
    for (int others = 0; others <= 40; others += 40) {
        start();
        for (int k = 0; k <= others; ++k) {
            static const double apart[] = { 0.988, 1, 1.012 };
            for (int p = 0; p < 3; ++p) {
                add(&base, k + 1, k ? "still" : "jumps", STATUS_OK,
                    k ? 100 : 100 * apart[p]);
                add(&now, k + 1, k ? "still" : "jumps", STATUS_OK,
                    k ? 100 : 104.6 * apart[p]);
            }
        }
        compare(COMPARE_TIMES);
        CHECK_FOR(c.cells[0].change.low > 1 && c.cells[0].change.p > 0.002 &&
                      c.cells[0].change.p < 0.05,
                  "p %g", c.cells[0].change.p);
        CHECK_FOR(verdict_of("jumps") ==
                      (others ? VERDICT_UNCLEAR : VERDICT_SLOWER),
                  "%d others, limit %g: %s", others, c.cells[0].limit,
                  verdict_name(verdict_of("jumps")));
    }
}

/* The second card's memory is 3 % slower: a cell that moves with its ceiling is
 * unchanged in shares, one that does not is slower. */
static void test_shares(void)
{
    start();
    for (int p = 0; p < 3; ++p) {
        const double off = 1 + 0.001 * (p % 3 - 1);
        add(&base, 1, "moves", STATUS_OK, 100 * off);
        add(&now, 1, "moves", STATUS_OK, 103 * off)->pct_ceiling =
            before[base.rows.count - 1].pct_ceiling;
    }
    both("stays", STATUS_OK, 100, STATUS_OK, 100);
    for (int p = 3; p < 6; ++p)
        after[p].pct_ceiling = before[p].pct_ceiling / 1.05;
    both("unknown", STATUS_OK, 100, STATUS_OK, 200);
    after[7].pct_ceiling = NAN;
    compare(COMPARE_TIMES);
    CHECK(verdict_of("moves") == VERDICT_SLOWER);
    CHECK(verdict_of("stays") == VERDICT_UNCHANGED);
    compare(COMPARE_SHARES);
    CHECK(verdict_of("moves") == VERDICT_UNCHANGED);
    CHECK(fabs(c.cells[0].change.ratio - 1) < 1e-9);
    CHECK(fabs(c.cells[0].time_ratio - 1.03) < 1e-9);
    CHECK(verdict_of("stays") == VERDICT_SLOWER);
    CHECK(fabs(c.cells[1].change.ratio - 1.05) < 1e-9);
    CHECK(verdict_of("unknown") == VERDICT_NONE);
    CHECK(fabs(c.cells[2].time_ratio - 2) < 1e-9);
}

/* BASE's near_empty cells are left out of the mean. */
static void test_mean(void)
{
    start();
    cell(&base, 1, "v", STATUS_OK, 100, 1);
    cell(&now, 1, "v", STATUS_OK, 110, 1);
    compare(COMPARE_TIMES);
    CHECK(comparison_mean(&c, OP_SUM).cells == 1);
    CHECK(comparison_mean(&c, OP_SUM).clear == 0);
    after[0].marks = MARK_UNGATED | MARK_NEAR_EMPTY;
    compare(COMPARE_TIMES);
    CHECK(comparison_mean(&c, OP_SUM).cells == 1);
    before[0].marks = MARK_NEAR_EMPTY;
    compare(COMPARE_TIMES);
    CHECK(comparison_mean(&c, OP_SUM).cells == 0);
}

/* Twice the same cells of 20 us to 20 ms, whose processes are apart by about
 * that much. */
static void scatter(int cells, int processes, double sd)
{
    static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
    uint64_t seed = 20260131;
    start();
    for (int k = 0; k < 2 * cells * processes; ++k) {
        const int number = k / processes % cells;
        double off =
            -1; /* a sum of six uniform numbers has a variance of 1/2 */
        for (int n = 0; n < 6; ++n)
            off += (double)(split_mix_draw(&seed) >> 32) / 0x1p32 - 1. / 3;
        add(k < cells * processes ? &base : &now, number + 1, names[number % 6],
            STATUS_OK,
            exp(off * 1.41 * sd) * 20 *
                pow(1000, (double)(number * 7 % cells) / cells));
    }
    compare(COMPARE_TIMES);
}

/* A slow-down planted in one cell at a time alarms as often as foretold; of two
 * processes, or by 1 %, never. */
static void test_shows(void)
{
    enum { CELLS = 100 };
    static const double sds[] = { 0.001, 0.003, 0.01 };
    for (int m = 0; m < 3; ++m)
        for (int pct = 1; pct <= 7; pct += 3) {
            const int n = m + 2;
            size_t alarms = 0;
            scatter(CELLS, n, sds[m]);
            const size_t shows = comparison_shows(&c, pct / 100.);
            double ratios[CELLS];
            for (int k = 0; k < CELLS; ++k)
                ratios[k] = c.cells[k].change.ratio;
            for (int k = 0; k < CELLS; ++k) {
                const double factor = (1 + pct / 100.) / ratios[k];
                for (int p = 0; p < n; ++p)
                    after[k * n + p].us.median *= factor;
                compare(COMPARE_TIMES);
                alarms += c.cells[k].alarm;
                for (int p = 0; p < n; ++p)
                    after[k * n + p].us.median /= factor;
            }
            CHECK_FOR(fabs((double)alarms - (double)shows) <= 1 &&
                          (shows > 0) == (m > 0 && pct > 1),
                      "%d processes, %d %%: %zu of %zu", n, pct, alarms, shows);
        }
}

int main(void)
{
    test_shows();
    test_change();
    test_own();
    test_pairs();
    test_suspects();
    test_processes();
    test_unchanged();
    test_discoveries();
    test_shares();
    test_mean();
    comparison_free(&c);
    return test_end();
}
