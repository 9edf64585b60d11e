/* SPDX-License-Identifier: MIT
 *
 * Every variant that built-in rules name is one that was built, by that name,
 * for additions; cancels nothing, and keeps best's word on being deterministic.
 * If best is built, it serves every shape of every grid on every known GPU by a
 * variant that they rank. Needs no GPU.
 */
#include <string.h>

#include "src/model/grid.h"
#include "src/base/test.h"
#include "src/pretend.h"
#include "src/choose/rules.h"
#include "variants/built_in_rules.h"
#include "variants/choose.h"
#include "variants/registry.h"

static void check_variant(const struct rules_variant *ranked, enum op op)
{
    const struct variant *variant = NULL;
    for (int k = 0; k < RULES_TABLES; ++k)
        for (const struct variant *v = ranked->tables[k]; v && v->name; ++v)
            if (variant_has(v, op, DTYPE_F32) &&
                strcmp(v->name, ranked->name) == 0)
                variant = v;
    if (!CHECK_FOR(variant, "%s of %s", ranked->name, op_name(op)))
        return;
    CHECK_FOR(variant_passes(variant, op) == 1, "%s", ranked->name);
    CHECK_FOR(op != OP_FLIP || variant->deterministic, "%s", ranked->name);
    CHECK_FOR((op == OP_FLIP) == (variant->error_growth == ERROR_NONE), "%s",
              ranked->name);
}

static int unruled; /* cells that nothing ranked serves */

static void check_served(const struct variant *best,
                         const struct device_facts *facts, enum op op,
                         enum dtype dtype, struct shape shape)
{
    char text[SHAPE_TEXT_BYTES];
    const struct problem p = {
        .op = op, .dtype = dtype, .shape = shape, .device = facts
    };
    if (!variant_has(best, op, DTYPE_F32) || !op_out_elems(op, shape))
        return;
    const struct variant *picked = rules_pick(facts->rules, &p);
    CHECK_FOR(!best->refuses(&p), "sm_%d: %s %s %s", facts->compute_capability,
              op_name(op), dtype_name(dtype), shape_format(shape, text));
    CHECK_FOR(!picked || best->workspace_bytes(&p) == choose_room(picked, &p),
              "sm_%d: %s %s %s", facts->compute_capability, op_name(op),
              dtype_name(dtype), shape_format(shape, text));
    unruled += !picked;
}

static void check_grids(const struct variant *best,
                        const struct device_facts *facts)
{
    for (int k = 0; grid_names[k]; ++k) {
        struct grid grid = { 0 };
        CHECK(grid_add(&grid, grid_names[k], DEVICE_CUDA));
        for (size_t item = 0; item < grid.count; ++item)
            for (int o = 0; o < op_count(); ++o)
                for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype)
                    check_served(best, facts, op_at(o), dtype,
                                 grid.items[item].shape);
        grid_free(&grid);
    }
}

/* A thread that walks a line is for short ones: what rules of a few problems
 * lead to elsewhere, too. */
enum { WALKED_MOST = 64 };

static bool walks(const struct variant *picked)
{
    for (const struct family *f = registry; f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            if (v == picked)
                return f->traits & FAMILY_WALKS;
    return false;
}

static void check_walks(const struct device_facts *facts, const char *random)
{
    struct grid grid = { 0 };
    char text[SHAPE_TEXT_BYTES];
    CHECK(grid_add(&grid, random, DEVICE_CUDA));
    for (size_t item = 0; item < grid.count; ++item)
        for (int o = 0; o < op_count(); ++o)
            for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype) {
                const struct problem p = { .op = op_at(o),
                                           .dtype = dtype,
                                           .shape = grid.items[item].shape,
                                           .device = facts };
                const struct variant *picked =
                    op_combines(p.op) ? rules_pick(facts->rules, &p) : NULL;
                CHECK_FOR(!picked || p.shape.axis <= WALKED_MOST ||
                              !walks(picked),
                          "sm_%d: %s for %s %s %s", facts->compute_capability,
                          picked ? picked->name : "none", op_name(p.op),
                          dtype_name(dtype), shape_format(p.shape, text));
            }
    grid_free(&grid);
}

/* Each known card, with code built for it. */
static void check_gpus(const struct variant *best, const struct rules *rules)
{
    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu) {
        struct device_facts facts = gpu->facts;
        facts.rules = rules;
        facts.code_capability = 120;
        unruled = 0;
        check_grids(best, &facts);
        check_walks(&facts, "random:60223:150");
        check_walks(&facts, "random_small:60223:150");
        CHECK_FOR(unruled == 0, "%s: %s: nothing ranked serves %d cells",
                  rules->name, gpu->arch, unruled);
    }
}

static int check_names(const struct rules *rules)
{
    int built = 0;
    for (int k = 0; k < rules->variant_count; ++k) {
        const struct rules_variant *variant = &rules->variant[k];
        if (!variant->tables[0]) /* no CUB, or a draft */
            continue;
        ++built;
        for (int o = 0; o < op_count(); ++o)
            if (rules_kind(op_at(o)) == variant->kind &&
                !rules_other(op_at(o), DTYPE_F32))
                check_variant(variant, op_at(o));
    }
    return built;
}

int main(void)
{
    for (const struct rules_text *t = built_in_rules; t->name; ++t) {
        struct rules rules;
        char why[RULES_WHY_BYTES];
        if (!CHECK_FOR(rules_parse(&rules, t->name, t->text, strlen(t->text),
                                   NULL, why),
                       "%s: %s", t->name, why))
            continue;
        rules_bind(&rules);
        CHECK(check_names(&rules) > 0);
        for (const struct family *f = registry; f->id; ++f)
            if (strcmp(f->id, "best/best") == 0)
                for (const struct variant *v = f->variants; v->name; ++v)
                    check_gpus(v, &rules);
        rules_free(&rules);
    }
    return test_end();
}
