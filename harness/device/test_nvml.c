/* SPDX-License-Identifier: MIT
 *
 * NVML's readings, with a library in its place. Built also with NO_NVML: there
 * is no such library.
 */
#include "harness/device/nvml.h"

#include "harness/device/fake_nvml.h"

#include <math.h>
#include <string.h>

#include "src/base/hash.h"
#include "src/base/test.h"

static void check_words(void)
{
    static const struct {
        unsigned long long mask;
        const char *words;
        bool throttled;
    } cases[] = {
        { 0, "", false },
        { 0x1, "gpu_idle", false },
        { 0x2, "applications_clocks", false },
        { 0x4, "sw_power_cap", true },
        { 0x8, "hw_slowdown", true },
        { 0x10, "sync_boost", true },
        { 0x20, "sw_thermal_slowdown", true },
        { 0x40, "hw_thermal_slowdown", true },
        { 0x80, "hw_power_brake", true },
        { 0x100, "display_clocks", false },
        { 0x200, "bit_9", true },
        { 1ull << 63, "bit_63", true },
        { 0x103, "gpu_idle+applications_clocks+display_clocks", false },
        { 0x4c, "sw_power_cap+hw_slowdown+hw_thermal_slowdown", true },
    };
    char text[NVML_WORDS_BYTES];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        nvml_throttle_words(cases[k].mask, text, sizeof text);
        CHECK_FOR(strcmp(text, cases[k].words) == 0 &&
                      nvml_throttled(cases[k].mask) == cases[k].throttled,
                  "%llx: %s", cases[k].mask, text);
    }
    nvml_throttle_words(0xc, text, sizeof "sw_power_cap+hw_slowdow");
    CHECK_FOR(strcmp(text, "sw_power_cap") == 0, "%s", text);
    nvml_throttle_words(0xc, text, sizeof "sw_power_cap+hw_slowdown");
    CHECK_FOR(strcmp(text, "sw_power_cap+hw_slowdown") == 0, "%s", text);
    nvml_throttle_words(~0ull, text, sizeof text);
    CHECK_FOR(strlen(text) < sizeof text, "%zu", strlen(text));
}

static void check_unknown(const char *pci_address, const char *about)
{
    struct driver_facts f;
    struct sensors s;
    const char *why = nvml_open(pci_address, &f);
    CHECK_FOR(why && strstr(why, about), "%s: %s", about, why ? why : "");
    CHECK(f.version[0] == '\0' && f.uuid_hash == 0 && f.ecc == -1);
    CHECK(f.mig == -1 && f.clocks_locked == -1 && f.sm_max_mhz == -1);
    CHECK(f.power_limit_mw == -1 && f.pcie_generation == -1);
    CHECK(f.pcie_lanes == -1);
    nvml_sense(&s);
    CHECK(isnan(s.sm_mhz) && isnan(s.mem_mhz) && isnan(s.temp_c));
    CHECK(isnan(s.power_w) && s.throttle == 0);
}

#ifdef NO_NVML
static void check_library(void)
{
    check_unknown("0000:1B:00.0", "no NVML");
}
#else
static void check_open(void)
{
    struct driver_facts f;
    fake_nvml = (struct fake_nvml){ .set_mhz = 1980 };
    const char *why = nvml_open(FAKE_ADDRESS, &f);
    CHECK_FOR(why && strstr(why, "nvmlDeviceGetMigMode"), "%s", why);
    CHECK(f.mig == -1);
    CHECK_FOR(strcmp(f.version, "580.1.2") == 0, "%s", f.version);
    CHECK(f.uuid_hash == hash_text("GPU-1"));
    CHECK(f.ecc == 1);
    CHECK_FOR(f.clocks_locked == 0, "%d", f.clocks_locked);
    CHECK_FOR(f.sm_max_mhz == 1910, "%d", f.sm_max_mhz);
    CHECK_FOR(f.power_limit_mw == 700000, "%d", f.power_limit_mw);
    CHECK(f.pcie_generation == 5 && f.pcie_lanes == 16);
}

static void check_sense(void)
{
    struct sensors s;
    fake_nvml.reasons = 0x4;
    nvml_sense(&s);
    CHECK(s.sm_mhz == 1100 && s.mem_mhz == 1200 && s.temp_c == 41);
    CHECK(s.power_w == 512.25 && s.throttle == 0x4);
    fake_nvml.unsupported = true;
    nvml_sense(&s);
    CHECK(isnan(s.sm_mhz) && isnan(s.mem_mhz) && isnan(s.temp_c));
    CHECK(isnan(s.power_w) && s.throttle == 0);
}

static void check_locked(void)
{
    static const struct {
        struct fake_nvml fake;
        int locked;
    } cases[] = {
        { { .set_mhz = 1500 }, 1 },
        { { .set_mhz = 1980, .reasons = 0x2 }, 1 },
        { { .set_mhz = 1980, .reasons = 0x1 }, 0 },
        { { .set_mhz = 1980, .unsupported = true }, -1 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        struct driver_facts f;
        fake_nvml = cases[k].fake;
        nvml_open(FAKE_ADDRESS, &f);
        CHECK_FOR(f.clocks_locked == cases[k].locked, "case %zu", k);
    }
}

static void check_library(void)
{
    check_open();
    check_sense();
    check_locked();
    fake_nvml = (struct fake_nvml){ .broken = true };
    check_unknown(FAKE_ADDRESS, "does not start");
    fake_nvml.broken = false;
    check_unknown("0000:2B:00.0", "has no GPU");
}
#endif

int main(void)
{
    check_words();
    check_library();
    return test_end();
}
