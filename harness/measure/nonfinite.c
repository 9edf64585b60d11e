/* SPDX-License-Identifier: MIT */
#include "harness/measure/nonfinite.h"

#include "harness/measure/buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a turn plants in a line: two values, the second behind the first. What
 * overflows is the sum of two of the largest number. */
enum turn { INFINITY_NAN, MINUS_INFINITY_NAN, INFINITIES, OVERFLOW, TURNS };

static const char *const turn_names[TURNS] = {
    [INFINITY_NAN] = "an infinity and a NaN",
    [MINUS_INFINITY_NAN] = "-infinity and a NaN",
    [INFINITIES] = "an infinity and -infinity",
    [OVERFLOW] = "twice the largest number",
};

/* The NaNs among input_nonfinite(): both of a problem's turns have another, and
 * which they are follows from the problem. */
enum { FIRST_NAN = 2, NANS = 6 };

static const char *const no_nan_behind[NANS] = {
    "is no NaN behind a quiet NaN",
    "is no NaN behind a quiet NaN of sign 1",
    "is no NaN behind a quiet NaN of all ones",
    "is no NaN behind a signalling NaN",
    "is no NaN behind a signalling NaN of sign 1",
    "is no NaN behind a quiet NaN with a payload",
};

/* The line that gets them, and the steps in walk order where they are. */
struct plant {
    enum turn turn;
    int64_t line, first, second;
    uint64_t bits[2];
    double was; /* where the first one is */
};

/* The element at a step of the line. */
static int64_t step_index(const struct problem *p, int64_t line, int64_t step)
{
    const struct shape s = p->shape;
    const int64_t a = p->op == OP_CUMSUM_REVERSE ? s.axis - 1 - step : step;
    return (line / s.inner * s.axis + a) * s.inner + line % s.inner;
}

/* The first step from `step` on that a mask keeps, or the axis. */
static int64_t kept_step(const struct problem *p, int64_t line, int64_t step)
{
    const struct input_line l =
        input_line_of((struct input){ INPUT_EXACT, 0 }, p->dtype,
                      op_has_mask(p->op), p->shape, line);
    const int64_t axis = p->shape.axis;
    for (; l.masked && step < axis; ++step) {
        const int64_t a = p->op == OP_CUMSUM_REVERSE ? axis - 1 - step : step;
        if (input_mask(l, a, input_index(l, a)))
            break;
    }
    return step;
}

static uint64_t nan_bits(const struct problem *p, enum turn turn)
{
    const struct shape s = p->shape;
    uint64_t hash = split_mix_hash((uint64_t)p->dtype << 32 | (uint64_t)p->op);
    hash = split_mix_hash(hash ^ (uint64_t)s.outer);
    hash = split_mix_hash(hash ^ (uint64_t)s.axis);
    hash = split_mix_hash(hash ^ (uint64_t)s.inner);
    const unsigned which = (unsigned)(hash >> 32) % NANS;
    return input_nonfinite(
        p->dtype,
        FIRST_NAN + (turn == INFINITY_NAN ? which : (which + NANS / 2) % NANS));
}

static void set_bits(struct plant *plant, enum turn turn,
                     const struct problem *p)
{
    const uint64_t infinity = input_nonfinite(p->dtype, 0);
    const uint64_t minus = input_nonfinite(p->dtype, 1);
    const uint64_t most = dtype_bits(p->dtype, dtype_max(p->dtype));
    const uint64_t nan = nan_bits(p, turn);
    const uint64_t bits[TURNS][2] = {
        [INFINITY_NAN] = { infinity, nan },
        [MINUS_INFINITY_NAN] = { minus, nan },
        [INFINITIES] = { infinity, minus },
        [OVERFLOW] = { most, most },
    };
    plant->turn = turn;
    memcpy(plant->bits, bits[turn], sizeof plant->bits);
}

/* What says that it spreads them has to show it, but not at every place: some
 * spread them in a tile, which they may stand at the end of. */
enum { SPREAD_LEAST_AXIS = 64, SPREAD_TRIES = 8 };

/* As a mask may keep nothing of a line. */
enum { LINES_TRIED = 8 };

/* False, where the cell is not asked: there is no other line, or no room for
 * both, wherever from `shift` on. */
