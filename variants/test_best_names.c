/* SPDX-License-Identifier: MIT
 *
 * Every variant that the rules name is one that was built, by that name, for
 * that operation; moves its data once, cancels nothing, and keeps best's word
 * on being deterministic. No GPU is asked.
 */
#include "src/test.h"
#include "variants/best/rules.h"
#include "variants/registry.h"

static const struct variant *find(const struct choice *choice, enum op op)
{
    for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype) {
        const struct problem p = { .op = op, .dtype = dtype };
        const struct variant *variant = choice_variant(choice, &p);
        if (variant)
            return variant;
    }
    return NULL;
}

static void check_choice(const struct choice *choice, enum op op)
{
    const struct variant *variant = find(choice, op);
    if (!CHECK_FOR(variant, "%s of %s", choice->name, op_name(op)))
        return;
    CHECK_FOR(variant_passes(variant, op) == 1, "%s", choice->name);
    CHECK_FOR(variant->error_growth != ERROR_CANCELLING, "%s", choice->name);
    CHECK_FOR(op != OP_FLIP || variant->deterministic, "%s", choice->name);
    CHECK_FOR((op == OP_FLIP) == (variant->error_growth == ERROR_NONE), "%s",
              choice->name);
}

int main(void)
{
    int built = 0;
    CHECK(registry[0].id != NULL); /* it brings the tables in */
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k)
        for (int c = 0; c < RULE_CHOICES && rules[k].choices[c].name; ++c)
            if (rules[k].choices[c].table) { /* else no CUB, or a draft */
                ++built;
                check_choice(&rules[k].choices[c], rules[k].op);
            }
    CHECK(built > 0);
    return test_end();
}
