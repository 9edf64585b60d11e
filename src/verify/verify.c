/* SPDX-License-Identifier: MIT */
#include "src/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"

double verify_bound(const struct variant *variant, int64_t axis)
{
    return verify_additions(variant->error_growth, variant->error_tile, axis);
}

double verify_most(const struct variant *variant, enum op op, enum dtype dtype,
                   int64_t axis)
{
    const struct reducer *reducer = reducer_of(op, dtype);
    const double last = reducer ? reducer->last : 0, all = (double)axis + 1;
    const double additions = fmin(verify_bound(variant, axis), all);
    if (!op_rounds(op, dtype))
        return last;
    if (reducer && reducer->rounding == MULTIPLICATIONS)
        return last + all; /* in any order */
    return last + (op_has_one_result(op, dtype) ? 1 : 6) * additions;
}

/* The offsets that are kept, and the longest line. */
static struct {
    struct shape shape;
    void *offsets;
    int64_t longest;
} ragged;

const void *verify_offsets(struct shape shape)
{
    if (!shape_is_ragged(shape))
        return NULL;
    if (ragged.offsets && shape_equal(ragged.shape, shape))
        return ragged.offsets;
    const int bytes = shape.lines.offset_bytes;
    const int64_t segments = shape_segments(shape);
    free(ragged.offsets);
    ragged.offsets = memory_for((size_t)(segments + 1), (size_t)bytes);
    ragged.shape = shape;
    ragged.longest = 0;
    shape_offsets(shape, ragged.offsets);
    for (int64_t g = 0; g < segments; ++g) {
        const int64_t length = offset_at(ragged.offsets, bytes, g + 1) -
                               offset_at(ragged.offsets, bytes, g);
        if (length > ragged.longest)
            ragged.longest = length;
    }
    return ragged.offsets;
}

struct allowance verify_allowance(const struct problem *problem,
                                  const struct variant *variant,
                                  enum input_kind kind)
{
    const struct reducer *reducer = reducer_of(problem->op, problem->dtype);
    return (struct allowance){ variant->error_growth, variant->error_tile,
                               reducer ? reducer->last : 0,
                               kind == INPUT_REAL &&
                                   op_rounds(problem->op, problem->dtype) };
}

double verify_allowed(const struct problem *problem,
                      const struct variant *variant, enum input_kind kind)
{
    const struct reducer *reducer = reducer_of(problem->op, problem->dtype);
    const struct allowance by = verify_allowance(problem, variant, kind);
    if (verify_offsets(problem->shape))
        return verify_allows(by, ragged.longest);
    if (!op_has_one_result(problem->op, problem->dtype))
        return by.last + 6 * verify_bound(variant, problem->shape.axis);
    if (!by.rounds)
        return by.last;
    if (reducer && reducer->rounding == MULTIPLICATIONS) {
        const struct input_line line =
            input_line_for((struct input){ INPUT_REAL, 0 }, problem->op,
                           problem->dtype, problem->shape, 0);
        const double n = (double)input_most_factors(line);
        return by.last + fmin(n, 8 * sqrt(n) + n / 32);
    }
    return by.last + verify_bound(variant, problem->shape.axis);
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
    const struct input_line input = input_line_in(lines, line);
    return (struct walk){ problem, input, line,
                          (int64_t)input_index(input, 0) };
}

static struct input_line lines_of(const struct problem *p, struct input input)
{
    struct input_line any = input_line_for(input, p->op, p->dtype, p->shape, 0);
    any.offsets = verify_offsets(p->shape);
    return any;
}

struct input_line verify_line(const struct problem *problem, struct input input,
                              int64_t line)
{
    return input_line_in(lines_of(problem, input), line);
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

static uint64_t walk_second_bits(struct walk walk, int64_t a)
{
    walk.input = input_second(walk.input);
    return walk_bits(walk, a);
}

static bool walk_is_kept(struct walk walk, int64_t a)
{
    return !op_has_mask(walk.problem->op) ||
           input_mask(walk.input, a, (uint64_t)walk_index(walk, a));
}

void verify_fill(const struct problem *problem, struct input input, void *in,
                 uint8_t *mask)
{
    const int64_t lines = shape_lines(problem->shape);
    const struct input_line any = lines_of(problem, input);
#pragma omp parallel for schedule(                                             \
    dynamic, 64) if (shape_elems(problem->shape) > 1 << 16)
    for (int64_t line = 0; line < lines; ++line) {
        struct walk walk = walk_line(problem, any, line);
        for (int64_t a = 0; a < walk.input.axis; ++a) {
            int64_t index = walk_index(walk, a);
            if (op_has_input(problem->op))
                dtype_put(problem->dtype, in, index, walk_bits(walk, a));
            if (op_has_mask(problem->op))
                mask[index] = input_mask(walk.input, a, (uint64_t)index);
            if (op_inputs(problem->op) == 2)
                dtype_put(problem->dtype, (void *)problem->in2, index,
                          walk_second_bits(walk, a));
        }
        if (problem->initial)
            dtype_put(problem->dtype, (void *)problem->initial, line,
                      input_initial(walk.input));
    }
}

