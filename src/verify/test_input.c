/* SPDX-License-Identifier: MIT */
#include "src/model/grid.h"
#include "src/verify/input.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "src/base/test.h"

/* A contiguous line of that number. */
static struct input_line line_of(enum input_kind kind, enum dtype dtype,
                                 bool masked, int64_t axis, int64_t line)
{
    return input_line_of((struct input){ kind, 0 }, dtype, masked,
                         (struct shape){ line + 1, axis, 1 }, line);
}

/* A line of a changed input. */
static struct input_line changed_line(uint64_t version, enum dtype dtype,
                                      bool masked, struct shape shape,
                                      int64_t line)
{
    return input_line_of((struct input){ INPUT_REAL, version }, dtype, masked,
                         shape, line);
}

static double value_at(struct input_line l, int64_t a)
{
    return dtype_value(l.dtype, input_bits(l.dtype, l, a, input_index(l, a)));
}

static int distribution_of(struct shape shape, int64_t line)
{
    return changed_line(0, DTYPE_F32, false, shape, line).distribution;
}

/* Returns the first line of that distribution. */
static int64_t line_with(int distribution, int64_t axis)
{
    int64_t line = 0;
    while (line < 3 &&
           distribution_of((struct shape){ 3, axis, 1 }, line) != distribution)
        ++line;
    CHECK_FOR(line < 3, "%d", distribution);
    return line;
}

/* Golden values: only runs with the same inputs can be compared. */
static void check_same_for_ever(void)
{
    uint64_t exact = 0, real = 0, mask = 0;
    const struct input_line masked =
        line_of(INPUT_REAL, DTYPE_F32, true, 1000, 0);
    for (int64_t k = 0; k < 1000; ++k) {
        const struct input_line e =
            line_of(INPUT_EXACT, DTYPE_F32, false, 100, k / 100);
        const struct input_line r =
            line_of(INPUT_REAL, DTYPE_F32, false, 100, k / 100);
        exact = split_mix_hash(exact ^ (uint64_t)(int64_t)value_at(e, k % 100));
        real = split_mix_hash(real ^ float_bits((float)value_at(r, k % 100)));
        mask = split_mix_hash(mask ^ input_mask(masked, k, (uint64_t)k));
    }
    CHECK_FOR(exact == 0x103f90de1553504u, "0x%llx", (unsigned long long)exact);
    CHECK_FOR(real == 0xf49b91d493d229bfu, "0x%llx", (unsigned long long)real);
    CHECK_FOR(mask == 0x08749188496fdfe7u, "0x%llx", (unsigned long long)mask);
}

/* Returns the level without what all levels of a line share. */
static int64_t level_at(struct input_line l, int64_t a)
{
    return input_level(l, a) - (a == l.axis - 1 ? 2 : 1) * l.offset;
}

/* Prefixes are levels of as many bits as the axis allows: high and low bits
 * occur, and the accumulator holds the largest sums. */
static void check_telescope(enum dtype dtype, int64_t axis, int bits)
{
    const int64_t lines[] = { 0, 1, 2, 65537, (int64_t)1 << 40 };
    for (int k = 0; k < 5; ++k) {
        const struct input_line l =
            line_of(INPUT_EXACT, dtype, false, axis, lines[k]);
        const int sum_bits = input_sum_bits(dtype);
        double sum = 0, most = 0;
        int64_t ones = 0, zeros = 0;
        CHECK_FOR(l.shift == 64 - bits, "%s %lld: %d", dtype_name(dtype),
                  (long long)axis, 64 - l.shift);
        for (int64_t a = 0; a < axis; ++a) {
            sum += value_at(l, a);
            if (sum != (double)input_level(l, a))
                most = HUGE_VAL;
            most = fmax(most, fabs(sum));
            ones |= level_at(l, a);
            zeros |= ~level_at(l, a);
        }
        const int64_t all = ((int64_t)1 << bits) - 1;
        CHECK_FOR(most < input_power(sum_bits), "%s %lld: %g",
                  dtype_name(dtype), (long long)axis, most);
        CHECK_FOR(axis < 100 || (ones == all && (zeros & all) == all),
                  "%s %lld", dtype_name(dtype), (long long)axis);
        CHECK_FOR(dtype_bytes(dtype) == 2 || axis < 3 ||
                      most >= input_power(sum_bits - 1),
                  "%s %lld: %g", dtype_name(dtype), (long long)axis, most);
    }
}

