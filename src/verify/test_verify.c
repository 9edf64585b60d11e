/* SPDX-License-Identifier: MIT
 *
 * The verifier accepts right results and catches each kind of wrong one, for
 * every operation and dtype. The right results come from plain loops in long
 * double, or in integers, over what verify_fill() wrote.
 */
#include "src/verify/verify.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/test.h"

static const struct variant serial = { .name = "serial",
                                       .error_growth = ERROR_SERIAL };
static const struct variant moving = { .name = "moving",
                                       .error_growth = ERROR_NONE };
static const struct variant cancels = { .error_growth = ERROR_CANCELLING };

static const struct shape shapes[] = {
    { 1, 1, 1 },   { 1, 2, 1 }, { 3, 33, 1 },  { 3, 33, 3 },
    { 1, 257, 1 }, { 5, 1, 7 }, { 2, 100, 5 }, { 7, 64, 1 },
};
static const struct shape odd = { 3, 33, 3 };

enum { SHAPES = sizeof shapes / sizeof *shapes, MAX_ELEMS = READ_SLOTS / 2 };

/* The case that is checked: a problem and its memory, the input, the bug. */
static struct {
    uint64_t in[MAX_ELEMS], out[MAX_ELEMS];
    uint64_t in2[MAX_ELEMS], initial[MAX_ELEMS];
    uint8_t mask[MAX_ELEMS];
} memory;
static struct problem p;
static struct input input;
static const char *bug = "";

static const char *about(void)
{
    static const char *const kinds[] = { "exact", "real", "special", "bits" };
    static char text[160];
    char shape[SHAPE_TEXT_BYTES];
    snprintf(text, sizeof text, "%s %s %s %s %s", op_name(p.op),
             dtype_name(p.dtype), shape_format(p.shape, shape),
             kinds[input.kind], bug);
    return text;
}

#define CHECK_HERE(right) CHECK_FOR(right, "%s", about())

static size_t bytes_of(const void *array)
{
    return array == memory.out ? op_out_elem_bytes(p.op, p.dtype)
                               : dtype_bytes(p.dtype);
}

static uint64_t bits_at(const void *array, int64_t index)
{
    uint64_t bits = 0;
    const size_t bytes = bytes_of(array);
    memcpy(&bits, (const char *)array + (size_t)index * bytes, bytes);
    return bits;
}

static void put_bits(void *array, int64_t index, uint64_t bits)
{
    const size_t bytes = bytes_of(array);
    memcpy((char *)array + (size_t)index * bytes, &bits, bytes);
}

/* --------------------------------------------------------- right results */

static int64_t index_of(int64_t line, int64_t a)
{
    const int64_t inner = p.shape.inner;
    return (line / inner * p.shape.axis + a) * inner + line % inner;
}

static bool takes_extremes(enum op op)
{
    return op_reducer(op) == REDUCER_MAX || op_reducer(op) == REDUCER_MIN;
}

static bool takes_smallest(enum op op)
{
    return op_reducer(op) == REDUCER_MIN || op_reducer(op) == REDUCER_ARGMIN;
}

static int64_t integer_at(int64_t index)
{
    const unsigned char byte = ((const unsigned char *)memory.in)[index];
    switch (p.dtype) {
    case DTYPE_I32:
        return ((const int32_t *)memory.in)[index];
    case DTYPE_I64:
        return ((const int64_t *)memory.in)[index];
    case DTYPE_U8:
        return byte;
    default:
        return byte ? 1 : 0;
    }
}

/* The sum of an output's elements, the sum of their magnitudes, their product,
 * and the largest or smallest of them with its place. A long double holds every
 * integer; sums and products of integers wrap. */
struct reference {
    int64_t begin, end, place;
    long double sum, magnitude, product, extreme;
    uint64_t integer_sum, integer_product;
};

static void take_extreme(struct reference *r, long double x, int64_t place)
{
    const long double best = r->extreme;
    const bool beats = takes_smallest(p.op) ? x < best : x > best;
    if (r->place >= 0 && (isnan(best) || !(beats || isnan(x))))
        return;
    r->extreme = x;
    r->place = place;
}

