/* SPDX-License-Identifier: MIT */
#include "harness/device/device.h"

#include "harness/device/cuda_error.h"
#include "harness/device/cuda_facts.h"
#include "harness/device/differ.h"
#include "harness/device/fingerprint.h"
#include "harness/device/kernels.h"
#include "harness/device/launched.h"
#include "harness/device/nvml.h"
#include "harness/device/stress.h"
#include "src/base/clock.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int index;
    int sm_count;
    void *flush;
    size_t flush_bytes;
    cudaEvent_t start, stop;
    cudaStream_t planter; /* no launch waits for it */
    void *poison;         /* on the host, to be copied from */
    struct gate *gate;
    unsigned ticket;
    bool keeps_lines;            /* the L2 has persisting lines */
    bool one_by_one;             /* a profiler serialises launches */
    const struct variant *waits; /* the last variant that held up the gate */
    int waited;                  /* how many times in a row */
    struct stamp *stamps;        /* two sets of sm_count, on the device */
    char why[256];
} cuda;

/* Longer than queueing takes, so that a launch that waits is found out. */
static const double gate_patience_us = 50e3;

/* A launch that missed the gate so often in a row waits for the device itself,
 * and gets no gate any more. */
enum { patience_samples = 3 };

/* NULL for success, or "file:line: expression: name: text". */
#define TRY(expression)                                                        \
    do {                                                                       \
        const char *why_ = describe((cudaError_t)(expression), #expression,    \
                                    __FILE__, __LINE__);                       \
        if (why_)                                                              \
            return why_;                                                       \
    } while (0)

_Static_assert(CUDA_ERROR_NO_KERNEL_IMAGE ==
                       (int)cudaErrorNoKernelImageForDevice &&
                   CUDA_ERROR_PTX_VERSION ==
                       (int)cudaErrorUnsupportedPtxVersion,
               "cuda_error.h knows them by number");

static const char *say(size_t used, cudaError_t error)
{
    if (used < sizeof cuda.why)
        cuda_error_text(cuda.why + used, sizeof cuda.why - used, error,
                        cudaGetErrorName(error), cudaGetErrorString(error));
    return cuda.why;
}

static const char *describe(cudaError_t error, const char *expression,
                            const char *file, int line)
{
    if (error == cudaSuccess)
        return NULL;
    /* Reasons are published, without the builder's folder. */
    const char *slash = strrchr(file, '/');
    file = slash ? slash + 1 : file;
    const int used = snprintf(cuda.why, sizeof cuda.why, "%s:%d: %s: ", file,
                              line, expression);
    return say((size_t)used, error);
}

/* A variant's own error: the name says enough. */
static const char *describe_launch(int error)
{
    return error == 0 ? NULL : say(0, (cudaError_t)error);
}

static const char *read_facts(struct device_facts *f)
{
    size_t free_bytes, total_bytes;
    TRY(cuda_facts_read(cuda.index, f));
    TRY(cudaMemGetInfo(&free_bytes, &total_bytes));
    f->memory_bytes = (int64_t)total_bytes;
    f->memory_free_bytes = (int64_t)free_bytes;
    return NULL;
}

static const char *launch_each(const struct variant *variant,
                               const struct problem *problems, int count)
{
    const char *why = NULL;
    for (int k = 0; k < count && !why; ++k)
        why = describe_launch(launched_by(variant, problems + k, NULL));
    return why;
}

/* For a variant that chooses the place of its output. */
static const char *launch_poisoned(const struct variant *variant,
                                   const struct problem *problems, int count,
                                   const struct planting *plant)
{
    const char *why = NULL;
    for (int k = 0; k < count && !why; ++k) {
        if (k > 0 && launched_to())
            TRY(cudaMemsetAsync((char *)launched_to() + plant->offset,
                                POISON_BYTE, plant->bytes, 0));
        why = launch_each(variant, problems + k, 1);
    }
    return why;
}

static const char *queue(const struct variant *variant,
                         const struct problem *problems, int count,
                         const struct planting *plant)
{
    TRY(cudaEventRecord(cuda.start, 0));
    return plant && !plant->place
               ? launch_poisoned(variant, problems, count, plant)
               : launch_each(variant, problems, count);
}

static const char *queue_stop(void)
{
    TRY(cudaEventRecord(cuda.stop, 0));
    return NULL;
}

/* Waits until the stream has reached the gate, opens it, and returns the time.
 */