static void write_change(struct walk walk, struct input_change change, void *in)
{
    for (int64_t a = change.first; a <= change.last; ++a)
        dtype_put(walk.problem->dtype, in, walk_index(walk, a),
                  walk_bits(walk, a));
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
#pragma omp parallel for schedule(                                             \
    dynamic, 64) if (shape_elems(problem->shape) > 1 << 16)
    for (int64_t line = 0; line < lines; ++line) {
        const struct input_line old = input_line_in(before, line);
        struct walk walk = walk_line(problem, after, line);
        const int64_t pieces = input_pieces(walk.input);
        walk.input.second = walk.input.two;
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

/* Reads the bits of an element, 0 if it is masked off, checks that memory still
 * holds the input, and adds its bits to *word, the checksum of the read
 * operation. True if the element is kept. */
static bool check_input(const struct walk *walk, int64_t a,
                        struct verification *part, uint32_t *word,
                        uint64_t *bits)
{
    const struct problem *p = walk->problem;
    const int64_t index = walk_index(*walk, a);
    *bits = walk_bits(*walk, a);
    *word ^= verify_word(p->dtype, *bits, index);
    if (dtype_element(p->dtype, p->in, index) != *bits)
        part->input_changed = true;
    if (!op_has_mask(p->op))
        return true;
    const uint8_t mask = input_mask(walk->input, a, (uint64_t)index);
    if (p->mask[index] != mask)
        part->input_changed = true;
    *bits = mask ? *bits : 0;
    return mask;
}

/* Reads and checks an element of the second input. */
static uint64_t check_second(const struct walk *walk, int64_t a,
                             struct verification *part)
{
    const struct problem *p = walk->problem;
    const uint64_t bits = walk_second_bits(*walk, a);
    if (dtype_element(p->dtype, p->in2, walk_index(*walk, a)) != bits)
        part->input_changed = true;
    return bits;
}

/* Checks sums of the special input, which telescope. */
static void check_special(struct walk walk, bool loses_subnormals,
                          struct verification *part)
{
    const struct problem *p = walk.problem;
    const int64_t axis = walk.input.axis;
    const bool asked = verify_is_asked(loses_subnormals, walk.input);
    uint32_t word = 0;
    uint64_t bits;
    for (int64_t a = 0; a < axis; ++a) {
        check_input(&walk, a, part, &word, &bits);
        if (op_is_reduction(p->op) && a < axis - 1)
            continue;
        const int64_t index = walk_index(walk, a);
        const int64_t at = op_is_reduction(p->op) ? walk.line : index;
        const bool right =
            !asked ||
            verify_special(p->dtype, p->op, walk.input, a, (uint64_t)index,
                           dtype_element(p->dtype, p->out, at));
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
    uint64_t want = 0;
    memset(&want, WRITE_BYTE, dtype_bytes(p->dtype));
    for (int64_t a = 0; a < axis; ++a) {
        if (p->op != OP_WRITE)
            check_input(&walk, a, part, word, &want);
        if (p->op == OP_COPY_XOR)
            want ^= check_second(&walk, a, part);
        if (p->op == OP_READ)
            continue;
        const int64_t index =
            walk_index(walk, p->op == OP_FLIP ? axis - 1 - a : a);
        const uint64_t found =
            dtype_element(op_out_dtype(p->op, p->dtype), p->out, index);
        judge(part, index, found == moved(p, want) ? 0 : INFINITY);
    }
}

/* ------------------------------------------------------------- definitions */

static double sum_error(enum dtype dtype, bool exact, uint64_t bits,
                        struct op_acc acc, int64_t count)
{
    const double r = acc_value(acc);
    (void)count;
    return rounding_error(dtype, exact, dtype_value(dtype, bits), r,
                          sum_rounding(dtype, r), acc_word(acc, 2));
}

/* Sums of floats add like a mean, and are of two doubles like a product. */
static const struct reducer float_sum = { .id = REDUCER_ADD,
                                          .dtypes = DTYPES_FLOAT,
                                          .identity = mean_identity,
                                          .lift = mean_lift,
                                          .combine = mean_combine,
                                          .lower = mul_lower,
                                          .error = sum_error };

const struct reducer *verify_definition(enum op op, enum dtype dtype)
{
    const struct reducer *reducer = reducer_of(op, dtype);
    return !reducer && op_adds(op) ? &float_sum : reducer;
}

static double error_by(const struct reducer *reducer, const struct problem *p,
                       bool exact, int64_t index, struct op_acc acc,
                       int64_t count)
{
    const uint64_t bits =
        dtype_element(op_out_dtype(p->op, p->dtype), p->out, index);
    if (reducer->error)
        return reducer->error(p->dtype, exact, bits, acc, count);
    return bits == reducer->lower(p->dtype, acc, count) ? 0 : INFINITY;
}

/* Combines the kept elements at places [from, end) of the line. */
static struct op_acc combined(struct walk walk, const struct reducer *reducer,
                              int64_t from, int64_t end)
{
    const struct problem *p = walk.problem;
    struct op_acc acc = reducer->identity(p->dtype);
    for (int64_t step = 0; step < end - from; ++step) {
        const int64_t a = op_is_reverse(p->op) ? end - 1 - step : from + step;
        if (walk_is_kept(walk, a))
            acc = reducer->combine(
                acc, reducer->lift(p->dtype, walk_bits(walk, a), a));
    }
    return acc;
}

/* Checks by the reducer's definition. Inlined, so that sums need no calls. If
 * `cancelling`, the magnitude is that of the whole line. */
static inline __attribute__((always_inline)) void
check_definition(struct walk walk, const struct reducer *reducer, bool exact,
                 bool cancelling, struct verification *part)
{
    const struct problem *p = walk.problem;
    const int64_t axis = walk.input.axis;
    const bool exclusive = op_is_exclusive(p->op);
    struct op_acc acc = reducer->identity(p->dtype), whole = acc;
    uint32_t word = 0;
    uint64_t bits;
    if (cancelling)
        whole = combined(walk, reducer, 0, axis);
    for (int64_t step = 0; step < axis; ++step) {
        const int64_t a = op_is_reverse(p->op) ? axis - 1 - step : step;
        struct op_acc out = acc;
        if (check_input(&walk, a, part, &word, &bits))
            acc = reducer->combine(acc, reducer->lift(p->dtype, bits, a));
        if (op_is_reduction(p->op))
            continue;
        const int64_t index = walk_index(walk, a);
        out = exclusive ? out : acc;
        out.word[2] = cancelling ? whole.word[2] : out.word[2];
        judge(part, index,
              error_by(reducer, p, exact, index, out,
                       exclusive ? step : step + 1));
    }
    if (op_is_reduction(p->op))
        judge(part, walk.line,
              error_by(reducer, p, exact, walk.line, acc, axis));
}

static void check_recurrence(struct walk walk, bool exact,
                             struct verification *part)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
    struct affine h = verify_start(p, walk.input);
    uint32_t word = 0;
    uint64_t bits;
    for (int64_t step = 0; step < axis; ++step) {
        const int64_t a = op_is_reverse(p->op) ? axis - 1 - step : step;
        const int64_t index = walk_index(walk, a);
        check_input(&walk, a, part, &word, &bits);
        h = affine_combine(
            h, verify_step(p->dtype, bits, check_second(&walk, a, part)));
        judge(part, index,
              affine_error(p->dtype, exact,
                           dtype_element(p->dtype, p->out, index), h));
    }
    if (p->initial && dtype_element(p->dtype, p->initial, walk.line) !=
                          input_initial(walk.input))
        part->input_changed = true;
}

static struct verification check_slots(const struct problem *p,
                                       uint32_t expected)
{
    struct verification part = { .first_wrong = -1 };
    uint32_t found = 0;
    for (int slot = 0; slot < READ_SLOTS; ++slot)
        found ^= ((const uint32_t *)p->out)[slot];
    judge(&part, 0, found == expected ? 0 : INFINITY);
    part.checked = READ_SLOTS;
    return part;
}

#pragma omp declare reduction(merge                                            \
                              : struct verification                            \
                              : merge(&omp_out, &omp_in))                      \
    initializer(omp_priv = { .first_wrong = -1, .bound = omp_orig.bound })

