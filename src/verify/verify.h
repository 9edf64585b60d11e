/* SPDX-License-Identifier: MIT
 *
 * Every output element y is compared with a reference r that is summed in
 * float64 with a compensation term (Knuth's TwoSum), so it serves f64 too. With
 * u the roundoff of the type summed in, U that of the output's dtype, and A the
 * sum of |x| over the elements that r sums:
 *
 *     |y - r| <= R + K u A          K = verify_bound(), R = U |r|
 *
 * R is the error of the final rounding. Between subnormal numbers, which are d
 * apart, it is up to d / 2 > U |r| (2^-25 for f16). Sums are multiples of d, as
 * all elements are, and lose nothing there, but quotients and products do: for
 * other results, R = max(U |r|, d / 2).
 *
 * An element's error, as reported, is max(0, |y - r| - R) / (u A): what is left
 * beyond the final rounding, in roundings of the sum's magnitude. The exact and
 * the special input, operations that add nothing, and integers and bools allow
 * no error, unless a definition accepts other bits (src/model/definition.h).
 * NaN never passes for a sum.
 *
 * Operations that move data keep every bit, a NaN's and a zero's sign too;
 * masked-off elements are +0. Sums are those of IEEE 754, rounded to nearest,
 * from +0 or from the first element on: subnormals count, and what fits is not
 * clamped. A sum that is 0 is +0, as any x - x is, and as -0 + 0 is; only where
 * every element that it sums is -0 may it have either sign, since that depends
 * on whether it began with +0 (as PyTorch does). The sum of nothing is +0. A
 * variant that `loses_subnormals` is not verified on them.
 *
 * K counts the additions on the longest path to an output: N. Higham, Accuracy
 * and Stability of Numerical Algorithms (2002), chapter 4. In a product of n
 * factors that are not 1, where A is |r|, all n - 1 roundings count in full,
 * whatever the order. K is min(n, 8 sqrt(n) + n / 32): roundings of mean 0
 * exceed 8 sqrt(n) once in 2^45 outputs (N. Higham and T. Mary, A New Approach
 * to Probabilistic Rounding Error Analysis, 2019), but near 1 their mean is
 * -0.02. In log(sum of exp), whose error is absolute up to |r| = 1, A is
 * max(1, |r|), and the sum of exp(x - max) of positive terms has a relative
 * error of 6 u for each combination on the path: exp() in float is taken to be
 * within 2^-22.5 (2.8 u), the rounding of its argument d and of d log2(e) costs
 * at most 0.8 u as it weighs |d| exp(d), the product and the addition 2 u. A
 * term may exceed the reference by 2, which costs it up to 4 u more, once.
 * log() of n such terms, at most log(n) + 2, is within 4 u of it, log(n) being
 * the path's share; with the last addition that is within 16 u max(1, |r|).
 * Where tiles are scanned, K is at least 80, and a reference may exceed r by
 * 16: log(exp(-16)) costs 64 u, and the arguments down to -16 another 32 u.
 *
 * For a recurrence, r is computed in unevaluated sums of two float64, A is the
 * sum of its terms' magnitudes, the recurrence of |a| and |b|, and the
 * roundings of their products come before K: src/model/affine.h.
 */
#pragma once

#include "src/model/affine.h"
#include "src/verify/input.h"
#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

struct verification {
    int64_t checked;     /* compared output elements */
    int64_t wrong;       /* elements beyond the bound */
    int64_t first_wrong; /* lowest wrong index, or -1 */
    double max_error;    /* see above; infinite for NaN and the like */
    double bound;        /* K, or 0 for exact input */
    bool input_changed;  /* `in` or `mask` differs from the input */
};

/* K for lines of `axis` elements. */
double verify_bound(const struct variant *variant, int64_t axis);

/* The roundings that the variant's growth allows for an output of such a line,
 * whatever the input is. */
double verify_most(const struct variant *variant, enum op op, enum dtype dtype,
                   int64_t axis);

/* The roundings that the outputs may have on an input of this kind; of a ragged
 * shape, those of the longest line. */
double verify_allowed(const struct problem *problem,
                      const struct variant *variant, enum input_kind kind);

/* The offsets of a ragged shape on the host, NULL of another one. They stay
 * until a call with another ragged shape. Not for several threads. */
const void *verify_offsets(struct shape shape);

/* The line of an element of the tensor, and its place in the line. */
void verify_locate(struct shape shape, int64_t index, int64_t *line,
                   int64_t *a);

/* A line of the problem's input. */
struct input_line verify_line(const struct problem *problem, struct input input,
                              int64_t line);

/* Fills `in` and `mask` of a host problem, if the operation has them, and the
 * second input and the initial elements, if the problem has them. */
void verify_fill(const struct problem *problem, struct input input, void *in,
                 uint8_t *mask);

/* Turns version `from` of the real input in `in`, or of the second of two, into
 * version `to`, by writing the elements that either of them changes. */
void verify_change(const struct problem *problem, uint64_t from, uint64_t to,
                   void *in);

/* Checks every output element of a host problem. The reference comes from the
 * definition of the input, not from `in`. */
struct verification verify_host(const struct problem *problem,
                                const struct variant *variant,
                                struct input input);

/* The host's definition, also of sums of floats, for which reducer_of() has
 * none. NULL if the operation moves data. */
const struct reducer *verify_definition(enum op op, enum dtype dtype);

