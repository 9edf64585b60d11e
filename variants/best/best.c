/* SPDX-License-Identifier: MIT
 *
 * Idea     Rules, made from measured runs, lead a new problem to similar
 *          measured ones; the variant that lost least there is called.
 * Against  thread_per_line: serves every shape as well, but with one design for
 *          all. Here no kernel is new; the choice is tested.
 * Traffic  that of what it calls, which moves everything once (passes = 1).
 * Needs    nothing: where no choice of any rule is built and serves, any other
 *          variant will do, but a walk along a line comes last.
 * Source   none; the rules come from results/ by `scanbench rules`.
 * Lesson   The fastest design depends on the shape, and measurements at some
 *          shapes suffice to find it for others.
 *
 * It and its neighbour alone call other variants, through their tables. The
 * rules come with the device's facts.
 */
#include "variants/best/chosen.h"

/* Adds the contracts, and fixes the facts that they fix; false if it cannot. */
static bool demand(struct problem *p, unsigned contracts,
                   struct device_facts *facts)
{
    p->contracts |= contracts;
    return choose_facts(p, facts);
}

const char *best_refuses(const struct problem *problem, unsigned contracts)
{
    struct device_facts facts;
    struct problem p = *problem;
    if (!demand(&p, contracts, &facts))
        return "portable bits need compute capability 8.0 and 99 KiB of shared "
               "memory per block";
    return choose_variant(&p) ? NULL
           : op_gives_index(p.op) && dtype_bytes(p.dtype) == 4 &&
                   p.shape.axis >> 32
               ? "beside elements of 4 bytes, places have 32 bits"
           : p.contracts || p.max_error > 0
               ? "no variant that is built serves it and keeps its contracts"
               : "no variant that is built serves it";
}

size_t best_workspace(const struct problem *problem, unsigned contracts)
{
    struct device_facts facts;
    struct problem p = *problem;
    const struct variant *v =
        demand(&p, contracts, &facts) ? choose_variant(&p) : NULL;
    return v ? choose_room(v, &p) : 0;
}

int best_launch(const struct problem *problem, unsigned contracts, void *stream)
{
    struct device_facts facts;
    struct problem p = *problem;
    const struct variant *v = demand(&p, contracts, &facts)
                                  ? choose_serving(&p, choose_variant(&p))
                                  : NULL;
    return v ? v->launch(&p, stream) : -1; /* -1: refused, and yet launched */
}

static const char *refuses(const struct problem *p)
{
    return best_refuses(p, 0);
}

static size_t workspace_bytes(const struct problem *p)
{
    return best_workspace(p, 0);
}

static int launch(const struct problem *p, void *stream)
{
    return best_launch(p, 0, stream);
}

/* Tiles of one element allow more than any variant's bound
 * (src/verify/verify.h). Look-back and atomics are among the choices of scans
 * and sums. */
#define POINT(ops_, growth, deterministic_)                                    \
    {                                                                          \
        .name = "best",                                                        \
        .idea = "calls what lost least at measured problems like it",          \
        .runs_on = DEVICE_CUDA, .ops = ops_, .passes = 1,                      \
        .error_growth = growth, .error_tile = 1,                               \
        .deterministic = deterministic_,                                       \
        .loses_subnormals = !(deterministic_), /* as split_axis_atomics */     \
            .refuses = refuses, .workspace_bytes = workspace_bytes,            \
        .launch = launch, .ragged = true                                       \
    }

VARIANTS(best__best) = {
    POINT(OPS_ANY_BUILT_IN, ERROR_TILED, false),
    POINT(OPS(FORM_OF(OP_FLIP), DTYPES_ALL), ERROR_NONE, true),
    { 0 },
};
