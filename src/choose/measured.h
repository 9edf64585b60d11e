/* SPDX-License-Identifier: MIT
 *
 * The cells of `best` and of torch that were measured on a GPU, and the share
 * of the ceiling to expect of `best` at another shape: the median of the
 * nearest shapes. Only unseen shapes count, to which no rule was
 * fitted, or rules would look better than they are. The error of such a median
 * follows from the unseen shapes themselves, each judged by the others.
 */
#pragma once

#include "src/runs/ceiling.h"

struct measured_cell {
    char set[16]; /* "unseen", "known", "torch_eager" or "torch_compile" */
    enum op op;
    enum dtype dtype;
    struct shape shape;
    double us, share_pct;
    double regret_pct; /* NaN if no other variant was timed */
    char fastest[64];  /* variant */
};

/* Starts as { 0 }. */
struct measured {
    char gpu[128];
    int capability, sm_count;  /* 90 for 9.0 */
    double bus_gbps, least_us; /* of all probes, so mostly a launch */
    struct measured_cell *cell;
    size_t count;
    struct ceilings ceilings;
};

/* Reads a text that proof/pages.py writes. False if a line is wrong. */
bool measured_parse(struct measured *measured, const char *text);
void measured_free(struct measured *measured);

enum { MEASURED_NEAR = 5 };
struct measured_near {
    const struct measured_cell *cell;
    double octaves;
};

/* The distance of the extents, as a vector's length; another kind of lengths is
 * an octave away. */
double measured_octaves(struct shape left, struct shape right);

/* Finds the nearest cells of some sets ("unseen known") of the operation, type
 * and kind of lines (contiguous, strided; ragged or not). Returns their number;
 * a NULL cell ends them. */
size_t measured_nearest(const struct measured *measured, const char *sets,
                        enum op op, enum dtype dtype, struct shape shape,
                        struct measured_near near[MEASURED_NEAR]);

/* Unknown numbers are NaN; us is at least the shortest probe's. */
struct expectation {
    double share_pct, us;
    double octaves; /* to the nearest unseen shape */
    /* Unseen shapes of the operation and class of shapes, and limits that nine
     * in ten of them meet: of the error of share_pct, of the regret of `best`,
     * and of the distance to the nearest other. */
    size_t shapes;
    double error_points, regret_pct, usual_octaves;
};

struct expectation measured_expect(const struct measured *measured, enum op op,
                                   enum dtype dtype, struct shape shape);
