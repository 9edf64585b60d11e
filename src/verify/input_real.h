/* SPDX-License-Identifier: MIT
 *
 * Real elements, and those that a version changes.
 */
#pragma once

#include "src/verify/input_line.h"

static inline HOST_DEVICE double input_real(struct input_line l, int64_t a,
                                            uint64_t index)
{
    uint64_t hash = split_mix_hash(index);
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

/* Returns the piece of element a. */
static inline HOST_DEVICE int64_t input_piece_of(struct input_line l, int64_t a)
{
    const int64_t piece = a >> l.piece_bits, last = input_pieces(l) - 1;
    return piece < last ? piece : last;
}

/* Elements that a version changes; none if last < first. */
struct input_change {
    int64_t first, last;
};

/* Returns the element that is drawn in the piece. */
static inline HOST_DEVICE int64_t input_drawn(struct input_line l,
                                              int64_t piece)
{
    const int64_t start = piece << l.piece_bits;
    const int64_t steps = piece + 1 < input_pieces(l)
                              ? (int64_t)1 << l.piece_bits
                              : l.axis - start;
    const uint64_t hash = split_mix_hash(l.key + (uint64_t)piece) >> 33;
    return start + (int64_t)(hash * (uint64_t)steps >> 31);
}

/* True if the version changes anything in the piece. */
static inline HOST_DEVICE bool input_has_change(struct input_line l,
                                                int64_t piece)
{
    if (!l.input.version || l.one_of == 1)
        return l.input.version;
    const uint64_t hash =
        split_mix_hash((l.key ^ 0x7069656365000000u) + (uint64_t)piece);
    return (hash >> 32) * l.one_of >> 32 == 0;
}

/* True if the version changes element a: the drawn one and, under a mask, those
 * before it back to one that is kept. */
static inline HOST_DEVICE bool input_is_changed(struct input_line l, int64_t a,
                                                uint64_t index)
{
    if (l.two != l.second || !l.input.version)
        return false;
    const int64_t piece = input_piece_of(l, a);
    if (!input_has_change(l, piece))
        return false;
    int64_t ahead = input_drawn(l, piece) - a;
    if (!l.masked || ahead < 0 || ahead >= CHANGED_TRIES)
        return ahead == 0;
    for (; ahead > 0; --ahead)
        if (input_mask(l, a + ahead, index + (uint64_t)(ahead * l.inner)))
            return false;
    return true;
}

/* Returns the changed elements of a piece. */
static inline HOST_DEVICE struct input_change
input_change_in(struct input_line l, int64_t piece)
{
    struct input_change change = { 0, -1 };
    if (!input_has_change(l, piece))
        return change;
    const int64_t start = piece << l.piece_bits;
    change.last = change.first = input_drawn(l, piece);
    while (l.masked && change.first > start &&
           change.last - change.first + 1 < CHANGED_TRIES &&
           !input_mask(l, change.first, input_index(l, change.first)))
        --change.first;
    return change;
}

/* Returns a large value; those of a line differ, and sum finitely in f16. */
static inline HOST_DEVICE double input_changed(struct input_line l,
                                               uint64_t index)
{
    const double most = input_has_peaks(l)     ? 2 * l.head
                        : l.dtype == DTYPE_F16 ? 0x1p15 / (double)MOST_PIECES
                                               : 0x1p26;
    const uint64_t hash = split_mix_hash(index ^ l.key);
    return most * (0.75 + (double)(hash >> 40) * 0x1p-26);
}
