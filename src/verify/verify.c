/* SPDX-License-Identifier: MIT */
#include "src/verify/verify.h"

#include <math.h>
#include <stdio.h>
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
        /* Within a tile, at most 32 items per thread, 5 doublings in a warp, 32
         * warps and a few joins; between tiles, one addition each. */
        return 80 + (double)axis / (double)variant->error_tile;
    case ERROR_SERIAL:
    case ERROR_CANCELLING:
        break;
    }
    return (double)axis + 1;
}

double verify_allowed(const struct problem *problem,
                      const struct variant *variant, enum input_kind kind)
{
    const struct reducer *reducer = reducer_of(problem->op, problem->dtype);
    const double last = reducer ? reducer->last : 0;
    if (!op_has_one_result(problem->op, problem->dtype))
        return last + 6 * verify_bound(variant, problem->shape.axis);
    if (kind != INPUT_REAL || !op_rounds(problem->op, problem->dtype))
        return last;
    if (reducer && reducer->rounding == MULTIPLICATIONS) {
        const struct input_line line =
            input_line_for((struct input){ INPUT_REAL, 0 }, problem->op,
                           problem->dtype, problem->shape, 0);
        const double n = (double)input_most_factors(line);
        return last + fmin(n, 8 * sqrt(n) + n / 32);
    }
    return last + verify_bound(variant, problem->shape.axis);
}

static uint64_t bits_of(size_t bytes, const void *array, int64_t index)
{
    uint64_t bits = 0;
    memcpy(&bits, (const char *)array + (size_t)index * bytes, bytes);
    return bits;
}

static uint64_t element_bits(enum dtype dtype, const void *array, int64_t index)
{
    return bits_of(dtype_bytes(dtype), array, index);
}

/* A line of the problem. */
struct walk {
    const struct problem *problem;
    struct input_line input;
    int64_t line, first; /* line number, index of its element 0 */
};

/* `lines` may be any line of the problem. */
static struct walk walk_line(const struct problem *problem,
                             struct input_line lines, int64_t line)
{
    struct shape shape = problem->shape;
    int64_t o = line / shape.inner, i = line % shape.inner;
    return (struct walk){ problem, input_line_at(lines, line), line,
                          o * shape.axis * shape.inner + i };
}

static struct input_line lines_of(const struct problem *p, struct input input)
{
    return input_line_for(input, p->op, p->dtype, p->shape, 0);
}

static int64_t walk_index(struct walk walk, int64_t a)
{
    return walk.first + a * walk.problem->shape.inner;
}

static uint64_t walk_bits(struct walk walk, int64_t a)
{
    return input_bits(walk.problem->dtype, walk.input, a,
                      (uint64_t)walk_index(walk, a));
}

static bool walk_is_kept(struct walk walk, int64_t a)
{
    return !op_has_mask(walk.problem->op) ||
           input_mask(walk.input, a, (uint64_t)walk_index(walk, a));
}

/* Returns the element rounded to the dtype, or 0 if it is masked off. */
static double walk_term(struct walk walk, int64_t a)
{
    return walk_is_kept(walk, a)
               ? dtype_value(walk.problem->dtype, walk_bits(walk, a))
               : 0;
}

void verify_fill(const struct problem *problem, struct input input, void *in,
                 uint8_t *mask)
{
    const int64_t lines = shape_lines(problem->shape);
    const size_t bytes = dtype_bytes(problem->dtype);
    const struct input_line any = lines_of(problem, input);
#ifdef _OPENMP
#pragma omp parallel for schedule(                                             \
    dynamic, 64) if (shape_elems(problem->shape) > 1 << 16)
#endif
    for (int64_t line = 0; line < lines; ++line) {
        struct walk walk = walk_line(problem, any, line);
        for (int64_t a = 0; a < problem->shape.axis; ++a) {
            int64_t index = walk_index(walk, a);
            const uint64_t bits = walk_bits(walk, a);
            if (op_has_input(problem->op))
                memcpy((char *)in + (size_t)index * bytes, &bits, bytes);
            if (op_has_mask(problem->op))
                mask[index] = input_mask(walk.input, a, (uint64_t)index);
        }
    }
}

