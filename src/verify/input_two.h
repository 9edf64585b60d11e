/* SPDX-License-Identifier: MIT
 *
 * The two inputs of a recurrence, a and b, and its initial elements.
 *
 * exact    States h of as many bits as the type holds are drawn, and b is what
 *          leads from one to the next. a is 1, -1, and at times 2 or 1/2, such
 *          that the product of any window's a is one of these as well: every
 *          window's b is exact, too. Half of the lines have resets, an a of 0
 *          at one place in 64; the others have none, since a reset hides a
 *          carry that was lost before it.
 * special  As exact, in the special units, with resets in the other lines; a
 *          third of the lines have a b of 0.
 * real     Decays of models: by line, a is below 1 by at most a 64th, uniform
 *          in (-1, 1), or below 1 by at most a 1024th with a reset in as many
 *          elements. b is normal.
 *
 * No b is -0, nor is any sum.
 */
#pragma once

#include "src/verify/input_exact.h"
#include "src/verify/input_real.h"

#define SECOND_SEED UINT64_C(0x7365636f6e640000)

enum { GATE_STEP_BITS = 2, RESET_BITS = 6, LONG_MEMORY_BITS = 10 };

/* Returns the state behind step a, of -1 (in reverse, the axis) the initial
 * one: an even number. b, of up to 1.5 * 2^bits units, has one bit more. */
static inline HOST_DEVICE double input_state(struct input_line l, int64_t a)
{
    const int bits = input_fraction_bits(l.dtype);
    const uint64_t key = (uint64_t)l.line * 0xd1342543de82ef95u + (uint64_t)a;
    const int64_t number = (int64_t)(split_mix_hash(key) >> (64 - bits));
    return (double)(2 * number - ((int64_t)1 << bits));
}

static inline HOST_DEVICE double input_state_unit(struct input_line l)
{
    if (l.input.kind != INPUT_SPECIAL)
        return 1;
    return l.distribution == SPECIAL_ZEROS   ? 0
           : l.distribution == SPECIAL_SMALL ? l.small
           : l.dtype == DTYPE_F16            ? 16
           : l.dtype == DTYPE_F64            ? 0x1p969
                                             : 0x1p102;
}

/* Returns 1 or 2: a is the quotient of two of these, or its negative. */
static inline HOST_DEVICE double input_gate(struct input_line l, int64_t a)
{
    const uint64_t key = (uint64_t)l.line * 0xaf251af3b0f025b5u;
    const uint64_t step = (uint64_t)(a + 1) >> GATE_STEP_BITS;
    return split_mix_hash(key + step) >> 63 ? 2 : 1;
}

static inline HOST_DEVICE bool input_has_resets(struct input_line l)
{
    const uint64_t other = l.input.kind == INPUT_SPECIAL;
    const uint64_t first = split_mix_hash((uint64_t)l.axis) >> 32;
    return ((uint64_t)l.line + first + other) & 1;
}

/* Returns a before rounding. */
static inline HOST_DEVICE double input_a(struct input_line l, int64_t a,
                                         uint64_t index)
{
    const uint64_t hash = split_mix_hash(index);
    const double unit = (double)(hash >> 40) * 0x1p-24; /* in [0, 1) */
    const int reset_bits =
        l.input.kind == INPUT_REAL ? LONG_MEMORY_BITS : RESET_BITS;
    const bool resets =
        l.input.kind == INPUT_REAL ? l.distribution == 2 : input_has_resets(l);
    if (resets && !(hash & (((uint64_t)1 << reset_bits) - 1)))
        return 0;
    if (l.input.kind != INPUT_REAL)
        return (hash >> 63 ? -1 : 1) * input_gate(l, a) / input_gate(l, a - 1);
    return l.distribution == 0   ? 1 - unit * 0x1p-6
           : l.distribution == 1 ? 2 * unit - 1
                                 : 1 - unit * 0x1p-10;
}

/* Returns b before rounding. */
static inline HOST_DEVICE double input_b(struct input_line l, int64_t a,
                                         uint64_t index, bool changed)
{
    if (l.input.kind == INPUT_REAL && changed)
        return input_changed(l, index ^ SECOND_SEED);
    if (l.input.kind == INPUT_REAL) {
        l.distribution = 1;
        return input_real(l, a, index ^ SECOND_SEED) + 0.0; /* no -0 */
    }
    const double before = input_state(l, l.reverse ? a + 1 : a - 1);
    const double step = input_state(l, a) - input_a(l, a, index) * before;
    return step * input_state_unit(l) + 0.0;
}

/* Returns the bits of the line's initial element. */
static inline HOST_DEVICE uint64_t input_initial(struct input_line l)
{
    const double h = input_state(l, l.reverse ? l.axis : -1);
    return dtype_bits(l.dtype, h * input_state_unit(l) + 0.0);
}
