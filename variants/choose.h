/* SPDX-License-Identifier: MIT
 *
 * The choice of a variant for `best` and libscanbench, by the rules in the
 * device's facts. Without facts the device is a GPU.
 */
#ifndef VARIANTS_CHOOSE_H
#define VARIANTS_CHOOSE_H

#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fixes the facts of the problem's device, in `facts`, if its contracts demand
 * the same choice on every GPU. The functions below and a launch take the
 * problem after this. False if the device cannot keep these contracts. */
bool choose_facts(struct problem *problem, struct device_facts *facts);

/* Returns the variant to call, or NULL if none that is built serves the problem
 * and keeps its contracts and its error bound. It depends on the shape but on
 * no pointer, so that a launch calls the variant that the workspace is for. */
const struct variant *choose_variant(const struct problem *problem);

/* Returns the workspace that the variant needs for a problem of this shape. */
size_t choose_bytes(const struct variant *variant,
                    const struct problem *problem);

/* Returns the workspace of the chosen variant or, if it is larger, that of the
 * variant for pointers that the chosen one does not serve. For addition it is
 * the former: kernels without a workspace serve all pointers. */
size_t choose_room(const struct variant *chosen, const struct problem *problem);

/* Returns a variant that serves these pointers: the chosen one, or another that
 * fits into choose_room(). NULL if there is none, or `chosen` is NULL. */
const struct variant *choose_serving(const struct problem *problem,
                                     const struct variant *chosen);

#ifdef __cplusplus
}
#endif
#endif
