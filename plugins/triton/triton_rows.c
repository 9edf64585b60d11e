/* SPDX-License-Identifier: MIT
 *
 * Idea     A Triton kernel, compiled ahead of time, launched by the driver's
 *          API: one program per contiguous line.
 * Against  block_per_line: the same design, by another compiler.
 * Traffic  the compulsory minimum (passes = 1).
 * Needs    contiguous lines, and the architecture it was compiled for.
 * Source   none.
 * Lesson   The contract is C, whatever made the machine code.
 *
 *   python3 compile.py 90 > triton_rows.h
 *   cc -std=c11 -O3 -shared -fPIC -I PREFIX/include/scanbench -I . \
 *       triton_rows.c -o triton_rows.so -ldl
 */
#include <dlfcn.h>

#include "src/plugin.h"

struct kernel {
    const unsigned char *cubin;
    const char *name;
    unsigned shared_bytes;
    int parameters;
};
#include "triton_rows.h"

/* Functions of the driver's API, declared here so that cuda.h is not needed. */
typedef int load_module(void **module, const void *image);
typedef int get_function(void **function, void *module, const char *name);
typedef int launch_kernel(void *function, unsigned grid_x, unsigned grid_y,
                          unsigned grid_z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned shared_bytes, void *stream,
                          void **parameters, void **extra);

/* Loaded once. */
static struct {
    launch_kernel *launch;
    void *function[DTYPE_COUNT];
} driver;

static const struct kernel *kernel_of(enum dtype dtype)
{
    return &kernels[dtype == DTYPE_F32 ? 0 : dtype == DTYPE_F16 ? 1 : 2];
}

static int load(enum dtype dtype)
{
    enum { NOT_INITIALISED = 3 };
    void *module, *library = dlopen("libcuda.so.1", RTLD_NOW);
    load_module *load_data;
    get_function *get;
    if (!library)
        return NOT_INITIALISED;
    *(void **)&load_data = dlsym(library, "cuModuleLoadData");
    *(void **)&get = dlsym(library, "cuModuleGetFunction");
    *(void **)&driver.launch = dlsym(library, "cuLaunchKernel");
    if (!load_data || !get || !driver.launch)
        return NOT_INITIALISED;
    const int error = load_data(&module, kernel_of(dtype)->cubin);
    return error ? error
                 : get(&driver.function[dtype], module, kernel_of(dtype)->name);
}

static int launch(const struct problem *p, void *stream)
{
    const struct kernel *kernel = kernel_of(p->dtype);
    enum { MOST = 8 };
    const void *in = p->in;
    void *out = p->out, *none = NULL;
    int64_t axis = p->shape.axis;
    void *parameters[MOST] = { &in,   &out,  &axis, &none,
                               &none, &none, &none, &none };
    const int error = kernel->parameters > MOST   ? 1
                      : driver.function[p->dtype] ? 0
                                                  : load(p->dtype);
    return error ? error
                 : driver.launch(driver.function[p->dtype],
                                 (unsigned)shape_lines(p->shape), 1, 1, THREADS,
                                 1, 1, kernel->shared_bytes, stream, parameters,
                                 NULL);
}

static const char *refuses(const struct problem *p)
{
    if (p->shape.inner != 1)
        return "contiguous lines only (inner > 1)";
    if (shape_lines(p->shape) > INT32_MAX)
        return "more lines than a grid has blocks";
    if (p->device->compute_capability / 10 != ARCH / 10 ||
        p->device->compute_capability < ARCH)
        return "compiled for another architecture";
    return NULL;
}

static const struct variant points[] = {
    { .name = "triton_rows_b128_k2048",
      .idea = "one Triton program per contiguous line",
      .runs_on = DEVICE_CUDA,
      .ops =
          OPS(FORM_OF(OP_CUMSUM), DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_F16) |
                                      DTYPE_BIT(DTYPE_BF16)),
      .passes = 1,
      .error_growth = ERROR_TILED,
      .error_tile = TILE,
      .deterministic = true,
      .refuses = refuses,
      .launch = launch },
    { 0 },
};

PLUGIN("triton_rows", { "triton/triton_rows", points });
