/* SPDX-License-Identifier: MIT
 *
 * Bug      The last of OpenMP's threads is left flushing subnormals to 0, or,
 *          except on x86, rounding upward.
 * Shows    in the sums of whatever runs next.
 */
#include "variants/broken/host_plain.h"

#include <fenv.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef __SSE__
#include <xmmintrin.h>
#endif

static void leave_another_mode(void)
{
#ifdef __SSE__
    enum { FLUSH = 0x8000, DENORMALS_ARE_ZERO = 0x40 };
    _mm_setcsr(_mm_getcsr() | FLUSH | DENORMALS_ARE_ZERO);
#else
    fesetround(FE_UPWARD);
#endif
}

static int launch(const struct problem *p, void *stream)
{
    (void)stream;
    plain_run(p);
#ifdef _OPENMP
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
#endif
        leave_another_mode();
    return 0;
}

PLAIN_VARIANT(flushes_elsewhere,
              "bug: other threads are left counting subnormals as 0");
