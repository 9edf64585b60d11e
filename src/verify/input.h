/* SPDX-License-Identifier: MIT
 *
 * Inputs are functions of the element's index, so that the host, the device and
 * the verifier make the same bits without sharing a buffer.
 *
 * exact    Whole numbers, the differences of a sequence of levels: a prefix
 *          telescopes to a level itself, so that every output is exact, and
 *          different from its neighbours. A level is a hash of as many bits as
 *          the axis allows: a sum of any n elements, such as one lane's, has a
 *          standard deviation of 0.41 * 2^bits * sqrt(n), and the accumulator
 *          holds 6 of these exactly. In f32 and f64, an offset of all levels of
 *          a line takes half of that room, and another one of the last level as
 *          much: prefixes and suffixes then have all digits but one, so that a
 *          carry that lost a few digits shows. Half types have as many bits as
 *          their outputs hold. Under a mask the differences are those of the
 *          kept elements.
 * special  As exact, in units other than 1: so small that most elements are
 *          subnormal, or so large that sums come near the largest number; a
 *          third of the lines are zeros, of both signs.
 * bits     For operations that move data: bits of all kinds, one element in
 *          four an extreme (zeros, subnormals, the largest, infinities, NaNs
 *          quiet and signalling, of either sign).
 * real     A line's number and the axis decide its distribution: uniform in
 *          [0, 1); normal (a sum of eight uniform bytes, in units of its
 *          standard deviation); uniform behind a large first element. Three
 *          lines in a row have all three, and each occurs among shapes with a
 *          single line. In f16 long lines are scaled down by a power of two so
 *          that no sum overflows. Where a mask is 0, one element in eight is
 *          NaN or infinite: masked means selected, not multiplied by 0.
 *
 * For the largest or the smallest element, its place, and sums of exponentials,
 * exact and special lines are peaks instead: whole numbers that rise along the
 * line, that fall, or whose largest lies at a random place (behind the first
 * 2^31 of a longer line) and at one in eight behind it, with ties among the
 * others. In the special units, a third are zeros of both signs or -inf, some
 * with whole numbers and -inf in turn behind it, a few of these also inf; half
 * of the others have NaNs. For the smallest, all elements but the bits are
 * negated. Sums of exponentials have no lines of zeros alone; in long ones, a
 * single peak is about log(axis), so that the others, 0 or 1, weigh as much.
 *
 * For products, exact elements are 1 or -1 at random, and up to 64 elements of
 * a line step between prefixes of 1, 2, 4 and 8 in magnitude: the product of
 * any elements, such as one lane's, is a power of two that a float holds. Real
 * elements are 1 on average, with a spread that keeps products of the whole
 * line normal numbers in f16; of long lines most elements are 1, so that few
 * multiplications round. Changed ones are larger or smaller by a 16th to an
 * 8th. Special elements are exact ones, of which one is 0, or one and an eighth
 * of those behind it; a third of the lines are zeros. Half of all zeros are -0,
 * so that the sign of a product of 0 depends on every factor.
 *
 * Integers and bools have neither special nor exact input, but bits of the
 * whole range: one element in four is an extreme or a small number; half of the
 * bools are false, the others have any byte. For the largest or the smallest,
 * one line in eight has its identity alone. In products, all but one element of
 * a line are odd, since even ones soon multiply to 0. Exact peaks remain: half
 * of the lines of i32 and i64 lie so far from 0 that a float or a double holds
 * many of their numbers as one. Real elements are in the lower half of the
 * range, changed ones in the upper half. One real bool in eight is true, and
 * all changed ones; in a maximum only changed ones are, and in a minimum or a
 * product only they are false.
 *
 * Versions change the second of two inputs. Inputs of a recurrence are in
 * src/verify/input_two.h.
 *
 * A mask keeps half of all elements, in no pattern. In inputs that are not
 * timed, it keeps some lines whole, or not at all, or in long runs.
 *
 * The real input has versions. Version 0 is timed. In any other, the changed
 * input, each line is cut into 64 to 128 pieces, a shorter one into pieces of
 * 16 elements, and one element of each piece becomes a large one; a hash of the
 * version's number decides which. A variant that compares a few elements takes
 * this for the same input, but no sum after the first change is within its
 * bound of version 0's, and a part of a line holds as large a part of the sum.
 * Half of the versions are rare: they change about RARE_PIECES pieces of the
 * whole tensor, against variants that compare whole pieces.
 */
#pragma once

#include "src/verify/input_bits.h"
#include "src/verify/input_two.h"

/* Returns element a of the line before rounding to dtype, of any kind but
 * INPUT_BITS; `index` is its place in memory. */
static inline HOST_DEVICE double input_value_as(struct input_line l, int64_t a,
                                                uint64_t index, bool changed)
{
    if (l.input.kind == INPUT_SPECIAL && l.distribution == SPECIAL_ZEROS)
        return input_is_nothing(l) ? input_nothing(l, a)
                                   : input_zero(l, a, index);
    if (l.reducer == REDUCER_MUL)
        return l.input.kind == INPUT_REAL ? input_near_one(l, index, changed)
               : l.input.kind == INPUT_EXACT
                   ? input_factor(l, a, index)
                   : input_factor_or_zero(l, a, index);
    if (l.input.kind == INPUT_REAL)
        return changed ? input_changed(l, index) : input_real(l, a, index);
    if (input_has_peaks(l))
        return (double)input_peak(l, a, index) * input_peaks_unit(l);
    return (double)input_exact(l, a, index) *
           (l.input.kind == INPUT_SPECIAL ? input_unit(l) : 1);
}

/* True for a masked-off real element that is NaN or infinite. */
static inline HOST_DEVICE bool input_hidden(struct input_line l, int64_t a,
                                            uint64_t index)
{
    return l.input.kind == INPUT_REAL && l.masked && !input_mask(l, a, index) &&
           (split_mix_hash(~index) & 7) == 0;
}

static inline HOST_DEVICE uint64_t input_bits(enum dtype dtype,
                                              struct input_line l, int64_t a,
                                              uint64_t index)
{
    const bool changed = input_is_changed(l, a, index);
    if (l.reducer == REDUCER_AFFINE)
        return dtype_bits(dtype, l.second ? input_b(l, a, index, changed)
                                          : input_a(l, a, index));
    if (l.second)
        index ^= SECOND_SEED;
    if (!dtype_is_float(dtype))
        return input_integer(l, a, index, changed);
    if (l.input.kind == INPUT_BITS)
        return input_any_bits(dtype, index);
    if (input_hidden(l, a, index))
        return input_nonfinite(dtype, (unsigned)(split_mix_hash(~index) >> 3));
    if (l.input.kind == INPUT_SPECIAL && input_has_peaks(l) &&
        input_peaks_nan(l, a, index))
        return input_nonfinite(dtype, 2 + (unsigned)l.line % 6);
    const double value = input_value_as(l, a, index, changed);
    return dtype_bits(dtype, input_is_smallest(l) ? -value : value);
}
