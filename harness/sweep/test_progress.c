/* SPDX-License-Identifier: MIT */
#include "harness/sweep/progress.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/test.h"

/* Never called, as no cell begins in this test. */
char *cell_id(const struct cell *cell, char id[CELL_ID_BYTES])
{
    (void)cell;
    return id;
}

static struct progress progress_at(const char *now, const char *last)
{
    struct progress progress = {
        .done = 12, .total = 676, .all_ms = 200e3, .limit_s = NAN
    };
    strcpy(progress.now, now);
    strcpy(progress.last, last);
    return progress;
}

static void test_width(void)
{
    static const char id[] =
        "cumsum_exclusive/block_per_line_registers_b512_i64/bf16/"
        "65536x32768x1";
    static const char last[] = "warp_per_line_b128_i16 1234 us, 71 %";
    char line[PROGRESS_LINE_BYTES];
    const struct progress progress = progress_at(id, last);
    for (int columns = 20; columns < 220; ++columns) {
        progress_line(&progress, 0, columns, line);
        CHECK_FOR((int)strlen(line) <= columns, "%d: %s", columns, line);
        if (columns > 60)
            CHECK_FOR(strstr(line, last), "%d: %s", columns, line);
    }
    CHECK_FOR(strcmp(line, "[12/676, 3:20 left] cumsum_exclusive/block_per_"
                           "line_registers_b512_i64/bf16/65536x32768x1; warp_"
                           "per_line_b128_i16 1234 us, 71 %") == 0,
              "%s", line);
    const struct progress first = progress_at(id, "");
    progress_line(&first, 0, 60, line);
    CHECK_FOR(strlen(line) == 60 && !strchr(line, ';'), "%s", line);
}

/* The time left follows the estimate at first, and later the measured pace. */
static void test_left(void)
{
    struct progress progress = progress_at("", "");
    CHECK(progress_left_s(&progress, 0) == 200);
    progress.done_ms = 100e3;
    const double slow_s = progress_left_s(&progress, 300);
    CHECK_FOR(slow_s > 250 && slow_s < 300, "%g", slow_s);
    const double fast_s = progress_left_s(&progress, 10);
    CHECK_FOR(fast_s > 10 && fast_s < 20, "%g", fast_s);
    progress.done_ms = 250e3;
    CHECK(progress_left_s(&progress, 10) == 0);
    progress.done_ms = 100e3;
    progress.limit_s = 310; /* ends before the estimate does */
    CHECK(progress_left_s(&progress, 300) == 10);
    CHECK(progress_left_s(&progress, 320) == 0);
    progress.limit_s = NAN;
    progress.all_ms = 0;
    CHECK(progress_left_s(&progress, 10) == 0);
}

static void test_columns(void)
{
    const int null = open("/dev/null", O_WRONLY);
    unsetenv("COLUMNS");
    CHECK(terminal_columns(null) == 100);
    CHECK(terminal_room(null) > 1000);
    setenv("COLUMNS", "72", 1);
    CHECK(terminal_columns(null) == 72);
    CHECK(terminal_room(null) == 72);
    setenv("COLUMNS", "3", 1);
    CHECK(terminal_columns(null) == 40);
    setenv("COLUMNS", "many", 1);
    CHECK(terminal_columns(null) == 100);
    CHECK(!terminal_can_rewrite(null));
    close(null);
}

static void check_counts(void)
{
    struct tally tally = { 0 };
    for (int status = 0; status < STATUS_COUNT; ++status)
        tally_count(&tally, (enum status)status, "why");
    CHECK(tally.ok == 3 && tally.doubtful == 2 && tally.skipped == 3 &&
          tally.wrong == 1);
    /* Errors and timeouts. */
    CHECK(tally.failed ==
          STATUS_COUNT - tally.ok - tally.skipped - tally.wrong);
}

static void check_status(void)
{
    struct tally tally = { 0 };
    CHECK(tally_status(&tally, "done") == EXIT_OK);
    tally_count(&tally, STATUS_SKIP, "the first");
    tally_count(&tally, STATUS_SKIP, "the second");
    CHECK(strcmp(tally.why_skipped, "the first") == 0);
    CHECK(tally_status(&tally, "done") == EXIT_NOTHING);
    tally_count(&tally, STATUS_OK, "");
    CHECK(tally_status(&tally, "done") == EXIT_OK);
    tally_count(&tally, STATUS_ERROR, "");
    CHECK(tally_status(&tally, "done") == EXIT_WRONG);
}

int main(void)
{
    check_status();
    check_counts();
    test_width();
    test_left();
    test_columns();
    return test_end();
}
