/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see integer_bug_list.h.
 * Shows    any line whose results need more bits, or any element of that kind.
 */
#include "variants/broken/integer_bug_list.h"
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
INTEGER_BUGS(LAUNCH)

#define INTEGER_ROW(name, operation, dtype, type, start, joined, stored, bug)  \
    INTEGER_VARIANT(DEVICE_CUDA, name, operation, dtype, bug),
VARIANTS(broken__integer_bugs) = { INTEGER_BUGS(INTEGER_ROW){} };