static double open_gate(void)
{
    const double start = clock_us();
    double now = start;
    while (cuda.gate->arrived != cuda.ticket && now - start < gate_patience_us)
        now = clock_us();
    cuda.gate->opened = cuda.ticket;
    return now;
}

/* Makes persisting lines of the L2 ordinary ones, which the flush evicts. */
static cudaError_t reset_kept_lines(void)
{
    if (!cuda.keeps_lines)
        return cudaSuccess;
    return cudaCtxResetPersistingL2Cache();
}

/* Gives every sample the same start. Hot ones are flushed, too: if a problem is
 * larger than the cache, earlier work would decide which lines are left. */
static const char *ready_cache(const struct variant *variant,
                               const struct problem *problems, int warm)
{
    TRY(reset_kept_lines());
    TRY(kernels_flush(cuda.flush, cuda.flush_bytes));
    const char *why = launch_each(variant, problems, warm);
    if (!why && warm > 0) /* or the gate would wait for them */
        TRY(cudaDeviceSynchronize());
    return why;
}

/* Waits for all streams of all ranks' GPUs, so that work hidden from the timed
 * stream shows in the host's time. */
static cudaError_t finish(const struct problem *p)
{
    const bool apart = p && p->rank_count && p->device->gpus >= p->rank_count;
    cudaError_t error = cudaSuccess;
    for (int k = apart ? p->rank_count - 1 : 0; k >= 0 && !error; --k) {
        error = cudaSetDevice(cuda.index + k); /* the first at the end */
        if (!error)
            error = cudaDeviceSynchronize();
    }
    return error;
}

/* Poisons during the sample's launches, by a copy on a stream of its own, which
 * needs no multiprocessor. Launches queued after it begin later. They follow at
 * once, unless the stream has run dry. */
static const char *plant(struct planting *plant, double start_us)
{
    while (clock_us() - start_us < plant->after * plant->launch_us)
        ;
    TRY(cudaMemcpyAsync(plant->place, cuda.poison, plant->bytes,
                        cudaMemcpyHostToDevice, cuda.planter));
    TRY(cudaStreamSynchronize(cuda.planter));
    plant->late = cudaStreamQuery(NULL) != cudaErrorNotReady;
    return NULL;
}

static const char *cuda_sample(const struct variant *variant,
                               const struct problem *problems, int count,
                               int warm, struct sample *sample)
{
    float ms;
    const bool gated = !cuda.one_by_one && (variant != cuda.waits ||
                                            cuda.waited < patience_samples);
    const char *why = NULL;
    if (warm != LEAVE_CACHE)
        why = ready_cache(variant, problems, warm);
    if (why)
        return why;
    if (gated)
        TRY(kernels_gate(cuda.gate, ++cuda.ticket, gate_patience_us));
    double start_us = clock_us();
    const int behind = sample->plant ? sample->plant->behind : 0;
    why = queue(variant, problems, count - behind, sample->plant);
    if (!why && !behind)
        why = queue_stop();
    if (gated) /* after a failure, too, or the stream would hang */
        start_us = open_gate();
    if (!why && behind) {
        why = plant(sample->plant, start_us);
        if (!why)
            why = launch_each(variant, problems + count - behind, behind);
        if (!why)
            why = queue_stop();
    }
    if (!why)
        why = describe_launch(cudaEventSynchronize(cuda.stop));
    if (!why)
        why = describe_launch(finish(problems));
    if (why)
        return why;
    const double end_us = clock_us();
    TRY(cudaEventElapsedTime(&ms, cuda.start, cuda.stop));
    sample->us = ms * 1e3 / count;
    sample->exchange_us = NAN;
    sample->host_us = cuda.one_by_one ? NAN : (end_us - start_us) / count;
    sample->ungated = !gated || cuda.gate->gave_up == cuda.ticket;
    sample->waits = sample->ungated && !cuda.one_by_one;
    cuda.waited = !sample->waits || variant != cuda.waits ? sample->waits
                                                          : cuda.waited + 1;
    cuda.waits = variant;
    return NULL;
}

/* The clock, from the multiprocessors that have both stamps. */
static double clock_mhz(const struct stamp *from, const struct stamp *to,
                        int sm_count)
{
    double cycles = 0, ns = 0;
    for (int sm = 0; sm < sm_count; ++sm)
        if (from[sm].ns && to[sm].ns) {
            cycles += (double)(to[sm].cycles - from[sm].cycles);
            ns += (double)(to[sm].ns - from[sm].ns);
        }
    return ns > 0 ? cycles / ns * 1e3 : NAN;
}

