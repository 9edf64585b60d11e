/* SPDX-License-Identifier: MIT */
#include "harness/device/cuda_error.h"

#include <stdio.h>
#include <string.h>

const char *cuda_error_no_code(int error)
{
    return error == CUDA_ERROR_NO_KERNEL_IMAGE ||
                   error == CUDA_ERROR_PTX_VERSION
               ? "this build has no code for this GPU: build with "
                 "-Dgpu_arch=native"
               : NULL;
}

void cuda_error_text(char *text, size_t bytes, int error, const char *name,
                     const char *meaning)
{
    const char *help = cuda_error_no_code(error);
    /* CUDA's name of a number that is none of its own. */
    if (strcmp(name, "unrecognized error code") == 0) {
        snprintf(text, bytes,
                 "the variant's own error %d, not CUDA's: stderr may say more",
                 error);
        return;
    }
    snprintf(text, bytes, "%s: %s%s%s", name, meaning, help ? "; " : "",
             help ? help : "");
}