static void take(struct reference *r, int64_t index, int64_t place)
{
    const bool is_float = dtype_is_float(p.dtype);
    const int64_t integer = is_float ? 0 : integer_at(index);
    const long double x =
        is_float ? dtype_load(p.dtype, memory.in, index) : (long double)integer;
    r->sum += x;
    r->magnitude += fabsl(x);
    r->product *= x;
    r->integer_sum += (uint64_t)integer;
    r->integer_product *= (uint64_t)integer;
    take_extreme(r, x, place);
}

/* The largest element plus log(sum of exp of the differences). */
static long double log_sum_exp(struct reference r, int64_t line)
{
    long double sum = 0;
    for (int64_t k = r.begin; k < r.end; ++k)
        sum += expl(dtype_load(p.dtype, memory.in, index_of(line, k)) -
                    (long double)r.extreme);
    return isfinite(r.extreme) ? r.extreme + logl(sum) : r.extreme;
}

/* The state behind element a, its terms' magnitudes, and their products'
 * roundings, as a part of those. */
static struct reference recurred(int64_t line, int64_t a)
{
    const int64_t from = op_is_reverse(p.op) ? p.shape.axis - 1 : 0;
    const double bound = verify_allowed(&p, &serial, INPUT_REAL);
    long double h = p.initial ? dtype_load(p.dtype, memory.initial, line) : 0;
    long double magnitude = fabsl(h), aged = 0;
    for (int64_t k = 0; k <= llabs(a - from); ++k) {
        const int64_t at = index_of(line, from ? from - k : k);
        const long double by = dtype_load(p.dtype, memory.in, at);
        const long double more = dtype_load(p.dtype, memory.in2, at);
        h = by * h + more;
        aged = fabsl(by) * (aged + magnitude);
        magnitude = fabsl(by) * magnitude + fabsl(more);
    }
    return (struct reference){ .sum = h,
                               .magnitude = magnitude + aged / bound };
}

static struct reference reference_at(int64_t line, int64_t a)
{
    const bool to_end = op_is_reverse(p.op) || op_is_reduction(p.op);
    if (op_may_start(p.op))
        return recurred(line, a);
    struct reference r = { .begin = op_is_reverse(p.op) ? a : 0,
                           .end = to_end                  ? p.shape.axis
                                  : op_is_exclusive(p.op) ? a
                                                          : a + 1 };
    r.product = r.integer_product = 1;
    r.place = -1;
    r.extreme = takes_smallest(p.op) ? INFINITY : -INFINITY;
    for (int64_t k = r.begin; k < r.end; ++k)
        if (!op_has_mask(p.op) || memory.mask[index_of(line, k)])
            take(&r, index_of(line, k), k);
    if (p.op == OP_MEAN) {
        r.sum /= p.shape.axis;
        r.magnitude /= p.shape.axis;
    }
    if (op_reducer(p.op) == REDUCER_MUL) {
        r.sum = r.product;
        r.magnitude = fabsl(r.product);
    }
    if (op_reducer(p.op) == REDUCER_LOGADDEXP) {
        r.sum = log_sum_exp(r, line);
        r.magnitude = fmaxl(1, fabsl(r.sum));
    }
    return r;
}

static int64_t out_index(int64_t line, int64_t a)
{
    return op_is_reduction(p.op) ? line : index_of(line, a);
}

static uint64_t right_bits(struct reference r)
{
    if (op_gives_index(p.op))
        return (uint64_t)r.place;
    if (dtype_is_float(p.dtype))
        return dtype_bits(p.dtype,
                          (double)(takes_extremes(p.op) ? r.extreme : r.sum));
    return op_reducer(p.op) == REDUCER_MUL ? r.integer_product
           : takes_extremes(p.op)          ? (uint64_t)(int64_t)r.extreme
                                           : r.integer_sum;
}

static void right_line(int64_t line)
{
    const int64_t axis = p.shape.axis;
    for (int64_t a = 0; a < (op_is_reduction(p.op) ? 1 : axis); ++a) {
        const int64_t to = out_index(line, a);
        const int64_t from =
            p.op == OP_FLIP ? index_of(line, axis - 1 - a) : to;
        if (op_combines(p.op))
            put_bits(memory.out, to, right_bits(reference_at(line, a)));
        else
            put_bits(memory.out, to,
                     op_has_mask(p.op) && !memory.mask[from] ? 0
                     : op_widens(p.op) ? (uint64_t)integer_at(from)
                     : p.in2
                         ? bits_at(memory.in, from) ^ bits_at(memory.in2, from)
                         : bits_at(memory.in, from));
    }
}

