/* SPDX-License-Identifier: MIT
 *
 * A CUDA device opens, and takes the steps of a sample in their order; without
 * a GPU, on fake_cuda.h.
 */
#include "harness/device/device.h"

#include "harness/device/fake_cuda.h"
#include "src/base/clock.h"
#include "src/base/test.h"

enum { PROBLEMS = 4, LAUNCH_US = 10 };

static struct problem problems[PROBLEMS];
static int launches, result;

/* Logs the problem's digit. */
static int launch(const struct problem *problem, void *stream)
{
    CHECK((stream != NULL) == fake.records);
    logged((char)('0' + (int)problem->shape.outer));
    fake.clock_us += LAUNCH_US;
    ++launches;
    return result;
}
static const struct variant variant = { .name = "any", .launch = launch };
static const struct variant other = { .name = "other", .launch = launch };

static const char *open_gpu(int index, bool *absent)
{
    struct device_facts facts;
    struct driver_facts driver;
    return device_cuda.open(index, &facts, &driver, absent);
}

/* An event's time is a float of milliseconds. */
static bool is_launch(double us)
{
    return fabs(us - LAUNCH_US) < 1e-3;
}

/* Takes a sample, and keeps its log alone. */
static const char *sample(const struct variant *of, int count, int warm,
                          struct sample *taken)
{
    memset(fake.log, 0, sizeof fake.log);
    launches = 0;
    return device_cuda.sample(of, problems, count, warm, taken);
}

static void check_log(const char *wanted)
{
    CHECK_FOR(strcmp(fake.log, wanted) == 0, "%s, not %s", fake.log, wanted);
}

static void check_samples(void)
{
    struct sample taken = { 0 };
    CHECK(!sample(&variant, 1, LEAVE_CACHE, &taken));
    check_log("G(0)W");
    CHECK(is_launch(taken.us) && taken.host_us >= 0);
    CHECK(!taken.ungated && !taken.waits);
    CHECK(!sample(&variant, 3, 0, &taken)); /* cold */
    check_log("KFG(012)W");
    CHECK(is_launch(taken.us));
    CHECK(!sample(&variant, 4, 2, &taken)); /* hot */
    check_log("KF01WG(0123)W");
    CHECK(!sample(device_cuda.empty, 1, 0, &taken));
    check_log("KFG(.)W");
    CHECK(taken.us == 0);
}

/* The element is poisoned between the launches in front and those behind. */
static void check_planting(bool dry)
{
    unsigned char place[8] = { 0 };
    struct planting plant = { .place = (char *)place,
                              .bytes = 4,
                              .after = 1.5,
                              .launch_us = 100,
                              .behind = 2 };
    struct sample taken = { .plant = &plant };
    const double start = clock_us();
    fake.runs_dry = dry;
    CHECK(!sample(&variant, 4, LEAVE_CACHE, &taken));
    check_log("G(01P23)W");
    CHECK(clock_us() - start >= 150);
    CHECK(place[3] == POISON_BYTE && place[4] == 0);
    CHECK(plant.late == dry && is_launch(taken.us));
    fake.runs_dry = false;
}

/* A graph has the launches, and the poisoning between them. */
static void check_graph(void)
{
    unsigned char place[8] = { 0 };
    struct planting plant = { .place = (char *)place, .bytes = 4, .behind = 2 };
    struct sample taken = { .in_graph = true };
    CHECK(!sample(&variant, 3, 1, &taken));
    check_log("[012]WKF0WG(L)W");
    taken.plant = &plant;
    CHECK(!sample(&variant, 4, LEAVE_CACHE, &taken));
    check_log("[01P23]WG(L)W");
    CHECK(place[3] == POISON_BYTE && place[4] == 0);
}

/* A launch that waits has three samples with a gate, and then none; another
 * variant has one again. */
static void check_waiting(void)
{
    struct sample taken = { 0 };
    fake.gives_up = true;
    for (int k = 0; k < 3; ++k) {
        CHECK(!sample(&variant, 1, LEAVE_CACHE, &taken));
        CHECK_FOR(taken.ungated && taken.waits, "%d", k);
        check_log("G(0)W");
    }
    CHECK(!sample(&variant, 1, LEAVE_CACHE, &taken));
    CHECK(taken.ungated && taken.waits);
    check_log("(0)W");
    fake.gives_up = false;
    CHECK(!sample(&other, 1, LEAVE_CACHE, &taken));
    CHECK(!taken.ungated && !taken.waits);
    check_log("G(0)W");
}

/* The gate is opened all the same. An error that has a remedy names it; one
 * that CUDA does not have is the variant's. */
static void check_failing(void)
{
    static const struct {
        int error;
        const char *text;
    } cases[] = {
        { cudaErrorMemoryAllocation, "cudaErrorFake: it fails" },
        { cudaErrorNoKernelImageForDevice,
          "cudaErrorFake: it fails; this build has no code for this GPU: build "
          "with -Dgpu_arch=native" },
        { 1001, "the variant's own error 1001, not CUDA's: stderr may say "
                "more" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        struct sample taken = { 0 };
        result = cases[k].error;
        const char *why = sample(&variant, 3, 0, &taken);
        CHECK_FOR(why && strcmp(why, cases[k].text) == 0, "%s", why ? why : "");
        CHECK(launches == 1 && fake.gate->opened == fake.gate->arrived);
        check_log("KFG(0");
    }
    result = 0;
}

static void check_clock(void)
{
    double mhz = 0;
    struct sensors sensors;
    CHECK(!device_cuda.sense(NULL, NULL));
    fake.clock_us += 100;
    CHECK(!device_cuda.sense(&sensors, &mhz));
    CHECK_FOR(mhz == 2000, "%g", mhz);
}

/* A profiler runs one kernel at a time: the gate is useless, and the
 * host's clock means nothing. */
static void check_one_by_one(void)
{
    bool absent;
    struct sample taken = { 0 };
    fake.gives_up = true;
    CHECK(!open_gpu(1, &absent));
    CHECK(!sample(&variant, 1, 0, &taken));
    check_log("KF(0)W");
    CHECK(isnan(taken.host_us) && taken.ungated && !taken.waits);
}

int main(void)
{
    bool absent;
    for (int k = 0; k < PROBLEMS; ++k)
        problems[k].shape = (struct shape){ k, 1, 1 };
    unsetenv("SCANBENCH_NO_CLOCK_CHECK");
    const char *why = open_gpu(2, &absent);
    CHECK(why && absent && strstr(why, "there is no cuda:2"));
    CHECK(!open_gpu(0, &absent) && !absent);
    check_samples();
    check_planting(false);
    check_planting(true);
    check_graph();
    check_waiting();
    check_failing();
    check_clock();
    check_one_by_one();
    return test_end();
}
