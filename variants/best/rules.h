/* SPDX-License-Identifier: MIT
 *
 * Which variant when: a table of rules, made from the measured runs by
 * `scanbench rules`. A rule serves the problems of its operations whose extents
 * lie in its ranges, and names variants, the best first: the first that is
 * built and does not refuse is to be called. Exactly one rule serves any
 * problem.
 */
#ifndef VARIANTS_BEST_RULES_H
#define VARIANTS_BEST_RULES_H

#include <string.h>

#include "src/base/rule_features.h"
#include "src/variant.h"

/* From 2^low up to, and without, 2^high. A low of 0 has 0, too; a high of
 * RULE_NO_BOUND has no end. */
struct range {
    signed char low, high;
};

/* A variant, and the table of its file, which is NULL where that is not built
 * (CUB). */
struct choice {
    const struct variant *table;
    const char *name;
};

struct rule {
    unsigned ops; /* OP_BIT of each */
    struct range ranges[RULE_FEATURES];
    const struct choice *choices[RULE_CHOICES]; /* NULL after the last */
};

enum { OPS_PLAIN_SCAN = OPS_SCAN & ~OP_BIT(OP_MASKED_CUMSUM) };

/* rules.inc is a list of CHOICE(file, name), which rules name by their places,
 * from 1 (0: none), and then of RULE(ops, a low and a high power of two for
 * each feature, choices). */
#define CHOICE(id, name)                                                       \
    extern const struct variant variants__##id[] __attribute__((weak));
#define RULE(...)
#include "variants/best/rules.inc"
#undef CHOICE
#undef RULE

#define CHOICE(id, name) { variants__##id, name },
#define RULE(...)
static const struct choice rule_choices[] = {
#include "variants/best/rules.inc"
};
#undef CHOICE
#undef RULE

#define CHOSEN(place) (place) ? &rule_choices[(place)-1] : NULL
#define CHOICE(id, name)
#define RULE(ops, a, b, c, d, e, f, g, h, i, j, k, l, m, n)                    \
    { ops,                                                                     \
      { { a, b }, { c, d }, { e, f }, { g, h }, { i, j } },                    \
      { CHOSEN(k), CHOSEN(l), CHOSEN(m), CHOSEN(n) } },
static const struct rule rules[] = {
#include "variants/best/rules.inc"
};
#undef CHOICE
#undef RULE
#undef CHOSEN

static inline bool range_has(struct range range, int64_t value)
{
    return (range.low == 0 || value >= (int64_t)1 << range.low) &&
           (range.high == RULE_NO_BOUND || value < (int64_t)1 << range.high);
}

static inline bool rule_serves(const struct rule *rule, const struct problem *p)
{
    int64_t features[RULE_FEATURES];
    rule_features(p->shape, p->dtype, features);
    if (!(rule->ops & OP_BIT(p->op)))
        return false;
    for (int k = 0; k < RULE_FEATURES; ++k)
        if (!range_has(rule->ranges[k], features[k]))
            return false;
    return true;
}

/* The rule that serves p, or NULL: an operation without rules. */
static inline const struct rule *rule_of(const struct problem *p)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k)
        if (rule_serves(&rules[k], p))
            return &rules[k];
    return NULL;
}

/* The variant that a choice names, or NULL: not built, or not for this
 * operation or type. */
static inline const struct variant *choice_variant(const struct choice *choice,
                                                   const struct problem *p)
{
    const struct variant *variant = choice ? choice->table : NULL;
    for (; variant && variant->name; ++variant)
        if ((variant->ops & OP_BIT(p->op)) &&
            (variant->dtypes & DTYPE_BIT(p->dtype)) &&
            strcmp(variant->name, choice->name) == 0)
            return variant;
    return NULL;
}

/* The rule's first choice that is built and does not refuse p, or NULL. */
static inline const struct variant *rule_pick(const struct rule *rule,
                                              const struct problem *p)
{
    for (int k = 0; k < RULE_CHOICES; ++k) {
        const struct variant *v = choice_variant(rule->choices[k], p);
        if (v && variant_serves(v, p))
            return v;
    }
    return NULL;
}

#endif
