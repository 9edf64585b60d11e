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

struct rule_sets {
    struct rules *rules;    /* the user's or those found, then the built-in */
    size_t count, built_in; /* all of them; the first built-in one */
    bool named;             /* by the user, and valid for any device */
    char why[RULES_WHY_BYTES + 256]; /* the error, with the file */
};

/* Reads all; `path` is the argument of --rules, or NULL; a NULL ends the roots.
 * False, with sets->why, if a file is wrong. */
bool rule_sets_read(struct rule_sets *sets, const char *path,
                    const char *const *roots, rules_knows *knows);

/* Sets the rules for a device, or NULL, and those for portable bits: built-in
 * ones, the same on every GPU. For the host only the user's count. */
void rule_sets_pick(const struct rule_sets *sets, struct device_facts *facts,
                    const struct driver_facts *driver, double bus_gbps);