/* Exact values differ from line to line, and do not repeat along a line. */
static void check_exact_differs(void)
{
    int same_line = 0, shifted = 0;
    const struct input_line l =
        line_of(INPUT_EXACT, DTYPE_BF16, false, 4097, 7);
    const struct input_line other =
        line_of(INPUT_EXACT, DTYPE_BF16, false, 4097, 8);
    for (int64_t a = 0; a < 4096; ++a) {
        same_line += level_at(l, a) == level_at(other, a);
        shifted += level_at(l, a) == level_at(l, a + 1);
    }
    CHECK_FOR(same_line > 2 && same_line < 40, "%d of 4096", same_line);
    CHECK_FOR(shifted > 2 && shifted < 40, "%d of 4096", shifted);
}

/* The special lines: zeros of both signs, subnormals, and sums that come near
 * the largest number and do not exceed it. */
static void check_special(enum dtype dtype)
{
    const uint64_t infinite = input_nonfinite(dtype, 0);
    const double least = dtype_value(dtype, infinite & (0 - infinite));
    int negative = 0, subnormal = 0;
    double most = 0;
    for (int64_t line = 0; line < 30; ++line) {
        const struct input_line l =
            line_of(INPUT_SPECIAL, dtype, false, 300, line);
        long double sum = 0;
        for (int64_t a = 0; a < 300; ++a) {
            const double x = value_at(l, a);
            sum += x;
            negative += x == 0 && signbit(x);
            subnormal += x != 0 && fabs(x) < least;
            most = fmax(most, fabs((double)sum));
            CHECK_FOR(l.distribution != SPECIAL_ZEROS || x == 0, "%lld",
                      (long long)a);
        }
    }
    CHECK_FOR(negative > 1000 && subnormal > 1000, "%s: %d, %d",
              dtype_name(dtype), negative, subnormal);
    CHECK_FOR(most <= dtype_max(dtype) &&
                  most > dtype_max(dtype) / (dtype == DTYPE_BF16 ? 256 : 8),
              "%s: %g", dtype_name(dtype), most);
}

/* Any bits: extremes of all kinds, and both values of every bit. */
static void check_any_bits(enum dtype dtype)
{
    int nans = 0, quiet = 0, infinite = 0, zeros = 0;
    uint64_t ones = 0, offs = 0;
    const uint64_t exponent = input_nonfinite(dtype, 0);
    const uint64_t sign = input_extreme(dtype, 1);
    for (uint64_t k = 0; k < 10000; ++k) {
        const uint64_t bits = input_any_bits(dtype, k);
        const bool nan = (bits & ~sign) > exponent;
        nans += nan;
        quiet += nan && bits & (exponent & (0 - exponent)) >> 1;
        infinite += (bits & ~sign) == exponent;
        zeros += bits == sign;
        ones |= bits;
        offs |= ~bits;
    }
    CHECK_FOR(nans > quiet + 100 && quiet > 100, "%d, %d", nans, quiet);
    CHECK_FOR(infinite > 100 && zeros > 100, "%d, %d", infinite, zeros);
    CHECK(ones == (sign | (sign - 1)));
    CHECK((offs & ones) == ones);
}

struct moments {
    double mean, variance, kurtosis, min, max;
};

enum { COUNT = 1 << 18 };

static struct moments moments_of(int64_t line)
{
    const struct input_line l =
        line_of(INPUT_REAL, DTYPE_F32, false, COUNT, line);
    double sums[5] = { 0 }, min = INFINITY, max = -INFINITY;
    for (int64_t a = 1; a < COUNT; ++a) { /* without the head */
        const double x = value_at(l, a);
        double power = 1;
        for (int k = 0; k < 5; ++k, power *= x)
            sums[k] += power;
        min = fmin(min, x);
        max = fmax(max, x);
    }
    const double n = sums[0], m = sums[1] / n;
    const double variance = sums[2] / n - m * m;
    const double fourth = sums[4] / n - 4 * m * sums[3] / n +
                          6 * m * m * sums[2] / n - 3 * m * m * m * m;
    return (struct moments){ m, variance, fourth / (variance * variance), min,
                             max };
}

