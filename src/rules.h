/* SPDX-License-Identifier: MIT
 *
 * Which variant when: rules of one GPU, as variants/best follows them. A rule
 * serves the problems of its operations whose features (rule_features.h) lie in
 * its ranges, and names variants, the best first. This is the model; reading a
 * file of rules and choosing one of several are rules_file.h's, and neither
 * knows the other's insides.
 */
#ifndef SRC_RULES_H
#define SRC_RULES_H

#include "src/base/rule_features.h"
#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

struct choice {
    char *name;                  /* "warp_per_line_b128_i8" */
    const struct variant *table; /* that holds it; NULL: not built */
};

struct rule {
    unsigned ops;                                    /* OP_BIT of each */
    int64_t low[RULE_FEATURES], high[RULE_FEATURES]; /* from, and up to without;
                                                        a high of INT64_MAX has
                                                        no end */
    struct choice choices[RULE_CHOICES]; /* NULL names after the last */
};

enum { RULES_NAME_BYTES = 128 };

struct rules {
    char name[RULES_NAME_BYTES]; /* of its file, without folders */
    unsigned long long hash;     /* of its text */
    /* of the GPU that was measured; 0 or "": unknown */
    char gpu[RULES_NAME_BYTES];
    int capability, sm_count; /* 90 for 9.0 */
    double bus_gbps;          /* of its memory, 1e9 bytes a second */
    struct rule *rule;
    size_t count;
};

/* Appends the rule of a line's fields: operations ("cumsum sum"), conditions
 * ("inner>=2 axis<4096"; "": none), and up to RULE_CHOICES variants. NULL, or
 * what is wrong with it. */
const char *rules_add(struct rules *rules, char *const *fields, size_t count);
void rules_free(struct rules *rules);

/* The first rule that serves the problem, or NULL. */
const struct rule *rules_rule(const struct rules *rules,
                              const struct problem *problem);

/* The rule's first choice that is built and does not refuse the problem, or
 * NULL. */
const struct variant *rule_pick(const struct rule *rule,
                                const struct problem *problem);

/* What to call: the pick of the rule that serves the problem, or else of the
 * nearest one that has any: the fewest powers of two between its ranges and the
 * problem. NULL: no choice of any rule serves it. */
const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *problem);

#ifdef __cplusplus
}
#endif
#endif
