/* SPDX-License-Identifier: MIT
 *
 * Speed-ups of a run's variants over one of them: found in compare_against.c,
 * written in compare_speedups.c.
 */
#ifndef HARNESS_CLI_COMPARE_SPEEDUPS_H
#define HARNESS_CLI_COMPARE_SPEEDUPS_H

#include "harness/cli/compare_parts.h"

struct speedup {
    struct run_cell side, base;
    struct change change; /* its ratio is base / variant: above 1 is faster */
};

/* Sorted by operation, type, shape and cache; the fastest of each first. */
struct speedups {
    struct speedup *all;
    size_t count;
    size_t without; /* timed cells where the base has no time */
};

/* On stdout. */
void speedups_write(const struct speedups *found, enum compare_format format);

#endif
