/* SPDX-License-Identifier: MIT
 *
 * Frameworks as variants, and a Python function of the user's. Each is a name
 * in FRAMEWORKS of a Python module beside this file, with the function that it
 * calls and the one that refuses problems. A missing package is a reason to
 * refuse.
 */
#include "frameworks/python.h"
#include "src/plugin.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The Python modules of this folder, embedded by the build. */
extern const char *const frameworks_texts[];

/* "PATH:NAME" of a user's function; and 1 if its last launch called torch for
 * the work, which with_function.py sets. */
static char function_words[PATH_MAX + 80];
static int called_torch;

/* The output and the exception of the last launch. */
static const void *placed;
static const char *raised;

static const char *name_of(enum op op)
{
    switch (op) {
#define OPERATION(constant, name, reducer, kind, flags)                        \
    case OP_##constant:                                                        \
        return name;
        OPERATIONS(OPERATION)
#undef OPERATION
    default:
        return "";
    }
}

static const char *start(void)
{
    static bool judges;
    const int64_t address = (int64_t)(intptr_t)&called_torch;
    const char *why = python_start(frameworks_texts);
    if (!why && *function_words && !judges)
        python_call("judge", function_words, &address, 1, &why);
    judges = *function_words;
    return why;
}

/* Calls function("NAME OPERATION", numbers ...) with the first `count` numbers
 * of the problem. */
static int64_t call(const char *function, const char *name,
                    const struct problem *p, void *stream, int count,
                    const char **text)
{
    const int64_t numbers[] = {
        p->dtype,
        p->shape.outer,
        p->shape.axis,
        p->shape.inner,
        (int64_t)(intptr_t)p->in,
        (int64_t)(intptr_t)p->mask,
        (int64_t)(intptr_t)p->out,
        p->device->index,
        (int64_t)(intptr_t)stream,
    };
    char words[128];
    snprintf(words, sizeof words, "%s %s", name, name_of(p->op));
    *text = start();
    return *text ? 0 : python_call(function, words, numbers, count, text);
}

static const char *refuses(const char *name, const struct problem *p)
{
    const char *why;
    call("refuses", name, p, NULL, 4, &why);
    return why;
}

/* RAISED is no error code of CUDA. */
static int launch(const char *name, const struct problem *p, void *stream)
{
    enum { RAISED = 1001 };
    placed =
        (const void *)(intptr_t)call("launch", name, p, stream, 9, &raised);
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
#define NAMED(text, name_, idea_, device_, waits_, ordinary_, passes_,         \
              masked_, ...)                                                    \
    {                                                                          \
        .name = text, .idea = idea_, .runs_on = device_, .ops = __VA_ARGS__,   \
        .passes = passes_, .passes_masked = masked_,                           \
        .error_growth = ERROR_SERIAL, .loses_subnormals = true,                \
        .refuses = refuses_##name_, .launch = launch_##name_,                  \
        .output = output, .compiles = true, .host_waits = waits_,              \
        .error_text = error_text, .ordinary_only = ordinary_                   \
    }
#define ONE(name, ...) NAMED(#name, name, __VA_ARGS__)
#define FAMILY(name, idea, device, waits)                                      \
    FUNCTIONS(name)                                                            \
    static const struct variant name[] = {                                     \
        ONE(name, idea, device, waits, false, 1, 0, SET(FORMS, REDUCERS)),     \
        { 0 },                                                                 \
    };

/* A framework refuses operations that it lacks. */
#define SET(forms, reducers) SETS(forms, reducers, reducers)
#define SETS(forms, of_f32, of_others)                                         \
    {                                                                          \
        (forms),                                                               \
        {                                                                      \
            of_f32, of_others, of_others, of_others                            \
        }                                                                      \
    }
#define FORMS (FORMS_SCAN | FORM_REDUCE | FORM_OF(OP_FLIP))
#define REDUCERS (REDUCER_BIT(REDUCER_PLUGIN) - 1)
#define EXTREMES (REDUCER_BIT(REDUCER_MAX) | REDUCER_BIT(REDUCER_MIN))

FAMILY(numpy, "NumPy", DEVICE_HOST, false)

/* torch.cummax and torch.cummin also write an index of 8 bytes per element. */
#define EAGER(name, passes, ...)                                               \
    ONE(name, "PyTorch, call by call", DEVICE_CUDA, false, false, passes, 0,   \
        __VA_ARGS__)
