/* SPDX-License-Identifier: MIT
 *
 * The common part of the broken variants over several ranks: a cumulative sum
 * whose axis is split, on every device. Each file has a launch() of its own.
 */
#ifndef VARIANTS_BROKEN_RANKS_BUG_H
#define VARIANTS_BROKEN_RANKS_BUG_H

#include "variants/ranks/local.h"

static const struct split split = { .along = SPLIT_AXIS, .takes_carry = true };

static const char *refuses(const struct problem *p)
{
    return local_refuses(p, &split);
}

#define RANKS_BUG_ON(kind, text, bug)                                          \
    {                                                                          \
        .name = text, .idea = bug, .runs_on = kind,                            \
        .ops = OPS(FORM_OF(OP_CUMSUM), DTYPES_FLOAT), .passes = 1.5,           \
        .error_growth = ERROR_TILED, .error_tile = 1, .refuses = refuses,      \
        .launch = launch, .split = &split                                      \
    }
#define RANKS_BUG(text, bug)                                                   \
    RANKS_BUG_ON(DEVICE_HOST, text, bug), RANKS_BUG_ON(DEVICE_CUDA, text, bug)

#endif
