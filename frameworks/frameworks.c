/* SPDX-License-Identifier: MIT
 *
 * Frameworks as variants, and a Python function of the user's. FRAMEWORKS of a
 * Python module beside this file names each, with a function that launches and
 * one that refuses problems. A missing package is a reason to refuse.
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

/* "PATH:NAME" of a function; 1 if its last launch called torch for the work. */
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

/* Starts a named Python and the user's file. Returns NULL, or the reason of a
 * failure. */
const char *scanbench_start(bool gpu, int device);

const char *scanbench_start(bool gpu, int device)
{
    const int64_t numbers[] = { (int64_t)(intptr_t)&called_torch, gpu, device };
    const char *named = getenv("SCANBENCH_PYTHON"), *why = NULL;
    if (*function_words || (named && *named))
        why = python_start(frameworks_texts);
    if (!why && *function_words)
        python_call("judge", function_words, numbers, 3, &why);
    return why;
}

/* Calls function("NAME OPERATION", numbers of the problem ...). */
static int64_t call(const char *function, const char *name,
                    const struct problem *p, void *stream, const char **text)
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
        (int64_t)(intptr_t)p->in2,
        (int64_t)(intptr_t)p->initial,
        (int64_t)(intptr_t)p->offsets,
        p->segments,
        p->offset_bytes,
    };
    char words[128];
    snprintf(words, sizeof words, "%s %s", name, name_of(p->op));
    *text = python_start(frameworks_texts);
    return *text ? 0
                 : python_call(function, words, numbers,
                               sizeof numbers / sizeof *numbers, text);
}

static const char *refuses(const char *name, const struct problem *p)
{
    const char *why;
    call("refuses", name, p, NULL, &why);
    return why;
}

