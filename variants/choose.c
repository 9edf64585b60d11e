/* SPDX-License-Identifier: MIT */
#include "variants/choose.h"

#include <math.h>
#include <string.h>

#include "src/choose/rules.h"
#include "src/pretend.h"
#include "variants/registry.h"

bool choose_facts(struct problem *problem, struct device_facts *facts)
{
    if (!(problem->contracts & CONTRACT_PORTABLE_BITS) || !problem->device ||
        problem->device->kind != DEVICE_CUDA || !op_is_reduction(problem->op) ||
        !dtype_is_float(problem->dtype))
        return true;
    *facts = *problem->device;
    problem->device = facts;
    return pretend_portable(facts);
}

/* True if the variant may be called where no rule applies. */
static bool eligible(const struct family *family, const struct variant *variant,
                     const struct problem *p)
{
    return variant->runs_on == (p->device ? p->device->kind : DEVICE_CUDA) &&
           variant_has(variant, p->op, p->dtype) && rules_allow(variant, p) &&
           strncmp(family->id, "best/", 5) != 0;
}

/* Least elements that are worth a host's threads. */
static const int64_t threads_from = 1 << 15;

/* Returns the variant's rank by the traits of its record, as nothing was
 * measured here; the lowest is called. If there are fewer lines than
 * multiprocessors, blocks should share them. Idling variants come late, and
 * threads that walk a line each come last. */
static int rank(const struct family *family, const struct variant *v,
                const struct problem *p)
{
    const bool fast = family->traits & FAMILY_FAST;
    const bool shares = family->traits & FAMILY_SHARES;
    const bool few = p->device && shape_lines(p->shape) < p->device->sm_count;
    if (family->traits & FAMILY_WALKS)
        return p->device && p->device->kind == DEVICE_HOST &&
                       shape_elems(p->shape) < threads_from
                   ? 0
                   : 6;
    if (variant_idles(v, p))
        return fast ? 4 : 5;
    if (fast && (shares || !few))
        return 0;
    if (shares && few)
        return 1;
    return fast ? 2 : 3;
}

/* Returns the problem without its pointers: a choice and a workspace depend on
 * nothing else. */
static struct problem shape_only(const struct problem *problem)
{
    struct problem p = *problem;
    p.in = p.mask = p.out = p.workspace = NULL;
    p.in2 = p.initial = NULL;
    return p;
}

size_t choose_bytes(const struct variant *v, const struct problem *problem)
{
    const struct problem p = shape_only(problem);
    return v->workspace_bytes ? v->workspace_bytes(&p) : 0;
}

/* Returns the first variant of the lowest rank, and of those the one of fewest
 * passes, that serves the problem with that much workspace; or NULL. */
static const struct variant *any_variant(const struct problem *p, size_t room)
{
    const struct variant *found = NULL;
    double least = INFINITY;
    for (const struct family *family = registry; family->id; ++family)
        for (const struct variant *v = family->variants; v->name; ++v) {
            const double passes = variant_passes(v, p->op);
            const double order = rank(family, v, p) + passes / (1 + passes);
            if (order < least && eligible(family, v, p) &&
                variant_serves(v, p) && choose_bytes(v, p) <= room) {
                found = v;
                least = order;
            }
        }
    return found;
}

const struct variant *choose_variant(const struct problem *problem)
{
    const struct problem p = shape_only(problem);
    const struct rules *rules = p.device ? p.device->rules : NULL;
    const struct variant *picked =
        rules && !shape_is_ragged(p.shape) ? rules_pick(rules, &p) : NULL;
    return picked ? picked : any_variant(&p, SIZE_MAX);
}

size_t choose_room(const struct variant *chosen, const struct problem *problem)
{
    const size_t room = choose_bytes(chosen, problem);
    struct problem p = shape_only(problem);
    p.in = p.in2 = (const void *)dtype_bytes(p.dtype);
    if ((op_adds(p.op) && dtype_is_float(p.dtype)) || !op_combines(p.op) ||
        variant_serves(chosen, &p))
        return room;
    const struct variant *other = any_variant(&p, SIZE_MAX);
    const size_t more = other ? choose_bytes(other, &p) : 0;
    return more > room ? more : room;
}

const struct variant *choose_serving(const struct problem *p,
                                     const struct variant *chosen)
{
    if (!chosen || variant_serves(chosen, p))
        return chosen;
    return any_variant(p, choose_room(chosen, p));
}