static bool near(double value, double expected, double tolerance)
{
    return fabs(value - expected) <= tolerance;
}

/* Tolerances are about five standard errors at 2^18 samples. */
static void check_moments(int64_t line, struct moments wanted,
                          struct moments within)
{
    const struct moments m = moments_of(line);
    CHECK_FOR(near(m.mean, wanted.mean, within.mean) &&
                  near(m.variance, wanted.variance, within.variance) &&
                  near(m.kurtosis, wanted.kurtosis, within.kurtosis) &&
                  near(m.min, wanted.min, within.min) &&
                  near(m.max, wanted.max, within.max),
              "line %d: %g, %g, %g, %g to %g", (int)line, m.mean, m.variance,
              m.kurtosis, m.min, m.max);
}

static void check_distributions(void)
{
    const struct moments uniform = { 0.5, 1 / 12.0, 1.8, 0.0001, 0.9999 };
    const struct moments far = { 0.003, 0.001, 0.02, 0.0001, 0.000099999 };
    /* Kurtosis of a sum of eight: 3 - 1.2 / 8. */
    const struct moments normal = { 0, 1, 2.85, -4.5, 4.5 };
    const int64_t head = line_with(2, 10);
    check_moments(line_with(0, COUNT), uniform, far);
    check_moments(line_with(0, COUNT) + 3, uniform, far);
    check_moments(line_with(2, COUNT), uniform, far); /* behind its head */
    check_moments(line_with(1, COUNT), normal,
                  (struct moments){ 0.01, 0.015, 0.05, 1, 1 });
    CHECK(value_at(line_of(INPUT_REAL, DTYPE_F32, false, 10, head), 0) ==
          0x1p26);
    CHECK(value_at(line_of(INPUT_REAL, DTYPE_F16, false, 10, head), 0) ==
          0x1p13);
}

/* Each distribution occurs among single lines: those of the awkward grid, which
 * tests use, and those of a power of two elements. */
static void check_single_lines(void)
{
    int awkward[3] = { 0 }, powers[3] = { 0 };
    struct grid grid = { 0 };
    CHECK(grid_add(&grid, "awkward", DEVICE_CUDA));
    for (size_t k = 0; k < grid.count; ++k) {
        const struct shape s = grid.items[k].shape;
        if (shape_lines(s) == 1 && s.axis > 16)
            ++awkward[distribution_of(s, 0)];
    }
    for (int bits = 10; bits <= 32; ++bits)
        ++powers[distribution_of((struct shape){ 1, (int64_t)1 << bits, 1 },
                                 0)];
    grid_free(&grid);
    for (int d = 0; d < 3; ++d)
        CHECK_FOR(awkward[d] >= 3 && powers[d] >= 3, "%d: %d, %d", d,
                  awkward[d], powers[d]);
}

/* The largest possible sum of a line is finite in f16. */
static void check_f16_scale(void)
{
    const struct input_line any = { .dtype = DTYPE_F16 };
    double most = 0;
    for (uint64_t k = 0; k < 1000; ++k)
        most = fmax(most, MOST_PIECES * input_changed(any, k));
    for (int bits = 0; bits <= 40; ++bits)
        for (int64_t off = -1; off <= 1; ++off) {
            const int64_t axis = ((int64_t)1 << bits) + off;
            const struct input_line l =
                line_of(INPUT_REAL, DTYPE_F16, false, axis, 2);
            const double sum = (double)axis * l.scale;
            int exponent;
            CHECK_FOR(frexp(l.scale, &exponent) == 0.5 && l.scale <= 1 &&
                          sum + l.head + most < 65504 &&
                          (sum > 8192 || l.scale == 1),
                      "%lld", (long long)axis);
        }
    CHECK(line_of(INPUT_REAL, DTYPE_BF16, false, 1 << 30, 0).scale == 1);
}

/* Returns the first version from this one on that changes something in every
 * piece. */
static uint64_t not_rare(uint64_t version)
{
    while (input_is_rare(version))
        ++version;
    return version;
}

