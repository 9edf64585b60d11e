/* SPDX-License-Identifier: MIT
 *
 * Bits of all kinds, and elements that are integers or bools.
 */
#pragma once

#include "src/verify/input_exact.h"

/* ------------------------------------------------------------------ bits */

/* Cycles through two infinities and six NaNs, quiet and signalling. */
static inline HOST_DEVICE uint64_t input_nonfinite(enum dtype dtype,
                                                   unsigned which)
{
    const int fraction = input_fraction_bits(dtype);
    const uint64_t sign = (uint64_t)1 << (8 * dtype_bytes(dtype) - 1);
    const uint64_t quiet = (uint64_t)1 << (fraction - 1);
    const uint64_t infinite = sign - ((uint64_t)1 << fraction);
    switch (which % 8) {
    case 0:
        return infinite;
    case 1:
        return infinite | sign;
    case 2:
        return infinite | quiet;
    case 3:
        return infinite | quiet | sign;
    case 4:
        return infinite | quiet | (quiet - 1);
    case 5:
        return infinite | 1; /* signalling */
    case 6:
        return infinite | (quiet - 1) | sign;
    default:
        return infinite | quiet | quiet >> 1;
    }
}

static inline HOST_DEVICE uint64_t input_extreme(enum dtype dtype,
                                                 unsigned which)
{
    const uint64_t sign = (uint64_t)1 << (8 * dtype_bytes(dtype) - 1);
    const uint64_t infinite = input_nonfinite(dtype, 0);
    const uint64_t least_normal = infinite & (0 - infinite);
    const uint64_t of_this_sign = which & 1 ? sign : 0;
    switch (which / 2 % 4) {
    case 0:
        return of_this_sign; /* zero */
    case 1:
        return of_this_sign | 1; /* subnormals */
    case 2:
        return of_this_sign | (least_normal - 1);
    default:
        return of_this_sign | (infinite - 1); /* the largest */
    }
}

static inline HOST_DEVICE uint64_t input_any_bits(enum dtype dtype,
                                                  uint64_t index)
{
    const uint64_t hash = split_mix_hash(index ^ 0x6269747300000000u);
    const unsigned which = (unsigned)(hash >> 2) & 15;
    if ((hash & 3) == 0)
        return which < 8 ? input_nonfinite(dtype, which)
                         : input_extreme(dtype, which);
    return hash >> (64 - 8 * dtype_bytes(dtype));
}

/* ----------------------------------------------------- integers and bool */

static inline HOST_DEVICE uint64_t input_any_integer(struct input_line l,
                                                     int64_t a, uint64_t index)
{
    const enum dtype d = l.dtype;
    const uint64_t hash = split_mix_hash(index ^ 0x6269747300000000u);
    const uint64_t place = split_mix_hash((uint64_t)l.line) >> 1;
    const uint64_t odd =
        l.reducer == REDUCER_MUL && (uint64_t)a != place % (uint64_t)l.axis;
    const uint64_t any = hash >> (64 - 8 * dtype_bytes(d));
    if (input_has_peaks(l) && !(place & 7))
        return input_is_smallest(l) ? dtype_mask(d) ^ dtype_least_bits(d)
                                    : dtype_least_bits(d);
    if (d == DTYPE_BOOL && hash & 1)
        return odd;
    switch (hash >> 1 & 15) {
    case 0:
        return dtype_least_bits(d) | odd;
    case 1:
        return dtype_mask(d) ^ dtype_least_bits(d);
    case 2:
        return dtype_mask(d);
    case 3:
        return (hash >> 8 & 3) | odd;
    default:
        return any | odd;
    }
}

static inline HOST_DEVICE uint64_t input_integer_peak(struct input_line l,
                                                      int64_t a, uint64_t index)
{
    const int64_t peak = input_peak(l, a, index);
    const int bits = 8 * (int)dtype_bytes(l.dtype);
    const int64_t beside = (int64_t)1 << (bits - 2);
    const uint64_t hash = split_mix_hash(~(uint64_t)l.line);
    if (l.dtype == DTYPE_BOOL)
        return peak > 64;
    if (l.dtype == DTYPE_U8)
        return (uint64_t)(peak + 128);
    if (hash >> 63)
        return (uint64_t)(peak / 4096 + (hash >> 62 & 1 ? beside : -beside));
    return (uint64_t)(peak * ((int64_t)1 << (bits - 24)));
}

static inline HOST_DEVICE uint64_t input_real_integer(struct input_line l,
                                                      uint64_t index,
                                                      bool changed)
{
    const int bits = 8 * (int)dtype_bytes(l.dtype);
    const uint64_t hash = split_mix_hash(changed ? index ^ l.key : index);
    const uint64_t half = hash >> (65 - bits);
    const uint64_t upper = (uint64_t)changed << (bits - 1);
    const bool product = l.reducer == REDUCER_MUL;
    if (l.dtype == DTYPE_BOOL) {
        const bool some = !product && !input_has_peaks(l) && !(hash >> 61);
        return (changed || some) != product;
    }
    return (dtype_least_bits(l.dtype) ^ (half | upper)) | product;
}

static inline HOST_DEVICE uint64_t input_integer(struct input_line l, int64_t a,
                                                 uint64_t index, bool changed)
{
    if (l.input.kind == INPUT_BITS)
        return input_any_integer(l, a, index);
    const uint64_t bits = l.input.kind == INPUT_REAL
                              ? input_real_integer(l, index, changed)
                              : input_integer_peak(l, a, index);
    const uint64_t most = l.dtype == DTYPE_BOOL ? 1 : dtype_mask(l.dtype);
    return (input_is_smallest(l) ? ~bits : bits) & most;
}
