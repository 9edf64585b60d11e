/* SPDX-License-Identifier: MIT
 *
 * The choice that `best` makes, and libscanbench: the rules come with the
 * device's facts (none: on a GPU).
 */
#ifndef VARIANTS_CHOOSE_H
#define VARIANTS_CHOOSE_H

#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which variant to call, told by the shape alone, so that a launch calls what
 * the workspace is for; NULL: none that is built serves it. */
const struct variant *choose_variant(const struct problem *problem);

/* The workspace that the variant needs for a problem of this shape. */
size_t choose_bytes(const struct variant *variant,
                    const struct problem *problem);

/* The same for the chosen variant, and for what serves pointers that it does
 * not: of operators other than addition, whose few kernels all need one. */
size_t choose_room(const struct variant *chosen, const struct problem *problem);

/* What serves these pointers, too: the one chosen, or whatever needs no larger
 * workspace; NULL: nothing does, or nothing was chosen. */
const struct variant *choose_serving(const struct problem *problem,
                                     const struct variant *chosen);

#ifdef __cplusplus
}
#endif
#endif