/* Rare versions change few pieces of the whole tensor, anywhere. */
static void check_rare(struct shape shape)
{
    enum { VERSIONS = 200 };
    int rare = 0, least = INT_MAX, most = 0;
    for (uint64_t version = 1; version <= VERSIONS; ++version) {
        const struct input_line first =
            changed_line(version, DTYPE_F32, false, shape, 0);
        int changed = 0;
        for (int64_t line = 0; line < shape_lines(shape); ++line)
            for (int64_t piece = 0; piece < input_pieces(first); ++piece)
                changed +=
                    input_change_in(input_line_at(first, line), piece).last >=
                    0;
        if (input_is_rare(version)) {
            ++rare;
            least = changed < least ? changed : least;
            most = changed > most ? changed : most;
        } else {
            CHECK(changed == shape_lines(shape) * input_pieces(first));
        }
    }
    CHECK_FOR(rare > VERSIONS / 3 && rare < VERSIONS * 2 / 3, "%d", rare);
    CHECK_FOR(least >= 2 && most <= 4 * RARE_PIECES, "%d to %d", least, most);
}

/* A version changes one element in each piece, or one in 16 of a short line;
 * the last piece includes the remainder. */
static void check_pieces(int64_t axis, int64_t wanted)
{
    const struct input_line l = changed_line(not_rare(99), DTYPE_F16, false,
                                             (struct shape){ 9, axis, 1 }, 4);
    int64_t changed = 0, last = -1;
    for (int64_t a = 0; a < axis; ++a)
        if (input_is_changed(l, a, input_index(l, a))) {
            ++changed;
            CHECK_FOR(a >> l.piece_bits >= last, "%lld", (long long)a);
            last = (a >> l.piece_bits) + 1;
        }
    CHECK_FOR(changed == wanted, "%lld: %lld", (long long)axis,
              (long long)changed);
}

/* The changes of the pieces are those of the line. */
static void check_changes(int64_t axis, bool masked)
{
    struct input_line l = changed_line(not_rare(3), DTYPE_F32, masked,
                                       (struct shape){ 2, axis, 3 }, 5);
    int64_t next = 0;
    for (int64_t piece = 0; piece < input_pieces(l); ++piece) {
        const struct input_change change = input_change_in(l, piece);
        CHECK(change.first <= change.last && change.last < axis);
        for (; next <= change.last; ++next) {
            CHECK_FOR(input_is_changed(l, next, input_index(l, next)) ==
                          (next >= change.first),
                      "%lld of %lld", (long long)next, (long long)axis);
            CHECK(next < change.first || input_piece_of(l, next) == piece);
        }
    }
    for (; next < axis; ++next)
        CHECK(!input_is_changed(l, next, input_index(l, next)));
    l.input.version = 0;
    CHECK(input_change_in(l, 0).last < 0);
}

/* A line's end alone does not distinguish the versions. */
static void check_end(int64_t axis)
{
    int changed = 0;
    for (uint64_t version = 1; version <= 100; ++version) {
        const struct input_line l = changed_line(
            version, DTYPE_F32, false, (struct shape){ 3, axis, 1 }, 2);
        changed += input_is_changed(l, axis - 1, input_index(l, axis - 1));
    }
    CHECK_FOR(changed < 25, "%d of 100 versions", changed);
}

/* A sum that lacks any tenth of 2^20 elements is off by more than the widest
 * bound, n roundings of the whole. */
static void check_any_tenth(bool masked, int64_t line, uint64_t version)
{
    enum { PARTS = 40, PART = (1 << 20) / PARTS };
    const struct input_line l =
        changed_line(not_rare(version), DTYPE_F32, masked,
                     (struct shape){ 9, 1 << 20, 1 }, line);
    double parts[PARTS] = { 0 }, whole = 0;
    for (int64_t a = 0; a < PARTS * PART; ++a) {
        const uint64_t index = input_index(l, a);
        if (masked && !input_mask(l, a, index))
            continue;
        const double x =
            fabs(input_value_as(l, a, index, input_is_changed(l, a, index)));
        parts[a / PART] += x;
        whole += x;
    }
    for (int k = 0; k + PARTS / 10 <= PARTS; ++k)
        CHECK_FOR(parts[k] + parts[k + 1] + parts[k + 2] + parts[k + 3] >
                      0x1p20 * 0x1p-24 * whole,
                  "line %d, version %d: part %d", (int)line, (int)version, k);
}

