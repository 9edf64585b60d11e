/* SPDX-License-Identifier: MIT
 *
 * Every variant that built-in rules name is one that was built, by that name,
 * for additions (of floats, or else of integers) and, if problems of others
 * list it, for one of these; cancels nothing, and keeps best's word on being
 * deterministic. If best is built, it serves every shape of every grid on every
 * known GPU by a variant that they rank, but for places past 32 bits and some
 * contiguous sums. Needs no GPU.
 */
#include <string.h>

#include "src/model/grid.h"
#include "src/model/reducer.h"
#include "src/base/test.h"
#include "src/pretend.h"
#include "src/choose/catalogue.h"
#include "src/choose/rules.h"
#include "variants/built_in_rules.h"
#include "variants/choose.h"
#include "variants/registry.h"

static const struct variant *named(const struct rules_variant *ranked,
                                   enum op op, enum dtype dtype)
{
    for (int k = 0; k < RULES_TABLES; ++k)
        for (const struct variant *v = ranked->tables[k]; v && v->name; ++v)
            if (variant_has(v, op, dtype) && strcmp(v->name, ranked->name) == 0)
                return v;
    return NULL;
}

/* True if a problem lists it, of additions or of others; `served`: one that a
 * kernel of that name serves. */
static bool listed(const struct rules *rules, int variant, bool others,
                   bool served)
{
    const struct rules_variant *ranked = &rules->variant[variant];
    for (int strided = 0; strided < 2; ++strided) {
        const struct rules_problems *all =
            &rules->problems[ranked->kind][strided];
        const size_t additions = all->end[RULES_ADDITIONS];
        const struct rules_problem *p = all->problem + (others ? additions : 0);
        const struct rules_problem *end =
            all->problem + (others ? all->end[RULES_INTEGERS] : additions);
        for (; p < end; ++p)
            for (unsigned l = p->first; l < p->first + p->count; ++l)
                if (rules->loss[l].variant == variant &&
                    (!served || named(ranked, p->op, p->dtype)))
                    return true;
    }
    return false;
}

/* True if a build may lack it: CUB's, those for older GPUs, retired ones. */
static bool may_lack(const struct rules_variant *variant)
{
    for (int o = 0; o < op_count(); ++o)
        if (rules_kind(op_at(o)) == variant->kind &&
            (catalogue_find(variant_points, op_at(o), variant->name) >= 0 ||
             point_was(op_at(o), variant->name)))
            return true;
    return false;
}

static void check_variant(const struct rules_variant *ranked, enum op op)
{
    const struct variant *variant = NULL;
    for (enum dtype dtype = 0; dtype < DTYPE_COUNT && !variant; ++dtype)
        variant = named(ranked, op, dtype);
    if (!CHECK_FOR(variant, "%s of %s", ranked->name, op_name(op)))
        return;
    CHECK_FOR(variant_passes(variant, op) == 1, "%s", ranked->name);
    CHECK_FOR(op != OP_FLIP || variant->deterministic, "%s", ranked->name);
    CHECK_FOR((op == OP_FLIP) == (variant->error_growth == ERROR_NONE), "%s",
              ranked->name);
}

static int unruled; /* cells that nothing ranked serves */

/* A thread that walks a line is for short ones: what rules of a few problems
 * lead to elsewhere, too. */
enum { WALKED_MOST = 64 };

static bool has_trait(const struct variant *picked, unsigned trait)
{
    for (const struct family *f = registry; f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            if (v == picked)
                return f->traits & trait;
    return false;
}

static void check_served(const struct variant *best, const struct problem *p)
{
    char text[SHAPE_TEXT_BYTES];
    /* A build for 8.0 and newer leaves out what others need on older GPUs. */
    if (OLDEST_CODE >= 800 && p->device->compute_capability < 80 &&
        rules_other(p->op, p->dtype))
        return;
    if (!variant_has(best, p->op, p->dtype) || !op_has_dtype(p->op, p->dtype) ||
        !OP_HAS_KERNELS(p->op, p->dtype) || !op_out_elems(p->op, p->shape) ||
        (shape_is_ragged(p->shape) &&
         !(op_may_be_ragged(p->op) && dtype_is_float(p->dtype))))
        return;
    const struct variant *picked = rules_pick(p->device->rules, p);
    const char *why = best->refuses(p);
    const bool too_long = op_gives_index(p->op) && p->shape.axis >> 32 &&
                          dtype_bytes(p->dtype) == 4;
#define SERVED(right, text_)                                                   \
    CHECK_FOR(right, "sm_%d: %s %s %s: %s", p->device->compute_capability,     \
              op_name(p->op), dtype_name(p->dtype),                            \
              shape_format(p->shape, text), text_)
    SERVED(too_long ? why && strstr(why, "places have 32 bits") : !why,
           why ? why : "served");
    if (shape_is_ragged(p->shape)) /* of which there are no rules */
        return;
    /* Below 8.0, other operators have designs that no rule knows. Rules of
     * contiguous sums may be older than blocks_per_line, which is called where
     * no rule applies. */
    const bool newer = p->op == OP_SUM && p->shape.inner == 1 &&
                       has_trait(choose_variant(p), FAMILY_SHARES);
    unruled +=
        !picked && !why && !newer &&
        (p->device->compute_capability >= 80 || !rules_other(p->op, p->dtype));
    if (picked && !why) {
        SERVED(best->workspace_bytes(p) == choose_room(picked, p), "workspace");
        SERVED(!op_combines(p->op) || p->shape.axis <= WALKED_MOST ||
                   !has_trait(picked, FAMILY_WALKS),
               picked->name);
    }
}

static void check_grid(const struct variant *best,
                       const struct device_facts *facts, const char *name)
{
    struct grid grid = { 0 };
    CHECK(grid_add(&grid, name, DEVICE_CUDA));
    for (size_t item = 0; item < grid.count; ++item)
        for (int o = 0; o < op_count(); ++o)
            for (enum dtype dtype = 0; dtype < DTYPE_COUNT; ++dtype)
                check_served(best,
                             &(struct problem){ .op = op_at(o),
                                                .dtype = dtype,
                                                .shape = grid.items[item].shape,
                                                .device = facts });
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
        for (int k = 0; grid_names[k]; ++k)
            check_grid(best, &facts, grid_names[k]);
        check_grid(best, &facts, "random:60223:150");
        check_grid(best, &facts, "random_small:60223:150");
        CHECK_FOR(unruled == 0, "%s: %s: nothing ranked serves %d cells",
                  rules->name, gpu->arch, unruled);
    }
}

static int check_names(const struct rules *rules)
{
    int built = 0;
    for (int k = 0; k < rules->variant_count; ++k) {
        const struct rules_variant *variant = &rules->variant[k];
        if (!variant->tables[0]) {
            CHECK_FOR(may_lack(variant), "%s", variant->name);
            continue;
        }
        ++built;
        /* slab_tiles lacks some operators. */
        CHECK_FOR(listed(rules, k, true, true) ||
                      !listed(rules, k, true, false),
                  "%s: others", variant->name);
        for (int o = 0; o < op_count() && listed(rules, k, false, false); ++o)
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
