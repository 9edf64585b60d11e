/* SPDX-License-Identifier: MIT
 *
 * A cell's memory on the device: input, mask, output, workspace. Small problems
 * get several sets of them, so that launches can take turns: what one launch
 * left in a cache, or in a variant's memory of addresses, does not serve the
 * next. Memory is kept from cell to cell, unless it is in a later one's way.
 * All of it is fenced: input and mask by NaN, so that 0 times what lies behind
 * them shows.
 */
#ifndef HARNESS_MEASURE_BUFFERS_H
#define HARNESS_MEASURE_BUFFERS_H

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

/* Makes the inputs of sets [first, end), unless they are there. The sets of a
 * a version of the real input differ. */
const char *buffers_fill(const struct buffers *buffers, const struct cell *cell,
                         const struct device *device, struct input input,
                         int first, int end);

/* The input that a set has. Of versions every second one is rare. */
struct input buffers_input(struct input input, int set);

/* Whether the inputs of all sets are the cell's real one, of any version. */
bool buffers_are_real(const struct buffers *buffers, const struct cell *cell);

/* `count` problems like problems[0] but for their outputs, which are poisoned,
 * and their workspaces, which are garbage; the first is problems[0] itself.
 * *memory is to be released, in any case. */
const char *buffers_several(const struct buffers *buffers,
                            const struct cell *cell,
                            const struct device *device, int count,
                            struct problem *problems, void **memory);

/* Garbage into the workspace. */
const char *buffers_garbage(const struct problem *problem,
                            const struct cell *cell,
                            const struct device *device, uint64_t seed);

/* The next fill is made in any case: somebody may have changed the inputs. */
void buffers_forget(void);

/* Guards around one set's output, and the workspace. */
const char *buffers_fence(const struct problem *problem,
                          const struct cell *cell, const struct device *device);

/* The same, and NaN into the output. */
const char *buffers_poison(const struct problem *problem,
                           const struct cell *cell,
                           const struct device *device);

/* Copies the output of the last launch to problem->out if the variant put it
 * elsewhere. */
const char *buffers_settle(const struct problem *problem,
                           const struct cell *cell,
                           const struct device *device);

/* Where guards were written to: NULL, or "before the output" and the like; *why
 * as the device's functions return it. */
const char *buffers_trespass(const struct problem *problem,
                             const struct cell *cell,
                             const struct device *device, const char **why);

#endif
