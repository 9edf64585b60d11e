/* SPDX-License-Identifier: MIT */
#include "harness/device/device.h"

#include "harness/device/cuda_error.h"
#include "harness/device/cuda_facts.h"
#include "harness/device/kernels.h"
#include "harness/device/nvml.h"
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
    cudaStream_t planter;  /* no launch waits for it */
    cudaStream_t recorder; /* captures graphs; meanwhile, a launch on the
                              default stream is an error */
    cudaStream_t to;       /* takes launches: 0 or the recorder */
    void *poison;          /* on the host; copied to the planted element */
    struct gate *gate;
    unsigned ticket;
    bool keeps_lines;            /* the L2 has persisting lines */
    bool one_by_one;             /* a profiler serialises launches */
    const struct variant *waits; /* last variant that exceeded the patience */
    int waited;                  /* how many times in a row */
    struct stamp *stamps;        /* two sets of sm_count, on the device */
} cuda;

/* Only a launch that waits for the device exceeds it; queueing takes less. */
static const double gate_patience_us = 50e3;

/* After so many samples in a row that exceed it, a variant is ungated. */
enum { patience_samples = 3 };

static const char *launch_one(const struct variant *variant,
                              const struct problem *problem)
{
    const int error = launched_by(variant, problem, cuda.to);
    return last_launch.why ? last_launch.why : cuda_error_text(error);
}

/* If the variant chooses the place of its output, an element of it is poisoned
 * before each launch but the first. */
static const char *launch_all(const struct variant *variant,
                              const struct problem *problems, int count,
                              const struct planting *plant)
{
    const bool poisons = plant && !plant->place;
    const char *why = NULL;
    for (int k = 0; k < count && !why; ++k) {
        if (poisons && k > 0 && last_launch.to)
            TRY(cudaMemsetAsync((char *)last_launch.to + plant->offset,
                                POISON_BYTE, plant->bytes, cuda.to));
        why = launch_one(variant, problems + k);
    }
    return why;
}

/* Launches to the recorder, with the poisoning between them. */
static const char *launch_recorded(const struct variant *variant,
                                   const struct problem *problems, int count,
                                   const struct planting *plant)
{
    const int behind = plant ? plant->behind : 0;
    const char *why = launch_all(variant, problems, count - behind, plant);
    if (why || !behind)
        return why;
    TRY(cudaMemsetAsync(plant->place, POISON_BYTE, plant->bytes, cuda.to));
    return launch_all(variant, problems + count - behind, behind, NULL);
}

const char *record_launches(const struct variant *variant,
                            const struct problem *problems, int count,
                            const struct planting *plant, void *stream,
                            struct CUgraph_st **graph)
{
    *graph = NULL;
    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cuda.to = stream;
    const char *why = launch_recorded(variant, problems, count, plant);
    cuda.to = NULL;
    const cudaError_t ended = cudaStreamEndCapture(stream, graph);
    if (why || ended != cudaSuccess)
        (void)cudaGetLastError();
    return why ? why : cuda_error_text((int)ended);
}

static const char *record(const struct variant *variant,
                          const struct problem *problems, int count,
                          const struct planting *plant, cudaGraphExec_t *ready)
{
    cudaGraph_t graph;
    const char *why =
        record_launches(variant, problems, count, plant, cuda.recorder, &graph);
    if (!why)
        why = cuda_error_text(cudaGraphInstantiate(ready, graph, 0));
    if (!why)
        why = cuda_error_text(cudaGraphUpload(*ready, 0));
    if (graph)
        cudaGraphDestroy(graph);
    if (why)
        (void)cudaGetLastError();
    else /* waits for launches that ran instead of being recorded */
        why = cuda_error_text(cudaDeviceSynchronize());
    return why;
}

/* Poisons outputs after a recording, so that launches that ran instead of being
 * recorded do not pass for the graph's work. If the variant chooses the place
 * of its output, only the last one is poisoned. */