static bool plan(const struct cell *cell, const struct problem *p, int shift,
                 struct plant *plant)
{
    const int64_t lines = shape_lines(p->shape), axis = p->shape.axis;
    const int64_t elems = shape_elems(p->shape);
    const bool spreads = cell->variant->spreads_nonfinite;
    if (!(op_is_scan(p->op) || p->op == OP_SUM) || stress_any(&cell->stress) ||
        lines < 1 || elems > NONFINITE_MOST_ELEMS ||
        (elems > NONFINITE_SMALL_ELEMS && axis < NONFINITE_SMALL_ELEMS) ||
        (spreads && (lines < 2 || axis < SPREAD_LEAST_AXIS)))
        return false;
    for (int64_t k = lines / 2; k < lines && k < lines / 2 + LINES_TRIED; ++k) {
        plant->line = k;
        plant->first = kept_step(p, k, axis / 3 + shift);
        plant->second = kept_step(p, k, plant->first + axis / 3 + 1);
        if (plant->second < axis)
            return true;
    }
    return false;
}

/* Writes the bits to the input, and what was there to `before` (8 bytes). */
static const char *plant_bits(const struct problem *p,
                              const struct device *device, int64_t index,
                              const uint64_t *bits, void *before)
{
    const size_t bytes = dtype_bytes(p->dtype);
    char *place = (char *)p->in + (size_t)index * bytes;
    const char *why = device->copy(before, place, bytes);
    return why ? why : device->copy(place, bits, bytes);
}

static const char *put_back(const struct problem *p,
                            const struct device *device, int64_t index,
                            const void *before)
{
    const size_t bytes = dtype_bytes(p->dtype);
    return device->copy((char *)p->in + (size_t)index * bytes, before, bytes);
}

static const char *launch(const struct cell *cell, const struct problem *p,
                          const struct device *device, void *out, size_t bytes)
{
    const char *why = buffers_poison(p, cell, device);
    if (!why)
        why = device->launch(cell->variant, p);
    if (!why)
        why = buffers_settle(p, cell, device);
    return why ? why : device->copy(out, p->out, bytes);
}

static const char *launch_planted(const struct cell *cell,
                                  const struct problem *p,
                                  const struct device *device,
                                  struct plant *plant, void *out, size_t bytes)
{
    uint64_t first = 0, second = 0;
    const int64_t at = step_index(p, plant->line, plant->first);
    const int64_t behind = step_index(p, plant->line, plant->second);
    const char *why = plant_bits(p, device, at, &plant->bits[0], &first);
    plant->was = dtype_value(p->dtype, first);
    if (!why)
        why = plant_bits(p, device, behind, &plant->bits[1], &second);
    if (!why)
        why = launch(cell, p, device, out, bytes);
    if (!why)
        why = put_back(p, device, at, &first);
    return why ? why : put_back(p, device, behind, &second);
}

/* Steps of the planted line, from its first on, that output element e depends
 * on; 0 for other lines'. */
static int64_t reach_of(const struct problem *p, const struct plant *plant,
                        int64_t e)
{
    const struct shape s = p->shape;
    if (p->op == OP_SUM)
        return e == plant->line ? s.axis : 0;
    const int64_t a = e / s.inner % s.axis;
    if (e / s.inner / s.axis * s.inner + e % s.inner != plant->line)
        return 0;
    const int64_t step = p->op == OP_CUMSUM_REVERSE ? s.axis - 1 - a : a;
    return p->op == OP_CUMSUM_EXCLUSIVE ? step : step + 1;
}

/* Where the first one counts, and where both do. Of the largest number, the
 * sum with what else there is, which is exact or far below its last digit, is
 * rounded once. */
static const char *wrong_behind_one(const struct problem *p,
                                    const struct plant *plant, double clean,
                                    double y)
{
    const double value = dtype_value(p->dtype, plant->bits[0]);
    if (plant->turn != OVERFLOW)
        return y == value  ? NULL
               : value < 0 ? "is not -infinite behind -infinity"
                           : "is not infinite behind an infinity";
    const double sum = value + (clean - plant->was);
    return y == dtype_value(p->dtype, dtype_bits(p->dtype, sum))
               ? NULL
               : "is not the largest number, or what it comes to";
}

