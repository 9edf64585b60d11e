/* SPDX-License-Identifier: MIT
 *
 * Selection rules, which variants/best follows on one GPU: measured problems,
 * each with the losses of variants to the fastest, and a forest that is grown
 * from them (docs/adding-a-gpu.md). Of two variants with equal losses, the one
 * that more of the similar problems list is preferred.
 *
 * Scans, reductions and flip have separate forests for contiguous and strided
 * lines, and three of each: for additions of floats; for integers; and for
 * other operators of floats: these have fewer problems, so the forest is grown
 * from additions', too, but scores only variants that their own problems list.
 * A forest is grown when the first of its problems is ranked.
 */
#pragma once

#include "src/variant.h"

enum {
    RULES_NAME_BYTES = 128,
    RULES_LOSSES = 64,        /* most in a problem */
    RULES_NAMES = 1024,       /* most variants in a file */
    RULES_PROBLEMS = 1 << 14, /* most in a file of one kind */
    RULES_RANKED = 12,        /* variants that are ranked for a problem */
    RULES_KINDS = 3,          /* scans, reductions, flip */
    RULES_TABLES = 2          /* addition, other operators */
};

/* Problems that follow one forest. */
enum rules_group {
    RULES_ADDITIONS, /* of floats; and flip */
    RULES_FLOATS,    /* other operators */
    RULES_INTEGERS,
    RULES_GROUPS
};

/* Larger losses count as this, per cent: the variant is no candidate. */
#define RULES_FELT_PCT 30.

/* A variant of one kind of operations. */
struct rules_variant {
    const char *name; /* "warp_per_line_b256_i16" */
    int kind;
    /* Problems at which it loses at most 1 %: [group][strided]. */
    int wins[RULES_GROUPS][2];
    const struct variant *tables[RULES_TABLES]; /* which contain it, or NULL */
};

struct rules_name {
    char *name;
    int variant[RULES_KINDS]; /* -1 before a problem of the kind lists it */
};

struct rules_problem {
    enum op op;
    enum dtype dtype;
    struct shape shape;
    unsigned first, count; /* losses */
};

struct rules_loss {
    int variant;
    float log_time; /* over the fastest's */
};

struct rules_problems {
    struct rules_problem *problem; /* by group */
    size_t end[RULES_GROUPS];      /* behind the last of each group */
    /* By group; NULL until the first problem is ranked. If threads make several
     * at the same time, the first is kept. */
    _Atomic(struct rules_table *) table[RULES_GROUPS];
};

struct rules {
    char name[RULES_NAME_BYTES]; /* of its file, without folders */
    unsigned long long hash;     /* of its text */
    char gpu[RULES_NAME_BYTES];  /* that was measured; "" or 0 if unknown */
    int capability, sm_count;    /* 90 for 9.0 */
    double bus_gbps;
    size_t count;                                   /* problems */
    struct rules_problems problems[RULES_KINDS][2]; /* contiguous, strided */
    struct rules_name *names; /* those with a number first */
    int name_count;
    struct rules_variant *variant;
    int variant_count;
    struct rules_loss *loss;
    size_t loss_count;
};

/* The kind of an operation, or -1 if it has no rules. */
int rules_kind(enum op op);

enum rules_group rules_group(enum op op, enum dtype dtype);

/* True for scans and reductions that are not additions of floats. */
static inline bool rules_other(enum op op, enum dtype dtype)
{
    return rules_group(op, dtype) != RULES_ADDITIONS;
}

/* True if problems of the type were measured, contiguous or strided as the
 * shape, with this operator or one of the same work. */
bool rules_measured(const struct rules *rules, enum op op, enum dtype dtype,
                    struct shape shape);

/* Grows all forests, one per thread. This takes far longer than ranking;
 * without it, the first problem of each kind waits. False if there is no
 * memory. */
bool rules_ready(const struct rules *rules);
void rules_free(struct rules *rules);

/* Ranks the variants to call for a problem and returns their number: first
 * those that similar problems list, by their scores, then those that won most
 * often among all problems of the kind. Safe from any thread. */
int rules_rank(const struct rules *rules, enum op op, enum dtype dtype,
               struct shape shape,
               const struct rules_variant *ranked[RULES_RANKED]);

/* True if a choice may fall on the variant where it serves: it has the
 * guarantees of `best` (an error bound without cancellation, a NaN that stays
 * in its line), and keeps the contracts and the error bound of the problem. */
bool rules_allow(const struct variant *variant, const struct problem *problem);

/* The first variant of the ranking that is built, does not refuse the problem
 * and does not leave the device idle; or NULL. */
const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *problem);

/* -------------------------------------------------------------------- files */

/* Files of rules, which docs/adding-a-gpu.md describes, and the choice of one
 * for a GPU. A problem may also use a variant's name: smem_tree_b256=12.5. */
enum { RULES_VERSION = 2, RULES_WHY_BYTES = 256 };

/* True if one of the operations has a variant of that name, built or not. */
typedef bool rules_knows(int kind, const char *variant);

/* Reads a file's text. False, with the line and the reason in `why` and nothing
 * to free, if it is wrong. With a NULL `knows`, any name will do. */
bool rules_parse(struct rules *rules, const char *name, const char *text,
                 size_t bytes, rules_knows *knows, char why[RULES_WHY_BYTES]);

/* The rules to follow on a GPU, or NULL if there are none: those of its name
 * and architecture, or else of its architecture, or else the nearest. The
 * distance is in octaves of multiprocessors, bandwidths and, eight times,
 * capabilities, as 9.0 moves data in another way than 8.6.
 *
 * `capability` is that of the code that will run, if it is older than the GPU
 * (src/choose/code_run.h): the code limits what a variant can do. */
const struct rules *rules_nearest(const struct rules *rules, size_t count,
                                  const char *gpu, int capability, int sm_count,
                                  double bus_gbps);