static void check_versions(void)
{
    check_rare((struct shape){ 100, 1000, 1 });
    check_rare((struct shape){ 1, 1 << 20, 1 });
    check_rare((struct shape){ 3, 5, 50000 });
    check_rare((struct shape){ 3, 160, 50 });
    check_pieces(1, 1);
    check_pieces(MOST_PIECES, MOST_PIECES / 16);
    check_pieces((1 << 20) + 1, MOST_PIECES / 2);
    check_pieces(1000, 62);
    check_end(33);
    for (int64_t axis = 0; axis < 70; ++axis) {
        check_changes(axis, false);
        check_changes(axis, true);
    }
    check_changes(123457, false);
    check_changes(123457, true);
    check_pieces(1 << 20, MOST_PIECES);
    for (int line = 0; line < 3; ++line) {
        check_any_tenth(false, line, 7 + (uint64_t)line);
        check_any_tenth(true, line, 7 + (uint64_t)line);
    }
}

static void check_masks(void)
{
    int kept = 0, nan_kept = 0, nan_masked = 0, nan_unmasked = 0;
    const struct input_line l = line_of(INPUT_REAL, DTYPE_F16, true, COUNT, 0);
    const struct input_line all =
        line_of(INPUT_REAL, DTYPE_F16, false, COUNT, 0);
    const struct input_line exact =
        line_of(INPUT_EXACT, DTYPE_F16, true, COUNT, 0);
    for (int64_t a = 0; a < COUNT; ++a) {
        const int mask = input_mask(l, a, (uint64_t)a);
        const bool nan = !isfinite(value_at(l, a));
        kept += mask <= 1 ? mask : -1000;
        nan_kept += mask && nan;
        nan_masked += !mask && nan;
        nan_unmasked += isnan(value_at(all, a)) || isnan(value_at(exact, a));
    }
    CHECK_FOR(near(kept, COUNT / 2.0, 1300), "%d", kept);
    CHECK_FOR(near(nan_masked, COUNT / 16.0, 650), "%d", nan_masked);
    CHECK(nan_kept == 0 && nan_unmasked == 0);
}

/* Partial sums in float as kernels form them, from either end of each line, and
 * per lane of 32 and of 1024, are all exact. */
static bool float_sums_exact(const int *x, int64_t axis)
{
    static const int64_t steps[] = { 1, -1, 32, 1024 };
    for (int k = 0; k < 4; ++k)
        for (int64_t lane = 0; lane < (steps[k] < 0 ? 1 : steps[k]); ++lane) {
            int64_t sum = 0;
            float added = 0;
            for (int64_t a = steps[k] < 0 ? axis - 1 : lane; a >= 0 && a < axis;
                 a += steps[k]) {
                sum += x[a];
                added += (float)x[a];
                if ((double)added != (double)sum)
                    return false;
            }
        }
    return true;
}

/* Prefixes are levels under a mask, too. */
static void check_masked_exact(enum dtype dtype, struct shape shape,
                               int64_t line)
{
    static int kept[1 << 20];
    const struct input_line l = input_line_of((struct input){ INPUT_EXACT, 0 },
                                              dtype, true, shape, line);
    unsigned ignored = 0;
    int64_t sum = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        const uint64_t index = input_index(l, a);
        const double x =
            input_value_as(l, a, index, input_is_changed(l, a, index));
        const bool keep = input_mask(l, a, index);
        kept[a] = keep ? (int)x : 0;
        ignored += !keep && x != 0;
        sum += kept[a];
        if (keep && sum != input_level(l, a)) {
            CHECK_FOR(false, "line %d, %d: %d", (int)line, (int)a, (int)sum);
            return;
        }
    }
    CHECK_FOR(l.mask == MASK_ALL || l.mask == MASK_RUNS ||
                  ignored > shape.axis / 3,
              "%u", ignored);
    CHECK_FOR(float_sums_exact(kept, shape.axis), "line %d", (int)line);
}

/* Untimed inputs have masks of every kind, and the kept element before a place
 * is that of a search along the line. */
