/* SPDX-License-Identifier: MIT */
#include "src/model/shape_class.h"

static const struct {
    const char *name, *meaning;
} classes[] = {
#define TEXTS(constant, name, meaning) { name, meaning },
    SHAPE_CLASSES(TEXTS)
#undef TEXTS
};

enum shape_class shape_class_of(struct shape shape)
{
    if (shape.inner <= 1)
        return shape.axis < 1024           ? SHAPE_CLASS_SHORT_LINES
               : shape_lines(shape) < 1024 ? SHAPE_CLASS_FEW_LINES
                                           : SHAPE_CLASS_MANY_LINES;
    return shape.axis < 32      ? SHAPE_CLASS_SHORT_AXIS
           : shape.inner < 32   ? SHAPE_CLASS_TINY_INNER
           : shape.inner < 2048 ? SHAPE_CLASS_NARROW_INNER
                                : SHAPE_CLASS_WIDE_INNER;
}

const char *shape_class_name(enum shape_class class)
{
    return classes[class].name;
}

const char *shape_class_meaning(enum shape_class class)
{
    return classes[class].meaning;
}
