/* SPDX-License-Identifier: MIT */
#ifndef CLI_RULES_REGRET_H
#define CLI_RULES_REGRET_H

#include "harness/options.h"

enum regret_format {
    REGRET_TEXT,
    REGRET_MARKDOWN,
    REGRET_CSV,  /* the quantiles */
    REGRET_CELLS /* every cell, as CSV */
};

/* Limits for the exit status, per cent; NaN if there is none. */
enum { REGRET_MOST = 2, REGRET_LEAST = 3 };
struct regret_limits {
    double pct[REGRET_MOST + REGRET_LEAST]; /* regret: 90th and 99th percentile;
                                               share: 5th, 25th and 50th */
    double most_low;                        /* number of low cells */
};

struct regret_options {
    struct filter filter; /* ops, dtypes and caches */
    const char *variant;
    const char *rules; /* file that replaces the variant, or NULL */
    int format;        /* enum regret_format */
    int top;           /* cells listed of each kind; 0 for all */
    struct regret_limits limits;
};

#endif
