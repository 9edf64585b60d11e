/* SPDX-License-Identifier: MIT */
#include "src/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double verify_bound(const struct variant *variant, int64_t axis)
{
    switch (variant->error_growth) {
    case ERROR_NONE:
        return 0;
    case ERROR_TREE: /* log2, rounded up */
        return 2 * (axis > 1 ? shape_octave(axis - 1) + 1 : 0) + 2;
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

void verify_fill(const struct problem *problem, struct input input, void *in,
                 uint8_t *mask)
{
    const int64_t lines = shape_lines(problem->shape);
    const size_t bytes = dtype_bytes(problem->dtype);
    const struct input_line any = lines_of(problem, input);
#pragma omp parallel for schedule(                                             \
    dynamic, 64) if (shape_elems(problem->shape) > 1 << 16)
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
#pragma omp parallel for schedule(                                             \
    dynamic, 64) if (shape_elems(problem->shape) > 1 << 16)
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
    if (element_bits(p->dtype, p->in, index) != *bits)
        part->input_changed = true;
    if (!op_has_mask(p->op))
        return true;
    const uint8_t mask = input_mask(walk->input, a, (uint64_t)index);
    if (p->mask[index] != mask)
        part->input_changed = true;
    *bits = mask ? *bits : 0;
    return mask;
}

/* Checks sums of the special input, which telescope. */
static void check_special(struct walk walk, bool loses_subnormals,
                          struct verification *part)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
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
    uint64_t want = 0;
    memset(&want, WRITE_BYTE, dtype_bytes(p->dtype));
    for (int64_t a = 0; a < axis; ++a) {
        if (p->op != OP_WRITE)
            check_input(&walk, a, part, word, &want);
        if (p->op == OP_READ)
            continue;
        const int64_t index =
            walk_index(walk, p->op == OP_FLIP ? axis - 1 - a : a);
        const uint64_t found =
            bits_of(op_out_elem_bytes(p->op, p->dtype), p->out, index);
        judge(part, index, found == moved(p, want) ? 0 : INFINITY);
    }
}

/* ------------------------------------------------------------- definitions */

static uint64_t sum_lower(enum dtype dtype, struct op_acc acc, int64_t count)
{
    (void)count;
    return dtype_bits(dtype, acc_value(acc));
}

static double sum_error(enum dtype dtype, bool exact, uint64_t bits,
                        struct op_acc acc, int64_t count)
{
    (void)count;
    return rounding_error(dtype, exact, dtype_value(dtype, bits),
                          acc_value(acc), acc_word(acc, 2));
}

/* Sums of floats add like a mean. */
static const struct reducer float_sum = { .id = REDUCER_ADD,
                                          .dtypes = DTYPES_FLOAT,
                                          .identity = mean_identity,
                                          .lift = mean_lift,
                                          .combine = mean_combine,
                                          .lower = sum_lower,
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
        bits_of(op_out_elem_bytes(p->op, p->dtype), p->out, index);
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

/* By the reducer's definition. Inlined, so that sums need no calls. If
 * `cancelling`, the magnitude is that of the whole line. */
static inline __attribute__((always_inline)) void
check_definition(struct walk walk, const struct reducer *reducer, bool exact,
                 bool cancelling, struct verification *part)
{
    const struct problem *p = walk.problem;
    const int64_t axis = p->shape.axis;
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
#pragma omp parallel for schedule(dynamic, 64) reduction(^ : word) reduction(  \
    merge : whole) if (lines > 1 && shape_elems(problem->shape) > 1 << 16)
    for (int64_t line = 0; line < lines; ++line) {
        const struct walk walk = walk_line(problem, any, line);
        if (reducer)
            check_definition(walk, reducer, exact, false, &whole);
        else if (special && problem->shape.axis > 0)
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
    return whole;
}

uint64_t verify_expected(const struct problem *problem, struct input input,
                         int64_t index)
{
    const enum op op = problem->op;
    const struct reducer *reducer = verify_definition(op, problem->dtype);
    const struct shape s = problem->shape;
    const bool sum = op_is_reduction(op);
    const int64_t line =
        sum ? index : index / s.inner / s.axis * s.inner + index % s.inner;
    const int64_t a = sum ? 0 : index / s.inner % s.axis;
    const struct walk walk = walk_line(problem, lines_of(problem, input), line);
    const int64_t first = op_is_reverse(op) ? a : 0;
    const int64_t end = sum || op_is_reverse(op) ? s.axis
                        : op_is_exclusive(op)    ? a
                                                 : a + 1;
    const int64_t from = op == OP_FLIP ? s.axis - 1 - a : a;
    uint64_t bits = 0;
    if (reducer)
        return reducer->lower(problem->dtype,
                              combined(walk, reducer, first, end), end - first);
    if (op == OP_WRITE)
        memset(&bits, WRITE_BYTE, dtype_bytes(problem->dtype));
    else if (op != OP_READ && walk_is_kept(walk, from))
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