/* Writes the right result; for a read, the exclusive or of the input's words
 * in an arbitrary slot. */
static void write_right(void)
{
    uint32_t *slots = (uint32_t *)memory.out, words[2 * MAX_ELEMS] = { 0 };
    memset(memory.out, 0xff, sizeof memory.out);
    if (p.op == OP_READ) {
        memcpy(words, memory.in,
               (size_t)shape_elems(p.shape) * dtype_bytes(p.dtype));
        memset(memory.out, 0, READ_SLOTS * 4);
        for (int w = 0; w < 2 * MAX_ELEMS; ++w)
            slots[77] ^= words[w];
    } else if (p.op == OP_WRITE) {
        memset(memory.out, WRITE_BYTE,
               (size_t)op_out_bytes(p.op, p.dtype, p.shape));
    } else {
        for (int64_t line = 0; line < shape_lines(p.shape); ++line)
            right_line(line);
    }
}

static void make(enum op op, enum dtype dtype, struct shape shape,
                 enum input_kind kind)
{
    p = (struct problem){ .op = op,
                          .dtype = dtype,
                          .shape = shape,
                          .in = memory.in,
                          .mask = op_has_mask(op) ? memory.mask : NULL,
                          .out = memory.out,
                          .in2 = op_inputs(op) == 2 ? memory.in2 : NULL };
    if (op_may_start(op) && kind == INPUT_EXACT)
        p.initial = memory.initial;
    input = (struct input){ kind, 0 };
    memset(&memory, 0xff, sizeof memory);
    verify_fill(&p, input, memory.in, memory.mask);
    write_right();
}

static struct verification verify(void)
{
    return verify_host(&p, op_rounds(p.op, p.dtype) ? &serial : &moving, input);
}

static bool rounds(void)
{
    return (input.kind == INPUT_REAL || p.op == OP_MEAN ||
            op_reducer(p.op) == REDUCER_LOGADDEXP) &&
           op_rounds(p.op, p.dtype);
}

/* verify_expected() gives the right result everywhere. */
static void check_expected(void)
{
    const int64_t elems = p.op == OP_READ ? 0 : op_out_elems(p.op, p.shape);
    for (int64_t k = 0; k < elems; ++k) {
        const uint64_t expected = verify_expected(&p, input, k);
        if (!dtype_is_float(op_out_dtype(p.op, p.dtype))) {
            CHECK_HERE(expected == bits_at(memory.out, k));
            continue;
        }
        const double y = dtype_load(p.dtype, memory.out, k);
        const double rounded = dtype_value(p.dtype, expected);
        /* Sums in long double are rounded once more, or less. */
        const double least = op_reducer(p.op) == REDUCER_LOGADDEXP ? 1 : 0;
        const double off =
            rounds() ? 2 * dtype_roundoff(p.dtype) * fmax(fabs(y), least) : 0;
        CHECK_FOR(y == rounded || (isnan(y) && isnan(rounded)) ||
                      fabs(y - rounded) <= off,
                  "%s: %lld: %g, not %g", about(), (long long)k, rounded, y);
    }
}

static void check_right(void)
{
    const struct verification v = verify();
    CHECK_FOR(v.wrong == 0 && v.first_wrong == -1, "%s: %lld", about(),
              (long long)v.first_wrong);
    CHECK_HERE(v.checked == op_out_elems(p.op, p.shape) && !v.input_changed);
    CHECK_HERE(v.max_error <= v.bound);
    CHECK_HERE(rounds() ? v.bound >= 1 : v.bound == 0 && v.max_error == 0);
    check_expected();
}

/* --------------------------------------------------------- planted bugs */

static void check_caught(int64_t index)
{
    const struct verification v = verify();
    CHECK_FOR(v.wrong == 1 && v.first_wrong == index, "%s: at %lld (%lld)",
              about(), (long long)index, (long long)v.first_wrong);
    CHECK_HERE(v.max_error > v.bound && !v.input_changed);
}

