/* SPDX-License-Identifier: MIT
 *
 * Any files as a run's folder (fuzz_run.h): its report, ladders, regret and the
 * rules that it teaches. The first byte picks the format.
 */
#include "tests/fuzz/fuzz_run.h"

#include "harness/cli/ladder.h"
#include "harness/cli/learn.h"
#include "harness/cli/regret.h"
#include "harness/cli/report.h"
#include "harness/tally.h"

/* Nothing of a run is markup: all pages have the same elements. */
static void check_page(const char *page)
{
    static int elements;
    int count = 0;
    for (const char *at = page; (at = strchr(at, '<')); ++at)
        ++count;
    if (!elements)
        elements = count;
    REQUIRE(count == elements);
}

static void report(void)
{
    char *page;
    if (CALL(&page, report_command, "report", "run", "run") == EXIT_OK)
        check_page(page);
    free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *const formats[] = { "text", "markdown", "csv", "cells" };
    if (size == 0)
        return 0;
    char *format = formats[data[0] % 4];
    make_run(data + 1, size - 1);
    report();
    MAKE(ladder_command, "ladder", "run");
    MAKE(regret_command, "regret", "run", "--variant", "one_b8", "--format",
         format, "--cache", "cold,hot", "--max-regret", "5,20");
    MAKE(rules_command, "rules", "run");
    MAKE(rules_command, "rules", "--held-out", "run");
    /* What is taught can be followed. */
    if (MAKE(rules_command, "rules", "-o", "rules.csv", "run") == EXIT_OK)
        REQUIRE(MAKE(regret_command, "regret", "run", "--rules", "rules.csv",
                     "--format", format) != EXIT_BAD);
    return 0;
}
