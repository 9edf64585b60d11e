/* SPDX-License-Identifier: MIT
 *
 * A cell: one variant on one op, dtype, shape and cache state. What it is, and
 * what became of it.
 */
#ifndef HARNESS_CELL_H
#define HARNESS_CELL_H

#include "harness/device/device.h"
#include "src/runs/row.h"
#include "src/base/stats.h"

enum { REASON_BYTES = 200, MARKS_BYTES = 96 };

/* Elements that the pointers of a problem are moved off their alignment by. */
struct offsets {
    int all;
    int out, mask; /* beyond that, these alone */
};

struct cell {
    const struct variant *variant;
    enum op op;
    enum dtype dtype;
    struct shape shape;
    enum cache cache;
    struct offsets offset;
    bool timed;           /* or only verified */
    bool asked;           /* for by the user: no ceiling's probe alone */
    struct stress stress; /* that it is verified under, too */
    int ranks;            /* that it is split over; 0: it is whole */
};

/* What became of it. Numbers are NaN where there are none. */
struct outcome {
    enum status status;
    char reason[REASON_BYTES];
    char marks[MARKS_BYTES]; /* words joined by '+' */
    struct stats us;         /* count 0: not timed */
    const double *samples;   /* us.count, as they were taken; in done() of
                                struct measure alone */
    int discarded;
    double host_us;
    double exchange_us;
    double max_error, bound;
    struct sensors sensors;
    double sm_counted_mhz;
    double launch_us; /* the shorter of the two verified launches */
};

/* Nothing known yet but the status. */
struct outcome outcome_of(enum status status);

/* Adds a word to the marks. */
void outcome_mark(struct outcome *outcome, const char *word);

/* "op/variant/dtype/shape", at most CELL_ID_BYTES with the NUL. */
enum { CELL_ID_BYTES = 192 };
char *cell_id(const struct cell *cell, char id[CELL_ID_BYTES]);

/* Two cells with equal inputs and reference. */
bool cell_same_problem(const struct cell *left, const struct cell *right);

/* How many of the cells, from the first on, share its problem. */
size_t cells_of_problem(const struct cell *cells, size_t count);

/* With pointers as if all buffers began at 0: buffers_provide() adds where they
 * do. Until then nothing may be read through them, but they are aligned as they
 * will be, and variants refuse by that. */
struct problem cell_problem(const struct cell *cell,
                            const struct device_facts *facts);

/* What a cell takes on the device, bytes: the parts of one problem without
 * their guards, and all with them and what check() keeps. */
size_t cell_in_bytes(const struct cell *cell);
size_t cell_mask_bytes(const struct cell *cell);
size_t cell_out_bytes(const struct cell *cell);
size_t cell_workspace_bytes(const struct cell *cell,
                            const struct device_facts *facts);
int64_t cell_bytes(const struct cell *cell, const struct device_facts *facts);

/* The most that a cell may take, bytes: of what was free when the device was
 * opened, all but a little. */
int64_t cell_room(const struct device_facts *facts);

/* Why it cannot run on the device (the variant refuses, it does not fit in
 * memory, there is nothing to compute), or NULL. The text lives until the next
 * call. May call CUDA (CUB does), so it belongs to the process that opened the
 * device. */
const char *cell_skip(const struct cell *cell,
                      const struct device_facts *facts);

#endif
