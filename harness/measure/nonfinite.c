/* SPDX-License-Identifier: MIT
 *
 * Tests that NaNs, infinities and overflows follow IEEE 754, and that they stay
 * in their line, at and after their position.
 */
#include "harness/measure/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger problems are not tested, because every element is read back. Between
 * the two sizes, only an infinity and a NaN are tested, in long lines. */
enum { SMALL_ELEMS = 1 << 16, MOST_ELEMS = 1 << 19 };

/* Two values are planted in a line, the second after the first. In OVERFLOW,
 * both are the largest number, whose sum is infinite. */
enum plant_kind {
    INFINITY_NAN,
    MINUS_INFINITY_NAN,
    INFINITIES,
    OVERFLOW,
    PLANT_KINDS
};

static const char *const plant_names[PLANT_KINDS] = {
    [INFINITY_NAN] = "an infinity and a NaN",
    [MINUS_INFINITY_NAN] = "-infinity and a NaN",
    [INFINITIES] = "an infinity and -infinity",
    [OVERFLOW] = "twice the largest number",
};

/* The NaNs among input_nonfinite(). A hash of the problem chooses two of them,
 * one for each kind of plant that has a NaN. */
enum { FIRST_NAN = 2, NANS = 6 };

/* The line, and the steps in the order of the scan, of the planted values. */
struct plant {
    enum plant_kind kind;
    int64_t line, first, second;
    uint64_t bits[2];
    double was; /* the element that the first value replaced */
};

/* Returns the index of the element at a step of the line. */
static int64_t step_index(const struct problem *p, int64_t line, int64_t step)
{
    const struct shape s = p->shape;
    const int64_t a = op_is_reverse(p->op) ? s.axis - 1 - step : step;
    return (line / s.inner * s.axis + a) * s.inner + line % s.inner;
}

/* Returns the first step from `step` on that a mask keeps, or the axis. */
static int64_t kept_step(const struct problem *p, int64_t line, int64_t step)
{
    const struct input_line l =
        input_line_of((struct input){ INPUT_EXACT, 0 }, p->dtype,
                      op_has_mask(p->op), p->shape, line);
    const int64_t axis = p->shape.axis;
    for (; l.masked && step < axis; ++step) {
        const int64_t a = op_is_reverse(p->op) ? axis - 1 - step : step;
        if (input_mask(l, a, input_index(l, a)))
            break;
    }
    return step;
}

static uint64_t nan_bits(const struct problem *p, enum plant_kind kind)
{
    const struct shape s = p->shape;
    uint64_t hash = split_mix_hash((uint64_t)p->dtype << 32 | (uint64_t)p->op);
    hash = split_mix_hash(hash ^ (uint64_t)s.outer);
    hash = split_mix_hash(hash ^ (uint64_t)s.axis);
    hash = split_mix_hash(hash ^ (uint64_t)s.inner);
    const unsigned which = (unsigned)(hash >> 32) % NANS;
    return input_nonfinite(
        p->dtype,
        FIRST_NAN + (kind == INFINITY_NAN ? which : (which + NANS / 2) % NANS));
}

static void set_bits(struct plant *plant, enum plant_kind kind,
                     const struct problem *p)
{
    const uint64_t infinity = input_nonfinite(p->dtype, 0);
    const uint64_t minus = input_nonfinite(p->dtype, 1);
    const uint64_t most = dtype_bits(p->dtype, dtype_max(p->dtype));
    const uint64_t nan = nan_bits(p, kind);
    const uint64_t bits[PLANT_KINDS][2] = {
        [INFINITY_NAN] = { infinity, nan },
        [MINUS_INFINITY_NAN] = { minus, nan },
        [INFINITIES] = { infinity, minus },
        [OVERFLOW] = { most, most },
    };
    plant->kind = kind;
    memcpy(plant->bits, bits[kind], sizeof plant->bits);
}

/* A variant that declares spreads_nonfinite must spread a NaN from at least one
 * of these places: some spread it within a tile only, which may end there. */
enum { SPREAD_LEAST_AXIS = 64, SPREAD_TRIES = 8 };

/* Lines tried, because a mask may keep nothing of a line. */
enum { LINES_TRIED = 8 };