static void write_change(struct walk walk, struct input_change change, void *in)
{
    const size_t bytes = dtype_bytes(walk.problem->dtype);
    for (int64_t a = change.first; a <= change.last; ++a) {
        const uint64_t bits = walk_bits(walk, a);
        memcpy((char *)in + (size_t)walk_index(walk, a) * bytes, &bits, bytes);
    }
}

void verify_change(const struct problem *problem, uint64_t from, uint64_t to,
                   void *in)
{
    const struct input_line before =
        lines_of(problem, (struct input){ INPUT_REAL, from });
    const struct input_line after =
        lines_of(problem, (struct input){ INPUT_REAL, to });
    const int64_t lines =
        op_has_input(problem->op) ? shape_lines(problem->shape) : 0;
    const int64_t pieces = input_pieces(after);
#ifdef _OPENMP
#pragma omp parallel for schedule(                                             \
    dynamic, 64) if (shape_elems(problem->shape) > 1 << 16)
#endif
    for (int64_t line = 0; line < lines; ++line) {
        const struct input_line old = input_line_at(before, line);
        struct walk walk = walk_line(problem, after, line);
        for (int64_t piece = 0; piece < pieces; ++piece) {
            write_change(walk, input_change_in(old, piece), in);
            write_change(walk, input_change_in(walk.input, piece), in);
        }
    }
}

static void judge(struct verification *part, int64_t index, double error)
{
    ++part->checked;
    if (error > part->max_error)
        part->max_error = error;
    if (error <= part->bound)
        return;
    ++part->wrong;
    if (part->first_wrong < 0 || index < part->first_wrong)
        part->first_wrong = index;
}

static void merge(struct verification *whole, const struct verification *part)
{
    whole->checked += part->checked;
    whole->wrong += part->wrong;
    if (part->first_wrong >= 0 &&
        (whole->first_wrong < 0 || part->first_wrong < whole->first_wrong))
        whole->first_wrong = part->first_wrong;
    whole->max_error = fmax(whole->max_error, part->max_error);
    whole->input_changed |= part->input_changed;
}

/* Returns the bits of walk_term(), checks that memory still holds the input,
 * and adds its bits to *word, the checksum of the read operation. */
static uint64_t checked_bits(const struct walk *walk, int64_t a,
                             struct verification *part, uint32_t *word)
{
    const struct problem *p = walk->problem;
    const int64_t index = walk_index(*walk, a);
    const uint64_t bits = walk_bits(*walk, a);
    *word ^= verify_word(p->dtype, bits, index);
    if (element_bits(p->dtype, p->in, index) != bits)
        part->input_changed = true;
    if (!op_has_mask(p->op))
        return bits;
    const uint8_t mask = input_mask(walk->input, a, (uint64_t)index);
    if (p->mask[index] != mask)
        part->input_changed = true;
    return mask ? bits : 0;
}

/* Sum of |term| over the line, the reference of ERROR_CANCELLING. */
static double line_magnitude(struct walk walk)
{
    double magnitude = 0;
    for (int64_t a = 0; a < walk.problem->shape.axis; ++a)
        magnitude += fabs(walk_term(walk, a));
    return magnitude;
}

static void check_sums(struct walk walk, bool exact, bool cancelling,
                       struct verification *part)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
    const bool exclusive = op_is_exclusive(p->op);
    struct two_sum sum = { 0, 0 };
    double magnitude = 0, whole = cancelling ? line_magnitude(walk) : 0;
    uint32_t word = 0;
    for (int64_t step = 0; step < axis; ++step) {
        const int64_t a = op_is_reverse(p->op) ? axis - 1 - step : step;
        const struct two_sum before = sum;
        const double magnitude_before = magnitude;
        const double term =
            dtype_value(p->dtype, checked_bits(&walk, a, part, &word));
        sum = two_sum_add(sum, term);
        magnitude += fabs(term);
        if (op_is_reduction(p->op))
            continue;
        const double r = two_sum_value(exclusive ? before : sum);
        const double against = cancelling  ? whole
                               : exclusive ? magnitude_before
                                           : magnitude;
        const int64_t index = walk_index(walk, a);
        const double y = dtype_load(p->dtype, p->out, index);
        judge(part, index, rounding_error(p->dtype, exact, y, r, against));
    }
    if (op_is_reduction(p->op)) {
        const double y = dtype_load(p->dtype, p->out, walk.line);
        judge(
            part, walk.line,
            rounding_error(p->dtype, exact, y, two_sum_value(sum), magnitude));
    }
}

