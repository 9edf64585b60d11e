/* SPDX-License-Identifier: MIT */
#include "harness/sweep/sweep.h"

#include <math.h>

void slow_add(struct slow_cells *slow, const struct cell *cell,
              double launch_us)
{
    if (slow->count < (int)(sizeof slow->at / sizeof *slow->at))
        slow->at[slow->count++] =
            (struct slow_cell){ .cell = *cell, .launch_us = launch_us };
}

static double more_lines(struct shape from, struct shape to)
{
    return (double)shape_lines(to) / (double)shape_lines(from);
}

static double longer(struct shape from, struct shape to)
{
    return (double)shape_evened(to).axis / (double)shape_evened(from).axis;
}

static bool alike(const struct cell *left, const struct cell *right)
{
    return left->variant == right->variant && left->op == right->op &&
           left->shape.inner == right->shape.inner &&
           left->shape.lines.kind == right->shape.lines.kind;
}

/* True if time per element grew from a recorded cell to `here` by longer or
 * more lines alone, and `there` is further that way. Types are not mixed, as
 * latency does not depend on width. */
static bool grows_worse(const struct slow_cells *slow,
                        const struct slow_cell *here, const struct cell *there)
{
    const double clearly = 1.25;
    const struct shape b = here->cell.shape, c = there->shape;
    for (int k = 0; k < slow->count; ++k) {
        const struct slow_cell *before = &slow->at[k];
        const struct shape a = before->cell.shape;
        const double growth = here->launch_us / before->launch_us *
                              (double)shape_elems(a) / (double)shape_elems(b);
        const bool more = more_lines(a, b) > 1, stretched = longer(a, b) > 1;
        if (alike(&before->cell, there) &&
            before->cell.dtype == here->cell.dtype && growth > clearly &&
            more != stretched &&
            (more ? more_lines(b, c) >= 1 : more_lines(b, c) <= 1) &&
            (stretched ? longer(b, c) >= 1 : longer(b, c) <= 1))
            return true;
    }
    return false;
}

/* Least ratio of a launch's time there to that here. The time may depend on the
 * number of lines or on their length, and one launch does not show on which,
 * unless lines are too short for their length to matter, or fewer than
 * multiprocessors, or times have grown on the way. */
static double at_least(const struct slow_cells *slow,
                       const struct slow_cell *here, const struct cell *there,
                       int sms)
{
    enum { SHORT_AXIS = 512 };
    const struct shape from = shape_evened(here->cell.shape);
    const struct shape to = shape_evened(there->shape);
    if (from.axis <= SHORT_AXIS && to.axis <= SHORT_AXIS)
        return more_lines(from, to);
    if (shape_lines(from) < sms && shape_lines(to) < sms)
        return longer(from, to);
    if (grows_worse(slow, here, there))
        return more_lines(from, to) * longer(from, to);
    return fmin(more_lines(from, to), longer(from, to));
}

const struct cell *slow_find(const struct slow_cells *slow,
                             const struct cell *cell, double most_us, int sms)
{
    for (int k = 0; shape_elems(cell->shape) > 0 && k < slow->count; ++k) {
        const struct slow_cell *here = &slow->at[k];
        /* Latency is the same for wider elements, while narrower ones move
         * fewer bytes. */
        const double width = (double)dtype_bytes(cell->dtype) /
                             (double)dtype_bytes(here->cell.dtype);
        if (alike(&here->cell, cell) &&
            here->launch_us * fmin(1, width) * at_least(slow, here, cell, sms) >
                most_us)
            return &here->cell;
    }
    return NULL;
}
