/* SPDX-License-Identifier: MIT
 *
 * Measures cells that share a problem, so that their figures can be compared:
 * each is verified; then all are sampled in rounds, in a shuffled order, so
 * that a drift of the machine affects all of them; then each is verified once
 * more, on a changed input.
 */
#pragma once

#include "harness/measure/worker.h"

/* Wall time spent, seconds. */
struct costs {
    double verify_s, sample_s;
    double timed_s;         /* part of sample_s in the timed launches */
    double check_s;         /* part of sample_s in canaries and output checks */
    double changed_input_s; /* part of verify_s on the changed input */
};

struct measure {
    struct worker *worker;
    double timeout_s;    /* a step of a cell */
    double budget_us;    /* of sampling a cell, by the host's clock */
    double slow_us;      /* longest launch that is timed */
    uint64_t seed;       /* seed of the order of sampling */
    uint64_t check_seed; /* seed of all that variants must not foresee: places
                            of canaries, samples that are checked, changes of
                            the input */
    bool nonfinite;      /* with the tests of harness/measure/nonfinite.c */
    int repeats;         /* further launches that are compared with the first */
    int repeated;        /* repeated cells that were right */
    int cut_short;       /* those with fewer launches (REPEAT_ENOUGH_S) */
    int least;           /* fewest launches of any */
    double empty_us[CACHE_COUNT]; /* time of an empty kernel, or NaN */
    struct costs costs;

    /* Called for every cell before its first step and with its outcome; either
     * may be NULL. False stops the measuring. */
    void (*starts)(void *context, const struct cell *cell);
    bool (*done)(void *context, const struct cell *cell,
                 struct outcome *outcome);
    void *context;
};

/* For `check_seed`: SCANBENCH_CHECK_SEED, so that a run can be repeated, or
 * else a number that nobody can foresee. */
uint64_t measure_check_seed(void);

/* Measures a group; outcomes[k] is cells[k]'s. False if the device is lost,
 * after an interrupt, or if done() returned false; its cells are finished. */
bool measure_group(struct measure *measure, const struct cell *cells,
                   size_t count, struct outcome *outcomes);

/* The same, repeated if a worker was lost: no row shows the loss. */
bool measure_probes(struct measure *measure, const struct cell *cells,
                    size_t count, struct outcome *outcomes);

/* Times an empty kernel in all cache states, repeated if a worker was lost;
 * false, with a message, if it cannot be timed. */
bool measure_empty(struct measure *measure);

/* Measures the rate of additions in registers, likewise. */
bool measure_roof(struct measure *measure, enum dtype dtype, double *gflops);
