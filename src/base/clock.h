/* SPDX-License-Identifier: MIT
 *
 * The host's clock, which only goes forward.
 */
#ifndef SRC_BASE_CLOCK_H
#define SRC_BASE_CLOCK_H

#include <time.h>

static inline double clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static inline double clock_s(void)
{
    return clock_us() * 1e-6;
}

#endif
