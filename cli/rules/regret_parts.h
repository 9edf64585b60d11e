/* SPDX-License-Identifier: MIT
 *
 * What the files of `scanbench regret` share.
 */
#ifndef CLI_RULES_REGRET_PARTS_H
#define CLI_RULES_REGRET_PARTS_H

#include "harness/options.h"
#include "src/analyse/regrets.h"

enum regret_format {
    REGRET_TEXT,
    REGRET_MARKDOWN,
    REGRET_CSV,  /* the quantiles */
    REGRET_CELLS /* every cell, as CSV */
};

/* The quantiles by operation, type and class of shape, and the worst cells
 * (`top` of them at most; 0: all); on stdout. */
void regret_print(const struct regret *regret, const char *variant,
                  enum regret_format format, size_t top);

/* What is allowed, per cent; NaN: anything. */
enum { REGRET_MOST = 2, REGRET_LEAST = 3 };
struct regret_limits {
    double most[REGRET_MOST];   /* regret: the 90th and the 99th percentile */
    double least[REGRET_LEAST]; /* share: the 5th, the 25th and the 50th */
    double most_low;            /* cells, of all */
};

struct regret_options {
    struct filter filter; /* of it ops, dtypes, caches */
    const char *variant;
    const char *rules; /* a file; NULL: the variant counts */
    int format;        /* enum regret_format */
    int top;           /* cells named of each kind; 0: all */
    struct regret_limits limits;
};

#endif