static void plant_bits(int64_t index, uint64_t bits, const char *what)
{
    const uint64_t before = bits_at(memory.out, index);
    bug = what;
    put_bits(memory.out, index, bits);
    check_caught(index);
    put_bits(memory.out, index, before);
    bug = "";
}

static void plant_value(int64_t index, double value, const char *what)
{
    if (dtype_load(p.dtype, memory.out, index) != value)
        plant_bits(index, dtype_bits(p.dtype, value), what);
}

/* The next number away from 0 is the smallest error. */
static void plant_next(int64_t index)
{
    plant_bits(index, bits_at(memory.out, index) + 1, "the next number");
}

/* Twice the allowed error is caught, half of it is not, if the dtype can
 * represent that. */
static void plant_beyond(int64_t line, int64_t a)
{
    const int64_t index = out_index(line, a);
    const uint64_t before = bits_at(memory.out, index);
    const struct reference r = reference_at(line, a);
    const double sum = (double)r.sum;
    const double rounding = dtype_roundoff(p.dtype) * fabs(sum);
    const double allowed = verify_allowed(&p, &serial, input.kind) *
                           dtype_acc_roundoff(p.dtype) * (double)r.magnitude;
    if (!isfinite(sum)) {
        plant_value(index, 1, "finite");
        return;
    }
    if (r.magnitude == 0) {
        plant_next(index); /* the sum of nothing is 0 */
        return;
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        const double wrong = sum + sign * (rounding + 2 * allowed);
        uint64_t bits = dtype_bits(p.dtype, wrong);
        const double got = dtype_value(p.dtype, bits);
        if (fabs(got - sum) < fabs(wrong - sum)) /* rounded towards the sum */
            bits += (uint64_t)((got > 0) == (sign > 0) ? 1 : -1);
        plant_bits(index, bits, "twice the bound");
        dtype_store(p.dtype, memory.out, index, sum + sign * allowed / 2);
        CHECK_FOR(verify().wrong == 0, "%s: half the bound", about());
    }
    put_bits(memory.out, index, before);
}

static void plant_element(const void *array, int64_t index)
{
    const uint64_t before = bits_at(array, index);
    put_bits((void *)array, index, before ^ 1);
    CHECK_HERE(verify().input_changed);
    put_bits((void *)array, index, before);
}

static void plant_input(int64_t index)
{
    plant_element(p.in, index);
    if (p.in2)
        plant_element(p.in2, index);
    if (p.initial)
        plant_element(p.initial, index % shape_lines(p.shape));
    memory.mask[index] ^= 1;
    CHECK_HERE(!op_has_mask(p.op) || verify().input_changed);
    memory.mask[index] ^= 1;
}

static void plant_read(int slot)
{
    uint32_t *slots = (uint32_t *)memory.out;
    bug = "one bit of a slot";
    slots[slot] ^= 0x10000;
    check_caught(0);
    slots[slot] ^= 0x10000;
    bug = "";
}

/* A lost carry, a wrong sign, and all bits. */
static void plant_integers(int64_t index)
{
    const uint64_t bits = bits_at(memory.out, index);
    const int width = 8 * (int)bytes_of(memory.out);
    plant_next(index);
    plant_bits(index, bits ^ (uint64_t)1 << (width - 1), "the sign");
    plant_bits(index, bits ^ (uint64_t)1 << width / 2, "a carry");
    plant_bits(index, ~bits, "all bits");
}

static void plant_outputs(int64_t index)
{
    if (!dtype_is_float(p.dtype) && p.op != OP_WRITE) {
        plant_integers(index);
        return;
    }
    if (op_reducer(p.op) > REDUCER_MEAN && !op_gives_index(p.op) &&
        isnan(dtype_load(p.dtype, p.out, index)))
        return; /* any NaN is right */
    if (!rounds())
        plant_next(index);
    if (op_gives_index(p.op)) {
        plant_bits(index, UINT64_MAX, "no place");
        return;
    }
    if (input.kind == INPUT_BITS) /* may be any of these */
        return;
    plant_value(index, NAN, "NaN");
    plant_value(index, INFINITY, "infinity");
    plant_value(index, -INFINITY, "infinity");
    plant_value(index, dtype_max(p.dtype), "the largest");
    if (input.kind == INPUT_EXACT && p.op != OP_WRITE &&
        op_reducer(p.op) != REDUCER_LOGADDEXP)
        plant_value(index, dtype_load(p.dtype, p.out, index) + 40,
                    "some 40 too much");
}

