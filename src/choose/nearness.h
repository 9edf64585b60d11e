/* SPDX-License-Identifier: MIT
 *
 * How near two shapes of an operation and type are, for who has to be shown the
 * nearest measured one (the report's answer): a distance in octaves, of what
 * designs differ by.
 *
 *   contiguous lines   bytes of a line, lines, by how many bytes their pitch is
 *                      aligned, bytes of an element, bytes of all
 *   strided            bytes of a row (inner), axis, outer, by how many bytes
 *                      rows are aligned, bytes of an element, lines (sums)
 *
 * The two are never near each other. `best` does not choose by it, but by
 * src/choose/rules.h.
 */
#ifndef SRC_CHOOSE_NEARNESS_H
#define SRC_CHOOSE_NEARNESS_H

#include "src/model/dtype.h"
#include "src/model/op.h"
#include "src/model/shape.h"

enum { NEARNESS_AXES = 6 };

/* How far apart two shapes of an operation and type are; INFINITY: one is
 * contiguous, the other strided. */
double nearness_distance(enum op op, enum dtype dtype, struct shape left,
                         struct shape right);

/* What the distance is made of, for a page that computes it; a test compares:
 * how far from whole vectors is half a vector, and each octave below. */
struct nearness {
    int vector_bytes;
    double half_vector, octave;
};
extern const struct nearness nearness;

/* What an octave along each axis counts. */
const double *nearness_weights(enum op op, bool strided);

#endif
