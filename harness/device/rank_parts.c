/* SPDX-License-Identifier: MIT
 *
 * The parts of a tensor that ranks have.
 */
#include "harness/device/over_ranks.h"

static const struct split flat = { .along = SPLIT_FLAT };

const struct split *ranks_split(const struct variant *variant, enum op op)
{
    return variant->split ? variant->split : op_is_twin(op) ? &flat : NULL;
}

enum cut { CUT_OUTER, CUT_AXIS, CUT_INNER };

static enum cut cut_of(const struct split *split, int count, struct shape shape)
{
    if (split->along == SPLIT_AXIS)
        return CUT_AXIS;
    return shape.outer >= count ? CUT_OUTER : CUT_INNER;
}

/* A rank's part has `room` more places along each line's axis. */
static struct part_rows cut_part(const struct split *split, int rank, int count,
                                 enum cut cut, struct shape s, int64_t room,
                                 bool behind)
{
    const int64_t extent = cut == CUT_OUTER  ? s.outer
                           : cut == CUT_AXIS ? s.axis
                                             : s.inner;
    const int64_t first = share_begin(split, rank, count, extent);
    const int64_t places = share_begin(split, rank + 1, count, extent) - first;
    struct part_rows p = { .shape = s, .carry_rows = room };
    if (cut == CUT_OUTER) {
        p.shape.outer = places;
        p.rows = 1;
        p.width = places * s.axis * s.inner;
        p.first = first * s.axis * s.inner;
    } else if (cut == CUT_AXIS) {
        p.shape.axis = places + room;
        p.rows = s.outer;
        p.width = places * s.inner;
        p.first = first * s.inner;
        p.pitch = s.axis * s.inner;
        p.part_first = behind ? 0 : room * s.inner;
        p.part_pitch = p.shape.axis * s.inner;
    } else {
        p.shape.inner = places;
        p.rows = s.outer * s.axis;
        p.width = places;
        p.first = first;
        p.pitch = s.inner;
        p.part_pitch = places;
    }
    return p;
}

struct part_rows ranks_part(const struct split *split, int rank, int count,
                            enum op op, enum dtype dtype, struct shape shape)
{
    int64_t room = 0;
    if (split->along == SPLIT_FLAT) {
        shape = (struct shape){ shape_elems(shape), 1, 1 };
        return cut_part(split, rank, count, CUT_OUTER, shape, 0, false);
    }
    const enum cut cut = cut_of(split, count, shape);
    if (split->takes_carry && op_is_scan(op) && rank_follows(op, rank, count) &&
        share_begin(split, rank + 1, count, shape.axis) >
            share_begin(split, rank, count, shape.axis))
        room = carry_rows(dtype, shape.inner);
    return cut_part(split, rank, count, cut, shape, room, op_is_reverse(op));
}

struct part_rows ranks_sums(const struct split *split, int rank, int count,
                            struct shape shape)
{
    const enum cut cut = cut_of(split, count, shape);
    shape.axis = 1;
    return cut_part(split, rank, count, cut, shape, 0, false);
}