static void check_case(enum op op, enum dtype dtype, struct shape shape,
                       enum input_kind kind)
{
    make(op, dtype, shape, kind);
    const int64_t elems = shape_elems(shape), lines = shape_lines(shape);
    const int64_t outs = op_out_elems(op, shape);
    check_right();
    if (op == OP_READ) {
        plant_read(0);
        plant_read(READ_SLOTS - 1);
    } else {
        plant_outputs(0);
        plant_outputs(outs / 2);
        plant_outputs(outs - 1);
    }
    if (op_has_input(op)) {
        plant_input(0);
        plant_input(elems - 1);
    }
    for (int64_t k = 0; rounds() && k < 2; ++k) {
        plant_beyond(k * (lines - 1), 0);
        plant_beyond(k * (lines - 1), shape.axis / 2);
        plant_beyond(k * (lines - 1), shape.axis - 1);
    }
    CHECK_HERE(verify().wrong == 0); /* every bug was taken back */
}

/* ------------------------------------------------------ whole wrong results */

/* Outputs that were never written, and all moved by one place. */
static void check_unwritten(enum op op, enum dtype dtype, enum input_kind kind)
{
    const size_t bytes = (size_t)op_out_bytes(op, dtype, odd);
    const size_t one = dtype_bytes(dtype);
    make(op, dtype, odd, kind);
    memmove((char *)memory.out + one, memory.out, bytes - one);
    struct verification v = verify();
    CHECK_HERE(v.wrong > v.checked / 2 || takes_extremes(op)); /* equals */
    memset(memory.out, 0xff, sizeof memory.out);
    v = verify();
    CHECK_HERE(v.wrong == v.checked && v.first_wrong == 0);
}

static void check_whole(enum dtype dtype, enum input_kind kind)
{
    for (int o = 0; o < op_count(); ++o)
        if (op_at(o) != OP_READ && op_at(o) != OP_WRITE &&
            op_has_dtype(op_at(o), dtype) &&
            (op_at(o) != OP_COPY_XOR || kind == INPUT_REAL))
            check_unwritten(op_at(o), dtype, kind);
}

/* ---------------------------------------------------------------- bounds */

static void check_bounds(void)
{
    const struct variant tree = { .error_growth = ERROR_TREE };
    const struct variant tiled = { .error_growth = ERROR_TILED,
                                   .error_tile = 1024 };
    CHECK(verify_bound(&moving, 1 << 20) == 0);
    CHECK(verify_bound(&serial, 100) == 101);
    CHECK(verify_bound(&tree, 1) == 2);
    CHECK(verify_bound(&tree, 1024) == 22);
    CHECK(verify_bound(&tree, 1025) == 24);
    CHECK(verify_bound(&tiled, 1 << 20) == 80 + 1024);
    CHECK(verify_bound(&cancels, 100) == 101);
    CHECK(verify_bound(&serial, 0) >= 0 && verify_bound(&tree, 0) >= 0);
}

/* A prefix by subtraction from a large total is wrong by its own magnitude, and
 * right by that of the line. */
static void check_cancelling(void)
{
    make(OP_CUMSUM, DTYPE_F32, (struct shape){ 1, 1000, 1 }, INPUT_REAL);
    const double whole = (double)reference_at(0, 999).magnitude;
    const double right = dtype_load(DTYPE_F32, memory.out, 0);
    const double allowed = verify_bound(&cancels, 1000) * 0x1p-24 * whole;
    dtype_store(DTYPE_F32, memory.out, 0, right + allowed / 2);
    CHECK(verify_host(&p, &cancels, input).wrong == 0);
    CHECK(verify_host(&p, &serial, input).wrong == 1);
    dtype_store(DTYPE_F32, memory.out, 0, right + allowed * 2);
    CHECK(verify_host(&p, &cancels, input).wrong == 1);
}

/* Digits that float64 without compensation loses. */
static void check_two_sum(void)
{
    static const double terms[] = { 1, 0x1p-70, -1, 0x1p80, 1, -0x1p80 };
    struct two_sum sum = { 0, 0 };
    for (int k = 0; k < 6; ++k) {
        sum = two_sum_add(sum, terms[k]);
        CHECK(k != 2 || two_sum_value(sum) == 0x1p-70);
    }
    CHECK(two_sum_value(sum) == 1 + 0x1p-70);
}

