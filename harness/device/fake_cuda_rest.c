/* SPDX-License-Identifier: MIT
 *
 * What device_cuda.c names and its test never calls, without its types.
 */
#include <stdlib.h>

#define NOT_CALLED(name)                                                       \
    void name(void);                                                           \
    void name(void)                                                            \
    {                                                                          \
        abort();                                                               \
    }

NOT_CALLED(differ_first)
NOT_CALLED(fingerprint_of)
NOT_CALLED(guards_look)
NOT_CALLED(guards_write)
NOT_CALLED(kernels_change)
NOT_CALLED(kernels_check)
NOT_CALLED(kernels_fill)
NOT_CALLED(kernels_garbage)
NOT_CALLED(kernels_reference_bytes)
NOT_CALLED(kernels_release)
NOT_CALLED(stress_launch)
