/* SPDX-License-Identifier: MIT
 *
 * Checks that the floating-point mode is that of IEEE 754: rounding to
 * nearest, with subnormals. Code that changes it, by fesetround() or by being
 * linked with -ffast-math, changes all later sums, including those of the
 * verifier.
 */
#pragma once

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

/* True if all OpenMP threads were in the default mode; resets the others. */
static inline bool float_mode_was_default(void)
{
    bool was = true;
#ifdef _OPENMP /* a host compiler of CUDA would warn */
#pragma omp parallel reduction(&& : was)
#endif
    if (!float_mode_is_default()) {
        was = false;
        float_mode_reset();
    }
    return was;
}