/* A sum of -0 alone may have either sign; other sums of zeros, and the sum of
 * nothing, are +0. */
static void check_zero_signs(enum op op)
{
    const uint64_t minus = 0x80000000;
    int either = 0, positive = 0;
    make(op, DTYPE_F32, (struct shape){ 12, 5, 1 }, INPUT_SPECIAL);
    for (int64_t k = 0; k < op_out_elems(op, p.shape); ++k) {
        const int64_t line = op_is_reduction(op) ? k : k / 5;
        const struct reference r = reference_at(line, k % 5);
        bool negative = r.end > r.begin;
        if (bits_at(memory.out, k) != 0)
            continue;
        for (int64_t a = r.begin; a < r.end; ++a)
            negative &= bits_at(memory.in, line * 5 + a) == minus;
        either += negative;
        positive += !negative;
        if (!negative) {
            plant_bits(k, minus, "-0");
            continue;
        }
        put_bits(memory.out, k, minus);
        check_right();
        put_bits(memory.out, k, 0);
    }
    CHECK_FOR(positive > 2, "%s: %d", op_name(op), positive);
    CHECK_FOR(either > 0 || op != OP_CUMSUM, "%s", op_name(op));
}

/* A variant that loses subnormals is excused from them alone. */
static void check_losing_subnormals(void)
{
    const struct variant loses = { .error_growth = ERROR_SERIAL,
                                   .loses_subnormals = true };
    for (int64_t line = 0; line < 3; ++line) {
        make(OP_CUMSUM, DTYPE_F32, (struct shape){ 3, 100, 1 }, INPUT_SPECIAL);
        put_bits(memory.out, line * 100 + 50, 0x00000001);
        CHECK(verify().wrong == 1);
        CHECK(verify_host(&p, &loses, input).wrong ==
              (input_line_of(input, DTYPE_F32, false, p.shape, line)
                   .distribution != SPECIAL_SMALL));
    }
}

/* The input that versions change. */
static void *changing(void)
{
    return p.in2 ? memory.in2 : memory.in;
}

/* Another version's right result is wrong from the first change on, with every
 * bound. A line of 320 elements has 20 pieces. */
static void check_versions(enum op op, enum dtype dtype)
{
    static uint64_t before[MAX_ELEMS];
    int changed = 0, kept = 0;
    make(op, dtype, (struct shape){ 3, 320, 1 }, INPUT_REAL);
    memcpy(before, changing(), sizeof before);
    input.version = 12345;
    verify_fill(&p, input, memory.in, memory.mask);
    for (int64_t k = 0; k < 960; ++k) {
        const bool other = bits_at(before, k) != bits_at(changing(), k);
        changed += other;
        kept += other && (!op_has_mask(op) || memory.mask[k]);
    }
    const bool some = dtype == DTYPE_BOOL; /* were true before */
    CHECK_HERE(op_has_mask(op) || some ? changed >= 45 : changed == 60);
    struct verification v = verify();
    CHECK_HERE(kept >= (some ? 40 : 54) && v.wrong >= (some ? 2 : 3) &&
               !v.input_changed);
    write_right();
    CHECK_HERE(verify().wrong == 0);
    input.version = 0;
    CHECK_HERE(verify().input_changed);
}

/* Changing one version into another gives what filling with it gives. */
static void check_changed_versions(enum op op, enum dtype dtype,
                                   struct shape shape)
{
    static const uint64_t versions[] = { 7, 8, 0, 9 };
    static uint64_t filled[MAX_ELEMS];
    make(op, dtype, shape, INPUT_REAL);
    const size_t bytes = (size_t)shape_elems(shape) * dtype_bytes(dtype);
    uint64_t held = 0;
    for (size_t k = 0; k < sizeof versions / sizeof *versions; ++k) {
        struct problem other = p;
        other.in2 = p.in2 ? filled : NULL;
        verify_fill(&other, (struct input){ INPUT_REAL, versions[k] },
                    p.in2 ? memory.in : filled, memory.mask);
        CHECK_HERE(memcmp(filled, changing(), bytes) != 0);
        verify_change(&p, held, versions[k], changing());
        CHECK_HERE(memcmp(filled, changing(), bytes) == 0);
        held = versions[k];
    }
}

