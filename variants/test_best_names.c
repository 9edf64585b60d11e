/* SPDX-License-Identifier: MIT
 *
 * Every variant that the rules name is one that was built, by that name, for
 * that operation; moves its data once, cancels nothing, and keeps best's word
 * on being deterministic. And where best is built, it serves every shape of
 * every grid, on a machine like the one that was measured. No GPU is asked.
 */
#include "src/base/grid.h"
#include "src/base/test.h"
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

static int unruled; /* cells that no choice of their rule serves */

static const struct device_facts facts = {
    .kind = DEVICE_CUDA,
    .sm_count = 132,
    .compute_capability = 90,
    .max_threads_per_sm = 2048,
    .max_threads_per_block = 1024,
    .max_blocks_per_sm = 32,
    .shared_optin_bytes = 227 << 10,
    .shared_per_sm_bytes = 228 << 10,
    .l2_bytes = 60 << 20,
};

static void check_served(const struct variant *best, struct grid_item item)
{
    char text[SHAPE_TEXT_BYTES];
    for (enum op op = 0; op < OP_COUNT; ++op)
        for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype) {
            const struct problem p = {
                .op = op, .dtype = dtype, .shape = item.shape, .device = &facts
            };
            if (!(best->ops & OP_BIT(op)) || !op_out_elems(op, item.shape))
                continue;
            const struct rule *rule = rule_of(&p);
            const struct variant *picked = rule_pick(rule, &p);
            CHECK_FOR(!best->refuses(&p), "%s %s %s", op_name(op),
                      dtype_name(dtype), shape_format(item.shape, text));
            CHECK_FOR(!picked || best->workspace_bytes(&p) ==
                                     (picked->workspace_bytes
                                          ? picked->workspace_bytes(&p)
                                          : 0),
                      "%s %s %s", op_name(op), dtype_name(dtype),
                      shape_format(item.shape, text));
            unruled += !picked;
        }
}

static void check_grids(const struct variant *best)
{
    for (int k = 0; grid_names[k]; ++k) {
        struct grid grid = { 0 };
        CHECK(grid_add(&grid, grid_names[k], DEVICE_CUDA));
        for (size_t item = 0; item < grid.count; ++item)
            check_served(best, grid.items[item]);
        grid_free(&grid);
    }
}

int main(void)
{
    int built = 0;
    CHECK(registry[0].id != NULL); /* it brings the tables in */
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k)
        for (int c = 0; c < RULE_CHOICES && rules[k].choices[c]; ++c)
            if (rules[k].choices[c]->table) { /* else no CUB, or a draft */
                ++built;
                for (enum op op = 0; op < OP_COUNT; ++op)
                    if (rules[k].ops & OP_BIT(op))
                        check_choice(rules[k].choices[c], op);
            }
    CHECK(built > 0);
    for (const struct family *family = registry; family->id; ++family)
        if (strcmp(family->id, "best/best") == 0)
            for (const struct variant *v = family->variants; v->name; ++v)
                check_grids(v);
    printf("%d cells that no choice of their rule serves\n", unruled);
    return test_end();
}