#define WITH_INDICES(dtype, passes)                                            \
    EAGER(torch_eager_with_indices, passes,                                    \
          { FORMS_SCAN, { [dtype] = EXTREMES } })
FUNCTIONS(torch_eager)
FUNCTIONS(torch_eager_with_indices)
static const struct variant torch_eager[] = {
    EAGER(torch_eager, 1, SET(FORMS & ~FORM_REDUCE, REDUCERS & ~EXTREMES)),
    EAGER(torch_eager, 1, SET(FORM_REDUCE, REDUCERS)),
    WITH_INDICES(DTYPE_F32, 2),
    WITH_INDICES(DTYPE_F64, 1.5),
    WITH_INDICES(DTYPE_F16, 3),
    WITH_INDICES(DTYPE_BF16, 3),
    { 0 },
};

FAMILY(torch_compile, "PyTorch, by torch.compile", DEVICE_CUDA, false)
FAMILY(triton_rows, "Triton: one program per contiguous line, tile by tile",
       DEVICE_CUDA, false)
FAMILY(triton_columns, "Triton: one program per strip of columns, tile by tile",
       DEVICE_CUDA, false)
FAMILY(triton_packed, "Triton: one program per tile of many short lines",
       DEVICE_CUDA, false)
FAMILY(cuda_compute, "CUB, by cuda.compute", DEVICE_CUDA, false)

/* A family whose `of_f32` and `of_others` have ways of their own. */
#define FAMILY_BUT(name, idea, waits, of_f32, of_others)                       \
    FUNCTIONS(name)                                                            \
    static const struct variant name[] = {                                     \
        ONE(name, idea, DEVICE_CUDA, waits, false, 1, 0,                       \
            SETS(FORMS, REDUCERS & ~(of_f32), REDUCERS & ~(of_others))),       \
        ONE(name, idea, DEVICE_CUDA, waits, true, 1, 0,                        \
            SETS(FORMS, of_f32, of_others)),                                   \
        { 0 },                                                                 \
    };

/* CuPy passes over NaNs for a place, and takes subnormal floats for 0; of
 * several NaNs, JAX does not give the first one's place. */
#define PLACES (REDUCER_BIT(REDUCER_ARGMAX) | REDUCER_BIT(REDUCER_ARGMIN))
FAMILY_BUT(cupy, "CuPy", false, PLACES | EXTREMES, PLACES)
FAMILY_BUT(jax, "JAX, by jax.jit; the host waits for it", true, PLACES, PLACES)

/* Its scans read the input twice. */
#define SPLIT(forms, passes, masked)                                           \
    ONE(triton_split, "Triton: many programs per long line, in two passes",    \
        DEVICE_CUDA, false, false, passes, masked, SET(forms, REDUCERS))
FUNCTIONS(triton_split)
static const struct variant triton_split[] = {
    SPLIT(FORMS_SCAN, 1.5, 14 / 9.0),
    SPLIT(FORM_REDUCE, 1, 0),
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

/* ------------------------------------------------------- a user's function */

static char function_name[80], function_id[80];

static bool calls_torch(void)
{
    return called_torch;
}

FUNCTIONS(function_host)
FUNCTIONS(function_cuda)

/* In place of scanbench_plugin(), for a function of a Python file. */
const struct plugin *scanbench_function(const char *path, const char *name);

const struct plugin *scanbench_function(const char *path, const char *name)
{
#define FUNCTION(device, kind)                                                 \
    NAMED(function_name, function_##device, "a Python function", kind, false,  \
          false, 1, 0, SET(FORMS, REDUCERS))
    static struct variant variants[] = { FUNCTION(host, DEVICE_HOST),
                                         FUNCTION(cuda, DEVICE_CUDA),
                                         { 0 } };
    static const struct plugin_family families[] = { { function_id, variants },
                                                     { 0 } };
    static const struct plugin plugin = { PLUGIN_SIZES, "python", families,
                                          NULL };
    char real[PATH_MAX];
    snprintf(function_words, sizeof function_words, "%s:%s",
             realpath(path, real) ? real : path, name);
    snprintf(function_name, sizeof function_name, "%s", name);
    snprintf(function_id, sizeof function_id, "python/%s", name);
    for (char *c = function_id; *c; ++c)
        *c = (char)tolower(*c);
    variants[0].calls_torch = variants[1].calls_torch = calls_torch;
    variants[1].host_waits = true; /* as JAX does: its time is marked */
    return &plugin;
}
