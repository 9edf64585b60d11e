/* SPDX-License-Identifier: MIT
 *
 * Idea     The choice of `best` among the variants that keep one contract, so
 *          that a run has the contract's price: best_deterministic,
 *          best_portable_bits and best_monotone beside best.
 * Against  best: the same rules, and fewer variants to choose from.
 * Traffic  that of the variant that it calls, which moves everything once
 *          (passes = 1).
 * Needs    a variant that keeps the contract; portable bits need what all GPUs
 *          from compute capability 8.0 on have.
 * Source   none.
 * Lesson   A guarantee costs what the fastest design without it would gain.
 */
#include "variants/best/chosen.h"

/* The functions of a variant with one contract. */
#define CONTRACT(name, contract)                                               \
    static const char *refuses_##name(const struct problem *p)                 \
    {                                                                          \
        return best_refuses(p, contract);                                      \
    }                                                                          \
    static size_t workspace_##name(const struct problem *p)                    \
    {                                                                          \
        return best_workspace(p, contract);                                    \
    }                                                                          \
    static int launch_##name(const struct problem *p, void *stream)            \
    {                                                                          \
        return best_launch(p, contract, stream);                               \
    }

CONTRACT(deterministic, CONTRACT_DETERMINISTIC)
CONTRACT(portable_bits, CONTRACT_PORTABLE_BITS)
CONTRACT(monotone, CONTRACT_MONOTONE)

/* Integers keep every contract: best serves them. */
#define OF_FLOATS(forms, reducers)                                             \
    {                                                                          \
        forms,                                                                 \
        {                                                                      \
            reducers, reducers, reducers, reducers                             \
        }                                                                      \
    }

#define POINT(suffix, ops_, ...)                                               \
    {                                                                          \
        .name = "best_" #suffix,                                               \
        .idea = "best among the variants that keep a contract",                \
        .runs_on = DEVICE_CUDA, .ops = ops_, .passes = 1,                      \
        .error_growth = ERROR_TILED, .error_tile = 1,                          \
        .refuses = refuses_##suffix, .workspace_bytes = workspace_##suffix,    \
        .launch = launch_##suffix, __VA_ARGS__                                 \
    }

VARIANTS(best__contracts) = {
    POINT(deterministic, OF_FLOATS(FORMS_SCAN | FORM_REDUCE, REDUCERS_BUILT_IN),
          .deterministic = true, .loses_subnormals = true, .ragged = true),
    POINT(portable_bits,
          OF_FLOATS(FORM_REDUCE,
                    REDUCERS_BUILT_IN & ~REDUCER_BIT(REDUCER_LOGADDEXP)),
          .deterministic = true, .portable_bits = true),
    POINT(monotone, OPS(FORMS_SCAN, DTYPES_FLOAT), .deterministic = true,
          .monotone = true),
    { 0 },
};
