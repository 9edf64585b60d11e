/* SPDX-License-Identifier: MIT
 *
 * The verifier accepts right results and catches each kind of wrong one, for
 * every operation and dtype. The right results come from plain loops in long
 * double over what verify_fill() wrote.
 */
#include "src/verify/verify.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/test.h"

static const struct variant serial = { .name = "serial",
                                       .error_growth = ERROR_SERIAL };
static const struct variant moving = { .name = "moving",
                                       .error_growth = ERROR_NONE };

static const struct shape shapes[] = {
    { 1, 1, 1 },   { 1, 2, 1 }, { 3, 33, 1 },  { 3, 33, 3 },
    { 1, 257, 1 }, { 5, 1, 7 }, { 2, 100, 5 }, { 7, 64, 1 },
};
static const struct input real = { INPUT_REAL, 0 };
static const char *const names[] = { "exact", "real", "special", "bits" };

enum { SHAPES = sizeof shapes / sizeof *shapes, MAX_ELEMS = 4096 };

/* One problem's memory. */
static struct {
    uint64_t in[MAX_ELEMS], out[MAX_ELEMS];
    uint8_t mask[MAX_ELEMS];
} memory;

/* Describes the case of a check. */
static const char *about(const struct problem *p, enum input_kind kind)
{
    static char text[128];
    char shape[SHAPE_TEXT_BYTES];
    snprintf(text, sizeof text, "%s %s %s %s", op_name(p->op),
             dtype_name(p->dtype), shape_format(p->shape, shape), names[kind]);
    return text;
}

static bool adds(enum op op)
{
    return op_is_scan(op) || op == OP_SUM;
}

static int64_t index_of(struct shape shape, int64_t line, int64_t a)
{
    return (line / shape.inner * shape.axis + a) * shape.inner +
           line % shape.inner;
}

static long double term(const struct problem *p, int64_t index)
{
    if (op_has_mask(p->op) && !memory.mask[index])
        return 0;
    return dtype_load(p->dtype, memory.in, index);
}

/* Bit by bit. */
static void move(const struct problem *p, int64_t from, int64_t to)
{
    const size_t bytes = dtype_bytes(p->dtype);
    char *out = (char *)memory.out + (size_t)to * bytes;
    memset(out, 0, bytes);
    if (!op_has_mask(p->op) || memory.mask[from])
        memcpy(out, (const char *)memory.in + (size_t)from * bytes, bytes);
}

static void right_line(const struct problem *p, int64_t line)
{
    const int64_t axis = p->shape.axis;
    long double sum = 0;
    for (int64_t step = 0; step < axis; ++step) {
        const int64_t a = p->op == OP_CUMSUM_REVERSE ? axis - 1 - step : step;
        const int64_t index = index_of(p->shape, line, a);
        const int64_t mirrored = index_of(p->shape, line, axis - 1 - a);
        const long double before = sum;
        sum += term(p, index);
        if (!op_adds(p->op) && p->op != OP_READ)
            move(p, index, p->op == OP_FLIP ? mirrored : index);
        else if (op_is_scan(p->op))
            dtype_store(p->dtype, memory.out, index,
                        (double)(p->op == OP_CUMSUM_EXCLUSIVE ? before : sum));
    }
    if (p->op == OP_SUM)
        dtype_store(p->dtype, memory.out, line, (double)sum);
}

/* Exclusive or of the input's words, in an arbitrary slot. */
static void right_read(const struct problem *p)
{
    uint32_t words[2 * MAX_ELEMS] = { 0 };
    memcpy(words, memory.in,
           (size_t)shape_elems(p->shape) * dtype_bytes(p->dtype));
    memset(memory.out, 0, READ_SLOTS * 4);
    for (int w = 0; w < 2 * MAX_ELEMS; ++w)
        ((uint32_t *)memory.out)[77] ^= words[w];
}

/* Makes a problem with its input and the right result. */
static struct problem make(enum op op, enum dtype dtype, struct shape shape,
                           enum input_kind kind)
{
    struct problem p = { .op = op,
                         .dtype = dtype,
                         .shape = shape,
                         .in = memory.in,
                         .mask = op_has_mask(op) ? memory.mask : NULL,
                         .out = memory.out };
    memset(&memory, 0xff, sizeof memory);
    verify_fill(&p, (struct input){ kind, 0 }, memory.in, memory.mask);
    memset(memory.out, 0xff, sizeof memory.out);
    if (op == OP_READ)
        right_read(&p);
    else if (op == OP_WRITE)
        memset(memory.out, WRITE_BYTE, (size_t)op_out_bytes(op, dtype, shape));
    else
        for (int64_t line = 0; line < shape_lines(shape); ++line)
            right_line(&p, line);
    return p;
}

