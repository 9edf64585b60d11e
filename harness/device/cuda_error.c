/* SPDX-License-Identifier: MIT */
#include "harness/device/cuda_error.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

static char text[512];

const char *cuda_error_no_code(int error)
{
    return error == cudaErrorNoKernelImageForDevice ||
                   error == cudaErrorUnsupportedPtxVersion
               ? "this build has no code for this GPU: build with "
                 "-Dgpu_arch=native"
               : NULL;
}

static const char *text_behind(int used, int error)
{
    char *end = text + used;
    const size_t room = sizeof text - (size_t)used;
    const char *help = cuda_error_no_code(error);
    const char *name = cudaGetErrorName((cudaError_t)error);
    /* CUDA's name for every number that is not its own. */
    if (strcmp(name, "unrecognized error code") == 0)
        snprintf(end, room,
                 "the variant's own error %d, not CUDA's: stderr may say more",
                 error);
    else
        snprintf(end, room, "%s: %s%s%s", name,
                 cudaGetErrorString((cudaError_t)error), help ? "; " : "",
                 help ? help : "");
    return text;
}

const char *cuda_error_text(int error)
{
    return error ? text_behind(0, error) : NULL;
}

const char *cuda_error_at(int error, const char *expression, const char *file,
                          int line)
{
    /* Reasons are published, without the builder's folder. */
    const char *slash = strrchr(file, '/');
    const int used = snprintf(text, sizeof text,
                              "%.40s:%d: %.200s: ", slash ? slash + 1 : file,
                              line, expression);
    return text_behind(used, error);
}
