/* SPDX-License-Identifier: MIT
 *
 * A cell, which is one variant on one op, dtype, shape and cache state, and its
 * outcome.
 */
#pragma once

#include "harness/device/device.h"
#include "src/runs/row.h"

enum { REASON_BYTES = 200 };

/* Misalignment of a problem's pointers, in elements. */
struct offsets {
    int all;
    int out, mask; /* added to `all`; mask: or of the second input */
};

struct cell {
    const struct variant *variant;
    enum op op;
    enum dtype dtype;
    struct shape shape;
    enum cache cache;
    struct offsets offset;
    bool timed; /* or only verified */
    bool asked; /* selected by the user, not only a probe of a ceiling */
    struct stress stress; /* to verify it under, too */
    int ranks;            /* to split it over; 0 for none */
    unsigned contracts;   /* enum contract: tested as if declared */
};
enum { SAME_BITS = CONTRACT_DETERMINISTIC | CONTRACT_PORTABLE_BITS };

/* True if one of the contracts is declared or asked for. */
static inline bool cell_promises(const struct cell *cell, unsigned contracts)
{
    return (variant_declares(cell->variant) | cell->contracts) & contracts;
}

/* A cell's row, with the texts and samples behind it. */
struct outcome {
    struct row row;
    char reason[REASON_BYTES];   /* the row's; set with its status */
    unsigned long long throttle; /* NVML's reasons: harness/device/nvml.h */
    const double *samples; /* in the order of sampling; only in done() of struct
                              measure, else NULL */
};

/* An outcome with this status alone. */
struct outcome outcome_of(const struct cell *cell, enum status status);

/* "op/variant/dtype/shape", at most CELL_ID_BYTES with the NUL. */
enum { CELL_ID_BYTES = 192 };
char *cell_id(const struct cell *cell, char id[CELL_ID_BYTES]);

/* True if both cells have the same inputs and reference. */
bool cell_same_problem(const struct cell *left, const struct cell *right);

/* Returns the number of leading cells that share the first one's problem. */
size_t cells_of_problem(const struct cell *cells, size_t count);

/* Makes a problem whose pointers are offsets from 0, with the alignment that
 * variants may refuse; buffers_provide() adds the addresses. */
struct problem cell_problem(const struct cell *cell,
                            const struct device_facts *facts);

/* Bytes of a cell on the device: of each part without guards, and of everything
 * with guards and the memory that check() keeps. */
size_t cell_in_bytes(const struct cell *cell);
size_t cell_second_bytes(const struct cell *cell);  /* or of the mask */
size_t cell_initial_bytes(const struct cell *cell); /* or of the offsets */
size_t cell_out_bytes(const struct cell *cell);
size_t cell_workspace_bytes(const struct cell *cell,
                            const struct device_facts *facts);
int64_t cell_bytes(const struct cell *cell, const struct device_facts *facts);

/* Returns the limit for a cell: nearly all memory that was free at first. */
int64_t cell_room(const struct device_facts *facts);

/* Returns the number of GPUs of a cell, which several ranks may share. */
int cell_gpus(const struct cell *cell, const struct device_facts *facts);

/* True for a cold cell whose traffic must have been partly in a cache. `gbps`
 * is the rate of the whole job, over the caches and buses of all its GPUs. */
bool cell_is_assisted(const struct cell *cell, const struct device_facts *facts,
                      const struct driver_facts *driver, double gbps);

/* Returns the reason to skip the cell (refused, too large, nothing to compute),
 * or NULL. The text lives until the next call. Only for the process that opened
 * the device, as CUB's variants call CUDA here. */
const char *cell_skip(const struct cell *cell,
                      const struct device_facts *facts);
