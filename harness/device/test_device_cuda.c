/* SPDX-License-Identifier: MIT
 *
 * A CUDA device opens, and takes the steps of a sample in their order; without
 * a GPU, on fake_cuda.c.
 */
#include "harness/device/device.h"

#include "harness/device/fake_cuda.h"
#include "src/base/clock.h"
#include "src/base/test.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 4, LAUNCH_US = 10 };

static struct problem problems[PROBLEMS];
static int launches, result;

/* Logs the problem's digit. */
static int launch(const struct problem *problem, void *stream)
{
    CHECK(!stream);
    fake_log((char)('0' + (int)problem->shape.outer));
    fake_cuda.clock_us += LAUNCH_US;
    ++launches;
    return result;
}
static const struct variant variant = { .name = "any", .launch = launch };
static const struct variant other = { .name = "other", .launch = launch };

static const char *open_gpu(int index, bool *absent)
{
    struct device_facts facts = { 0 };
    struct driver_facts driver = { 0 };
    const char *why = device_cuda.open(index, &facts, &driver, absent);
    if (!why)
        CHECK(facts.sm_count == 4 && facts.memory_bytes == 2LL << 30 &&
              facts.memory_free_bytes == 1LL << 30);
    return why;
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
    memset(fake_cuda.log, 0, sizeof fake_cuda.log);
    launches = 0;
    return device_cuda.sample(of, problems, count, warm, taken);
}

static void check_log(const char *wanted)
{
    CHECK_FOR(strcmp(fake_cuda.log, wanted) == 0, "%s, not %s", fake_cuda.log,
              wanted);
}

/* Every function that fails on the way leads to the same error. */
static void check_opening(void)
{
    static const char *const functions[] = {
        "cudaGetDeviceCount",   "cuda_facts_read",
        "cudaMemGetInfo",       "cudaMalloc",
        "cudaEventCreate",      "cudaStreamCreateWithFlags",
        "cudaHostAlloc",        "cudaDeviceGetPCIBusId",
        "kernels_stamp",        "kernels_flush",
        "kernels_empty",        "cudaDeviceSynchronize",
        "kernels_gate",         "cudaEventRecord",
        "cudaEventElapsedTime",
    };
    bool absent;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k) {
        fake_cuda.failing = functions[k];
        const char *why = open_gpu(0, &absent);
        CHECK_FOR(why && strstr(why, "cudaErrorFake: it fails") && !absent,
                  "%s: %s", functions[k], why ? why : "opens");
    }
    fake_cuda.failing = NULL;
    const char *why = open_gpu(FAKE_GPUS, &absent);
    CHECK(why && absent && strstr(why, "there is no cuda:2"));
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
    fake_cuda.runs_dry = dry;
    CHECK(!sample(&variant, 4, LEAVE_CACHE, &taken));
    check_log("G(01P23)W");
    CHECK(clock_us() - start >= 150);
    CHECK(place[3] == POISON_BYTE && place[4] == 0);
    CHECK(plant.late == dry && is_launch(taken.us));
    fake_cuda.runs_dry = false;
}

/* A launch that waits has three samples with a gate, and then none; another
 * variant has one again. */
static void check_waiting(void)
{
    struct sample taken = { 0 };
    fake_cuda.gives_up = true;
    for (int k = 0; k < 3; ++k) {
        CHECK(!sample(&variant, 1, LEAVE_CACHE, &taken));
        CHECK_FOR(taken.ungated && taken.waits, "%d", k);
        check_log("G(0)W");
    }
    CHECK(!sample(&variant, 1, LEAVE_CACHE, &taken));
    CHECK(taken.ungated && taken.waits);
    check_log("(0)W");
    fake_cuda.gives_up = false;
    CHECK(!sample(&other, 1, LEAVE_CACHE, &taken));
    CHECK(!taken.ungated && !taken.waits);
    check_log("G(0)W");
}

/* The gate is opened all the same. */
static void check_failing(void)
{
    struct sample taken = { 0 };
    result = FAKE_FAILS;
    const char *why = sample(&variant, 3, 0, &taken);
    CHECK(why && strcmp(why, "cudaErrorFake: it fails") == 0);
    CHECK(launches == 1 && fake_gate_is_open());
    check_log("KFG(0");
    result = 0;
    why = device_cuda.launch(&variant, &problems[2]);
    CHECK(!why && fake_cuda.log[5] == '2');
    fake_cuda.failing = "cudaGetLastError";
    why = device_cuda.launch(&variant, &problems[2]);
    CHECK(why && strcmp(why, "cudaErrorFake: it fails") == 0);
    fake_cuda.failing = NULL;
}

/* An error that has a remedy names it; one that CUDA has not is the
 * variant's. */
static void check_texts(void)
{
    static const struct {
        int error;
        const char *text;
    } cases[] = {
        { cudaErrorMemoryAllocation, "cudaErrorOther: another error" },
        { cudaErrorNoKernelImageForDevice,
          "cudaErrorOther: another error; this build has no code for this "
          "GPU: build with -Dgpu_arch=native" },
        { cudaErrorUnsupportedPtxVersion,
          "cudaErrorOther: another error; this build has no code for this "
          "GPU: build with -Dgpu_arch=native" },
        { 1001, "the variant's own error 1001, not CUDA's: stderr may say "
                "more" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        result = cases[k].error;
        const char *why = device_cuda.launch(&variant, &problems[0]);
        CHECK_FOR(why && strcmp(why, cases[k].text) == 0, "%s", why ? why : "");
    }
    result = 0;
}

/* 2 cycles a nanosecond. */
static void check_clock(void)
{
    double mhz = 0, gflops = 0;
    struct sensors sensors;
    CHECK(!device_cuda.sense(NULL, NULL));
    fake_cuda.clock_us += 100;
    CHECK(!device_cuda.sense(&sensors, &mhz));
    CHECK_FOR(mhz == 2000, "%g", mhz);
    CHECK(!device_cuda.add_gflops(DTYPE_F32, &gflops));
    CHECK_FOR(fabs(gflops - 1.6) < 1e-6, "%g", gflops); /* 1600 in 1 us */
}

/* A profiler runs one kernel at a time: the gate is useless, and the
 * host's clock means nothing. */
static void check_one_by_one(void)
{
    bool absent;
    struct sample taken = { 0 };
    fake_cuda.gives_up = true;
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
    check_opening();
    CHECK(!open_gpu(0, &absent) && !absent);
    check_samples();
    check_planting(false);
    check_planting(true);
    check_waiting();
    check_failing();
    check_texts();
    check_clock();
    check_one_by_one();
    return test_end();
}
