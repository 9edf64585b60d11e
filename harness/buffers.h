/* SPDX-License-Identifier: MIT
 *
 * A cell's memory on the device: input, mask, output, workspace. Small problems
 * get several sets of them, so that launches can take turns: what one launch
 * left in a cache, or in a variant's memory of addresses, does not serve the
 * next. Memory is kept from cell to cell and only grows.
 */
#ifndef HARNESS_BUFFERS_H
#define HARNESS_BUFFERS_H

#include "harness/cell.h"

enum { BUFFER_SETS = 4 };

/* The sets of the cell at hand; they share the workspace. */
struct buffers {
    struct problem problems[BUFFER_SETS];
    int count;
};

/* NULL, or what went wrong. Contents are undefined, but inputs that
 * buffers_fill() made for the same problem are still there. */
const char *buffers_provide(struct buffers *buffers, const struct cell *cell,
                            const struct device *device,
                            const struct device_facts *facts);

/* Makes the inputs of all sets, unless they are there. */
const char *buffers_fill(const struct buffers *buffers, const struct cell *cell,
                         const struct device *device, enum input_kind kind);

/* `count` problems like problems[0] but for their outputs, which are poisoned,
 * and their workspaces, which are rubbish; the first is problems[0] itself.
 * *memory is to be released, in any case. */
const char *buffers_several(const struct buffers *buffers,
                            const struct cell *cell,
                            const struct device *device, int count,
                            struct problem *problems, void **memory);

/* Rubbish into the workspace. */
const char *buffers_rubbish(const struct problem *problem,
                            const struct cell *cell,
                            const struct device *device, uint64_t seed);

/* The next fill is made in any case: somebody may have changed the inputs. */
void buffers_forget(void);

/* NaN into one set's output, and guards on both sides. */
const char *buffers_poison(const struct problem *problem,
                           const struct device *device);

/* Which guard was written to: NULL, "before" or "past the end of"; *why as the
 * device's functions return it. */
const char *buffers_trespass(const struct problem *problem,
                             const struct device *device, const char **why);

#endif
