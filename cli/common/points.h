/* SPDX-License-Identifier: MIT
 *
 * Tables that are generated from variants/.
 */
#ifndef CLI_COMMON_POINTS_H
#define CLI_COMMON_POINTS_H

#include "src/choose/catalogue.h"

/* Every tuning point of every file in variants/meson.build, built here or not,
 * up to a NULL name (variants/points.sh). */
extern const struct catalogue_point variant_points[];

/* The header comment of each of these files, for kernel_header_field(), up to a
 * NULL id (variants/heads.sh). */
struct kernel_head {
    const char *id; /* "scan/block_per_line" */
    const char *text;
    const char *file; /* as in catalogue_point */
};
extern const struct kernel_head kernel_heads[];

#endif