/* Any NaN is right. */
static const char *wrong_behind_both(const struct problem *p,
                                     const struct plant *plant, double y)
{
    if (plant->turn == OVERFLOW)
        return y == INFINITY ? NULL : "is not infinite, though it overflows";
    if (isnan(y))
        return NULL;
    if (plant->turn == INFINITIES)
        return "is no NaN behind inf - inf";
    for (unsigned k = 0; k < NANS; ++k)
        if (plant->bits[1] == input_nonfinite(p->dtype, FIRST_NAN + k))
            return no_nan_behind[k];
    return "is no NaN behind a NaN";
}

/* What is wrong with element e, or NULL. */
static const char *wrong_at(const struct problem *p, const struct plant *plant,
                            const char *clean, const char *out, int64_t e)
{
    const int64_t reach = reach_of(p, plant, e);
    const size_t bytes = dtype_bytes(p->dtype), at = (size_t)e * bytes;
    const double y = dtype_load(p->dtype, out, e);
    if (reach > plant->second)
        return wrong_behind_both(p, plant, y);
    if (reach > plant->first)
        return wrong_behind_one(p, plant, dtype_load(p->dtype, clean, e), y);
    return memcmp(clean + at, out + at, bytes) != 0
               ? "does not depend on them, and changed"
               : NULL;
}

/* Launches with them planted: the first element that is wrong. */
static const char *look(const struct cell *cell, const struct problem *problem,
                        const struct device *device, struct plant *plant,
                        const char *clean, char *out,
                        struct containment *containment)
{
    const int64_t elems = op_out_elems(cell->op, cell->shape);
    const size_t bytes =
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape);
    const char *why = launch_planted(cell, problem, device, plant, out, bytes);
    *containment = (struct containment){ .what = turn_names[plant->turn],
                                         .line = plant->line,
                                         .elem = -1 };
    for (int64_t e = 0; e < elems && !why && !containment->why; ++e) {
        containment->why = wrong_at(problem, plant, clean, out, e);
        containment->elem = containment->why ? e : -1;
    }
    return why;
}

/* Of what says that it spreads them: one place where it does is enough. */
static const char *look_for_spread(const struct cell *cell,
                                   const struct problem *problem,
                                   const struct device *device,
                                   const char *clean, char *out,
                                   struct containment *containment)
{
    struct plant plant;
    const char *why = NULL;
    bool spread = false;
    set_bits(&plant, INFINITY_NAN, problem);
    for (int shift = 0; shift < SPREAD_TRIES && !why && !spread; ++shift)
        if (plan(cell, problem, shift, &plant)) {
            why = look(cell, problem, device, &plant, clean, out, containment);
            spread = containment->why;
        }
    containment->elem = -1;
    containment->why =
        spread ? NULL
               : "says that it spreads a NaN and an infinity, and did not";
    return why;
}

/* All turns, or in a large problem the first; of those that are wrong, too. */
static const char *look_at_turns(const struct cell *cell,
                                 const struct problem *problem,
                                 const struct device *device,
                                 struct plant *plant, const char *clean,
                                 char *out, struct containment *containment)
{
    const bool small = shape_elems(problem->shape) <= NONFINITE_SMALL_ELEMS;
    const char *why = NULL;
    for (int turn = 0; turn < (small ? TURNS : 1) && !why; ++turn) {
        set_bits(plant, (enum turn)turn, problem);
        why = look(cell, problem, device, plant, clean, out, containment);
        if (containment->why)
            break;
    }
    return why;
}

const char *nonfinite_launches(const struct cell *cell,
                               const struct problem *problem,
                               const struct device *device,
                               struct containment *containment)
{
    struct plant plant;
    *containment = (struct containment){ .line = -1, .elem = -1 };
    if (!plan(cell, problem, 0, &plant))
        return NULL;
    const size_t bytes =
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape);
    char *clean = malloc(2 * bytes), *out = clean + bytes;
    if (!clean)
        return "no memory for two small outputs";
    const char *why = launch(cell, problem, device, clean, bytes);
    if (!why)
        why = cell->variant->spreads_nonfinite
                  ? look_for_spread(cell, problem, device, clean, out,
                                    containment)
                  : look_at_turns(cell, problem, device, &plant, clean, out,
                                  containment);
    free(clean);
    return why;
}
