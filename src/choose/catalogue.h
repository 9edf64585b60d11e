/* SPDX-License-Identifier: MIT
 *
 * Catalogue of all variants, built here or not: every tuning point of every
 * file, in the order of variants/meson.build. Published runs also have points
 * that no longer exist.
 */
#pragma once

#include "src/variant.h"

struct catalogue_point {
    const char *id;   /* "scan/block_per_line" */
    const char *name; /* "block_per_line_b256_i16" */
    const char *idea; /* one line, the same for all points of the file */
    const char *file; /* below variants/: "scan/line_owner/block_per_line.cu" */
    unsigned contracts; /* enum contract: those that its variant declares */
};

/* Every tuning point of every file in variants/meson.build, built here or not;
 * and those of operators other than addition (variants/points.sh). */
extern const struct catalogue_point variant_points[], operator_points[];
/* variant_points with retired ones, for free(); true for a retired one. */
struct catalogue_point *points_measured(void);
bool point_was(enum op op, const char *name);

/* In the order of enum contract's bits; ends with NULL. */
extern const char *const contract_names[];

/* The folder whose GPU variants serve the operation. */
const char *catalogue_folder(enum op op);

/* Finds the point in the operation's folder, for recurrences in a file or a
 * folder named recurrence…; -1 if there is none of that name. The catalogue
 * ends with a NULL name. */
int catalogue_find(const struct catalogue_point *points, enum op op,
                   const char *name);

/* The contracts (enum contract) that the variant keeps, as variant_contracts().
 * A name that is not in the catalogue declares `unlisted`; where several points
 * have the name, as with `best`, what all of them declare counts. */
unsigned catalogue_contracts(const struct catalogue_point *points, enum op op,
                             enum dtype dtype, const char *name,
                             unsigned unlisted);

/* True for the suite's own families, in any folder; false for libraries,
 * frameworks and plugins. */
bool catalogue_is_own(const struct catalogue_point *points, const char *family);

/* Copies a field (CONTRIBUTING.md: Idea, Against, Traffic, Needs, Source,
 * Lesson) of the comment at the head of a kernel's file, its lines joined by
 * blanks. Without that field it returns false and leaves the text empty. */
enum { KERNEL_FIELD_BYTES = 2048 };
bool kernel_header_field(const char *source, const char *field,
                         char text[KERNEL_FIELD_BYTES]);

/* ------------------------------------------------------- styles of families */

/* Colour and point shape of a family, the same in every chart and in the
 * report. They are hashed from the family's name, so that neither a run nor a
 * new family changes those of the others. Only CUB's families are green. */
enum { FAMILY_POINTS = 7 };
struct family_style {
    unsigned light, dark; /* 0xRRGGBB, on light and on dark ground */
    int point;            /* from 0 to FAMILY_POINTS - 1 */
};

struct family_style family_style(const char *family);
