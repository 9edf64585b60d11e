/* SPDX-License-Identifier: MIT */
#include "src/verify.h"

#include <math.h>
#include <string.h>

static double log2_ceil(int64_t n)
{
    int bits = 0;
    while (n > (int64_t)1 << bits)
        ++bits;
    return bits;
}

double verify_bound(const struct variant *variant, int64_t axis)
{
    switch (variant->error_growth) {
    case ERROR_NONE:
        return 0;
    case ERROR_TREE:
        return 2 * log2_ceil(axis) + 2;
    case ERROR_TILED:
        /* In a tile: at most 32 items a thread, a warp's 5 doublings, 32
         * warps and a few joins; between tiles, one addition a tile. */
        return 80 + (double)axis / (double)variant->error_tile;
    case ERROR_SERIAL:
    case ERROR_CANCELLING:
        break;
    }
    return (double)axis + 1;
}

static uint64_t element_bits(enum dtype dtype, const void *array, int64_t index)
{
    uint64_t bits = 0;
    size_t bytes = dtype_bytes(dtype);
    memcpy(&bits, (const char *)array + (size_t)index * bytes, bytes);
    return bits;
}

/* A line of the problem, as the loops below walk it. */
struct walk {
    const struct problem *problem;
    enum input_kind kind;
    int64_t line, first; /* its number, and its element 0's index */
};

static struct walk walk_line(const struct problem *problem,
                             enum input_kind kind, int64_t line)
{
    struct shape shape = problem->shape;
    int64_t o = line / shape.inner, i = line % shape.inner;
    return (struct walk){ problem, kind, line,
                          o * shape.axis * shape.inner + i };
}

static int64_t walk_index(struct walk walk, int64_t a)
{
    return walk.first + a * walk.problem->shape.inner;
}

/* The input as the dtype holds it, in the array `bits` (8 bytes). */
static double walk_input(struct walk walk, int64_t a, uint64_t *bits)
{
    const struct problem *p = walk.problem;
    *bits = 0;
    dtype_store(p->dtype, bits, 0,
                input_value(walk.kind, p->dtype, op_has_mask(p->op),
                            p->shape.axis, walk.line, a,
                            (uint64_t)walk_index(walk, a)));
    return dtype_load(p->dtype, bits, 0);
}

/* The same, 0 where it is masked off. */
static double walk_term(struct walk walk, int64_t a)
{
    uint64_t bits;
    if (op_has_mask(walk.problem->op) &&
        !input_mask((uint64_t)walk_index(walk, a)))
        return 0;
    return walk_input(walk, a, &bits);
}

void verify_fill(const struct problem *problem, enum input_kind kind, void *in,
                 uint8_t *mask)
{
    int64_t lines = shape_lines(problem->shape);
    size_t bytes = dtype_bytes(problem->dtype);
    for (int64_t line = 0; line < lines; ++line) {
        struct walk walk = walk_line(problem, kind, line);
        for (int64_t a = 0; a < problem->shape.axis; ++a) {
            int64_t index = walk_index(walk, a);
            uint64_t bits;
            walk_input(walk, a, &bits);
            if (op_has_input(problem->op))
                memcpy((char *)in + (size_t)index * bytes, &bits, bytes);
            if (op_has_mask(problem->op))
                mask[index] = input_mask((uint64_t)index);
        }
    }
}

static void judge(struct verdict *verdict, int64_t index, double error)
{
    ++verdict->checked;
    if (error > verdict->max_error)
        verdict->max_error = error;
    if (error <= verdict->bound)
        return;
    ++verdict->wrong;
    if (verdict->first_wrong < 0 || index < verdict->first_wrong)
        verdict->first_wrong = index;
}

static void check_input(struct walk walk, int64_t a, struct verdict *verdict)
{
    const struct problem *p = walk.problem;
    int64_t index = walk_index(walk, a);
    uint64_t bits;
    walk_input(walk, a, &bits);
    if (op_has_input(p->op) && element_bits(p->dtype, p->in, index) != bits)
        verdict->input_changed = true;
    if (op_has_mask(p->op) && p->mask[index] != input_mask((uint64_t)index))
        verdict->input_changed = true;
}

