/* SPDX-License-Identifier: MIT
 *
 * A number that nobody can foresee: 64 bits of the kernel's random numbers, or,
 * where it has none yet, of the clock.
 */
#ifndef SRC_BASE_ENTROPY_H
#define SRC_BASE_ENTROPY_H

#include <stdint.h>
#include <sys/random.h>
#include <time.h>

static inline uint64_t entropy(void)
{
    uint64_t bits;
    struct timespec now;
    if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) == sizeof bits)
        return bits;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
}

#endif
