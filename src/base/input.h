/* SPDX-License-Identifier: MIT
 *
 * The inputs, as functions of the element's index, so that the host, the
 * device and the verifier each make the same bits without sharing a buffer.
 *
 * exact  Small signed integers, the differences of a hashed sequence h in
 *        [0, 32): a prefix telescopes to h itself, so every output is in
 *        [0, 32), exact in all dtypes (f16 and bf16 too) at any length, and
 *        different from its neighbours. Under a mask the differences are those
 *        of the kept elements, so that their sums telescope too. Sums of other
 *        sets of elements, such as one lane's, wander: among n of them by 13
 *        sqrt(n) in standard deviation, 6 of which are below 2^23 at 2^32
 *        elements. So float accumulators hold them exactly, whatever the order
 *        of addition; accumulators of 16 bits would not.
 * real   Which distribution a line has follows from its number and the axis:
 *        uniform in [0, 1); normal (a sum of eight uniform bytes, in units of
 *        its standard deviation); uniform behind a large first element. Three
 *        lines in a row have all three, and of shapes with a single line some
 *        have each. In f16 long lines are scaled down by a power of two so
 *        that no sum overflows. Where a mask is 0, one element in eight is
 *        NaN: masked means selected, not multiplied by 0.
 */
#ifndef SRC_BASE_INPUT_H
#define SRC_BASE_INPUT_H

#include "src/base/op.h"

enum input_kind { INPUT_EXACT, INPUT_REAL };

/* SplitMix64's finaliser: S. Vigna, public domain (prng.di.unimi.it). */
static inline HOST_DEVICE uint64_t input_hash(uint64_t key)
{
    key += 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 27) * 0x94d049bb133111ebu;
    return key ^ key >> 31;
}

/* Half of all elements, in no pattern. */
static inline HOST_DEVICE uint8_t input_mask(uint64_t index)
{
    return (uint8_t)(input_hash(index ^ 0x6d61736b00000000u) >> 63);
}

/* h(-1) = 0 for every line, so that sums of whole prefixes are h itself. */
static inline HOST_DEVICE int input_level(int64_t line, int64_t a)
{
    if (a < 0)
        return 0;
    uint64_t key = (uint64_t)line * 0xd1342543de82ef95u + (uint64_t)a;
    return (int)(input_hash(key) >> 59);
}

/* What a line's elements share, worked out once. */
struct input_line {
    enum input_kind kind;
    bool masked;
    int64_t line, inner;
    int distribution;   /* 0 uniform, 1 normal, 2 uniform behind a head */
    double scale, head; /* head: the first element, where there is one */
};

/* `line` = o * inner + i. */
static inline HOST_DEVICE struct input_line
input_line_of(enum input_kind kind, enum dtype dtype, bool masked,
              struct shape shape, int64_t line)
{
    int64_t axis = shape.axis;
    const uint64_t turn = input_hash((uint64_t)axis) >> 32;
    struct input_line l;
    l.kind = kind;
    l.masked = masked;
    l.line = line;
    l.inner = shape.inner;
    l.distribution = (int)((turn + (uint64_t)line) % 3);
    l.scale = 1;
    /* Keeps the sum of `axis` numbers below 1 under the largest f16. */
    if (dtype == DTYPE_F16)
        for (; axis > 16384; axis /= 2)
            l.scale /= 2;
    l.head = dtype == DTYPE_F16 ? 0x1p13 * l.scale : 0x1p26;
    return l;
}

static inline HOST_DEVICE double input_real(struct input_line l, int64_t a,
                                            uint64_t index)
{
    uint64_t hash = input_hash(index);
    if (l.distribution == 1) {
        /* Eight bytes of mean 127.5, variance 5461.25: added in four pairs,
         * which the product adds up in its highest 16 bits. */
        const uint64_t low = 0x00ff00ff00ff00ff;
        const uint64_t pairs = (hash & low) + (hash >> 8 & low);
        const int sum = (int)(pairs * 0x0001000100010001 >> 48) - 1020;
        return sum * (1 / 209.0) * l.scale;
    }
    if (l.distribution == 2 && a == 0)
        return l.head;
    return (double)(hash >> 40) * 0x1p-24 * l.scale;
}

/* The place of the kept element before a in its line, or -1. Half are kept,
 * so it is two steps away on average. */
static inline HOST_DEVICE int64_t input_kept_before(struct input_line l,
                                                    int64_t a, uint64_t index)
{
    do {
        --a;
        index -= (uint64_t)l.inner;
    } while (a >= 0 && !input_mask(index));
    return a;
}

static inline HOST_DEVICE int input_exact(struct input_line l, int64_t a,
                                          uint64_t index)
{
    const int64_t before =
        l.masked && input_mask(index) ? input_kept_before(l, a, index) : a - 1;
    return input_level(l.line, a) - input_level(l.line, before);
}

/* Element a of the line, before it is rounded to dtype; `index` is its place
 * in memory. */
static inline HOST_DEVICE double input_value(struct input_line l, int64_t a,
                                             uint64_t index)
{
    if (l.kind == INPUT_EXACT)
        return input_exact(l, a, index);
    if (l.masked && !input_mask(index) && (input_hash(~index) & 7) == 0)
        return (double)float_from_bits(0x7fc00000);
    return input_real(l, a, index);
}

#endif
