/* SPDX-License-Identifier: MIT */
#include "src/choose/measured.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/base/memory.h"
#include "src/base/stats.h"

/* ----------------------------------------------------------------- reading */

static void add_ceiling(struct measured *measured,
                        const struct measured_cell *cell)
{
    struct ceiling line = ceiling_unknown();
    line.twin = (int)cell->op;
    line.dtype = cell->dtype;
    line.cache = CACHE_COLD;
    line.process = 0;
    line.elems = shape_elems(cell->shape);
    line.bytes = op_bytes(cell->op, cell->dtype, cell->shape);
    line.gbps = (double)line.bytes / (cell->us * 1e3);
    if (!measured->ceilings.count || cell->us < measured->least_us)
        measured->least_us = cell->us;
    ceilings_add(&measured->ceilings, &line);
}

static bool take_line(struct measured *measured, const char *line)
{
    struct measured_cell cell = { .shape = { 0 } };
    struct shape *s = &cell.shape;
    char op[OP_NAME_BYTES], dtype[16], lines[SHAPE_TEXT_BYTES] = "";
    if (sscanf(line,
               "%15[^,],%63[^,],%15[^,],%" SCNd64 ",%" SCNd64 ",%" SCNd64
               ",%lf,%lf,%lf,%63[^,\n],%127[^\n]",
               cell.set, op, dtype, &s->outer, &s->axis, &s->inner, &cell.us,
               &cell.share_pct, &cell.regret_pct, cell.fastest, lines) < 10 ||
        !op_parse(op, &cell.op) || !dtype_parse(dtype, &cell.dtype) ||
        !lines_parse(lines, &s->lines))
        return false;
    if (strcmp(cell.set, "ceiling") == 0) {
        add_ceiling(measured, &cell);
        return true;
    }
    measured->cell = memory_more(measured->cell, measured->count, sizeof cell);
    measured->cell[measured->count++] = cell;
    return true;
}

bool measured_parse(struct measured *measured, const char *text)
{
    int minor = 0;
    bool ok = sscanf(text, "gpu,%127[^,],%d.%d,%d,%lf", measured->gpu,
                     &measured->capability, &minor, &measured->sm_count,
                     &measured->bus_gbps) == 5;
    measured->capability = 10 * measured->capability + minor;
    while (ok && (text = strchr(text, '\n')) && *++text)
        ok = take_line(measured, text);
    ceilings_sort(&measured->ceilings);
    return ok;
}

void measured_free(struct measured *measured)
{
    ceilings_free(&measured->ceilings);
    free(measured->cell);
    *measured = (struct measured){ 0 };
}

/* ------------------------------------------------------------- expectation */

double measured_octaves(struct shape left, struct shape right)
{
    const double kinds = left.lines.kind != right.lines.kind;
    left = shape_evened(left), right = shape_evened(right);
    return hypot(hypot(log2((double)left.outer / (double)right.outer),
                       log2((double)left.axis / (double)right.axis)),
                 hypot(log2((double)left.inner / (double)right.inner), kinds));
}

size_t measured_nearest(const struct measured *measured, const char *sets,
                        enum op op, enum dtype dtype, struct shape shape,
                        struct measured_near near[MEASURED_NEAR])
{
    size_t count = 0;
    memset(near, 0, MEASURED_NEAR * sizeof *near);
    for (size_t k = 0; k < measured->count; ++k) {
        const struct measured_cell *cell = &measured->cell[k];
        if (!strstr(sets, cell->set) || cell->op != op ||
            cell->dtype != dtype ||
            shape_is_ragged(cell->shape) != shape_is_ragged(shape) ||
            (cell->shape.inner > 1) != (shape.inner > 1))
            continue;
        const double octaves = measured_octaves(shape, cell->shape);
        size_t place = count;
        while (place > 0 && octaves < near[place - 1].octaves)
            --place;
        if (place == MEASURED_NEAR)
            continue;
        count += count < MEASURED_NEAR;
        memmove(&near[place + 1], &near[place],
                (count - 1 - place) * sizeof *near);
        near[place] = (struct measured_near){ cell, octaves };
    }
    return count;
}

static double quantile(double *values, size_t count, double fraction)
{
    qsort(values, count, sizeof *values, stats_ascending);
    return count ? stats_quantile(values, count, fraction) : NAN;
}

/* The median share of the nearest unseen shapes, and the distance to the first
 * of them. The shape itself is left out, as it would predict itself. */
static double share_near(const struct measured *measured, enum op op,
                         enum dtype dtype, struct shape shape, double *octaves)
{
    struct measured_near near[MEASURED_NEAR];
    double share[MEASURED_NEAR];
    const size_t all =
        measured_nearest(measured, "unseen", op, dtype, shape, near);
    size_t count = 0;
    *octaves = INFINITY;
    for (size_t k = 0; k < all; ++k)
        if (near[k].octaves > 0) {
            *octaves = fmin(*octaves, near[k].octaves);
            share[count++] = near[k].cell->share_pct;
        }
    return quantile(share, count, 0.5);
}

/* Judges each unseen shape of the operation and class by the others. */
static void judge(const struct measured *measured, enum op op,
                  enum shape_class class, struct expectation *expected)
{
    double *error = memory_for(3 * measured->count, sizeof *error);
    double *regret = error + measured->count;
    double *octaves = regret + measured->count;
    size_t count = 0, rivals = 0;
    for (size_t k = 0; k < measured->count; ++k) {
        const struct measured_cell *cell = &measured->cell[k];
        if (strcmp(cell->set, "unseen") != 0 || cell->op != op ||
            shape_class_of(cell->shape) != class)
            continue;
        const double share =
            share_near(measured, op, cell->dtype, cell->shape, &octaves[count]);
        error[count] = fabs(share - cell->share_pct);
        count += isfinite(share);
        regret[rivals] = cell->regret_pct;
        rivals += isfinite(share) && !isnan(cell->regret_pct);
    }
    expected->shapes = count;
    expected->error_points = quantile(error, count, 0.9);
    expected->regret_pct = quantile(regret, rivals, 0.9);
    expected->usual_octaves = quantile(octaves, count, 0.9);
    free(error);
}

struct expectation measured_expect(const struct measured *measured, enum op op,
                                   enum dtype dtype, struct shape shape)
{
    const struct ceiling like = { .dtype = dtype, .cache = CACHE_COLD };
    const double gbps = ceiling_gbps(&measured->ceilings, &like, op, shape);
    struct expectation expected;
    expected.share_pct =
        share_near(measured, op, dtype, shape, &expected.octaves);
    expected.us = gbps > 0
                      ? fmax((double)op_bytes(op, dtype, shape) / (gbps * 1e3),
                             measured->least_us) *
                            100 / expected.share_pct
                      : NAN;
    judge(measured, op, shape_class_of(shape), &expected);
    return expected;
}
