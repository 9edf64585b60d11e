/* SPDX-License-Identifier: MIT
 *
 * Which variant when: the rules of one GPU, as variants/best follows them, are
 * what was measured there. Of a problem (operation, type, shape) they list what
 * variants lost to the fastest. A new problem asks the measured ones nearest to
 * it: a variant's score is the mean of its losses at the nearest that list it,
 * the nearer the heavier. Who is not listed was not measured there, or refused:
 * that says nothing of its speed. But of two that lost alike the one that more
 * neighbours list is taken.
 *
 * Nearness is a distance in octaves, of what decides between designs:
 *
 *   contiguous lines   bytes of a line, lines, by how many bytes their pitch is
 *                      aligned, bytes of an element
 *   strided            bytes of a row (inner), axis, outer, by how many bytes
 *                      rows are aligned, bytes of an element
 *
 * The two are never near each other, nor are scans, sum and flip; scans with a
 * mask and without are near, but apart. Reading a file of rules, and choosing
 * one of several, are rules_file.h's.
 *
 * Source: D. Shepard, "A two-dimensional interpolation function for
 * irregularly-spaced data" (1968), for the weights by distance; J. L. Bentley,
 * "Multidimensional binary search trees used for associative searching" (1975),
 * for the search.
 */
#ifndef SRC_RULES_H
#define SRC_RULES_H

#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RULES_NAME_BYTES = 128,
    RULES_LOSSES = 64,        /* a problem may list */
    RULES_VARIANTS = 1024,    /* a file may name */
    RULES_BLOCK = 8,          /* problems whose distances are found at once */
    RULES_PROBLEMS = 1 << 14, /* a file may have of a kind */
    RULES_RANKED = 12,        /* variants that are ranked for a problem */
    RULES_AXES = 6,           /* of the distance */
    RULES_KINDS = 3 /* scans, sum, flip; each contiguous and strided */
};

/* A loss, in per cent, counts as this at most. */
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
    struct shape shape;
    uint64_t lists[RULES_VARIANTS / 64]; /* a bit a variant */
    unsigned first, count;               /* losses */
    float at[RULES_AXES], key; /* where it lies; what it is sorted by */
};

/* Where RULES_BLOCK problems lie, an axis after the other. */
struct rules_block {
    float at[RULES_AXES][RULES_BLOCK];
};

/* And the boxes that hold so many blocks each. */
struct rules_boxes {
    float low[RULES_AXES][RULES_BLOCK], high[RULES_AXES][RULES_BLOCK];
};

struct rules_loss {
    int variant;
    float log_time; /* over the fastest's, RULES_MOST_PCT's at most */
};

struct rules_problems {
    struct rules_problem *problem;
    struct rules_block *block;
    struct rules_boxes *boxes;
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
/* After the last of them, before any is asked: sorts them for the search. NULL,
 * or what is wrong. */
const char *rules_index(struct rules *rules);
void rules_free(struct rules *rules);

/* How far apart two shapes of an operation and type are; INFINITY: one is
 * contiguous, the other strided. */
double rules_distance(enum op op, enum dtype dtype, struct shape left,
                      struct shape right);

/* What the distance is made of, for a page that computes it: what an octave
 * along each axis counts, by operation, contiguous and strided, and how far
 * from whole vectors is half a vector, and each octave below. A test compares.
 */
struct rules_nearness {
    double weight[RULES_KINDS][2][RULES_AXES];
    int vector_bytes;
    double half_vector, octave;
};
extern const struct rules_nearness rules_nearness;

/* The operation's weights; those of scans, where it has no rules. */
const double *rules_weights(enum op op, bool strided);

/* The operations that a variant of the rules is of, as OP_BIT()s. */
unsigned rules_variant_ops(const struct rules_variant *variant);

/* The variants to call for a problem, the best first: the neighbours' by their
 * scores, then what won most often among problems of its kind. Returns how
 * many. A problem of the shape `without` is not asked (NULL: all are). */
int rules_rank(const struct rules *rules, enum op op, enum dtype dtype,
               struct shape shape, const struct shape *without,
               const struct rules_variant *ranked[RULES_RANKED]);

/* What to call: the first of the ranking that is built and does not refuse the
 * problem; or NULL. */
const struct variant *rules_pick(const struct rules *rules,
                                 const struct problem *problem);

#ifdef __cplusplus
}
#endif
#endif
