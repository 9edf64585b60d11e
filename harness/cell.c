/* SPDX-License-Identifier: MIT */
#include "harness/cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct outcome outcome_of(const struct cell *cell, enum status status)
{
    struct row row = row_unknown();
    row.op = cell->op;
    row.variant = cell->variant->name;
    row.dtype = cell->dtype;
    row.shape = cell->shape;
    row.cache = cell->cache;
    row.passes = variant_passes(cell->variant, cell->op);
    row.status = status;
    return (struct outcome){ .row = row };
}

char *cell_id(const struct cell *cell, char id[CELL_ID_BYTES])
{
    char shape[SHAPE_TEXT_BYTES];
    snprintf(id, CELL_ID_BYTES, "%s/%s/%s/%s", op_name(cell->op),
             cell->variant->name, dtype_name(cell->dtype),
             shape_format(cell->shape, shape));
    return id;
}

bool cell_same_problem(const struct cell *left, const struct cell *right)
{
    return left->op == right->op && left->dtype == right->dtype &&
           shape_equal(left->shape, right->shape) &&
           left->offset.all == right->offset.all &&
           left->offset.out == right->offset.out &&
           left->offset.mask == right->offset.mask;
}

size_t cells_of_problem(const struct cell *cells, size_t count)
{
    size_t size = 1;
    while (size < count && cell_same_problem(&cells[0], &cells[size]))
        ++size;
    return size;
}

/* A pointer `bytes` behind a guard at address 0. */
static void *behind_guard(size_t bytes)
{
    return (void *)(GUARD_BYTES + bytes);
}

struct problem cell_problem(const struct cell *cell,
                            const struct device_facts *facts)
{
    const size_t bytes = dtype_bytes(cell->dtype);
    const bool ragged = shape_is_ragged(cell->shape);
    const uint8_t offset_bytes = cell->shape.lines.offset_bytes;
    const size_t in = (size_t)cell->offset.all;
    const size_t mask = in + (size_t)cell->offset.mask; /* or in2 */
    const size_t out = cell->op == OP_READ /* whose output has no elements */
                           ? 0
                           : in + (size_t)cell->offset.out;
    return (struct problem){
        .op = cell->op,
        .dtype = cell->dtype,
        .shape = cell->shape,
        .in = behind_guard(in * bytes),
        .mask = op_has_mask(cell->op) ? behind_guard(mask) : NULL,
        .out = behind_guard(out * op_out_elem_bytes(cell->op, cell->dtype)),
        .device = facts,
        .rank_count = cell->ranks,
        .in2 = op_inputs(cell->op) == 2 ? behind_guard(mask * bytes) : NULL,
        .initial = op_may_start(cell->op) ? behind_guard(in * bytes) : NULL,
        .segments = ragged ? shape_segments(cell->shape) : 0,
        .offset_bytes = offset_bytes,
        .offsets = ragged ? behind_guard(in * offset_bytes) : NULL,
    };
}

size_t cell_in_bytes(const struct cell *cell)
{
    return op_has_input(cell->op)
               ? (size_t)(shape_elems(cell->shape) + cell->offset.all) *
                     dtype_bytes(cell->dtype)
               : 0;
}

size_t cell_second_bytes(const struct cell *cell)
{
    const size_t elems = (size_t)(shape_elems(cell->shape) + cell->offset.all +
                                  cell->offset.mask);
    return op_has_mask(cell->op)      ? elems
           : op_inputs(cell->op) == 2 ? elems * dtype_bytes(cell->dtype)
                                      : 0;
}

size_t cell_initial_bytes(const struct cell *cell)
{
    if (shape_is_ragged(cell->shape))
        return (size_t)shape_offset_bytes(cell->shape) +
               (size_t)cell->offset.all * cell->shape.lines.offset_bytes;
    return op_may_start(cell->op)
               ? (size_t)(shape_lines(cell->shape) + cell->offset.all) *
                     dtype_bytes(cell->dtype)
               : 0;
}

