/* SPDX-License-Identifier: MIT
 *
 * All variants that were built. The one list is the records of
 * variants/meson.build, which generates registry.c in the same order.
 */
#ifndef VARIANTS_REGISTRY_H
#define VARIANTS_REGISTRY_H

#include "src/variant.h"

/* Traits of a record: all but the last are those by which `best` chooses where
 * no rule applies. */
enum family_trait {
    FAMILY_FAST = 1,   /* moves memory in wide accesses, as its record checks */
    FAMILY_SHARES = 2, /* blocks share a line, so that few lines are enough */
    FAMILY_WALKS = 4,  /* a thread walks a line, or one for each element */
    FAMILY_BY_NAME = 8, /* only sweeps that name it have it */
};

/* One file's variants and its record. */
struct family {
    const char *id;                 /* "scan/block_per_line" */
    const struct variant *variants; /* ends with a NULL name */
    const enum op *ops; /* that kernels were built for, up to OP_NONE; NULL for
                           all */
    unsigned dtypes;    /* that kernels were built for */
    bool sound;         /* in registry_broken: it has no bug */
    const char *shown;  /* in registry_broken: the options with which `check`
                           shows the bug, or NULL */
    unsigned traits;    /* enum family_trait */
};

/* True if the variant of the family has the operation, and its kernel was
 * built. */
static inline bool family_has(const struct family *family,
                              const struct variant *variant, enum op op,
                              enum dtype dtype)
{
    const enum op *built = family->ops;
    while (built && *built != OP_NONE && *built != op)
        ++built;
    return (!built || (*built == op && OP_HAS_KERNELS(op, dtype))) &&
           (family->dtypes & DTYPE_BIT(dtype)) &&
           variant_has(variant, op, dtype);
}

/* Both end with a NULL id. registry_broken has the families that only --broken
 * runs: those with a planted bug, and sound ones for tests. */
extern const struct family registry[];
extern const struct family registry_broken[];

#endif
