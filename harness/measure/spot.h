/* SPDX-License-Identifier: MIT
 *
 * One element of an output, poisoned before a launch at a place that the
 * variant cannot know: a launch that does not do its work leaves it there,
 * whatever the output held before, and only who reads the whole output can
 * tell that it was put there.
 */
#ifndef HARNESS_MEASURE_SPOT_H
#define HARNESS_MEASURE_SPOT_H

#include "harness/device/device.h"

struct spot {
    char *place;   /* on the device */
    size_t offset; /* from the output's start */
    size_t bytes;
    uint64_t before; /* the bits that were there */
};

enum spot_found {
    SPOT_AS_BEFORE, /* the bits that were there before */
    SPOT_OTHER,     /* other ones */
    SPOT_UNWRITTEN, /* the poison */
};

/* Where there are such elements: OP_READ leaves a checksum. */
static inline bool spot_possible(const struct problem *problem)
{
    return problem->op != OP_READ &&
           op_out_elems(problem->op, problem->shape) > 0;
}

/* Both return NULL, or what went wrong (see harness/device/device.h). `draw` is
 * a random number, of which the place is made. */
const char *spot_plant(struct spot *spot, const struct problem *problem,
                       const struct device *device, uint64_t draw);

/* The same, but that somebody else poisons it, and what is there before is not
 * known: it is found to be unwritten, or anything. */
struct spot spot_aim(const struct problem *problem, uint64_t draw);

const char *spot_find(const struct spot *spot, const struct device *device,
                      enum spot_found *found);

#endif
