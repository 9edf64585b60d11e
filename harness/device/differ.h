/* SPDX-License-Identifier: MIT
 *
 * Compares two ranges of a GPU's memory where they lie.
 */
#ifndef HARNESS_DEVICE_DIFFER_H
#define HARNESS_DEVICE_DIFFER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first byte in which left and right differ, or -1. Works on the default
 * stream, waits for it, and returns a cudaError_t as int. */
int differ_first(const void *left, const void *right, int64_t bytes,
                 int64_t *first);

#ifdef __cplusplus
}
#endif
#endif