static void check_mask_kinds(void)
{
    int kinds[MASK_RUNS + 1] = { 0 };
    int64_t longest = 0;
    for (int64_t line = 0; line < 60; ++line) {
        const struct shape shape = { 20, 5000, 3 };
        const struct input_line l = input_line_of(
            (struct input){ INPUT_EXACT, 0 }, DTYPE_F32, true, shape, line);
        int64_t before = -1, kept = 0, run = 0;
        ++kinds[l.mask];
        for (int64_t a = 0; a < shape.axis; ++a) {
            const uint64_t index = input_index(l, a);
            if (input_kept_before(l, a, index) != before)
                CHECK_FOR(false, "line %d, %d", (int)line, (int)a);
            const bool keep = input_mask(l, a, index);
            run = keep ? 0 : run + 1;
            if (l.mask == MASK_RUNS && run > longest)
                longest = run;
            kept += keep;
            before = keep ? a : before;
        }
        CHECK((l.mask == MASK_NONE) == (kept == 0));
        CHECK((l.mask == MASK_ALL) == (kept == shape.axis));
    }
    for (int kind = 0; kind <= MASK_RUNS; ++kind)
        CHECK_FOR(kinds[kind] > 2, "%d: %d", kind, kinds[kind]);
    CHECK_FOR(longest > 1000, "%d", (int)longest);
}

/* Products of a line stay normal numbers in f16, and those of a lane's elements
 * finite in float, whatever the order. */
static void check_factors(enum dtype dtype, int64_t axis)
{
    const struct shape shape = { 3, axis, 1 };
    const struct input inputs[] = { { INPUT_EXACT, 0 },
                                    { INPUT_REAL, 0 },
                                    { INPUT_REAL, 12345 } };
    for (int64_t k = 0; k < 9; ++k) {
        const struct input input = inputs[k / 3];
        const struct input_line l =
            input_line_for(input, OP_PROD, dtype, shape, k % 3);
        double product = 1, least = 1, most = 1, lane = 1, widest = 0;
        int64_t others = 0;
        for (int64_t a = 0; a < axis; ++a) {
            const double x = value_at(l, a);
            product = fabs(product * x);
            least = fmin(least, product);
            most = fmax(most, product);
            others += fabs(x) != 1;
            lane *= a % 32 ? 1 : fabs(x);
            widest = fmax(widest, fabs(log2(lane)));
        }
        CHECK_FOR(least >= 0x1p-14 && most <= 0x1p15, "%s %lld: %g %g",
                  dtype_name(dtype), (long long)axis, least, most);
        CHECK_FOR(widest < 60, "%s %lld: %g", dtype_name(dtype),
                  (long long)axis, widest);
        CHECK_FOR(others > 4, "%s %lld: %lld", dtype_name(dtype),
                  (long long)axis, (long long)others);
    }
}

/* Any bits of integers: least, largest, 0 and 1 repeat; every bit is set and
 * cleared; half of the bools are false, and true ones have many bytes. */
static void check_any_integers(enum dtype dtype)
{
    enum { ELEMS = 10000 };
    const struct input_line l =
        input_line_for((struct input){ INPUT_BITS, 0 }, OP_CUMSUM, dtype,
                       (struct shape){ 1, ELEMS, 1 }, 0);
    int least = 0, most = 0, zeros = 0, ones_seen = 0;
    uint64_t ones = 0, offs = 0;
    for (int64_t a = 0; a < ELEMS; ++a) {
        const uint64_t bits = input_bits(dtype, l, a, (uint64_t)a);
        least += bits == dtype_least_bits(dtype);
        most += bits == dtype_most_bits(dtype);
        zeros += bits == 0;
        ones_seen += bits == 1;
        ones |= bits;
        offs |= ~bits;
    }
    CHECK_FOR(least > 50 && most > 50 && zeros > 50 && ones_seen > 50,
              "%s: %d, %d, %d, %d", dtype_name(dtype), least, most, zeros,
              ones_seen);
    CHECK_FOR(ones == dtype_mask(dtype) && (offs & ones) == ones, "%s",
              dtype_name(dtype));
    CHECK_FOR(dtype != DTYPE_BOOL || (zeros > 4500 && zeros < 6000), "%d",
              zeros);
}

/* Products of integers stay other than 0 for long, and become even; those of
 * bools are 1 up to some place, in some lines to the end. */