static struct verification verification_of(const struct problem *p,
                                           enum input_kind kind)
{
    return verify_host(p, adds(p->op) ? &serial : &moving,
                       (struct input){ kind, 0 });
}

/* verify_expected() gives the right result everywhere. */
static void check_expected(const struct problem *p, enum input_kind kind)
{
    const struct input input = { kind, 0 };
    const int64_t elems = p->op == OP_READ ? 0 : op_out_elems(p->op, p->shape);
    for (int64_t k = 0; k < elems; ++k) {
        const double y = dtype_load(p->dtype, memory.out, k);
        const double r = verify_expected(p, input, k);
        const double rounded = dtype_value(p->dtype, dtype_bits(p->dtype, r));
        /* Sums in long double are rounded once more, or less. */
        const double off = kind == INPUT_REAL && adds(p->op)
                               ? 2 * dtype_roundoff(p->dtype) * fabs(y)
                               : 0;
        CHECK_FOR(y == rounded || (isnan(y) && isnan(r)) ||
                      fabs(y - rounded) <= off,
                  "%s: %lld: %g, not %g", about(p, kind), (long long)k, r, y);
    }
}

static void check_right(const struct problem *p, enum input_kind kind)
{
    const struct verification v = verification_of(p, kind);
    CHECK_FOR(v.wrong == 0 && v.first_wrong == -1, "%s: %lld", about(p, kind),
              (long long)v.first_wrong);
    CHECK_FOR(v.checked == op_out_elems(p->op, p->shape), "%s", about(p, kind));
    CHECK_FOR(!v.input_changed, "%s", about(p, kind));
    CHECK_FOR(v.max_error <= v.bound, "%s", about(p, kind));
    if (kind != INPUT_REAL || !adds(p->op))
        CHECK_FOR(v.bound == 0 && v.max_error == 0, "%s", about(p, kind));
    else
        CHECK_FOR(v.bound >= 1, "%s", about(p, kind));
    check_expected(p, kind);
}

static void check_caught(const struct problem *p, enum input_kind kind,
                         int64_t index, const char *bug)
{
    const struct verification v = verification_of(p, kind);
    CHECK_FOR(v.wrong == 1 && v.first_wrong == index, "%s: %s at %lld (%lld)",
              about(p, kind), bug, (long long)index, (long long)v.first_wrong);
    CHECK_FOR(v.max_error > v.bound, "%s: %s", about(p, kind), bug);
    CHECK_FOR(!v.input_changed, "%s: %s", about(p, kind), bug);
}

/* --------------------------------------------------------- planted bugs */

static uint64_t bits_at(const struct problem *p, const void *array,
                        int64_t index)
{
    uint64_t bits = 0;
    const size_t bytes = dtype_bytes(p->dtype);
    memcpy(&bits, (const char *)array + (size_t)index * bytes, bytes);
    return bits;
}

static void put_bits(const struct problem *p, void *array, int64_t index,
                     uint64_t bits)
{
    const size_t bytes = dtype_bytes(p->dtype);
    memcpy((char *)array + (size_t)index * bytes, &bits, bytes);
}

static void plant_value(const struct problem *p, enum input_kind kind,
                        int64_t index, double value, const char *bug)
{
    const uint64_t before = bits_at(p, memory.out, index);
    dtype_store(p->dtype, memory.out, index, value);
    check_caught(p, kind, index, bug);
    put_bits(p, memory.out, index, before);
}

/* Returns the next number away from 0: the smallest error. */
static void plant_next(const struct problem *p, enum input_kind kind,
                       int64_t index)
{
    const uint64_t before = bits_at(p, memory.out, index);
    put_bits(p, memory.out, index, before + 1);
    check_caught(p, kind, index, "the next number");
    put_bits(p, memory.out, index, before);
}

/* The sum before rounding to an output, and the sum of magnitudes. */
struct reference {
    long double sum, magnitude;
};

