/* SPDX-License-Identifier: MIT */
#include "variants/built_in_rules.h"

#include <string.h>

#include "variants/registry.h"

/* The family's variants, if one of them is meant. */
static const struct variant *holder(const struct family *family,
                                    const char *name, int kind)
{
    for (const struct variant *v = family->variants; v->name; ++v)
        if (v->runs_on == DEVICE_CUDA && (v->ops.forms & FORMS_OF(kind)) &&
            strcmp(v->name, name) == 0)
            return family->variants;
    return NULL;
}

void rules_bind(struct rules *rules)
{
    for (int k = 0; k < rules->variant_count; ++k) {
        struct rules_variant *variant = &rules->variant[k];
        int count = 0;
        memset(variant->tables, 0, sizeof variant->tables);
        for (const struct family *f = registry; f->id; ++f) {
            const struct variant *table =
                holder(f, variant->name, variant->kind);
            if (table && count < RULES_TABLES)
                variant->tables[count++] = table;
        }
    }
}
