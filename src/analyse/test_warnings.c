/* SPDX-License-Identifier: MIT */
#include "src/analyse/warnings.h"

#include <string.h>

#include "src/base/test.h"
#include "src/runs/test_made.h"

static struct row rows[8];
static struct run_folder run;

static struct row row(const char *variant, int process, double us)
{
    struct row row = made_row(variant, STATUS_OK, us);
    row.process = process;
    return row;
}

static void quiet_run(void)
{
    manifest_free(&run.manifest);
    manifest_set(&run.manifest, "device_kind", "cuda");
    manifest_set(&run.manifest, "complete", "1");
    manifest_set(&run.manifest, "ceiling_drift_pct", "-1.9");
    manifest_set(&run.manifest, "host_busy_pct", "49");
    run.rows.row = rows;
    run.rows.count = 3;
    rows[0] = row("a", 0, 10);
    rows[1] = row("a", 1, 10.01);
    rows[2] = row("b", 0, 20);
}

/* One warning, and it has these words. */
static void only(const char *words)
{
    const struct notes w = warnings_of(&run);
    CHECK_FOR(w.count == 1 && strstr(w.text[0], words), "%d: %s, not %s",
              w.count, w.text[0], words);
    quiet_run();
}

static void test_machine(void)
{
    manifest_set(&run.manifest, "ceiling_drift_pct", "-41");
    only("moved by -41.0 %");
    manifest_set(&run.manifest, "host_busy_pct", "51");
    only("took 51 %");
    manifest_set(&run.manifest, "device_kind", "host");
    only("took 49 %");
    manifest_set(&run.manifest, "complete", "0");
    only("did not come to its end");
}

static void test_rows(void)
{
    rows[2].us.ci_high = 22;
    only("1 of 2 timed cells are known to no better than 5 %; the widest, to "
         "10 %: sum/b/");
    rows[2].discarded = 7;
    rows[2].throttle = "sw_power_cap";
    only("sw_power_cap (rows: 1; samples thrown away: 7)");
    rows[1].discarded = rows[2].discarded = INT64_MAX;
    only("thrown away: 18446744073709551616)");
    rows[1].discarded = 0;
    rows[2].status = STATUS_SUSPECT;
    only("1 of 2 timed cells are unstable or suspect");
    rows[2].marks = MARK_ABOVE_CEILING;
    only("above 120 % of their ceiling, where a share means nothing: 1");
    rows[2].status = STATUS_WRONG;
    only("wrong, failed or hung: 1");
    rows[1] = row("c", 0, 3);
    only("one process");
}

int main(void)
{
    quiet_run();
    CHECK_FOR(warnings_of(&run).count == 0, "%s", warnings_of(&run).text[0]);
    test_machine();
    test_rows();
    manifest_free(&run.manifest);
    return test_end();
}