static const char *poison_outputs(const struct variant *variant,
                                  const struct problem *problems, int count)
{
    for (int k = variant->output ? count - 1 : 0; k < count; ++k) {
        const struct problem *p = &problems[k];
        void *out = variant->output ? (void *)last_launch.to : p->out;
        if (out)
            TRY(cudaMemsetAsync(out, POISON_BYTE,
                                (size_t)op_out_elems(p->op, p->shape) *
                                    op_out_elem_bytes(p->op, p->dtype),
                                0));
    }
    return NULL;
}

/* Queues all launches one by one, or the graph of them. */
static const char *queue(const struct variant *variant,
                         const struct problem *problems, int count,
                         const struct planting *plant, cudaGraphExec_t graph)
{
    TRY(cudaEventRecord(cuda.start, 0));
    if (!graph)
        return launch_all(variant, problems, count, plant);
    TRY(cudaGraphLaunch(graph, 0));
    return NULL;
}

/* Waits until the stream is at the gate, opens it, and returns the time. */
static double open_gate(void)
{
    const double start = clock_us();
    double now = start;
    while (cuda.gate->arrived != cuda.ticket && now - start < gate_patience_us)
        now = clock_us();
    cuda.gate->opened = cuda.ticket;
    return now;
}

/* Gives every sample the same start. Hot ones are flushed, too, as a problem
 * may exceed the cache; persisting lines of the L2 become ordinary ones. */
static const char *ready_cache(const struct variant *variant,
                               const struct problem *problems, int warm)
{
    if (cuda.keeps_lines)
        TRY(cudaCtxResetPersistingL2Cache());
    TRY(kernels_flush(cuda.flush, cuda.flush_bytes));
    const char *why = launch_all(variant, problems, warm, NULL);
    if (!why && warm > 0) /* or the gate would wait for them */
        TRY(cudaDeviceSynchronize());
    return why;
}

/* Waits for all ranks' GPUs, so that hidden work shows in the host's time. */
static cudaError_t finish(const struct problem *p)
{
    const bool apart = p && p->rank_count && p->device->gpus >= p->rank_count;
    cudaError_t error = cudaSuccess;
    for (int k = apart ? p->rank_count - 1 : 0; k >= 0 && !error; --k) {
        error = cudaSetDevice(cuda.index + k); /* ends with the first */
        if (!error)
            error = cudaDeviceSynchronize();
    }
    return error;
}

/* Poisons an element during the sample's launches, by a copy on a stream of its
 * own, which needs no multiprocessor. Launches that are queued afterwards begin
 * later; they follow at once, unless the stream has run dry. */
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