/* RAISED is no error code of CUDA. */
static int launch(const char *name, const struct problem *p, void *stream)
{
    enum { RAISED = 1001 };
    placed = (const void *)(intptr_t)call("launch", name, p, stream, &raised);
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

/* struct variant's functions do not get the variant, so each has its own. */
#define FUNCTIONS(name)                                                        \
    static const char *refuses_##name(const struct problem *p)                 \
    {                                                                          \
        return refuses(#name, p);                                              \
    }                                                                          \
    static int launch_##name(const struct problem *p, void *stream)            \
    {                                                                          \
        return launch(#name, p, stream);                                       \
    }
#define ROWS(name, ...)                                                        \
    FUNCTIONS(name) static const struct variant name[] = { __VA_ARGS__, { 0 } };
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

/* A framework refuses operations that it lacks, and none gets two inputs. */
#define FORMS (FORMS_SCAN | FORM_REDUCE | FORM_OF(OP_FLIP))
#define REDUCERS                                                               \
    ((REDUCER_BIT(REDUCER_PLUGIN) - 1) & ~REDUCER_BIT(REDUCER_AFFINE))
#define EXTREMES (REDUCER_BIT(REDUCER_MAX) | REDUCER_BIT(REDUCER_MIN))
#define PLACES (REDUCER_BIT(REDUCER_ARGMAX) | REDUCER_BIT(REDUCER_ARGMIN))
#define WHOLE(reducers) ((reducers) & ~REDUCERS_OF_FLOATS)
#define SET(forms, of_f32, of_floats, of_integers, of_bools)                   \
    {                                                                          \
        (forms),                                                               \
        {                                                                      \
            of_f32, of_floats, of_floats, of_floats, WHOLE(of_integers),       \
                WHOLE(of_integers), WHOLE(of_integers), WHOLE(of_bools)        \
        }                                                                      \
    }

/* Two variants. The second is verified on ordinary input alone. It has bools,
 * whose bytes other than 0 and 1 a framework may copy or count, and, among the
 * reducers, `own_f32` and `own_floats`, whose NaNs or subnormals differ. */
#define BOTH(text, name, idea, device, waits, forms, reducers, own_f32,        \
             own_floats)                                                       \
    NAMED(text, name, idea, device, waits, false, 1, 0,                        \
          SET(forms, (reducers) & ~(own_f32), (reducers) & ~(own_floats),      \
              reducers, 0)),                                                   \
        NAMED(text, name, idea, device, waits, true, 1, 0,                     \
              SET(forms, own_f32, own_floats, 0, reducers))
#define FAMILY_BUT(name, idea, device, waits, own_f32, own_floats)             \
    ROWS(name, BOTH(#name, name, idea, device, waits, FORMS, REDUCERS,         \
                    own_f32, own_floats))
#define FAMILY(name, idea, device) FAMILY_BUT(name, idea, device, false, 0, 0)

FAMILY(numpy, "NumPy", DEVICE_HOST)
FAMILY(torch_compile, "PyTorch, by torch.compile", DEVICE_CUDA)
FAMILY(cuda_compute, "CUB, by cuda.compute", DEVICE_CUDA)

/* CuPy passes over NaNs for a place, and takes subnormal floats for 0; of
 * several NaNs, JAX does not give the first one's place. */
FAMILY_BUT(cupy, "CuPy", DEVICE_CUDA, false, PLACES | EXTREMES, PLACES)
FAMILY_BUT(jax, "JAX, by jax.jit; the host waits for it", DEVICE_CUDA, true,
           PLACES, PLACES)

/* torch.cummax and torch.cummin also write an index of 8 bytes per element. */
#define EAGER "PyTorch, call by call"
#define EAGER_OF(forms, reducers)                                              \
    BOTH("torch_eager", torch_eager, EAGER, DEVICE_CUDA, false, forms,         \
         reducers, 0, 0)
#define WITH_INDICES(bytes, ordinary, ...)                                     \
    NAMED("torch_eager_with_indices", torch_eager, EAGER, DEVICE_CUDA, false,  \
          ordinary, 1 + 4. / (bytes), 0, { FORMS_SCAN, { __VA_ARGS__ } })
ROWS(torch_eager, EAGER_OF(FORMS, REDUCERS & ~EXTREMES),
     EAGER_OF(FORM_REDUCE, EXTREMES),
     WITH_INDICES(4, false, [DTYPE_F32] = EXTREMES, [DTYPE_I32] = EXTREMES),
     WITH_INDICES(8, false, [DTYPE_F64] = EXTREMES, [DTYPE_I64] = EXTREMES),
     WITH_INDICES(2, false, [DTYPE_F16] = EXTREMES, [DTYPE_BF16] = EXTREMES),
     WITH_INDICES(1, false, [DTYPE_U8] = EXTREMES),
     WITH_INDICES(1, true, [DTYPE_BOOL] = EXTREMES))

/* Triton's kernels are of floats alone, without places. Those of many programs
 * per line read the input of a scan twice. */
#define SCANS (REDUCERS & ~PLACES & ~REDUCER_BIT(REDUCER_NONE))
#define TRITON(name, idea, forms, passes, masked)                              \
    NAMED(#name, name, idea, DEVICE_CUDA, false, false, passes, masked,        \
          SET(forms, SCANS, SCANS, 0, 0))
#define TRITONS(name, idea, passes, masked)                                    \
    ROWS(name, TRITON(name, idea, FORMS_SCAN, passes, masked),                 \
         TRITON(name, idea, FORM_REDUCE, 1, 0))
TRITONS(triton_rows, "Triton: one program per contiguous line, tile by tile", 1,
        0)
TRITONS(triton_columns,
        "Triton: one program per strip of columns, tile by tile", 1, 0)
TRITONS(triton_packed, "Triton: one program per tile of many short lines", 1, 0)
TRITONS(triton_split, "Triton: many programs per long line, in two passes", 1.5,
        14 / 9.0)

/* A parallel scan may multiply an infinity by the 0 of a later reset. */
#define RECURRENCE(name, idea)                                                 \
    ROWS(name, NAMED(#name, name, idea, DEVICE_CUDA, false, true, 1, 0,        \
                     OPS_RECURRENCE))
RECURRENCE(torch_associative_scan, "PyTorch's associative_scan, compiled")
RECURRENCE(triton_recurrence_rows,
           "Triton: one program per contiguous line, tile by tile")
RECURRENCE(triton_recurrence_columns,
           "Triton: one program per strip of columns, tile by tile")
RECURRENCE(accelerated_scan, "accelerated-scan's kernel of warps")

/* Serves ragged lines alone; segment_reduce() sums halves as halves. */
#define RAGGED(name, idea, device, ordinary, passes, ...)                      \
    NAMED(#name, name, idea, device, false, ordinary, passes, 0,               \
          { __VA_ARGS__ }, .ragged = true)
#define OF_SEGMENTS                                                            \
    (REDUCER_BIT(REDUCER_ADD) | REDUCER_BIT(REDUCER_MEAN) |                    \
     REDUCER_BIT(REDUCER_MAX))
#define SEGMENTS(name, idea, device)                                           \
    ROWS(name, RAGGED(name, idea, device, false, 1, FORM_REDUCE,               \
                      { OF_SEGMENTS, OF_SEGMENTS }))
SEGMENTS(numpy_reduceat, "NumPy's reduceat", DEVICE_HOST)
SEGMENTS(torch_segment_reduce, "torch.segment_reduce", DEVICE_CUDA)

/* Besides x and y, 48 bytes per element: doubles and indices of the segments,
 * which are written and read. A NaN reaches the segments behind its own. */
#define BY_SUBTRACTION(bytes, ...)                                             \
    RAGGED(torch_cumsum_by_subtraction,                                        \
           "torch.cumsum of all in double, less that before each segment",     \
           DEVICE_CUDA, true, 1 + 24. / (bytes),                               \
           FORM(KIND_SCAN, 0) | FORM(KIND_SCAN, OP_REVERSE), { __VA_ARGS__ })
#define ADD REDUCER_BIT(REDUCER_ADD)
ROWS(torch_cumsum_by_subtraction, BY_SUBTRACTION(4, [DTYPE_F32] = ADD),
     BY_SUBTRACTION(2, [DTYPE_F16] = ADD, [DTYPE_BF16] = ADD))

#define ROW(name)                                                              \
    {                                                                          \
        "frameworks/" #name, name                                              \
    }
PLUGIN("frameworks", ROW(numpy), ROW(torch_eager), ROW(torch_compile),
       ROW(triton_rows), ROW(triton_columns), ROW(triton_packed),
       ROW(triton_split), ROW(torch_associative_scan),
       ROW(triton_recurrence_rows), ROW(triton_recurrence_columns),
       ROW(accelerated_scan), ROW(numpy_reduceat), ROW(torch_segment_reduce),
       ROW(torch_cumsum_by_subtraction), ROW(cupy), ROW(cuda_compute),
       ROW(jax));

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
    BOTH(function_name, function_##device, "a Python function", kind,          \
         /* as JAX does: its time is marked */ (kind) == DEVICE_CUDA, FORMS,   \
         REDUCERS, 0, 0)
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
    for (struct variant *v = variants; v->name; ++v)
        v->calls_torch = calls_torch;
    return &plugin;
}
