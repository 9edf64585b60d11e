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
    int64_t line, first, second;
    uint64_t bits[2];
};

static const struct input exact = { INPUT_EXACT, 0 };

/* Returns the index of the element at a step of the line. */
static int64_t step_index(const struct problem *p, int64_t line, int64_t step)
{
    const struct input_line l = verify_line(p, exact, line);
    return (int64_t)input_index(l, op_is_reverse(p->op) ? l.axis - 1 - step
                                                        : step);
}

/* Returns the first step from `step` on that a mask keeps, or the axis. */
static int64_t kept_step(const struct problem *p, int64_t line, int64_t step)
{
    const struct input_line l = verify_line(p, exact, line);
    const int64_t axis = l.axis;
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
    const int64_t lines = shape_lines(p->shape);
    const int64_t most = shape_evened(p->shape).axis;
    const int64_t elems = shape_elems(p->shape);
    const bool spreads = cell->variant->spreads_nonfinite;
    if (!op_rounds(p->op, p->dtype) || !job_has_same_bits(cell) ||
        stress_any(&cell->stress) || lines < 1 || elems > MOST_ELEMS ||
        (elems > SMALL_ELEMS && most < SMALL_ELEMS) ||
        (spreads && (lines < 2 || most < SPREAD_LEAST_AXIS)))
        return false;
    for (int64_t k = lines / 2; k < lines && k < lines / 2 + LINES_TRIED; ++k) {
        const int64_t axis = verify_line(p, exact, k).axis;
        plant->line = k;
        plant->first = kept_step(p, k, axis / 3 + shift);
        plant->second = kept_step(p, k, plant->first + axis / 3 + 1);
        if (plant->second < axis)
            return true;
    }
    return false;
}

/* Replaces an element of the input, or of the second of two, and puts the
 * former one into `before`. */
static const char *replace(const struct job_run *run, int64_t index,
                           const uint64_t *bits, void *before)
{
    const struct problem *p = &run->buffers.problems[0];
    const size_t bytes = dtype_bytes(p->dtype);
    char *place = (char *)(p->in2 ? p->in2 : p->in) + (size_t)index * bytes;
    const char *why = before ? run->device->copy(before, place, bytes) : NULL;
    return why ? why : run->device->copy(place, bits, bytes);
}

static bool launch_planted(struct job_run *run, const struct plant *plant,
                           void *out)
{
    const struct problem *p = &run->buffers.problems[0];
    uint64_t first = 0, second = 0;
    const int64_t at = step_index(p, plant->line, plant->first);
    const int64_t behind = step_index(p, plant->line, plant->second);
    const char *why = replace(run, at, &plant->bits[0], &first);
    if (!why)
        why = replace(run, behind, &plant->bits[1], &second);
    if (!job_device_ok(run, why) || !job_output(run, out))
        return false;
    why = replace(run, at, &first, NULL);
    return job_device_ok(run, why ? why : replace(run, behind, &second, NULL));
}

/* Outputs: without planted values, with them, and as they should be. */
struct outputs {
    size_t bytes;
    char *clean, *planted, *wanted;
};

/* The acc before a line's first step, and after a step whose input, or second
 * input, is `bits`. A recurrence's acc is its state, which is exact on this
 * input. */
static struct op_acc start(const struct problem *p, struct input_line l)
{
    return op_may_start(p->op)
               ? acc_of(verify_start(p, l).b, 0, 0)
               : verify_definition(p->op, p->dtype)->identity(p->dtype);
}

static struct op_acc next(const struct problem *p, struct input_line l,
                          int64_t a, struct op_acc acc, uint64_t bits)
{
    const struct reducer *reducer = verify_definition(p->op, p->dtype);
    if (!op_may_start(p->op))
        return reducer->combine(acc, reducer->lift(p->dtype, bits, a));
    l.second = false;
    const uint64_t by = input_bits(p->dtype, l, a, input_index(l, a));
    return acc_of(dtype_value(p->dtype, by) * acc_word(acc, 0) +
                      dtype_value(p->dtype, bits),
                  0, 0);
}

/* Makes the wanted outputs: those without planted values and, of the planted
 * line from the first value on, those of the definition. */
