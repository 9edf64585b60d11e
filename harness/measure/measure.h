/* SPDX-License-Identifier: MIT
 *
 * Measures cells that share a problem, so that their figures can be compared:
 * each is verified; then they are sampled by turns, in a shuffled order, round
 * after round, so that a drift of the machine meets all of them; then each is
 * verified once more on its last timed launch.
 */
#ifndef HARNESS_MEASURE_MEASURE_H
#define HARNESS_MEASURE_MEASURE_H

#include "harness/measure/worker.h"

/* Where the time went, seconds. */
struct costs {
    double verify_s, sample_s; /* by the clock on the wall */
    double timed_s;            /* of sample_s: inside the timed launches */
    double look_s;             /* of sample_s: looking at what those had left */
    double edition_s; /* of verify_s: launches on another input, at the end */
};

struct measure {
    struct worker *worker;
    double timeout_s; /* a step of a cell */
    double budget_us; /* of sampling a cell, by the host's clock */
    double slow_us;   /* a launch that takes longer is not worth timing */
    uint64_t seed;    /* of the order of sampling */
    uint64_t secret;  /* of all that variants must not foresee: where outputs
                         are poisoned, which samples are looked at, what is
                         changed in the input */
    bool nonfinite;   /* must be contained, too: harness/measure/nonfinite.h */
    int repeats;      /* launches more, compared with the first; 0: none */
    int repeated;     /* cells that had them, and were right in all */
    int cut_short;    /* of them: had fewer, as they took long (repeat.h) */
    int least;        /* of them: launches of the one that had the fewest */
    double empty_us[CACHE_COUNT]; /* an empty kernel's; NaN: unknown */
    struct costs costs;

    /* Told of every cell before its first step, and when all is known of it;
     * each may be NULL. A false stops the measuring. */
    void (*starts)(void *context, const struct cell *cell);
    bool (*done)(void *context, const struct cell *cell,
                 struct outcome *outcome);
    void *context;
};

/* For `secret`: SCANBENCH_SECRET, so that a run can be repeated, or else a
 * number that nobody can foresee. */
uint64_t measure_secret(void);

/* Measures a group. outcomes[k] is what became of cells[k]. False if the
 * device is lost, an interrupt came, or done() said so; cells that done() was
 * told of are finished all the same. */
bool measure_group(struct measure *measure, const struct cell *cells,
                   size_t count, struct outcome *outcomes);

/* The same, again where a worker was lost: of ceilings that have no rows,
 * nobody would know. */
bool measure_probes(struct measure *measure, const struct cell *cells,
                    size_t count, struct outcome *outcomes);

/* Times an empty kernel in both cache states; again where a worker was lost,
 * and false, and said so, if that goes on. */
bool measure_empty(struct measure *measure);

/* How fast additions go in registers; the same. */
bool measure_roof(struct measure *measure, enum dtype dtype, double *gflops);

#endif