/* The largest of zeros has a sign that was seen; of NaN, any bits. */
static void check_extremes(void)
{
    const uint64_t minus = 0x80000000;
    uint64_t *in = memory.in;
    make(OP_AMAX, DTYPE_F32, (struct shape){ 12, 5, 1 }, INPUT_SPECIAL);
    int zeros = 0, either = 0, nans = 0;
    for (int64_t line = 0; line < 12; ++line) {
        const double right = dtype_load(DTYPE_F32, memory.out, line);
        bool positive = false, negative = false;
        for (int64_t a = 0; a < 5; ++a) {
            positive |= bits_at(in, line * 5 + a) == 0;
            negative |= bits_at(in, line * 5 + a) == minus;
        }
        if (isnan(right)) {
            ++nans;
            put_bits(memory.out, line, 0xff800001);
            CHECK_HERE(verify().wrong == 0);
            plant_value(line, dtype_max(DTYPE_F32), "the largest for NaN");
        } else if (right == 0) {
            ++zeros;
            either += positive && negative;
            put_bits(memory.out, line, positive ? 0 : minus);
            CHECK_HERE(verify().wrong == 0);
            put_bits(memory.out, line, negative ? minus : 0);
            CHECK_HERE(verify().wrong == 0);
            if (!positive || !negative)
                plant_bits(line, positive ? minus : 0, "the other zero");
        }
    }
    CHECK(zeros == 3 && either > 0 && nans > 0);
}

/* A product of zeros has the sign of its factors. */
static void check_zero_products(void)
{
    const struct reducer *product = reducer_of(OP_PROD, DTYPE_F32);
    const enum dtype f32 = DTYPE_F32;
    const uint64_t minus = 0x80000000, minus_two = dtype_bits(f32, -2);
    struct op_acc acc = product->identity(f32);
    acc = product->combine(acc, product->lift(f32, minus, 0));
    CHECK(product->lower(f32, acc, 1) == minus);
    CHECK(product->error(f32, true, minus, acc, 1) == 0);
    CHECK(product->error(f32, true, 0, acc, 1) > 0);
    acc = product->combine(acc, product->lift(f32, minus_two, 1));
    CHECK(product->lower(f32, acc, 2) == 0);
    CHECK(product->error(f32, false, 0, acc, 2) == 0);
    CHECK(product->error(f32, false, minus, acc, 2) > 0);
    /* So has one that is rounded to 0: a quarter of the smallest number. */
    acc = product->combine(product->lift(f32, minus | 1, 0),
                           product->lift(f32, dtype_bits(f32, 0.25), 1));
    CHECK(product->error(f32, false, minus, acc, 2) == 0);
    CHECK(product->error(f32, false, 0, acc, 2) > 0);
}

/* The error of each multiple of the smallest number, for `at` times that, is
 * what is beyond half of it. */
static void check_multiples(enum op op, enum dtype dtype, struct op_acc acc,
                            int64_t count, double at)
{
    const struct reducer *by = reducer_of(op, dtype);
    for (uint64_t y = 0; y < 2 * at + 3; ++y) {
        const double beyond = fmax(fabs((double)y - at) - 0.5, 0);
        const double wanted = beyond / (dtype_acc_roundoff(dtype) * at);
        const double error = by->error(dtype, false, y, acc, count);
        CHECK_FOR(fabs(error - wanted) <= 1e-6 * wanted,
                  "%s %s: %d for %g: %g, not %g", op_name(op),
                  dtype_name(dtype), (int)y, at, error, wanted);
    }
}

