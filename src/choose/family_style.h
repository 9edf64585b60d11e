/* SPDX-License-Identifier: MIT
 *
 * Style of a family in every chart and in the report: a colour, on light and on
 * dark ground, and a point shape. It depends on the name alone, so no run and
 * no new family changes another's.
 */
#ifndef SRC_CHOOSE_FAMILY_STYLE_H
#define SRC_CHOOSE_FAMILY_STYLE_H

enum { FAMILY_POINTS = 7 };
struct family_style {
    unsigned light, dark; /* 0xRRGGBB */
    int point;            /* from 0 to FAMILY_POINTS - 1 */
};

/* Only CUB's families are green. */
struct family_style family_style(const char *family);

#endif
