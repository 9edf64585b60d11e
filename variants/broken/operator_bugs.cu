/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see operator_bug_list.h.
 * Shows    any line of the operation, or one with a NaN.
 */
#include "variants/broken/operator_bug_list.h"
#include "variants/broken/plain.cuh"

#define LAUNCH(name, ...)                                                      \
    static __global__ void name##_kernel(struct problem p)                     \
    {                                                                          \
        const int64_t line = plain_line();                                     \
        if (line < p.shape.outer * p.shape.inner)                              \
            name##_walk(&p, plain_start(p.shape, line), line);                 \
    }                                                                          \
    static int name(const struct problem *p, void *stream)                     \
    {                                                                          \
        name##_kernel<<<plain_blocks(p), kPlainThreads, 0,                     \
                        (cudaStream_t)stream>>>(*p);                           \
        return cudaGetLastError();                                             \
    }
OPERATOR_BUGS(LAUNCH)

#define VARIANT(name, operation, start, joined, stored, bug)                   \
    OPERATOR_VARIANT(DEVICE_CUDA, name, operation, bug),
VARIANTS(broken__operator_bugs) = { OPERATOR_BUGS(VARIANT){} };