static void check_integer_factors(enum dtype dtype)
{
    int odd = 0, even = 0;
    for (int64_t line = 0; line < 30; ++line) {
        const struct input_line l =
            input_line_for((struct input){ INPUT_BITS, 0 }, OP_PROD, dtype,
                           (struct shape){ 30, 500, 1 }, line);
        uint64_t product = 1;
        for (int64_t a = 0; a < 500; ++a)
            product *= dtype_integer(
                dtype, input_bits(dtype, l, a, (uint64_t)(line * 500 + a)));
        odd += product & 1;
        even += !(product & 1);
    }
    CHECK_FOR(odd > 5 && even > 5, "%s: %d, %d", dtype_name(dtype), odd, even);
}

/* Changed elements differ from all others, and are the extremes of a line. */
static void check_integer_changes(enum op op, enum dtype dtype)
{
    const struct shape shape = { 3, 1000, 1 };
    const struct input_line l = input_line_for(
        (struct input){ INPUT_REAL, not_rare(5) }, op, dtype, shape, 1);
    const bool least =
        input_is_smallest(l) || (dtype == DTYPE_BOOL && op == OP_PROD);
    int changed = 0, wrong = 0;
    for (int64_t a = 0; a < shape.axis; ++a) {
        const uint64_t index = input_index(l, a);
        const int64_t x =
            (int64_t)dtype_integer(dtype, input_bits(dtype, l, a, index));
        const int64_t middle = dtype == DTYPE_U8     ? 128
                               : dtype == DTYPE_BOOL ? 1
                                                     : 0;
        const bool is = input_is_changed(l, a, index);
        changed += is;
        wrong += is != ((x >= middle) != least);
    }
    CHECK_FOR(changed == 62 && (wrong == 0 || (dtype == DTYPE_BOOL &&
                                               op == OP_SUM && wrong < 200)),
              "%s %s: %d, %d", op_name(op), dtype_name(dtype), changed, wrong);
}

/* Peaks of any type rise, fall and tie; of wide types, some lines have numbers
 * that a float or a double does not hold. */
static void check_integer_peaks(enum dtype dtype)
{
    int64_t rises = 0, falls = 0, ties = 0, lost = 0;
    for (int64_t line = 0; line < 30; ++line) {
        const struct input_line l =
            input_line_for((struct input){ INPUT_EXACT, 0 }, OP_AMAX, dtype,
                           (struct shape){ 30, 300, 1 }, line);
        int64_t best = INT64_MIN, place = 0, same = 0;
        for (int64_t a = 0; a < 300; ++a) {
            const uint64_t bits =
                input_bits(dtype, l, a, (uint64_t)(line * 300 + a));
            const int64_t x = (int64_t)dtype_integer(dtype, bits);
            CHECK_FOR(bits <= dtype_mask(dtype), "%s", dtype_name(dtype));
            lost += dtype_bytes(dtype) == 8 ? llabs(x) >> 53 && x & 255
                                            : llabs(x) >> 24 && x & 63;
            same = x > best ? 1 : same + (x == best);
            place = x > best ? a : place;
            best = x > best ? x : best;
        }
        rises += place > 200;
        falls += place < 20;
        ties += same > 5;
    }
    CHECK_FOR(rises > 5 && falls > 5 && ties > 5, "%s: %d, %d, %d",
              dtype_name(dtype), (int)rises, (int)falls, (int)ties);
    CHECK_FOR((lost > 2000) == (dtype_bytes(dtype) > 1), "%s: %d",
              dtype_name(dtype), (int)lost);
}

/* In a line of more than 2^31 elements, the first peak is behind these. */
static void check_far_peak(void)
{
    const int64_t far = (int64_t)1 << 31, axis = far + 9;
    const struct input_line l =
        input_line_for((struct input){ INPUT_EXACT, 0 }, OP_ARGMAX, DTYPE_U8,
                       (struct shape){ 1, axis, 1 }, 0);
    int near = 0, behind = 0;
    for (int64_t a = 0; a < far; a += 1000003)
        near += input_bits(DTYPE_U8, l, a, (uint64_t)a) == 255;
    for (int64_t a = far; a < axis; ++a)
        behind += input_bits(DTYPE_U8, l, a, (uint64_t)a) == 255;
    CHECK_FOR(near == 0 && behind > 0, "%d, %d", near, behind);
}