/* Chooses line and steps, `shift` steps further. False if the cell is not
 * tested, or no line has room for both values. */
static bool plan(const struct cell *cell, const struct problem *p, int shift,
                 struct plant *plant)
{
    const int64_t lines = shape_lines(p->shape), axis = p->shape.axis;
    const int64_t elems = shape_elems(p->shape);
    const bool spreads = cell->variant->spreads_nonfinite;
    if (!op_rounds(p->op, p->dtype) || !job_has_same_bits(cell) ||
        stress_any(&cell->stress) || lines < 1 || elems > MOST_ELEMS ||
        (elems > SMALL_ELEMS && axis < SMALL_ELEMS) ||
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

/* Replaces an element of the input, and puts the former one into `before`. */
static const char *replace(const struct job_run *run, int64_t index,
                           const uint64_t *bits, void *before)
{
    const struct problem *p = &run->buffers.problems[0];
    const size_t bytes = dtype_bytes(p->dtype);
    char *place = (char *)p->in + (size_t)index * bytes;
    const char *why = before ? run->device->copy(before, place, bytes) : NULL;
    return why ? why : run->device->copy(place, bits, bytes);
}

static const char *launch(const struct job_run *run, void *out, size_t bytes)
{
    const struct problem *p = &run->buffers.problems[0];
    const char *why = buffers_poison(&run->buffers, p);
    if (!why)
        why = run->device->launch(run->cell->variant, p);
    if (!why)
        why = buffers_settle(&run->buffers, p);
    return why ? why : run->device->copy(out, p->out, bytes);
}

static const char *launch_planted(const struct job_run *run,
                                  struct plant *plant, void *out, size_t bytes)
{
    const struct problem *p = &run->buffers.problems[0];
    uint64_t first = 0, second = 0;
    const int64_t at = step_index(p, plant->line, plant->first);
    const int64_t behind = step_index(p, plant->line, plant->second);
    const char *why = replace(run, at, &plant->bits[0], &first);
    plant->was = dtype_value(p->dtype, first);
    if (!why)
        why = replace(run, behind, &plant->bits[1], &second);
    if (!why)
        why = launch(run, out, bytes);
    if (!why)
        why = replace(run, at, &first, NULL);
    return why ? why : replace(run, behind, &second, NULL);
}

/* Returns how many steps of the planted line output element e depends on; 0 for
 * other lines. */
static int64_t reach_of(const struct problem *p, const struct plant *plant,
                        int64_t e)
{
    const struct shape s = p->shape;
    if (op_is_reduction(p->op))
        return e == plant->line ? s.axis : 0;
    const int64_t a = e / s.inner % s.axis;
    if (e / s.inner / s.axis * s.inner + e % s.inner != plant->line)
        return 0;
    const int64_t step = op_is_reverse(p->op) ? s.axis - 1 - a : a;
    return op_is_exclusive(p->op) ? step : step + 1;
}

/* Returns what is wrong with y after the first value, or NULL. The other
 * elements are exact or far below the last digit of the largest number, so that
 * its sum with them is rounded once. */
static const char *wrong_behind_one(const struct problem *p,
                                    const struct plant *plant, double clean,
                                    double y)
{
    double value = dtype_value(p->dtype, plant->bits[0]);
    if (op_reducer(p->op) == REDUCER_MUL)
        value *= clean * plant->was;
    if (plant->kind != OVERFLOW)
        return y == value  ? NULL
               : value < 0 ? "is not -infinite behind -infinity"
                           : "is not infinite behind an infinity";
    const double sum = value + (clean - plant->was);
    return y == dtype_value(p->dtype, dtype_bits(p->dtype, sum))
               ? NULL
               : "is not the largest number, or what it comes to";
}

/* Returns what is wrong with y after both values, or NULL; any NaN is right. */
static const char *wrong_behind_both(const struct plant *plant, double y)
{
    if (plant->kind == OVERFLOW)
        return y == INFINITY ? NULL : "is not infinite, though it overflows";
    return isnan(y)                    ? NULL
           : plant->kind == INFINITIES ? "is no NaN behind inf - inf"
                                       : "is no NaN behind the NaN";
}

/* Returns what is wrong with element e, or NULL. */
static const char *wrong_at(const struct problem *p, const struct plant *plant,
                            const char *clean, const char *out, int64_t e)
{
    const int64_t reach = reach_of(p, plant, e);
    const size_t bytes = dtype_bytes(p->dtype), at = (size_t)e * bytes;
    const double y = dtype_load(p->dtype, out, e);
    if (reach > plant->second)
        return wrong_behind_both(plant, y);
    if (reach > plant->first)
        return wrong_behind_one(p, plant, dtype_load(p->dtype, clean, e), y);
    return memcmp(clean + at, out + at, bytes) != 0
               ? "does not depend on them, and changed"
               : NULL;
}

/* Outputs without and with planted values. */
struct outputs {
    size_t bytes;
    char *clean, *planted;
};

/* Launches with both values planted. *elem is the first wrong element and
 * *fault the reason; without one, -1 and NULL. False if the device failed. */
static bool judge(struct job_run *run, struct plant *plant,
                  const struct outputs *o, int64_t *elem, const char **fault)
{
    const struct cell *cell = run->cell;
    const int64_t elems = op_out_elems(cell->op, cell->shape);
    *fault = NULL;
    *elem = -1;
    if (!job_device_ok(run, launch_planted(run, plant, o->planted, o->bytes)))
        return false;
    for (int64_t e = 0; e < elems && !*fault; ++e) {
        *fault =
            wrong_at(&run->buffers.problems[0], plant, o->clean, o->planted, e);
        *elem = *fault ? e : -1;
    }
    return true;
}

/* Accepts a variant that spreads them from one place. */
static void test_spread(struct job_run *run, const struct outputs *o)
{
    struct plant plant;
    int64_t elem;
    const char *fault = NULL;
    const struct problem *problem = &run->buffers.problems[0];
    set_bits(&plant, INFINITY_NAN, problem);
    for (int shift = 0; shift < SPREAD_TRIES && !fault; ++shift)
        if (plan(run->cell, problem, shift, &plant) &&
            !judge(run, &plant, o, &elem, &fault))
            return;
    if (!fault)
        job_fail(run, STATUS_WRONG,
                 "declares that it spreads a NaN and an infinity, and did not");
}

/* Returns how many kinds are planted: in a large problem the first, and in
 * other operations than sums those with a NaN. The log of a sum of exponentials
 * does not depend on -infinity. */
static int kinds_of(const struct problem *p)
{
    if (shape_elems(p->shape) > SMALL_ELEMS ||
        op_reducer(p->op) == REDUCER_LOGADDEXP)
        return 1;
    return op_adds(p->op) ? PLANT_KINDS : INFINITIES;
}

/* Tests the kinds, up to one that fails. */
static void test_kinds(struct job_run *run, struct plant *plant,
                       const struct outputs *o)
{
    const struct problem *problem = &run->buffers.problems[0];
    const int kinds = kinds_of(problem);
    int64_t elem;
    const char *fault = NULL;
    for (int kind = 0; kind < kinds; ++kind) {
        set_bits(plant, (enum plant_kind)kind, problem);
        if (!judge(run, plant, o, &elem, &fault))
            return;
        if (!fault)
            continue;
        run->report->status = STATUS_WRONG;
        snprintf(run->report->reason, REASON_BYTES,
                 "%s (%#llx) in line %lld: element %lld %s", plant_names[kind],
                 (unsigned long long)plant->bits[1], (long long)plant->line,
                 (long long)elem, fault);
        return;
    }
}

void job_contain(struct job_run *run)
{
    struct plant plant;
    const struct cell *cell = run->cell;
    const struct problem *problem = &run->buffers.problems[0];
    if (!plan(cell, problem, 0, &plant))
        return;
    const size_t bytes =
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape);
    char *clean = malloc(2 * bytes);
    const struct outputs o = { bytes, clean, clean + bytes };
    if (job_device_ok(run, clean ? launch(run, clean, bytes)
                                 : "no memory for two small outputs")) {
        if (cell->variant->spreads_nonfinite)
            test_spread(run, &o);
        else
            test_kinds(run, &plant, &o);
    }
    free(clean);
    if (run->report->status == STATUS_OK)
        job_guards_intact(run, problem, "on infinities and NaNs");
}
