/* SPDX-License-Identifier: MIT
 *
 * A cell's memory on the device: inputs, mask, output, workspace. Small
 * problems get several sets, which launches use in turn, so that a launch gains
 * nothing from the cached data of the previous one, or from its addresses.
 * Memory is kept from cell to cell, unless a later one needs the room. Guards
 * lie around all of it; those of inputs and mask are NaN, so that even a value
 * read there and multiplied by 0 shows. A ragged shape's offsets have -1 there.
 */
#pragma once

#include "harness/cell.h"

enum { BUFFER_SETS = 4 };

/* The sets of a cell; they share the workspace. */
struct buffers {
    const struct cell *cell;
    const struct device *device;
    struct problem problems[BUFFER_SETS];
    int count;
    size_t out_bytes, workspace_bytes;
};

/* Returns NULL or an error text, like the others that return a text. Only exact
 * input (`kind`) has initial elements. Contents are undefined, but inputs that
 * buffers_fill() made for the problem stay. */
const char *buffers_provide(struct buffers *buffers, const struct cell *cell,
                            const struct device *device,
                            const struct device_facts *facts,
                            enum input_kind kind);

/* Makes the inputs of sets [first, end) that are missing; they differ. */
const char *buffers_fill(const struct buffers *buffers, struct input input,
                         int first, int end);

/* Returns a set's input. If it has a version, every second set changes only
 * a few pieces. */
struct input buffers_input(struct input input, int set);

/* True if all sets hold the cell's real input, of any version. */
bool buffers_are_real(const struct buffers *buffers);

/* Makes `count` problems, problems[0] and others like it, with outputs of
 * poison and workspaces of garbage. The caller always releases *memory. */
const char *buffers_several(const struct buffers *buffers, int count,
                            struct problem *problems, void **memory);

/* Fills the workspace with garbage. */
const char *buffers_garbage(const struct buffers *buffers,
                            const struct problem *problem, uint64_t seed);

/* Forgets the inputs, which may have been overwritten. */
void buffers_forget(void);

/* Writes the guards of one set's output and of the workspace. */
const char *buffers_fence(const struct buffers *buffers,
                          const struct problem *problem);

/* Writes the same guards, and poisons the output. */
const char *buffers_poison(const struct buffers *buffers,
                           const struct problem *problem);

/* Compares the offsets of a ragged shape with those that were filled in. */
const char *buffers_offsets(const struct buffers *buffers,
                            const struct problem *problem, bool *intact);

/* Copies the last output to problem->out if the variant put it elsewhere. */
const char *buffers_settle(const struct buffers *buffers,
                           const struct problem *problem);

/* Sets *where to the place of a broken guard, such as "before the output", or
 * to NULL. */
const char *buffers_trespass(const struct buffers *buffers,
                             const struct problem *problem, const char **where);
