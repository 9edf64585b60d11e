/* SPDX-License-Identifier: MIT
 *
 * The manifest's facts about machine, build and command, and the host's load.
 */
#include "harness/sweep/sweep.h"

#include "harness/build.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/base/hash.h"
#include "src/base/test.h"

static const struct device_facts gpu = { .kind = DEVICE_CUDA,
                                         .sm_count = 132,
                                         .compute_capability = 90,
                                         .memory_bytes = 1 << 30 };

static const struct driver_facts gpu_driver = { .version = "580.1",
                                                .uuid_hash = 0x1234,
                                                .name = "NVIDIA H200",
                                                .memory_clock_khz = 2000000,
                                                .memory_bus_bits = 8000 };

static struct manifest m; /* of the last fill() */

static void fill(const struct driver_facts *driver)
{
    manifest_free(&m);
    memset(&m, 0x5a, sizeof m); /* it may hold anything */
    facts_fill(&m, &gpu, driver, "run --quick");
}

static void check(const struct driver_facts *driver,
                  const char *const (*wanted)[2])
{
    fill(driver);
    for (size_t k = 0; wanted[k][0]; ++k) {
        const char *is = manifest_get(&m, wanted[k][0]);
        CHECK_FOR(strcmp(is, wanted[k][1]) == 0, "%s: %s", wanted[k][0], is);
    }
}

#define CHECK_FACTS(driver, ...)                                               \
    check(driver, (const char *const[][2]){ __VA_ARGS__, { NULL } })

static void check_known(void)
{
    CHECK_FACTS(&gpu_driver, { "schema", "4" }, { "complete", "0" },
                { "arguments", "run --quick" }, { "device", "h200" },
                { "compute_capability", "9.0" }, { "driver", "580.1" },
                { "gpu_hash", "0000000000001234" }, { "utc_end", "" },
                { "device_name", "NVIDIA H200" }, { "pretend", "" },
                { "attribute_peak_gbps", "4000.0" });
    CHECK(strlen(manifest_get(&m, "utc")) == 16);
    CHECK(strlen(manifest_get(&m, "binary_hash")) == 16);
    CHECK(*manifest_get(&m, "compiler") && *manifest_get(&m, "flags"));
}

static void check_unknown(void)
{
    struct driver_facts driver = { .ecc = -1,
                                   .mig = -1,
                                   .clocks_locked = -1,
                                   .sm_max_mhz = -1,
                                   .power_limit_mw = -1,
                                   .pcie_generation = -1,
                                   .pcie_lanes = -1 };
    CHECK_FACTS(&driver, { "mig", "" }, { "clocks_locked", "" },
                { "gpu_hash", "" }, { "power_limit_w", "" },
                { "pcie_link", "" }, { "driver", "" }, { "ecc", "" });
    /* The pretended architecture is in the name, and so in the folder's. */
    snprintf(driver.name, sizeof driver.name, "NVIDIA H200 as sm_75");
    driver.pretend = "sm_75";
    driver.ecc = driver.mig = driver.clocks_locked = 1;
    driver.power_limit_mw = 700500;
    driver.pcie_generation = 5;
    driver.pcie_lanes = 16;
    CHECK_FACTS(&driver, { "ecc", "1" }, { "mig", "1" },
                { "clocks_locked", "1" }, { "power_limit_w", "700.5" },
                { "pcie_link", "5x16" }, { "pretend", "sm_75" },
                { "device", "h200-as-sm-75" },
                { "device_name", "NVIDIA H200 as sm_75" });
}

/* The commit ends with "-dirty"; a release without git has no entry. */
static void check_dirty(void)
{
    static const char *const cases[][2] = { { "abc-dirty", "1" },
                                            { "abc", "0" },
                                            { "dirty", "0" },
                                            { SCANBENCH_RELEASE, "" } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        setenv("SCANBENCH_COMMIT", cases[k][0], 1);
        CHECK_FACTS(&gpu_driver, { "commit", cases[k][0] },
                    { "dirty", cases[k][1] });
    }
    unsetenv("SCANBENCH_COMMIT");
}

/* A host's name could be guessed from its hash. */
static void check_host(void)
{
    struct utsname host;
    char hash[20];
    fill(&gpu_driver);
    CHECK(uname(&host) == 0);
    snprintf(hash, sizeof hash, "%016llx", hash_text(host.nodename));
    CHECK(strcmp(manifest_get(&m, "host_hash"), hash) != 0);
    CHECK(!strstr(manifest_get(&m, "system"), host.nodename));
    CHECK(!strpbrk(manifest_get(&m, "system"), "-+")); /* the kernel's suffix */
}

static void check_share(void)
{
    const struct host_load from = { 100, 10, 5 };
    const struct host_load to = { 200, 60, 25 };
    CHECK(host_load_others_pct(&from, &to) == 30);
    CHECK(isnan(host_load_others_pct(&from, &from)));
    const struct host_load all_own = { 200, 60, 105 }; /* clocks are coarse */
    CHECK(host_load_others_pct(&from, &all_own) == 0);
    const struct host_load unknown = { NAN, NAN, 5 };
    CHECK(isnan(host_load_others_pct(&unknown, &to)));
}

static volatile double sink;

static void burn(double seconds)
{
    const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end)
        sink += 1;
}

/* Processor time of this process, of a running child and of an ended one. */
static void check_own(void)
{
    const struct host_load before = host_load_now(0);
    CHECK(before.all_s >= before.busy_s && before.busy_s >= 0);
    burn(0.1);
    const struct host_load own = host_load_now(0);
    CHECK(own.own_s - before.own_s >= 0.09);
    const pid_t child = fork();
    if (child == 0) {
        burn(0.1);
        pause();
        _exit(0);
    }
    struct host_load running = host_load_now(child);
    for (int k = 0; k < 500 && running.own_s - own.own_s < 0.08; ++k) {
        usleep(20000);
        running = host_load_now(child);
    }
    CHECK(running.own_s - own.own_s >= 0.08);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK(host_load_now(0).own_s - own.own_s >= 0.08);
}

int main(void)
{
    check_share();
    check_own();
    check_known();
    check_unknown();
    check_dirty();
    check_host();
    manifest_free(&m);
    return test_end();
}
