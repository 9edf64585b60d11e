/* SPDX-License-Identifier: MIT
 *
 * The rules of a run or of libscanbench: the user's file (--rules, or
 * SCANBENCH_RULES), or else those of <root>/<gpu>/rules.csv and the built-in
 * ones for this GPU or the nearest (src/choose/rules.h) of the
 * architecture that the code was built for.
 */
#pragma once

#include "harness/device/device.h"
#include "src/choose/rules.h"

struct rules_shelf {
    struct rules *rules; /* the user's alone, or found ones before built-in */
    size_t count;
    bool named;                      /* by the user, and valid for any device */
    char why[RULES_WHY_BYTES + 256]; /* the error, with the file */
};

/* Reads all; `path` is the argument of --rules, or NULL; a NULL ends the roots.
 * False, with shelf->why, if a file is wrong. */
bool rules_shelf_read(struct rules_shelf *shelf, const char *path,
                      const char *const *roots, rules_knows *knows);

/* The rules for a device, or NULL. For the host only the user's count. */
const struct rules *rules_shelf_pick(const struct rules_shelf *shelf,
                                     const struct device_facts *facts,
                                     const struct driver_facts *driver,
                                     double bus_gbps);
