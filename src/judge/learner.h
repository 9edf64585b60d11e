/* SPDX-License-Identifier: MIT
 *
 * Learns the rules of variants/best from published runs: for every class of
 * operations a tree that halves the space of shapes at powers of two, until
 * one short list of variants serves a part about as well as its cells' own
 * winners. A leaf is a rule. Times are in those of the ceiling of the same
 * run: runs are of more than one card.
 */
#ifndef SRC_JUDGE_LEARNER_H
#define SRC_JUDGE_LEARNER_H

#include "src/base/rule_features.h"
#include "src/judge/catalogue.h"
#include "src/runs/run_folder.h"

/* Operations that choose together: the scans without a mask, since where one
 * was not measured the others tell; masked_cumsum; sum; flip. */
enum { LEARNER_CLASSES = 4 };

/* Contiguous lines and strided ones apart, since few variants serve both: the
 * roots of two trees a class. */
enum { LEARNER_ROOTS = 2 * LEARNER_CLASSES };

/* What one run says of one problem (operation, type, shape; cold). */
struct learner_cell {
    enum op op;
    enum dtype dtype;
    struct shape shape;
    int64_t features[RULE_FEATURES];
    const char *run; /* the newest that has it */
    double best;     /* time of `best` in ceilings; NaN: not measured */
    int winner;      /* a point; -1: not to be trusted */
    int32_t *loss;   /* [point], beyond the winner's log time, in units of
                        LEARNER_UNIT; or one of the two below */
};
#define LEARNER_UNIT 1e-5
enum { LEARNER_UNKNOWN = -1, LEARNER_REFUSES = -2 };

struct learner {
    const struct catalogue_point *points;
    int point_count;
    struct learner_cell *cells;
    size_t count, room;
    bool *fails;          /* [class * point_count + point]: wrong somewhere */
    const char **tellers; /* [cell * point_count + point]: whose rows count */
};

struct learner_rule {
    int class;
    signed char low[RULE_FEATURES], high[RULE_FEATURES]; /* powers of two */
    int choices[RULE_CHOICES];                           /* points; -1: none */
};

struct learner_rules {
    struct learner_rule *rule;
    size_t count, room;
};

/* The class of an operation, or -1: it has no rules. */
int learner_class(enum op op);

/* A run more; the newest comes first, and of a variant at a problem the first
 * run counts that has it. `name` is kept, not copied. */
void learner_add(struct learner *learner, const struct run_folder *run,
                 const char *name);
/* When all runs are there: who won, and what the others lose. */
void learner_judge(struct learner *learner);
void learner_free(struct learner *learner);

/* The rules of one root, appended, none where it has no cells; those of shape
 * `without` stay unknown to them (NULL: all are known). */
void learner_grow(const struct learner *learner, int root,
                  const struct shape *without, struct learner_rules *rules);

/* Whether the rule serves the cell; what it chooses there, the first that does
 * not refuse (-1: none); and whether a cell has a winner to be held to. */
bool learner_serves(const struct learner_rule *rule,
                    const struct learner_cell *cell);
int learner_choice(const struct learner_rule *rule,
                   const struct learner_cell *cell);
bool learner_trusts(const struct learner_cell *cell);

#endif
