/* SPDX-License-Identifier: MIT
 *
 * The few kinds of shapes that ask for different kernels, by which figures over
 * many shapes are grouped. Every shape is of one; the first that it fits
 * counts.
 */
#ifndef SRC_MODEL_SHAPE_CLASS_H
#define SRC_MODEL_SHAPE_CLASS_H

#include "src/model/shape.h"

/* X(constant, name, meaning): docs/method.md has the same table. */
#define SHAPE_CLASSES(X)                                                       \
    X(SHORT_LINES, "short_lines", "contiguous, axis below 1024")               \
    X(FEW_LINES, "few_lines", "contiguous, fewer than 1024 lines")             \
    X(MANY_LINES, "many_lines", "contiguous, 1024 lines and more")             \
    X(SHORT_AXIS, "short_axis", "strided, axis below 32")                      \
    X(TINY_INNER, "tiny_inner", "strided, inner below 32")                     \
    X(NARROW_INNER, "narrow_inner", "strided, inner below 2048")               \
    X(WIDE_INNER, "wide_inner", "strided, inner from 2048")

enum shape_class {
#define SHAPE_CLASS(constant, name, meaning) SHAPE_CLASS_##constant,
    SHAPE_CLASSES(SHAPE_CLASS)
#undef SHAPE_CLASS
        SHAPE_CLASS_COUNT
};

enum shape_class shape_class_of(struct shape shape);
const char *shape_class_name(enum shape_class class);
const char *shape_class_meaning(enum shape_class class);

#endif
