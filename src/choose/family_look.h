/* SPDX-License-Identifier: MIT
 *
 * What a family looks like in every chart and in the report: one colour, on
 * light and on dark ground, and one shape of point. Its name alone decides, so
 * that a run, or a new family, changes no other's.
 */
#ifndef SRC_CHOOSE_FAMILY_LOOK_H
#define SRC_CHOOSE_FAMILY_LOOK_H

struct family_look {
    unsigned light, dark; /* 0xRRGGBB */
    int point;            /* from 0 to FAMILY_POINTS - 1 */
};
enum { FAMILY_POINTS = 7 };

/* CUB's are green, and no other is. */
struct family_look family_look(const char *family);

#endif