struct verification verify_host(const struct problem *problem,
                                const struct variant *variant,
                                struct input input)
{
    const struct reducer *reducer = reducer_of(problem->op, problem->dtype);
    const bool adds = op_adds(problem->op);
    const bool special = adds && input.kind == INPUT_SPECIAL;
    const struct input_line any = lines_of(problem, input);
    const bool cancelling = variant->error_growth == ERROR_CANCELLING;
    const int64_t lines = shape_lines(problem->shape);
    const struct allowance allowance =
        verify_allowance(problem, variant, input.kind);
    const bool exact = !allowance.rounds;
    const double bound = verify_allowed(problem, variant, input.kind);
    struct verification whole = { .first_wrong = -1, .bound = bound };
    uint32_t word = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(^ : word) reduction(  \
    merge : whole) if (lines > 1 && shape_elems(problem->shape) > 1 << 16)
    for (int64_t line = 0; line < lines; ++line) {
        const struct walk walk = walk_line(problem, any, line);
        if (any.offsets)
            whole.bound = verify_allows(allowance, walk.input.axis);
        if (op_may_start(problem->op))
            check_recurrence(walk, exact, &whole);
        else if (reducer)
            check_definition(walk, reducer, exact, false, &whole);
        else if (special && walk.input.axis > 0)
            check_special(walk, variant->loses_subnormals, &whole);
        else if (adds)
            check_definition(walk, &float_sum, exact, cancelling, &whole);
        else
            check_moves(walk, &whole, &word);
    }
    if (problem->op == OP_READ) {
        const struct verification slots = check_slots(problem, word);
        merge(&whole, &slots);
    }
    whole.bound = bound;
    return whole;
}

