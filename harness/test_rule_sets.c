/* SPDX-License-Identifier: MIT
 *
 * Rules for a device are chosen by its name and by the architecture of the
 * code that it runs.
 */
#include "harness/rule_sets.h"

#include <string.h>

#include "src/base/test.h"

static struct rules files[] = {
    /* capability, multiprocessors, GB/s */
    { .name = "h200.csv", .gpu = "NVIDIA H200", 90, 132, 4814 },
    { .name = "a100.csv", .gpu = "A100", 80, 108, 1555 },
    { .name = "l4.csv", .gpu = "NVIDIA L4", 89, 58, 300 },
    /* Measured with code for 8.0. */
    { .name = "old.csv", .gpu = "NVIDIA B200", 80, 148, 8000 },
};

/* The code is 900 for that of 9.0. */
static const char *picked(const char *gpu, int capability, int code)
{
    const struct rule_sets sets = { .rules = files, .count = 4 };
    struct device_facts facts = { .kind = DEVICE_CUDA,
                                  .compute_capability = capability,
                                  .sm_count = 132 };
    struct driver_facts driver = { .code = code };
    snprintf(driver.name, sizeof driver.name, "%s", gpu);
    rule_sets_pick(&sets, &facts, &driver, 3000);
    return facts.rules->name;
}

#define PICKS(file, ...) CHECK(strcmp(picked(__VA_ARGS__), file) == 0)

int main(void)
{
    /* By the name and by the architecture of the code, if it is older. */
    PICKS("h200.csv", "NVIDIA H200", 90, 0);
    PICKS("l4.csv", "NVIDIA L4", 89, 800);
    PICKS("a100.csv", "NVIDIA H200", 90, 800);
    PICKS("old.csv", "NVIDIA B200", 100, 800);
    PICKS("a100.csv", "NVIDIA H200 as sm_80", 80, 900);

    /* The user's file is valid for any device; the host has no other. */
    const struct rule_sets named = {
        .rules = files, .count = 2, .built_in = 1, .named = 1
    };
    const struct rule_sets found = { .rules = files, .count = 4 };
    struct device_facts host = { .kind = DEVICE_HOST };
    const struct driver_facts driver = { .code = 800 };
    rule_sets_pick(&named, &host, &driver, 0);
    CHECK(host.rules == files && !host.portable_rules);
    rule_sets_pick(&found, &host, &driver, 0);
    CHECK(!host.rules);
    /* Portable bits: an H200's built-in ones, whichever GPU and rules. */
    for (int capability = 75; capability < 130; ++capability) {
        struct device_facts gpu = { .kind = DEVICE_CUDA,
                                    .compute_capability = capability };
        rule_sets_pick(&found, &gpu, &driver, 100);
        CHECK(gpu.portable_rules == files);
        rule_sets_pick(&named, &gpu, &driver, 100);
        CHECK(gpu.rules == files && gpu.portable_rules == &files[1]);
    }
    return test_end();
}