static void check_between_subnormals(void)
{
    static const enum dtype dtypes[] = { DTYPE_F16, DTYPE_BF16, DTYPE_F32 };
    for (int k = 0; k < 3; ++k)
        for (uint64_t bits = 1; bits < 40; ++bits)
            for (int64_t n = 2; n < 8; ++n) {
                const enum dtype d = dtypes[k];
                const uint64_t part = dtype_bits(d, 1 / (double)n);
                const uint64_t minus = dtype_bits(d, -0.0);
                const struct op_acc x = mean_lift(d, bits, 0);
                const struct op_acc one = mean_combine(
                    mean_lift(d, minus | bits, 0), mean_lift(d, bits + 1, 1));
                check_multiples(OP_MEAN, d, x, n, (double)bits / (double)n);
                CHECK(mean_error(d, false, minus, x, n) > 0);
                CHECK(mean_error(d, false, minus, one, n) == 0); /* cancels */
                check_multiples(
                    OP_PROD, d,
                    mul_combine(mul_lift(d, bits, 0), mul_lift(d, part, 1)), 2,
                    (double)bits * dtype_value(d, part));
            }
}

/* A sum along an empty axis is 0, and must be written. */
static void check_empty(void)
{
    make(OP_SUM, DTYPE_F16, (struct shape){ 3, 0, 5 }, INPUT_REAL);
    CHECK(verify().checked == 15);
    check_right();
    plant_value(14, NAN, "NaN");
    make(OP_CUMSUM, DTYPE_F32, (struct shape){ 3, 0, 5 }, INPUT_EXACT);
    CHECK(verify().checked == 0);
    verify_change(&p, 1, 2, NULL);
    make(OP_WRITE, DTYPE_F32, (struct shape){ 3, 5, 5 }, INPUT_REAL);
    verify_change(&p, 1, 2, NULL); /* it has no input */
    make(OP_SUM, DTYPE_F32, (struct shape){ 0, 5, 5 }, INPUT_EXACT);
    CHECK(verify().checked == 0);
    make(OP_CUMSUM_EXCLUSIVE, DTYPE_F32, (struct shape){ 12, 5, 1 },
         INPUT_REAL);
    plant_value(0, -0.0, "-0 for the sum of nothing");
}

/* Integers are written exactly, and bytes as they are. */
static void check_numbers(void)
{
    static const struct {
        enum op op;
        enum dtype dtype;
        uint64_t bits;
        const char *text;
    } cases[] = {
        { OP_SUM, DTYPE_I32, 9007199254740993, "9007199254740993" },
        { OP_SUM, DTYPE_BOOL, (uint64_t)-3, "-3" },
        { OP_AMAX, DTYPE_I32, 0x80000000, "-2147483648" },
        { OP_CUMMIN, DTYPE_U8, 255, "255" },
        { OP_AMAX, DTYPE_BOOL, 2, "2" },
        { OP_ARGMAX, DTYPE_F32, (uint64_t)-1, "-1" },
        { OP_SUM, DTYPE_F16, 0x3e00, "1.5" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const struct problem of = { .op = cases[k].op,
                                    .dtype = cases[k].dtype };
        char text[VALUE_BYTES];
        CHECK_FOR(
            strcmp(verify_number(&of, cases[k].bits, text), cases[k].text) == 0,
            "%s", text);
    }
}

static void check_op(enum op op, enum dtype dtype)
{
    for (int s = 0; s < SHAPES; ++s)
        for (enum input_kind kind = 0; kind < INPUT_KINDS; ++kind)
            if (input_serves(kind, op, dtype))
                check_case(op, dtype, shapes[s], kind);
    if (op == OP_READ || op == OP_WRITE) /* no output of elements */
        return;
    check_versions(op, dtype);
    check_changed_versions(op, dtype, (struct shape){ 3, 320, 1 });
    check_changed_versions(op, dtype, (struct shape){ 2, 100, 5 });
}

int main(void)
{
    static const enum op adding[] = { OP_CUMSUM, OP_CUMSUM_EXCLUSIVE,
                                      OP_CUMSUM_REVERSE, OP_SUM };
    for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype) {
        for (int o = 0; o < op_count(); ++o)
            if (op_has_dtype(op_at(o), dtype))
                check_op(op_at(o), dtype);
        if (dtype_is_float(dtype))
            check_whole(dtype, INPUT_EXACT);
        if (dtype_bytes(dtype) > 1)
            check_whole(dtype, INPUT_REAL);
    }
    for (int k = 0; k < 4; ++k)
        check_zero_signs(adding[k]);
    check_losing_subnormals();
    check_extremes();
    check_zero_products();
    check_between_subnormals();
    check_bounds();
    check_cancelling();
    check_two_sum();
    check_numbers();
    check_empty();
    return test_end();
}
