/* SPDX-License-Identifier: MIT
 *
 * Which variant when: a table of rules, made from the measured runs by
 * rules.sh. A rule serves the problems of its operations whose extents lie in
 * its ranges, and names variants, the best first: the first that is built and
 * does not refuse is to be called. Exactly one rule serves any problem.
 */
#ifndef VARIANTS_BEST_RULES_H
#define VARIANTS_BEST_RULES_H

#include <string.h>

#include "src/variant.h"

/* What a rule looks at: bytes of an element; inner; what divides the pitch (of
 * lines where they are contiguous, else of rows) in bytes, a power of two up to
 * 16; axis; lines. */
enum { RULE_FEATURES = 5, RULE_CHOICES = 4 };

/* From 2^low up to, and without, 2^high. A low of 0 has 0, too; a high of 63
 * has no end. */
struct range {
    signed char low, high;
};

/* A variant, and the table of its file, which is NULL where that is not built
 * (CUB). A last choice has no name. */
struct choice {
    const struct variant *table;
    const char *name;
};

struct rule {
    unsigned ops; /* OP_BIT of each */
    struct range ranges[RULE_FEATURES];
    struct choice choices[RULE_CHOICES];
};

enum { OPS_PLAIN_SCAN = OPS_SCAN & ~OP_BIT(OP_MASKED_CUMSUM) };

#define WEAK(id)                                                               \
    extern const struct variant variants__##id[] __attribute__((weak))
#define CHOICE(id, name)                                                       \
    {                                                                          \
        variants__##id, name                                                   \
    }
#include "variants/best/rules.inc"
#undef CHOICE
#undef WEAK

static inline int64_t rule_alignment(int64_t bytes)
{
    int64_t power = 1;
    while (power < 16 && bytes % (2 * power) == 0)
        power *= 2;
    return power;
}

static inline bool range_has(struct range range, int64_t value)
{
    return (range.low == 0 || value >= (int64_t)1 << range.low) &&
           (range.high == 63 || value < (int64_t)1 << range.high);
}

static inline bool rule_serves(const struct rule *rule, const struct problem *p)
{
    const struct shape shape = p->shape;
    const int64_t bytes = (int64_t)dtype_bytes(p->dtype);
    const int64_t pitch = (shape.inner > 1 ? shape.inner : shape.axis) * bytes;
    const int64_t features[RULE_FEATURES] = { bytes, shape.inner,
                                              rule_alignment(pitch), shape.axis,
                                              shape_lines(shape) };
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
    const struct variant *variant = choice->name ? choice->table : NULL;
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
        const struct variant *v = choice_variant(&rule->choices[k], p);
        if (v && variant_serves(v, p))
            return v;
    }
    return NULL;
}

#endif