static void want(const struct problem *p, const struct plant *plant,
                 const struct outputs *o)
{
    const struct reducer *reducer = verify_definition(p->op, p->dtype);
    const bool reduces = op_is_reduction(p->op);
    const bool exclusive = op_is_exclusive(p->op);
    struct input_line l = verify_line(p, exact, plant->line);
    const int64_t axis = l.axis;
    const int64_t first = reduces ? axis - 1 : plant->first + exclusive;
    l.second = l.two;
    struct op_acc acc = start(p, l);
    memcpy(o->wanted, o->clean, o->bytes);
    for (int64_t step = 0; step < axis; ++step) {
        const int64_t a = op_is_reverse(p->op) ? axis - 1 - step : step;
        const uint64_t index = input_index(l, a);
        const struct op_acc before = acc;
        uint64_t bits = input_bits(p->dtype, l, a, index);
        if (step == plant->first || step == plant->second)
            bits = plant->bits[step == plant->second];
        if (!l.masked || input_mask(l, a, index))
            acc = next(p, l, a, acc, bits);
        bits = reducer->lower(p->dtype, exclusive ? before : acc, step + 1);
        if (step >= first)
            dtype_store(p->dtype, o->wanted,
                        reduces ? plant->line : (int64_t)index,
                        dtype_value(p->dtype, bits));
    }
}

/* True if an output is right; NaNs are equal. If rounding allows several finite
 * results, those before the plant may change, by twice the error of each. */
static bool is_right(const struct cell *cell, double found, double wanted,
                     double roundings)
{
    if (found == wanted || (isnan(found) && isnan(wanted)))
        return true;
    return isfinite(wanted) && !op_has_one_result(cell->op, cell->dtype) &&
           rounding_error(cell->dtype, false, found, wanted,
                          output_rounding(cell->dtype, wanted),
                          fmax(1, fabs(wanted))) <= 2 * roundings;
}

/* Launches with both planted. *elem becomes the first wrong one, or -1. */
static bool judge(struct job_run *run, const struct plant *plant,
                  const struct outputs *o, int64_t *elem)
{
    const struct cell *cell = run->cell;
    const int64_t elems = op_out_elems(cell->op, cell->shape);
    *elem = -1;
    if (!launch_planted(run, plant, o->planted))
        return false;
    want(&run->buffers.problems[0], plant, o);
    const double roundings =
        verify_allowed(&run->buffers.problems[0], cell->variant, INPUT_EXACT);
    for (int64_t e = 0; e < elems && *elem < 0; ++e) {
        const double found = dtype_load(cell->dtype, o->planted, e);
        const double wanted = dtype_load(cell->dtype, o->wanted, e);
        if (!is_right(cell, found, wanted, roundings))
            *elem = e;
    }
    return true;
}

/* Accepts a variant that spreads them from one place. */
static void test_spread(struct job_run *run, const struct outputs *o)
{
    struct plant plant;
    int64_t elem = -1;
    const struct problem *problem = &run->buffers.problems[0];
    set_bits(&plant, INFINITY_NAN, problem);
    for (int shift = 0; shift < SPREAD_TRIES && elem < 0; ++shift)
        if (plan(run->cell, problem, shift, &plant) &&
            !judge(run, &plant, o, &elem))
            return;
    if (elem < 0)
        job_fail(run, STATUS_WRONG,
                 "declares that it spreads a NaN and an infinity, and did not");
}

/* Tests the kinds, up to one that fails. */
static void test_kinds(struct job_run *run, struct plant *plant,
                       const struct outputs *o)
{
    const struct problem *problem = &run->buffers.problems[0];
    /* A large problem, or log of a sum, gets only the first. */
    const int kinds = shape_elems(problem->shape) > SMALL_ELEMS ||
                              !op_has_one_result(problem->op, problem->dtype)
                          ? 1
                      : op_adds(problem->op) ? PLANT_KINDS
                                             : INFINITIES;
    int64_t elem = -1;
    for (int kind = 0; kind < kinds && elem < 0; ++kind) {
        set_bits(plant, (enum plant_kind)kind, problem);
        if (!judge(run, plant, o, &elem))
            return;
        if (elem < 0)
            continue;
        run->report->status = STATUS_WRONG;
        snprintf(run->report->reason, REASON_BYTES,
                 "%s (%#llx) in line %lld: element %lld is %g, not %g",
                 plant_names[kind], (unsigned long long)plant->bits[1],
                 (long long)plant->line, (long long)elem,
                 dtype_load(problem->dtype, o->planted, elem),
                 dtype_load(problem->dtype, o->wanted, elem));
    }
}

void job_contain(struct job_run *run)
{
    struct plant plant;
    const struct cell *cell = run->cell;
    const struct problem *problem = &run->buffers.problems[0];
    if (!plan(cell, problem, 0, &plant))
        return;
    const size_t bytes = run->buffers.out_bytes;
    char *clean = malloc(3 * bytes);
    const struct outputs o = { bytes, clean, clean + bytes, clean + 2 * bytes };
    if (job_device_ok(run, clean ? NULL : "no memory for three outputs") &&
        job_output(run, clean)) {
        if (cell->variant->spreads_nonfinite)
            test_spread(run, &o);
        else
            test_kinds(run, &plant, &o);
    }
    free(clean);
    if (run->report->status == STATUS_OK)
        job_guards_intact(run, problem, "on infinities and NaNs");
}