/* The state behind element a. */
static struct affine recurred(struct walk walk, int64_t a)
{
    const struct problem *p = walk.problem;
    const bool reverse = op_is_reverse(p->op);
    struct affine h = verify_start(p, walk.input);
    for (int64_t k = reverse ? p->shape.axis - 1 : 0; k != a;
         k += reverse ? -1 : 1)
        h = affine_combine(h, verify_step(p->dtype, walk_bits(walk, k),
                                          walk_second_bits(walk, k)));
    return affine_combine(h, verify_step(p->dtype, walk_bits(walk, a),
                                         walk_second_bits(walk, a)));
}

void verify_locate(struct shape s, int64_t index, int64_t *line, int64_t *a)
{
    const int64_t row = index / s.inner, i = index % s.inner;
    const void *offsets = verify_offsets(s);
    const int bytes = s.lines.offset_bytes;
    const int64_t segment =
        offsets ? offset_find(offsets, bytes, shape_segments(s), row)
                : row / s.axis;
    *line = segment * s.inner + i;
    *a =
        row - (offsets ? offset_at(offsets, bytes, segment) : segment * s.axis);
}

uint64_t verify_expected(const struct problem *problem, struct input input,
                         int64_t index)
{
    const enum op op = problem->op;
    const struct reducer *reducer = verify_definition(op, problem->dtype);
    const bool sum = op_is_reduction(op);
    int64_t a = 0, line = index;
    if (!sum)
        verify_locate(problem->shape, index, &line, &a);
    const struct walk walk = walk_line(problem, lines_of(problem, input), line);
    const int64_t axis = walk.input.axis;
    const int64_t first = op_is_reverse(op) ? a : 0;
    const int64_t end = sum || op_is_reverse(op) ? axis
                        : op_is_exclusive(op)    ? a
                                                 : a + 1;
    const int64_t from = op == OP_FLIP ? axis - 1 - a : a;
    uint64_t bits = 0;
    if (op_may_start(op))
        return dtype_bits(problem->dtype, affine_value(recurred(walk, a)));
    if (reducer)
        return reducer->lower(problem->dtype,
                              combined(walk, reducer, first, end), end - first);
    if (op == OP_WRITE)
        memset(&bits, WRITE_BYTE, dtype_bytes(problem->dtype));
    else if (op != OP_READ && walk_is_kept(walk, from))
        bits = moved(problem, walk_bits(walk, from)) ^
               (op == OP_COPY_XOR ? walk_second_bits(walk, from) : 0);
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
