/* SPDX-License-Identifier: MIT
 *
 * Learns the rules of variants/best (src/choose/rules.h) from runs: of every
 * problem, what each variant lost to the fastest. Times are in those of the
 * ceiling of the same run: runs are of more than one card.
 */
#ifndef SRC_CHOOSE_LEARNER_H
#define SRC_CHOOSE_LEARNER_H

#include <stdio.h>

#include "src/choose/catalogue.h"
#include "src/choose/rules.h"
#include "src/runs/run_folder.h"

/* What runs say of one problem (operation, type, shape; cold). */
struct learner_cell {
    enum op op;
    enum dtype dtype;
    struct shape shape;
    const char *run; /* the newest that has it */
    double best;     /* time of `best` in ceilings; NaN: not measured */
    int winner;      /* a point; -1: not to be trusted */
    int32_t *loss;   /* [point], beyond the winner's log time, in units of
                        LEARNER_UNIT; or one of those below */
};
#define LEARNER_UNIT 1e-5
enum {
    LEARNER_UNKNOWN = -1,
    LEARNER_REFUSES = -2,
    LEARNER_SLOW = -3 /* or it took too long: not timed */
};

struct learner {
    const struct catalogue_point *points;
    int point_count;
    struct learner_cell *cells; /* after learner_judge(): sorted by problem */
    size_t count, room;
    bool *fails;          /* [op * point_count + point]: wrong somewhere */
    const char **tellers; /* [cell * point_count + point]: whose rows count */
};

/* A run more; the newest comes first, and of a variant at a problem the first
 * run counts that has it. `name` is kept, not copied. */
void learner_add(struct learner *learner, const struct run_folder *run,
                 const char *name);
/* When all runs are there: who won, and what the others lose. */
void learner_judge(struct learner *learner);
void learner_free(struct learner *learner);

/* Whether a cell has a winner to be held to. */
bool learner_trusts(const struct learner_cell *cell);

/* The lines of rules (src/choose/rules_file.h): the variants, and the problems
 * that have a winner, but for those of a fold (-1: all). */
void learner_write(const struct learner *learner, int left_out, FILE *file);

/* Which of so many parts a cell's shape is in, whatever its operation and type:
 * rules that are made without it have seen nothing of that shape. */
enum { LEARNER_FOLDS = 8 };
int learner_fold(const struct learner_cell *cell);

/* The point that the rules lead to in the cell: the first of the ranking that
 * does not refuse. -1: none. */
int learner_choice(const struct learner *learner, const struct rules *rules,
                   const struct learner_cell *cell);

#endif
