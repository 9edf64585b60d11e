/* SPDX-License-Identifier: MIT
 *
 * Which variant when: the rules of one GPU, as variants/best follows them, are
 * what was measured there. Of a problem (operation, type, shape) they list what
 * variants lost to the fastest. A new problem is led to measured ones that are
 * like it by a forest (src/choose/forest.h), grown from them: each tree asks a
 * few questions, such as whether a row has at most 96 bytes, which were chosen
 * because the answers separate problems where the same variants lose. A
 * variant's score is the mean of its losses at the problems that the trees
 * name. Who is not listed was not measured there, or refused: that says nothing
 * of its speed. But of two that lost alike the one that more problems list is
 * taken.
 *
 * What is asked about (enum rules_feature): bytes of a row, of a slab and of
 * the tensor; axis, outer and lines; by how many bytes rows and slabs are
 * aligned; how much of a row's last 128 bytes is another row's; the type; mask
 * and direction. Extents count in octaves, so that what doubles a small one is
 * as much as what doubles a large one.
 *
 * Scans, sum and flip have forests of their own, contiguous and strided. They
 * are grown when the first problem of their kind is asked about. Reading a file
 * of rules, and choosing one of several, are rules_file.h's.
 */
#ifndef SRC_CHOOSE_RULES_H
#define SRC_CHOOSE_RULES_H

#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RULES_NAME_BYTES = 128,
    RULES_LOSSES = 64,        /* a problem may list */
    RULES_VARIANTS = 1024,    /* a file may name */
    RULES_PROBLEMS = 1 << 14, /* a file may have of a kind */
    RULES_RANKED = 12,        /* variants that are ranked for a problem */
    RULES_KINDS = 3 /* scans, sum, flip; each contiguous and strided */
};

/* A loss, in per cent, is written down as this at most. */
#define RULES_MOST_PCT 80.

struct rules_variant {
    char *name; /* "warp_per_line_b128_i8" */
    int kind;
    int wins[2];                 /* contiguous and strided problems that it was
                                    fastest at, or as good as */
    const struct variant *table; /* that holds it; NULL: not built */
};

struct rules_name {
    char *name;
    int variant[RULES_KINDS]; /* of that name, or -1: none yet */
};

struct rules_problem {
    enum op op;
    enum dtype dtype;
    struct shape shape;
    unsigned first, count; /* losses */
};

struct rules_loss {
    int variant;
    float log_time; /* over the fastest's; a great loss counts as less */
};

struct rules_problems {
    struct rules_problem *problem;
    size_t count;
};

struct rules {
    char name[RULES_NAME_BYTES]; /* of its file, without folders */
    unsigned long long hash;     /* of its text */
    /* of the GPU that was measured; 0 or "": unknown */
    char gpu[RULES_NAME_BYTES];
    int capability, sm_count; /* 90 for 9.0 */
    double bus_gbps;          /* of its memory, 1e9 bytes a second */
    size_t count;             /* problems */
    struct rules_problems problems[RULES_KINDS][2]; /* contiguous, strided */
    struct rules_forests *forests;                  /* grown from them */
    struct rules_name *numbered; /* what problems call by its number */
    int numbered_count;
    struct rules_variant *variant;
    int variant_count;
    struct rules_loss *loss;
    size_t loss_count;
};

/* Adds the name that the problems behind it may call by its number, from 0 on
 * in turn. NULL, or what is wrong with it. */
const char *rules_add_name(struct rules *rules, const char *number,
                           const char *name);
/* Adds the measured problem of a line's fields: operation, type, outer, axis,
 * inner, and the losses in per cent, "NAME=0 7=12.5", by the variants' names or
 * numbers. NULL, or what is wrong with it. */
const char *rules_add(struct rules *rules, char *const *fields, size_t count);
/* After the last of them, before any is asked. NULL, or what is wrong. */
const char *rules_index(struct rules *rules);
/* Grows all forests, which takes far longer than a question: the first of a
 * kind does it otherwise. False: no memory. */
bool rules_ready(const struct rules *rules);
void rules_free(struct rules *rules);

/* The operations that a variant of the rules is of, as OP_BIT()s. */
unsigned rules_variant_ops(const struct rules_variant *variant);

/* The variants to call for a problem, the best first: those of the problems
 * that are like it by their scores, then what won most often among problems of
 * its kind. Returns how many. Any number of threads may ask. */
int rules_rank(const struct rules *rules, enum op op, enum dtype dtype,
               struct shape shape,
               const struct rules_variant *ranked[RULES_RANKED]);

/* What to call: the first of the ranking that is built and neither refuses the
 * problem nor leaves the device idle with it; or NULL. */
const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *problem);

#ifdef __cplusplus
}
#endif
#endif
