/* SPDX-License-Identifier: MIT
 *
 * The processor's floating-point mode, of this thread: what IEEE 754 begins
 * with, rounding to nearest and subnormals that count. Who changes it (by
 * fesetround(), by the flags that -ffast-math links code for) changes the sums
 * of all that runs behind, the verifier's too.
 */
#ifndef SRC_VERIFY_FLOAT_MODE_H
#define SRC_VERIFY_FLOAT_MODE_H

#include <fenv.h>
#include <float.h>
#include <stdbool.h>

static inline bool float_mode_is_default(void)
{
    static const volatile double one = 1, little = DBL_EPSILON / 8,
                                 smallest = DBL_MIN, subnormal = DBL_MIN / 2;
    return one + little == one && one - little == one && smallest / 2 > 0 &&
           subnormal > 0;
}

static inline void float_mode_reset(void)
{
    fesetenv(FE_DFL_ENV);
}

/* The same for OpenMP's threads: whether all had it; then all have. */
static inline bool float_mode_was_default(void)
{
    bool was = true;
#ifdef _OPENMP
#pragma omp parallel reduction(&& : was)
#endif
    if (!float_mode_is_default()) {
        was = false;
        float_mode_reset();
    }
    return was;
}

#endif