static struct reference reference_at(const struct problem *p, int64_t line,
                                     int64_t a)
{
    struct reference r = { 0, 0 };
    const bool reverse = p->op == OP_CUMSUM_REVERSE;
    const int64_t begin = reverse ? a : 0;
    const int64_t end = reverse || p->op == OP_SUM     ? p->shape.axis
                        : p->op == OP_CUMSUM_EXCLUSIVE ? a
                                                       : a + 1;
    for (int64_t k = begin; k < end; ++k) {
        const long double x = term(p, index_of(p->shape, line, k));
        r.sum += x;
        r.magnitude += fabsl(x);
    }
    return r;
}

/* Twice the allowed error is caught, half of it is not, if the dtype can
 * represent that. */
static void plant_beyond(const struct problem *p, int64_t line, int64_t a)
{
    const int64_t index = p->op == OP_SUM ? line : index_of(p->shape, line, a);
    const uint64_t before = bits_at(p, memory.out, index);
    const struct reference r = reference_at(p, line, a);
    const double bound = verify_bound(&serial, p->shape.axis);
    const double rounding = dtype_roundoff(p->dtype) * fabs((double)r.sum);
    const double allowed =
        bound * dtype_acc_roundoff(p->dtype) * (double)r.magnitude;
    if (r.magnitude == 0) {
        /* The sum of nothing is 0. */
        plant_next(p, INPUT_REAL, index);
        return;
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        const double wrong = (double)r.sum + sign * (rounding + 2 * allowed);
        dtype_store(p->dtype, memory.out, index, wrong);
        /* if it was rounded towards the right result */
        const double got = dtype_load(p->dtype, memory.out, index);
        if (fabs(got - (double)r.sum) < fabs(wrong - (double)r.sum))
            put_bits(p, memory.out, index,
                     bits_at(p, memory.out, index) +
                         (uint64_t)((got > 0) == (sign > 0) ? 1 : -1));
        check_caught(p, INPUT_REAL, index, "twice the bound");
        const double half = (double)r.sum + sign * allowed / 2;
        dtype_store(p->dtype, memory.out, index, half);
        const struct verification v = verification_of(p, INPUT_REAL);
        CHECK_FOR(v.wrong == 0, "%s: half the bound at %lld",
                  about(p, INPUT_REAL), (long long)index);
    }
    put_bits(p, memory.out, index, before);
}

static void plant_input(const struct problem *p, enum input_kind kind,
                        int64_t index)
{
    const uint64_t before = bits_at(p, memory.in, index);
    put_bits(p, memory.in, index, before ^ 1);
    CHECK_FOR(verification_of(p, kind).input_changed, "%s", about(p, kind));
    put_bits(p, memory.in, index, before);
    if (!op_has_mask(p->op))
        return;
    memory.mask[index] ^= 1;
    CHECK_FOR(verification_of(p, kind).input_changed, "%s", about(p, kind));
    memory.mask[index] ^= 1;
}

static void plant_read(const struct problem *p, enum input_kind kind)
{
    uint32_t *slots = (uint32_t *)memory.out;
    for (int slot = 0; slot < READ_SLOTS; slot += READ_SLOTS - 1) {
        slots[slot] ^= 0x10000;
        check_caught(p, kind, 0, "one bit of a slot");
        slots[slot] ^= 0x10000;
    }
}

static void plant_all(const struct problem *p, enum input_kind kind)
{
    const int64_t elems = op_out_elems(p->op, p->shape);
    const int64_t places[] = { 0, elems / 2, elems - 1 };
    for (int k = 0; k < 3; ++k) {
        if (kind != INPUT_REAL || !adds(p->op))
            plant_next(p, kind, places[k]);
        if (kind == INPUT_BITS) /* may be any of these */
            continue;
        plant_value(p, kind, places[k], NAN, "NaN");
        plant_value(p, kind, places[k], INFINITY, "infinity");
        plant_value(p, kind, places[k], -INFINITY, "infinity");
        plant_value(p, kind, places[k], dtype_max(p->dtype), "the largest");
        if (kind == INPUT_EXACT && p->op != OP_WRITE)
            plant_value(p, kind, places[k],
                        dtype_load(p->dtype, p->out, places[k]) + 40,
                        "some 40 too much");
    }
}

