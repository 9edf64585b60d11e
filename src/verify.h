/* SPDX-License-Identifier: MIT
 *
 * Is a result right? Every output element y is compared with a reference r
 * that is summed in float64 with a compensation term (Knuth's TwoSum), so it
 * serves f64 too. With u the roundoff of the type summed in, U that of the
 * output's dtype, and A the sum of |x| over the elements that r sums:
 *
 *     |y - r| <= U |r| + K u A          K = verify_bound()
 *
 * An element's error, as reported, is max(0, |y - r| - U |r|) / (u A): what is
 * left beyond the final rounding, in roundings of the sum's magnitude. The
 * exact input, and operations that add nothing, allow no error at all: y must
 * be r rounded to dtype. NaN never passes.
 *
 * K counts the additions on the longest path to an output: N. Higham, Accuracy
 * and Stability of Numerical Algorithms (2002), chapter 4.
 */
#ifndef SRC_VERIFY_H
#define SRC_VERIFY_H

#include "src/base/input.h"
#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

struct verdict {
    int64_t checked;     /* output elements compared */
    int64_t wrong;       /* of them beyond the bound */
    int64_t first_wrong; /* the lowest wrong index, or -1 */
    double max_error;    /* see above; infinite for NaN and the like */
    double bound;        /* K; 0: exact */
    bool input_changed;  /* `in` or `mask` no longer holds the input */
};

/* K for lines of `axis` elements. */
double verify_bound(const struct variant *variant, int64_t axis);

/* Fills in and mask (where the operation has them) of a host problem. */
void verify_fill(const struct problem *problem, enum input_kind kind, void *in,
                 uint8_t *mask);

/* Checks a host problem's out, every element of it, one line after the other.
 * The reference comes from the input's definition, not from `in`. */
struct verdict verify_host(const struct problem *problem,
                           const struct variant *variant, enum input_kind kind);

/* --- shared with the device's verifier (harness/device/kernels_*.cu) --- */

/* An unevaluated sum high + low: float64 with twice the digits. */
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

/* The error of one element; `magnitude` is A. Infinite where y is wrong in
 * kind (NaN, infinite against finite). */
static inline HOST_DEVICE double
verify_error(enum dtype dtype, bool exact, double y, double r, double magnitude)
{
    const double infinite = dtype_max(DTYPE_F64) * 2;
    if (exact) {
        uint64_t rounded_bits = 0;
        dtype_store(dtype, &rounded_bits, 0, r);
        double rounded = dtype_load(dtype, &rounded_bits, 0);
        return y == rounded ? 0 : infinite;
    }
    double error = y > r ? y - r : r - y;
    double rounding = dtype_roundoff(dtype) * (r < 0 ? -r : r);
    if (error <= rounding)
        return 0;
    double excess =
        (error - rounding) / (dtype_acc_roundoff(dtype) * magnitude);
    return excess >= 0 ? excess : infinite; /* NaN: y or 0/0 */
}

/* One element's bits, where the read operation's checksum sees them. */
static inline HOST_DEVICE uint32_t verify_word(enum dtype dtype, uint64_t bits,
                                               int64_t index)
{
    if (dtype == DTYPE_F64)
        return (uint32_t)(bits >> 32) ^ (uint32_t)bits;
    return (uint32_t)bits << (dtype_bytes(dtype) == 2 && index & 1 ? 16 : 0);
}

#ifdef __cplusplus
}
#endif
#endif