size_t cell_out_bytes(const struct cell *cell)
{
    return (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape) +
           (size_t)(cell->offset.all + cell->offset.out) *
               op_out_elem_bytes(cell->op, cell->dtype);
}

/* Called before buffers are filled; later, it could hide untimed work. */
size_t cell_workspace_bytes(const struct cell *cell,
                            const struct device_facts *facts)
{
    static struct {
        struct cell cell;
        struct device_facts facts;
        size_t bytes;
    } last;
    if (!last.cell.variant || memcmp(&last.cell, cell, sizeof *cell) ||
        memcmp(&last.facts, facts, sizeof *facts)) {
        const struct problem problem = cell_problem(cell, facts);
        last.bytes =
            cell->variant->workspace_bytes &&
                    op_out_bytes(cell->op, cell->dtype, cell->shape) > 0 &&
                    variant_serves(cell->variant, &problem)
                ? cell->variant->workspace_bytes(&problem)
                : 0;
        memcpy(&last.cell, cell, sizeof *cell);
        memcpy(&last.facts, facts, sizeof *facts);
    }
    return last.bytes;
}

int64_t cell_bytes(const struct cell *cell, const struct device_facts *facts)
{
    const int64_t data =
        (int64_t)(cell_in_bytes(cell) + cell_second_bytes(cell) +
                  cell_initial_bytes(cell) + cell_out_bytes(cell));
    /* Bytes of the part on the first GPU, or of all parts. */
    const bool apart = facts->gpus >= cell->ranks && cell->ranks > 1;
    const int64_t parts = !cell->ranks ? 0
                          : apart      ? data / cell->ranks * 4 / 3
                                       : data;
    const size_t workspace = cell_workspace_bytes(cell, facts);
    if (workspace > INT64_MAX / 2) /* the sum may not overflow */
        return INT64_MAX / 2;
    const int64_t bytes =
        data + parts + (int64_t)workspace +
        (int64_t)MOST_GUARDS * GUARD_BYTES * (1 + cell->ranks);
    const struct device *device = device_of(facts->kind);
    return bytes + (device->reference_bytes
                        ? device->reference_bytes(cell->op, cell->shape)
                        : 0);
}

int64_t cell_room(const struct device_facts *facts)
{
    return facts->memory_free_bytes / 100 * 96;
}

int cell_gpus(const struct cell *cell, const struct device_facts *facts)
{
    return facts->gpus >= cell->ranks ? cell->ranks : facts->gpus > 0;
}

/* Lines written last may still be in the L2 when the clock stops. At this share
 * of the traffic, the rate is not the memory's. */
static const double dirty_share = 0.1;

bool cell_is_assisted(const struct cell *cell, const struct device_facts *facts,
                      const struct driver_facts *driver, double gbps)
{
    const double gpus = fmax(1, cell_gpus(cell, facts));
    const double bus_gbps = gpus * driver_bus_gbps(driver);
    const double out = (double)op_out_bytes(cell->op, cell->dtype, cell->shape);
    const double dirty = fmin(out, gpus * (double)facts->l2_bytes) /
                         (double)op_bytes(cell->op, cell->dtype, cell->shape);
    return cell->cache == CACHE_COLD &&
           ((facts->kind != DEVICE_HOST && dirty > dirty_share) ||
            (bus_gbps > 0 && gbps > bus_gbps));
}

const char *cell_skip(const struct cell *cell, const struct device_facts *facts)
{
    static char reason[REASON_BYTES];
    struct problem problem = cell_problem(cell, facts);
    if (op_out_bytes(cell->op, cell->dtype, cell->shape) == 0)
        return "no output elements";
    if (cell->timed && shape_elems(cell->shape) == 0)
        return "no elements: nothing to time";
    const char *refused = variant_refuses(cell->variant, &problem);
    if (refused)
        return refused;
    const int64_t bytes = cell_bytes(cell, facts);
    const int64_t room = cell_room(facts);
    if (bytes <= room)
        return NULL;
    snprintf(reason, sizeof reason, "needs %.1f GB of memory; %.1f are free",
             (double)bytes * 1e-9, (double)room * 1e-9);
    return reason;
}
