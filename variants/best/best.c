/* SPDX-License-Identifier: MIT
 *
 * Idea     Which variant when: rules, made from measured runs, name for every
 *          class of shapes what was fastest there; call that.
 * Against  thread_per_line: serves every shape as well, but with one design for
 *          all. Here no kernel is new; what is tested is the choice.
 * Traffic  that of what it calls, which moves everything once (passes = 1).
 * Needs    nothing: where no choice of any rule is built and serves, any other
 *          variant will do, but a walk along a line comes last.
 * Source   none; the rules come from results/ by `scanbench rules`.
 * Lesson   Which design is fastest depends on the shape, and a table of rules
 *          is enough to know it.
 *
 * It is the one variant that knows others, by their tables alone. The rules
 * come with the device's facts.
 */
#include <math.h>
#include <string.h>

#include "src/rules.h"
#include "variants/registry.h"

/* What may be called where the rules lead nowhere. The bounds below cover no
 * cancelling sums. */
static bool eligible(const struct variant *variant, const struct problem *p)
{
    return variant->runs_on == DEVICE_CUDA &&
           (variant->ops & OP_BIT(p->op)) != 0 &&
           (variant->dtypes & DTYPE_BIT(p->dtype)) != 0 &&
           variant->error_growth != ERROR_CANCELLING &&
           !variant->spreads_nonfinite && strcmp(variant->name, "best") != 0;
}

/* The lowest goes first: by the traits of its record, where nothing measured
 * says more. Fewer lines than multiprocessors are to be shared among blocks. */
static int rank(const struct family *family, const struct problem *p)
{
    const bool fast = family->traits & FAMILY_FAST;
    const bool shares = family->traits & FAMILY_SHARES;
    const bool few = p->device && shape_lines(p->shape) < p->device->sm_count;
    if (family->traits & FAMILY_WALKS)
        return 4;
    if (fast && (shares || !few))
        return 0;
    if (shares && few)
        return 1;
    return fast ? 2 : 3;
}

/* The problem without its pointers: what a choice and a workspace depend on. */
static struct problem shape_only(const struct problem *problem)
{
    struct problem p = *problem;
    p.in = p.mask = p.out = p.workspace = NULL;
    return p;
}

static size_t bytes_of(const struct variant *v, const struct problem *problem)
{
    const struct problem p = shape_only(problem);
    return v->workspace_bytes ? v->workspace_bytes(&p) : 0;
}

/* Of all that serves the problem in that much workspace the first of the lowest
 * rank, and of one pass before several; or NULL. */
static const struct variant *any_variant(const struct problem *p, size_t room)
{
    const struct variant *found = NULL;
    double least = INFINITY;
    for (const struct family *family = registry; family->id; ++family)
        for (const struct variant *v = family->variants; v->name; ++v) {
            const double passes = variant_passes(v, p->op);
            const double order = rank(family, p) + passes / (1 + passes);
            if (order < least && eligible(v, p) && variant_serves(v, p) &&
                bytes_of(v, p) <= room) {
                found = v;
                least = order;
            }
        }
    return found;
}

/* Told by the shape alone, so that a launch calls what the workspace is for. */
static const struct variant *select_variant(const struct problem *problem)
{
    const struct problem p = shape_only(problem);
    const struct rules *rules = p.device ? p.device->rules : NULL;
    const struct variant *picked = rules ? rules_pick(rules, &p) : NULL;
    return picked ? picked : any_variant(&p, SIZE_MAX);
}

static const char *refuses(const struct problem *p)
{
    return select_variant(p) ? NULL : "no variant that is built serves it";
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
    return any_variant(p, bytes_of(selected, p));
}

static int launch(const struct problem *p, void *stream)
{
    const struct variant *v = serving(p);
    return v ? v->launch(p, stream) : -1; /* -1: refused, and yet launched */
}

/* Tiles of one element allow more than any variant's bound (src/verify.h).
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
