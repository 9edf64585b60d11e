/* SPDX-License-Identifier: MIT
 *
 * Colour and point shape of a family, the same in every chart and in the
 * report. They are hashed from the family's name, so that neither a run nor a
 * new family changes those of the others.
 */
#ifndef SRC_CHOOSE_FAMILY_STYLE_H
#define SRC_CHOOSE_FAMILY_STYLE_H

enum { FAMILY_POINTS = 7 };
struct family_style {
    unsigned light, dark; /* 0xRRGGBB, on light and on dark ground */
    int point;            /* from 0 to FAMILY_POINTS - 1 */
};

/* Only CUB's families are green. */
struct family_style family_style(const char *family);

#endif
