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

static const char *compare(const struct cell *cell,
                           const struct problem *problem,
                           const struct device *device, int times,
                           const void *first_out, struct repeated *repeated)
{
    const size_t bytes =
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape);
    const double start = clock_s();
    for (int k = 1; k <= times; ++k) {
        if (k > REPEAT_LEAST && clock_s() - start > REPEAT_ENOUGH_S)
            break;
        int64_t byte;
        const char *why = launch(cell, problem, device, k);
        if (!why)
            why = device->differs(first_out, problem->out, bytes, &byte);
        if (why)
            return why;
        repeated->times = k;
        if (byte >= 0) {
            const int64_t elems = op_out_elems(cell->op, cell->shape);
            repeated->launch = k;
            repeated->elem = byte / ((int64_t)bytes / elems);
            return NULL;
        }
    }
    return NULL;
}

const char *repeat_launches(const struct cell *cell,
                            const struct problem *problem,
                            const struct device *device, int times,
                            struct repeated *repeated)
{
    const size_t bytes =
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape);
    void *first_out;
    *repeated = (struct repeated){ 0 };
    const char *why = device->allocate(bytes, &first_out);
    if (why)
        return why;
    why = launch(cell, problem, device, 0);
    if (!why)
        why = device->copy(first_out, problem->out, bytes);
    if (!why)
        why = compare(cell, problem, device, times, first_out, repeated);
    device->release(first_out);
    return why;
}
