/* SPDX-License-Identifier: MIT
 *
 * The rules that are built in: the text of every results/best/<gpu>.csv, a GPU
 * each, and how rules find the variants that they name.
 */
#ifndef VARIANTS_BUILT_IN_RULES_H
#define VARIANTS_BUILT_IN_RULES_H

#include "src/choose/rules.h"

struct rules_text {
    const char *name; /* "h200.csv" */
    const char *text;
};

/* Ends with a NULL name; variants/best/embed.sh makes it. */
extern const struct rules_text built_in_rules[];

/* Gives every variant of the rules the table of the GPU's variants that holds
 * its name. */
void rules_bind(struct rules *rules);

#endif
