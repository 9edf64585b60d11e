/* SPDX-License-Identifier: MIT
 *
 * A cell's memory on the device: input, mask, output, workspace. Small
 * problems get several sets, which launches use in turn, so that a launch
 * gains nothing from what the one before left in a cache or remembered by
 * address. Memory is kept from cell to cell, unless a later one needs the
 * room. Guards lie around all of it; those of input and mask are NaN, so that
 * even 0 times a value read there shows.
 */
#ifndef HARNESS_MEASURE_BUFFERS_H
#define HARNESS_MEASURE_BUFFERS_H

#include "harness/cell.h"

enum { BUFFER_SETS = 4 };

/* The sets of the current cell; they share the workspace. */
struct buffers {
    struct problem problems[BUFFER_SETS];
    int count;
};

/* Returns NULL or an error. Contents are undefined, but inputs that
 * buffers_fill() made for the same problem are kept. */
const char *buffers_provide(struct buffers *buffers, const struct cell *cell,
                            const struct device *device,
                            const struct device_facts *facts);

/* Makes the inputs of sets [first, end), unless they are there. Sets of one
 * version differ. */
const char *buffers_fill(const struct buffers *buffers, const struct cell *cell,
                         const struct device *device, struct input input,
                         int first, int end);

/* Returns the input of a set; of a version, every second set changes few
 * pieces. */
struct input buffers_input(struct input input, int set);

/* True if all sets hold the cell's real input, of any version. */
bool buffers_are_real(const struct buffers *buffers, const struct cell *cell);

/* Makes `count` problems like problems[0], with outputs of poison and
 * workspaces of garbage; the first is problems[0] itself. The caller always
 * releases *memory. */
const char *buffers_several(const struct buffers *buffers,
                            const struct cell *cell,
                            const struct device *device, int count,
                            struct problem *problems, void **memory);

/* Fills the workspace with garbage. */
const char *buffers_garbage(const struct problem *problem,
                            const struct cell *cell,
                            const struct device *device, uint64_t seed);

/* Forgets the inputs, which may have been overwritten. */
void buffers_forget(void);

/* Writes the guards of one set's output and of the workspace. */
const char *buffers_fence(const struct problem *problem,
                          const struct cell *cell, const struct device *device);

/* The same, and poisons the output. */
const char *buffers_poison(const struct problem *problem,
                           const struct cell *cell,
                           const struct device *device);

/* Copies the output of the last launch to problem->out if the variant put it
 * elsewhere. */
const char *buffers_settle(const struct problem *problem,
                           const struct cell *cell,
                           const struct device *device);

/* Returns the place of a broken guard, such as "before the output", or NULL;
 * *why is NULL or an error. */
const char *buffers_trespass(const struct problem *problem,
                             const struct cell *cell,
                             const struct device *device, const char **why);

#endif