static void check_case(enum op op, enum dtype dtype, struct shape shape,
                       enum input_kind kind)
{
    const struct problem p = make(op, dtype, shape, kind);
    const int64_t elems = shape_elems(shape), lines = shape_lines(shape);
    check_right(&p, kind);
    if (op == OP_READ)
        plant_read(&p, kind);
    else
        plant_all(&p, kind);
    if (op_has_input(op)) {
        plant_input(&p, kind, 0);
        plant_input(&p, kind, elems - 1);
    }
    if (adds(op) && kind == INPUT_REAL)
        for (int64_t line = 0; line<lines; line += lines> 1 ? lines - 1 : 1) {
            plant_beyond(&p, line, 0);
            plant_beyond(&p, line, shape.axis / 2);
            plant_beyond(&p, line, shape.axis - 1);
        }
    check_right(&p, kind); /* every bug was taken back */
}

/* ------------------------------------------------------- whole wrong results
 */

/* Right results of another operation, or of other elements. */
static void check_taken_for(enum op claimed, enum op done, enum dtype dtype,
                            enum input_kind kind)
{
    struct problem p = make(done, dtype, (struct shape){ 3, 33, 3 }, kind);
    p.op = claimed;
    const struct verification v = verification_of(&p, kind);
    CHECK_FOR(v.wrong > 50, "%s by %s: %lld", about(&p, kind), op_name(done),
              (long long)v.wrong);
}

/* Moves every output by one place along memory. */
static void check_shifted(enum op op, enum dtype dtype, enum input_kind kind)
{
    const struct problem p = make(op, dtype, (struct shape){ 3, 33, 3 }, kind);
    const size_t bytes = (size_t)op_out_bytes(op, dtype, p.shape);
    const size_t one = dtype_bytes(dtype);
    memmove((char *)memory.out + one, memory.out, bytes - one);
    const struct verification v = verification_of(&p, kind);
    CHECK_FOR(v.wrong > v.checked / 2, "%s: %lld", about(&p, kind),
              (long long)v.wrong);
}

static void check_unwritten(enum op op, enum dtype dtype, enum input_kind kind)
{
    const struct problem p = make(op, dtype, (struct shape){ 3, 33, 3 }, kind);
    memset(memory.out, 0xff, sizeof memory.out);
    const struct verification v = verification_of(&p, kind);
    CHECK_FOR(v.wrong == v.checked && v.first_wrong == 0, "%s: %lld",
              about(&p, kind), (long long)v.wrong);
}

static void check_whole(enum dtype dtype, enum input_kind kind)
{
    for (int o = 0; o < op_count(); ++o) {
        const enum op op = op_at(o);
        if (op == OP_READ || op == OP_WRITE) /* no output of elements */
            continue;
        check_unwritten(op, dtype, kind);
        check_shifted(op, dtype, kind);
    }
    check_taken_for(OP_CUMSUM, OP_CUMSUM_EXCLUSIVE, dtype, kind);
    check_taken_for(OP_CUMSUM_EXCLUSIVE, OP_CUMSUM, dtype, kind);
    check_taken_for(OP_CUMSUM, OP_CUMSUM_REVERSE, dtype, kind);
    check_taken_for(OP_CUMSUM, OP_COPY, dtype, kind);
    check_taken_for(OP_FLIP, OP_COPY, dtype, kind);
    check_taken_for(OP_COPY, OP_FLIP, dtype, kind);
    check_taken_for(OP_MASKED_COPY, OP_MASKED_CUMSUM, dtype, kind);
}

/* ---------------------------------------------------------------- bounds */

static void check_bounds(void)
{
    const struct variant tree = { .error_growth = ERROR_TREE };
    const struct variant tiled = { .error_growth = ERROR_TILED,
                                   .error_tile = 1024 };
    const struct variant cancels = { .error_growth = ERROR_CANCELLING };
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
    const struct variant cancels = { .error_growth = ERROR_CANCELLING };
    const struct shape shape = { 1, 1000, 1 };
    const struct problem p = make(OP_CUMSUM, DTYPE_F32, shape, INPUT_REAL);
    const double whole = (double)reference_at(&p, 0, 999).magnitude;
    const double right = dtype_load(DTYPE_F32, memory.out, 0);
    const double allowed = verify_bound(&cancels, 1000) * 0x1p-24 * whole;
    dtype_store(DTYPE_F32, memory.out, 0, right + allowed / 2);
    CHECK(verify_host(&p, &cancels, real).wrong == 0);
    CHECK(verify_host(&p, &serial, real).wrong == 1);
    dtype_store(DTYPE_F32, memory.out, 0, right + allowed * 2);
    CHECK(verify_host(&p, &cancels, real).wrong == 1);
}

