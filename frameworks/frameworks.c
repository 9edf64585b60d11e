/* SPDX-License-Identifier: MIT
 *
 * Frameworks as variants. Each is a name in FRAMEWORKS of a Python module
 * beside this file, with the function that it calls and the one that refuses
 * problems. A missing package is a reason to refuse.
 */
#include "frameworks/python.h"
#include "src/plugin.h"

enum { ARGUMENTS = 10 };

/* The Python modules of this folder, embedded by the build. */
extern const char *const frameworks_texts[];

/* The output and the exception of the last launch. */
static const void *placed;
static const char *raised;

/* The operation's place in OPS of common.py. */
static int place_of(enum op op)
{
    static const enum op places[] = { OP_CUMSUM,
                                      OP_CUMSUM_EXCLUSIVE,
                                      OP_CUMSUM_REVERSE,
                                      OP_MASKED_CUMSUM,
                                      OP_SUM,
                                      OP_FLIP };
    int place = 0;
    while (places[place] != op)
        ++place;
    return place;
}

static void put_problem(const struct problem *p, int64_t numbers[ARGUMENTS])
{
    const int64_t all[ARGUMENTS] = {
        place_of(p->op),
        p->dtype,
        p->shape.outer,
        p->shape.axis,
        p->shape.inner,
        (int64_t)(intptr_t)p->in,
        (int64_t)(intptr_t)p->mask,
        (int64_t)(intptr_t)p->out,
        p->device->index,
        0,
    };
    memcpy(numbers, all, sizeof all);
}

static const char *refuses(const char *name, const struct problem *p)
{
    int64_t numbers[ARGUMENTS];
    const char *why = python_start(frameworks_texts);
    if (why)
        return why;
    put_problem(p, numbers);
    python_call("refuses", name, numbers, 5, &why);
    return why;
}

/* RAISED is no error code of CUDA. */
static int launch(const char *name, const struct problem *p, void *stream)
{
    enum { RAISED = 1001 };
    int64_t numbers[ARGUMENTS];
    raised = python_start(frameworks_texts);
    if (raised)
        return RAISED;
    put_problem(p, numbers);
    numbers[ARGUMENTS - 1] = (int64_t)(intptr_t)stream;
    placed = (const void *)(intptr_t)python_call("launch", name, numbers,
                                                 ARGUMENTS, &raised);
    return raised ? RAISED : 0;
}

static const char *error_text(int error)
{
    (void)error;
    return raised;
}

static const void *output(const struct problem *p)
{
    (void)p;
    return placed;
}

/* The functions of the contract do not get the variant, so each has its own. */
#define FUNCTIONS(name)                                                        \
    static const char *refuses_##name(const struct problem *p)                 \
    {                                                                          \
        return refuses(#name, p);                                              \
    }                                                                          \
    static int launch_##name(const struct problem *p, void *stream)            \
    {                                                                          \
        return launch(#name, p, stream);                                       \
    }
#define ONE(name_, idea_, device_, ops_, growth_, waits_, passes_, masked_)    \
    {                                                                          \
        .name = #name_, .idea = idea_, .runs_on = device_,                     \
        .ops = OPS(ops_, DTYPES_ALL), .passes = passes_,                       \
        .passes_masked = masked_, .error_growth = growth_,                     \
        .loses_subnormals = true, .refuses = refuses_##name_,                  \
        .launch = launch_##name_, .output = output, .compiles = true,          \
        .host_waits = waits_, .error_text = error_text                         \
    }
#define ADDING (FORMS_SCAN | FORM_REDUCE)
#define FAMILY(name, idea, device, waits)                                      \
    FUNCTIONS(name)                                                            \
    static const struct variant name[] = {                                     \
        ONE(name, idea, device, ADDING, ERROR_SERIAL, waits, 1, 0),            \
        ONE(name, idea, device, FORM_OF(OP_FLIP), ERROR_NONE, waits, 1, 0),    \
        { 0 },                                                                 \
    };

FAMILY(numpy, "NumPy", DEVICE_HOST, false)
FAMILY(torch_eager, "PyTorch, call by call", DEVICE_CUDA, false)
FAMILY(torch_compile, "PyTorch, by torch.compile", DEVICE_CUDA, false)
FAMILY(triton_rows, "Triton: one program per contiguous line, tile by tile",
       DEVICE_CUDA, false)
FAMILY(triton_columns, "Triton: one program per strip of columns, tile by tile",
       DEVICE_CUDA, false)
FAMILY(triton_packed, "Triton: one program per tile of many short lines",
       DEVICE_CUDA, false)
FAMILY(cupy, "CuPy", DEVICE_CUDA, false)
FAMILY(cuda_compute, "CUB, by cuda.compute", DEVICE_CUDA, false)
FAMILY(jax, "JAX, by jax.jit; the host waits for it", DEVICE_CUDA, true)

/* Its scans read the input twice. */
#define SPLIT(ops, growth, passes, masked)                                     \
    ONE(triton_split, "Triton: many programs per long line, in two passes",    \
        DEVICE_CUDA, ops, growth, false, passes, masked)
FUNCTIONS(triton_split)
static const struct variant triton_split[] = {
    SPLIT(FORMS_SCAN, ERROR_SERIAL, 1.5, 14 / 9.0),
    SPLIT(FORM_REDUCE, ERROR_SERIAL, 1, 0),
    SPLIT(FORM_OF(OP_FLIP), ERROR_NONE, 1, 0),
    { 0 },
};

PLUGIN("frameworks", { "frameworks/numpy", numpy },
       { "frameworks/torch_eager", torch_eager },
       { "frameworks/torch_compile", torch_compile },
       { "frameworks/triton_rows", triton_rows },
       { "frameworks/triton_columns", triton_columns },
       { "frameworks/triton_packed", triton_packed },
       { "frameworks/triton_split", triton_split }, { "frameworks/cupy", cupy },
       { "frameworks/cuda_compute", cuda_compute }, { "frameworks/jax", jax });
