/* SPDX-License-Identifier: MIT */
#include "src/model/shape_class.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

static void check_of(void)
{
    static const struct {
        struct shape shape;
        enum shape_class class;
    } cases[] = {
        { { 1 << 20, 1023, 1 }, SHAPE_CLASS_SHORT_LINES },
        { { 1, 1023, 1 }, SHAPE_CLASS_SHORT_LINES },
        { { 1023, 1024, 1 }, SHAPE_CLASS_FEW_LINES },
        { { 1, 1 << 30, 1 }, SHAPE_CLASS_FEW_LINES },
        { { 1024, 1024, 1 }, SHAPE_CLASS_MANY_LINES },
        { { 32768, 32768, 1 }, SHAPE_CLASS_MANY_LINES },
        { { 111028397, 2, 2 }, SHAPE_CLASS_SHORT_AXIS },
        { { 1, 31, 1 << 17 }, SHAPE_CLASS_SHORT_AXIS },
        { { 166925, 102, 3 }, SHAPE_CLASS_TINY_INNER },
        { { 1, 32, 31 }, SHAPE_CLASS_TINY_INNER },
        { { 1, 32, 32 }, SHAPE_CLASS_NARROW_INNER },
        { { 60, 5000, 2047 }, SHAPE_CLASS_NARROW_INNER },
        { { 1, 32768, 2048 }, SHAPE_CLASS_WIDE_INNER },
        { { 0, 5, 3 }, SHAPE_CLASS_SHORT_AXIS },
        { { 4, 5, 0 }, SHAPE_CLASS_SHORT_LINES },
    };
    bool seen[SHAPE_CLASS_COUNT] = { false };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const enum shape_class class = shape_class_of(cases[k].shape);
        CHECK_FOR(class == cases[k].class, "%zu: %s", k,
                  shape_class_name(class));
        seen[class] = true;
    }
    for (int c = 0; c < SHAPE_CLASS_COUNT; ++c)
        CHECK_FOR(seen[c], "%s", shape_class_name((enum shape_class)c));
}

int main(void)
{
    check_of();
    return test_end();
}