/* Sum of |term| over the line: what ERROR_CANCELLING is measured against. */
static double line_magnitude(struct walk walk)
{
    double magnitude = 0;
    for (int64_t a = 0; a < walk.problem->shape.axis; ++a)
        magnitude += fabs(walk_term(walk, a));
    return magnitude;
}

static void check_sums(struct walk walk, bool exact, bool cancelling,
                       struct verdict *verdict)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
    struct two_sum sum = { 0, 0 };
    double magnitude = 0, whole = cancelling ? line_magnitude(walk) : 0;
    for (int64_t step = 0; step < axis; ++step) {
        int64_t a = p->op == OP_CUMSUM_REVERSE ? axis - 1 - step : step;
        struct two_sum before = sum;
        double magnitude_before = magnitude, term = walk_term(walk, a);
        sum = two_sum_add(sum, term);
        magnitude += fabs(term);
        if (p->op == OP_SUM)
            continue;
        bool exclusive = p->op == OP_CUMSUM_EXCLUSIVE;
        double r = two_sum_value(exclusive ? before : sum);
        double against = cancelling  ? whole
                         : exclusive ? magnitude_before
                                     : magnitude;
        int64_t index = walk_index(walk, a);
        double y = dtype_load(p->dtype, p->out, index);
        judge(verdict, index, verify_error(p->dtype, exact, y, r, against));
    }
    if (p->op == OP_SUM) {
        double y = dtype_load(p->dtype, p->out, walk.line);
        judge(verdict, walk.line,
              verify_error(p->dtype, exact, y, two_sum_value(sum), magnitude));
    }
}

static void check_moves(struct walk walk, struct verdict *verdict)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
    for (int64_t a = 0; a < axis; ++a) {
        int64_t index = walk_index(walk, a);
        double y = dtype_load(p->dtype, p->out, index), r;
        if (p->op == OP_WRITE) {
            uint64_t pattern;
            memset(&pattern, WRITE_BYTE, sizeof pattern);
            r = dtype_load(p->dtype, &pattern, 0);
        } else {
            r = walk_term(walk, p->op == OP_FLIP ? axis - 1 - a : a);
        }
        judge(verdict, index, verify_error(p->dtype, true, y, r, 0));
    }
}

static void check_read(const struct problem *p, enum input_kind kind,
                       struct verdict *verdict)
{
    uint32_t expected = 0, found = 0;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        struct walk walk = walk_line(p, kind, line);
        for (int64_t a = 0; a < p->shape.axis; ++a) {
            uint64_t bits;
            walk_input(walk, a, &bits);
            expected ^= verify_word(p->dtype, bits, walk_index(walk, a));
        }
    }
    for (int slot = 0; slot < READ_SLOTS; ++slot)
        found ^= ((const uint32_t *)p->out)[slot];
    judge(verdict, 0, found == expected ? 0 : INFINITY);
    verdict->checked = READ_SLOTS;
}

struct verdict verify_host(const struct problem *problem,
                           const struct variant *variant, enum input_kind kind)
{
    bool adds = op_is_scan(problem->op) || problem->op == OP_SUM;
    bool exact = kind == INPUT_EXACT || !adds;
    struct verdict verdict = { .first_wrong = -1 };
    if (!exact)
        verdict.bound = verify_bound(variant, problem->shape.axis);
    for (int64_t line = 0; line < shape_lines(problem->shape); ++line) {
        struct walk walk = walk_line(problem, kind, line);
        for (int64_t a = 0; a < problem->shape.axis; ++a)
            check_input(walk, a, &verdict);
        if (adds)
            check_sums(walk, exact, variant->error_growth == ERROR_CANCELLING,
                       &verdict);
        else if (problem->op != OP_READ)
            check_moves(walk, &verdict);
    }
    if (problem->op == OP_READ)
        check_read(problem, kind, &verdict);
    return verdict;
}