static void check_integers(enum dtype dtype)
{
    static const enum op ops[] = { OP_SUM, OP_PROD, OP_AMAX, OP_ARGMIN };
    check_any_integers(dtype);
    check_integer_factors(dtype);
    check_integer_peaks(dtype);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; ++k)
        check_integer_changes(ops[k], dtype);
}

/* ------------------------------------------------------------- recurrences */

struct map {
    double a, b;
};

static double rounded(enum dtype dtype, double x)
{
    return dtype == DTYPE_F64 ? x : (double)(float)x;
}

static struct map followed(enum dtype dtype, struct map first, struct map then)
{
    return (struct map){ rounded(dtype, then.a * first.a),
                         rounded(dtype,
                                 rounded(dtype, then.a * first.b) + then.b) };
}

/* The map of steps [from, end), in some order. */
static struct map folded(struct input_line l, int64_t from, int64_t end)
{
    const int64_t a = l.reverse ? l.axis - 1 - from : from;
    if (end - from == 1)
        return (struct map){ value_at(l, a), value_at(input_second(l), a) };
    const uint64_t hash = split_mix_hash((uint64_t)(from * 1000 + end));
    const int64_t middle =
        from + 1 + (int64_t)(hash % (uint64_t)(end - from - 1));
    return followed(l.dtype, folded(l, from, middle), folded(l, middle, end));
}

/* In whichever order the states are exact. Half of the lines have resets. */
static void check_recurrence(enum op op, enum dtype dtype)
{
    const struct shape shape = { 3, 300, 4 };
    int with = 0;
    for (int k = 0; k < 24; ++k) {
        const struct input_line l = input_line_for(
            (struct input){ k < 12 ? INPUT_EXACT : INPUT_SPECIAL, 0 }, op,
            dtype, shape, k % 12);
        bool resets = false;
        for (int64_t end = 1; end <= 300; end += 23) {
            const struct map start = { 0,
                                       dtype_value(dtype, input_initial(l)) };
            const double h = followed(dtype, start, folded(l, 0, end)).b;
            const int64_t a = l.reverse ? l.axis - end : end - 1;
            CHECK_FOR(h == input_state(l, a) * input_state_unit(l) &&
                          dtype_value(dtype, dtype_bits(dtype, h)) == h,
                      "%s %s line %d: %lld", op_name(op), dtype_name(dtype), k,
                      (long long)end);
        }
        for (int64_t a = 0; a < 300; ++a)
            resets |= value_at(l, a) == 0;
        with += resets;
    }
    CHECK(with == 12);
}

int main(void)
{
    for (enum dtype dtype = 0; dtype <= DTYPE_BF16; ++dtype) {
        check_recurrence(OP_RECURRENCE, dtype);
        check_recurrence(OP_RECURRENCE_REVERSE, dtype);
        check_factors(dtype, 100);
        check_factors(dtype, 5000);
        check_factors(dtype, 1 << 20);
        check_special(dtype);
        check_any_bits(dtype);
    }
    for (enum dtype dtype = DTYPE_I32; dtype < DTYPE_COUNT; ++dtype)
        check_integers(dtype);
    check_far_peak();
    const struct shape lines = { 5, 1 << 20, 1 }, columns = { 2, 1 << 12, 7 };
    check_same_for_ever();
    check_telescope(DTYPE_F32, 1, 21);
    check_telescope(DTYPE_F32, 1 << 10, 16);
    check_telescope(DTYPE_F32, 1 << 20, 11);
    check_telescope(DTYPE_F64, 1 << 16, 42);
    check_telescope(DTYPE_F16, 1 << 10, 11);
    check_telescope(DTYPE_F16, 1 << 20, 11);
    check_telescope(DTYPE_BF16, 1 << 20, 8);
    check_exact_differs();
    check_distributions();
    check_f16_scale();
    check_versions();
    check_single_lines();
    check_masks();
    check_mask_kinds();
    check_masked_exact(DTYPE_F32, lines, 0);
    check_masked_exact(DTYPE_F32, lines, 4);
    check_masked_exact(DTYPE_F16, lines, 4);
    for (int64_t line = 0; line < shape_lines(columns); ++line)
        check_masked_exact(DTYPE_F32, columns, line);
    return test_end();
}
