/* SPDX-License-Identifier: MIT */
#include "harness/device/kernels.h"

#include "harness/device/cuda_error.h"
#include "src/base/clock.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A launch that takes longer waits for ever. The crowd leaves by itself. */
static const double patience_s = 2, crowd_patience_us = 10e6;

/* The streams' launches are held until all are queued. */
static const double gate_patience_us = 50e3;

static struct {
    bool ready;
    /* The device's own, even with --pretend; bytes. */
    int sm_count, shared_optin;
    cudaStream_t streams[STRESS_MOST_STREAMS], crowd_stream;
    struct gate *gate;
    unsigned ticket;
    struct crowd *crowd;
    unsigned *arrivals; /* on the device */
    char why[256];
    bool unfit; /* as in device.h */
} stressed;

/* The driver's functions, unlike the runtime's, also serve a plugin's kernels,
 * which may belong to another runtime. Both have the same error numbers. */
static struct {
    CUresult (*get_kernel)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS *);
    CUresult (*set_kernel)(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *);
    CUresult (*get_launch)(CUgraphNode, CUkernelNodeAttrID,
                           CUkernelNodeAttrValue *);
    CUresult (*function_of)(CUfunction *, CUkernel);
    CUresult (*get)(int *, CUfunction_attribute, CUfunction);
    CUresult (*set)(CUfunction, CUfunction_attribute, int);
} driver;

static const char *find_driver(void)
{
    const struct {
        const char *name;
        void *function;
    } functions[] = {
        { "cuGraphKernelNodeGetParams_v2", &driver.get_kernel },
        { "cuGraphKernelNodeSetParams_v2", &driver.set_kernel },
        { "cuGraphKernelNodeGetAttribute", &driver.get_launch },
        { "cuKernelGetFunction", &driver.function_of },
        { "cuFuncGetAttribute", &driver.get },
        { "cuFuncSetAttribute", &driver.set },
    };
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k) {
        void *found = library ? dlsym(library, functions[k].name) : NULL;
        stressed.unfit = !found;
        if (!found)
            return "the driver is too old to change a recorded launch";
        memcpy(functions[k].function, &found, sizeof found);
    }
    return NULL;
}

/* A kernel that needs more than the little room is unfit, and not wrong. */
static const char *describe(cudaError_t error, const struct stress *stress)
{
    if (stress->room && (error == cudaErrorLaunchOutOfResources ||
                         error == cudaErrorInvalidClusterSize)) {
        stressed.unfit = true;
        (void)cudaGetLastError();
    }
    return cuda_error_text(error);
}

static const char *set_up(void)
{
    int device;
    if (stressed.ready)
        return NULL;
    TRY(cudaGetDevice(&device));
    TRY(cudaDeviceGetAttribute(&stressed.sm_count,
                               cudaDevAttrMultiProcessorCount, device));
    TRY(cudaDeviceGetAttribute(&stressed.shared_optin,
                               cudaDevAttrMaxSharedMemoryPerBlockOptin,
                               device));
    /* Blocking streams wait for the gate, which is in the default stream. A
     * launch can be recorded only in its own stream. */
    for (int k = 0; k < STRESS_MOST_STREAMS; ++k)
        TRY(cudaStreamCreate(&stressed.streams[k]));
    TRY(cudaStreamCreateWithFlags(&stressed.crowd_stream,
                                  cudaStreamNonBlocking));
    TRY(cudaHostAlloc((void **)&stressed.gate, sizeof *stressed.gate,
                      cudaHostAllocMapped));
    TRY(cudaHostAlloc((void **)&stressed.crowd, sizeof *stressed.crowd,
                      cudaHostAllocMapped));
    TRY(cudaMalloc((void **)&stressed.arrivals, sizeof *stressed.arrivals));
    memset(stressed.gate, 0, sizeof *stressed.gate);
    stressed.ready = true;
    return NULL;
}

/* ------------------------------------------------------------- the graph */