/* Checks sums of the special input, which telescope. */
static void check_special(struct walk walk, bool loses_subnormals,
                          struct verification *part)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
    const bool asked = verify_is_asked(loses_subnormals, walk.input);
    uint32_t word = 0;
    for (int64_t a = 0; a < axis; ++a) {
        checked_bits(&walk, a, part, &word);
        if (op_is_reduction(p->op) && a < axis - 1)
            continue;
        const int64_t index = walk_index(walk, a);
        const int64_t at = op_is_reduction(p->op) ? walk.line : index;
        const bool right =
            !asked ||
            verify_special(p->dtype, p->op, walk.input, a, (uint64_t)index,
                           element_bits(p->dtype, p->out, at));
        judge(part, at, right ? 0 : INFINITY);
    }
}

/* The bits of the output that an element is moved to. */
static uint64_t moved(const struct problem *p, uint64_t bits)
{
    return op_widens(p->op) ? dtype_integer(p->dtype, bits) : bits;
}

/* Every bit counts. */
static void check_moves(struct walk walk, struct verification *part,
                        uint32_t *word)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
    uint64_t written = 0;
    memset(&written, WRITE_BYTE, dtype_bytes(p->dtype));
    for (int64_t a = 0; a < axis; ++a) {
        const uint64_t want =
            p->op == OP_WRITE ? written : checked_bits(&walk, a, part, word);
        if (p->op == OP_READ)
            continue;
        const int64_t index =
            walk_index(walk, p->op == OP_FLIP ? axis - 1 - a : a);
        const uint64_t found =
            bits_of(op_out_elem_bytes(p->op, p->dtype), p->out, index);
        judge(part, index, found == moved(p, want) ? 0 : INFINITY);
    }
}

static double error_by(const struct reducer *reducer, const struct problem *p,
                       bool exact, int64_t index, struct op_acc acc,
                       int64_t count)
{
    const uint64_t bits =
        bits_of(op_out_elem_bytes(p->op, p->dtype), p->out, index);
    if (reducer->error)
        return reducer->error(p->dtype, exact, bits, acc, count);
    return bits == reducer->lower(p->dtype, acc, count) ? 0 : INFINITY;
}

/* By the reducer's definition. */
static void check_definition(struct walk walk, const struct reducer *reducer,
                             bool exact, struct verification *part)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
    struct op_acc acc = reducer->identity(p->dtype);
    uint32_t word = 0;
    for (int64_t step = 0; step < axis; ++step) {
        const int64_t a = op_is_reverse(p->op) ? axis - 1 - step : step;
        const int64_t index = walk_index(walk, a);
        const struct op_acc before = acc;
        checked_bits(&walk, a, part, &word);
        if (walk_is_kept(walk, a))
            acc = reducer->combine(
                acc, reducer->lift(p->dtype, walk_bits(walk, a), a));
        if (op_is_reduction(p->op))
            continue;
        const bool exclusive = op_is_exclusive(p->op);
        judge(part, index,
              error_by(reducer, p, exact, index, exclusive ? before : acc,
                       exclusive ? step : step + 1));
    }
    if (op_is_reduction(p->op))
        judge(part, walk.line,
              error_by(reducer, p, exact, walk.line, acc, axis));
}

static void check_slots(const struct problem *p, uint32_t expected,
                        struct verification *part)
{
    uint32_t found = 0;
    for (int slot = 0; slot < READ_SLOTS; ++slot)
        found ^= ((const uint32_t *)p->out)[slot];
    judge(part, 0, found == expected ? 0 : INFINITY);
    part->checked = READ_SLOTS;
}