static const char *count_clock(double *mhz)
{
    const int count = cuda.sm_count;
    const size_t bytes = (size_t)count * sizeof *cuda.stamps;
    if (!mhz) {
        TRY(cudaMemsetAsync(cuda.stamps, 0, 2 * bytes, 0));
        TRY(kernels_stamp(cuda.stamps, count));
        return NULL;
    }
    TRY(kernels_stamp(cuda.stamps + count, count));
    struct stamp *both = malloc(2 * bytes);
    if (!both)
        return "no memory";
    cudaError_t error =
        cudaMemcpy(both, cuda.stamps, 2 * bytes, cudaMemcpyDeviceToHost);
    *mhz = error ? NAN : clock_mhz(both, both + count, count);
    free(both);
    TRY(error);
    return NULL;
}

static const char *cuda_sense(struct sensors *sensors, double *counted_mhz)
{
    const char *why = count_clock(counted_mhz);
    if (sensors)
        nvml_sense(sensors);
    return why;
}

static void cuda_profile(bool on)
{
    if (on)
        cudaProfilerStart();
    else
        cudaProfilerStop();
}

static int launch_empty(const struct problem *problem, void *stream)
{
    (void)problem;
    return kernels_empty(stream);
}
static const struct variant empty = { .name = "empty", .launch = launch_empty };

/* Loads the code, which would be a deadlock behind the gate. If even the empty
 * kernel cannot be queued behind the gate, a profiler or sanitizer serialises
 * launches, and both gate and host's clock are useless. The environment can say
 * so, too. */
static const char *load_kernels(void)
{
    double mhz;
    const struct problem none = { 0 };
    struct sample sample = { 0 };
    const char *why = count_clock(NULL);
    if (!why)
        why = count_clock(&mhz);
    TRY(kernels_flush(cuda.flush, cuda.flush_bytes));
    TRY(kernels_empty(NULL));
    TRY(cudaDeviceSynchronize());
    if (!why)
        why = cuda_sample(&empty, &none, 1, LEAVE_CACHE, &sample);
    if (!why)
        cuda.one_by_one = sample.waits || getenv("SCANBENCH_NO_CLOCK_CHECK");
    return why;
}

static const char *open_nvml(struct driver_facts *driver)
{
    char address[32];
    TRY(cudaDeviceGetPCIBusId(address, sizeof address, cuda.index));
    const char *lacking = nvml_open(address, driver);
    if (lacking)
        fprintf(stderr, "scanbench: %s\n", lacking);
    return NULL;
}

static const char *cuda_open(int index, struct device_facts *facts,
                             struct driver_facts *driver, bool *absent)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    *absent = error == cudaErrorNoDevice ||
              error == cudaErrorInsufficientDriver ||
              error == cudaErrorStubLibrary ||
              (error == cudaSuccess && index >= count);
    if (error == cudaSuccess && index >= count) {
        snprintf(cuda.why, sizeof cuda.why,
                 "there is no cuda:%d; this machine has %d", index, count);
        return cuda.why;
    }
    TRY(error);
    cuda.index = index;
    TRY(cudaSetDevice(index));
    const char *why = read_facts(facts);
    if (why)
        return why;
    cuda.sm_count = facts->sm_count;
    cuda.flush_bytes = (size_t)facts->l2_bytes * 2;
    if (cuda.flush_bytes < (size_t)64 << 20)
        cuda.flush_bytes = (size_t)64 << 20;
    TRY(cudaMalloc(&cuda.flush, cuda.flush_bytes));
    TRY(cudaMemset(cuda.flush, 1, cuda.flush_bytes));
    TRY(cudaEventCreate(&cuda.start));
    TRY(cudaEventCreate(&cuda.stop));
    TRY(cudaStreamCreateWithFlags(&cuda.planter, cudaStreamNonBlocking));
    TRY(cudaHostAlloc(&cuda.poison, sizeof(uint64_t), cudaHostAllocDefault));
    memset(cuda.poison, POISON_BYTE, sizeof(uint64_t));
    TRY(cudaHostAlloc((void **)&cuda.gate, sizeof *cuda.gate,
                      cudaHostAllocMapped));
    memset(cuda.gate, 0, sizeof *cuda.gate);
    TRY(cudaMalloc((void **)&cuda.stamps,
                   2 * (size_t)facts->sm_count * sizeof *cuda.stamps));
    cuda.keeps_lines = cudaCtxResetPersistingL2Cache() == cudaSuccess;
    (void)cudaGetLastError();
    why = open_nvml(driver);
    if (!why)
        TRY(cuda_driver_read(cuda.index, driver));
    return why ? why : load_kernels();
}

