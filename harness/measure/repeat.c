/* SPDX-License-Identifier: MIT */
#include "harness/measure/repeat.h"

#include "harness/measure/buffers.h"
#include "harness/measure/spot.h"
#include "src/base/clock.h"
#include "src/verify/input.h"

/* Poison in every second output; in the others what the launch before left, but
 * for a spot. */
static const char *ready(const struct cell *cell, const struct problem *problem,
                         const struct device *device, int number)
{
    struct spot spot;
    if (number % 2 == 0 || !spot_possible(problem))
        return buffers_poison(problem, cell, device);
    return spot_plant(&spot, problem, device, split_mix_hash((uint64_t)number));
}

static const char *launch(const struct cell *cell,
                          const struct problem *problem,
                          const struct device *device, int number)
{
    bool unfit; /* was seen before it came to this */
    const char *why = ready(cell, problem, device, number);
    if (!why && number % 2 == 0)
        why = buffers_garbage(problem, cell, device, (uint64_t)number);
    if (why)
        return why;
    why = stress_any(&cell->stress) ? device->stressed(cell->variant, problem,
                                                       1, &cell->stress, &unfit)
                                    : device->launch(cell->variant, problem);
    return why ? why : buffers_settle(problem, cell, device);
}

/* *at is the first byte in which two outputs differ. */
static const char *find_difference(const struct device *device,
                                   const char *left, const char *right,
                                   size_t bytes, size_t *at)
{
    enum { PIECE = 1 << 16 };
    static char pieces[2][PIECE];
    const char *why = NULL;
    for (size_t from = 0; from < bytes && !why; from += PIECE) {
        const size_t size = bytes - from < PIECE ? bytes - from : PIECE;
        why = device->copy(pieces[0], left + from, size);
        if (!why)
            why = device->copy(pieces[1], right + from, size);
        for (size_t k = 0; k < size && !why; ++k)
            if (pieces[0][k] != pieces[1][k]) {
                *at = from + k;
                return NULL;
            }
    }
    return why;
}

/* The first output is kept in first_out. */
static const char *compare(const struct cell *cell,
                           const struct problem *problem,
                           const struct device *device, int times,
                           void *first_out, struct repeated *repeated)
{
    const size_t bytes =
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape);
    const double start = clock_s();
    uint64_t first, found;
    const char *why = device->copy(first_out, problem->out, bytes);
    if (!why)
        why = device->fingerprint(problem->out, bytes, &first);
    for (int k = 1; k <= times && !why; ++k) {
        if (k > REPEAT_LEAST && clock_s() - start > REPEAT_ENOUGH_S)
            break;
        why = launch(cell, problem, device, k);
        if (!why)
            why = device->fingerprint(problem->out, bytes, &found);
        if (why)
            break;
        repeated->times = k;
        if (found != first) {
            size_t byte = 0;
            repeated->launch = k;
            why =
                find_difference(device, first_out, problem->out, bytes, &byte);
            repeated->elem = (int64_t)byte *
                             op_out_elems(cell->op, cell->shape) /
                             (int64_t)bytes;
            break;
        }
    }
    return why;
}

const char *repeat_launches(const struct cell *cell,
                            const struct problem *problem,
                            const struct device *device, int times,
                            struct repeated *repeated)
{
    void *first_out;
    *repeated = (struct repeated){ 0 };
    const char *why = device->allocate(
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape), &first_out);
    if (why)
        return why;
    why = launch(cell, problem, device, 0);
    if (!why)
        why = compare(cell, problem, device, times, first_out, repeated);
    device->release(first_out);
    return why;
}