/* *blocks: a cluster's, or 1; 0 if all blocks have to be resident. */
static const char *together(cudaGraphNode_t node, unsigned *blocks)
{
    CUkernelNodeAttrValue value;
    memset(&value, 0, sizeof value);
    TRY(driver.get_launch(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    const bool all = value.cooperative != 0;
    memset(&value, 0, sizeof value);
    TRY(driver.get_launch(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value));
    *blocks = all ? 0 : value.clusterDim.x ? value.clusterDim.x : 1;
    return NULL;
}

/* Cuts the grid, and gives each block a whole multiprocessor's shared memory,
 * so that it has the multiprocessor to itself. */
static const char *bend_kernel(cudaGraphNode_t node,
                               const struct stress *stress)
{
    CUDA_KERNEL_NODE_PARAMS kernel;
    unsigned cluster = 1;
    int used;
    TRY(driver.get_kernel(node, &kernel));
    CUfunction function = kernel.func;
    if (!function)
        TRY(driver.function_of(&function, kernel.kern));
    /* This also loads the code, which is impossible in a crowd. */
    TRY(driver.get(&used, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
    const char *why = together(node, &cluster);
    if (why)
        return why;
    stressed.unfit = cluster != 1 && stress->room;
    if (stressed.unfit)
        return "a kernel's blocks have to be resident together: it cannot be "
               "given little room";
    if (stress->blocks && cluster) {
        unsigned most = (unsigned)stress->blocks;
        most = (most + cluster - 1) / cluster * cluster;
        if (kernel.gridDimX > most)
            kernel.gridDimX = most;
    }
    if (stress->room) {
        const int room = stressed.shared_optin - used;
        TRY(driver.set(function,
                       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, room));
        kernel.sharedMemBytes = (unsigned)room;
    }
    TRY(driver.set_kernel(node, &kernel));
    return NULL;
}

static const char *bend(cudaGraph_t graph, const struct stress *stress)
{
    size_t count = 0;
    if (!stress->blocks && !stress->room)
        return NULL;
    const char *why = find_driver();
    if (why)
        return why;
    TRY(cudaGraphGetNodes(graph, NULL, &count));
    cudaGraphNode_t *nodes = calloc(count + 1, sizeof *nodes);
    if (!nodes)
        return "no memory";
    why = cuda_error_text(cudaGraphGetNodes(graph, nodes, &count));
    for (size_t k = 0; k < count && !why; ++k) {
        enum cudaGraphNodeType type;
        why = cuda_error_text(cudaGraphNodeGetType(nodes[k], &type));
        if (!why && type == cudaGraphNodeTypeKernel)
            why = bend_kernel(nodes[k], stress);
    }
    free(nodes);
    return why;
}

static const char *prepare(const struct variant *variant,
                           const struct problem *problem, cudaStream_t stream,
                           const struct stress *stress, cudaGraphExec_t *ready)
{
    cudaGraph_t graph;
    const char *why =
        record_launches(variant, problem, 1, NULL, stream, &graph);
    if (!why)
        why = bend(graph, stress);
    if (!why) {
        cudaError_t error = cudaGraphInstantiate(ready, graph, 0);
        if (error == cudaSuccess)
            error = cudaGraphUpload(*ready, stream);
        why = describe(error, stress);
    }
    if (graph)
        cudaGraphDestroy(graph);
    return why;
}

/* ------------------------------------------------------------- the crowd */

/* Occupies all multiprocessors except `room`. */
static const char *crowd_in(int room)
{
    const int blocks = stressed.sm_count - room;
    const double start = clock_s();
    *stressed.crowd = (struct crowd){ 0 };
    if (blocks <= 0)
        return "this GPU has no more multiprocessors than that; name a smaller "
               "--room";
    TRY(cudaMemsetAsync(stressed.arrivals, 0, sizeof *stressed.arrivals,
                        stressed.crowd_stream));
    TRY(kernels_crowd(stressed.crowd, stressed.arrivals, blocks,
                      stressed.shared_optin, crowd_patience_us,
                      stressed.crowd_stream));
    while (!stressed.crowd->complete)
        if (clock_s() - start > patience_s)
            return "the blocks that occupy multiprocessors did not start";
    return NULL;
}

/* Sets *done if all streams ended in time. */
static const char *await(int count, bool *done)
{
    const double start = clock_s();
    for (int k = 0; k < count;) {
        const cudaError_t error = cudaStreamQuery(stressed.streams[k]);
        *done = clock_s() - start < patience_s;
        if (error == cudaSuccess)
            ++k;
        else if (error != cudaErrorNotReady)
            return cuda_error_text(error);
        else if (!*done)
            return NULL;
    }
    *done = true;
    return NULL;
}

/* ------------------------------------------------------------- the launch */

static const char *queue(cudaGraphExec_t *ready, int count,
                         const struct stress *stress)
{
    const char *why = NULL;
    if (count > 1)
        TRY(kernels_gate(stressed.gate, ++stressed.ticket, gate_patience_us));
    for (int k = 0; k < count && !why; ++k)
        why = describe(cudaGraphLaunch(ready[k], stressed.streams[k]), stress);
    stressed.gate->opened = stressed.ticket;
    return why;
}

static const char *run(cudaGraphExec_t *ready, int count,
                       const struct stress *stress)
{
    bool done = true;
    TRY(cudaDeviceSynchronize()); /* uploads of graphs, poisoning of outputs */
    const char *why = stress->room ? crowd_in(stress->room) : NULL;
    if (!why)
        why = queue(ready, count, stress);
    if (!why)
        why = await(count, &done);
    stressed.crowd->leave = 1;
    if (!why && !done)
        why = "not done after 2 s";
    if (why) /* may take for ever: the worker has a time limit */
        (void)cudaStreamSynchronize(stressed.crowd_stream);
    if (!why)
        TRY(cudaDeviceSynchronize());
    return why;
}

const char *stress_launch(const struct variant *variant,
                          const struct problem *problems, int count,
                          const struct stress *stress, bool *unfit)
{
    cudaGraphExec_t ready[STRESS_MOST_STREAMS] = { NULL };
    stressed.unfit = false;
    const char *why = set_up();
    for (int k = 0; k < count && !why; ++k)
        why = prepare(variant, problems + k, stressed.streams[k], stress,
                      &ready[k]);
    if (!why)
        why = run(ready, count, stress);
    for (int k = 0; k < count && !why; ++k)
        why = cuda_error_text(cudaGraphExecDestroy(ready[k]));
    *unfit = why && stressed.unfit;
    if (!why)
        return NULL;
    snprintf(stressed.why, sizeof stressed.why, "under stress: %s", why);
    return stressed.why;
}
