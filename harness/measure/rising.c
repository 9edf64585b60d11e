/* SPDX-License-Identifier: MIT
 *
 * Tests CONTRACT_MONOTONE: that an element >= 0 never lowers a cumulative sum,
 * that one <= 0 never raises it, and so zeros leave it unchanged.
 */
#include "harness/measure/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger problems are not tested, because every element is read back. */
enum { MOST_ELEMS = 1 << 22 };

/* The input whose mask is used; fill() replaces its elements. */
static const struct input exact = { INPUT_EXACT, 0 };

/* Lines in turn: exponentials, as of a softmax; a large head, behind which each
 * element is at most half a unit of the sum's last place; subnormals, behind a
 * normal number in half of the lines; numbers of both signs between runs of
 * zeros. */
enum rising { SOFTMAX, HEAD_AND_TAIL, SUBNORMALS, ZERO_RUNS, RISINGS };

/* The length counts, so that single lines have all kinds. */
static enum rising kind_of(const struct problem *p, int64_t line)
{
    return (enum rising)((line + p->shape.axis) % RISINGS);
}

/* Returns a power of two below u/4, down to the smallest subnormal, the same
 * for 32 steps. */
static double deep(const struct problem *p, int64_t step)
{
    const double least = dtype_value(p->dtype, 1);
    const int exponents = ilogb(dtype_roundoff(p->dtype) / least) - 2;
    const uint64_t hash = split_mix_hash((uint64_t)step >> 5);
    return ldexp(least, (int)(hash % (uint64_t)exponents));
}

/* Returns element `step` of a line in walk order. */
static double element(const struct problem *p, enum rising kind, int64_t axis,
                      int64_t step, uint64_t index)
{
    const double u = dtype_roundoff(p->dtype);
    const uint64_t hash = split_mix_hash(index ^ 0x726973696e67u);
    const double part = 1 + (double)(hash >> 40) * 0x1p-24;    /* [1, 2) */
    const double small = 0x1p-24 * (double)(1 << (hash & 15)); /* to 2^-9 */
    switch (kind) {
    case SOFTMAX:
        return part / (double)axis * small;
    case HEAD_AND_TAIL: /* runs of tails in turn with ties that `deep` breaks */
        return step == 0       ? 1
               : step >> 7 & 1 ? part * u / 4 * (1 - (double)(hash & 7) / 8)
               : hash & 7      ? deep(p, step)
                               : u;
    case SUBNORMALS:
        return step == 0 && hash & 8
                   ? dtype_value(p->dtype, 1) / (2 * u) /* the least normal */
                   : (double)(hash % 8) * dtype_value(p->dtype, 1);
    default:
        return (step >> 5) % 3 == 1 ? 0
               : hash & 1           ? part
                                    : -part * (double)(hash >> 1 & 1);
    }
}

static void fill(const struct problem *p, void *in)
{
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        const struct input_line l = verify_line(p, exact, line);
        for (int64_t step = 0; step < l.axis; ++step) {
            const int64_t a = op_is_reverse(p->op) ? l.axis - 1 - step : step;
            const uint64_t index = input_index(l, a);
            dtype_store(p->dtype, in, (int64_t)index,
                        element(p, kind_of(p, line), l.axis, step, index));
        }
    }
}

/* Returns the number of outputs of a line that are not monotone, and sets
 * *first to the first of them if *first is negative. */
static int64_t falls(const struct problem *p, struct input_line l,
                     const void *in, const void *out, int64_t *first)
{
    const bool reverse = op_is_reverse(p->op);
    int64_t count = 0;
    for (int64_t step = 1; step < l.axis; ++step) {
        const int64_t a = reverse ? l.axis - 1 - step : step;
        const int64_t before = reverse ? a + 1 : a - 1;
        const int64_t from = op_is_exclusive(p->op) ? before : a;
        const int64_t index = (int64_t)input_index(l, a);
        const uint64_t added = input_index(l, from);
        const double x = l.masked && !input_mask(l, from, added)
                             ? 0
                             : dtype_load(p->dtype, in, (int64_t)added);
        const double y = dtype_load(p->dtype, out, index);
        const double last =
            dtype_load(p->dtype, out, (int64_t)input_index(l, before));
        if (x > 0 ? y >= last : x < 0 ? y <= last : y == last)
            continue;
        *first = *first < 0 ? index : *first;
        ++count;
    }
    return count;
}

/* Judges the outputs; of subnormals only those of variants that keep them. */
static void judge(struct job_run *run, const void *in, const void *out)
{
    static const char *const names[] = { "exponentials", "a head and its tail",
                                         "subnormals", "runs of zeros" };
    const struct problem *p = &run->buffers.problems[0];
    const bool loses = run->cell->variant->loses_subnormals;
    int64_t count = 0, first = -1;
    const char *over = NULL;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        const enum rising kind = kind_of(p, line);
        if (kind != SUBNORMALS || !loses)
            count += falls(p, verify_line(p, exact, line), in, out, &first);
        over = over || first < 0 ? over : names[kind];
    }
    if (!over)
        return;
    run->report->status = STATUS_WRONG;
    snprintf(run->report->reason, REASON_BYTES,
             "should be monotone, but %lld of %lld elements are not; the first "
             "is %lld, %.9g, over %s",
             (long long)count, (long long)shape_elems(p->shape),
             (long long)first, dtype_load(p->dtype, out, first), over);
}

void job_rise(struct job_run *run)
{
    const struct problem *p = &run->buffers.problems[0];
    const int64_t elems = shape_elems(p->shape);
    if (run->report->status != STATUS_OK ||
        !cell_promises(run->cell, CONTRACT_MONOTONE) || !op_is_scan(p->op) ||
        !op_adds(p->op) || !dtype_is_float(p->dtype) || elems > MOST_ELEMS)
        return;
    const size_t bytes = (size_t)elems * dtype_bytes(p->dtype);
    char *in = malloc(2 * bytes), *out = in + bytes;
    const char *why = "no memory for copies";
    if (in) {
        fill(p, in);
        why = run->device->copy((void *)p->in, in, bytes);
    }
    if (job_device_ok(run, why) && job_output(run, out))
        judge(run, in, out);
    free(in);
    buffers_forget();
    if (run->report->status == STATUS_OK)
        job_guards_intact(run, p, "on rising sums");
}
