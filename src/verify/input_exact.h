/* SPDX-License-Identifier: MIT
 *
 * Elements whose prefixes are exact: levels, peaks, factors, and special ones.
 */
#pragma once

#include "src/verify/input_line.h"

/* ----------------------------------------------------------------- exact */

/* Returns the exact sum of the elements up to a. */
static inline HOST_DEVICE int64_t input_level(struct input_line l, int64_t a)
{
    if (a < 0)
        return 0;
    const uint64_t key = (uint64_t)l.line * 0xd1342543de82ef95u + (uint64_t)a;
    return (int64_t)(split_mix_hash(key) >> l.shift) +
           (a == l.axis - 1 ? 2 * l.offset : l.offset);
}

static inline HOST_DEVICE int64_t input_exact(struct input_line l, int64_t a,
                                              uint64_t index)
{
    const int64_t before = l.masked && input_mask(l, a, index)
                               ? input_kept_before(l, a, index)
                               : a - 1;
    return input_level(l, a) - input_level(l, before);
}

/* ----------------------------------------------------------------- peaks */

enum { PEAKS_RISE, PEAKS_FALL, PEAKS_ONE };

/* True at the place that the hash chooses, behind 2^31 where a line has such
 * places, and at one in eight behind it. */
static inline HOST_DEVICE bool input_repeats(struct input_line l, uint64_t hash,
                                             int64_t a, uint64_t index)
{
    const int64_t far = (int64_t)1 << 31, least = l.axis > far ? far : 0;
    const int64_t place = least + (int64_t)(hash % (uint64_t)(l.axis - least));
    return a == place || (a > place && !(split_mix_hash(~index) >> 61));
}

/* Returns a whole number of at most 8 bits in bf16, in types of a byte and in
 * sums of exponentials, 11 in f16, else 23, and its sign. */
static inline HOST_DEVICE int64_t input_peak(struct input_line l, int64_t a,
                                             uint64_t index)
{
    const uint64_t of_line = split_mix_hash((uint64_t)l.line);
    const int kind = (int)((uint64_t)(l.distribution + (int)l.input.kind) % 3);
    const bool few = l.dtype == DTYPE_BF16 || dtype_bytes(l.dtype) == 1 ||
                     l.reducer == REDUCER_LOGADDEXP;
    const int bits = few ? 7 : l.dtype == DTYPE_F16 ? 10 : 22;
    const int64_t most = (int64_t)1 << bits;
    const int64_t noise = (int64_t)(split_mix_hash(index) >> 40) % (most / 16);
    const int64_t range = 2 * most - most / 16;
    const bool negative = dtype_bytes(l.dtype) > 1 && of_line >> 63;
    const int64_t below = negative ? most : 0;
    if (kind == PEAKS_ONE && l.reducer == REDUCER_LOGADDEXP && l.axis > 99)
        return a == (int64_t)(of_line % (uint64_t)l.axis)
                   ? shape_octave(l.axis) * 7 / 10 + (int64_t)(of_line >> 62)
                   : noise & 1;
    if (kind == PEAKS_ONE)
        return (input_repeats(l, of_line, a, index) ? most - 1
                                                    : noise - most / 32) -
               below;
    const int64_t step = kind == PEAKS_RISE ? a : l.axis - 1 - a;
    return (int64_t)((double)step * (double)range / (double)l.axis) - most +
           noise;
}

/* True of the NaNs of special lines with peaks. */
static inline HOST_DEVICE bool input_peaks_nan(struct input_line l, int64_t a,
                                               uint64_t index)
{
    const uint64_t hash = split_mix_hash(~(uint64_t)l.line);
    return l.distribution != SPECIAL_ZEROS && !(hash & 1) &&
           input_repeats(l, hash >> 1, a, index);
}

/* True of the lines of zeros that begin with, or consist of, -inf instead: all
 * in sums of exponentials, half with other peaks. */
static inline HOST_DEVICE bool input_is_nothing(struct input_line l)
{
    return l.reducer == REDUCER_LOGADDEXP ||
           (input_has_peaks(l) && split_mix_hash(~(uint64_t)l.line) >> 63);
}