static const char *time_launches(const struct variant *variant,
                                 const struct problem *problems, int count,
                                 cudaGraphExec_t graph, struct sample *sample)
{
    float ms;
    const bool gated = !cuda.one_by_one && (variant != cuda.waits ||
                                            cuda.waited < patience_samples);
    if (gated)
        TRY(kernels_gate(cuda.gate, ++cuda.ticket, gate_patience_us));
    double start_us = clock_us();
    const int behind = sample->plant && !graph ? sample->plant->behind : 0;
    const char *why =
        queue(variant, problems, count - behind, sample->plant, graph);
    if (!why && !behind)
        why = cuda_error_text(cudaEventRecord(cuda.stop, 0));
    if (gated) /* after a failure, too, or the stream would hang */
        start_us = open_gate();
    if (!why && behind) {
        why = plant(sample->plant, start_us);
        if (!why)
            why = launch_all(variant, problems + count - behind, behind, NULL);
        if (!why)
            why = cuda_error_text(cudaEventRecord(cuda.stop, 0));
    }
    if (!why)
        why = cuda_error_text(cudaEventSynchronize(cuda.stop));
    if (!why)
        why = cuda_error_text(finish(problems));
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

static const char *cuda_sample(const struct variant *variant,
                               const struct problem *problems, int count,
                               int warm, struct sample *sample)
{
    cudaGraphExec_t graph = NULL;
    const char *why = NULL;
    if (sample->in_graph)
        why = record(variant, problems, count, sample->plant, &graph);
    if (!why && warm != LEAVE_CACHE)
        why = ready_cache(variant, problems, warm);
    else if (!why && graph)
        why = poison_outputs(variant, problems, count);
    if (!why)
        why = time_launches(variant, problems, count, graph, sample);
    if (graph)
        cudaGraphExecDestroy(graph);
    return why;
}

/* The mean clock of the multiprocessors that have both stamps. */
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

/* Loads the code: behind the gate, loading would be a deadlock. If even the
 * empty kernel cannot be queued behind the gate, a profiler or sanitizer
 * serialises launches, and both the gate and the host's clock are useless;
 * SCANBENCH_NO_CLOCK_CHECK disables both, too. */
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

static const char *read_facts(struct device_facts *facts,
                              struct driver_facts *driver)
{
    char address[32];
    size_t free_bytes, total_bytes;
    TRY(cudaDeviceGetPCIBusId(address, sizeof address, cuda.index));
    const char *lacking = nvml_open(address, driver);
    if (lacking)
        fprintf(stderr, "scanbench: %s\n", lacking);
    TRY(cuda_facts_read(cuda.index, facts, driver));
    TRY(cudaMemGetInfo(&free_bytes, &total_bytes));
    facts->memory_bytes = (int64_t)total_bytes;
    facts->memory_free_bytes = (int64_t)free_bytes;
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
        static char why[64];
        snprintf(why, sizeof why, "there is no cuda:%d; this machine has %d",
                 index, count);
        return why;
    }
    TRY(error);
    cuda.index = index;
    TRY(cudaSetDevice(index));
    const char *why = read_facts(facts, driver);
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
    TRY(cudaStreamCreate(&cuda.recorder));
    TRY(cudaHostAlloc(&cuda.poison, sizeof(uint64_t), cudaHostAllocDefault));
    memset(cuda.poison, POISON_BYTE, sizeof(uint64_t));
    TRY(cudaHostAlloc((void **)&cuda.gate, sizeof *cuda.gate,
                      cudaHostAllocMapped));
    memset(cuda.gate, 0, sizeof *cuda.gate);
    TRY(cudaMalloc((void **)&cuda.stamps,
                   2 * (size_t)facts->sm_count * sizeof *cuda.stamps));
    cuda.keeps_lines = cudaCtxResetPersistingL2Cache() == cudaSuccess;
    (void)cudaGetLastError();
    return load_kernels();
}

/* Clears the error, as the caller may try again. */
static const char *cuda_allocate(size_t bytes, void **memory)
{
    const cudaError_t error = cudaMalloc(memory, bytes ? bytes : 256);
    if (error == cudaErrorMemoryAllocation)
        (void)cudaGetLastError();
    TRY(error);
    return NULL;
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

static const char *cuda_copy(void *to, const void *from, size_t bytes)
{
    TRY(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    return NULL;
}

/* Inputs are filled asynchronously. */
static const char *cuda_prepare(const struct variant *variant,
                                const struct problem *problem)
{
    (void)variant, (void)problem;
    return cuda_error_text(cudaDeviceSynchronize());
}

static const char *cuda_launch(const struct variant *variant,
                               const struct problem *problem)
{
    const char *why = launch_one(variant, problem);
    if (!why) /* the variant may have ignored an error */
        why = cuda_error_text(cudaGetLastError());
    return why ? why : cuda_prepare(variant, problem);
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
    .copy = cuda_copy,
    .garbage = kernels_garbage,
    .write_guards = kernels_write_guards,
    .check_guards = kernels_check_guards,
    .fingerprint = kernels_fingerprint,
    .fill = kernels_fill,
    .change = kernels_change,
    .check = kernels_check,
    .reference_bytes = kernels_reference_bytes,
    .forget = kernels_forget,
    .prepare = cuda_prepare,
    .launch = cuda_launch,
    .stressed = stress_launch,
    .sample = cuda_sample,
    .empty = &empty,
    .profile = cuda_profile,
    .sense = cuda_sense,
    .add_gflops = cuda_add_gflops,
};
