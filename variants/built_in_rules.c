/* SPDX-License-Identifier: MIT */
#include "variants/built_in_rules.h"

#include <string.h>

#include "variants/registry.h"

/* The family's variants, if one of them is meant. */
static const struct variant *holder(const struct family *family,
                                    const char *name, unsigned ops)
{
    for (const struct variant *v = family->variants; v->name; ++v)
        if (v->runs_on == DEVICE_CUDA && (v->ops & ops) &&
            strcmp(v->name, name) == 0)
            return family->variants;
    return NULL;
}

static void bind(struct choice *choice, unsigned ops)
{
    choice->table = NULL;
    for (const struct family *f = registry; f->id && !choice->table; ++f)
        choice->table = holder(f, choice->name, ops);
}

void rules_bind(struct rules *rules)
{
    for (size_t r = 0; r < rules->count; ++r)
        for (int k = 0; k < RULE_CHOICES && rules->rule[r].choices[k].name; ++k)
            bind(&rules->rule[r].choices[k], rules->rule[r].ops);
}
