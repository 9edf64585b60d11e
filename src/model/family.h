/* SPDX-License-Identifier: MIT
 *
 * A variant's family: its name without its tuning points.
 */
#ifndef SRC_MODEL_FAMILY_H
#define SRC_MODEL_FAMILY_H

#include <stddef.h>

/* The length of the family's name at the beginning of the variant's. Tuning
 * points stand at the end, one after the other: a letter and a number (_b256,
 * _i8), or two numbers (_128x4, _64kx3). */
size_t variant_family_chars(const char *variant);

/* Copies it, cut to the bytes that there are, and returns `family`. */
char *variant_family(const char *variant, char *family, size_t bytes);

#endif
