/* SPDX-License-Identifier: MIT
 *
 * The rules that a run, or a program with libscanbench, may follow. In this
 * order: the file that the user names (--rules, or else SCANBENCH_RULES); of
 * the files <root>/<gpu>/rules.csv and of those that are built in, one for this
 * GPU by name, or the nearest one (src/choose/rules_file.h); for code of an
 * older architecture, one of that.
 */
#ifndef HARNESS_RULES_SHELF_H
#define HARNESS_RULES_SHELF_H

#include "harness/device/driver_facts.h"
#include "src/choose/rules_file.h"

struct rules_shelf {
    struct rules *rules; /* the user's own alone, or those found, then those
                            built in */
    size_t count;
    bool named; /* the user's own: to be followed wherever */
    char why[RULES_WHY_BYTES + 256]; /* what is wrong with which file */
};

/* Reads them all; `path` is what --rules says, or NULL; the roots end with
 * NULL. False: shelf->why says what is wrong with a file. */
bool rules_shelf_read(struct rules_shelf *shelf, const char *path,
                      const char *const *roots, rules_knows *knows);
void rules_shelf_free(struct rules_shelf *shelf);

/* Those to follow on the device, whose bandwidth is that of its memory; NULL:
 * none (on the host only what the user names). */
const struct rules *rules_shelf_pick(const struct rules_shelf *shelf,
                                     const struct device_facts *facts,
                                     const struct driver_facts *driver,
                                     double bus_gbps);

#endif