static inline HOST_DEVICE double input_nothing(struct input_line l, int64_t a)
{
    const uint64_t line = split_mix_hash((uint64_t)l.line);
    const uint64_t element = split_mix_hash(line ^ (uint64_t)a);
    if (!(line & 1) || a < (int64_t)((line >> 1) % (uint64_t)l.axis) ||
        element % 4 == 0)
        return -infinity_of_double();
    return line >> 62 == 0 && element % 8 == 1 ? infinity_of_double()
                                               : (double)(element >> 60) - 8;
}

static inline HOST_DEVICE double input_peaks_unit(struct input_line l)
{
    return l.input.kind == INPUT_EXACT       ? 1
           : l.distribution == SPECIAL_SMALL ? l.small
           : l.dtype == DTYPE_F64            ? 0x1p1000
           : l.dtype == DTYPE_F16            ? 32
                                             : 0x1p104;
}

/* --------------------------------------------------------------- factors */

/* Returns the exponent of the exact product up to the step. */
static inline HOST_DEVICE int input_exponent(struct input_line l, int64_t step)
{
    const uint64_t key = (uint64_t)l.line * 0xd1342543de82ef95u;
    return step < 0 ? 0 : (int)(split_mix_hash(key + (uint64_t)step) >> 62);
}

static inline HOST_DEVICE double input_factor(struct input_line l, int64_t a,
                                              uint64_t index)
{
    const int64_t step = a >> l.step_bits;
    const double sign = split_mix_hash(index) >> 63 ? -1 : 1;
    if (a != step << l.step_bits)
        return sign;
    return sign *
           input_power(input_exponent(l, step) - input_exponent(l, step - 1));
}

/* A factor of the special input: the exact one, or a zero of its sign. */
static inline HOST_DEVICE double input_factor_or_zero(struct input_line l,
                                                      int64_t a, uint64_t index)
{
    const uint64_t hash = split_mix_hash(~(uint64_t)l.line);
    const bool zero = l.distribution == SPECIAL_SMALL
                          ? a == (int64_t)(hash % (uint64_t)l.axis)
                          : input_repeats(l, hash, a, index);
    const double factor = input_factor(l, a, index);
    return zero ? 0 * factor : factor;
}

static inline HOST_DEVICE double input_near_one(struct input_line l,
                                                uint64_t index, bool changed)
{
    const uint64_t hash = split_mix_hash(index);
    const double sign = l.distribution == 2 && hash & 1 ? -1 : 1;
    if (changed) {
        const uint64_t version = split_mix_hash(index ^ l.key);
        const double by = 1.0625 + (double)(version >> 40) * 0x1p-28;
        return sign * (version & 1 ? by : 1 / by);
    }
    if (hash >> 1 & (((uint64_t)1 << l.ones_bits) - 1))
        return sign;
    return sign * (1 + l.spread * ((double)(hash >> 40) * 0x1p-23 - 1));
}

/* Most real factors of a line that are not 1 or -1. */
static inline HOST_DEVICE int64_t input_most_factors(struct input_line l)
{
    const int64_t most = 2 * (l.axis >> l.ones_bits) + 2 * MOST_PIECES;
    return most < l.axis ? most : l.axis;
}

/* --------------------------------------------------------------- special */

/* Elements of a line of zeros that are -0, from the first on; then a +0. */
static inline HOST_DEVICE int64_t input_negative_zeros(struct input_line l)
{
    return (int64_t)(split_mix_hash(~(uint64_t)l.line) >> 62);
}

static inline HOST_DEVICE double input_zero(struct input_line l, int64_t a,
                                            uint64_t index)
{
    const int64_t first = input_negative_zeros(l);
    const bool last = a == l.axis - 1 || a == first;
    const bool negative = a < first || (!last && split_mix_hash(index) >> 63);
    return negative ? -0.0 : 0.0;
}

/* Returns the unit of a special line without zeros. */
static inline HOST_DEVICE double input_unit(struct input_line l)
{
    return l.distribution == SPECIAL_SMALL ? l.small : l.large;
}
