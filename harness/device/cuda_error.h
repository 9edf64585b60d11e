/* SPDX-License-Identifier: MIT
 *
 * Messages for errors of the CUDA runtime, in the harness and libscanbench.
 * Errors are numbers, so that this needs no CUDA.
 */
#ifndef HARNESS_DEVICE_CUDA_ERROR_H
#define HARNESS_DEVICE_CUDA_ERROR_H

#include <stddef.h>

/* For a static assertion where cudaError_t is known. */
enum { CUDA_ERROR_NO_KERNEL_IMAGE = 209, CUDA_ERROR_PTX_VERSION = 222 };

/* The message and remedy if the build has no code for this GPU or driver, or
 * NULL. */
const char *cuda_error_no_code(int error);

/* "NAME: MEANING" in the runtime's words, with a remedy if there is one, or a
 * message that the error is a variant's own. */
void cuda_error_text(char *text, size_t bytes, int error, const char *name,
                     const char *meaning);

#endif