/* Digits that float64 without compensation loses. */
static void check_two_sum(void)
{
    struct two_sum sum = { 0, 0 };
    sum = two_sum_add(sum, 1);
    sum = two_sum_add(sum, 0x1p-70);
    sum = two_sum_add(sum, -1);
    CHECK(two_sum_value(sum) == 0x1p-70);
    sum = two_sum_add(sum, 0x1p80);
    sum = two_sum_add(sum, 1);
    sum = two_sum_add(sum, -0x1p80);
    CHECK(two_sum_value(sum) == 1 + 0x1p-70);
}

/* A sum of -0 alone may have either sign; other sums of zeros, and the sum of
 * nothing, are +0. */
static void check_zero_signs(enum op op)
{
    const struct shape shape = { 12, 5, 1 };
    const struct problem p = make(op, DTYPE_F32, shape, INPUT_SPECIAL);
    int either = 0, positive = 0;
    for (int64_t k = 0; k < op_out_elems(op, shape); ++k) {
        if (bits_at(&p, memory.out, k) != 0)
            continue;
        const int64_t line = op == OP_SUM ? k : k / 5, a = k % 5;
        const int64_t begin = op == OP_CUMSUM_REVERSE ? a : 0;
        const int64_t end = op == OP_CUMSUM             ? a + 1
                            : op == OP_CUMSUM_EXCLUSIVE ? a
                                                        : 5;
        bool negative = end > begin;
        for (int64_t b = begin; b < end; ++b)
            negative &= bits_at(&p, memory.in, line * 5 + b) == 0x80000000;
        put_bits(&p, memory.out, k, 0x80000000);
        if (negative)
            check_right(&p, INPUT_SPECIAL);
        else
            check_caught(&p, INPUT_SPECIAL, k, "-0");
        either += negative;
        positive += !negative;
        put_bits(&p, memory.out, k, 0);
    }
    CHECK_FOR(positive > 2, "%s: %d", op_name(op), positive);
    CHECK_FOR(either > 0 || op != OP_CUMSUM, "%s", op_name(op));
    const struct problem e =
        make(OP_CUMSUM_EXCLUSIVE, DTYPE_F32, shape, INPUT_REAL);
    put_bits(&e, memory.out, 0, 0x80000000);
    check_caught(&e, INPUT_REAL, 0, "-0 for the sum of nothing");
}

/* A variant that declares that it loses subnormals is excused from them
 * alone. */
static void check_losing_subnormals(void)
{
    const struct variant loses = { .error_growth = ERROR_SERIAL,
                                   .loses_subnormals = true };
    const struct shape shape = { 3, 100, 1 };
    const struct input special = { INPUT_SPECIAL, 0 };
    for (int64_t line = 0; line < 3; ++line) {
        const struct problem p =
            make(OP_CUMSUM, DTYPE_F32, shape, INPUT_SPECIAL);
        const struct input_line l =
            input_line_of(special, DTYPE_F32, false, shape, line);
        put_bits(&p, memory.out, line * 100 + 50, 0x00000001);
        CHECK(verify_host(&p, &serial, special).wrong == 1);
        CHECK(verify_host(&p, &loses, special).wrong ==
              (l.distribution != SPECIAL_SMALL));
    }
}

/* Another version's right result is wrong from the first change on, with every
 * bound, in a line of any length. Pieces have 16 elements here. */
static void check_versions(enum op op, enum dtype dtype)
{
    const struct shape shape = { 3, 1000, 1 };
    const struct input input = { INPUT_REAL, 12345 };
    struct problem p = make(op, dtype, shape, INPUT_REAL);
    static uint64_t before[MAX_ELEMS];
    memcpy(before, memory.in, sizeof before);
    verify_fill(&p, input, memory.in, memory.mask);
    int changed = 0, kept = 0;
    for (int64_t k = 0; k < 3000; ++k) {
        const bool other = bits_at(&p, before, k) != bits_at(&p, memory.in, k);
        changed += other;
        kept += other && (!op_has_mask(op) || memory.mask[k]);
    }
    CHECK_FOR(op_has_mask(op) ? changed >= 186 : changed == 186, "%s: %d",
              about(&p, INPUT_REAL), changed);
    const struct variant *variant = op_adds(op) ? &serial : &moving;
    struct verification v = verify_host(&p, variant, input);
    CHECK_FOR(kept >= 170 && v.wrong >= 3, "%s: %lld", about(&p, INPUT_REAL),
              (long long)v.wrong);
    CHECK(!v.input_changed);
    CHECK(verify_host(&p, variant, real).input_changed);
    for (int64_t line = 0; line < 3; ++line)
        right_line(&p, line);
    v = verify_host(&p, variant, input);
    CHECK_FOR(v.wrong == 0, "%s: %lld", about(&p, INPUT_REAL),
              (long long)v.first_wrong);
}