/* Returns the expected bits of output element `index`, in O(axis); 0 for a
 * read, whose checksum has no elements. */
uint64_t verify_expected(const struct problem *problem, struct input input,
                         int64_t index);

/* Writes the number that an output element's bits stand for. */
enum { VALUE_BYTES = 32 };
char *verify_number(const struct problem *problem, uint64_t bits,
                    char text[VALUE_BYTES]);

/* --- shared with the device's verifier (harness/device/kernels_*.cu) --- */

static inline HOST_DEVICE double verify_additions(enum error_growth growth,
                                                  int64_t tile, int64_t axis)
{
    switch (growth) {
    case ERROR_NONE:
        return 0;
    case ERROR_TREE: /* log2, rounded up */
        return 2 * (axis > 1 ? shape_octave(axis - 1) + 1 : 0) + 2;
    case ERROR_TILED:
        /* Within a tile, at most 32 items per thread, 5 doublings in a warp, 32
         * warps and a few joins; between tiles, one addition each. */
        return 80 + (double)axis / (double)tile;
    case ERROR_SERIAL:
    case ERROR_CANCELLING:
        break;
    }
    return (double)axis + 1;
}

/* The bound of a ragged shape's lines, each by its own length, which no order
 * of additions exceeds. */
struct allowance {
    enum error_growth growth;
    int64_t tile;
    double last; /* roundings of the last step */
    bool rounds;
};

struct allowance verify_allowance(const struct problem *problem,
                                  const struct variant *variant,
                                  enum input_kind kind);

static inline HOST_DEVICE double verify_allows(struct allowance allowance,
                                               int64_t axis)
{
    const double most = (double)axis + 1;
    const double by = verify_additions(allowance.growth, allowance.tile, axis);
    return allowance.last + (allowance.rounds ? by < most ? by : most : 0);
}

/* An unevaluated sum high + low, with twice the digits of float64. */
struct two_sum {
    double high, low;
};

static inline HOST_DEVICE struct two_sum two_sum_add(struct two_sum sum,
                                                     double x)
{
    double high = sum.high + x;
    double back = high - sum.high;
    double low = (sum.high - (high - back)) + (x - back);
    struct two_sum added = { high, sum.low + low };
    return added;
}

static inline HOST_DEVICE double two_sum_value(struct two_sum sum)
{
    return sum.high + sum.low;
}

/* The map of a recurrence's step, from the bits of its elements. */
static inline HOST_DEVICE struct affine verify_step(enum dtype dtype,
                                                    uint64_t a, uint64_t b)
{
    return affine_of(dtype_value(dtype, a), dtype_value(dtype, b), 1);
}

/* The map in front of a line's first step, which gives what it starts from. */
static inline HOST_DEVICE struct affine
verify_start(const struct problem *problem, struct input_line l)
{
    const uint64_t bits = problem->initial ? input_initial(l) : 0;
    return affine_of(0, dtype_value(problem->dtype, bits), 0);
}

/* True if output a sums only -0, in a line of zeros. */
static inline HOST_DEVICE bool
verify_negative_zeros(enum op op, struct input_line l, int64_t a)
{
    const bool to_the_end = op_is_reverse(op) || op_is_reduction(op);
    const int64_t end = to_the_end ? l.axis : op_is_exclusive(op) ? a : a + 1;
    if (l.distribution != SPECIAL_ZEROS || end == 0 ||
        end > input_negative_zeros(l))
        return false;
    for (int64_t k = 0; l.masked && k < end; ++k)
        if (!input_mask(l, k, input_index(l, k)))
            return false;
    return true;
}

/* True if these are the bits of output a (the axis - 1 for sums) on the special
 * input, whose sums telescope; its element has that `index`. */
static inline HOST_DEVICE bool verify_special(enum dtype dtype, enum op op,
                                              struct input_line l, int64_t a,
                                              uint64_t index, uint64_t bits)
{
    if (l.distribution == SPECIAL_ZEROS)
        return bits == 0 || (bits == dtype_bits(dtype, -0.0) &&
                             verify_negative_zeros(op, l, a));
    const bool upto = !op_is_exclusive(op) && !op_is_reverse(op);
    const int64_t last = op_is_reverse(op) ? l.axis - 1
                         : upto && (!l.masked || input_mask(l, a, index)) ? a
                         : l.masked ? input_kept_before(l, a, index)
                                    : a - 1;
    const int64_t before = op_is_reverse(op) ? a - 1 : -1;
    const int64_t steps = input_level(l, last) - input_level(l, before);
    return bits == dtype_bits(dtype, (double)steps * input_unit(l));
}

/* True if the variant is judged on this line of the special input. */
static inline HOST_DEVICE bool verify_is_asked(bool loses_subnormals,
                                               struct input_line l)
{
    return !loses_subnormals || l.distribution != SPECIAL_SMALL;
}

/* Returns the contribution of an element to the checksum of a read. */
static inline HOST_DEVICE uint32_t verify_word(enum dtype dtype, uint64_t bits,
                                               int64_t index)
{
    const int bytes = (int)dtype_bytes(dtype);
    if (bytes == 8)
        return (uint32_t)(bits >> 32) ^ (uint32_t)bits;
    return (uint32_t)bits << 8 * ((int)(index & 3) * bytes & 3);
}

#ifdef __cplusplus
}
#endif
