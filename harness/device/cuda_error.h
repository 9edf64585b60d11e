/* SPDX-License-Identifier: MIT
 *
 * What is said of the CUDA runtime's errors, by the harness and by
 * libscanbench. Errors go by their number, so that this needs no CUDA.
 */
#ifndef HARNESS_DEVICE_CUDA_ERROR_H
#define HARNESS_DEVICE_CUDA_ERROR_H

#include <stddef.h>

/* For a static assertion where cudaError_t is known. */
enum { CUDA_ERROR_NO_KERNEL_IMAGE = 209, CUDA_ERROR_PTX_VERSION = 222 };

/* If the build has no code that this GPU, or its driver, takes: that, and what
 * to do. NULL: it is another error. */
const char *cuda_error_no_code(int error);

/* "NAME: MEANING", the runtime's words, and what to do where that is known; or
 * that the error is a variant's own, which CUDA has no words for. */
void cuda_error_text(char *text, size_t bytes, int error, const char *name,
                     const char *meaning);

#endif
