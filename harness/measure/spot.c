/* SPDX-License-Identifier: MIT */
#include "harness/measure/spot.h"

#include <string.h>

struct spot spot_aim(const struct problem *problem, uint64_t draw)
{
    const uint64_t elems = (uint64_t)op_out_elems(problem->op, problem->shape);
    const size_t bytes = dtype_bytes(problem->dtype);
    const size_t offset = draw % elems * bytes;
    return (struct spot){ .place = (char *)problem->out + offset,
                          .offset = offset,
                          .bytes = bytes };
}

const char *spot_plant(struct spot *spot, const struct problem *problem,
                       const struct device *device, uint64_t draw)
{
    *spot = spot_aim(problem, draw);
    const char *why = device->copy(&spot->before, spot->place, spot->bytes);
    return why ? why : device->set(spot->place, POISON_BYTE, spot->bytes);
}

const char *spot_find(const struct spot *spot, const struct device *device,
                      enum spot_found *found)
{
    uint64_t bits = 0, poison = 0;
    memset(&poison, POISON_BYTE, spot->bytes);
    const char *why = device->copy(&bits, spot->place, spot->bytes);
    *found = bits == spot->before ? SPOT_AS_BEFORE
             : bits == poison     ? SPOT_UNWRITTEN
                                  : SPOT_OTHER;
    return why;
}
