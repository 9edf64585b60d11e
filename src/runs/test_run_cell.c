/* SPDX-License-Identifier: MIT */
#include "src/runs/run_cell.h"

#include <math.h>
#include <string.h>

#include "src/base/test.h"
#include "src/runs/test_made.h"

/* A process of a cell, with a ceiling that depends on its time. */
static struct row row_of(const char *variant, enum status status, double us)
{
    struct row row = made_row(variant, status, us);
    row.pct_ceiling = 1e7 / us / (1000 + us);
    row.reason = status == STATUS_OK ? "" : "why";
    return row;
}

static struct run_cell cell_of(const struct row *rows, size_t count)
{
    return run_cell_of(rows, &count);
}

static void test_timed(void)
{
    struct row rows[] = {
        row_of("a", STATUS_OK, 200),
        row_of("a", STATUS_SUSPECT, 800),
        row_of("a", STATUS_SKIP, NAN),
        row_of("b", STATUS_OK, 100),
    };
    rows[0].marks = MARK_UNGATED | MARK_NEAR_EMPTY;
    rows[1].marks = MARK_UNGATED | MARK_ABOVE_CEILING;
    rows[2].marks = MARK_NEAR_EMPTY;
    size_t count = 4;
    const struct run_cell cell = run_cell_of(rows, &count);
    CHECK(count == 3 && cell.rows == 3 && cell.row == rows);
    CHECK(cell.sound == 2 && cell.dropped == 1);
    CHECK(run_cell_timed(&cell) && !status_is_failed(cell.status));
    CHECK(cell.status == STATUS_SUSPECT && !strcmp(cell.reason, "why"));
    CHECK(is_near(cell.us, 400) && is_near(cell.gbps, 250));
    CHECK(is_near(cell.ceiling_gbps, sqrt(1200. * 1800)));
    CHECK(is_near(cell.pct_ceiling, 100 * cell.gbps / cell.ceiling_gbps));
    CHECK(cell.over_ceiling.processes == 2);
    CHECK(is_near(exp(cell.over_ceiling.log_mean), 100 / cell.pct_ceiling));
    CHECK(cell.marks == (MARK_UNGATED | MARK_NEAR_EMPTY | MARK_ABOVE_CEILING));
    const struct run_cell bare = cell_of(rows + 3, 1);
    CHECK(!bare.marks && !*bare.reason);
    rows[1].pct_ceiling = NAN; /* a rate that one process lacks */
    CHECK(isnan(cell_of(rows, 3).ceiling_gbps));
    CHECK(is_near(cell_of(rows, 3).us, 400));
}

/* Unstable processes beside sound ones are counted, but give no time. */
static void test_unstable(void)
{
    struct row rows[] = { row_of("a", STATUS_UNSTABLE, 300),
                          row_of("a", STATUS_OK, 100),
                          row_of("a", STATUS_UNSTABLE, 300) };
    struct run_cell cell = cell_of(rows, 3);
    CHECK(cell.status == STATUS_UNSTABLE && run_cell_timed(&cell));
    CHECK(cell.sound == 1 && cell.dropped == 2);
    CHECK(is_near(cell.us, 100));
    rows[1] = row_of("a", STATUS_SKIP, NAN);
    cell = cell_of(rows, 3);
    CHECK(cell.status == STATUS_UNSTABLE && !run_cell_timed(&cell));
    CHECK(is_near(cell.us, 300) && cell.timing.processes == 2);
    CHECK(cell.dropped == 1);
}

/* One process decides, in any order; a failed cell has no time. */
static void test_gravest(void)
{
    static const enum status mild_to_grave[] = {
        STATUS_SKIP,    STATUS_UNTRIED, STATUS_SLOW,
        STATUS_OK,      STATUS_SUSPECT, STATUS_UNSTABLE,
        STATUS_TIMEOUT, STATUS_ERROR,   STATUS_WRONG,
    };
    for (int g = 1; g < STATUS_COUNT; ++g)
        for (int m = 0; m < g; ++m)
            for (int first = 0; first < 2; ++first) {
                struct row rows[2];
                rows[first] = row_of("a", mild_to_grave[m], 100);
                rows[!first] = row_of("a", mild_to_grave[g], 100);
                const struct run_cell cell = cell_of(rows, 2);
                CHECK_FOR(cell.status == mild_to_grave[g], "%d and %d", m, g);
                CHECK(status_is_failed(cell.status) == (g > 5));
                CHECK(g <= 5 || (isnan(cell.us) && !run_cell_timed(&cell) &&
                                 cell.dropped == 0));
            }
}

static void test_timing(void)
{
    struct timing timing = { 0 };
    timing_add(&timing, 100, 99, 101);
    CHECK(is_near(timing.log_mean, log(100)) && isnan(timing_sd(&timing)));
    timing_add(&timing, 121, 120, 122);
    CHECK(is_near(timing.log_mean, log(110)));
    CHECK(is_near(timing_sd(&timing), log(1.21) / sqrt(2)));
    CHECK(timing.own_variances > 0);
    timing_add(&timing, 110, 90, 109); /* without its median */
    CHECK(isnan(timing.own_variances) && is_near(timing.log_mean, log(110)));
}

int main(void)
{
    test_timed();
    test_unstable();
    test_gravest();
    test_timing();
    return test_end();
}