/* Changing one version into another gives what filling with it gives. */
static void check_changed_versions(enum op op, enum dtype dtype,
                                   struct shape shape)
{
    static const uint64_t versions[] = { 7, 8, 0, 9 };
    static uint64_t filled[MAX_ELEMS];
    struct problem p = make(op, dtype, shape, INPUT_REAL);
    const size_t bytes = (size_t)shape_elems(shape) * dtype_bytes(dtype);
    uint64_t held = 0;
    for (size_t k = 0; k < sizeof versions / sizeof *versions; ++k) {
        verify_fill(&p, (struct input){ INPUT_REAL, versions[k] }, filled,
                    memory.mask);
        CHECK_FOR(memcmp(filled, memory.in, bytes), "%s",
                  about(&p, INPUT_REAL));
        verify_change(&p, held, versions[k], memory.in);
        CHECK_FOR(memcmp(filled, memory.in, bytes) == 0, "%s",
                  about(&p, INPUT_REAL));
        held = versions[k];
    }
}

/* A sum along an empty axis is 0, and must be written. */
static void check_empty_axis(void)
{
    struct problem p =
        make(OP_SUM, DTYPE_F16, (struct shape){ 3, 0, 5 }, INPUT_REAL);
    struct verification v = verification_of(&p, INPUT_REAL);
    CHECK(v.checked == 15 && v.wrong == 0);
    dtype_store(DTYPE_F16, memory.out, 14, NAN);
    v = verification_of(&p, INPUT_REAL);
    CHECK(v.wrong == 1 && v.first_wrong == 14);
    p = make(OP_CUMSUM, DTYPE_F32, (struct shape){ 3, 0, 5 }, INPUT_EXACT);
    CHECK(verification_of(&p, INPUT_EXACT).checked == 0);
    verify_change(&p, 1, 2, NULL);
    p = make(OP_WRITE, DTYPE_F32, (struct shape){ 3, 5, 5 }, INPUT_REAL);
    verify_change(&p, 1, 2, NULL); /* it has no input */
    p = make(OP_SUM, DTYPE_F32, (struct shape){ 0, 5, 5 }, INPUT_EXACT);
    CHECK(verification_of(&p, INPUT_EXACT).checked == 0);
}

int main(void)
{
    for (int op = 0; op < op_count(); ++op)
        for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype)
            for (int s = 0; s < SHAPES; ++s)
                for (int kind = 0; kind < INPUT_KINDS; ++kind)
                    if (kind !=
                        (op_adds(op_at(op)) ? INPUT_BITS : INPUT_SPECIAL))
                        check_case(op_at(op), (enum dtype)dtype, shapes[s],
                                   (enum input_kind)kind);
    for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype)
        for (int kind = INPUT_EXACT; kind <= INPUT_REAL; ++kind)
            check_whole((enum dtype)dtype, (enum input_kind)kind);
    check_zero_signs(OP_CUMSUM);
    check_zero_signs(OP_CUMSUM_EXCLUSIVE);
    check_zero_signs(OP_CUMSUM_REVERSE);
    check_zero_signs(OP_SUM);
    check_losing_subnormals();
    for (int op = 0; op < op_count();
         ++op) /* those whose output depends on the input */
        for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype)
            if (op_at(op) != OP_READ && op_at(op) != OP_WRITE) {
                check_versions(op_at(op), (enum dtype)dtype);
                check_changed_versions(op_at(op), (enum dtype)dtype,
                                       (struct shape){ 3, 1000, 1 });
                check_changed_versions(op_at(op), (enum dtype)dtype,
                                       (struct shape){ 2, 100, 5 });
            }
    check_bounds();
    check_cancelling();
    check_two_sum();
    check_empty_axis();
    return test_end();
}
