/* SPDX-License-Identifier: MIT */
#include "src/choose/nearness.h"

#include <math.h>

const struct nearness nearness = {
    .vector_bytes = 16,
    .half_vector = 2,
    .octave = 0.6,
};

const double *nearness_weights(enum op op, bool strided)
{
    /* line bytes, lines, alignment, element, all bytes; row bytes, axis, outer,
     * alignment, element, lines */
    static const double scans[2][NEARNESS_AXES] = {
        { 1, 0.7, 1, 1, 0.6 }, { 0.6, 0.65, 0.35, 1.7, 0.4 }
    };
    static const double others[2][NEARNESS_AXES] = { { 1, 0.7, 1, 1 },
                                                     { 0.7, 0.9, 0.4, 1, 1 } };
    static const double sums[NEARNESS_AXES] = { 0.7, 0.9, 0.4, 1, 1, 1.2 };
    return op == OP_SUM && strided         ? sums
           : op == OP_SUM || op == OP_FLIP ? others[strided]
                                           : scans[strided];
}

static double octaves(int64_t extent)
{
    return log2((double)(extent > 1 ? extent : 1));
}

static double misalignment(uint64_t bytes)
{
    double octaves = 0;
    for (int n = nearness.vector_bytes; bytes % (unsigned)n; n /= 2)
        ++octaves;
    return octaves > 0 ? nearness.half_vector + nearness.octave * (octaves - 1)
                       : 0;
}

static void place(enum op op, enum dtype dtype, struct shape shape,
                  double at[NEARNESS_AXES])
{
    const int64_t bytes = (int64_t)dtype_bytes(dtype);
    const bool strided = shape.inner > 1;
    const double *weight = nearness_weights(op, strided);
    const int64_t row = strided ? shape.inner : shape.axis;
    int k = 0;
    at[k++] = octaves(row) + octaves(bytes);
    if (strided)
        at[k++] = octaves(shape.axis);
    at[k++] = octaves(shape.outer);
    /* A lone line starts where the tensor does. */
    at[k++] = strided || shape.outer > 1
                  ? misalignment((uint64_t)row * (uint64_t)bytes)
                  : 0;
    at[k++] = octaves(bytes);
    if (!strided)
        at[k++] = octaves(shape_elems(shape)) + octaves(bytes);
    at[k++] = octaves(shape_lines(shape));
    for (int axis = 0; axis < NEARNESS_AXES; ++axis)
        at[axis] *= axis < k ? weight[axis] : 0;
}

double nearness_distance(enum op op, enum dtype dtype, struct shape left,
                         struct shape right)
{
    double from[NEARNESS_AXES], to[NEARNESS_AXES], sum = 0;
    if ((left.inner > 1) != (right.inner > 1))
        return (double)INFINITY;
    place(op, dtype, left, from);
    place(op, dtype, right, to);
    for (int k = 0; k < NEARNESS_AXES; ++k)
        sum += (from[k] - to[k]) * (from[k] - to[k]);
    return sqrt(sum);
}
