/* SPDX-License-Identifier: MIT
 *
 * Every tuning point of every file that variants/meson.build lists, built here
 * or not; variants/points.sh makes the table. It ends with a NULL name.
 */
#ifndef CLI_COMMON_POINTS_H
#define CLI_COMMON_POINTS_H

#include "src/choose/catalogue.h"

extern const struct catalogue_point variant_points[];

/* The comment at the head of each of these files, for kernel_header_field();
 * variants/heads.sh makes the table. It ends with a NULL id. */
struct kernel_head {
    const char *id, *text; /* "scan/block_per_line" */
    const char *ending;    /* of its file: "cu" */
};
extern const struct kernel_head kernel_heads[];

#endif
