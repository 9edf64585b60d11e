/* SPDX-License-Identifier: MIT */
#include "src/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- reading */

enum { WORD_BYTES = 64 };

/* Copies the next of the words between spaces; false: there is none. A word too
 * long for what it can be is cut, and so unknown. */
static bool next_word(const char **rest, char word[WORD_BYTES])
{
    *rest += strspn(*rest, " ");
    const size_t chars = strcspn(*rest, " ");
    const size_t kept = chars < WORD_BYTES ? chars : WORD_BYTES - 1;
    memcpy(word, *rest, kept);
    word[kept] = '\0';
    *rest += chars;
    return chars > 0;
}

static bool read_ops(const char *words, unsigned *ops)
{
    char word[WORD_BYTES];
    enum op op;
    *ops = 0;
    while (next_word(&words, word)) {
        if (!op_parse(word, &op))
            return false;
        *ops |= OP_BIT(op);
    }
    return *ops != 0;
}

static int feature_of(const char *word, size_t chars)
{
    for (int k = 0; k < RULE_FEATURES; ++k)
        if (strlen(rule_feature_name(k)) == chars &&
            strncmp(rule_feature_name(k), word, chars) == 0)
            return k;
    return -1;
}

/* "axis>=1024" or "axis<4096". */
static bool read_condition(const char *word, struct rule *rule)
{
    const size_t chars = strcspn(word, "<>");
    const int feature = feature_of(word, chars);
    const bool least = strncmp(word + chars, ">=", 2) == 0;
    const char *digits = word + chars + 1 + least;
    if (feature < 0 || (!least && word[chars] != '<') || !*digits ||
        digits[strspn(digits, "0123456789")] || strlen(digits) > 18)
        return false;
    *(least ? &rule->low[feature] : &rule->high[feature]) =
        strtoll(digits, NULL, 10);
    return true;
}

static const char *read_rule(struct rule *rule, char *const *fields,
                             size_t count)
{
    char word[WORD_BYTES];
    const char *rest = fields[1];
    if (!read_ops(fields[0], &rule->ops))
        return "the operations are no names such as cumsum, between spaces";
    for (int k = 0; k < RULE_FEATURES; ++k)
        rule->high[k] = INT64_MAX;
    while (next_word(&rest, word))
        if (!read_condition(word, rule))
            return "a condition is not bytes, inner, alignment, axis or lines "
                   "with >= or < and a whole number";
    for (size_t k = 2; k < count; ++k) {
        if (!*fields[k])
            return "a variant's name is empty";
        rule->choices[k - 2].name = strdup(fields[k]);
        if (!rule->choices[k - 2].name)
            return "no memory";
    }
    return NULL;
}

const char *rules_add(struct rules *rules, char *const *fields, size_t count)
{
    if (count < 3 || count > 2 + RULE_CHOICES)
        return "not operations, conditions, and one to four variants";
    void *grown =
        realloc(rules->rule, (rules->count + 1) * sizeof *rules->rule);
    if (!grown)
        return "no memory";
    rules->rule = grown;
    struct rule *rule = &rules->rule[rules->count++];
    *rule = (struct rule){ 0 };
    return read_rule(rule, fields, count);
}

void rules_free(struct rules *rules)
{
    for (size_t r = 0; r < rules->count; ++r)
        for (int k = 0; k < RULE_CHOICES; ++k)
            free(rules->rule[r].choices[k].name);
    free(rules->rule);
    *rules = (struct rules){ 0 };
}

/* --------------------------------------------------------------- following */

static bool serves(const struct rule *rule, const struct problem *problem,
                   const int64_t features[RULE_FEATURES])
{
    if (!(rule->ops & OP_BIT(problem->op)))
        return false;
    for (int k = 0; k < RULE_FEATURES; ++k)
        if (features[k] < rule->low[k] || features[k] >= rule->high[k])
            return false;
    return true;
}

/* Powers of two between a value and a range. */
static double powers_off(int64_t low, int64_t high, int64_t value)
{
    const double at = log2((double)(value > 0 ? value : 1));
    if (value < low)
        return log2((double)low) - at;
    return value < high ? 0 : at - log2((double)high);
}

static double rule_distance(const struct rule *rule,
                            const int64_t features[RULE_FEATURES])
{
    double sum = 0;
    for (int k = 0; k < RULE_FEATURES; ++k)
        sum += powers_off(rule->low[k], rule->high[k], features[k]);
    return sum;
}

const struct rule *rules_rule(const struct rules *rules,
                              const struct problem *problem)
{
    int64_t features[RULE_FEATURES];
    rule_features(problem->shape, problem->dtype, features);
    for (size_t r = 0; r < rules->count; ++r)
        if (serves(&rules->rule[r], problem, features))
            return &rules->rule[r];
    return NULL;
}

/* NULL: not built, or not for this operation or type. */
static const struct variant *choice_variant(const struct choice *choice,
                                            const struct problem *problem)
{
    const struct variant *variant = choice->name ? choice->table : NULL;
    for (; variant && variant->name; ++variant)
        if ((variant->ops & OP_BIT(problem->op)) &&
            (variant->dtypes & DTYPE_BIT(problem->dtype)) &&
            strcmp(variant->name, choice->name) == 0)
            return variant;
    return NULL;
}

const struct variant *rule_pick(const struct rule *rule,
                                const struct problem *problem)
{
    for (int k = 0; k < RULE_CHOICES; ++k) {
        const struct variant *v = choice_variant(&rule->choices[k], problem);
        if (v && variant_serves(v, problem))
            return v;
    }
    return NULL;
}

const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *problem)
{
    const struct rule *own = rules_rule(rules, problem);
    const struct variant *picked = own ? rule_pick(own, problem) : NULL;
    double least = INFINITY;
    int64_t features[RULE_FEATURES];
    if (picked)
        return picked;
    rule_features(problem->shape, problem->dtype, features);
    for (size_t r = 0; r < rules->count; ++r) {
        const struct rule *rule = &rules->rule[r];
        const double distance = rule_distance(rule, features);
        const struct variant *v =
            rule != own && (rule->ops & OP_BIT(problem->op)) && distance < least
                ? rule_pick(rule, problem)
                : NULL;
        if (v) {
            picked = v;
            least = distance;
        }
    }
    return picked;
}