struct verification verify_host(const struct problem *problem,
                                const struct variant *variant,
                                struct input input)
{
    const struct reducer *reducer = reducer_of(problem->op, problem->dtype);
    const bool adds = op_adds(problem->op);
    const bool exact =
        input.kind != INPUT_REAL || !op_rounds(problem->op, problem->dtype);
    const bool special = adds && input.kind == INPUT_SPECIAL;
    const struct input_line any = lines_of(problem, input);
    const bool cancelling = variant->error_growth == ERROR_CANCELLING;
    const int64_t lines = shape_lines(problem->shape);
    struct verification whole = {
        .first_wrong = -1, .bound = verify_allowed(problem, variant, input.kind)
    };
    uint32_t word = 0;
#ifdef _OPENMP
#pragma omp parallel reduction(^ : word) if (lines > 1 && shape_elems(problem->shape) > 1 << 16)
#endif
    {
        struct verification part = { .first_wrong = -1, .bound = whole.bound };
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 64)
#endif
        for (int64_t line = 0; line < lines; ++line) {
            const struct walk walk = walk_line(problem, any, line);
            if (reducer)
                check_definition(walk, reducer, exact, &part);
            else if (special && problem->shape.axis > 0)
                check_special(walk, variant->loses_subnormals, &part);
            else if (adds)
                check_sums(walk, exact, cancelling, &part);
            else
                check_moves(walk, &part, &word);
        }
#ifdef _OPENMP
#pragma omp critical
#endif
        merge(&whole, &part);
    }
    if (problem->op == OP_READ)
        check_slots(problem, word, &whole);
    return whole;
}

/* Places [from, end) of the line that output a depends on. */
struct span {
    int64_t from, end;
};

static struct span span_of(const struct problem *p, int64_t a)
{
    const int64_t axis = p->shape.axis;
    if (op_is_reduction(p->op))
        return (struct span){ 0, axis };
    if (op_is_reverse(p->op))
        return (struct span){ a, axis };
    return (struct span){ 0, op_is_exclusive(p->op) ? a : a + 1 };
}

static double expected_sum(struct walk walk, int64_t a)
{
    const struct span span = span_of(walk.problem, a);
    struct two_sum sum = { 0, 0 };
    for (int64_t k = span.from; k < span.end; ++k)
        sum = two_sum_add(sum, walk_term(walk, k));
    return two_sum_value(sum);
}

static uint64_t expected_by_definition(struct walk walk,
                                       const struct reducer *reducer, int64_t a)
{
    const struct problem *p = walk.problem;
    const struct span span = span_of(p, a);
    struct op_acc acc = reducer->identity(p->dtype);
    for (int64_t step = 0; step < span.end - span.from; ++step) {
        const int64_t k =
            op_is_reverse(p->op) ? span.end - 1 - step : span.from + step;
        if (walk_is_kept(walk, k))
            acc = reducer->combine(
                acc, reducer->lift(p->dtype, walk_bits(walk, k), k));
    }
    return reducer->lower(p->dtype, acc, span.end - span.from);
}

uint64_t verify_expected(const struct problem *problem, struct input input,
                         int64_t index)
{
    const struct reducer *reducer = reducer_of(problem->op, problem->dtype);
    const struct shape s = problem->shape;
    const bool sum = op_is_reduction(problem->op);
    const int64_t line =
        sum ? index : index / s.inner / s.axis * s.inner + index % s.inner;
    const int64_t a = sum ? 0 : index / s.inner % s.axis;
    const struct walk walk = walk_line(problem, lines_of(problem, input), line);
    const int64_t from = problem->op == OP_FLIP ? s.axis - 1 - a : a;
    uint64_t bits = 0;
    if (reducer)
        return expected_by_definition(walk, reducer, a);
    if (op_adds(problem->op))
        return dtype_bits(problem->dtype, expected_sum(walk, a));
    if (problem->op == OP_WRITE)
        memset(&bits, WRITE_BYTE, dtype_bytes(problem->dtype));
    else if (problem->op != OP_READ && walk_is_kept(walk, from))
        bits = moved(problem, walk_bits(walk, from));
    return bits;
}

char *verify_number(const struct problem *problem, uint64_t bits,
                    char text[VALUE_BYTES])
{
    const enum dtype dtype = op_out_dtype(problem->op, problem->dtype);
    if (dtype_is_float(dtype))
        snprintf(text, VALUE_BYTES, "%.9g", dtype_value(dtype, bits));
    else /* a bool's byte may be any */
        snprintf(text, VALUE_BYTES, "%lld",
                 (long long)dtype_integer(
                     dtype == DTYPE_BOOL ? DTYPE_U8 : dtype, bits));
    return text;
}