/* Clears the error, as the caller may try again. */
static const char *cuda_allocate(size_t bytes, void **memory)
{
    const cudaError_t error = cudaMalloc(memory, bytes ? bytes : 256);
    if (error == cudaErrorMemoryAllocation)
        (void)cudaGetLastError();
    return describe(error, "cudaMalloc", __FILE__, __LINE__);
}

static void cuda_release(void *memory)
{
    cudaFree(memory);
}

static const char *cuda_set(void *memory, int byte, size_t bytes)
{
    TRY(cudaMemsetAsync(memory, byte, bytes, 0));
    return NULL;
}

static const char *cuda_garbage(void *memory, size_t bytes, uint64_t seed)
{
    TRY(kernels_garbage(memory, bytes, seed));
    return NULL;
}

static const char *cuda_write_guards(const struct guard *guards, int count)
{
    TRY(guards_write(guards, count));
    return NULL;
}

static const char *cuda_look_at_guards(const struct guard *guards, int count,
                                       const char **where)
{
    int broken;
    TRY(guards_look(guards, count, &broken));
    *where = broken < 0 ? NULL : guards[broken].where;
    return NULL;
}

static const char *cuda_copy(void *to, const void *from, size_t bytes)
{
    TRY(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    return NULL;
}

static const char *cuda_differs(const void *left, const void *right,
                                size_t bytes, int64_t *first)
{
    TRY(differ_first(left, right, (int64_t)bytes, first));
    return NULL;
}

static const char *cuda_fingerprint(const void *memory, size_t bytes,
                                    uint64_t *fingerprint)
{
    TRY(fingerprint_of(memory, (int64_t)bytes, fingerprint));
    return NULL;
}

static const char *cuda_fill(const struct problem *problem, struct input input)
{
    TRY(kernels_fill(problem, input));
    return NULL;
}

static const char *cuda_change(const struct problem *problem, uint64_t from,
                               uint64_t to)
{
    TRY(kernels_change(problem, from, to));
    return NULL;
}

static const char *cuda_check(const struct problem *problem,
                              const struct variant *variant, struct input input,
                              struct verification *result)
{
    TRY(kernels_check(problem, variant, input, result));
    return NULL;
}

static const char *cuda_launch(const struct variant *variant,
                               const struct problem *problem)
{
    int error = launched_by(variant, problem, NULL);
    if (error)
        return describe_launch(error);
    error = cudaGetLastError(); /* a variant may have swallowed it */
    if (error)
        return describe_launch(error);
    return describe_launch(cudaDeviceSynchronize());
}

static const char *cuda_add_gflops(enum dtype dtype, double *gflops)
{
    const bool is_double = dtype == DTYPE_F64;
    double adds, best = 0;
    for (int run = 0; run < 6; ++run) {
        float ms;
        TRY(cudaEventRecord(cuda.start, 0));
        TRY(kernels_adds(is_double, cuda.sm_count, 400, &adds));
        TRY(cudaEventRecord(cuda.stop, 0));
        TRY(cudaEventSynchronize(cuda.stop));
        TRY(cudaEventElapsedTime(&ms, cuda.start, cuda.stop));
        double rate = adds / (ms * 1e6);
        if (run > 0 && rate > best)
            best = rate;
    }
    *gflops = best;
    return NULL;
}

const struct device device_cuda = {
    .open = cuda_open,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .set = cuda_set,
    .garbage = cuda_garbage,
    .write_guards = cuda_write_guards,
    .look_at_guards = cuda_look_at_guards,
    .copy = cuda_copy,
    .differs = cuda_differs,
    .fingerprint = cuda_fingerprint,
    .fill = cuda_fill,
    .change = cuda_change,
    .check = cuda_check,
    .reference_bytes = kernels_reference_bytes,
    .forget = kernels_release,
    .launch = cuda_launch,
    .stressed = stress_launch,
    .sample = cuda_sample,
    .empty = &empty,
    .profile = cuda_profile,
    .sense = cuda_sense,
    .add_gflops = cuda_add_gflops,
};
