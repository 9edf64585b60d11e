/* SPDX-License-Identifier: MIT
 *
 * Idea     Which variant when: a table of rules, made from measured runs, names
 *          for every class of shapes what was fastest there; call that.
 * Against  thread_per_line: serves every shape as well, but with one design for
 *          all. Here no kernel is new; what is tested is the choice.
 * Traffic  that of what it calls, which moves everything once (passes = 1).
 * Needs    nothing: where no choice of the rule is built, or all refuse, any
 *          other variant of one pass will do.
 * Source   none; the rules come from results/ by `scanbench rules`.
 * Lesson   Which design is fastest depends on the shape, and a table of rules
 *          is enough to know it.
 *
 * It is the one variant that knows others, by their tables alone.
 */
#include "variants/best/rules.h"
#include "variants/registry.h"

/* What may be called where the rules lead nowhere. The bounds below cover no
 * cancelling sums. */
static bool eligible(const struct variant *variant, const struct problem *p)
{
    return variant->runs_on == DEVICE_CUDA &&
           (variant->ops & OP_BIT(p->op)) != 0 &&
           (variant->dtypes & DTYPE_BIT(p->dtype)) != 0 &&
           variant_passes(variant, p->op) == 1 &&
           variant->error_growth != ERROR_CANCELLING &&
           !variant->spreads_nonfinite && strcmp(variant->name, "best") != 0;
}

static const struct variant *any_variant(const struct problem *p)
{
    for (const struct family *family = registry; family->id; ++family)
        for (const struct variant *v = family->variants; v->name; ++v)
            if (eligible(v, p) && variant_serves(v, p))
                return v;
    return NULL;
}

/* The problem without its pointers: what a choice and a workspace depend on. */
static struct problem shape_only(const struct problem *problem)
{
    struct problem p = *problem;
    p.in = p.mask = p.out = p.workspace = NULL;
    return p;
}

/* Told by the shape alone, so that a launch calls what the workspace is for. */
static const struct variant *select_variant(const struct problem *problem)
{
    const struct problem p = shape_only(problem);
    const struct rule *rule = rule_of(&p);
    const struct variant *picked = rule ? rule_pick(rule, &p) : NULL;
    return picked ? picked : any_variant(&p);
}

static const char *refuses(const struct problem *p)
{
    return select_variant(p) ? NULL : "no variant that is built serves it";
}

static size_t bytes_of(const struct variant *v, const struct problem *problem)
{
    const struct problem p = shape_only(problem);
    return v->workspace_bytes ? v->workspace_bytes(&p) : 0;
}

static size_t workspace_bytes(const struct problem *p)
{
    const struct variant *v = select_variant(p);
    return v ? bytes_of(v, p) : 0;
}

/* What serves these pointers, too: the one selected, or whatever needs no
 * larger workspace. */
static const struct variant *serving(const struct problem *p)
{
    const struct variant *selected = select_variant(p);
    if (!selected || variant_serves(selected, p))
        return selected;
    const size_t room = bytes_of(selected, p);
    for (const struct family *family = registry; family->id; ++family)
        for (const struct variant *v = family->variants; v->name; ++v)
            if (eligible(v, p) && variant_serves(v, p) &&
                bytes_of(v, p) <= room)
                return v;
    return NULL;
}

static int launch(const struct problem *p, void *stream)
{
    const struct variant *v = serving(p);
    return v ? v->launch(p, stream) : -1; /* -1: refused, and yet launched */
}

/* Tiles of one element allow more than any variant's bound (src/base/verify.h).
 * Look-back and atomics are among the choices of scans and sums. */
#define POINT(ops_, growth, deterministic_)                                    \
    {                                                                          \
        .name = "best",                                                        \
        .idea = "calls what measured fastest for that class of shapes",        \
        .runs_on = DEVICE_CUDA, .ops = ops_, .dtypes = DTYPES_ALL,             \
        .passes = 1, .error_growth = growth, .error_tile = 1,                  \
        .deterministic = deterministic_,                                       \
        .loses_subnormals = /* as split_axis_atomics */                        \
            ((ops_)&OP_BIT(OP_SUM)) != 0,                                      \
        .refuses = refuses, .workspace_bytes = workspace_bytes,                \
        .launch = launch                                                       \
    }

VARIANTS(best__best) = {
    POINT(OPS_SCAN | OP_BIT(OP_SUM), ERROR_TILED, false),
    POINT(OP_BIT(OP_FLIP), ERROR_NONE, true),
    { 0 },
};
