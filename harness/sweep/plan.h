/* SPDX-License-Identifier: MIT
 *
 * From options to cells: shapes crossed with the variants that support them,
 * preceded by the twins' probes, which measure the ceilings.
 */
#pragma once

#include "harness/cell.h"
#include "harness/options.h"
#include "variants/registry.h"

/* A problem is an op, a dtype and a shape; its variants' cells follow each
 * other. With --time-limit, the seed shuffles the problems after the probes, so
 * that the first of them are a fair sample. */
struct plan {
    struct cell *cells; /* the first `probes` of them measure ceilings */
    size_t count, probes;
};

/* Adds the user's shapes for a kind of device. */
void plan_grid(struct grid *grid, const struct options *options,
               enum device_kind kind);

/* Makes the plan for one kind of device; it is empty if nothing matches. */
struct plan plan_make(const struct options *options, enum device_kind kind);

/* All families, or the broken ones with --broken. */
const struct family *plan_families(const struct options *options);

/* True if --family names the family or its folder, or was not given, and the
 * family does not have to be named. */
bool plan_has_family(const struct options *options,
                     const struct family *family);

/* The first word of --family, up to a comma or the end, that is neither a
 * family nor a folder of this build, or NULL. It makes the plan empty. */
const char *plan_unknown_family(const struct options *options);

/* True for a type's largest probe, which is repeated at the end. */
bool plan_is_largest(const struct plan *plan, const struct cell *probe);

void plan_free(struct plan *plan);
