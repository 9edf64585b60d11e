/* SPDX-License-Identifier: MIT
 *
 * Functions that device_cuda.c refers to and its test never calls.
 */
#include <stdlib.h>

#define NOT_CALLED(name)                                                       \
    void name(void);                                                           \
    void name(void)                                                            \
    {                                                                          \
        abort();                                                               \
    }

NOT_CALLED(kernels_change)
NOT_CALLED(kernels_check)
NOT_CALLED(kernels_check_guards)
NOT_CALLED(kernels_fill)
NOT_CALLED(kernels_fingerprint)
NOT_CALLED(kernels_forget)
NOT_CALLED(kernels_garbage)
NOT_CALLED(kernels_reference_bytes)
NOT_CALLED(kernels_write_guards)
NOT_CALLED(stress_launch)
